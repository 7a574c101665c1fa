// Pseudo-upper-triangular form by reflections (Amirouche et al. 1988; reflectors as in Golub and
// Van Loan, section 5.1), 4/3 n^3 operations for m = n.
//
// Left-looking: a column meets all reflectors found so far and then shows what is left of it. That
// length is its distance from the span of the columns before it. A reflector ends with its column,
// so those of sparse columns, as constraints have them, are short.
#include "linalg/householder.h"

#include "linalg/lanes.h"

#include <math.h>
#include <string.h>

// x <- (1 - tau [1; v][1; v]') x, v and the tail of x of length n
static void reflect(int n, const double* v, double tau, double* x) {
  double w = tau * (x[0] + sar_dot(n, v, x + 1));
  if (w == 0) return;
  x[0] -= w;
  sar_add_scaled(n, -w, v, x + 1);
}

void sar_q_mul(int n, int columns, int reflectors, const double* QR, const double* tau, double* B) {
  for (int c = 0; c < columns; c++)
    for (int k = reflectors - 1; k >= 0; k--)
      reflect(n - k - 1, &QR[k * n + k + 1], tau[k], &B[c * n + k]);
}

void sar_q_mul_t(int n, int columns, int reflectors, const double* QR, const double* tau,
                 double* B) {
  for (int c = 0; c < columns; c++)
    for (int k = 0; k < reflectors; k++)
      reflect(n - k - 1, &QR[k * n + k + 1], tau[k], &B[c * n + k]);
}

// x = (alpha, tail of length n) of length `norm` -> beta on top and v below it; returns tau
static double make_reflector(int n, double norm, double* x) {
  double alpha = x[0], beta = alpha > 0 ? -norm : norm;
  if (n == 0) return 0;
  double inverse = 1 / (alpha - beta);
  for (int i = 1; i <= n; i++) x[i] *= inverse;
  x[0] = beta;
  return (beta - alpha) / beta;
}

int sar_qr_in_order(int n, int m, double* A, double floor, int* pivot, double* tau, double* work,
                    int* length) {
  int rank = 0, aside = 0, column = 0;
  // places rank .. rank + aside hold columns set aside; the next one to look at is behind them
  for (; column < m; column++) {
    double* x = &A[column * n];
    for (int k = 0; k < rank; k++) reflect(length[k], &A[(size_t)k * n + k + 1], tau[k], x + k);
    double norm = rank < n ? sqrt(sar_dot(n - rank, x + rank, x + rank)) : 0;
    if (!(norm > floor)) {  // what is left is rounding: zero, also for the reflectors to come
      memset(x + rank, 0, sizeof(double) * (size_t)(n - rank));
      pivot[rank + aside++] = column;
      continue;
    }
    tau[rank] = make_reflector(n - rank - 1, norm, x + rank);
    int end = n;  // reflectors of sparse columns end early
    while (end > rank + 1 && x[end - 1] == 0) end--;
    length[rank] = end - rank - 1;
    if (aside > 0) {  // take the place of the first one set aside, which goes behind the last
      double* place = &A[rank * n];
      memcpy(work, x, sizeof(double) * (size_t)n);
      memmove(place + n, place, sizeof(double) * (size_t)n * (size_t)aside);
      memcpy(place, work, sizeof(double) * (size_t)n);
      memmove(&pivot[rank + 1], &pivot[rank], sizeof(int) * (size_t)aside);
    }
    pivot[rank++] = column;
  }
  return rank;
}
