// The loop: wait for the tick, exchange, step, look at the clock. Nothing else: no memory is taken,
// no file touched, no lock held; reading the clock and sleeping are the only calls of the system,
// but for ports that have their own.
#define _GNU_SOURCE  // RUSAGE_THREAD
#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "realtime/again.h"
#include "realtime/outside.h"
#include "realtime/realtime.h"
#include "sim/watch.h"

#include <math.h>
#include <sys/resource.h>

enum { LEAD = 10000000 };  // ns from the start to the first tick: every thread has begun by then

static double seconds(long long ns) { return 1e-9 * (double)ns; }

static long long due_at(const SarRealtime* rt, long long tick) {
  return rt->base + llround((double)tick * rt->period_ns);
}

// ---- the parts of a frame -----------------------------------------------------------------------

SarStatus sar_rt_fill_outputs(SarRealtime* rt) {
  rt->outputs[0] = rt->d->t;
  if (!rt->outside && !rt->o.exchange) return SAR_OK;
  const SarStatus st = sar_outputs(rt->rung[rt->live.rung].s, rt->outputs + 1);
  if (rt->outside && sar_outside_watched(rt->outside))
    sar_watch_fill(rt->d, rt->cpu, (double)rt->live.overruns, rt->outputs + 1 + rt->m->nchannel);
  return st;
}

SarStatus sar_rt_exchange(SarRealtime* rt, long long number, long long now) {
  const SarRtFrame frame = {.number = number,
                            .time = rt->d->t,
                            .clock = now,
                            .outputs = rt->outputs + 1,
                            .inputs = sar_inputs(rt->d)};
  if (rt->outside) sar_outside_exchange(rt->outside, &frame, rt->outputs);
  return rt->o.exchange ? rt->o.exchange(rt->o.context, &frame) : SAR_OK;
}

SarStatus sar_rt_step(SarRealtime* rt, int rung, long long to) {
  return sar_advance(rt->rung[rung].s, sar_rt_time(rt, to));
}

static void note(SarRealtime* rt, SarRtTimes which, double took, const SarRtOverrun* x) {
  SarStepTimes* h = &rt->live.times[which];
  const double worst = h->worst;
  sar_step_times_add(h, took, x->time);
  if (h->worst > worst || h->count == 1) rt->live.worst_frame[which] = x->frame;
}

static void note_times(SarRealtime* rt, const SarRtOverrun* x, bool slept) {
  note(rt, SAR_RT_STEP_CPU, x->step_cpu, x);
  note(rt, SAR_RT_STEP_WALL, x->step_wall, x);
  note(rt, SAR_RT_EXCHANGE, x->exchange, x);
  if (slept) note(rt, SAR_RT_LATENCY, x->latency, x);
}

// How far the simulation is behind what the clock says, where the frame ends.
static void note_behind(SarRealtime* rt, long long end, long long due) {
  SarLive* v = &rt->live;
  v->behind = (double)(v->tick - v->number) * rt->period + v->slipped + fmax(seconds(end - due), 0);
  v->behind_most = fmax(v->behind_most, v->behind);
}

// ---- one frame ----------------------------------------------------------------------------------

// The rung that makes it: one with long steps only where they go before the end.
static int rung_now(const SarRealtime* rt) {
  int r = rt->live.rung;
  while (r > 0 && rt->live.number + rt->rung[r].ticks > rt->last) r--;
  return r;
}

static SarStatus compute(SarRealtime* rt, int r, SarRtOverrun* x, long long from, long long* end) {
  const SarRtClock* c = &rt->clock;
  const long long cpu = c->cpu(c->context);
  SarStatus st = sar_rt_step(rt, r, rt->live.number + rt->rung[r].ticks);
  if (st != SAR_OK)
    sar_snprintf(rt->trouble, sizeof rt->trouble, "%s", sar_sim_trouble(rt->rung[r].s));
  if (st == SAR_OK) st = sar_rt_fill_outputs(rt);
  if (st == SAR_OK && rt->made)
    rt->made(rt->o.context, rt->live.number + rt->rung[r].ticks, rt->outputs + 1);
  rt->cpu = x->step_cpu = seconds(c->cpu(c->context) - cpu);
  *end = c->now(c->context);
  x->step_wall = seconds(*end - from);
  return st;
}

