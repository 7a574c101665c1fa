// A whole run, simulation to columns (sarrus.h): from the initial state to the end time, with rows
// at output times and the figures that judge it.
#include "analysis/run.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/budget.h"
#include "base/print.h"
#include "base/sized.h"
#include "model/times.h"
#include "sim/outputs.h"
#include "sim/setup.h"
#include "sim/trial.h"
#include "sim/warm.h"

#include <math.h>
#include <stdio.h>

enum { PROGRESS_CALLS = 200 };

SAR_API void sar_run_options_sized(SarRunOptions* out, size_t size) {
  const SarRunOptions o = {.size = size, .keep_rows = true};
  if (out) sar_give(out, size, &o, sizeof o);
}

// Where limits are not enforced, leaving them is worth a word. Quaternions have none.
static void watch_limits(SarRun* r) {
  const SarModel* m = r->d->m;
  if (r->s->formulation->can & SAR_CAN_CONTACT) return;
  for (int j = 0; j < m->nbody && !r->report.limit_joint; j++) {
    double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
    const double *low = &m->dof_lower[m->joint_vadr[j]], *high = &m->dof_upper[m->joint_vadr[j]];
    if (m->joint_nq[j] != m->joint_nv[j] || sar_joint_get(r->d, j, q, v) != SAR_OK) continue;
    for (int k = 0; k < m->joint_nv[j]; k++)
      if (q[k] < low[k] || q[k] > high[k]) {
        r->report.limit_joint = sar_text(m, m->joint_name[j]);
        r->report.limit_time = r->d->t;
      }
  }
}

// Everything but the calls of the host program only computes.
static void stepping(const SarRun* r, bool now) {
  if (r->o.on_stepping) r->o.on_stepping(r->o.context, now);
}

static SarStatus give_row(SarRun* r) {
  const SarRunOptions* o = &r->o;
  SarStatus st = SAR_OK;
  stepping(r, false);
  if (o->on_row) st = o->on_row(o->context, r->row, r->d->m->nchannel + 1);
  if (st == SAR_OK && o->keep_rows) st = sar_table_add(&r->table, r->row);
  if (st == SAR_OK && o->on_state) st = o->on_state(o->context, r->d);
  stepping(r, true);
  return st;
}

static SarStatus frame(SarRun* r) {
  SAR_TRY(sar_run_audit(r));
  watch_limits(r);
  if (!r->o.on_row && !r->o.keep_rows && !r->o.on_state) return SAR_OK;
  r->row[0] = r->d->t;
  SAR_TRY(sar_outputs(r->s, r->row + 1));
  return give_row(r);
}

static void collect_events(SarRun* r) {
  SarRunReport* p = &r->report;
  const long count = sar_event_count(r->s);
  for (long k = p->event_count; k < count && k < SAR_RUN_EVENTS; k++)
    if (sar_event(r->s, k, &r->event[k]) != SAR_OK) r->event[k] = (SarEvent){.name = "?"};
  p->event_count = count;
}

static bool is_stopped(const SarRun* r) {
  return r->o.should_stop && r->o.should_stop(r->o.context);
}

// One step; SAR_STEP_TOO_SMALL too where steps like it do not come to the end.
static SarStatus step(SarRun* r, double t) {
  SAR_TRY(sar_step_within(r->s, t));
  const bool hopeless = sar_pace_is_hopeless(&r->pace, r->s->stats.steps, r->d->t, r->end,
                                             r->trouble, sizeof r->trouble);
  return hopeless ? SAR_STEP_TOO_SMALL : SAR_OK;
}

// Steps up to t, each timed. The clock is read once a step, and that is no part of it.
static SarStatus timed_steps(SarRun* r, double t) {
  SarStatus st;
  double before = sar_clock_cpu();
  do {
    st = step(r, t);
    const double now = sar_clock_cpu();
    r->report.cpu_s += fmax(now - before - r->step_times.clock, 0);
    if (st == SAR_OK) sar_step_times_add(&r->step_times, now - before, r->d->t);
    before = now;
  } while (!r->o.audit_steps && st == SAR_OK && r->d->t < t && !is_stopped(r));
  return st;
}

static SarStatus untimed_steps(SarRun* r, double t) {
  const double before = sar_clock_cpu();
  SarStatus st;
  do {
    st = step(r, t);
  } while (!r->o.audit_steps && st == SAR_OK && r->d->t < t && !is_stopped(r));
  r->report.cpu_s += sar_clock_cpu() - before;
  return st;
}

// Where steps are timed the first is to take no longer than others, though the first row was
// written just before. Without memory for that it does.
static void warm_up(SarRun* r) {
  SarData* before;
  stepping(r, false);
  const SarStatus st = sar_warm_copy(r->s, &before);
  stepping(r, true);
  if (st == SAR_OK && before) (void)sar_warm_step(r->s, before);
  stepping(r, false);
  sar_data_free(before);
  stepping(r, true);
}

static SarStatus advance(SarRun* r, double t) {
  SarStatus st = SAR_OK;
  if (r->time_steps && r->s->stats.steps == 0) warm_up(r);
  do {
    st = r->time_steps ? timed_steps(r, t) : untimed_steps(r, t);
    if (st == SAR_OK && r->o.audit_steps) st = sar_run_audit(r);
  } while (st == SAR_OK && r->d->t < t && !is_stopped(r));
  r->report.end_time = r->d->t;
  r->stats = sar_stats(r->s);
  collect_events(r);
  return st;
}

