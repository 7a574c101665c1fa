// Applied forces on the items. A force f at the point r of a part and a moment n, both in axes of
// N, have the power
//
//   f . (p' + sum r_k e_k') + n . w,      w = 1/2 sum e_k x e_k'
//
// so they put f on p and r_k f + 1/2 n x e_k on e_k, and from there on the items by the forms' own
// coefficients: a torque becomes forces on the basis, and only the linear maps of the set-up are
// needed.
#include "formulations/natural/natural.h"

int sar_natural_wrench(const SarNatural* p, int body, Force F, int* item, V3* f) {
  if (body < 0) return 0;
  const SarNatPart* s = &p->part[p->body_part[body]];
  const V3 r = p->body_X_CB[body].p;
  const double reach[3] = {r.x, r.y, r.z};
  int n = 0;
  for (int k = 0; k < 4; k++) {
    V3 W = F.f;
    if (k > 0) W = v3_add_cross(v3_scale(reach[k - 1], F.f), v3_scale(0.5, F.n), s->e[k - 1]);
    if (p->dim == 2) W.z = 0;
    const SarNatForm* y = &s->y[k];
    for (int i = 0; i < y->num; i++) {
      int at = 0;
      while (at < n && item[at] != y->item[i]) at++;
      if (at == n) item[n] = y->item[i], f[n++] = v3_zero();
      f[at] = v3_axpy(y->re[i], W, v3_axpy(-y->im[i], sar_nat_turned(W), f[at]));
    }
  }
  return n;
}

static void add_wrench(const SarNatural* p, int body, Force F, V3* Q) {
  int item[SAR_NAT_ITEMS];
  V3 f[SAR_NAT_ITEMS];
  const int n = sar_natural_wrench(p, body, F, item, f);
  for (int k = 0; k < n; k++) Q[item[k]] = v3_add(Q[item[k]], f[k]);
}

// tau of a tree joint: opposite wrenches on both bodies, dual to the velocities that
// sar_natural_write finds (dynamics/cut_joints.c has the same for cuts). All at the origin of B,
// axes of N.
static Force joint_wrench(const SarNatural* p, const SarData* d, int joint, const double* tau) {
  const SarModel* m = p->m;
  const SarJointKind* kind = m->joint_kind[joint];
  SarJointCalc calc;
  Force W = force_zero();
  kind->calc(&m->joint_param[joint * SAR_JOINT_MAX_PARAM], &d->q[m->joint_qadr[joint]], NULL,
             &calc);
  for (int i = 0; i < kind->nv; i++) {
    const V3 axis = sar_dual_axis(kind, i, &calc.S[i]);
    if (kind->coordinate[i] == SAR_ANGLE)
      W.n = v3_axpy(tau[i], axis, W.n);
    else
      W.f = v3_axpy(tau[i], axis, W.f);
  }
  const M3 R = sar_natural_pose(p, joint).R;
  return (Force){m3_mul_v(R, W.n), m3_mul_v(R, W.f)};
}

// the opposite of a wrench at the origin of b, at the origin of its parent
static Force on_parent(const SarNatural* p, int b, Force W) {
  const V3 r = v3_sub(sar_natural_pose(p, b).p, sar_natural_pose(p, p->m->body_parent[b]).p);
  return force_neg((Force){v3_add_cross(W.n, r, W.f), W.f});
}

int sar_natural_joint_row(const SarNatural* p, const SarData* d, int joint, const double* tau,
                          int* item, V3* f) {
  if (p->m->joint_class[joint] == SAR_CLASS_MODE) {
    item[0] = p->mode_item[p->m->joint_vadr[joint]];
    f[0] = v3(tau[0], 0, 0);
    return 1;
  }
  const Force W = joint_wrench(p, d, joint, tau);
  int n = sar_natural_wrench(p, joint, W, item, f);
  int other[SAR_NAT_ITEMS / 2];
  V3 g[SAR_NAT_ITEMS / 2];
  const int parent = p->m->body_parent[joint];
  const int more = parent < 0 ? 0 : sar_natural_wrench(p, parent, on_parent(p, joint, W), other, g);
  for (int k = 0; k < more; k++) {
    int at = 0;
    while (at < n && item[at] != other[k]) at++;
    if (at == n) item[n] = other[k], f[n++] = v3_zero();
    f[at] = v3_add(f[at], g[k]);
  }
  return n;
}

void sar_natural_add_forces(const SarNatural* p, const SarData* d, V3* Q) {
  const SarModel* m = p->m;
  for (int k = 0; k < p->nitem; k++) Q[k] = v3_add(Q[k], p->weight[k]);
  for (int b = 0; b < m->nbody; b++) {
    const M3 R = sar_natural_pose(p, b).R;
    const Force F = d->body_F[b];
    add_wrench(p, b, (Force){m3_mul_v(R, F.n), m3_mul_v(R, F.f)}, Q);
    bool acts = false;
    for (int i = 0; i < m->joint_nv[b]; i++) acts = acts || d->tau[m->joint_vadr[b] + i] != 0;
    if (!acts) continue;
    int item[SAR_NAT_ITEMS];
    V3 f[SAR_NAT_ITEMS];
    const int n = sar_natural_joint_row(p, d, b, &d->tau[m->joint_vadr[b]], item, f);
    for (int k = 0; k < n; k++) Q[item[k]] = v3_add(Q[item[k]], f[k]);
  }
}
