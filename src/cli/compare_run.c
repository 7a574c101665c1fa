// One run of a comparison: repeated for its time, judged against the reference.
//
// Three signs tell another branch from an inaccurate run: the model has constraints; the energy is
// kept; and the run left the reference at once, within one scale of its motion, where errors of the
// steps would have added up over many.
#include "cli/compare.h"
#include "cli/simulate.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

enum { MOST_REPEATS = 50, ADAPTIVE_ROWS = 50 };

static const double LONG_RUN = 2;        // CPU time above which runs are not repeated [s]
static const double SHORT_RUN = 0.05;    // and up to which they are repeated more often
static const double ENERGY_KEPT = 0.02;  // error of the energy over what of it moved
static const double AT_ONCE = 1;         // scales

typedef struct Watch {
  double deadline;  // CPU clock
  bool late;
} Watch;

static SarStatus on_row(void* context, const double* values, int count) {
  Watch* w = context;
  (void)values, (void)count;
  w->late = sar_clock_cpu() > w->deadline;
  return w->late ? SAR_NOT_CONVERGED : SAR_OK;
}

// Landing on a row cuts a step. So a run with fixed steps lands only on the rows that its steps
// reach by themselves (on all, if they reach none), and one with error control on about
// ADAPTIVE_ROWS.
static size_t pick_times(const Compare* c, const CompareMethod* method, double size) {
  const size_t last = c->time_count - 1,
               every = last / ADAPTIVE_ROWS > 1 ? last / ADAPTIVE_ROWS : 1;
  size_t count = 0;
  for (size_t i = 0; i < last; i++) {
    const double steps = c->times[i] / size;
    const bool reached = fabs(steps - round(steps)) <= 1e-6;
    if (method->adaptive ? i % every == 0 : reached) c->some[count++] = c->times[i];
  }
  if (count < 2)
    for (count = 0; count < last; count++) c->some[count] = c->times[count];
  c->some[count++] = c->times[last];
  return count;
}

static SarRunOptions options_of(const Compare* c, const CompareMethod* method, double size,
                                SarSimOptions* sim) {
  SarRunOptions o = sar_run_options();
  o.sim = sim;
  o.times = c->some;
  o.time_count = pick_times(c, method, size);
  *sim = sar_sim_options();
  sim->formulation = method->formulation;
  sim->integrator = method->integrator;
  sim->adaptive = method->adaptive ? SAR_STEPS_ADAPTIVE : SAR_STEPS_FIXED;
  if (method->adaptive)
    sim->rtol = sim->atol = size;
  else
    sim->step = size;
  return o;
}

// One run; the report's cpu_s is that of the stepping.
static SarStatus run_once(const Compare* c, const SarModel* m, const SarRunOptions* given,
                          SarRun** out, bool* late, SarError* err) {
  Watch watch = {.deadline = sar_clock_cpu() + c->limit};
  SarRunOptions o = *given;
  o.context = &watch;
  o.on_row = on_row;
  SarStatus st = sar_run(m, &o, out, err);
  *late = watch.late;
  return st;
}

// ---- verdict ------------------------------------------------------------------------------------

static void set_verdict(CompareRun* run, CompareVerdict verdict, const char* why) {
  run->verdict = verdict;
  snprintf(run->why, sizeof run->why, "%s", why);
}

static void judge(const Compare* c, const SarTable* table, CompareRun* run) {
  const SarRunReport* r = &run->report;
  SarDifference* d = &run->difference;
  if (!c->reference) return;
  if (sar_table_difference(c->reference, table, c->columns, d) != SAR_OK) return;
  if (run->verdict != COMPARE_OK || isnan(d->parted)) return;
  const bool kept = r->energy_error_max <= ENERGY_KEPT * r->energy_scale;
  const bool branch = r->constrained && kept && d->parting < AT_ONCE;
  snprintf(run->why, sizeof run->why, "from t = %.4g s on", d->parted);
  run->verdict = branch ? COMPARE_WRONG_BRANCH : COMPARE_INACCURATE;
}

// The first error, without a place: it is about an option.
static const char* first_error(const SarError* err) {
  for (int i = 0; i < err->count; i++)
    if (err->items[i].severity == SAR_ERROR) return err->items[i].text;
  return "";
}

static SarStatus not_begun(SarStatus st, const SarError* err, CompareRun* run) {
  if (st == SAR_NOT_OFFERED || st == SAR_BAD_ARGUMENT) {
    set_verdict(run, COMPARE_NOT_OFFERED, first_error(err));
    return SAR_OK;
  }
  cli_print_messages(err);
  return st;
}

