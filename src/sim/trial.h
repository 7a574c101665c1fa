// Trials of formulations and integrators on the model itself (work-precision), for sar_choose: a
// tight run to judge by, then each pairing over the same steps, timed and judged; and the rule that
// picks one of them.
#pragma once
#include "model/sim.h"

enum { SAR_TRIAL_STEPS = 200 };  // at most

// Same for all pairings.
typedef struct SarTrialPlan {
  const SarModel* m;
  const SarData* d;     // where the trial begins
  SarSimOptions o;      // of the caller, fixed steps
  double accuracy;      // error that is good enough
  double step;          // s
  int steps;            // as many as the tight run got through
  double* q;            // steps x nq: where the tight run is after each step
  double* size;         // nq: how far each coordinate moves, to measure its error by
  double largest_size;  // of these [m or rad]
  double energy_size;   // J that move
} SarTrialPlan;

// The tight run. p->m, d, o, accuracy are given; p->q and size are allocated here, for
// sar_trial_end.
SarStatus sar_trial_begin(SarTrialPlan* p, SarError* err);
void sar_trial_end(SarTrialPlan* p);
// One pairing, named in *t. Fills the rest; SAR_NOT_OFFERED: it does not run this model.
SarStatus sar_trial_run(const SarTrialPlan* p, SarTrial* t);

// Accurate enough is an error up to `accuracy`; where no trial is so good, up to three times the
// least error. Of these, and those whose worst step meets the deadline (0: none), the one with the
// smallest median: a later one must be 10 % cheaper than an earlier one. Returns its index; -1:
// none meets the deadline, and *fastest is the one that comes nearest; -2: none gets through.
enum { SAR_PICK_LATE = -1, SAR_PICK_NONE = -2 };
int sar_trial_pick(const SarTrial* t, int count, double deadline, double accuracy, int* fastest);
// Why t[chosen], in one line.
void sar_trial_words(const SarChoice* c, double accuracy, char* out, size_t size);

// Is it for sar_choose to decide? There is a deadline, or "auto" is asked for by name and steps are
// fixed: by an option or by an integrator that takes such steps.
bool sar_trial_is_due(const SarModel* m, const SarSimOptions* o, double deadline);
