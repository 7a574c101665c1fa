// Numeric phase of small sparse systems (static_lu.h): LU row by row, along lists.
//
// Row i in turn, for the pivots k to its left (IKJ order):
//
//   l_ik = b_ik / u_kk,    b_ij -= l_ik u_kj   for the columns j of row k beyond k
//
// Up to six neighbouring pivots whose rows have the same columns beyond them are taken off together: a
// small triangle for their multipliers, then one pass over the row with one sum per entry. Cost: two flops a product,
// less than two loads.
#include "linalg/static_lu.h"

#include "linalg/lanes.h"

#include <math.h>
#include <string.h>

static const double DEAD = 1e-13;  // of the largest entry of its row

// to[j] -= sum over t of l[t] from[t][j], w a constant where it is called
static inline void take_off(const int w, int count, const double* l, const double* const* from,
                            double* to) {
  int j = 0;
  for (; j + 1 < count; j += 2) {
    SarLanes sum = sar_lanes(to + j);
    for (int t = 0; t < w; t++) sum -= (SarLanes){l[t], l[t]} * sar_lanes(from[t] + j);
    sar_lanes_store(to + j, sum);
  }
  if (j < count) {
    double sum = to[j];
    for (int t = 0; t < w; t++) sum -= l[t] * from[t][j];
    to[j] = sum;
  }
}

// One update with w pivots, w a constant where it is called.
static inline void update(const SarStaticLu* p, const int w, const SarLuUpdate* u) {
  double* l = p->value + u->at;
  const double* from[SAR_STATIC_LU_GROUP];
  double factor[SAR_STATIC_LU_GROUP];
  for (int t = 0; t < w; t++) from[t] = p->value + p->diag[u->pivot + t];
  for (int t = 0; t < w; t++) {
    double sum = l[t];
    for (int s = 0; s < t; s++) sum -= factor[s] * from[s][t - s];
    l[t] = factor[t] = sum * p->inverse[u->pivot + t];
  }
  for (int t = 0; t < w; t++) from[t] += w - t;
  for (int k = u->run; k < u->run + u->runs; k++) {
    const SarLuRun r = p->run[k];
    take_off(w, r.count, factor, from, p->value + r.to);
    for (int t = 0; t < w; t++) from[t] += r.count;
  }
}

static void update_row(const SarStaticLu* p, int i) {
  for (int k = p->update_first[i]; k < p->update_first[i + 1]; k++) {
    const SarLuUpdate* u = &p->update[k];
    switch (u->count) {
      case 1: update(p, 1, u); break;
      case 2: update(p, 2, u); break;
      case 3: update(p, 3, u); break;
      case 4: update(p, 4, u); break;
      case 5: update(p, 5, u); break;
      default: update(p, 6, u);
    }
  }
}

// False: a pivot is small beside what its row had.
static bool factor(SarStaticLu* p) {
  double* value = p->value;
  memset(value, 0, (size_t)p->start[p->n] * sizeof *value);
  for (int e = 0; e < p->entries; e++) value[p->place[e]] += p->a[e];
  for (int i = 0; i < p->n; i++) {
    double size = 0;
    for (int k = p->start[i]; k < p->start[i + 1]; k++) size = fmax(size, fabs(value[k]));
    update_row(p, i);
    const double pivot = value[p->diag[i]];
    if (!(fabs(pivot) > DEAD * size) || !isfinite(pivot)) return false;
    p->inverse[i] = 1 / pivot;
  }
  return true;
}

bool sar_static_lu_factor(SarStaticLu* p) {
  if (p->strayed && !sar_static_lu_order(p, p->home_row, p->home_col)) return false;
  if (factor(p)) return true;
  return sar_static_lu_pivot(p) && factor(p);
}

void sar_static_lu_solve(const SarStaticLu* p, double* x) {
  double* y = p->y;
  const double* value = p->value;
  for (int i = 0; i < p->n; i++) {
    double sum = x[p->row_at[i]];
    for (int k = p->start[i]; k < p->diag[i]; k++) sum -= value[k] * y[p->column[k]];
    y[i] = sum;
  }
  for (int i = p->n - 1; i >= 0; i--) {
    double sum = y[i];
    for (int k = p->diag[i] + 1; k < p->start[i + 1]; k++) sum -= value[k] * y[p->column[k]];
    y[i] = sum * p->inverse[i];
    x[p->col_at[i]] = y[i];
  }
}
