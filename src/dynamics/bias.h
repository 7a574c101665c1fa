// Velocity-dependent terms (Coriolis, centrifugal, gyroscopic) that forward and inverse dynamics
// share.
#pragma once
#include "dynamics/nodes.h"
#include "model/data.h"

// V x* I V, written so that w x v is needed once, added to F:
//   n = w x I w + h x (w x v),   f = m (w x v) + w x (w x h)
LANES_INLINE LaneForce add_bias_force(LaneForce F, const Inertia* I, LaneMotion V) {
  const L4 h = l4_load(&I->h.x), u = l4_cross(V.w, V.v);
  const L4 Iw = l4x3_mul(inertia_rows(I), V.w);
  return (LaneForce){l4_add_cross(l4_add_cross(F.n, V.w, Iw), h, u),
                     l4_add_cross(l4_axpy(I->m, u, F.f), V.w, l4_cross(V.w, h))};
}

// May body_F be other than zero? Elements and cut joints act on bodies, all else on coordinates.
static inline bool has_body_forces(const SarModel* m) {
  return m->nforce > 0 || m->ncut > 0 || m->field.kind != SAR_GRAVITY_UNIFORM;
}

// c = V x S v of one axis: [w x z; v x z] v and [0; w x z] v
LANES_INLINE LaneMotion bias_revolute(LaneMotion V, double v) {
  const L4 turn = l4_scale(v, l4(1, -1, 0));
  return (LaneMotion){l4_mul(l4_yxz(V.w), turn), l4_mul(l4_yxz(V.v), turn)};
}
LANES_INLINE LaneMotion bias_prismatic(LaneMotion V, double v) {
  return (LaneMotion){l4_zero(), l4_mul(l4_yxz(V.w), l4_scale(v, l4(1, -1, 0)))};
}

// c = V x S v + cJ of a general joint, or of a node
LANES_INLINE LaneMotion bias_general(const SarModel* m, const SarData* d, int b) {
  const Motion Sv = sar_joint_speed(m, d, b);
  Motion c = crossm(d->body_V[b], Sv);
  if (m->joint_nv[b] > 0 || m->joint_class[b] == SAR_CLASS_NODE) c = motion_add(c, d->body_cJ[b]);
  return (LaneMotion){l4_of(c.w), l4_of(c.v)};
}
