// Natural cubic spline through points with rising x: y'' = 0 at the ends, straight beyond them.
#pragma once

// Knots are x, y, y'', one after the other.
enum { SPLINE_X, SPLINE_Y, SPLINE_BEND, SPLINE_KNOT };

typedef struct SarSplinePoint {
  double y, slope, bend;  // g, g', g''
} SarSplinePoint;

// Fills y'' of n knots whose x and y are set; work: n doubles.
void sar_spline_bend(double* knot, int n, double* work);
// Cost: O(log n).
SarSplinePoint sar_spline_at(const double* knot, int n, double x);
