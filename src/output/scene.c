// The list of what there is to see (scene.h), and where it is.
#include "output/scene.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

SarPart* sar_scene_part(SceneMaker* k, SarPartKind kind, SarPartRole role, const char* name) {
  SarPart* p = SAR_LIST_ADD(&k->s->arena, &k->parts);
  if (!p) p = &k->spare;
  *p = (SarPart){.kind = kind,
                 .role = role,
                 .name = name,
                 .holder = -1,
                 .body = {-1, -1},
                 .X_BS = x_identity(),
                 .road = -1,
                 .force = -1,
                 .constraint = -1};
  return p;
}

bool sar_joint_has_place(const SarJointKind* kind) {
  int lengths = 0;
  for (int i = 0; i < kind->nv; i++) lengths += kind->coordinate[i] == SAR_LENGTH;
  return lengths < 2;  // free and planar ones have no place
}

// ---- sizes -----------------------------------------------------------------------------------

static void widen(V3 p, double by, V3* low, V3* high) {
  if (!isfinite(p.x + p.y + p.z + by)) return;
  *low = v3(fmin(low->x, p.x - by), fmin(low->y, p.y - by), fmin(low->z, p.z - by));
  *high = v3(fmax(high->x, p.x + by), fmax(high->y, p.y + by), fmax(high->z, p.z + by));
}

static double reach_of_shape(const SarModel* m, const SarBodyShape* s) {
  double r = 0;
  if (s->kind == SAR_BODY_MESH)
    for (int i = 0; i < s->nvertex; i++) r = fmax(r, v3_norm(m->shape_point[s->vertex + i]));
  else if (s->kind == SAR_BODY_BOX)
    r = v3_norm(v3_load(s->size));
  else if (s->kind == SAR_BODY_ELLIPSOID)
    r = fmax(s->size[0], fmax(s->size[1], s->size[2]));
  else
    r = s->size[0] + s->size[1];
  return r;
}

static Xform pose_of(const Xform* poses, int body) { return body < 0 ? x_identity() : poses[body]; }

// Joints, mass centres, shapes, ends of elements at the start; what is on the ground does not
// count.
static double find_reach(const SceneMaker* k) {
  const SarModel* m = k->s->m;
  V3 low = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = v3_neg(low);
  for (int b = 0; b < m->nbody; b++) {
    const Inertia I = m->body_inertia[b];
    if (sar_joint_has_place(m->joint_kind[b])) widen(k->start[b].p, 0, &low, &high);
    if (I.m > 0) widen(x_point(k->start[b], v3_scale(1 / I.m, I.h)), 0, &low, &high);
  }
  for (int i = 0; i < m->nshape; i++) {
    const SarBodyShape* s = &m->shape[i];
    if (s->body >= 0)
      widen(x_point(k->start[s->body], s->X_BS.p), reach_of_shape(m, s), &low, &high);
  }
  for (int i = 0; i < m->ncollider; i++) {
    const SarCollider* c = &m->collider[i];
    if (c->body >= 0) widen(x_point(k->start[c->body], c->X_BS.p), c->solid.radius, &low, &high);
  }
  for (int i = 0; i < m->nforce; i++)
    for (int e = 0; e < 2; e++)
      if (k->look[i].body[e] >= 0)
        widen(x_point(pose_of(k->start, k->look[i].body[e]), k->look[i].point[e]), k->look[i].wheel,
              &low, &high);
  const V3 size = v3_sub(high, low);
  const double reach = fmax(size.x, fmax(size.y, size.z));
  return reach > 0 ? reach : 1;
}

// Bars are as thick as fits the middle one of the distances from joint to joint, in a long row of
// bodies as in a short one.
static double find_unit(const SceneMaker* k) {
  enum { MOST = 512 };
  const SarModel* m = k->s->m;
  double length[MOST];
  int n = 0;
  for (int b = 0; b < m->nbody && n < MOST; b++) {
    const int p = m->body_parent[b];
    if (p < 0 || !sar_joint_has_place(m->joint_kind[b]) || !sar_joint_has_place(m->joint_kind[p]))
      continue;
    const double l = v3_norm(v3_sub(k->start[b].p, k->start[p].p));
    if (!(l > 1e-3 * k->s->reach)) continue;
    int i = n++;
    for (; i > 0 && length[i - 1] > l; i--) length[i] = length[i - 1];
    length[i] = l;
  }
  return fmin(0.016 * k->s->reach, n > 0 ? 0.045 * length[n / 2] : HUGE_VAL);
}

// ---- making ------------------------------------------------------------------------------------

static void look_at_forces(SceneMaker* k) {
  const SarModel* m = k->s->m;
  for (int i = 0; i < m->nforce; i++) {
    k->look[i] = (SarForceLook){.body = {-1, -1}, .road = -1, .arrow = -1};
    if (m->force_kind[i]->look) m->force_kind[i]->look(m, i, &k->look[i]);
  }
}

