// Loop-closing (cut, chord) joints, as joints (cut_joints.h).
//
//   F, B   joint frames on the parent P and on the child C, X_FB = (X_GP X_PF)^-1 X_GC X_CB
//   V      velocity of B relative to F, in B:  V = X_BC V_C - X_BP V_P
//   v_i    = d_i . V.w for an angle, d_i . V.v for a length,  d_i = S_i/|S_i|^2 (sar_dual_axis)
//   a_i    the same of  A - V_B x V - cJ,  A = X_BC A_C - X_BP A_P  (Featherstone 2008, eq. 2.45)
//   F      dual to v: tau_i d_i is a moment or a force on C; the opposite on P
//
// While the loop is closed, V = sum S_i v_i and these are the joint's velocities: for every kind
// the rotational parts of the angles' axes are orthogonal, and so are the linear ones of the
// lengths'. A loop that is not quite closed still gives equal powers on both sides, since v and F
// are dual.
#include "dynamics/cut_joints.h"

#include "math/articulated.h"

static const Motion STILL;

static const Xform GROUND = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

static const Xform* pose_of(const SarData* d, int body) {
  return body < 0 ? &GROUND : &d->body_X_GB[body];
}

static const double* param_of(const SarModel* m, int cut) {
  return &m->joint_param[sar_cut_joint(m, cut) * SAR_JOINT_MAX_PARAM];
}

// X_AC = X_AB X_BC, and X_BC = X_AB^-1 X_AC: a row of R_AC is a row of R_AB (or a column) times the
// rows of the other.
LANES_INLINE void multiply(const Xform* X_AB, const Xform* X_BC, Xform* X_AC) {
  const M3* R = &X_AB->R;
  const L4x3 rows = l4x3_load_rows(&X_BC->R);
  const L4 x = l4x3_mul(rows, l4(R->xx, R->xy, R->xz)), y = l4x3_mul(rows, l4(R->yx, R->yy, R->yz));
  const L4 z = l4x3_mul(rows, l4(R->zx, R->zy, R->zz));
  l4_store(&X_AC->R.xx, x);
  l4_store(&X_AC->R.yx, y);
  l4_store(&X_AC->R.zx, z);
  X_AC->p = x_point(*X_AB, X_BC->p);
}

LANES_INLINE void divide(const Xform* X_AB, const Xform* X_AC, Xform* X_BC) {
  const M3* R = &X_AB->R;
  const L4x3 turned = l4x3_load_rows(R), rows = l4x3_load_rows(&X_AC->R);
  const L4 back = l4_scale(-1, l4x3_mul(turned, l4_load3(&X_AB->p.x)));
  const L4 x = l4x3_mul(rows, l4(R->xx, R->yx, R->zx)), y = l4x3_mul(rows, l4(R->xy, R->yy, R->zy));
  const L4 z = l4x3_mul(rows, l4(R->xz, R->yz, R->zz));
  const L4 p = l4x3_mul_add(turned, l4_load3(&X_AC->p.x), back);
  l4_store(&X_BC->R.xx, x);
  l4_store(&X_BC->R.yx, y);
  l4_store(&X_BC->R.zx, z);
  l4_store3(&X_BC->p.x, p);
}

static void update_position(const SarModel* m, SarData* d, int k) {
  const SarCut* cut = &m->cut[k];
  const int j = sar_cut_joint(m, k), nv = m->joint_nv[j];
  double *q = &d->q[m->joint_qadr[j]], near[SAR_JOINT_MAX_NQ];
  Xform X_GB, X_FB;
  multiply(pose_of(d, cut->body[1]), &d->cut_X_B[k], &X_GB);
  divide(pose_of(d, cut->body[0]), &X_GB, &d->cut_X_PB[k]);
  if (nv == 0) return;

  for (int i = 0; i < m->joint_nq[j]; i++) near[i] = q[i];
  divide(&cut->X_BF[0], &d->cut_X_PB[k], &X_FB);
  cut->kind->coordinates(param_of(m, k), X_FB, near, q);
  Motion* S = &d->dof_S[m->joint_vadr[j]];
  switch (m->joint_class[j]) {  // one axis: z of B
    case SAR_CLASS_REVOLUTE: *S = (Motion){v3(0, 0, 1), v3_zero()}; break;
    case SAR_CLASS_PRISMATIC: *S = (Motion){v3_zero(), v3(0, 0, 1)}; break;
    default: {
      SarJointCalc calc;
      cut->kind->calc(param_of(m, k), q, NULL, &calc);
      for (int i = 0; i < nv; i++) S[i] = calc.S[i];
    }
  }
}

// of two motions of the bodies: the child's as seen from the parent, in B
static Motion relative(const SarData* d, int k, Motion of_parent, Motion of_child) {
  const Motion P = x_motion_inv(d->cut_X_PB[k], of_parent);
  const Motion C = x_motion_inv(d->cut_X_B[k], of_child);
  return (Motion){v3_sub(C.w, P.w), v3_sub(C.v, P.v)};
}

// components of a relative motion along the joint's coordinates
static void project(const SarModel* m, const SarData* d, int k, Motion V, double* out) {
  const int j = sar_cut_joint(m, k);
  const Motion* S = &d->dof_S[m->joint_vadr[j]];
  for (int i = 0; i < m->joint_nv[j]; i++)
    out[i] = v3_dot(sar_dual_axis(m->cut[k].kind, i, &S[i]),
                    m->cut[k].kind->coordinate[i] == SAR_ANGLE ? V.w : V.v);
}

