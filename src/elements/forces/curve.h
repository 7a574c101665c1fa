// Forces as functions of one quantity x: tables and polynomials, with slope and integral. The slope
// is that of the piece that holds; the integral is the energy of a spring that has this curve.
#pragma once

typedef struct CurvePoint {
  double y, slope, integral;
  double side;  // changes its sign at every row of a table; 1 for a polynomial
} CurvePoint;

// A table with rising x, rows x y: straight between its rows, constant beyond its ends. The
// integral starts at the first row: trapezoids, exact for straight pieces. Cost: O(rows).
static inline CurvePoint table_at(const double* row, int rows, double x) {
  CurvePoint c = {row[1], 0, row[1] * (x - row[0]), x - row[0]};
  if (x <= row[0]) return c;
  c.integral = 0;
  // (-1)^i (x - x_i)(x_i+1 - x) > 0 in every other piece
  double sign = 1;
  for (int i = 1; i < rows; i++, row += 2, sign = -sign) {
    const double h = row[2] - row[0], s = x - row[0];
    if (x < row[2]) {
      c.slope = (row[3] - row[1]) / h;
      c.y = row[1] + c.slope * s;
      c.integral += 0.5 * (row[1] + c.y) * s;
      c.side = sign * s * (row[2] - x);
      return c;
    }
    c.integral += 0.5 * (row[1] + row[3]) * h;
  }
  c.y = row[1];
  c.integral += row[1] * (x - row[0]);
  c.side = sign * (x - row[0]);
  return c;
}

// c[0] + c[1] x + c[2] x^2 + ...: Horner's scheme from the highest power down, thrice at once. The
// integral starts at 0.
static inline CurvePoint polynomial_at(const double* c, int count, double x) {
  CurvePoint p = {.side = 1};
  for (int i = count - 1; i >= 0; i--) {
    p.slope = p.slope * x + p.y;
    p.y = p.y * x + c[i];
    p.integral = (p.integral + c[i] / (i + 1)) * x;
  }
  return p;
}
