// Velocity-dependent terms that forward and inverse dynamics share.
#pragma once
#include "model/data.h"

// V x* I V, written so that w x v is needed once:
//   n = w x I w + h x (w x v),   f = m (w x v) + w x (w x h)
static inline Force bias_force(Inertia I, Motion V) {
  V3 u = v3_cross(V.w, V.v);
  return (Force){v3_add_cross(v3_cross(V.w, s3_mul_v(I.I, V.w)), I.h, u),
                 v3_axpy(I.m, u, v3_cross(V.w, v3_cross(V.w, I.h)))};
}

// May body_F be other than zero? Elements and cut joints act on bodies, all else on coordinates.
static inline bool has_body_forces(const SarModel* m) { return m->nforce > 0 || m->ncut > 0; }

// c = V x S v + cJ of the joint of body b, by its class
static inline Motion bias_motion(const SarModel* m, const SarData* d, int b) {
  const Motion V = d->body_V[b];
  const int i = m->joint_vadr[b];
  switch (m->joint_class[b]) {
    case SAR_CLASS_FIXED: return motion_zero();
    case SAR_CLASS_REVOLUTE: {
      const double v = d->v[i];
      return (Motion){{V.w.y * v, -V.w.x * v, 0}, {V.v.y * v, -V.v.x * v, 0}};
    }
    case SAR_CLASS_PRISMATIC: {
      const double v = d->v[i];
      return (Motion){{0, 0, 0}, {V.w.y * v, -V.w.x * v, 0}};
    }
    default: {
      Motion Sv = motion_zero();
      for (int k = 0; k < m->joint_nv[b]; k++)
        Sv = motion_add(Sv, motion_scale(d->v[i + k], d->dof_S[i + k]));
      return motion_add(crossm(V, Sv), d->body_cJ[b]);
    }
  }
}
