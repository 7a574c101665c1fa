// LU by rows (Doolittle, Golub and Van Loan, section 3.4): 2/3 n^3 operations, 2 n^2 for a solve.
//
// Row-wise updates run along memory, which beats LAPACK up to about fifty unknowns: the sizes a
// step has. Pivots are the largest of their column, ties to the first, so the order is the same on
// every machine.
#include "linalg/lu.h"

#include <math.h>

static int largest_in_column(int n, const double* A, int k) {
  int best = k;
  for (int i = k + 1; i < n; i++)
    if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
  return best;
}

static void swap_rows(int n, double* A, int i, int j) {
  for (int k = 0; k < n; k++) {
    double x = A[i * n + k];
    A[i * n + k] = A[j * n + k];
    A[j * n + k] = x;
  }
}

bool sar_lu_factor(int n, double* A, int* pivot) {
  for (int k = 0; k < n; k++) {
    pivot[k] = largest_in_column(n, A, k);
    if (pivot[k] != k) swap_rows(n, A, k, pivot[k]);
    const double* row = &A[k * n];
    if (!(fabs(row[k]) > 0) || !isfinite(row[k])) return false;
    double inverse = 1 / row[k];
    for (int i = k + 1; i < n; i++) {
      double* other = &A[i * n];
      double factor = other[k] * inverse;
      other[k] = factor;
      if (factor == 0) continue;
      for (int j = k + 1; j < n; j++) other[j] -= factor * row[j];
    }
  }
  return true;
}

void sar_lu_solve(int n, const double* LU, const int* pivot, double* x) {
  for (int k = 0; k < n; k++) {
    double b = x[pivot[k]];
    x[pivot[k]] = x[k];
    x[k] = b;
  }
  for (int i = 1; i < n; i++)  // L y = P b
    for (int j = 0; j < i; j++) x[i] -= LU[i * n + j] * x[j];
  for (int i = n - 1; i >= 0; i--) {  // U x = y
    for (int j = i + 1; j < n; j++) x[i] -= LU[i * n + j] * x[j];
    x[i] /= LU[i * n + i];
  }
}
