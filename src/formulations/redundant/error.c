// What the two-step rule leaves out of a step (local truncation error), for error control.
//
// y = t^3 / 6 through the rule (model/rule.h), with s = H / h and weights of rates that add up to 1
// + past s:
//
//   y_k - rule = C h^3 y_ttt,    C = (1/6 + past s^3 / 6 - b0 / 2 - b2 s^2 / 2) / (b0 + b1 + b2)
//
// which is -1/12 for the trapezoidal rule at any step. For positions y_ttt is a', for velocities
// a'', for states the second derivative of their rates: by divided differences of rates at the end,
// the start, and where the step before began. Where there was none, a'' is taken for a'/h: more
// than it is, so that runs begin with care.
//
// Source: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I (1993), sec. III.2.
#include "formulations/redundant/momenta.h"

static double constant(const SarRuleWeights* w, double s) {
  const double left = 1 + w->past * s * s * s - 3 * (w->b0 + w->b2 * s * s);
  return left / (6 * (w->b0 + w->b1 + w->b2));
}

// Second derivative of what has rates r2, r0, r1; H = 0: r2 is not known.
static double bend(double r2, double r0, double r1, double H, double h) {
  const double slope = (r1 - r0) / h;
  return H > 0 ? 2 * (slope - (r0 - r2) / H) / (h + H) : slope / h;
}

void sar_momenta_estimate(SarMomenta* p, const SarSim* s) {
  const SarModel* m = s->m;
  const SarData* d = s->d;
  const double h = p->h, H = s->restart ? 0 : *p->length;
  const double all = constant(&p->rule, H / h) * h * h * h;
  double *of_x = p->error, *of_v = of_x + m->nv, *of_z = of_v + m->nv;
  for (int i = 0; i < m->nv; i++) {
    of_x[i] = all * (d->a[i] - s->start.a[i]) / h;
    of_v[i] = all * bend(p->a2[i], s->start.a[i], d->a[i], H, h);
  }
  for (int i = 0; i < m->nz; i++)
    of_z[i] = all * bend(s->z_rate_before[i], s->start.z_rate[i], d->z_rate[i], H, h);
}
