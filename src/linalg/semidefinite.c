// Eigenvalues by Jacobi's cyclic rotations (Golub and Van Loan, section 8.5): for a matrix of order
// 6 some five sweeps of 15 rotations, about 2 us; entries that are zero cost nothing.
//
//   A = V diag(e) V',   part = V diag(max(e, 0)) V' = A - sum over e_k < 0 of e_k v_k v_k'
//
// The second form leaves a semidefinite A alone to the last bit.
#include "linalg/semidefinite.h"

#include <math.h>
#include <stdbool.h>

enum { N = SAR_SEMIDEFINITE_MAX, SWEEPS = 30 };

// Rotation in the plane p, q that makes A_pq zero.
static void rotate(int n, double* A, double* V, int p, int q) {
  const double a = A[n * p + q];
  if (a == 0) return;
  const double theta = 0.5 * (A[n * q + q] - A[n * p + p]) / a;
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(1 + theta * theta));
  const double c = 1 / sqrt(1 + t * t), s = t * c;
  for (int k = 0; k < n; k++) {
    const double x = A[n * k + p], y = A[n * k + q], u = V[n * k + p], v = V[n * k + q];
    A[n * k + p] = c * x - s * y, A[n * k + q] = s * x + c * y;
    V[n * k + p] = c * u - s * v, V[n * k + q] = s * u + c * v;
  }
  for (int k = 0; k < n; k++) {
    const double x = A[n * p + k], y = A[n * q + k];
    A[n * p + k] = c * x - s * y, A[n * q + k] = s * x + c * y;
  }
  A[n * p + q] = A[n * q + p] = 0;
}

static double largest(int n, const double* A, int diagonal) {
  double max = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if ((i == j) == diagonal && fabs(A[n * i + j]) > max) max = fabs(A[n * i + j]);
  return max;
}

static bool is_zero(int n, const double* x) {
  for (int i = 0; i < n; i++)
    if (x[i] != 0) return false;
  return true;
}

void sar_semidefinite_part(int n, double* A) {
  if (is_zero(n * n, A)) return;  // of a force that does not follow the motion
  double E[N * N], V[N * N];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) E[n * i + j] = 0.5 * (A[n * i + j] + A[n * j + i]);
  for (int i = 0; i < n * n; i++) A[i] = E[i];
  const double size = fmax(largest(n, E, 1), largest(n, E, 0));
  for (int i = 0; i < n * n; i++) V[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < SWEEPS && largest(n, E, 0) > 1e-17 * size; sweep++)
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) rotate(n, E, V, p, q);
  for (int k = 0; k < n; k++) {
    const double e = E[(n + 1) * k];
    if (!(e < -1e-15 * size)) continue;  // rounding is no reason to touch A
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) A[n * i + j] -= e * V[n * i + k] * V[n * j + k];
  }
}
