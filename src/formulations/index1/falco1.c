// Pseudo-inverse of the whole system by the compliance of the constraints: the Schur complement Q
// of M (Delassus operator).
//
//   Q = Psi M^-1 Psi',   lambda = Q+ (Psi M^-1 F - gamma),   a = M^-1 (F - Psi' lambda)
//                                                                                (eqs. 37-41)
//
// Q is semidefinite, and its Cholesky factor with pivoting has the R of a QR of D' = L^-1 Psi',
// M = L L' (Q = D D' = R'R): the method is Udwadia and Kalaba's by normal equations. It saves half
// of the QR and costs half of the digits: errors grow with cond(D)^2. One step of refinement brings
// the constraints back to rounding.
// Source: de Falco, Pennestri and Vita 2005.
#include "formulations/index1/family.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

// Q = D D', scaled to a diagonal between 1 and 4, into p->square (upper triangle)
static SarStatus compliance(SarIndex1* p) {
  int m = p->m;
  double *Q = p->square, *scale = p->rows.scale;
  sar_gram_t(m, p->n, p->other, p->n, Q, m);
  for (int i = 0; i < m; i++) {
    if (!isfinite(Q[i * m + i])) return SAR_NOT_FINITE;
    scale[i] = sar_scale_of_square(Q[i * m + i]);
  }
  for (int j = 0; j < m; j++)
    for (int i = 0; i <= j; i++) Q[j * m + i] *= scale[i] * scale[j];
  return SAR_OK;
}

// lambda -= Q+ b
static void correct(SarIndex1* p, const double* b) {
  SarRows* s = &p->rows;
  int m = p->m, r = s->rank;
  double* u = p->y;
  sar_rows_gather(s, b, u);
  for (int i = 0; i < r; i++) u[i] *= s->scale[s->row[i]];
  sar_upper_solve_t(r, 1, p->square, m, u, r);
  sar_upper_solve(r, 1, p->square, m, u, r);
  for (int i = 0; i < r; i++) u[i] *= s->scale[s->row[i]];
  sar_rows_spread(s, u, u);
  for (int i = 0; i < m; i++) p->lambda[i] -= u[i];
}

static SarStatus solve(SarIndex1* p) {
  int n = p->n, m = p->m;
  double *L = p->vectors, *D_t = p->other, *x0 = p->residual, *b = p->x;
  SAR_TRY(sar_index1_factor_mass(p));
  memcpy(D_t, p->Psi, sizeof(double) * (size_t)n * (size_t)m);
  sar_lower_solve(n, m, L, n, D_t, n);
  memcpy(x0, p->F, sizeof(double) * (size_t)n);
  sar_lower_solve(n, 1, L, n, x0, n);

  SAR_TRY(compliance(p));
  p->rank = p->rows.rank =
      sar_cholesky_pivoted(m, p->square, p->rows.row, p->tol * p->tol, &p->dense);
  if (p->rank > p->rows.rank_max) p->rank = p->rows.rank = p->rows.rank_max;
  sar_rows_redundant(&p->rows, p->square, m);

  memset(p->lambda, 0, sizeof(double) * (size_t)m);
  memcpy(p->a, x0, sizeof(double) * (size_t)n);  // L' a = x0 - D' lambda
  for (int pass = 0; pass < 2; pass++) {
    memcpy(b, p->gamma, sizeof(double) * (size_t)m);  // gamma - Psi a
    sar_matvec_t(n, m, -1, D_t, n, p->a, 1, b);
    correct(p, b);
    memcpy(p->a, x0, sizeof(double) * (size_t)n);
    sar_matvec(n, m, -1, D_t, n, p->lambda, 1, p->a);
  }
  sar_lower_solve_t(n, 1, L, n, p->a, n);
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_falco1 = {
    .name = "falco1",
    .doc = "pseudo-inverse of the constraints' compliance Psi M^-1 Psi'",
    .ref = "de Falco, Pennestri and Vita 2005, formulation 1",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(solve),
};
