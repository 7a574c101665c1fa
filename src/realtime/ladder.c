// The ladder of SAR_RT_DEGRADE: methods from the one that is wanted to the cheapest, all made on
// the same state before the start, so that going from one to the next takes no memory: the state
// block has room for the largest of them, and a method that finds another's block begins anew in it
// (sim/state.c).
#include "base/alloc.h"
#include "base/error.h"
#include "realtime/realtime.h"
#include "sim/setup.h"

#include <math.h>

static const double CHEAPER = 0.9;  // of the rung above, at least
static const double FAR = 0.1;      // of the motion: a rung of our own choice departs by less
enum { TRIAL_FRAMES = 100, FEW_FRAMES = 20, LARGE = 100, LEAST_SWEEPS = 4 };

// ---- what to try --------------------------------------------------------------------------------

// Of our own choice: half the sweeps of impulses, again and again; then longer steps, up to two
// periods.
static int propose(const SarRealtime* rt, SarSimOptions* out, int most) {
  const SarSim* s = rt->rung[0].s;
  SarSimOptions o = rt->rung[0].o;
  int n = 0, ticks;
  const bool sweeps = s->formulation->shape == SAR_SHAPE_IMPULSE;
  for (int k = s->options.max_iterations / 2; sweeps && k >= LEAST_SWEEPS && n < most - 2; k /= 2) {
    o.max_iterations = k;
    out[n++] = o;
  }
  for (double step = 2 * o.step; step < 2.5 * rt->period && n < most; step *= 2) {
    o.step = step;
    if (sar_rt_fit_step(rt, o.step, &ticks)) out[n++] = o;
  }
  return n;
}

// ---- trials -------------------------------------------------------------------------------------

static SarStatus open_trial(const SarRealtime* rt, SarRtTrial* t) {
  const int most = rt->m->nv > LARGE ? FEW_FRAMES : TRIAL_FRAMES;
  *t = (SarRtTrial){.frames = rt->last < most ? (int)rt->last : most};
  t->path = sar_alloc(sizeof(double) * (size_t)t->frames * (size_t)(rt->m->nq + 1));
  t->cost = sar_alloc(sizeof(double) * (size_t)t->frames);
  return t->path && t->cost ? SAR_OK : SAR_NO_MEMORY;
}

// Is a rung worth having? Those that the program asks for must run; ours must also be near, and
// cheaper.
static bool is_worth(const SarRealtime* rt, const SarRung* rung, bool asked, SarError* err) {
  const SarRung* above = &rt->rung[rt->rungs - 1];
  if (rung->median <= CHEAPER * above->median && (asked || rung->distance <= FAR)) return true;
  if (asked)
    sar_warn(err, (SarLoc){0}, "it stays in the ladder",
             "rung %d takes %.3g us for a period and is no cheaper than the one above, %.3g us",
             rt->rungs, 1e6 * rung->median, 1e6 * above->median);
  return asked;
}

static SarStatus add_rung(SarRealtime* rt, const SarSimOptions* o, bool asked, SarRtTrial* t,
                          SarError* err) {
  SarRung* rung = &rt->rung[rt->rungs];
  *rung = (SarRung){.o = *o};
  if (!sar_rt_fit_step(rt, o->step, &rung->ticks)) {
    sar_report(err, (SarLoc){0}, "take a whole share or a whole multiple of it",
               "rung %d: a step of %g s does not fit a period of %g s", rt->rungs, o->step,
               rt->period);
    return SAR_BAD_ARGUMENT;
  }
  if (rung->ticks > t->frames) return SAR_OK;
  SarError dropped;
  sar_error_init(&dropped);
  const SarStatus st = sar_rt_try(rt, rung, t, false, asked ? err : &dropped);
  if (st == SAR_NO_MEMORY || (st != SAR_OK && asked)) return st;
  if (st != SAR_OK || !is_worth(rt, rung, asked, err)) return SAR_OK;
  SAR_TRY(sar_sim_new(rt->m, rt->d, &rung->o, &rung->s, err));
  rt->rungs++;
  return SAR_OK;
}

static SarStatus add_rungs(SarRealtime* rt, SarRtTrial* t, SarError* err) {
  SarSimOptions own[SAR_RT_MAX_RUNGS];
  const bool asked = rt->o.ladder_count > 0;
  const int n = asked ? rt->o.ladder_count : propose(rt, own, SAR_RT_MAX_RUNGS - 1);
  SAR_TRY(sar_rt_try(rt, &rt->rung[0], t, true, err));
  for (int k = 0; k < n; k++) {
    SarSimOptions o = own[k];
    if (asked) SAR_TRY(sar_sim_options_take(&rt->o.ladder[k], &o, err));
    if (!(o.step > 0)) o.step = rt->sim.step;
    o.adaptive = SAR_STEPS_FIXED;
    SAR_TRY(add_rung(rt, &o, asked, t, err));
  }
  if (rt->rungs == 1)
    sar_warn(err, (SarLoc){0}, "name rungs of your own, or another policy",
             "no cheaper method was found: there is nothing to step down to");
  return SAR_OK;
}

// The first rung comes first, as a run without a ladder would have it; making the others leaves no
// trace.
SarStatus sar_rt_make_ladder(SarRealtime* rt, SarError* err) {
  rt->rung[0] = (SarRung){.o = rt->sim, .ticks = 1};
  SAR_TRY(sar_sim_new(rt->m, rt->d, &rt->sim, &rt->rung[0].s, err));
  rt->rungs = 1;
  SAR_TRY(sar_data_new(rt->m, &rt->first, err));
  SAR_TRY(sar_data_copy(rt->first, rt->d));
  if (rt->o.policy != SAR_RT_DEGRADE) return SAR_OK;
  SarRtTrial t;
  SarStatus st = open_trial(rt, &t);
  if (st == SAR_OK) st = add_rungs(rt, &t, err);
  sar_free(t.path);
  sar_free(t.cost);
  return st == SAR_OK ? sar_data_copy(rt->d, rt->first) : st;
}
