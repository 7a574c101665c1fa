// Options of a real-time run: how steps fit into periods, and when it ends.
#include "base/error.h"
#include "base/sized.h"
#include "model/times.h"
#include "realtime/realtime.h"

#include <limits.h>
#include <math.h>

static const double WHOLE = 1e-6;  // of a step: so near is a whole number of them
enum { MOST_STEPS = 10000 };       // in a period, or periods in a step

SAR_API void sar_rt_options_sized(SarRtOptions* out, size_t size) {
  const SarRtOptions o = {.size = size,
                          .rate = 1000,
                          .calm = 1,
                          .behind = 0.1,
                          .scheduling = SAR_RT_FIFO,
                          .priority = 80,
                          .share = 0.8,
                          .core = -1,
                          .lock_memory = true,
                          .digits = 17,
                          .record_every = 1};
  if (out) sar_give(out, size, &o, sizeof o);
}

SAR_API const char* sar_rt_cause_name(SarRtCause cause) {
  static const char* const name[SAR_RT_CAUSES] = {
      "computation", "wake_up", "page_fault", "exchange", "preempted", "backlog", "stolen"};
  return (unsigned)cause < SAR_RT_CAUSES ? name[cause] : "?";
}

static bool is_whole(double x) { return fabs(x - round(x)) < WHOLE * x && x < MOST_STEPS + 0.5; }

bool sar_rt_fit_step(const SarRealtime* rt, double step, int* ticks) {
  const double n = rt->period / step;
  *ticks = 1;
  if (n > 1 - WHOLE && is_whole(n)) return true;
  if (!is_whole(1 / n)) return false;
  *ticks = (int)round(1 / n);
  return true;
}

// What is not given: the file's step, shortened until it is a share of the period.
static SarStatus take_step(SarRealtime* rt, SarError* err) {
  SarSimOptions* o = &rt->sim;
  const double file = rt->m->sim.step, given = o->step;
  if (!(o->step > 0))
    o->step = rt->period / fmax(1, ceil(file > 0 ? rt->period / file - WHOLE : 1));
  o->adaptive = SAR_STEPS_FIXED;
  int ticks;
  if (sar_rt_fit_step(rt, o->step, &ticks) && ticks == 1) return SAR_OK;
  sar_report(err, (SarLoc){0}, "take the period, a half, a third, ... of it",
             "a step of %g s does not go into a period of %g s a whole number of times",
             given > 0 ? given : o->step, rt->period);
  return SAR_BAD_ARGUMENT;
}

double sar_rt_time(const SarRealtime* rt, long long number) {
  const double t = rt->start_time + (double)number * rt->period;
  return t > rt->end - 1e-9 * rt->period ? rt->end : t;
}

static SarStatus take_end(SarRealtime* rt, SarError* err) {
  rt->start_time = rt->d->t;
  const double file = rt->m->sim.end;
  rt->end = rt->o.end > 0 ? rt->o.end : file > 0 ? file : (double)INFINITY;
  rt->last = LLONG_MAX;
  if (isinf(rt->end)) return SAR_OK;
  const double frames = ceil((rt->end - rt->start_time) / rt->period - 1e-9);
  if (frames >= 1 && frames < 9e15) {
    rt->last = (long long)frames;
    return SAR_OK;
  }
  sar_report(err, (SarLoc){0}, "", "the end at %g s is not behind the start at %g s", rt->end,
             rt->start_time);
  return SAR_BAD_ARGUMENT;
}

static SarStatus refuse(SarError* err, const char* what, double value, const char* expected) {
  sar_report(err, (SarLoc){0}, "", "%s is %g: expected %s", what, value, expected);
  return SAR_BAD_ARGUMENT;
}

SarStatus sar_rt_take_options(SarRealtime* rt, SarError* err) {
  const SarRtOptions* o = &rt->o;
  if (!(o->rate > 0) || !sar_time_is_sensible(1 / o->rate) || o->rate > 1e6)
    return refuse(err, "the rate", o->rate, "more than 0 and up to 1e6 Hz");
  if ((unsigned)o->policy > SAR_RT_CATCH_UP)
    return refuse(err, "the policy", o->policy, "a SarRtPolicy");
  if ((unsigned)o->scheduling > SAR_RT_DEADLINE)
    return refuse(err, "the scheduling", o->scheduling, "a SarRtScheduling");
  if (o->priority < 1 || o->priority > 99)
    return refuse(err, "the priority", o->priority, "1 to 99");
  if (!(o->share > 0 && o->share <= 1)) return refuse(err, "the share", o->share, "0 to 1");
  if (!(o->calm > 0)) return refuse(err, "the calm time", o->calm, "a time > 0");
  if (!(o->behind >= 0)) return refuse(err, "the most to be behind", o->behind, "a time");
  if (o->record_every < 1)
    return refuse(err, "the number of frames for a row", o->record_every, "1 or more");
  if (o->ladder_count < 0 || o->ladder_count >= SAR_RT_MAX_RUNGS || (o->ladder_count && !o->ladder))
    return refuse(err, "the number of rungs", o->ladder_count, "0 to 7, and that many of them");
  if (o->clock && !(o->clock->now && o->clock->wait && o->clock->cpu && o->clock->faults))
    return refuse(err, "the clock", 0, "all of its functions");
  rt->period = 1 / o->rate;
  rt->period_ns = 1e9 / o->rate;
  rt->clock = o->clock ? *o->clock : sar_rt_system_clock;
  SAR_TRY(take_step(rt, err));
  return take_end(rt, err);
}
