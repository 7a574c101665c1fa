// Gauss' principle: the constraint forces are the least that do, in the metric of the mass matrix.
//
//   a = af + M^-1/2 D+ (gamma - Psi af),   af = M^-1 F,   D = Psi M^-1/2         (eqs. 30-33)
//
// Any B with B B' = M^-1 does what the symmetric root does: it is M^-1/2 times an orthogonal
// matrix, which cancels in B (Psi B)+. Here B = L^-T of M = L L', at a fortieth of the cost of the
// eigenvectors of M that the root would need. D+ comes from a QR with pivoting of D'; a row of D
// has the length of its constraint in the metric of the kinetic energy, so the rank decision does
// not depend on units of coordinates either.
//
//   x0 = L^-1 F,   x = x0 + D+ (gamma - D x0),   a = L^-T x,   D' lambda = x0 - x
//
// Source: Udwadia and Kalaba 1996.
#include "formulations/index1/family.h"

#include "base/error.h"

#include <string.h>

static SarStatus solve(SarIndex1* p) {
  int n = p->n, m = p->m;
  double *L = p->vectors, *D_t = p->other, *x0 = p->residual, *b = p->x, *y = p->y;
  SAR_TRY(sar_index1_factor_mass(p));
  memcpy(D_t, p->Psi, sizeof(double) * (size_t)n * (size_t)m);
  sar_lower_solve(n, m, L, n, D_t, n);
  memcpy(x0, p->F, sizeof(double) * (size_t)n);
  sar_lower_solve(n, 1, L, n, x0, n);

  SAR_TRY(sar_rows_factor(&p->rows, D_t, p->tol, &p->dense));
  sar_rows_redundant(&p->rows, p->rows.QR, n);
  p->rank = p->rows.rank;

  // D+ (gamma - D x0) = Q1 y
  memcpy(b, p->gamma, sizeof(double) * (size_t)m);
  sar_matvec_t(n, m, -1, D_t, n, x0, 1, b);
  sar_rows_solve(&p->rows, b, y);
  memset(p->a, 0, sizeof(double) * (size_t)n);
  for (int i = 0; i < p->rank; i++) p->a[i] = y[i];
  sar_q_mul(n, 1, p->rank, p->rows.QR, p->rows.tau, p->a);
  for (int i = 0; i < n; i++) p->a[i] += x0[i];
  sar_lower_solve_t(n, 1, L, n, p->a, n);

  sar_rows_solve_t(&p->rows, y, p->lambda);
  for (int i = 0; i < m; i++) p->lambda[i] = -p->lambda[i];
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_udwadia_kalaba = {
    .name = "udwadia-kalaba",
    .doc = "Gauss' principle, pseudo-inverse of Psi M^-1/2",
    .ref = "Udwadia and Kalaba 1996",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(solve),
};
