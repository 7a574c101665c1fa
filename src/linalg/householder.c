// Pseudo-upper-triangular form by reflections (Amirouche et al. 1988; reflectors as in Golub and Van
// Loan, section 5.1), 4/3 n^3 operations for m = n.
//
// Left-looking: a column meets all reflectors found so far and then shows what is left of it. That
// length is its distance from the span of the columns before it.
#include "linalg/householder.h"

#include <math.h>
#include <string.h>

// sum of x_i y_i by four running sums, added in a fixed order: one sum would wait for each addition
static double dot(int n, const double* x, const double* y) {
  double s[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 3 < n; i += 4)
    for (int k = 0; k < 4; k++) s[k] += x[i + k] * y[i + k];
  for (; i < n; i++) s[0] += x[i] * y[i];
  return (s[0] + s[1]) + (s[2] + s[3]);
}

// x <- (1 - tau [1; v][1; v]') x, v and the tail of x of length n
static void reflect(int n, const double* v, double tau, double* x) {
  double w = tau * (x[0] + dot(n, v, x + 1));
  x[0] -= w;
  for (int i = 0; i < n; i++) x[i + 1] -= w * v[i];
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

int sar_qr_in_order(int n, int m, double* A, double floor, int* pivot, double* tau, double* work) {
  int rank = 0, aside = 0, column = 0;
  // places rank .. rank + aside hold columns set aside; the next one to look at is behind them
  for (; column < m; column++) {
    double* x = &A[(size_t)column * n];
    for (int k = 0; k < rank; k++) reflect(n - k - 1, &A[(size_t)k * n + k + 1], tau[k], x + k);
    double norm = rank < n ? sqrt(dot(n - rank, x + rank, x + rank)) : 0;
    if (!(norm > floor)) {  // what is left is rounding: zero, also for the reflectors to come
      memset(x + rank, 0, sizeof(double) * (size_t)(n - rank));
      pivot[rank + aside++] = column;
      continue;
    }
    tau[rank] = make_reflector(n - rank - 1, norm, x + rank);
    if (aside > 0) {  // take the place of the first one set aside, which goes behind the last
      double* place = &A[(size_t)rank * n];
      memcpy(work, x, sizeof(double) * (size_t)n);
      memmove(place + n, place, sizeof(double) * (size_t)n * (size_t)aside);
      memcpy(place, work, sizeof(double) * (size_t)n);
      memmove(&pivot[rank + 1], &pivot[rank], sizeof(int) * (size_t)aside);
    }
    pivot[rank++] = column;
  }
  return rank;
}