void sar_cut_rates(const SarModel* m, const SarData* d, int cut, Motion V_P, Motion V_C,
                   double* rates) {
  if (m->joint_class[sar_cut_joint(m, cut)] == SAR_CLASS_REVOLUTE) {  // z . V.w
    const V3 w_P = m3_tmul_v(d->cut_X_PB[cut].R, V_P.w), w_C = m3_tmul_v(d->cut_X_B[cut].R, V_C.w);
    *rates = v3_dot(v3(0, 0, 1), v3_sub(w_C, w_P));
    return;
  }
  project(m, d, cut, relative(d, cut, V_P, V_C), rates);
}

static void update_velocity(const SarModel* m, SarData* d, int k) {
  const int *body = m->cut[k].body, adr = m->joint_vadr[sar_cut_joint(m, k)];
  const Motion V_P = body[0] < 0 ? STILL : d->body_V[body[0]];
  const Motion V_C = body[1] < 0 ? STILL : d->body_V[body[1]];
  sar_cut_rates(m, d, k, V_P, V_C, &d->v[adr]);
}

void sar_update_cut_positions(const SarModel* m, SarData* d) {
  for (int k = 0; k < m->ncut; k++) update_position(m, d, k);
}

void sar_update_cut_joints(const SarModel* m, SarData* d) {
  for (int k = 0; k < m->ncut; k++) {
    update_position(m, d, k);
    update_velocity(m, d, k);
  }
}

// Of cuts that nothing else acts on, the host may.
static bool acts(const SarModel* m, const SarData* d, int k) {
  const int j = sar_cut_joint(m, k);
  if (m->cut[k].acts) return true;
  for (int i = m->joint_vadr[j]; i < m->joint_vadr[j] + m->joint_nv[j]; i++)
    if (d->tau_host[i] != 0) return true;
  return false;
}

void sar_update_acting_cuts(const SarModel* m, SarData* d) {
  for (int k = 0; k < m->ncut; k++) {
    if (!acts(m, d, k)) continue;
    update_position(m, d, k);
    update_velocity(m, d, k);
  }
}

static void update_acceleration(const SarModel* m, SarData* d, int k) {
  const SarCut* cut = &m->cut[k];
  const int j = sar_cut_joint(m, k), adr = m->joint_vadr[j], *body = cut->body;
  if (m->joint_nv[j] == 0) return;
  const double* v = &d->v[adr];
  SarJointCalc calc;
  cut->kind->calc(param_of(m, k), &d->q[m->joint_qadr[j]], v, &calc);

  // gravity is in all body_A alike and falls out of the difference
  const Motion A_G = {v3_zero(), v3_neg(m->gravity)};
  const Motion A_P = body[0] < 0 ? A_G : d->body_A[body[0]];
  const Motion A_C = body[1] < 0 ? A_G : d->body_A[body[1]];
  const Motion V_B = x_motion_inv(d->cut_X_B[k], body[1] < 0 ? STILL : d->body_V[body[1]]);
  Motion V = motion_zero();
  for (int i = 0; i < m->joint_nv[j]; i++) V = motion_add(V, motion_scale(v[i], calc.S[i]));
  const Motion bias = motion_add(crossm(V_B, V), calc.cJ);
  const Motion A = motion_add(relative(d, k, A_P, A_C), motion_scale(-1, bias));
  project(m, d, k, A, &d->a[adr]);
}

void sar_update_cut_accelerations(const SarModel* m, SarData* d) {
  for (int k = 0; k < m->ncut; k++) update_acceleration(m, d, k);
}

void sar_cut_wrench(const SarModel* m, const SarData* d, int k, const double* tau, Force F[2]) {
  const int j = sar_cut_joint(m, k);
  const Motion* S = &d->dof_S[m->joint_vadr[j]];
  Force W = force_zero();  // on the child, in B
  for (int i = 0; i < m->joint_nv[j]; i++) {
    const V3 axis = sar_dual_axis(m->cut[k].kind, i, &S[i]);
    if (m->cut[k].kind->coordinate[i] == SAR_ANGLE)
      W.n = v3_axpy(tau[i], axis, W.n);
    else
      W.f = v3_axpy(tau[i], axis, W.f);
  }
  F[0] = force_neg(x_force(d->cut_X_PB[k], W));
  F[1] = x_force(d->cut_X_B[k], W);
}

void sar_add_cut_forces(const SarModel* m, SarData* d) {
  for (int k = 0; k < m->ncut; k++) {
    Force F[2];
    const int j = sar_cut_joint(m, k);
    if (!acts(m, d, k)) continue;
    if (!sar_joint_is_on(m, d, j)) {
      for (int i = 0; i < m->joint_nv[j]; i++) d->tau[m->joint_vadr[j] + i] = 0;
      continue;
    }
    sar_cut_wrench(m, d, k, &d->tau[m->joint_vadr[j]], F);
    for (int end = 0; end < 2; end++) {
      const int b = m->cut[k].body[end];
      if (b >= 0) d->body_F[b] = force_add(d->body_F[b], F[end]);
    }
  }
}

bool sar_cuts_act(const SarModel* m, const SarData* d) {
  if (m->needs_cuts) return true;
  for (int i = m->nv; i < m->nv_all; i++)
    if (d->tau_host[i] != 0) return true;
  return false;
}
