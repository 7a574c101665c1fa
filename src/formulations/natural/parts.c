// Bodies that fixed joints weld together are one part; all other joints are links between parts.
//
// The frame C of a part has its origin at B of its first body and lies like N at the design
// position, so that in a planar model its z axis is the normal n for ever.
#include "formulations/natural/build.h"

static M3 plane_rows(SarPlane plane) {  // R_NG
  switch (plane) {
    case SAR_PLANE_XZ: return (M3){1, 0, 0, 0, 0, 1, 0, -1, 0};
    case SAR_PLANE_YZ: return (M3){0, 1, 0, 0, 0, 1, 1, 0, 0};
    default: return m3_identity();
  }
}

static void first_parts(Build* b) {
  SarNatural* p = b->p;
  const SarModel* m = b->m;
  p->npart = 1;
  b->part_X[0] = x_identity();
  p->part[0].body = -1;
  for (int k = 0; k < m->nbody; k++) {
    const int parent = m->body_parent[k];
    if (m->joint_class[k] == SAR_CLASS_FIXED || m->joint_class[k] == SAR_CLASS_MODE) {
      p->body_part[k] = part_of(p, parent);
      p->body_X_CB[k] = x_mul(frame_of(p, parent), m->body_X_PF[k]);
      continue;
    }
    const Xform X_NB = x_mul((Xform){p->R_NG, v3_zero()}, sar_design_pose(m, k));
    p->body_part[k] = p->npart;
    p->body_X_CB[k] = (Xform){X_NB.R, v3_zero()};
    b->part_X[p->npart] = (Xform){m3_identity(), X_NB.p};
    p->part[p->npart++].body = k;
  }
}

// A fixed joint that closes a loop joins two parts: X is the frame of the second in the first's.
static void weld(Build* b, int into, int from, Xform X) {
  SarNatural* p = b->p;
  const int last = --p->npart;
  for (int k = 0; k < b->m->nbody; k++) {
    if (p->body_part[k] == from) {
      p->body_part[k] = into;
      p->body_X_CB[k] = x_mul(X, p->body_X_CB[k]);
    }
    if (p->body_part[k] == last) p->body_part[k] = from;
  }
  b->part_X[from] = b->part_X[last];
  p->part[from] = p->part[last];
}

bool sar_natural_is_gated(const SarModel* m, int cut) {
  for (int g = 0; g < m->ngate; g++)
    if (m->gate[g].target == SAR_GATE_CONSTRAINT && m->gate[g].index == cut) return true;
  return false;
}

static void weld_cuts(Build* b) {
  SarNatural* p = b->p;
  for (int k = 0; k < b->m->ncut; k++) {
    const SarCut* cut = &b->m->cut[k];
    if (cut->kind->cls != SAR_CLASS_FIXED || sar_natural_is_gated(b->m, k)) continue;
    int part[2];
    Xform X[2];
    for (int end = 0; end < 2; end++) {
      part[end] = part_of(p, cut->body[end]);
      X[end] = x_mul(frame_of(p, cut->body[end]), cut->X_BF[end]);
    }
    if (part[0] == part[1]) continue;
    const bool ground_second = part[1] == 0;  // ground keeps its number and frame
    const int into = part[ground_second], from = part[!ground_second];
    weld(b, into, from, x_mul(X[ground_second], x_inv(X[!ground_second])));
  }
}

static void add_link(Build* b, int joint, int parent, int child, Xform X_PF, Xform X_BF) {
  const SarModel* m = b->m;
  const int cls = joint < m->nbody ? (int)m->joint_class[joint] : (int)SAR_CLASS_GENERAL;
  if (cls == SAR_CLASS_FIXED || cls == SAR_CLASS_MODE || cls == SAR_CLASS_NODE) return;
  Link* l = &b->link[b->nlink++];
  *l = (Link){.kind = m->joint_kind[joint],
              .param = &m->joint_param[joint * SAR_JOINT_MAX_PARAM],
              .joint = joint,
              .body = {parent, child},
              .part = {part_of(b->p, parent), part_of(b->p, child)},
              .X_CF = {x_mul(frame_of(b->p, parent), X_PF), x_mul(frame_of(b->p, child), X_BF)}};
  for (int end = 0; end < 2; end++) b->size = fmax(b->size, v3_norm(l->X_CF[end].p));
}

void sar_natural_parts(Build* b) {
  SarNatural* p = b->p;
  const SarModel* m = b->m;
  p->dim = m->planar == SAR_SPATIAL ? 3 : 2;
  p->R_NG = plane_rows(m->planar);
  p->body_part = SAR_ARENA_ARRAY(&p->arena, int, m->nbody + 1);
  p->body_X_CB = SAR_ARENA_ARRAY(&p->arena, Xform, m->nbody + 1);
  p->part = SAR_ARENA_ARRAY(&p->arena, SarNatPart, m->nbody + 1);
  b->part_X = SAR_ARENA_ARRAY(b->arena, Xform, m->nbody + 1);
  b->link = SAR_ARENA_ARRAY(b->arena, Link, m->njoint + 1);
  if (p->arena.failed || b->arena->failed) return;
  first_parts(b);
  weld_cuts(b);
  for (int k = 0; k < m->nbody; k++)
    add_link(b, k, m->body_parent[k], k, m->body_X_PF[k], x_identity());
  for (int k = 0; k < m->ncut; k++)
    if (!sar_natural_is_gated(m, k))
      add_link(b, sar_cut_joint(m, k), m->cut[k].body[0], m->cut[k].body[1], m->cut[k].X_BF[0],
               m->cut[k].X_BF[1]);
}
