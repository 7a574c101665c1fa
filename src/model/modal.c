// Where nodes of modal bodies are (modal.h).
#include "model/model.h"

static V3 shift_of(const SarModel* m, const SarModalNode* n, const double* eta) {
  const Motion* mode = &m->node_mode[n->mode];
  V3 u = v3_zero();
  for (int i = 0; i < n->num; i++) u = v3_axpy(eta[i], mode[i].v, u);
  if (n->bend < 0) return u;
  for (int i = 0; i < n->num; i++)
    for (int j = 0; j <= i; j++)
      u = v3_axpy((i == j ? 0.5 : 1) * eta[i] * eta[j], m->node_bend[n->bend + sar_pair(i, j)], u);
  return u;
}

Xform sar_node_pose(const SarModel* m, const SarModalNode* n, const double* q) {
  const double* eta = &q[n->q];
  Xform X = m->body_X_PF[n->body];
  V3 theta = v3_zero();
  for (int i = 0; n->turns && i < n->num; i++)
    theta = v3_axpy(eta[i], m->node_mode[n->mode + i].w, theta);
  if (n->turns) X.R = m3_mul(quat_to_m3(quat_exp(theta)), X.R);
  X.p = v3_add(X.p, shift_of(m, n, eta));
  return X;
}

// A modal body may hang on a node of another one: the nearest node need not be the one.
const SarModalNode* sar_carrying_node(const SarModel* m, int body, int modal) {
  for (int k = body < 0 ? 0 : m->body_node[body]; k > 0;) {
    const SarModalNode* n = &m->node[k - 1];
    if (n->modal == modal) return n;
    const int above = m->body_parent[n->body];
    k = above < 0 ? 0 : m->body_node[above];
  }
  return NULL;
}

int sar_modal_of(const SarModel* m, int mode_body) {
  for (int g = 0; g < m->nmodal; g++)
    if (mode_body >= m->modal[g].body && mode_body <= m->modal[g].last) return g;
  return -1;
}
