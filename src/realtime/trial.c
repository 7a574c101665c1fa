// A method tried before the start, on a copy of the state: what a period of it costs and how far it
// departs from the first rung. Real CPU time, the least of equal passes, whatever clock the run
// keeps.
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "realtime/realtime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 3 };

// Positions behind frame k: recorded, or compared with those of the first rung.
static void look(SarRung* rung, SarRtTrial* t, const SarData* d, int k, bool record) {
  const int nq = d->m->nq;
  double* there = t->path + (size_t)k * (size_t)nq;
  if (record) memcpy(there, d->q, (size_t)nq * sizeof *there);
  for (int i = 0; i < nq; i++) {
    if (record)
      t->extent = fmax(t->extent, fabs(there[i] - t->path[i]));
    else
      rung->distance = fmax(rung->distance, fabs(d->q[i] - there[i]));
  }
}

static SarStatus one_pass(const SarRealtime* rt, SarRung* rung, SarSim* s, SarRtTrial* t,
                          bool first, bool record) {
  for (int k = 0; k + rung->ticks <= t->frames; k += rung->ticks) {
    const double before = sar_clock_cpu();
    SAR_TRY(sar_advance(s, sar_rt_time(rt, k + rung->ticks)));
    const double took = sar_clock_cpu() - before;
    if (first) look(rung, t, s->d, k + rung->ticks - 1, record);
    t->cost[k] = first ? took : fmin(t->cost[k], took);
  }
  return SAR_OK;
}

static int rising(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median_cost(const SarRung* rung, SarRtTrial* t) {
  int n = 0;
  for (int k = 0; k + rung->ticks <= t->frames; k += rung->ticks) t->cost[n++] = t->cost[k];
  qsort(t->cost, (size_t)n, sizeof *t->cost, rising);
  return n > 0 ? t->cost[n / 2] / rung->ticks : 0;
}

SarStatus sar_rt_try(const SarRealtime* rt, SarRung* rung, SarRtTrial* t, bool record,
                     SarError* err) {
  SarData* d = NULL;
  SarSim* s = NULL;
  SarStatus st = sar_data_new(rt->m, &d, err);
  if (st == SAR_OK) st = sar_data_copy(d, rt->first);
  if (st == SAR_OK) st = sar_sim_new(rt->m, d, &rung->o, &s, err);
  for (int pass = 0; pass < PASSES && st == SAR_OK; pass++) {
    if (pass > 0) st = sar_data_copy(d, rt->first);
    if (st == SAR_OK) st = one_pass(rt, rung, s, t, pass == 0, record);
    if (st != SAR_OK) sar_warn(err, (SarLoc){0}, "", "in a trial %s", sar_sim_trouble(s));
  }
  if (st == SAR_OK) {
    rung->median = median_cost(rung, t);
    if (!record && t->extent > 0) rung->distance /= t->extent;
  }
  sar_sim_free(s);
  sar_data_free(d);
  return st;
}
