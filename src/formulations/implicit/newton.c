// Newton's iteration of implicit steps under constraints (index-3 DAE), ended by its rate
// (relative.h).
//
//   G0 dx + Psi' dlambda / a_x = r / a_x,   Psi dx = -Phi           (KKT system, dynamics/saddle.h)
//
// The matrix is factored once a step, and again only where increments shrink slowly. How fast they
// shrink also tells what the last one left, and changes little from step to step: smooth motion
// needs one iteration, and a second one now and then to measure the rate anew. Where first
// increments differ much from step to step (ops.leaps), one that is larger than that from which the
// rate was measured leads farther away from where the matrix was made, and is believed to shrink
// less by as much.
//
// Source: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), sec. IV.8.
#include "formulations/implicit/relative.h"

#include <float.h>
#include <math.h>

static const double CAUTION = 10;  // errors that are only estimated count so many times
// Times the tolerance, as long as the rule's own error is far more.
static const double LOOSER = 100;

void sar_relative_declare_rate(SarRelative* p, SarSim* s) {
  sar_state_doubles(s, "rate", &p->rate, 2);
}

// One Newton iteration: dx and dlambda, added to x and lambda. moved: the largest of dx. solved:
// that is all of it, or dx only closes the loops.
static SarStatus improve(SarRelative* p, SarSim* s, bool factor, double* moved, bool* solved) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const SarStepRates* to = &p->rates;
  double *r = p->r, *e = p->e;
  if (factor) SAR_TRY(p->ops.factor(p, s));
  p->ops.residual(p, s);
  for (int i = 0; i < m->nv; i++) r[i] /= to->a;
  *solved = sar_saddle_solve(&p->saddle, &p->factored, d->Phi, r, e);
  for (int k = 0; k < m->nrow; k++) d->lambda[k] += to->a * e[k];
  for (int i = 0; i < m->nv; i++) p->x[i] += r[i];
  *moved = sar_largest(m->nv, r, p->unit, &s->worst);
  return isfinite(*moved) ? SAR_OK : SAR_NOT_FINITE;
}

// Increments shrink by a factor `rate`: what the last one leaves, as an estimate to be believed.
static double left_after(double moved, double rate) {
  return rate < 1 ? CAUTION * moved * rate / (1 - rate) : HUGE_VAL;
}

// Where x corrects a prediction of the rule's own order it is as large as the error of the step,
// and what is left of it by a small share changes nothing.
static bool is_slight(const SarRelative* p, const SarSim* s, double error) {
  const double tolerance = s->options.newton_tolerance;
  int unused;
  if (!(error <= LOOSER * tolerance) || p->ops.share == 0) return false;
  return error <= p->ops.share * tolerance * sar_largest(s->m->nv, p->x, p->unit, &unused);
}

// Was the predictor off by more than the way of the step? Then this is no step like the last one (a
// strong damper that turns velocities round makes it so in every step), and the rate of that one
// says nothing.
static bool is_astray(const SarRelative* p, const SarSim* s, double moved) {
  int unused;
  return moved > s->options.newton_tolerance &&
         moved > sar_largest(s->m->nv, p->x, p->unit, &unused);
}

// Phi and Psi where d is, no velocities and no forces.
static void evaluate_positions(SarSim* s) {
  s->stats.calls++;
  sar_update_positions(s->m, s->d);
  sar_update_world(s->m, s->d);
  sar_update_constraints(s->m, s->d);
}

static bool is_closed(const SarSim* s) {
  return sar_relative_open(s, s->d->Phi) <= s->options.newton_tolerance;
}

// Ends with the error of x below the tolerance and d evaluated there, what is open being below it
// too. Where a projection follows, velocities and forces are left to it.
SarStatus sar_relative_iterate(SarRelative* p, SarSim* s, int* iterations) {
  double moved = HUGE_VAL, before = HUGE_VAL;
  bool small = false, solved, switched = false;
  const bool friction = p->stiction.count > 0;
  double* rate = p->rate;
  // rate is 1 for want of a measured one, or that of the matrix before
  bool unknown = s->restart && p->ops.leaps;
  *rate = s->restart ? 1 : pow(fmax(*rate, p->ops.least_rate), p->ops.forgetting);
  for (*iterations = 0;; ++*iterations) {
    p->ops.move(p, s);
    if (small && s->m->nrow > 0 && !friction) {
      evaluate_positions(s);
      if (is_closed(s)) return SAR_OK;
      sar_update_velocities(s->m, s->d);
      sar_update_forces_again(s->m, s->d);
    } else {
      sar_relative_evaluate(s);
      const bool more = friction && sar_relative_has_slipped(p, s, &switched);
      if (small && !more && is_closed(s)) return SAR_OK;
      if (switched) *rate = 1;
    }
    if (*iterations >= sar_stiction_iterations(&p->stiction, s->options.max_iterations))
      return SAR_NOT_CONVERGED;
    before = moved;
    const bool slow = !unknown && !(*rate <= p->ops.keep);
    SAR_TRY(improve(p, s, *iterations == 0 || slow, &moved, &solved));
    if (*iterations > 0) unknown = slow && p->ops.leaps;
    if (*iterations > 0) {
      *rate = switched ? 1 : fmax(moved / before, DBL_EPSILON);
      if (*iterations == 1) p->rate[1] = before;
    } else if (p->ops.leaps && moved > p->rate[1]) {
      *rate = p->rate[1] > 0 ? fmin(*rate * moved / p->rate[1], 1) : 1;
    }
    if (!solved || (*iterations == 0 && is_astray(p, s, moved))) *rate = 1, unknown = false;
    small = solved && (sar_relative_is_converged(p, s, moved, before) ||
                       sar_relative_is_small(p, s, left_after(moved, *rate)) ||
                       is_slight(p, s, left_after(moved, *rate)));
  }
}
