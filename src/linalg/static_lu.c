// Numeric phase of small sparse systems (static_lu.h): LU row by row, along lists.
//
// Row i in turn, for the pivots k to its left (IKJ order):
//
//   l_ik = b_ik / u_kk,    b_ij -= l_ik u_kj   for the columns j of row k beyond k
//
// Up to six neighbouring pivots whose rows have the same columns beyond them are taken off
// together, and up to three rows of the same columns at a time: multipliers by the inverse of the
// pivots' small triangle, whose sums do not wait for each other, then one pass over the rows with
// one sum per entry.
#include "linalg/static_lu.h"

#include "linalg/lanes.h"

#include <math.h>
#include <stdint.h>

static const double DEAD = 1e-13;  // of the largest entry of its row

#define INLINED static inline __attribute__((always_inline))
enum { MOST = SAR_STATIC_LU_GROUP, ROWS = SAR_STATIC_LU_ROWS };

// In what follows `rows` and w are constants where a function is called, so that loops over them
// are unrolled (this file is compiled with -O3). Row r of those that are done together is r * next
// behind the first.

// Multipliers for the w pivots of a group, l <- l U^-1, and copied to x.
INLINED void divide(const int rows, const int w, double* l, size_t next, const double* inverse,
                    double x[ROWS][MOST]) {
  for (int r = 0; r < rows; r++, l += next) {
    SarLanes sum[MOST / 2];
    for (int p = 0; p < (w + 1) / 2; p++)
      sum[p] = (SarLanes){l[0], l[0]} * sar_lanes(inverse + 2 * p);
    for (int k = 1; k < w; k++) {
      const SarLanes of = {l[k], l[k]};
      for (int p = k / 2; p < (w + 1) / 2; p++)
        sum[p] += of * sar_lanes(inverse + k * MOST + 2 * p);
    }
    for (int p = 0; p < (w + 1) / 2; p++) sar_lanes_store(&x[r][2 * p], sum[p]);
    for (int t = 0; t < w; t++) l[t] = x[r][t];
  }
}

// to[j] -= sum over t of x[t] u_t[j], run by run, u_t the row of pivot t beyond the group
INLINED void take_off(const int rows, const int w, const SarLuRun* run, const SarLuRun* end,
                      const int* diag, size_t next, double x[ROWS][MOST], double* value) {
  const double* u[MOST];
  for (int t = 0; t < w; t++) u[t] = value + diag[t] + (w - t);
  for (; run < end; run++) {
    double* to = value + run->to;
    const int count = run->count;
    int j = 0;
    for (; j + 1 < count; j += 2) {
      SarLanes sum[ROWS], from[MOST];
      for (int t = 0; t < w; t++) from[t] = sar_lanes(u[t] + j);
      for (int r = 0; r < rows; r++) {
        sum[r] = sar_lanes(to + (size_t)r * next + j);
        for (int t = 0; t < w; t++) sum[r] -= (SarLanes){x[r][t], x[r][t]} * from[t];
        sar_lanes_store(to + (size_t)r * next + j, sum[r]);
      }
    }
    if (j < count)
      for (int r = 0; r < rows; r++) {
        double rest = to[(size_t)r * next + (size_t)j];
        for (int t = 0; t < w; t++) rest -= x[r][t] * u[t][j];
        to[(size_t)r * next + (size_t)j] = rest;
      }
    for (int t = 0; t < w; t++) u[t] += count;
  }
}

INLINED void update_by(const SarStaticLu* p, const int rows, const int w, const SarLuUpdate* u,
                       size_t next) {
  double x[ROWS][MOST];
  const int own = u->pivot - p->group_first[u->pivot];
  divide(rows, w, p->value + u->at, next, p->inverse + u->pivot * MOST + own, x);
  take_off(rows, w, p->run + u->run, p->run + u->run + u->runs, p->diag + u->pivot, next, x,
           p->value);
}

INLINED void update(const SarStaticLu* p, const int rows, const SarLuUpdate* u, size_t next) {
  switch (u->count) {
    case 1: update_by(p, rows, 1, u, next); break;
    case 2: update_by(p, rows, 2, u, next); break;
    case 3: update_by(p, rows, 3, u, next); break;
    case 4: update_by(p, rows, 4, u, next); break;
    case 5: update_by(p, rows, 5, u, next); break;
    default: update_by(p, rows, 6, u, next);
  }
}

