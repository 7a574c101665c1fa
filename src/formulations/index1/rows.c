// Rank by QR with pivoting (a rank-revealing factor), because it costs a sixth of an SVD, tells
// which rows are redundant (an SVD does not), and in practice finds the gap as well: its diagonal
// stays within a small factor of the singular values (Golub and Van Loan, section 5.4; Chan and
// Hansen 1992).
#include "formulations/index1/rows.h"

#include "base/error.h"
#include "linalg/lanes.h"
#include "linalg/spd.h"

#include <math.h>

size_t sar_rows_doubles(size_t n, size_t m) { return n * m + 2 * m + 2 * m * m + (n > m ? n : m); }

void sar_rows_init(SarRows* s, int n, int m, double* doubles, int* ints) {
  size_t rows = (size_t)m;
  *s = (SarRows){.n = n, .m = m, .rank_max = n < m ? n : m, .row = ints};
  s->QR = doubles;
  s->tau = s->QR + (size_t)n * rows;
  s->scale = s->tau + rows;
  s->W = s->scale + rows;
  s->C = s->W + rows * rows;
  s->work = s->C + rows * rows;
}

SarStatus sar_rows_scale(SarRows* s, const double* A) {
  int n = s->n;
  for (int i = 0; i < s->m; i++) {
    const double* row = &A[i * n];
    double square = sar_dot(n, row, row);
    if (!isfinite(square)) return SAR_NOT_FINITE;
    double scale = s->scale[i] = sar_scale_of_square(square);
    for (int j = 0; j < n; j++) s->QR[i * n + j] = scale * row[j];
  }
  return SAR_OK;
}

// Row by row is A' column by column.
void sar_rows_pivot(SarRows* s, SarDenseWork* w) {
  for (int k = 0; k < s->m; k++) s->row[k] = s->first ? s->first[k] : 0;
  sar_qr_led(s->n, s->m, s->QR, s->row, s->tau, w);
}

SarStatus sar_rows_factor(SarRows* s, const double* A, double tol, SarDenseWork* w) {
  int n = s->n, r = 0;
  SAR_TRY(sar_rows_scale(s, A));
  sar_rows_pivot(s, w);
  while (r < s->rank_max && fabs(s->QR[r * n + r]) > tol) r++;
  s->rank = r;
  return SAR_OK;
}

void sar_rows_redundant(SarRows* s, const double* R, int ld) {
  int r = s->rank, k = s->m - r;
  // R12 = R11 W  in scaled rows
  for (int j = 0; j < k; j++)
    for (int i = 0; i < r; i++) s->W[j * r + i] = R[(r + j) * ld + i];
  sar_upper_solve(r, k, R, ld, s->W, r);
  sar_rows_finish(s);
}

void sar_rows_finish(SarRows* s) {
  int r = s->rank, k = s->m - r;
  // S2 A2 = W' S1 A1  ->  W <- S1 W S2^-1
  for (int j = 0; j < k; j++) {
    double inverse = 1 / s->scale[s->row[r + j]];
    for (int i = 0; i < r; i++) s->W[j * r + i] *= s->scale[s->row[i]] * inverse;
  }
  sar_gram_t(k, r, s->W, r, s->C, k);
  for (int j = 0; j < k; j++) s->C[j * k + j] += 1;
  sar_mirror_upper(k, s->C, k);  // row by row for the Cholesky factor
  sar_spd_factor(k, s->C, 0);    // cannot fail: all eigenvalues are at least 1
}

// T+ g = g1 + W (I + W'W)^-1 (g2 - W' g1)
void sar_rows_gather(const SarRows* s, const double* g, double* x) {
  int r = s->rank, k = s->m - r;
  for (int i = 0; i < r; i++) x[i] = g[s->row[i]];
  double* gap = s->work;  // by how much redundant rows contradict the others
  for (int j = 0; j < k; j++) gap[j] = g[s->row[r + j]];
  sar_matvec_t(r, k, -1, s->W, r, x, 1, gap);
  sar_spd_solve(k, s->C, gap);
  sar_matvec(r, k, 1, s->W, r, gap, 1, x);
}

// P lambda = [u - W z; z], (I + W'W) z = W' u
void sar_rows_spread(const SarRows* s, const double* u, double* lambda) {
  int r = s->rank, k = s->m - r;
  double *x = s->work, *z = x + r;  // one after the other
  for (int i = 0; i < r; i++) x[i] = u[i];
  sar_matvec_t(r, k, 1, s->W, r, u, 0, z);
  sar_spd_solve(k, s->C, z);
  sar_matvec(r, k, -1, s->W, r, z, 1, x);
  for (int i = 0; i < s->m; i++) lambda[s->row[i]] = x[i];
}

// S1 A1 = R11' Q1':  A1+ x = Q1 R11^-T S1 x
void sar_rows_solve(const SarRows* s, const double* g, double* y) {
  sar_rows_gather(s, g, y);
  for (int i = 0; i < s->rank; i++) y[i] *= s->scale[s->row[i]];
  sar_upper_solve_t(s->rank, 1, s->QR, s->n, y, s->n);
}

// A1' u = Q1 y:  u = S1 R11^-1 y
void sar_rows_solve_t(const SarRows* s, const double* y, double* lambda) {
  for (int i = 0; i < s->rank; i++) lambda[i] = y[i];
  sar_upper_solve(s->rank, 1, s->QR, s->n, lambda, s->m);
  for (int i = 0; i < s->rank; i++) lambda[i] *= s->scale[s->row[i]];
  sar_rows_spread(s, lambda, lambda);
}
