// Arithmetic that the value column of functions.def and all evaluators share, so that a folded
// constant, a tape and generated C give the same bits. All of it is branch-light, without traps,
// and hands NaN on. SAR_KERNEL(code) is code here, and text where the printer of C includes
// kernels.def.
#pragma once
#include <math.h>

#define SAR_KERNEL(id, ...) __VA_ARGS__
#include "symbolic/kernels.def"

// the line through (x0, y0) and (x1, y1); exact at both ends
static inline double segment(double x, double x0, double y0, double x1, double y1) {
  double f = (x - x0) / (x1 - x0);
  return y0 * (1 - f) + y1 * f;
}
