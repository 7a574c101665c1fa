// Overruns: why a frame was not done before the next tick, and what follows from it.
//
// A frame begins `backlog` behind its tick where frames before it were late, else `latency` behind
// it, exchanges, and computes; what the steps take by the clock beyond their CPU time had something
// else on the processor:
//   late = backlog + latency + exchange + cpu + (wall - cpu) - period > 0
// Computation is to blame where it alone is too long, else whatever took longest; page faults where
// that was something they can have been in, and there were some since they were last counted.
// Whether it was really the computation is asked once more behind the run (again.h).
#include "realtime/again.h"

#include "base/print.h"

#include <math.h>

enum { PATIENCE = 32 };            // times `calm`, at most
static const double HELPED = 4.0;  // times `calm`: a climb that lasted so long was not in vain

SarRtCause sar_rt_cause(const SarRtOverrun* x, double period, long faults) {
  const double part[SAR_RT_CAUSES] = {[SAR_RT_WAKE] = x->latency,
                                      [SAR_RT_IO] = x->exchange,
                                      [SAR_RT_PREEMPTED] = x->step_wall - x->step_cpu,
                                      [SAR_RT_BACKLOG] = x->backlog};
  if (x->step_cpu > period) return SAR_RT_COMPUTATION;
  SarRtCause cause = SAR_RT_WAKE;
  for (int c = 0; c < SAR_RT_CAUSES; c++)
    if (part[c] > part[cause]) cause = (SarRtCause)c;
  const bool inside = cause == SAR_RT_IO || cause == SAR_RT_PREEMPTED;
  return faults > 0 && inside ? SAR_RT_FAULT : cause;
}

// ---- policies -----------------------------------------------------------------------------------

// The first tick that is still to come is the next one.
static void skip(SarRealtime* rt, long long end) {
  const long long next = (long long)ceil((double)(end - rt->base) / rt->period_ns);
  if (next <= rt->live.tick) return;
  rt->live.skipped += next - rt->live.tick;
  rt->live.tick = next;
}

static void slip(SarRealtime* rt, long long end, long long due) {
  rt->base += end - due;
  rt->live.slipped += 1e-9 * (double)(end - due);
}

static void stop(SarRealtime* rt, const SarRtOverrun* x) {
  rt->status = SAR_STOPPED;
  sar_snprintf(
      rt->trouble, sizeof rt->trouble,
      "at t = %.9g: frame %lld was %.3g us late (%s: steps %.3g us of CPU time, %.3g us by the "
      "clock; wake-up %.3g us, exchange %.3g us), and overruns are to stop the run",
      x->time, x->frame, 1e6 * x->late, sar_rt_cause_name(x->cause), 1e6 * x->step_cpu,
      1e6 * x->step_wall, 1e6 * x->latency, 1e6 * x->exchange);
}

// Does it help to compute less? Not where the system was late by itself, nor for what is still owed
// to others.
static bool is_helped(SarRtCause cause) {
  return cause == SAR_RT_COMPUTATION || cause == SAR_RT_PREEMPTED || cause == SAR_RT_IO;
}

// Where a climb was in vain, the next one waits twice as long.
static void step_down(SarRealtime* rt, const SarRtOverrun* x) {
  SarLive* v = &rt->live;
  if (!is_helped(x->cause) || v->rung + 1 == rt->rungs) return;
  const double lasted = (double)(v->number - rt->calm_since) * rt->period;
  if (v->up > 0 && lasted < HELPED * rt->o.calm && rt->patience < PATIENCE) rt->patience *= 2;
  v->rung++;
  v->down++;
}

// Late frames follow each other at once, unless they are too far behind.
static void catch_up(SarRealtime* rt, long long end, long long due) {
  if (1e-9 * (double)(end - due) > rt->o.behind) skip(rt, end);
}

void sar_rt_overrun(SarRealtime* rt, SarRtOverrun* x, long long end, long long due) {
  SarLive* v = &rt->live;
  const long faults = rt->clock.faults(rt->clock.context);
  x->cause = sar_rt_cause(x, rt->rung[v->rung].ticks * rt->period, faults - rt->faults_known);
  rt->faults_known = faults;
  v->overruns++;
  v->by[x->cause]++;
  x->again = (double)NAN;
  if (v->kept < SAR_RT_KEPT_OVERRUNS) {
    if (x->cause == SAR_RT_COMPUTATION) sar_again_overrun(rt->again, rt, v->kept);
    v->overrun[v->kept++] = *x;
  }
  switch (rt->o.policy) {
    case SAR_RT_SKIP: skip(rt, end); break;
    case SAR_RT_SLIP: slip(rt, end, due); break;
    case SAR_RT_STOP: stop(rt, x); break;
    case SAR_RT_DEGRADE:
      step_down(rt, x);
      catch_up(rt, end, due);
      break;
    case SAR_RT_CATCH_UP: catch_up(rt, end, due); break;
  }
  rt->calm_since = v->number;
}

// ---- and back -----------------------------------------------------------------------------------

// A frame of a rung with long steps ends where those of the rungs above begin.
void sar_rt_in_time(SarRealtime* rt) {
  SarLive* v = &rt->live;
  if (v->rung == 0) return;
  const double calm = (double)(v->number - rt->calm_since) * rt->period;
  if (calm < rt->o.calm * rt->patience) return;
  v->rung--;
  v->up++;
  rt->calm_since = v->number;
}
