// The ground: planes, height fields and solids that bodies touch, the roads of the tyres, and what
// wheels and balls roll on without slip.
#include "output/scene.h"

#include <math.h>

static void add_collider(SceneMaker* k, const SarCollider* c) {
  const char* name = sar_text(k->s->m, c->name);
  if (c->solid.kind == SAR_SOLID_PLANE) {
    sar_scene_part(k, SAR_PART_PLANE, SAR_ROLE_GROUND, name)->X_BS = c->X_BS;
  } else if (c->solid.kind == SAR_SOLID_HEIGHTS) {
    SarPart* p = sar_scene_part(k, SAR_PART_HEIGHTS, SAR_ROLE_GROUND, name);
    p->X_BS = c->X_BS;
    p->heights = &c->solid.of.heights;
  }
}

// Does a tyre or a rolling wheel run on this road? -1: flat at z = 0
static bool road_is_used(const SceneMaker* k, int road) {
  const SarModel* m = k->s->m;
  for (int i = 0; i < m->nforce; i++)
    if (k->look[i].wheel > 0 && k->look[i].road == road) return true;
  for (int i = 0; i < m->nroller; i++)
    if (m->roller[i].road && m->roller[i].index == road) return true;
  return false;
}

// One part for every road that a wheel runs on.
static void add_roads(SceneMaker* k) {
  const SarModel* m = k->s->m;
  for (int road = -1; road < m->nroad; road++)
    if (road_is_used(k, road))
      sar_scene_part(k, SAR_PART_ROAD, SAR_ROLE_GROUND,
                     road < 0 ? "ground" : sar_text(m, m->road[road].name))
          ->road = road;
}

// The plane of the ground n . (p - p_a) = 0 is shown already?
static bool plane_is_there(const SceneMaker* k, V3 p_a, V3 n) {
  for (int i = 0; i < k->parts.count; i++) {
    const SarPart* part = &k->parts.items[i];
    if (part->kind != SAR_PART_PLANE) continue;
    const double apart = v3_dot(n, v3_sub(part->X_BS.p, p_a));
    if (v3_dot(m3_col_z(part->X_BS.R), n) > 1 - 1e-12 && fabs(apart) < 1e-9 * (1 + v3_norm(p_a)))
      return true;
  }
  return false;
}

// One part for every plane of the ground that something rolls on (elements/constraints/rolling.c).
static void add_rolling_planes(SceneMaker* k) {
  const SarModel* m = k->s->m;
  for (int i = 0; i < m->nterm; i++) {
    const SarTerm* t = &m->term[i];
    if (t->kind != SAR_TERM_ROLL || t->way != SAR_ROLL_GAP || m->roller[t->roller].road) continue;
    const SarPair* pair = &m->pair[t->pair];
    if (pair->body[0] >= 0 || plane_is_there(k, pair->point[0], t->x)) continue;
    sar_scene_part(k, SAR_PART_PLANE, SAR_ROLE_GROUND, "ground")->X_BS =
        (Xform){.R = m3_frame_z(t->x), .p = pair->point[0]};
  }
}

void sar_scene_add_ground(SceneMaker* k) {
  const SarModel* m = k->s->m;
  for (int i = 0; i < m->ncollider; i++)
    if (m->collider[i].body < 0) add_collider(k, &m->collider[i]);
  add_roads(k);
  add_rolling_planes(k);
}
