// The ground: planes, height fields and solids that bodies touch, and the roads of the tyres.
#include "output/scene.h"

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

// One part for every road that a wheel runs on.
static void add_roads(SceneMaker* k) {
  const SarModel* m = k->s->m;
  for (int road = -1; road < m->nroad; road++) {
    bool used = false;
    for (int i = 0; i < m->nforce; i++)
      used = used || (k->look[i].wheel > 0 && k->look[i].road == road);
    if (used)
      sar_scene_part(k, SAR_PART_ROAD, SAR_ROLE_GROUND,
                     road < 0 ? "ground" : sar_text(m, m->road[road].name))
          ->road = road;
  }
}

void sar_scene_add_ground(SceneMaker* k) {
  const SarModel* m = k->s->m;
  for (int i = 0; i < m->ncollider; i++)
    if (m->collider[i].body < 0) add_collider(k, &m->collider[i]);
  add_roads(k);
}
