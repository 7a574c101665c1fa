// A linear two-step rule for first-order equations, of order 2 at any lengths of its steps:
//
//   y_k = (1 - past) y_{k-1} + past y_{k-2} + h (b0 y'_k + b1 y'_{k-1} + b2 y'_{k-2}),
//     H = t_{k-1} - t_{k-2}
//
// Far beyond the step both its roots are -rho, so b1 = 2 rho b0, b2 = rho^2 b0, and two conditions
// of order give the rest with s = H / h:
//
//   b0 = (1 + s) / (2 + s (1 + 2 rho - rho^2)),    past = ((1 + rho)^2 b0 - 1) / s
//
// A-stable for all rho, and L-stable for rho = 0, which is BDF2; rho = 1 is the trapezoidal rule
// (Crank and Nicolson) applied twice. With equal steps this is the family of Masarati, Lanz and
// Mantegazza, Multistep integration of ordinary, stiff and differential-algebraic problems for
// multibody dynamics applications, XVI Congresso AIDAA (2001), b0 = 1/2 + delta and past = beta
// there. Where there is no step before, the trapezoidal rule begins.
#pragma once
#include <stdbool.h>

typedef struct SarRule {
  double spectral_radius;  // rho
  bool one_step;           // the trapezoidal rule, step by step
} SarRule;

typedef struct SarRuleWeights {
  double past;        // of y_{k-2}; y_{k-1} has 1 - past
  double b0, b1, b2;  // of the rates
} SarRuleWeights;

// before: length of the last step [s], 0: there is none. One more than twice as long begins anew:
// so far BDF2 is stable.
static inline SarRuleWeights sar_rule_weights(const SarRule* r, double h, double before) {
  const double LONGER = 2, rho = r->spectral_radius;
  if (r->one_step || !(LONGER * before > h)) return (SarRuleWeights){0, 0.5, 0.5, 0};
  const double s = before / h, b0 = (1 + s) / (2 + s * (1 + 2 * rho - rho * rho));
  return (SarRuleWeights){((1 + rho) * (1 + rho) * b0 - 1) / s, b0, 2 * rho * b0, rho * rho * b0};
}
