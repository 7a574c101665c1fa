// Cholesky inside an envelope (envelope.h), row by row.
//
//   L_ij = (A_ij - sum_k L_ik L_jk) / L_jj,    k from the larger of both rows' first columns
//
// Source: George and Liu, Computer Solution of Large Sparse Positive Definite Systems (1981), sec.
// 4.3.
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

// dot, the last of y being at hand
static inline double dot_to(int n, const double* x, const double* y, double last) {
  if (n > 5) return sar_dot(n, x, y);
  double sum = 0;
  for (int i = 0; i < n - 1; i++) sum += x[i] * y[i];
  return n > 0 ? sum + x[n - 1] * last : sum;
}

// Each row waits for the one before it: what that one hands on stays in a register, since to load
// what was just stored takes as long as the row.
static void forward(const SarEnvelope* e, double* x) {
  double last = 0;
  for (int i = 0; i < e->n; i++) {
    const double* row = e->value + e->adr[i];
    const int start = e->first[i];
    last = (x[i] - dot_to(i - start, row + start, x + start, last)) * e->inverse[i];
    x[i] = last;
  }
}

static void backward(const SarEnvelope* e, double* x) {
  double next = e->n > 0 ? x[e->n - 1] : 0;
  for (int i = e->n - 1; i > 0; i--) {
    const double* row = e->value + e->adr[i];
    const int start = e->first[i];
    const double is = next * e->inverse[i];
    x[i] = is;
    next = x[i - 1];
    if (start == i) continue;
    next += -is * row[i - 1];
    add_scaled(i - 1 - start, -is, row + start, x + start);
  }
  if (e->n > 0) x[0] = next * e->inverse[0];
}

void sar_envelope_solve(const SarEnvelope* e, double* x) {
  forward(e, x);
  backward(e, x);
}
