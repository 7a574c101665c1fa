// The beginning of a run: from which state, by which method, with rows at which times.
#include "analysis/run.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/times.h"
#include "sim/setup.h"
#include "sim/trial.h"

#include <math.h>

enum { FRAMES = 500 };

// Times of the frames: k output_step, the last one exactly at the end. With fixed steps the default
// is a whole number of steps, so that no step is cut.
static double output_step(const SarModel* m, const SarRunOptions* o, const SarSim* s, double end) {
  if (o->output_step != 0) return o->output_step;
  if (m->sim.output_step > 0) return m->sim.output_step;
  double h = s->options.step, wanted = end / FRAMES;
  return s->adaptive ? wanted : fmax(1, round(wanted / h)) * h;
}

// From a file, with the method it was saved with where none is named.
static SarStatus resume(SarRun* r, const char* path, SarSimOptions* o, SarError* err) {
  const SarData* d = r->d;
  SAR_TRY(sar_data_load(r->d, path, err));
  r->resumed = true;
  if (!(d->t < r->end)) {
    sar_report(err, (SarLoc){0}, "give a later end",
               "'%s' is a state at t = %g s, and the end is %g s", path, d->t, r->end);
    return SAR_BAD_ARGUMENT;
  }
  const SarMethod* p = &d->method;
  if (p->formulation[0] && !o->formulation && !o->integrator) {
    o->formulation = p->formulation;
    o->integrator = p->integrator;
    double usual, least;
    if (o->spectral_radius < 0 && sar_integrator_find(p->integrator) &&
        sar_integrator_radius(sar_integrator_find(p->integrator), &usual, &least))
      o->spectral_radius = p->spectral_radius;
    o->project = p->project;
  }
  if (!(o->step > 0) && d->clock.step > 0) o->step = d->clock.step;
  if (o->adaptive < 0 && d->clock.t == d->t) o->adaptive = !(d->clock.step > 0);
  return SAR_OK;
}

// Rows at times of the caller's.
static SarStatus check_given_times(const SarRun* r, SarError* err) {
  const double* t = r->o.times;
  const size_t n = r->o.time_count;
  if (n == 0) sar_report(err, (SarLoc){0}, "", "there are no times for rows");
  for (size_t i = 0; i < n; i++) {
    if (isfinite(t[i]) && (i == 0 || t[i] >= t[i - 1])) continue;
    sar_report(err, (SarLoc){0}, "", "times of rows must rise, but number %zu is %g s", i + 1,
               t[i]);
    return SAR_BAD_ARGUMENT;
  }
  return n > 0 ? SAR_OK : SAR_BAD_ARGUMENT;
}

// Times that make no sense, or more rows than anything holds, are refused before anything begins.
static SarStatus check_times(const SarRun* r, SarError* err) {
  const double rows = r->end / r->dt;
  if (r->d->t > r->end) {
    sar_report(err, (SarLoc){0}, "give a later end",
               "the run begins at t = %g s, and the end is %g s", r->d->t, r->end);
    return SAR_BAD_ARGUMENT;
  }
  if (r->o.times) return check_given_times(r, err);
  if (!sar_time_is_sensible(r->end) || !sar_time_is_sensible(r->dt)) {
    const bool end = !sar_time_is_sensible(r->end);
    sar_report(err, (SarLoc){0}, "", "%s is %g s: expected %g to %g s",
               end ? "the end" : "the output step", end ? r->end : r->dt, SAR_SHORTEST_TIME,
               SAR_LONGEST_TIME);
    return SAR_BAD_ARGUMENT;
  }
  if (rows <= SAR_MOST_ROWS * (1 + 1e-9)) return SAR_OK;
  sar_report(err, (SarLoc){0}, "take a longer output step",
             "an output step of %g s until %g s gives %g rows, more than %g", r->dt, r->end, rows,
             SAR_MOST_ROWS);
  return SAR_BAD_ARGUMENT;
}

// The rows that host programs find in memory. Without rows there are the names.
static SarStatus make_table(SarRun* r) {
  const SarModel* m = r->d->m;
  const char** names = sar_alloc((size_t)(m->nchannel + 1) * sizeof *names);
  if (!names) return SAR_NO_MEMORY;
  names[0] = "time";
  for (int i = 0; i < m->nchannel; i++) names[i + 1] = sar_text(m, m->channel[i].name);
  const SarStatus st = sar_table_init(&r->table, names, m->nchannel + 1);
  r->table.limit = m->memory_limit;
  sar_free((void*)names);
  return st;
}

SarStatus sar_run_set_up(SarRun* r, const SarModel* m, SarError* err) {
  const SarRunOptions* o = &r->o;
  r->end = o->end != 0 ? o->end : m->sim.end > 0 ? m->sim.end : 10;
  if (o->times && o->time_count > 0) r->end = o->times[o->time_count - 1];
  SAR_TRY(sar_sim_options_take(o->sim, &r->sim, err));
  SAR_TRY(sar_data_new(m, &r->d, err));
  if (o->start) SAR_TRY(sar_data_copy(r->d, o->start));
  if (o->resume)
    SAR_TRY(resume(r, o->resume, &r->sim, err));
  else if (o->choose && sar_trial_is_due(m, &r->sim, o->deadline))
    SAR_TRY(sar_choose(m, r->d, o->deadline, o->accuracy, &r->sim, &r->choice, err));
  SAR_TRY(sar_sim_new(m, r->d, &r->sim, &r->s, err));
  r->row = sar_alloc((size_t)(m->nchannel + 1 + 2 * m->nwork) * sizeof *r->row);
  if (!r->row) return SAR_NO_MEMORY;
  r->work = r->row + m->nchannel + 1;
  r->work_start = r->work + m->nwork;
  SAR_TRY(make_table(r));
  r->time_steps = o->time_steps && !r->s->adaptive;
  sar_step_times_init(&r->step_times, o->deadline);
  r->dt = output_step(m, o, r->s, r->end);
  return check_times(r, err);
}
