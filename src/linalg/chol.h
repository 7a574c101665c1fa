// Cholesky factors of small symmetric matrices (up to 6 x 6), rows of a fixed length.
#pragma once
#include <math.h>
#include <stdbool.h>

enum { CHOL_ROW = 6 };

// D = L L' in place, lower triangle; the diagonal holds 1 / L_ii. False unless every pivot exceeds
// `floor` times its diagonal entry (NaN fails).
static inline bool chol_factor(int n, double* D, double floor) {
  for (int i = 0; i < n; i++) {
    double* row = D + i * CHOL_ROW;
    for (int j = 0; j < i; j++) {
      const double* other = D + j * CHOL_ROW;
      double sum = row[j];
      for (int k = 0; k < j; k++) sum -= row[k] * other[k];
      row[j] = sum * other[j];
    }
    double pivot = row[i], least = floor * pivot;
    for (int k = 0; k < i; k++) pivot -= row[k] * row[k];
    if (!(pivot > least)) return false;
    row[i] = 1 / sqrt(pivot);
  }
  return true;
}

// x <- L^-1 x
static inline void chol_solve_lower(int n, const double* L, double* x) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] -= L[i * CHOL_ROW + k] * x[k];
    x[i] *= L[i * CHOL_ROW + i];
  }
}

// x <- L^-T x
static inline void chol_solve_upper(int n, const double* L, double* x) {
  for (int i = n - 1; i >= 0; i--) {
    x[i] *= L[i * CHOL_ROW + i];
    for (int k = 0; k < i; k++) x[k] -= L[i * CHOL_ROW + k] * x[i];
  }
}
