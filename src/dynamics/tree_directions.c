// Outward pass of the analytical derivatives of inverse dynamics: how each coordinate, by its
// displacement and by its velocity, changes velocity and acceleration of the bodies beyond it (P,
// PP, PPv of tree_derivatives.c).
//
//   q:  P = V_P x S + S' v,   PP = A_P x S + S' a + cJ' + P x S v + V x (S' v + P)
//   v:  P = S,                PPv = S x S v + cJ by v_k + 2 V x S           _P: of the parent, in B
#include "dynamics/tree_derivatives.h"

enum { NV = SAR_JOINT_MAX_NV };

// One axis: S x S = 0 leaves P = V x S, PP = A x S + V x P, and PPv = 2 P.
LANES_INLINE void directions_of_axis(const SarData* d, int b, int i, const bool turns,
                                     SarTreeDerivatives* w) {
  const LaneMotion V = lane_motion(&d->body_V[b]), A = lane_motion(&d->body_A[b]);
  LaneMotion P = {turns ? l4_cross_z(V.w) : l4_zero(), l4_cross_z(turns ? V.v : V.w)};
  LaneMotion PP = {turns ? l4_cross_z(A.w) : l4_zero(), l4_cross_z(turns ? A.v : A.w)};
  w->P[i] = P;
  w->PP[i] = lane_motion_add(PP, lane_crossm(V, P));
}

// Change of axes for displacements of coordinate k: S' v, S' a, and that of cJ.
typedef struct Turned {
  LaneMotion v, a, cJ;
} Turned;

static inline Turned turned_axes(const SarModel* m, const SarData* d, const double* a, int b,
                                 int k) {
  const SarJointKind* kind = m->joint_kind[b];
  const int i0 = m->joint_vadr[b];
  const double* v = &d->v[i0];
  Turned t = {lane_motion_zero(), lane_motion_zero(), lane_motion_zero()};
  Motion dS[NV], dcJ = motion_zero();
  double unit[NV] = {0};
  if (!kind->slope) return t;
  unit[k] = 1;
  kind->slope(&m->joint_param[b * SAR_JOINT_MAX_PARAM], &d->q[m->joint_qadr[b]], v, unit, dS, &dcJ);
  for (int l = 0; l < kind->nv; l++) {
    const LaneMotion S = lane_motion_of(dS[l]);
    t.v = lane_motion_axpy(v[l], S, t.v);
    t.a = lane_motion_axpy(a[i0 + l], S, t.a);
  }
  t.cJ = lane_motion_of(dcJ);
  return t;
}

static void directions_of_joint(const SarModel* m, const SarData* d, const double* a, int b,
                                SarTreeDerivatives* w) {
  const SarJointKind* kind = m->joint_kind[b];
  const int i0 = m->joint_vadr[b], nv = kind->nv;
  const double* v = &d->v[i0];
  const LaneMotion V = lane_motion(&d->body_V[b]);
  LaneMotion Sv = lane_motion_zero(), Sa = Sv;
  Motion along[NV];  // S'(v)
  for (int k = 0; k < nv; k++) {
    const LaneMotion S = lane_motion(&d->dof_S[i0 + k]);
    Sv = lane_motion_axpy(v[k], S, Sv);
    Sa = lane_motion_axpy(a[i0 + k], S, Sa);
  }
  const LaneMotion drift = lane_motion_add(lane_crossm(V, Sv), lane_motion(&d->body_cJ[b]));
  const LaneMotion V_P = lane_motion_sub(V, Sv);
  const LaneMotion A_P = lane_motion_sub(lane_motion_sub(lane_motion(&d->body_A[b]), Sa), drift);
  if (kind->slope)
    kind->slope(&m->joint_param[b * SAR_JOINT_MAX_PARAM], &d->q[m->joint_qadr[b]], NULL, v, along,
                NULL);
  for (int k = 0; k < nv; k++) {
    const LaneMotion S = lane_motion(&d->dof_S[i0 + k]);
    const Turned t = turned_axes(m, d, a, b, k);
    const LaneMotion P = lane_motion_add(lane_crossm(V_P, S), t.v);
    LaneMotion PP = lane_motion_add(lane_crossm(A_P, S), lane_motion_add(t.a, t.cJ));
    PP = lane_motion_add(
        PP, lane_motion_add(lane_crossm(P, Sv), lane_crossm(V, lane_motion_add(t.v, P))));
    LaneMotion PPv = lane_motion_add(lane_crossm(S, Sv), t.v);  // with that of cJ = S'(v) v, by v_k
    if (kind->slope) PPv = lane_motion_add(PPv, lane_motion_of(along[k]));
    w->P[i0 + k] = P;
    w->PP[i0 + k] = PP;
    w->PPv[i0 + k] = lane_motion_axpy(2, lane_crossm(V, S), PPv);
  }
}

void sar_tree_directions(const SarModel* m, const SarData* d, const double* a,
                         SarTreeDerivatives* w) {
  for (int b = 0; b < m->nbody; b++) {
    const int i = m->joint_vadr[b];
    switch (m->joint_class[b]) {
      case SAR_CLASS_FIXED: break;
      case SAR_CLASS_REVOLUTE: directions_of_axis(d, b, i, true, w); break;
      case SAR_CLASS_PRISMATIC: directions_of_axis(d, b, i, false, w); break;
      default: directions_of_joint(m, d, a, b, w);
    }
  }
}
