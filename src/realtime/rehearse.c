// A rehearsal: the frames of a run as fast as they go, several times over, to find the worst of
// them.
//
// Frame k costs the least that it took in any pass: a pass that was disturbed does not count, a
// frame that is dear by itself is dear in all of them. The run is the same to the bit in every
// pass, so its instructions are too.
#include "realtime/instructions.h"
#include "realtime/realtime.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/print.h"
#include "base/sized.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static const long long MOST_FRAMES = 20000000;
static const double MARGIN = 2;
enum { PASSES = 3 };

typedef struct Costs {
  float *cpu, *instructions;  // of every frame: s; counts
  long long frames;
  int counter;
} Costs;

static SarStatus one_frame(SarRealtime* rt, long long k, Costs* c, bool first) {
  SAR_TRY(sar_rt_exchange(rt, k, (long long)((double)k * rt->period_ns)));
  const double counted = sar_instructions_read(c->counter), before = sar_clock_cpu();
  SarStatus st = sar_rt_step(rt, 0, k + 1);
  if (st == SAR_OK) st = sar_rt_fill_outputs(rt);
  const double took = sar_clock_cpu() - before;
  const double made = sar_instructions_read(c->counter) - counted;
  c->cpu[k] = first ? (float)took : fminf(c->cpu[k], (float)took);
  c->instructions[k] = first ? (float)made : fminf(c->instructions[k], (float)made);
  return st;
}

static SarStatus one_pass(SarRealtime* rt, Costs* c, bool first) {
  SAR_TRY(sar_data_copy(rt->d, rt->first));
  SAR_TRY(sar_rt_fill_outputs(rt));
  SarStatus st = SAR_OK;
  for (long long k = 0; k < c->frames && st == SAR_OK && !atomic_load(&rt->stop); k++) {
    st = one_frame(rt, k, c, first);
    if (st != SAR_OK || atomic_load(&rt->stop)) c->frames = k;
  }
  if (st != SAR_OK && !rt->trouble[0])
    sar_snprintf(rt->trouble, sizeof rt->trouble, "%s", sar_sim_trouble(rt->rung[0].s));
  return st;
}

static int rising(const void* a, const void* b) {
  const float x = *(const float*)a, y = *(const float*)b;
  return (x > y) - (x < y);
}

// The worst and where it is; then the median, which takes the order away.
static double worst_of(const float* x, long long n, long long* at) {
  *at = 0;
  for (long long k = 1; k < n; k++)
    if (!(x[k] <= x[*at])) *at = k;
  return n > 0 ? (double)x[*at] : (double)NAN;
}

static double median_of(float* x, long long n) {
  qsort(x, (size_t)n, sizeof *x, rising);
  return n > 0 ? (double)x[n / 2] : (double)NAN;
}

static void judge(const SarRealtime* rt, Costs* c, SarRtRehearsal* p) {
  long long at;
  p->frames = c->frames;
  p->cpu_worst = worst_of(c->cpu, c->frames, &p->worst_frame);
  p->worst_time = sar_rt_time(rt, p->worst_frame);
  p->cpu_median = median_of(c->cpu, c->frames);
  p->instructions_worst = p->instructions_median = p->instructions_worst_time = (double)NAN;
  p->margin = rt->period / p->cpu_worst;
  p->rate_safe = 1 / (p->margin_wanted * p->cpu_worst);
  if (c->counter < 0) return;
  p->instructions_worst = worst_of(c->instructions, c->frames, &at);
  p->instructions_worst_time = sar_rt_time(rt, at);
  p->instructions_median = median_of(c->instructions, c->frames);
}

static SarStatus rehearse(SarRealtime* rt, Costs* c, SarRtRehearsal* p) {
  const size_t n = (size_t)c->frames;
  c->cpu = sar_alloc_brief(n * sizeof *c->cpu);
  c->instructions = sar_alloc_brief(n * sizeof *c->instructions);
  if (!c->cpu || !c->instructions) return SAR_NO_MEMORY;
  SarStatus st = SAR_OK;
  rt->trouble[0] = 0;
  for (int k = 0; k < p->passes && st == SAR_OK; k++) st = one_pass(rt, c, k == 0);
  judge(rt, c, p);
  const SarStatus back = sar_data_copy(rt->d, rt->first);
  return st == SAR_OK ? back : st;
}

SAR_API SarStatus sar_rt_rehearse_sized(SarRealtime* rt, int passes, double margin_wanted,
                                        SarRtRehearsal* out, size_t size, SarError* err) {
  SAR_GIVEN(rt && out && atomic_load(&rt->state) == SAR_LOOP_NEW);
  SarRtRehearsal p = {.passes = passes > 0 ? passes : PASSES,
                      .period = rt->period,
                      .trouble = rt->trouble,
                      .margin_wanted = margin_wanted > 0 ? margin_wanted : MARGIN};
  if (rt->last > MOST_FRAMES) {
    sar_report(err, (SarLoc){0}, "give an end", "a rehearsal has at most %lld frames, not %s",
               MOST_FRAMES, rt->last == LLONG_MAX ? "infinitely many" : "more");
    return SAR_BAD_ARGUMENT;
  }
  Costs c = {.frames = rt->last, .counter = sar_instructions_open()};
  p.status = rehearse(rt, &c, &p);
  sar_instructions_close(c.counter);
  sar_free(c.cpu);
  sar_free(c.instructions);
  sar_give(out, size, &p, sizeof p);
  return p.status;
}
