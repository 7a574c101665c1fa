// Cholesky factor with diagonal pivoting of a semidefinite matrix: only its pivots
// (pivoted_cholesky.h).
//
// Right-looking, the largest diagonal entry that is left comes next; the last row that is left
// takes its place, so what is left is always the leading part. Rows that a pivot does not touch are
// passed over: most of them at first, where the matrix is mostly zeros.
//
// Source: Golub and Van Loan, Matrix Computations, sec. 4.2.8.
#include "linalg/pivoted_cholesky.h"

#include "linalg/lanes.h"

#include <math.h>

#define INLINED static inline __attribute__((always_inline))

// Four lanes, which compilers take as two pairs where there is no AVX.
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

// y -= factor x
INLINED void take_off(int n, double factor, const double* x, double* y) {
  const Four f = {factor, factor, factor, factor};
  int i = 0;
  for (; i + 3 < n; i += 4) *(Four*)(y + i) -= f * *(const Four*)(x + i);
  for (; i < n; i++) y[i] -= factor * x[i];
}

// Takes row p out of the first `left` ones: into x what stands beside its diagonal entry. The last
// of them, r, moves to its place.
INLINED void take_out(int n, int left, int p, double* A, double* diagonal, double* x) {
  const int r = left - 1;
  double *row = &A[p * n], *last = &A[r * n];
  for (int i = 0; i < p; i++) {
    x[i] = row[i];
    row[i] = last[i];
  }
  for (int i = p + 1; i < r; i++) {
    x[i] = A[i * n + p];
    A[i * n + p] = last[i];
  }
  if (p < r) x[p] = last[p];
  diagonal[p] = diagonal[r];
}

INLINED double last_pivot(int n, int rank, double* A, double* work) {
  double *diagonal = work, *x = work + n, pivot = 0;
  for (int i = 0; i < n; i++) diagonal[i] = A[i * n + i];
  for (int k = 0; k < rank; k++) {
    const int left = n - k;
    int p = 0;
    for (int i = 1; i < left; i++)
      if (diagonal[i] > diagonal[p]) p = i;
    pivot = diagonal[p];
    if (!(pivot > 0)) return 0;
    take_out(n, left, p, A, diagonal, x);
    const double inverse = 1 / sqrt(pivot);
    for (int j = 0; j < left - 1; j++) {
      if (x[j] == 0) continue;
      x[j] *= inverse;
      diagonal[j] -= x[j] * x[j];
      take_off(j, x[j], x, &A[j * n]);
    }
  }
  return sqrt(pivot);
}

SAR_WIDE static double last_pivot_wide(int n, int rank, double* A, double* work) {
  return last_pivot(n, rank, A, work);
}

double sar_cholesky_pivot(int n, int rank, double* A, double* work) {
  return sar_has_wide() ? last_pivot_wide(n, rank, A, work) : last_pivot(n, rank, A, work);
}
