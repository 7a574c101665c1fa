// Error control of implicit steps (controlled.h): attempts as in control.h, each of them a step of
// the formulation, with its own estimate of what the rule leaves out. An attempt that is not good
// leaves no trace: whatever the formulation remembers lies in the block of its state, which is put
// back.
//
// Steps keep their length as long as there is little to gain by another: predictions need steps of
// one length. They grow by less than a factor of 2 at a time, beyond which a two-step rule would
// begin anew (model/rule.h).
#include "sim/controlled.h"

#include "dynamics/projection.h"
#include "formulations/implicit/states.h"
#include "integrators/control.h"
#include "integrators/stage.h"
#include "sim/state.h"

#include <math.h>

enum { ERROR_ORDER = 3 };          // estimates shrink as h^3
static const double GROWS = 1.9;   // times the last step, at most
static const double WORTH = 1.25;  // less is no reason for another length

SarStatus sar_step_with_states(SarSim* s) {
  sar_implicit_states_begin(s);
  return sar_implicit_states_end(s, s->formulation->implicit.step(s));
}

// t_high: of the step to its stop; one that ends before does not come near the kink there.
static SarStatus attempt(SarSim* s, const SarAttempt* a, double stop, double t_high) {
  s->stop = a->t_end;
  s->t_high = a->t_end < stop && !s->still ? (double)INFINITY : t_high;
  return s->m->nz > 0 ? sar_step_with_states(s) : s->formulation->implicit.step(s);
}

// Back to where the step began; multipliers there are those of the accelerations, where a run
// begins.
static SarStatus go_back(SarSim* s) {
  sar_state_retry(s);
  if (!s->restart) return SAR_OK;
  s->stats.calls++;
  s->d->t = fmax(s->d->t, s->t_low);
  const SarStatus st = s->call.accel(s);
  s->d->t = s->start.t;
  return st;
}

static void pace(SarSim* s, const SarAttempt* a) {
  double* next = &s->d->clock.next;
  *next = fmin(*next, GROWS * a->h);
  if (*next >= a->h && *next < WORTH * a->h) *next = a->h;
}

static SarStatus try_steps(SarSim* s, double* e) {
  const double stop = s->stop, t_high = s->t_high;
  SarAttempt a = sar_attempt_first(s);
  for (int i = 0; i < SAR_MAX_ATTEMPTS; i++) {
    double error = 1e3;  // if Newton fails: a tenth of the step
    const SarStatus st = attempt(s, &a, stop, t_high);
    if (st == SAR_OK) {
      s->formulation->implicit.error(s, e);
      // the factor of an earlier step would be a state that nobody copies
      if (s->projection) sar_projection_forget(s->projection);
      error = sar_attempt_error(s, a.h, e);
    }
    if (st == SAR_OK && sar_attempt_is_good(s, &a, error, ERROR_ORDER)) {
      pace(s, &a);
      return SAR_OK;
    }
    SAR_TRY(sar_attempt_reject(s, &a, st, error, ERROR_ORDER));
    SAR_TRY(go_back(s));
  }
  return SAR_STEP_TOO_SMALL;
}

SarStatus sar_step_controlled(SarSim* s) {
  const SarMark mark = sar_mark(s);
  double* e = sar_push_doubles(s, sar_stage_work(s->m));
  if (!e) return SAR_NO_SCRATCH;
  const SarStatus st = try_steps(s, e);
  sar_pop(s, mark);
  return st;
}
