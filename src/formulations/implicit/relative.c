// Implicit steps in relative coordinates (relative.h).
#include "formulations/implicit/relative.h"

#include "base/pieces.h"
#include "dynamics/displacement.h"

#include <math.h>
#include <string.h>

enum { ORDERS = 3 };  // of the predictor

size_t sar_relative_size(const SarModel* m, bool forces) {
  return 3 * sar_doubles((size_t)m->nv) + sar_doubles((size_t)m->nrow) +
         sar_rounded(sar_augmented_size(m, forces));
}

void sar_relative_cut(SarRelative* p, const SarSim* s, bool forces, unsigned char** memory) {
  const size_t nv = (size_t)s->m->nv * sizeof(double), nrow = (size_t)s->m->nrow * sizeof(double);
  p->x = sar_cut(memory, nv);
  p->r = sar_cut(memory, nv);
  p->A = sar_cut(memory, nv);
  p->e = sar_cut(memory, nrow);
  // all rows act: multipliers of redundant ones only share the load
  sar_augmented_init(&p->system, s->m, forces, s->row_order, s->m->nrow, *memory);
  sar_cut(memory, sar_augmented_size(s->m, forces));
}

void sar_relative_declare(SarRelative* p, SarSim* s) {
  sar_state_doubles(s, "step.length", &p->h, 1);
  sar_state_doubles(s, "step.A0", &p->A0, s->m->nv);
  sar_state_doubles(s, "step.A1", &p->A1, s->m->nv);
  sar_state_doubles(s, "step.A2", &p->A2, s->m->nv);
  sar_state_ints(s, "step.known", &p->known, 1, ORDERS);
  sar_state_ints(s, "step.order", &p->order, 1, ORDERS - 1);
  sar_state_doubles(s, "step.multiplier", &p->multiplier, s->m->nrow);
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

// ---- predictor ----------------------------------------------------------------------------------
//
// Accelerations at the end of the step, extrapolated from those of steps of the same length:
//
//   A0,   2 A0 - A1,   3 A0 - 3 A1 + A2
//
// The higher the order, the closer to a smooth motion and the farther from one that rattles; so that
// one is taken which would have been the best in the step before.

static const double SAME = 1e-6;  // lengths of steps that the clock meant to be equal

static double extrapolated(const SarRelative* p, int order, int i) {
  switch (order) {
    case 0: return p->A0[i];
    case 1: return 2 * p->A0[i] - p->A1[i];
    default: return 3 * (p->A0[i] - p->A1[i]) + p->A2[i];
  }
}

// After a step: which order would have come closest to A?
static int best_order(const SarRelative* p, int nv) {
  double least = HUGE_VAL;
  int best = 0;
  for (int order = 0; order < *p->known; order++) {
    double off = 0;
    for (int i = 0; i < nv; i++) off = fmax(off, fabs(p->A[i] - extrapolated(p, order, i)));
    if (off < least) least = off, best = order;
  }
  return best;
}

static void predict(SarRelative* p, const SarSim* s) {
  const int nv = s->m->nv;
  for (int i = 0; i < nv; i++) p->r[i] = extrapolated(p, *p->order, i);
  sar_scheme_predict(&s->scheme, p->rates.h, nv, s->start.v, p->A0, p->r, p->x);
}

// A becomes A0, and what was before goes one step back.
static void shift_history(SarRelative* p, size_t bytes) {
  memcpy(p->A2, p->A1, bytes);
  memcpy(p->A1, p->A0, bytes);
  memcpy(p->A0, p->A, bytes);
  if (*p->known < ORDERS) ++*p->known;
}

void sar_relative_begin(SarRelative* p, SarSim* s) {
  const SarModel* m = s->m;
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  const double h = s->stop - s->start.t;
  const bool same_length = fabs(h - *p->h) <= SAME * h;
  p->rates = sar_scheme_rates(&s->scheme, h);
  if (s->restart) {
    memcpy(p->A0, s->start.a, nv * sizeof *p->A0);
    if (nrow > 0) memcpy(p->multiplier, s->d->lambda, nrow * sizeof *p->multiplier);
  }
  // a step of another length begins a new history
  if (!same_length || s->restart) *p->known = 1;
  if (*p->order >= *p->known) *p->order = *p->known - 1;
  predict(p, s);
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

bool sar_relative_is_small(const SarRelative* p, const SarSim* s, double error) {
  int unused;
  if (!(error <= s->options.newton_tolerance)) return false;
  const double share = SHARE * sar_largest(s->m->nv, s->d->a, &unused) / p->rates.a;
  return error <= fmax(share, FLOOR);
}

bool sar_relative_is_converged(const SarRelative* p, const SarSim* s, double moved, double before) {
  if (!(moved <= s->options.newton_tolerance)) return false;
  return moved > SHRINKING * before || sar_relative_is_small(p, s, moved);
}

void sar_relative_finish(SarRelative* p, SarSim* s, int iterations) {
  *p->order = best_order(p, s->m->nv);
  *p->h = p->rates.h;
  shift_history(p, (size_t)s->m->nv * sizeof *p->A);
  sar_relative_book(p, s, iterations);
}

void sar_relative_book(const SarRelative* p, SarSim* s, int iterations) {
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
