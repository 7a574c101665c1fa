// Trials (trial.h).
//
// The error of a pairing is the largest of three shares:
//   positions    |q - q_tight| / how far that coordinate moves in the trial, at the end of every
//                step
//   energy       what the audit cannot account for / the energy that moves
//   constraints  how far they stay open / how far anything moves
// Its time is that of each step, the least of several passes: the passes are equal bit for bit, so
// what one of them takes longer is the machine's doing, and what all take is the method's.
#include "sim/trial.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/print.h"
#include "model/room.h"
#include "sim/method.h"
#include "sim/setup.h"
#include "sim/step_times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PASSES = 3, TIGHT_CALLS = 40000, FEWEST_STEPS = 10, SMALL_MODEL = 100 };

static const double ENOUGH_TIME = 0.03;  // passes that took so long are not repeated [s]
static const double HOPELESS = 10;       // error at which a trial ends
static const double SMALL_SHARE = 1e-2;  // of the largest motion: smaller ones are measured by it
static const double AT_REST = 1e-6;      // what counts as motion at all [m, rad; share of energy]

static double magnitude(const SarEnergy* e, const SarEnergy* start) {
  return fmax(e->kinetic, fmax(fabs(e->potential - start->potential), fabs(e->work - start->work)));
}

// ---- the tight run ------------------------------------------------------------------------------

// Up to t, within a bounded number of evaluations.
static SarStatus advance_bounded(SarSim* s, double t) {
  while (s->d->t < t) {
    if (s->stats.calls > TIGHT_CALLS) return SAR_STEP_TOO_SMALL;
    SAR_TRY(sar_step_within(s, t));
  }
  return SAR_OK;
}

// Fewer steps for large models, which take longer for each.
static int steps_for(const SarModel* m) {
  const int steps = SAR_TRIAL_STEPS * SMALL_MODEL / (m->nv > SMALL_MODEL ? m->nv : SMALL_MODEL);
  return steps > FEWEST_STEPS ? steps : FEWEST_STEPS;
}

// Positions after each step, until the end or the first failure: how many steps there are.
static int tight_steps(SarTrialPlan* p, SarSim* s) {
  const int nq = p->m->nq;
  const double begin = s->d->t;
  SarEnergy start, e;
  double* first = p->size;  // q at the start, for now
  memcpy(first, s->d->q, (size_t)nq * sizeof *first);
  if (sar_energy(s->d, &start) != SAR_OK) return 0;
  p->energy_size = fmax(start.kinetic, AT_REST * fabs(start.total));
  const int steps = steps_for(p->m);
  for (int k = 0; k < steps; k++) {
    if (advance_bounded(s, begin + (k + 1) * p->step) != SAR_OK) return k;
    if (sar_energy(s->d, &e) != SAR_OK) return k;
    memcpy(p->q + (size_t)k * (size_t)nq, s->d->q, (size_t)nq * sizeof *p->q);
    p->energy_size = fmax(p->energy_size, magnitude(&e, &start));
  }
  return steps;
}

// How far each coordinate moves from where it starts; those that hardly do are measured by the
// others.
static void measure_motion(SarTrialPlan* p) {
  const int nq = p->m->nq;
  p->largest_size = AT_REST;
  for (int i = 0; i < nq; i++) {
    double moved = 0;
    for (int k = 0; k < p->steps; k++) moved = fmax(moved, fabs(p->q[k * nq + i] - p->size[i]));
    p->size[i] = moved;
    p->largest_size = fmax(p->largest_size, moved);
  }
  for (int i = 0; i < nq; i++) p->size[i] = fmax(p->size[i], SMALL_SHARE * p->largest_size);
}

// A new simulation on a copy of the data where the trial begins.
static SarStatus begin_sim(const SarTrialPlan* p, const SarSimOptions* o, SarData** d, SarSim** s,
                           SarError* err) {
  *s = NULL;
  SAR_TRY(sar_data_new(p->m, d, err));
  SAR_TRY(sar_data_copy(*d, p->d));
  return sar_sim_new(p->m, *d, o, s, err);
}

static void end_sim(SarData* d, SarSim* s) {
  sar_sim_free(s);
  sar_data_free(d);
}

// Warnings are left to the run that follows; errors are not.
static SarStatus tight_run(SarTrialPlan* p, const SarSimOptions* o, char* trouble, size_t size,
                           SarError* err) {
  SarData* d = NULL;
  SarSim* s;
  SarStatus st = begin_sim(p, o, &d, &s, NULL);
  if (st != SAR_OK && d) sar_sim_new(p->m, d, o, &s, err);
  if (st == SAR_OK) {
    p->step = s->options.step;
    p->steps = tight_steps(p, s);
    sar_snprintf(trouble, size, "%s", sar_sim_trouble(s));
  }
  end_sim(d, s);
  return st;
}

