// The design position (all joints at zero, free bodies where they are placed), what force elements
// take from it, and poses at other positions.
#include "model/model.h"

// X_GB = product of X_PF X_FB on the way to ground. At zero B lies on F for every kind of joint;
// only general ones may be designed elsewhere.
Xform sar_design_pose(const SarModel* m, int body) {
  Xform X = x_identity();
  if (sar_is_knot(m, body)) {
    const SarKnot* k = &m->knot[body - m->nbody];
    V3 x = k->base;
    for (int i = 0; i < k->num; i++) x = v3_add(x, v3_scale(m->knot0[k->adr + i], k->way[i]));
    return (Xform){k->R, x};
  }
  for (int b = body; b >= 0; b = m->body_parent[b]) {
    if (m->joint_class[b] == SAR_CLASS_GENERAL) {
      SarJointCalc calc;
      const double* param = &m->joint_param[b * SAR_JOINT_MAX_PARAM];
      m->joint_kind[b]->calc(param, &m->q_zero[m->joint_qadr[b]], NULL, &calc);
      X = x_mul(calc.X_FB, X);
    }
    X = x_mul(m->body_X_PF[b], X);
  }
  return X;
}

void sar_poses_at(const SarModel* m, const double* q, Xform* X_GB) {
  for (int b = 0; b < m->nbody; b++) {
    SarJointCalc calc;
    const int p = m->body_parent[b];
    const double* param = &m->joint_param[b * SAR_JOINT_MAX_PARAM];
    m->joint_kind[b]->calc(param, &q[m->joint_qadr[b]], NULL, &calc);
    const bool node = m->joint_class[b] == SAR_CLASS_NODE;
    Xform X_PB = node ? sar_node_pose(m, sar_own_node(m, b), q) : x_mul(m->body_X_PF[b], calc.X_FB);
    X_GB[b] = p < 0 ? X_PB : x_mul(X_GB[p], X_PB);
  }
}

void sar_forces_prepare(SarModel* m) {
  for (int i = 0; i < m->nforce; i++)
    if (m->force_kind[i]->prepare)
      m->force_kind[i]->prepare(m, i, &m->attr_data[m->force_constant_adr[i]]);
}
