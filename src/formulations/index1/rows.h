// The rows of a constraint Jacobian: which of them are independent, and how the others follow.
//
// One rule for all methods. Rows are scaled to a length between 1 and 2; a row is redundant when
// its distance from the span of the rows kept is then at most `tol`. Scaling makes the decision the
// same in any unit of a constraint (m, mm, rad); it is by powers of two and taken back afterwards,
// so it costs no digit and leaves "least squares" and "minimum norm" as they are in the given
// units.
//
//   A      m x n, rank r           P A = [A1; A2], A1 the r rows kept
//   A2 = W' A1                     so  A = T A1,  P T = [I; W'],  T of full column rank
//   T+     pseudo-inverse of T     A+ = A1+ T+
//   C      I + W'W = C'C           (m - r) square
//
// T+ g is the right-hand side A1 x = T+ g of the least-squares problem A x ~ g; T+' u is the
// shortest lambda with A' lambda = A1' u.
#pragma once
#include "linalg/dense.h"
#include "linalg/householder.h"
#include "linalg/matrix.h"

#include <stdint.h>
#include <string.h>

typedef struct SarRows {
  int n, m, rank;
  int rank_max;      // rows beyond so many count as redundant; sar_rows_init: min(n, m)
  double* QR;        // n x m: (S A)' P = Q R, reflectors below R
  double* tau;       // m
  double* scale;     // m: diagonal of S, powers of two
  double* W;         // r x (m - r)
  double* C;         // (m - r)^2
  double* work;      // max(n, m)
  int* row;          // m: the row that stands at place k
  const int* first;  // m, Nullable: 1: comes before the others, whatever its length
} SarRows;

// The power of two s with 1 <= s^2 x < 4; 1 for zero.
static inline double sar_scale_of_square(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  uint64_t exponent = bits >> 52 & 0x7ff;  // biased by 1023
  if (exponent == 0) return 1;
  bits = (1023 + 512 - (exponent + 1) / 2) << 52;
  memcpy(&x, &bits, sizeof x);
  return x;
}

size_t sar_rows_doubles(size_t n, size_t m);  // entries of all arrays of doubles together
void sar_rows_init(SarRows* s, int n, int m, double* doubles, int* ints /* m */);

// Scales the rows of A into s->QR. SAR_NOT_FINITE if one holds NaN or infinity.
SarStatus sar_rows_scale(SarRows* s, const double* A);
// QR of the rows in s->QR: order of rows, Q and R.
void sar_rows_pivot(SarRows* s, SarDenseWork* w);
// QR with pivoting: rank, order of rows, Q and R, but not yet W and C.
SarStatus sar_rows_factor(SarRows* s, const double* A, double tol, SarDenseWork* w);
// W and C, from the upper trapezoidal (S A)' P = Q R; or of another factor R with ld.
void sar_rows_redundant(SarRows* s, const double* R, int ld);
// C from W, undoing the scale of W first.
void sar_rows_finish(SarRows* s);

// x (r) = T+ g (m)
void sar_rows_gather(const SarRows* s, const double* g, double* x);
// lambda (m) = T+' u (r)
void sar_rows_spread(const SarRows* s, const double* u, double* lambda);
// y (r) with A+ g = Q1 y;  lambda (m) = (A')+ Q1 y
void sar_rows_solve(const SarRows* s, const double* g, double* y);
void sar_rows_solve_t(const SarRows* s, const double* y, double* lambda);
