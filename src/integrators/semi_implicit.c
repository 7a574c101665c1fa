// Semi-implicit (symplectic) Euler: order 1, one evaluation a step.
//
//   v1 = v0 + h a(t0, q0, v0),   q1 = q0 (+) h v1,   z1 = z0 + h rate(t0, q0, v0, z0)
//
// Without damping and driving it keeps the energy within O(h) for ever (Hairer, Lubich and Wanner,
// Geometric Numerical Integration, 2006, sec. I.1 and VI.3), the reason for its use in real time.
// Work is taken by the trapezoidal rule from powers that are at hand anyway.
#include "integrators/stage.h"

static SarStatus step(SarSim* s) {
  const SarModel* m = s->m;
  const SarInstant* p = &s->start;
  double h = s->stop - p->t;
  SarMark mark = sar_mark(s);
  double* y = sar_push_doubles(s, sar_stage_size(m));
  if (!y) return SAR_NO_SCRATCH;
  double *xi = y, *v = y + m->nv, *z = y + sar_stage_states(m), *work = y + sar_stage_work(m);

  for (int i = 0; i < m->nv; i++) {
    v[i] = p->v[i] + h * p->a[i];
    xi[i] = h * v[i];
  }
  for (int i = 0; i < m->nz; i++) z[i] = p->z[i] + h * p->z_rate[i];
  for (int i = 0; i < m->nwork; i++) work[i] = p->work[i];
  SarStatus st = sar_stage_land(s, s->stop, y);
  for (int i = 0; i < m->nwork; i++) s->d->work[i] += 0.5 * h * (p->power[i] + s->d->work_rate[i]);
  sar_pop(s, mark);
  return st;
}

static size_t stack_size(const SarModel* m) { return sar_doubles((size_t)sar_stage_size(m)); }

const SarIntegrator sar_integrator_semi_implicit = {
    .name = "semi-implicit",
    .doc = "symplectic Euler: fixed steps, one evaluation each, energy bounded",
    .ref = "Hairer, Lubich and Wanner 2006, sec. VI.3",
    .order = 1,
    .serves = SAR_FOR_ACCEL,
    .use = SAR_USE_TRIAL,
    .can_fix = true,
    .stack_size = stack_size,
    .step = step,
};
