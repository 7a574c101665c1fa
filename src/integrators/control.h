// Step size control by local error (proportional-integral), shared by the adaptive integrators:
// which step to try, whether it was good enough, which one to try next.
#pragma once
#include "model/sim.h"

// Attempts at one step before giving up: even at the smallest cut each this spans 1e12.
enum { SAR_MAX_ATTEMPTS = 64 };
// Longest step if the options give none [s]: a model at rest must not run away to infinite times.
#define SAR_LONGEST_STEP 1e9
// Shortest step by impulses, over the longest: so a frame of real time is a bounded number of
// steps.
#define SAR_SHORTEST_SHARE 0.05
// Steps while the state chatters, over options.step.
#define SAR_CHATTER_STEP 0.1

typedef struct SarAttempt {
  double h, t_end;  // t_end is exactly s->stop when the step lands there
  double proposal;  // what the control asked for before it was fitted to s->stop
  bool rejected;    // an attempt at this step has failed
} SarAttempt;

// The first attempt: the last proposal (or options.step), fitted to s->stop.
SarAttempt sar_attempt_first(SarSim* s);
// After a step that is not repeated, by impulses: proposes the next one, from how much the
// accelerations have changed in it, within bounds (SAR_SHORTEST_SHARE of options.max_step up to all
// of it).
SarStatus sar_attempt_learn(SarSim* s, const SarAttempt* a);
// Largest error over its tolerance, atol + rtol |x| (rotations: |x| = 1), of the estimates
// e = (e_xi, e_v, e_z), less what a projection takes out; d is evaluated at the end of the step.
// Notes the coordinate in s->worst (a state: nv + its number). NaN if any is.
double sar_attempt_error(SarSim* s, double h, double* e);
// Good enough (error <= 1)? Then the next step is proposed; the estimate shrinks as h^k. d is
// evaluated at the end. Also good: a step across a kink that will be located (s->locate), and any
// step while the state chatters (clock.unchecked).
bool sar_attempt_is_good(SarSim* s, const SarAttempt* a, double error, int k);
// Not good: a smaller one. `why` is what the evaluation said, error counts if that was SAR_OK. When
// no smaller step is left: `why`, SAR_NOT_FINITE or SAR_STEP_TOO_SMALL.
SarStatus sar_attempt_reject(SarSim* s, SarAttempt* a, SarStatus why, double error, int k);
