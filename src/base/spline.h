// Natural cubic spline through points with rising x: y'' = 0 at the ends, straight beyond them.
// (Here and not in math, because expressions use it too.)
#pragma once

// Knots are x, y, y'', one after the other.
enum { SPLINE_X, SPLINE_Y, SPLINE_BEND, SPLINE_KNOT };

typedef struct SarSplinePoint {
  double y, slope, bend;  // g, g', g''
} SarSplinePoint;

// Fills y'' of n knots whose x and y are set; work: n doubles.
void sar_spline_bend(double* knot, int n, double* work);
// Between two knots; and beyond the end of all, whose neighbour is `next`.
SarSplinePoint sar_spline_between(const double* k0, const double* k1, double x);
SarSplinePoint sar_spline_beyond(const double* end, const double* next, double x);
// Cost: O(log n).
SarSplinePoint sar_spline_at(const double* knot, int n, double x);
// Its third derivative, constant between knots.
double sar_spline_third(const double* knot, int n, double x);
