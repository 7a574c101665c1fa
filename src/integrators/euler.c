// Explicit Euler: order 1, one evaluation a step.
//
//   v1 = v0 + h a(t0, q0, v0),   q1 = q0 (+) h v0,   z1 = z0 + h rate(t0, q0, v0, z0)
//
// Here for comparison with papers and with controllers that use it (Uchida and McPhee 2012): it
// gives energy to what swings, and the semi-implicit rule costs the same.
#include "integrators/stage.h"

static SarStatus step(SarSim* s) {
  const SarModel* m = s->m;
  const SarInstant* p = &s->start;
  const double h = s->stop - p->t;
  SarMark mark = sar_mark(s);
  double* y = sar_push_doubles(s, sar_stage_size(m));
  if (!y) return SAR_NO_SCRATCH;
  double *xi = y, *v = y + m->nv, *z = y + sar_stage_states(m), *work = y + sar_stage_work(m);

  for (int i = 0; i < m->nv; i++) {
    v[i] = p->v[i] + h * p->a[i];
    xi[i] = h * p->v[i];
  }
  for (int i = 0; i < m->nz; i++) z[i] = p->z[i] + h * p->z_rate[i];
  for (int i = 0; i < m->nwork; i++) work[i] = p->work[i] + h * p->power[i];
  const SarStatus st = sar_stage_land(s, s->stop, y);
  sar_pop(s, mark);
  return st;
}

static size_t stack_size(const SarModel* m) { return sar_doubles((size_t)sar_stage_size(m)); }

const SarIntegrator sar_integrator_euler = {
    .name = "euler",
    .doc = "explicit Euler: fixed steps, one evaluation each; for comparison",
    .ref = "Hairer, Norsett and Wanner 1993, sec. I.7",
    .order = 1,
    .serves = SAR_FOR_ACCEL,
    .can_fix = true,
    .stack_size = stack_size,
    .step = step,
};
