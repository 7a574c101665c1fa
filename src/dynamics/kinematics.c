// Positions and velocities, from the root outwards.
//
//   X_PB = X_PF X_FB(q)                       F: joint frame in the parent P, B: frame of the body
//   V_B  = X_BP V_P + S v
//
// One-axis joints turn about or move along z of F and B, so that X_FB is never multiplied out: a
// revolute joint mixes the x and y axes of F, a prismatic one moves the origin along z.
#include "dynamics/tree.h"

#include "math/sincos.h"

// R_PF Rz(q): only the x and y columns depend on q
static inline M3 m3_turn_z(M3 R, double c, double s) {
  R = (M3){c * R.xx + s * R.xy, c * R.xy - s * R.xx, R.xz,
           c * R.yx + s * R.yy, c * R.yy - s * R.yx, R.yz,
           c * R.zx + s * R.zy, c * R.zy - s * R.zx, R.zz};
  return R;
}

// a general joint: X_PB, S, cJ, and S v as the result. moving: velocities are asked for.
static Motion calc_general(const SarModel* m, SarData* d, int b, bool moving) {
  const int vadr = m->joint_vadr[b], nv = m->joint_nv[b];
  SarJointCalc joint;
  const double* v = moving ? &d->v[vadr] : NULL;
  m->joint_kind[b]->calc(&m->joint_param[b * SAR_JOINT_MAX_PARAM], &d->q[m->joint_qadr[b]], v,
                         &joint);
  d->body_X_PB[b] = x_mul(m->body_X_PF[b], joint.X_FB);
  for (int i = 0; i < nv; i++) d->dof_S[vadr + i] = joint.S[i];
  Motion Sv = motion_zero();
  if (!moving) return Sv;
  d->body_cJ[b] = joint.cJ;
  for (int i = 0; i < nv; i++) Sv = motion_add(Sv, motion_scale(v[i], joint.S[i]));
  return Sv;
}

// Called with a constant `moving`, so that the compiler makes one loop of it for each value.
static inline void update(const SarModel* m, SarData* d, const bool moving) {
  const int nbody = m->nbody;
  const int *parent = m->body_parent, *class_of = m->joint_class;
  const Xform* X_PF = m->body_X_PF;
  Xform* X_PB = d->body_X_PB;
  Motion* V = d->body_V;
  sar_sincos_array(m->nq, d->q, d->q_sin, d->q_cos);

  for (int b = 0; b < nbody; b++) {
    Xform X = X_PF[b];
    Motion Sv = motion_zero();
    switch (class_of[b]) {
      case SAR_CLASS_REVOLUTE: {
        const int q = m->joint_qadr[b];
        X.R = m3_turn_z(X.R, d->q_cos[q], d->q_sin[q]);
        M3* R = &X_PB[b].R;  // its z column and the origin were set once
        R->xx = X.R.xx, R->xy = X.R.xy, R->yx = X.R.yx;
        R->yy = X.R.yy, R->zx = X.R.zx, R->zy = X.R.zy;
        if (moving) Sv.w.z = d->v[m->joint_vadr[b]];
        break;
      }
      case SAR_CLASS_PRISMATIC:
        X.p = v3_axpy(d->q[m->joint_qadr[b]], m3_col_z(X.R), X.p);
        X_PB[b].p = X.p;
        if (moving) Sv.v.z = d->v[m->joint_vadr[b]];
        break;
      case SAR_CLASS_FIXED: break;
      default: Sv = calc_general(m, d, b, moving); X = X_PB[b];
    }
    if (!moving) continue;
    const int p = parent[b];
    V[b] = p < 0 ? Sv : motion_add(x_motion_inv(X, V[p]), Sv);
  }
}

void sar_update_positions(const SarModel* m, SarData* d) { update(m, d, false); }

void sar_update_kinematics(const SarModel* m, SarData* d) { update(m, d, true); }

void sar_update_world(const SarModel* m, SarData* d) {
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b];
    d->body_X_GB[b] = p < 0 ? d->body_X_PB[b] : x_mul(d->body_X_GB[p], d->body_X_PB[b]);
  }
}
