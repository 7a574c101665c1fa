// Unsteady lift of a thin airfoil: Wagner's function in the approximation of R. T. Jones (NACA
// Report 681, 1940), as two states of a section. With v2 the velocity of the section across its
// chord at 3/4 of it, U its speed, c the chord:
//
//   phi(s) = 1 - A1 exp(-b1 s) - A2 exp(-b2 s),   s = 2 U t/c          lift after a step of v2
//   y_i' = b_i 2 U/c (v2 - y_i),   v2 effective = (1 - A1 - A2) v2 + A1 y1 + A2 y2
//
// Its transfer function is Theodorsen's C(k), k = omega c/(2 U), within 0.02: 1 - A1 i k/(b1 + i k)
// - A2 i k/(b2 + i k). This is the circulatory part; the apparent mass of the air is left out.
#pragma once
#include "math/dual.h"

enum { SAR_WAKE_STATES = 2 };
static const double SAR_WAKE_A[SAR_WAKE_STATES] = {0.165, 0.335};
static const double SAR_WAKE_B[SAR_WAKE_STATES] = {0.0455, 0.3};
static const double SAR_WAKE_AT_ONCE = 0.5;  // 1 - A1 - A2

static inline double sar_wake_effective(double v2, const double* y) {
  return SAR_WAKE_AT_ONCE * v2 + SAR_WAKE_A[0] * y[0] + SAR_WAKE_A[1] * y[1];
}

// Rate of y_i.
static inline Dual sar_wake_rate(int i, Dual v1, Dual v2, double chord, Dual y) {
  const Dual U = dual_sqrt(dual_add(dual_mul(v1, v1), dual_mul(v2, v2)));
  return dual_scale(2 * SAR_WAKE_B[i] / chord, dual_mul(U, dual_sub(v2, y)));
}
