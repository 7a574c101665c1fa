// Implicit steps in relative coordinates (relative.h).
#include "formulations/implicit/relative.h"

#include "base/pieces.h"
#include "dynamics/displacement.h"

#include <math.h>
#include <string.h>

size_t sar_relative_size(const SarModel* m, bool forces) {
  return 4 * sar_doubles((size_t)m->nv) + 2 * sar_doubles((size_t)m->nrow) +
         sar_rounded(sar_augmented_size(m, forces));
}

void sar_relative_cut(SarRelative* p, const SarSim* s, bool forces, unsigned char** memory) {
  const size_t nv = (size_t)s->m->nv * sizeof(double), nrow = (size_t)s->m->nrow * sizeof(double);
  p->x = sar_cut(memory, nv);
  p->r = sar_cut(memory, nv);
  p->A0 = sar_cut(memory, nv);
  p->A = sar_cut(memory, nv);
  p->multiplier = sar_cut(memory, nrow);
  p->e = sar_cut(memory, nrow);
  // all rows act: multipliers of redundant ones only share the load
  sar_augmented_init(&p->system, s->m, forces, s->row_order, s->m->nrow, *memory);
  sar_cut(memory, sar_augmented_size(s->m, forces));
}

SarStatus sar_relative_accel(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_relative_evaluate(s);
  sar_update_constraint_rates(m, d);
  SAR_TRY(sar_augmented_factor(&p->system, m, d));
  sar_rnea(m, d, NULL, p->r);
  for (int i = 0; i < m->nv; i++) p->r[i] = d->tau[i] - p->r[i];
  SAR_TRY(sar_augmented_solve(&p->system, m, d, p->r));
  sar_update_constraint_work(m, d);
  return SAR_OK;
}

void sar_relative_regroup(SarSim* s) { (void)s; }

void sar_relative_begin(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  p->rates = sar_scheme_rates(&s->scheme, s->stop - s->start.t);
  if (s->restart) {
    memcpy(p->A, s->start.a, nv * sizeof *p->A);
    if (nrow > 0) memcpy(p->multiplier, s->d->lambda, nrow * sizeof *p->multiplier);
  }
  memcpy(p->A0, p->A, nv * sizeof *p->A);
  sar_scheme_predict(p->rates.h, m->nv, s->start.v, s->start.a, p->x);
  s->d->t = fmin(s->stop, s->t_high);
}

void sar_relative_move(SarRelative* p, SarSim* s) {
  SarData* d = s->d;
  sar_displace(s, p->x, d->q);
  sar_expect_cuts(s, p->rates.h, d->q);
  sar_scheme_end(&s->scheme, p->rates.h, s->m->nv, p->x, s->start.v, s->start.a, p->A0, d->v, d->a,
                 p->A);
}

void sar_relative_evaluate(SarSim* s) {
  s->stats.calls++;
  sar_update_kinematics(s->m, s->d);
  sar_update_forces(s->m, s->d);
  sar_update_constraints(s->m, s->d);
}

void sar_relative_residual(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_rnea(m, d, d->a, p->r);
  for (int i = 0; i < m->nv; i++) p->r[i] = d->tau[i] - p->r[i];
  sar_constraint_add_transposed(m, d, -1, d->lambda, p->r);
}

static const double SHARE = 1e-5;     // of the accelerations: what an iteration may leave
static const double SHRINKING = 0.3;  // an increment over the one before
static const double FLOOR = 1e-13;    // rounding of positions [m or rad]

bool sar_relative_is_converged(const SarRelative* p, const SarSim* s, double moved, double before) {
  const double most = s->options.newton_tolerance;
  int unused;
  if (!(moved <= most)) return false;
  const double share = SHARE * sar_largest(s->m->nv, s->d->a, &unused) / p->rates.a;
  return moved <= fmax(share, FLOOR) || moved > SHRINKING * before;
}

void sar_relative_finish(SarRelative* p, SarSim* s, int iterations) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_update_constraint_work(m, d);
  for (int i = 0; i < m->nwork; i++)
    d->work[i] = s->start.work[i] + 0.5 * p->rates.h * (s->start.power[i] + d->work_rate[i]);
  d->t = s->stop;
  s->stats.iterations += iterations;
  if (iterations > s->stats.iterations_max) s->stats.iterations_max = iterations;
}

double sar_largest(int n, const double* x, int* which) {
  double most = 0;
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i]) <= most)) most = fabs(x[i]), *which = i;
  return most;
}
