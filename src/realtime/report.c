// What a real-time run counts: handed out by the loop where somebody asks, and made a report.
#define _GNU_SOURCE  // RUSAGE_THREAD
#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "realtime/again.h"
#include "realtime/outside.h"
#include "realtime/realtime.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

// ---- by the loop --------------------------------------------------------------------------------

void sar_rt_count(const SarRealtime* rt, SarLive* v, const struct rusage* before) {
  struct rusage now;
  v->allocations = sar_alloc_taken() - rt->allocations_before;
  v->faults = rt->clock.faults(rt->clock.context) - rt->faults_before;
  getrusage(RUSAGE_THREAD, &now);
  v->switches_waiting = now.ru_nvcsw - before->ru_nvcsw;
  v->switches_forced = now.ru_nivcsw - before->ru_nivcsw;
  v->steps = v->unsettled = 0;
  for (int k = 0; k < rt->rungs; k++) {
    const SarStats *z = &rt->rung[k].s->stats, *then = &rt->rung[k].before;
    v->steps += z->steps - then->steps;
    v->unsettled += z->unsettled_steps - then->unsettled_steps;
    v->unsettled_speed = fmax(v->unsettled_speed, z->unsettled_speed);
    if (z->iterations_max > v->iterations_max) v->iterations_max = z->iterations_max;
  }
}

void sar_rt_hand_out(SarRealtime* rt, const struct rusage* before) {
  sar_rt_count(rt, &rt->live, before);
  rt->copy = rt->live;
  atomic_store(&rt->wanted, 0);
  atomic_store(&rt->given, 1);
}

// ---- by those who ask ---------------------------------------------------------------------------

// A copy within a frame or two; where the run ends meanwhile, or is not begun, the counters
// themselves.
static void get_copy(SarRealtime* rt) {
  const struct timespec nap = {.tv_nsec = 1000000};
  atomic_store(&rt->given, 0);
  atomic_store(&rt->wanted, 1);
  while (!atomic_load(&rt->given) && atomic_load(&rt->state) == SAR_LOOP_RUNS)
    nanosleep(&nap, NULL);
  atomic_store(&rt->wanted, 0);
  if (atomic_load(&rt->state) != SAR_LOOP_RUNS) rt->copy = rt->live;
}

static SarRtSpread spread_of(const SarLive* v, SarRtTimes which) {
  const SarStepTimes* h = &v->times[which];
  return (SarRtSpread){.count = h->count,
                       .median = sar_step_times_share(h, 0.5),
                       .p90 = sar_step_times_share(h, 0.9),
                       .p99 = sar_step_times_share(h, 0.99),
                       .p999 = sar_step_times_share(h, 0.999),
                       .p9999 = sar_step_times_share(h, 0.9999),
                       .worst = h->worst,
                       .worst_time = h->worst_at,
                       .worst_frame = v->worst_frame[which]};
}

static void report_ladder(const SarRealtime* rt, const SarLive* v, SarRtReport* p) {
  for (int k = 0; k < rt->rungs; k++) {
    const SarRung* r = &rt->rung[k];
    p->ladder[k] = (SarRtRung){.formulation = r->s->formulation->name,
                               .integrator = r->s->integrator->name,
                               .step = r->s->options.step,
                               .max_iterations = r->s->options.max_iterations,
                               .tried_median = r->median,
                               .tried_error = r->distance,
                               .frames = v->rung_frames[k]};
  }
}

static void report(const SarRealtime* rt, const SarLive* v, SarRtReport* p) {
  *p = (SarRtReport){.running = atomic_load(&rt->state) == SAR_LOOP_RUNS,
                     .trouble = rt->trouble,
                     .period = rt->period,
                     .start_time = rt->start_time,
                     .time = v->frames > 0 ? v->time : rt->start_time,
                     .end_wanted = rt->end,
                     .elapsed = v->elapsed,
                     .frames = v->frames,
                     .steps = v->steps,
                     .overruns = v->overruns,
                     .skipped = v->skipped,
                     .slipped = v->slipped,
                     .behind = v->behind,
                     .behind_most = v->behind_most,
                     .page_faults = v->faults,
                     .allocations = v->allocations,
                     .switches_waiting = v->switches_waiting,
                     .switches_forced = v->switches_forced,
                     .rung = v->rung,
                     .rungs = rt->rungs,
                     .rungs_down = v->down,
                     .rungs_up = v->up,
                     .kept = v->kept,
                     .unsettled_steps = v->unsettled,
                     .unsettled_speed = v->unsettled_speed,
                     .iterations_max = v->iterations_max,
                     .locked = rt->locked,
                     .pinned = rt->pinned,
                     .scheduled = rt->scheduled,
                     .core = rt->core};
  p->status = p->running ? SAR_OK : rt->status;
  for (int k = 0; k < SAR_RT_CAUSES; k++) p->overruns_by[k] = v->by[k];
  for (int k = 0; k < SAR_RT_TIMES; k++) p->times[k] = spread_of(v, (SarRtTimes)k);
  for (int k = 0; k < v->kept; k++) p->overrun[k] = v->overrun[k];
  report_ladder(rt, v, p);
  if (rt->outside) sar_outside_counts(rt->outside, &p->recorded, &p->record_dropped);
}

SAR_API SarStatus sar_rt_report_sized(SarRealtime* rt, SarRtReport* out, size_t size) {
  SAR_GIVEN(rt && out);
  SarRtReport full;
  pthread_mutex_lock(&rt->reporting);
  if (atomic_load(&rt->state) == SAR_LOOP_ENDED) sar_again_judge(rt->again, rt);
  get_copy(rt);
  report(rt, &rt->copy, &full);
  pthread_mutex_unlock(&rt->reporting);
  sar_give(out, size, &full, sizeof full);
  return SAR_OK;
}

SAR_API int sar_rt_histogram(const SarRealtime* rt, SarRtTimes which, double* from, long* count,
                             int most) {
  if (!rt || (unsigned)which >= SAR_RT_TIMES) return 0;
  const SarStepTimes* h = &rt->copy.times[which];
  int n = 0;
  for (int k = 0; k < SAR_TIME_OCTAVES * SAR_TIME_SHARES; k++) {
    if (h->bin[k] == 0) continue;
    if (n < most && from) from[n] = sar_step_times_from(k);
    if (n < most && count) count[n] = h->bin[k];
    n++;
  }
  return n;
}

SAR_API const SarData* sar_rt_data(const SarRealtime* rt) {
  return rt && atomic_load(&rt->state) != SAR_LOOP_RUNS ? rt->d : NULL;
}

SAR_API const char* sar_rt_port_words(SarRealtime* rt, int port, char* text, size_t size) {
  if (!rt || !rt->outside || !text || size == 0 || atomic_load(&rt->state) == SAR_LOOP_RUNS)
    return NULL;
  return sar_outside_words(rt->outside, port, text, size);
}