static SarStatus frame(SarRealtime* rt) {
  const SarRtClock* c = &rt->clock;
  SarLive* v = &rt->live;
  const long long due = due_at(rt, v->tick);
  const bool slept = rt->done < due;
  if (slept) c->wait(c->context, due);
  const long long began = c->now(c->context);
  const int r = rung_now(rt);
  SarRtOverrun x = {.frame = v->number, .time = rt->d->t, .rung = r};
  *(slept ? &x.latency : &x.backlog) = fmax(seconds(began - due), 0);
  SAR_TRY(sar_rt_exchange(rt, v->number, began));
  const long long exchanged = c->now(c->context);
  x.exchange = seconds(exchanged - began);
  sar_again_note(rt->again, rt);
  SAR_TRY(compute(rt, r, &x, exchanged, &rt->done));
  v->frames++;
  v->rung_frames[r]++;
  v->number += rt->rung[r].ticks;
  v->tick += rt->rung[r].ticks;
  const long long next = due_at(rt, v->tick);
  x.late = seconds(rt->done - next);
  note_times(rt, &x, slept);
  if (rt->done > next) {
    sar_rt_overrun(rt, &x, rt->done, next);
  } else {
    sar_rt_in_time(rt);
    sar_again_keep(rt->again, rt, next - rt->done);
  }
  note_behind(rt, rt->done, due_at(rt, v->tick));
  return rt->status;
}

// As fast as it goes: no tick to wait for, none to miss.
SarStatus sar_rt_frame_freely(SarRealtime* rt) {
  const SarRtClock* c = &rt->clock;
  SarLive* v = &rt->live;
  const long long began = c->now(c->context);
  SarRtOverrun x = {.frame = v->number, .time = rt->d->t};
  SAR_TRY(sar_rt_exchange(rt, v->number, began));
  const long long exchanged = c->now(c->context);
  x.exchange = seconds(exchanged - began);
  SAR_TRY(compute(rt, 0, &x, exchanged, &rt->done));
  v->frames++;
  v->rung_frames[0]++;
  v->number++;
  v->tick++;
  note_times(rt, &x, false);
  v->elapsed = seconds(rt->done - rt->base);
  v->time = rt->d->t;
  return SAR_OK;
}

// ---- all of them --------------------------------------------------------------------------------

// Where several begin together: when all are there.
static long long common_base(SarRealtime* rt, SarBeat* beat) {
  const SarRtClock* c = &rt->clock;
  const long long now = c->now(c->context);
  if (atomic_fetch_sub(&beat->absent, 1) == 1) atomic_store(&beat->base, now + LEAD);
  long long base;
  while ((base = atomic_load(&beat->base)) == 0 && !atomic_load(&rt->stop))
    c->wait(c->context, c->now(c->context) + LEAD / 100);
  return base ? base : now + LEAD;
}

SarStatus sar_rt_begin(SarRealtime* rt, struct rusage* usage) {
  SarLive* v = &rt->live;
  const SarRtClock* c = &rt->clock;
  const SarStatus st = sar_rt_fill_outputs(rt);
  for (int k = 0; k < SAR_RT_TIMES; k++) {
    sar_step_times_init(&v->times[k], 0);
    if (k != SAR_RT_STEP_CPU || rt->o.clock) v->times[k].clock = 0;
  }
  for (int k = 0; k < rt->rungs; k++) rt->rung[k].before = rt->rung[k].s->stats;
  rt->calm_since = 0;
  rt->patience = 1;
  if (rt->o.on_loop) rt->o.on_loop(rt->o.context, true);
  if (st == SAR_OK && rt->made) rt->made(rt->o.context, 0, rt->outputs + 1);
  sar_again_begin(rt->again, rt);
  (void)c->now(c->context);  // so that the page of the clock itself ([vvar]) is there
  getrusage(RUSAGE_THREAD, usage);
  rt->faults_known = c->faults(c->context);
  rt->faults_before = rt->faults_known;
  rt->allocations_before = sar_alloc_taken();
  const long long now = c->now(c->context);
  rt->base = rt->beat ? common_base(rt, rt->beat) : now + LEAD;
  rt->done = now;
  return st;
}

// The last row of a recording is the state where it ends.
void sar_rt_end(SarRealtime* rt, const struct rusage* before, SarStatus st) {
  sar_rt_count(rt, &rt->live, before);
  if (rt->o.on_loop) rt->o.on_loop(rt->o.context, false);
  rt->status = st;
  if (rt->outside) sar_outside_record(rt->outside, rt->outputs);
}

void sar_rt_loop(SarRealtime* rt) {
  struct rusage before;
  SarLive* v = &rt->live;
  SarStatus st = sar_rt_begin(rt, &before);
  while (st == SAR_OK && v->number < rt->last && !atomic_load(&rt->stop)) {
    st = frame(rt);
    v->elapsed = seconds(rt->done - rt->base);
    v->time = rt->d->t;
    if (atomic_load(&rt->wanted)) sar_rt_hand_out(rt, &before);
  }
  sar_rt_end(rt, &before, st);
}