static SarStatus repeat_run(const Compare* c, const SarRunOptions* o, int repeat, CompareRun* run) {
  double least = run->report.cpu_s, sum = least;
  SarRunOptions plain = *o;
  const int most = repeat > 1 ? MOST_REPEATS : 1;
  plain.audit_steps = plain.keep_rows = false;
  for (int i = 1; i < repeat ? sum < LONG_RUN : i < most && sum < SHORT_RUN; i++) {
    SarRun* again;
    SarError err;
    bool late;
    sar_error_init(&err);
    const SarStatus st = run_once(c, run->method.m, &plain, &again, &late, &err);
    const double cpu_s = again ? sar_run_report(again)->cpu_s : 0;
    sar_run_free(again);
    SAR_TRY(st);
    sum += cpu_s;
    if (cpu_s < least) least = cpu_s;
  }
  run->report.cpu_s = least;
  return SAR_OK;
}

SarStatus compare_run(const Compare* c, const CompareMethod* method, double size, int repeat,
                      CompareRun* out) {
  *out = (CompareRun){.method = *method, .size = size, .difference.column = -1};
  SarSimOptions sim;
  SarRunOptions o = options_of(c, method, size, &sim);
  SarRun* run;
  SarError err;
  bool late = false;
  sar_error_init(&err);
  o.audit_steps = true;
  SarStatus st = run_once(c, method->m, &o, &run, &late, &err);
  if (!run) return not_begun(st, &err, out);
  out->report = *sar_run_report(run);
  out->stats = *out->report.stats;
  if (late)
    set_verdict(out, COMPARE_FAILED, "takes longer than --limit allows");
  else if (st != SAR_OK)
    set_verdict(out, COMPARE_FAILED, out->report.trouble);
  else
    st = repeat_run(c, &o, repeat, out);
  if (out->report.end_time > 0) out->cost = out->report.cpu_s / out->report.end_time;
  judge(c, sar_run_table(run), out);
  sar_run_free(run);
  // texts and counters are the run's
  out->report.stats = &out->stats;
  out->report.trouble = out->report.reason = "";
  out->report.ambiguous = out->report.unexplained = "";
  out->report.choice = NULL;
  return st == SAR_NO_MEMORY ? st : SAR_OK;
}

// ---- the reference ------------------------------------------------------------------------------

static SarStatus tight_run(const Compare* c, const SarModel* m, double looser, SarRun** out) {
  SarSimOptions sim = sar_reference_options();
  SarRunOptions o = sar_run_options();
  SarError err;
  bool late;
  sar_error_init(&err);
  o.sim = &sim;
  o.times = c->times;
  o.time_count = c->time_count;
  if (c->reference_step > 0) {
    simulate_reference_steps(&sim, c->reference_step * (looser > 1 ? 4 : 1));
  } else {
    sim.integrator = c->reference_integrator;
    sim.rtol *= looser;
    sim.atol *= looser;
  }
  SarStatus st = run_once(c, m, &o, out, &late, &err);
  if (looser == 1 || st != SAR_OK) cli_print_messages(&err);
  if (st != SAR_OK && *out)
    fprintf(stderr, "sarrus compare: the reference run failed: %s\n",
            late ? "it takes longer than --limit allows" : sar_run_report(*out)->trouble);
  return st;
}

// Contact needs impulses, which have no error control to be judged by: steps much shorter than
// those compared.
static double contact_step(const Compare* c, const SarModel* m) {
  SarModelInfo info;
  sar_model_info(m, &info);
  if (!info.contact) return 0;
  double step = c->steps.count > 0 ? c->steps.item[0] : info.step > 0 ? info.step : 1e-3;
  for (int i = 1; i < c->steps.count; i++) step = fmin(step, c->steps.item[i]);
  return step / SIMULATE_REFERENCE_SHARE;
}

SarStatus compare_reference(Compare* c, const SarModel* m) {
  c->reference_step = contact_step(c, m);
  SarRun* check = NULL;
  SarDifference d;
  SarStatus st = tight_run(c, m, 1, &c->reference_run);
  c->reference = sar_run_table(c->reference_run);
  if (st == SAR_OK) st = tight_run(c, m, 100, &check);
  if (st == SAR_OK) st = sar_table_difference(c->reference, sar_run_table(check), c->columns, &d);
  if (st == SAR_OK) c->uncertainty = d.largest;
  sar_run_free(check);
  return st;
}
