// Tables and splines inside tapes: what the evaluators of values (eval.c) and of rates (rates.c)
// share.
#pragma once
#include "base/spline.h"
#include "symbolic/kernels.h"
#include "symbolic/tape.h"

#include <stdbool.h>

// Which of the n - 1 segments x is in, the first or the last beyond the ends. Every `stride`
// instructions hold a point, x_i first; n >= 2. The number of halvings depends on n alone.
static inline int find_segment(const SarInstr* point, int stride, int n, double x) {
  int lo = 0, hi = n - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (x >= point[stride * mid].value)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

// point[2 i] holds x_i, point[2 i + 1] holds y_i
static inline double table_value(const SarInstr* point, int n, double x) {
  if (x <= point[0].value) return point[1].value;
  if (x >= point[2 * n - 2].value) return point[2 * n - 1].value;
  const SarInstr *p = point + 2 * find_segment(point, 2, n, x), *q = p + 2;
  return segment(x, p[0].value, p[1].value, q[0].value, q[1].value);
}

// at a point: of the segment to its right; 0 beyond the ends
static inline double table_slope(const SarInstr* point, int n, double x) {
  if (x < point[0].value || x >= point[2 * n - 2].value) return 0;
  if (isnan(x)) return x;
  const SarInstr *p = point + 2 * find_segment(point, 2, n, x), *q = p + 2;
  return (q[1].value - p[1].value) / (q[0].value - p[0].value);
}

// The spline whose knots are the values of the instructions.
static inline SarSplinePoint spline_at(const SarInstr* knot, int n, double x) {
  enum { PAIR = 2 * SPLINE_KNOT };
  // the knots on both sides, or the last two
  const SarInstr* first = knot + SPLINE_KNOT * find_segment(knot, SPLINE_KNOT, n, x);
  double piece[PAIR];
  for (int i = 0; i < PAIR; i++) piece[i] = first[i].value;
  const double *k0 = piece, *k1 = piece + SPLINE_KNOT;
  const bool before = x <= knot[0].value, beyond = x >= knot[SPLINE_KNOT * (n - 1)].value;
  return before   ? sar_spline_beyond(k0, k1, x)
         : beyond ? sar_spline_beyond(k1, k0, x)
                  : sar_spline_between(k0, k1, x);
}
