// The classical Runge-Kutta method: order 4, four evaluations a step.
//
//   k1 = f(t, y)  k2 = f(t + h/2, y + h/2 k1)  k3 = f(t + h/2, y + h/2 k2)  k4 = f(t + h, y + h k3)
//   y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4)
//
// k1 is the rate at the end of the step before. Source: Hairer, Norsett and Wanner, Solving
// Ordinary Differential Equations I (1993), table II.1.2.
#include "integrators/stage.h"

static void axpy(int n, const double* y, double h, const double* k, double* out) {
  for (int i = 0; i < n; i++) out[i] = y[i] + h * k[i];
}

static SarStatus stages(SarSim* s, double h, double* y, double* x, double* k, double* sum) {
  int n = sar_stage_size(s->m);
  double t = s->start.t;
  sar_stage_first(s, y, sum);  // sum = k1
  axpy(n, y, 0.5 * h, sum, x);
  SAR_TRY(sar_stage_rate(s, t + 0.5 * h, x, k));  // k2
  axpy(n, sum, 2, k, sum);
  axpy(n, y, 0.5 * h, k, x);
  SAR_TRY(sar_stage_rate(s, t + 0.5 * h, x, k));  // k3
  axpy(n, sum, 2, k, sum);
  axpy(n, y, h, k, x);
  SAR_TRY(sar_stage_rate(s, s->stop, x, k));  // k4
  axpy(n, sum, 1, k, sum);
  axpy(n, y, h / 6, sum, y);
  return sar_stage_land(s, s->stop, y);
}

static SarStatus step(SarSim* s) {
  int n = sar_stage_size(s->m);
  SarMark mark = sar_mark(s);
  double *y = sar_push_doubles(s, n), *x = sar_push_doubles(s, n);
  double *k = sar_push_doubles(s, n), *sum = sar_push_doubles(s, n);
  SarStatus st = sum ? stages(s, s->stop - s->start.t, y, x, k, sum) : SAR_NO_SCRATCH;
  sar_pop(s, mark);
  return st;
}

static size_t stack_size(const SarModel* m) { return 4 * sar_doubles((size_t)sar_stage_size(m)); }

const SarIntegrator sar_integrator_rk4 = {
    .name = "rk4",
    .doc = "classical Runge-Kutta: fixed steps, order 4",
    .ref = "Hairer, Norsett and Wanner 1993, sec. II.1",
    .order = 4,
    .serves = SAR_FOR_ACCEL,
    .use = SAR_USE_TRIAL,
    .can_fix = true,
    .stack_size = stack_size,
    .step = step,
};