static void make(SceneMaker* k) {
  SarScene* s = k->s;
  const SarModel* m = s->m;
  sar_poses_at(m, m->q0, k->start);
  for (int b = m->nbody; b < m->nbody_all; b++) k->start[b] = sar_design_pose(m, b);
  look_at_forces(k);
  s->reach = find_reach(k);
  s->unit = find_unit(k);
  s->most_arrows = m->nforce + m->ncontact;
  sar_scene_add_ground(k);
  sar_scene_add_bodies(k);
  sar_scene_add_joints(k);
  sar_scene_add_elements(k);
  s->part = k->parts.items;
  s->count = k->parts.count;
}

SarStatus sar_scene_new(const SarModel* m, SarScene** out) {
  SarScene* s = *out = sar_alloc(sizeof *s);
  if (!s) return SAR_NO_MEMORY;
  sar_arena_init(&s->arena);
  s->m = m;
  s->thickness = SAR_ARENA_ARRAY(&s->arena, double, m->nbody + 1);
  SceneMaker k = {.s = s,
                  .look = SAR_ARENA_ARRAY(&s->arena, SarForceLook, m->nforce + 1),
                  .start = SAR_ARENA_ARRAY(&s->arena, Xform, m->nbody_all + 1)};
  if (!s->arena.failed) make(&k);
  if (!s->arena.failed) return SAR_OK;
  sar_scene_free(s);
  *out = NULL;
  return SAR_NO_MEMORY;
}

void sar_scene_free(SarScene* s) {
  if (!s) return;
  sar_arena_free(&s->arena);
  sar_free(s);
}

// ---- where it is -------------------------------------------------------------------------------

void sar_scene_poses(const SarScene* s, const SarData* d, Xform* poses) {
  sar_poses_at(s->m, d->q, poses);
  for (int b = s->m->nbody; b < s->m->nbody_all; b++) poses[b] = d->body_X_GB[b];
}

static bool between_points(SarPartKind kind) { return kind >= SAR_PART_LINK; }

SarPlaced sar_scene_place(const SarScene* s, const SarData* d, const Xform* poses, int part) {
  const SarPart* p = &s->part[part];
  SarPlaced out = {.there = true};
  if ((p->force >= 0 && !d->force_on[p->force]) ||
      (p->constraint >= 0 && !d->constraint_on[p->constraint]))
    out.there = false;
  const Xform X = pose_of(poses, p->body[0]);
  if (!between_points(p->kind)) {
    out.X_GS = x_mul(X, p->X_BS);
    return out;
  }
  out.X_GS = x_identity();
  out.from = x_point(X, p->end[0]);
  out.to = x_point(pose_of(poses, p->body[1]), p->end[1]);
  const V3 n = m3_mul_v(X.R, p->axis);
  if (v3_dot(n, n) > 0)
    out.from = v3_axpy(-v3_dot(n, v3_sub(out.to, out.from)) / v3_dot(n, n), n, out.to);
  return out;
}

// The lowest point of a wheel, in its plane.
static V3 below_wheel(const SarForceLook* look, const Xform* X, V3 centre) {
  const V3 axis = m3_mul_v(X->R, look->axis), up = v3(0, 0, 1);
  const V3 spoke = v3_axpy(-v3_dot(axis, up), axis, up);
  const double n = v3_norm(spoke);
  return n > 1e-6 ? v3_axpy(-look->wheel / n, spoke, centre) : centre;
}

int sar_scene_arrows(const SarScene* s, const SarData* d, const Xform* poses, SarArrow* out) {
  const SarModel* m = s->m;
  int n = 0;
  SarContactPoint c;
  for (int i = 0; i < m->ncontact && sar_contact(d, i, &c) == SAR_OK; i++)
    out[n++] = (SarArrow){SAR_ARROW_CONTACT, v3_load(c.point), v3_load(c.force)};
  for (int i = 0; i < m->nforce; i++) {
    SarForceLook look = {.body = {-1, -1}, .road = -1, .arrow = -1};
    if (!m->force_kind[i]->look || !d->force_on[i]) continue;
    m->force_kind[i]->look(m, i, &look);
    if (look.arrow < 0) continue;
    const Xform X = pose_of(poses, look.body[0]);
    V3 at = x_point(X, look.point[0]);
    if (look.wheel > 0) at = below_wheel(&look, &X, at);
    const double* f = &d->force_output[m->force_output_adr[i] + look.arrow];
    const bool turns = strcmp(m->force_kind[i]->output[look.arrow], "tx") == 0;
    out[n++] = (SarArrow){turns ? SAR_ARROW_TORQUE : SAR_ARROW_APPLIED, at, v3_load(f)};
  }
  return n;
}