// Explicit and of high order first. What is so stiff that this takes for ever gets an implicit
// rule.
static SarStatus tight_runs(SarTrialPlan* p, SarError* err) {
  char trouble[sizeof((SarSim*)0)->trouble] = "";
  SarSimOptions o = sar_reference_options();
  o.step = p->o.step;
  o.rtol = o.atol = fmin(1e-9, fmax(1e-12, 1e-3 * p->accuracy));
  SAR_TRY(tight_run(p, &o, trouble, sizeof trouble, err));
  if (p->steps < FEWEST_STEPS) {
    o.integrator = sar_integrator_for(SAR_USE_STIFF)->name;
    o.rtol = o.atol = fmin(1e-6, 1e-3 * p->accuracy);
    SAR_TRY(tight_run(p, &o, trouble, sizeof trouble, err));
  }
  if (p->steps >= FEWEST_STEPS) return SAR_OK;
  sar_report(err, (SarLoc){0}, "name a formulation and an integrator",
             "no trial: the run with error control to judge by does not get through %d steps of "
             "%g s%s%s",
             FEWEST_STEPS, p->step, trouble[0] ? "; " : "", trouble);
  return SAR_NOT_CONVERGED;
}

SarStatus sar_trial_begin(SarTrialPlan* p, SarError* err) {
  const size_t nq = (size_t)p->m->nq;
  SarStatus st;
  p->q = sar_take_for(p->m, (nq * SAR_TRIAL_STEPS + 1) * sizeof *p->q, "trying methods", &st, err);
  if (!p->q) return st;
  p->size = sar_take_for(p->m, (nq + 1) * sizeof *p->size, "trying methods", &st, err);
  if (!p->size) return st;
  SAR_TRY(tight_runs(p, err));
  measure_motion(p);
  return SAR_OK;
}

void sar_trial_end(SarTrialPlan* p) {
  sar_free(p->q);
  sar_free(p->size);
}

// ---- one pairing --------------------------------------------------------------------------------

static double error_after(const SarTrialPlan* p, SarSim* s, int k, const SarEnergy* start) {
  const int nq = p->m->nq;
  SarEnergy e;
  if (sar_energy(s->d, &e) != SAR_OK) return HUGE_VAL;
  double error = s->stats.position_violation / p->largest_size;
  if (p->energy_size > 0) error = fmax(error, fabs(e.error - start->error) / p->energy_size);
  for (int i = 0; i < nq; i++)
    error = fmax(error, fabs(s->d->q[i] - p->q[k * nq + i]) / p->size[i]);
  return error;
}

// One pass. `judged`: errors too. time[k]: the least so far of step k.
static SarStatus pass(const SarTrialPlan* p, SarSim* s, bool judged, SarTrial* t, double* time) {
  const double begin = s->d->t;
  SarEnergy start;
  SAR_TRY(sar_energy(s->d, &start));
  for (int k = 0; k < p->steps; k++) {
    const double before = sar_clock_cpu();
    SAR_TRY(sar_advance(s, begin + (k + 1) * p->step));
    time[k] = fmin(time[k], sar_clock_cpu() - before);
    if (judged) t->error = fmax(t->error, error_after(p, s, k, &start));
    if (t->error > HOPELESS) break;
  }
  return SAR_OK;
}

static void sort(double* x, int n) {
  for (int i = 1; i < n; i++) {
    const double at = x[i];
    int k = i;
    for (; k > 0 && x[k - 1] > at; k--) x[k] = x[k - 1];
    x[k] = at;
  }
}

// Median and worst of the steps that were made.
static void read_times(SarTrial* t, double* time, int steps) {
  SarStepTimes clock;
  int made = 0;
  sar_step_times_init(&clock, 0);
  while (made < steps && isfinite(time[made])) made++;
  sort(time, made);
  if (made == 0) return;
  t->median = fmax(time[made / 2] - clock.clock, 0);
  t->worst = fmax(time[made - 1] - clock.clock, 0);
}

SarStatus sar_trial_run(const SarTrialPlan* p, SarTrial* t) {
  SarSimOptions o = p->o;
  double time[SAR_TRIAL_STEPS];
  o.formulation = t->formulation;
  o.integrator = t->integrator;
  for (int k = 0; k < SAR_TRIAL_STEPS; k++) time[k] = HUGE_VAL;
  const double before = sar_clock_cpu();
  for (int n = 0; n < PASSES; n++) {
    SarData* d = NULL;
    SarSim* s;
    SarStatus st = begin_sim(p, &o, &d, &s, NULL);
    if (st == SAR_OK) t->status = pass(p, s, n == 0, t, time);
    end_sim(d, s);
    if (st != SAR_OK) return st;
    if (t->status != SAR_OK || t->error > HOPELESS || sar_clock_cpu() - before > ENOUGH_TIME) break;
  }
  if (t->status != SAR_OK) t->error = (double)NAN;
  read_times(t, time, p->steps);
  return SAR_OK;
}
