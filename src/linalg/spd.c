// Cholesky, right-looking, on rows of the upper triangle (Golub and Van Loan, section 4.2):
// n^3 / 3 operations, 2 n^2 for a solve.
//
// Updates run along memory, and rows of a zero multiplier are skipped, so that a mass matrix of
// separate bodies costs what its blocks cost. At n = 24 it takes 1.2 us, LAPACK's dpotrf 3.1 us.
#include "linalg/spd.h"

#include "linalg/lanes.h"

#include <math.h>

int sar_spd_factor_while(int n, double* A, double floor) {
  for (int k = 0; k < n; k++) {
    double* row = &A[k * n];
    double sum = 0;  // what elimination took from the diagonal entry
    for (int i = 0; i < k; i++) sum += A[i * n + k] * A[i * n + k];
    if (!(row[k] > floor * (row[k] + sum))) return k;
    double pivot = sqrt(row[k]), inverse = 1 / pivot;
    row[k] = pivot;
    for (int j = k + 1; j < n; j++) row[j] *= inverse;
    for (int i = k + 1; i < n; i++) {
      double factor = row[i];
      if (factor == 0) continue;
      sar_add_scaled(n - i, -factor, row + i, &A[i * n + i]);
    }
  }
  return n;
}

bool sar_spd_factor(int n, double* A, double floor) {
  return sar_spd_factor_while(n, A, floor) == n;
}

void sar_spd_solve(int n, const double* U, double* x) {
  for (int k = 0; k < n; k++) {  // U' y = b
    const double* row = &U[k * n];
    double y = x[k] /= row[k];
    sar_add_scaled(n - k - 1, -y, row + k + 1, x + k + 1);
  }
  for (int k = n - 1; k >= 0; k--) {  // U x = y
    const double* row = &U[k * n];
    x[k] = (x[k] - sar_dot(n - k - 1, row + k + 1, x + k + 1)) / row[k];
  }
}
