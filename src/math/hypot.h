// Length of (x, y) by operations that IEEE 754 rounds exactly, so with the same bits on every
// machine (the C library's hypot is another algorithm on every processor). The kernel HYPOT of
// symbolic/kernels.def is the same for expressions and generated code.
#pragma once
#include <math.h>

// Error below 1.5 units in the last place where the squares neither overflow nor underflow (1e-15
// .. 1e15), else below 2.5.
static inline double sar_hypot(double x, double y) {
  const double sum = x * x + y * y;
  if (sum > 1e-30 && sum < 1e30) return sqrt(sum);
  const double u = fabs(x), v = fabs(y), a = u > v ? u : v, b = u > v ? v : u;
  return a > 0 && a - a == 0 ? a * sqrt(1 + (b / a) * (b / a)) : a + b;
}
