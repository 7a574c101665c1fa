// Plain Lagrange multipliers: the symmetric indefinite system (saddle point, KKT matrix) as it
// stands.
//
//   [M Psi'; Psi 0] [a; lambda] = [F; gamma]                                     (eq. 36)
//
// The baseline the others are measured against. Redundant rows make the matrix singular, which is
// refused. To tell singular from badly scaled, rows and columns are scaled by powers of two: the
// diagonal of M to about one, the rows of Psi to about length one; then a block of D of the size of
// tol^2 means dependent rows, as distances enter squared (Psi M^-1 Psi'). Rook pivoting keeps the
// entries of L below 3, so that rounding cannot grow into such a block.
// Source: Ashcraft, Grimes and Lewis 1998, for the factors.
#include "formulations/index1/family.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

// lower triangle of S K S by columns, S in scale; not finite as soon as one entry is not
static double assemble(const SarIndex1* p, double* K, double* scale) {
  int n = p->n, m = p->m, size = n + m;
  double all = 0;
  for (int i = 0; i < n; i++) scale[i] = sar_scale_of_square(p->M[i * n + i]);
  for (int k = 0; k < m; k++) {
    double square = 0;
    for (int j = 0; j < n; j++) {
      double entry = p->Psi[k * n + j] * scale[j];
      square += entry * entry;
    }
    scale[n + k] = sar_scale_of_square(square);
    all += square;
  }
  for (int j = 0; j < n; j++) {
    double column = 0;
    for (int i = j; i < n; i++) {
      double entry = scale[i] * scale[j] * p->M[j * n + i];
      K[j * size + i] = entry, column += entry;
    }
    for (int k = 0; k < m; k++) K[j * size + n + k] = scale[n + k] * scale[j] * p->Psi[k * n + j];
    all += column;
  }
  for (int j = n; j < size; j++) memset(&K[j * size + j], 0, sizeof(double) * (size_t)(size - j));
  return all;
}

static SarStatus solve(SarIndex1* p) {
  int n = p->n, m = p->m;
  double *scale = p->y, *x = p->x;
  if (!isfinite(assemble(p, p->square, scale))) return SAR_NOT_FINITE;
  for (int i = 0; i < n; i++) x[i] = scale[i] * p->F[i];
  for (int k = 0; k < m; k++) x[n + k] = scale[n + k] * p->gamma[k];
  sar_ldl_factor(n + m, p->square, p->pivot, &p->dense);
  if (!(sar_ldl_smallest(n + m, p->square, p->pivot) > p->tol * p->tol)) return SAR_SINGULAR;
  sar_ldl_solve(n + m, p->square, p->pivot, x);
  for (int i = 0; i < n; i++) p->a[i] = scale[i] * x[i];
  for (int k = 0; k < m; k++) p->lambda[k] = scale[n + k] * x[n + k];
  p->rank = m;
  return sar_index1_check(p);
}

const SarFormulation sar_formulation_lagrange_dense = {
    .name = "lagrange-dense",
    .doc = "multipliers, dense symmetric indefinite factors; the baseline",
    .ref = "Ashcraft, Grimes and Lewis 1998",
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    SAR_INDEX1_FORMULATION(solve),
};
