// A step of the Newmark family (Newmark, HHT, generalized-alpha; SarScheme) with the displacement x
// as its unknown.
//
// A1, v1 and a1 are linear in x:
//
//   A1 = (x - h v0 - h^2 (1/2 - beta) A0) / (beta h^2)
//   v1 = v0 + h (1 - gamma) A0 + h gamma A1
//   a1 = ((1 - alpha_m) A1 + alpha_m A0 - alpha_f a0) / (1 - alpha_f)
#pragma once
#include "model/sim.h"

#include <math.h>

#define SAR_CUT_SHORT 0.1  // of a fixed step: its accelerations may be rounding, x / h^2

// Did the clock mean the two lengths of steps to be equal?
static inline bool sar_same_length(double h, double before) { return fabs(h - before) <= 1e-6 * h; }

typedef struct SarStepRates {
  double h;
  double v, a;    // dv1/dx, da1/dx
  double a_to_A;  // dA1/da1
} SarStepRates;

static inline SarStepRates sar_scheme_rates(const SarScheme* c, double h) {
  const double A = 1 / (c->beta * h * h), a_to_A = (1 - c->alpha_f) / (1 - c->alpha_m);
  return (SarStepRates){h, c->gamma * h * A, A / a_to_A, a_to_A};
}

// The same of a two-step rule: v1 = x / (h b0) + ..., a1 = v1 / (h b0) + ...
static inline SarStepRates sar_rule_rates(double b0, double h) {
  const double gain = h * b0;
  return (SarStepRates){h, 1 / gain, 1 / (gain * gain), 1};
}

// n coordinates: x and the start (v0, a0, A0) -> the end (v, a, A).
static inline void sar_scheme_end(const SarScheme* c, double h, int n, const double* x,
                                  const double* v0, const double* a0, const double* A0, double* v,
                                  double* a, double* A) {
  const double over_beta = 1 / (c->beta * h * h), half = h * h * (0.5 - c->beta);
  for (int i = 0; i < n; i++) {
    A[i] = (x[i] - h * v0[i] - half * A0[i]) * over_beta;
    v[i] = v0[i] + h * ((1 - c->gamma) * A0[i] + c->gamma * A[i]);
    a[i] = ((1 - c->alpha_m) * A[i] + c->alpha_m * A0[i] - c->alpha_f * a0[i]) / (1 - c->alpha_f);
  }
}

// The displacement if the step ended with the averaged accelerations A1.
static inline void sar_scheme_predict(const SarScheme* c, double h, int n, const double* v0,
                                      const double* A0, const double* A1, double* x) {
  for (int i = 0; i < n; i++) x[i] = h * (v0[i] + h * ((0.5 - c->beta) * A0[i] + c->beta * A1[i]));
}

// Averaged accelerations are those of another time, A = a(t + (alpha_m - alpha_f) h). Without the
// following the family is of first order where steps are not all of one length: what lies between
// is remembered for each unit of time, of steps that are not cut short, for in the others it is
// rounding.
//
//   lag = (A - a) / h,      A0 = a0 + h lag       where a step of another length begins
//
// Source: Bruls and Arnold, The generalized-alpha scheme as a linear multistep integrator, J.
// Comput. Nonlinear Dynam. 3 (2008).
static inline bool sar_scheme_lags(const SarScheme* c) { return c->alpha_m != c->alpha_f; }

static inline void sar_scheme_keep_lag(double h, int n, const double* a, const double* A,
                                       double* lag) {
  for (int i = 0; i < n; i++) lag[i] = (A[i] - a[i]) / h;
}

static inline void sar_scheme_follow(double h, int n, const double* a0, const double* lag,
                                     double* A0) {
  for (int i = 0; i < n; i++) A0[i] = a0[i] + h * lag[i];
}