static void show_progress(SarRun* r, double fraction, double* shown) {
  if (!r->o.on_progress) return;
  if (fraction < 1 && fraction < *shown + 1.0 / PROGRESS_CALLS) return;
  *shown = fraction;
  stepping(r, false);
  r->o.on_progress(r->o.context, fraction);
  stepping(r, true);
}

// The time of frame k; false when there is none.
static bool frame_time(const SarRun* r, size_t k, double* t) {
  if (r->o.times) {
    if (k < r->o.time_count) *t = r->o.times[k];
    return k < r->o.time_count;
  }
  *t = (double)k * r->dt;
  if (*t > r->end - 1e-9 * r->dt) *t = r->end;
  return k == 0 || (double)(k - 1) * r->dt < r->end - 1e-9 * r->dt;
}

// The loop. A failed step leaves d at the last accepted one: its frame is given too.
static SarStatus simulate(SarRun* r) {
  double shown = 0, t;
  const double start = r->report.start_time;
  for (size_t k = 0; frame_time(r, k, &t); k++) {
    double before = r->d->t;
    if (r->resumed ? t <= start : t < start) continue;  // the run that was saved gave it
    SarStatus st = t > before ? advance(r, t) : SAR_OK;
    if (st != SAR_OK && r->d->t == before) return st;
    SarStatus shown_st = frame(r);
    if (st != SAR_OK) return st;
    SAR_TRY(shown_st);
    show_progress(r, (t - start) / (r->end - start), &shown);
    if (is_stopped(r)) break;
  }
  return SAR_OK;
}

static void begin_report(SarRun* r) {
  const SarSim* s = r->s;
  const char* reason = r->choice.count > 0 ? r->choice.reason : s->reason;
  sar_snprintf(r->reason, sizeof r->reason, "%s", reason);
  r->report = (SarRunReport){.trouble = r->trouble,
                             .formulation = s->formulation->name,
                             .integrator = s->integrator->name,
                             .reason = r->reason,
                             .step = s->options.step,
                             .adaptive = s->adaptive,
                             .freedoms = s->m->nv - s->freedom.rank,
                             .start_time = r->d->t,
                             .end_time = r->d->t,
                             .end_wanted = r->end,
                             .stats = &r->stats,
                             .choice = &r->choice,
                             .deadline = r->step_times.deadline,
                             .energy_start = r->d->energy_start,
                             .ambiguous = r->ambiguous,
                             .unexplained = r->unexplained};
}

static void end_report(SarRun* r, SarStatus status) {
  SarRunReport* p = &r->report;
  r->stats = sar_stats(r->s);
  p->constrained = r->s->m->nrow > 0;
  p->projected = r->s->projection != NULL;
  p->position_violation_max = r->stats.position_violation;
  p->velocity_violation_max = r->stats.velocity_violation;
  sar_ambiguous_text(r->s, r->ambiguous, sizeof r->ambiguous);
  p->status = status;
  p->steps_timed = r->step_times.count;
  p->steps_late = r->step_times.late;
  p->step_median = sar_step_times_median(&r->step_times);
  p->step_worst = r->step_times.worst;
  p->step_worst_at = r->step_times.worst_at;
  p->realtime_factor = p->cpu_s > 0 ? (p->end_time - p->start_time) / p->cpu_s : 0;
  if (status == SAR_OK)
    r->trouble[0] = 0;
  else if (!r->trouble[0])
    sar_snprintf(r->trouble, sizeof r->trouble, "%s", sar_sim_trouble(r->s));
}

SAR_API SarStatus sar_run(const SarModel* m, const SarRunOptions* o, SarRun** out, SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(m && (!o || !o->start || sar_data_model(o->start) == m));
  SarRun* r = sar_alloc(sizeof *r);
  if (!r) return SAR_NO_MEMORY;
  sar_run_options_sized(&r->o, sizeof r->o);
  SarStatus st = o ? sar_take_options(&r->o, sizeof r->o, o, "sar_run_options", err) : SAR_OK;
  if (st == SAR_OK) st = sar_run_set_up(r, m, err);
  if (st != SAR_OK) {
    sar_run_free(r);
    return st;
  }
  begin_report(r);
  *out = r;
  sar_pace_begin(&r->pace, r->s->stats.steps, r->d->t);
  stepping(r, true);
  st = simulate(r);
  stepping(r, false);
  st = sar_run_explain(r, st);
  end_report(r, st);
  if (st == SAR_OVER_LIMIT) sar_over_limit(err, (SarLoc){0}, m->memory_limit, "keeping the rows");
  const SarStatus saved = r->o.save ? sar_data_save(r->d, r->o.save, err) : SAR_OK;
  return st == SAR_OK ? saved : st;
}

// ---- what came of it ----------------------------------------------------------------------------

SAR_API const SarRunReport* sar_run_report(const SarRun* run) { return run ? &run->report : NULL; }
SAR_API const SarTable* sar_run_table(const SarRun* run) { return run ? &run->table : NULL; }
SAR_API const SarData* sar_run_data(const SarRun* run) { return run ? run->d : NULL; }

SAR_API SarStatus sar_run_event_sized(const SarRun* run, long index, SarEvent* out, size_t size) {
  SAR_GIVEN(run && out && index >= 0 && index < run->report.event_count && index < SAR_RUN_EVENTS);
  sar_give(out, size, &run->event[index], sizeof *run->event);
  return SAR_OK;
}

SAR_API void sar_run_free(SarRun* run) {
  if (!run) return;
  sar_table_clear(&run->table);
  sar_free(run->row);
  sar_sim_free(run->s);
  sar_data_free(run->d);
  sar_free(run);
}