typedef long long Mask __attribute__((vector_size(16)));
INLINED SarLanes larger(SarLanes x, SarLanes y) {
  const Mask more = x > y;
  return (SarLanes)(((Mask)x & more) | ((Mask)y & ~more));
}
INLINED SarLanes sizes(SarLanes x) {
  const Mask all_but_sign = {INT64_MAX, INT64_MAX};
  return (SarLanes)((Mask)x & all_but_sign);
}

// The largest of some numbers by their sizes; what is none does not count.
INLINED double largest(int count, const double* x) {
  SarLanes most = {0, 0};
  int k = 0;
  for (; k + 1 < count; k += 2) most = larger(sizes(sar_lanes(x + k)), most);
  const double first = most[0] > most[1] ? most[0] : most[1];
  const double last = k < count ? fabs(x[k]) : 0;
  return last > first ? last : first;
}

// Row i is done: U^-1 of its group gets its column, or false: its pivot is small beside the row.
//   (U^-1)_ki = -sum over s of (U^-1)_ks u_si / u_ii,   k <= s < i
INLINED bool close_row(SarStaticLu* p, int i, int first) {
  const double* row = p->value + p->diag[i];
  const int beyond = p->start[i + 1] - p->diag[i];
  const double pivot = row[0];
  const double size = largest(beyond - 1, row + 1);
  if (!(fabs(pivot) > DEAD * size) || !isfinite(pivot)) return false;
  const int own = i - first;  // its place in the group
  double *inverse = p->inverse + (size_t)first * MOST, above[MOST];
  const double over = inverse[own * MOST + own] = 1 / pivot;
  for (int k = 0; k < own; k++) {
    above[k] = p->value[p->diag[first + k] + own - k];
    inverse[own * MOST + k] = 0;
  }
  for (int k = 0; k < own; k++) {
    double sum = 0;
    for (int s = k; s < own; s++) sum += inverse[k * MOST + s] * above[s];
    inverse[k * MOST + own] = -over * sum;
  }
  return true;
}

INLINED void update_rows(const SarStaticLu* p, int i, const int rows) {
  const size_t next = (size_t)(p->start[i + 1] - p->start[i]);
  for (int k = p->update_first[i]; k < p->own_first[i]; k++) update(p, rows, &p->update[k], next);
}

INLINED void put_entries(SarStaticLu* p) {
  double* value = p->value;
  const double* a = p->a;
  const int *from = p->from, count = p->start[p->n];
  int k = 0;
  for (; k + 3 < count; k += 4) {
    const double x = a[from[k]], y = a[from[k + 1]], z = a[from[k + 2]], w = a[from[k + 3]];
    value[k] = x, value[k + 1] = y, value[k + 2] = z, value[k + 3] = w;
  }
  for (; k < count; k++) value[k] = a[from[k]];
  for (int e = 0; e < p->more; e++) value[p->more_place[e]] += a[p->more_entry[e]];
}

// False: a pivot is small beside its row.
INLINED bool factor_by(SarStaticLu* p) {
  put_entries(p);
  for (int i = 0; i < p->n;) {
    const int rows = p->together[i];
    switch (rows) {
      case 1: update_rows(p, i, 1); break;
      case 2: update_rows(p, i, 2); break;
      default: update_rows(p, i, 3);
    }
    for (const int end = i + rows; i < end; i++) {
      for (int k = p->own_first[i]; k < p->update_first[i + 1]; k++) update(p, 1, &p->update[k], 0);
      if (!close_row(p, i, p->group_first[i])) return false;
    }
  }
  return true;
}

static bool factor_plain(SarStaticLu* p) { return factor_by(p); }
SAR_WIDE static bool factor_wide(SarStaticLu* p) { return factor_by(p); }
static bool factor(SarStaticLu* p) { return (p->wide ? factor_wide : factor_plain)(p); }

bool sar_static_lu_factor(SarStaticLu* p) {
  if (p->strayed && !sar_static_lu_return(p)) return false;
  p->by_blocks = p->blocks && sar_block_lu_factor(p->blocks, p->a);
  if (p->by_blocks) return true;
  if (!factor(p) && !(sar_static_lu_pivot(p) && factor(p))) return false;
  sar_static_lu_pack(p);
  return true;
}
