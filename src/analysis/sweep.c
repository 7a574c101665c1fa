// A driven mechanism over a range of time (sweep.h).
#include "analysis/sweep.h"

#include "base/budget.h"
#include "base/error.h"
#include "base/sized.h"

#include <math.h>

enum { POINTS = 101, MOST_POINTS = 1000000, TRIALS = 200, MOST_TRIALS = 1000000 };

SAR_API void sar_sweep_options_sized(SarSweepOptions* out, size_t size) {
  const SarSweepOptions o = {.size = size, .points = POINTS, .trials = TRIALS, .seed = 1};
  if (out) sar_give(out, size, &o, sizeof o);
}

static SarStatus complete(SarSweep* w, SarError* err) {
  SarSweepOptions* o = &w->o;
  if (o->points == 0) o->points = POINTS;
  if (o->trials == 0) o->trials = TRIALS;
  if (o->to == o->from) o->to = o->from + (w->m->sim.end > 0 ? w->m->sim.end : 10);
  const char* wrong = NULL;
  if (!isfinite(o->from) || !isfinite(o->to)) wrong = "from and to must be times";
  if (o->points < 2 || o->points > MOST_POINTS) wrong = "points must be 2 to 1000000";
  if (o->trials < 1 || o->trials > MOST_TRIALS) wrong = "trials must be 1 to 1000000";
  if (!wrong) return SAR_OK;
  sar_report(err, (SarLoc){0}, "", "%s", wrong);
  return SAR_BAD_ARGUMENT;
}

SarStatus sar_sweep_begin(SarSweep* w, const SarModel* m, const SarSweepOptions* o, SarError* err) {
  SarSimOptions sim = sar_sim_options();
  *w = (SarSweep){.m = m, .o = sar_sweep_options()};
  if (o) SAR_TRY(sar_take_options(&w->o, sizeof w->o, o, "sar_sweep_options", err));
  SAR_TRY(complete(w, err));
  sim.formulation = w->o.formulation;
  SAR_TRY(sar_data_new(m, &w->d, err));
  SAR_TRY(sar_sim_new(m, w->d, &sim, &w->s, err));
  SAR_TRY(sar_follow_new(w->s, &w->follow, err));
  return sar_follow_to(&w->follow, w->o.from, err);
}

void sar_sweep_end(SarSweep* w) {
  sar_follow_free(&w->follow);
  sar_sim_free(w->s);
  sar_data_free(w->d);
}

double sar_sweep_time(const SarSweep* w, int point) {
  const SarSweepOptions* o = &w->o;
  if (point == o->points - 1) return o->to;
  return o->from + (o->to - o->from) * point / (o->points - 1);
}

SarStatus sar_sweep_row(const SarSweep* w, SarTable* t, const double* row, SarError* err) {
  const SarSweepOptions* o = &w->o;
  if (o->on_row) SAR_TRY(o->on_row(o->context, row, t->columns));
  const SarStatus st = sar_table_add(t, row);
  if (st == SAR_OVER_LIMIT)
    sar_over_limit(err, (SarLoc){0}, w->m->memory_limit, "keeping the rows");
  SAR_TRY(st);
  return o->should_stop && o->should_stop(o->context) ? SAR_STOPPED : SAR_OK;
}
