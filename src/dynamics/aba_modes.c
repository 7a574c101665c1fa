// Modes of modal bodies in the articulated-body algorithm: the modes of one body are eliminated
// together, as one joint whose U, D and u are sums over its nodes k instead of products with one S.
//
//   U_i = sum X_k* IA_k S_ki                      in the frame E of the modal body
//   D_ij = sum S_ki . IA_k S_kj + armature,       u_i = tau_i - sum S_ki . (pA_k + IA_k c_k)
//   IA_E - U D^-1 U',   pA_E + U D^-1 u           handed to the body
//   eta'' = D^-1 (u - U'A_E)
#include "dynamics/aba_modes.h"

#include <math.h>

void sar_aba_begin_modes(const SarModel* m, SarData* d) {
  for (int g = 0; g < m->nmodal; g++) {
    const SarModal* b = &m->modal[g];
    double* D = &d->modal_L[b->matrix];
    for (int i = 0; i < b->num; i++) {
      d->dof_U[b->dof + i] = (LaneForce){l4_zero(), l4_zero()};
      d->dof_u[b->dof + i] = d->tau[b->dof + i];
      for (int j = 0; j < b->num; j++) D[i * b->num + j] = i == j ? m->dof_armature[b->dof + i] : 0;
    }
  }
}

void sar_aba_add_node(const SarModel* m, SarData* d, int b, Articulated IA, LaneForce pa) {
  const SarModalNode* n = sar_own_node(m, b);
  const Motion* S = &d->node_S[n->mode];
  const L4x3 columns = l4x3_load(&d->body_columns[b]);
  const L4 p_PB = l4_load(&d->body_X_PB[b].p.x);
  double* D = &d->modal_L[m->modal[n->modal].matrix];
  for (int i = 0; i < n->num; i++) {
    const LaneMotion Si = lane_motion(&S[i]);
    const LaneForce U = articulated_mul(IA, Si);
    LaneForce* sum = &d->dof_U[n->dof + i];
    for (int j = 0; j <= i; j++) D[i * n->num + j] += lane_power(lane_motion(&S[j]), U);
    d->dof_u[n->dof + i] -= lane_power(Si, pa);
    lane_force_put(sum, lane_force_add(lane_force_load(sum), lane_x_force(columns, p_PB, U)));
  }
}

// Row by row (Cholesky), the diagonal holds 1 / L_ii.
bool sar_aba_factor_modes(const SarModel* m, SarData* d, const SarModal* g, double floor) {
  (void)m;
  const int n = g->num;
  double *L = &d->modal_L[g->matrix], *y = &d->dof_u[g->dof];
  LaneForce* W = &d->dof_U[g->dof];
  for (int i = 0; i < n; i++) {
    double *row = L + i * n, pivot = row[i];
    const double least = floor * pivot;
    LaneForce w = lane_force_load(&W[i]);
    for (int j = 0; j < i; j++) {
      double sum = row[j];
      for (int k = 0; k < j; k++) sum -= row[k] * L[j * n + k];
      row[j] = sum * L[j * n + j];
      pivot -= row[j] * row[j];
      y[i] -= row[j] * y[j];
      w = lane_force_axpy(-row[j], lane_force_load(&W[j]), w);
    }
    if (!(pivot > least)) return false;
    row[i] = 1 / sqrt(pivot);
    y[i] *= row[i];
    lane_force_put(&W[i], lane_force_scale(row[i], w));
  }
  return true;
}

void sar_aba_solve_modes(const SarModel* m, SarData* d, int b, LaneMotion A) {
  const SarModal* g = &m->modal[sar_modal_of(m, b)];
  const double* L = &d->modal_L[g->matrix];
  double* a = &d->a[g->dof];
  if (b != g->body) return;
  for (int i = 0; i < g->num; i++)
    a[i] = d->dof_u[g->dof + i] - lane_power(A, lane_force_load(&d->dof_U[g->dof + i]));
  for (int i = g->num - 1; i >= 0; i--) {
    a[i] *= L[i * g->num + i];
    for (int k = 0; k < i; k++) a[k] -= L[i * g->num + k] * a[i];
  }
}
