// Coordinate partitioning: the constraints solved for as many coordinates as there are independent
// rows.
//
//   Psi_u u'' + Psi_v v'' = gamma       u dependent, v independent coordinates
//   V = [-Psi_u^-1 Psi_v; I],  c = [Psi_u^-1 gamma; 0]                           (eqs. 3-9, 12-13)
//
// With this V, V' M V and V'(F - M c) are the M^ and Q^ of eqs. 8 and 9. Complete pivoting chooses
// the rows and, for each, the coordinate it is solved for.
// Weak point: V is not orthonormal, so V' M V can be far worse conditioned than M.
// Source: Wehage and Haug 1982.
#include "formulations/index1/family.h"

#include "base/error.h"
#include "linalg/lu_complete.h"

#include <string.h>

// In memory LU stands row by row; LAPACK sees its transpose: U' below, L' (unit diagonal) above.

// how redundant rows follow from the others: L21 = W' L11
static void redundant(SarIndex1* p) {
  SarRows* s = &p->rows;
  int n = p->n, r = p->rank, k = p->m - r;
  for (int j = 0; j < k; j++) memcpy(&s->W[j * r], &s->QR[(r + j) * n], sizeof(double) * (size_t)r);
  sar_upper_unit_solve(r, k, s->QR, n, s->W, r);
  sar_rows_finish(s);
}

// basis = [V c]: U11 [X d] = [U12  L11^-1 S1 gamma1],  V = [-X; I],  c = [d; 0]
static void partition(SarIndex1* p) {
  SarRows* s = &p->rows;
  int n = p->n, r = p->rank, f = n - r;
  const int* column = p->pivot;
  double *X = p->massed, *d = X + f * r;
  for (int i = 0; i < r; i++)
    for (int j = 0; j < f; j++) X[j * r + i] = s->QR[i * n + r + j];
  sar_rows_gather(s, p->gamma, d);
  for (int i = 0; i < r; i++) d[i] *= s->scale[s->row[i]];
  sar_upper_unit_solve_t(r, 1, s->QR, n, d, r);
  sar_lower_solve_t(r, f + 1, s->QR, n, X, r);
  memset(p->basis, 0, sizeof(double) * (size_t)n * (size_t)(f + 1));
  for (int j = 0; j < f; j++) {
    for (int i = 0; i < r; i++) p->basis[j * n + column[i]] = -X[j * r + i];
    p->basis[j * n + column[r + j]] = 1;
  }
  for (int i = 0; i < r; i++) p->basis[f * n + column[i]] = d[i];
}

// Psi_u' lambda = residual_u
static void multipliers(SarIndex1* p) {
  SarRows* s = &p->rows;
  int n = p->n, r = p->rank;
  double* u = p->x;
  for (int i = 0; i < r; i++) u[i] = p->residual[p->pivot[i]];
  sar_lower_solve(r, 1, s->QR, n, u, r);
  sar_upper_unit_solve(r, 1, s->QR, n, u, r);
  for (int i = 0; i < r; i++) u[i] *= s->scale[s->row[i]];
  sar_rows_spread(s, u, p->lambda);
}

static SarStatus solve(SarIndex1* p) {
  SarRows* s = &p->rows;
  SAR_TRY(sar_rows_scale(s, p->Psi));
  p->rank = s->rank = sar_lu_complete(p->m, p->n, s->QR, p->tol, s->row, p->pivot, p->x);
  if (p->rank > s->rank_max) p->rank = s->rank = s->rank_max;
  redundant(p);
  partition(p);
  SAR_TRY(sar_index1_reduced(p));
  multipliers(p);
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_partition = {
    .name = "partition",
    .doc = "coordinate partitioning by complete pivoting",
    .ref = "Wehage and Haug 1982",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(solve),
};
