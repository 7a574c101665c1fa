// Natural cubic splines (spline.h).
#include "base/spline.h"

enum { X = SPLINE_X, Y = SPLINE_Y, BEND = SPLINE_BEND, KNOT = SPLINE_KNOT };

// Second derivatives at the knots: a tridiagonal system, solved by elimination without pivots (it
// is diagonally dominant).
//   h0 m0 + 2 (h0 + h1) m1 + h1 m2 = 6 ((y2 - y1) / h1 - (y1 - y0) / h0),   m = 0 at the ends
void sar_spline_bend(double* knot, int n, double* work) {
  for (int i = 1; i + 1 < n; i++) {
    double* k = &knot[KNOT * i];
    const double *before = k - KNOT, *after = k + KNOT;
    const double h0 = k[X] - before[X], h1 = after[X] - k[X];
    const double rhs = 6 * ((after[Y] - k[Y]) / h1 - (k[Y] - before[Y]) / h0);
    const double pivot = 2 * (h0 + h1) - (i > 1 ? h0 * work[i - 1] : 0);
    work[i] = h1 / pivot;
    k[BEND] = (rhs - (i > 1 ? h0 * before[BEND] : 0)) / pivot;
  }
  for (int i = n - 3; i >= 1; i--) knot[KNOT * i + BEND] -= work[i] * knot[KNOT * (i + 1) + BEND];
}

// beyond the ends: the tangent there
SarSplinePoint sar_spline_beyond(const double* end, const double* next, double x) {
  const double h = next[X] - end[X];
  const double slope = (next[Y] - end[Y]) / h - h * (2 * end[BEND] + next[BEND]) / 6;
  return (SarSplinePoint){end[Y] + slope * (x - end[X]), slope, 0};
}

// y = (1 - s) y0 + s y1 - h^2/6 ((1 - s) s (2 - s) m0 + s (1 - s) (1 + s) m1),  s = (x - x0) / h
SarSplinePoint sar_spline_between(const double* k0, const double* k1, double x) {
  const double h = k1[X] - k0[X], s = (x - k0[X]) / h, r = 1 - s;
  const double m0 = k0[BEND], m1 = k1[BEND];
  return (SarSplinePoint){
      r * k0[Y] + s * k1[Y] - h * h / 6 * s * r * ((1 + r) * m0 + (1 + s) * m1),
      (k1[Y] - k0[Y]) / h - h / 6 * ((3 * r * r - 1) * m0 - (3 * s * s - 1) * m1),
      r * m0 + s * m1,
  };
}

SarSplinePoint sar_spline_at(const double* knot, int n, double x) {
  int low = 0, high = n - 1;
  if (x <= knot[X]) return sar_spline_beyond(knot, knot + KNOT, x);
  if (x >= knot[high * KNOT + X])
    return sar_spline_beyond(knot + high * KNOT, knot + (high - 1) * KNOT, x);
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (x < knot[middle * KNOT + X])
      high = middle;
    else
      low = middle;
  }
  return sar_spline_between(knot + low * KNOT, knot + high * KNOT, x);
}

double sar_spline_third(const double* knot, int n, double x) {
  int low = 0, high = n - 1;
  if (x <= knot[X] || x >= knot[high * KNOT + X]) return 0;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (x < knot[middle * KNOT + X])
      high = middle;
    else
      low = middle;
  }
  const double *a = knot + low * KNOT, *b = knot + high * KNOT;
  return (b[SPLINE_BEND] - a[SPLINE_BEND]) / (b[X] - a[X]);
}
