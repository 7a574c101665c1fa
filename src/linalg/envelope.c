// Cholesky inside an envelope (envelope.h), row by row.
//
//   L_ij = (A_ij - sum_k L_ik L_jk) / L_jj,    k from the larger of both rows' first columns
//
// Source: George and Liu, Computer Solution of Large Sparse Positive Definite Systems (1981), sec. 4.3.
#include "linalg/envelope.h"

#include "linalg/lanes.h"

#include <math.h>

// rows are short: what sar_dot sets up would be most of the work
static inline double dot(int n, const double* x, const double* y) {
  if (n > 5) return sar_dot(n, x, y);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static inline void add_scaled(int n, double factor, const double* x, double* y) {
  if (n > 5)
    sar_add_scaled(n, factor, x, y);
  else
    for (int i = 0; i < n; i++) y[i] += factor * x[i];
}

bool sar_envelope_factor(SarEnvelope* e) {
  for (int i = 0; i < e->n; i++) {
    double* row = e->value + e->adr[i];
    const int start = e->first[i];
    double pivot = row[i];
    for (int j = start; j < i; j++) {
      const double* other = e->value + e->adr[j];
      const int from = e->first[j] > start ? e->first[j] : start;
      const double x = (row[j] - dot(j - from, row + from, other + from)) * e->inverse[j];
      row[j] = x;
      pivot -= x * x;
    }
    if (!(pivot > 0)) return false;
    e->inverse[i] = 1 / sqrt(pivot);
  }
  return true;
}

void sar_envelope_solve(const SarEnvelope* e, double* x) {
  for (int i = 0; i < e->n; i++) {
    const double* row = e->value + e->adr[i];
    const int start = e->first[i];
    x[i] = (x[i] - dot(i - start, row + start, x + start)) * e->inverse[i];
  }
  for (int i = e->n - 1; i >= 0; i--) {
    const double* row = e->value + e->adr[i];
    const int start = e->first[i];
    x[i] *= e->inverse[i];
    add_scaled(i - start, -x[i], row + start, x + start);
  }
}
