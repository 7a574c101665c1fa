// The explicit midpoint rule: order 2, two evaluations a step.  y1 = y + h f(t + h/2, y + h/2 f(t,
// y))
//
// An integrator as one file and one line, see tools/check-plugins.
#include "integrators/stage.h"

static SarStatus step(SarSim* s) {
  const int n = sar_stage_size(s->m);
  const double h = s->stop - s->start.t;
  const SarMark mark = sar_mark(s);
  double *y = sar_push_doubles(s, n), *x = sar_push_doubles(s, n), *k = sar_push_doubles(s, n);
  SarStatus st = k ? SAR_OK : SAR_NO_SCRATCH;
  if (st == SAR_OK) {
    sar_stage_first(s, y, k);
    for (int i = 0; i < n; i++) x[i] = y[i] + 0.5 * h * k[i];
    st = sar_stage_rate(s, s->start.t + 0.5 * h, x, k);
  }
  if (st == SAR_OK) {
    for (int i = 0; i < n; i++) y[i] += h * k[i];
    st = sar_stage_land(s, s->stop, y);
  }
  sar_pop(s, mark);
  return st;
}

static size_t stack_size(const SarModel* m) { return 3 * sar_doubles((size_t)sar_stage_size(m)); }

const SarIntegrator sar_integrator_midpoint = {
    .name = "midpoint",
    .doc = "explicit midpoint rule: fixed steps, order 2",
    .ref = "Hairer, Norsett and Wanner 1993, sec. II.1",
    .order = 2,
    .serves = SAR_FOR_ACCEL,
    .can_fix = true,
    .stack_size = stack_size,
    .step = step,
};
