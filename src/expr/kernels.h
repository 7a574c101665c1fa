// Arithmetic that the value column of functions.def and both evaluators (trees, programs) share, so
// that a folded constant and a computed value have the same bits. All of it is branch-light,
// without traps, and hands NaN on.
#pragma once
#include <math.h>

static inline double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

static inline double smaller(double x, double y) { return x < y ? x : y <= x ? y : x + y; }

static inline double larger(double x, double y) { return x > y ? x : y >= x ? y : x + y; }

// x - y floor(x/y), computed without the cancellation
static inline double modulo(double x, double y) {
  double r = fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

// squares and cubes by multiplication: exact to the last bit, and what the compiler of programs
// emits for them
static inline double power(double x, double y) {
  if (y == 2) return x * x;
  if (y == 3) return x * x * x;
  return pow(x, y);
}

// the line through (x0, y0) and (x1, y1); exact at both ends
static inline double segment(double x, double x0, double y0, double x1, double y1) {
  double f = (x - x0) / (x1 - x0);
  return y0 * (1 - f) + y1 * f;
}
