// A trial of the trim: the motion that values of the unknowns lead to, period after period until
// its averages repeat.
//
// The model is compiled anew, since parameters may be anything, and goes on from the state in which
// the last accepted trial ended. Steps divide the period, so that sums over them are averages to
// the order of the method, and better where the motion is smooth (trapezoidal rule on a period).
// What is still to come of a transient is taken from how it fades: averages x_k with d_k = x_k -
// x_(k-1) and r = |d_k|/|d_(k-1)| are off by about |d_k| r/(1 - r).
#include "analysis/trim.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "sim/outputs.h"

#include <math.h>
#include <string.h>

enum { PERIODS = 200, LEAST_STEPS = 36, ADAPTIVE_STEPS = 90, QUIET = 2 };
static const double TOLERANCE = 1e-5;
static const double SETTLED = 0.02;  // of what a condition may lack
static const double SLOWEST = 0.97;  // r of a transient that fades

void sar_trim_end_trial(SarTrimTrial* t) {
  sar_free(t->values);
  sar_sim_free(t->s);
  sar_data_free(t->d);
  sar_model_free(t->m);
  *t = (SarTrimTrial){0};
}

double sar_trim_noise(const SarTrimSearch* a, const SarTrimMeans* x, int i) {
  const double tolerance = a->o.tolerance > 0 ? a->o.tolerance : TOLERANCE;
  return SETTLED * tolerance * fmax(fabs(x->left[i]), fabs(x->right[i]));
}

double sar_trim_allowed(const SarTrimSearch* a, const SarTrimMeans* x, int i) {
  const double tolerance = a->o.tolerance > 0 ? a->o.tolerance : TOLERANCE;
  return tolerance * fmax(fmax(fabs(x->left[i]), fabs(x->right[i])), a->slope[i]);
}

// ---- the model ----------------------------------------------------------------------------------

// A text of the options that has this name, or a file.
static SarStatus load_or_parse(const char* path, const SarLoadOptions* o, SarModel** out,
                               SarError* err) {
  for (int i = 0; i < o->file_count; i++)
    if (strcmp(o->files[i].name, path) == 0)
      return sar_model_parse(o->files[i].text, o->files[i].size, "yaml", path, o, out, err);
  return sar_model_load(path, o, out, err);
}

// p NULL: as the file has it. bare: without columns of our own.
static SarStatus load(SarTrimSearch* a, const double* p, bool bare, SarTrimTrial* t,
                      SarError* err) {
  SarLoadOptions o = a->o.load ? *a->o.load : (SarLoadOptions){0};
  int count = 0, *columns = &o.column_count;
  // of what the caller gave those that are not solved for
  for (int i = 0; i < o.parameter_count; i++) {
    bool solved = false;
    for (int k = 0; k < a->o.count; k++)
      solved = solved || strcmp(o.parameters[i].name, a->o.unknown[k].name) == 0;
    if (!solved || !p) a->parameter[count++] = o.parameters[i];
  }
  const SarModel* known = a->out->best.m;
  for (int k = 0; p && k < a->o.count; k++)
    if (sar_model_find(known, SAR_ITEM_INPUT, a->o.unknown[k].name) < 0)
      a->parameter[count++] = (SarParameter){a->o.unknown[k].name, p[k]};
  for (int i = 0; i < o.column_count; i++) a->column[i] = o.columns[i];
  for (int i = 0; !bare && i < 3 * a->o.count + 1; i++) {
    const int k = i / 3;
    const SarTrimCondition* c = k < a->o.count ? &a->o.condition[k] : NULL;
    const char* text = !c ? a->o.period : i % 3 == 0 ? c->left : i % 3 == 1 ? c->right : NULL;
    a->column[(*columns)++] = (SarExpression){a->name[i], text ? text : a->o.unknown[k].name};
  }
  o.parameters = a->parameter, o.parameter_count = count;
  o.columns = a->column;
  SAR_TRY(load_or_parse(a->path, &o, &t->m, err));
  SAR_TRY(sar_data_new(t->m, &t->d, err));
  t->values = sar_alloc((size_t)(t->m->nchannel + 1) * sizeof(double));
  return t->values ? SAR_OK : SAR_NO_MEMORY;
}

static void copy(double* to, const double* from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

static bool same_sizes(const SarModel* a, const SarModel* b) {
  return a->nq_all == b->nq_all && a->nv_all == b->nv_all && a->nz == b->nz &&
         a->ndiscrete == b->ndiscrete && a->nforce_kept == b->nforce_kept &&
         a->nknot_dof == b->nknot_dof && a->ninput == b->ninput;
}

// Goes on where another run ended.
static bool carry_on(SarTrimTrial* t, const SarTrimTrial* from) {
  const SarModel* m = t->m;
  SarData* d = t->d;
  const SarData* b = from->d;
  if (!same_sizes(m, from->m)) return false;
  d->t = b->t;
  copy(d->q, b->q, m->nq_all);
  copy(d->v, b->v, m->nv_all);
  copy(d->z, b->z, m->nz);
  copy(d->discrete, b->discrete, m->ndiscrete);
  copy(d->discrete_kept, b->discrete_kept, m->ndiscrete);
  copy(d->force_kept, b->force_kept, m->nforce_kept);
  copy(d->knot, b->knot, m->nknot_dof);
  copy(d->input, b->input, m->ninput);
  d->version++;
  return true;
}

// ---- one period ---------------------------------------------------------------------------------

static double column_of(const SarTrimSearch* a, const SarTrimTrial* t, int i) {
  return t->values[sar_model_find(t->m, SAR_ITEM_OUTPUT, a->name[i])];
}

static SarStatus fail(SarTrimSearch* a, const SarTrimTrial* t, SarStatus st) {
  const char* why = t->s ? sar_sim_trouble(t->s) : "";
  sar_snprintf(a->why, sizeof a->why, "%s", why[0] ? why : sar_status_text(st));
  return st;
}

// The simulation, with steps that divide the period where they are fixed. steps: how many of them.
static SarStatus make_sim(SarTrimSearch* a, SarTrimTrial* t, double* period, int* steps,
                          SarError* err) {
  SarSimOptions o = a->o.sim ? *a->o.sim : sar_sim_options();
  SAR_TRY(sar_sim_new(t->m, t->d, &o, &t->s, err));
  SarStatus st = sar_outputs(t->s, t->values);
  if (st != SAR_OK) return fail(a, t, st);
  *period = column_of(a, t, 3 * a->o.count);
  if (!(*period > 0) || !isfinite(*period)) {
    sar_snprintf(a->why, sizeof a->why, "the period is %g s, but must be greater than 0", *period);
    return SAR_BAD_ARGUMENT;
  }
  *steps = ADAPTIVE_STEPS;
  if (t->s->adaptive) return SAR_OK;
  *steps = (int)fmin(1e6, fmax(LEAST_STEPS, ceil(*period / t->s->options.step - 1e-6)));
  o.step = *period / *steps;
  sar_sim_free(t->s);
  t->s = NULL;
  return sar_sim_new(t->m, t->d, &o, &t->s, err);
}

static SarStatus average(SarTrimSearch* a, SarTrimTrial* t, double period, int steps,
                         SarTrimMeans* out) {
  const double from = t->d->t;
  *out = (SarTrimMeans){0};
  for (int k = 1; k <= steps; k++) {
    SarStatus st = sar_advance(t->s, from + period * k / steps);
    if (st == SAR_OK) st = sar_outputs(t->s, t->values);
    if (st != SAR_OK) return fail(a, t, st);
    for (int i = 0; i < a->o.count; i++) {
      out->left[i] += column_of(a, t, 3 * i) / steps;
      out->right[i] += column_of(a, t, 3 * i + 1) / steps;
    }
  }
  a->out->report.periods++;
  a->out->report.simulated += period;
  return a->o.should_stop && a->o.should_stop(a->o.context) ? SAR_STOPPED : SAR_OK;
}

// ---- until averages repeat ----------------------------------------------------------------------

// Of all conditions the largest error that is still to be expected, in shares of what they may
// lack. before: the change of each in the period before, and of this one on return.
static double still_open(const SarTrimSearch* a, const SarTrimMeans* x, const SarTrimMeans* last,
                         double* before) {
  double most = 0;
  for (int i = 0; i < a->o.count; i++) {
    const double change = fabs((x->left[i] - x->right[i]) - (last->left[i] - last->right[i]));
    const double r = before[i] > 0 ? fmin(change / before[i], SLOWEST) : SLOWEST;
    const double allowed = sar_trim_allowed(a, x, i), open = change * fmax(1, r / (1 - r));
    before[i] = change;
    if (open > 0) most = fmax(most, allowed > 0 ? open / allowed : HUGE_VAL);
    if (!isfinite(change)) most = HUGE_VAL;
  }
  return most;
}

static SarStatus repeat(SarTrimSearch* a, SarTrimTrial* t, double period, int steps,
                        SarTrimMeans* out) {
  const int most = a->o.max_periods > 0 ? a->o.max_periods : PERIODS;
  double change[SAR_TRIM_MOST], open = HUGE_VAL;
  SarTrimMeans last = {0};
  int quiet = 0;
  for (int i = 0; i < SAR_TRIM_MOST; i++) change[i] = HUGE_VAL;
  for (int k = 0; k < most; k++) {
    SAR_TRY(average(a, t, period, steps, out));
    if (k > 0) open = still_open(a, out, &last, change);
    quiet = open <= SETTLED ? quiet + 1 : 0;
    if (quiet == QUIET) return SAR_OK;
    last = *out;
  }
  int worst = 0;
  for (int i = 1; i < a->o.count; i++)
    if (change[i] * sar_trim_allowed(a, out, worst) > change[worst] * sar_trim_allowed(a, out, i))
      worst = i;
  sar_snprintf(a->why, sizeof a->why,
               "the motion does not repeat: after %d periods the average of '%.60s' still changes "
               "by %.3g",
               most, a->o.condition[worst].left, change[worst]);
  return SAR_NOT_CONVERGED;
}

static void set_inputs(const SarTrimSearch* a, SarTrimTrial* t, const double* p) {
  for (int k = 0; k < a->o.count; k++) {
    const int input = sar_model_find(t->m, SAR_ITEM_INPUT, a->o.unknown[k].name);
    if (input >= 0) t->d->input[input] = p[k];
  }
}

SarStatus sar_trim_evaluate(SarTrimSearch* a, const double* p, SarTrimMeans* out, bool keep) {
  SarTrimTrial t = {0};
  SarError err;
  double period = 0;
  int steps = 0;
  sar_error_init(&err);
  a->why[0] = 0;
  a->out->report.trials++;
  SarStatus st = load(a, p, false, &t, &err);
  if (st == SAR_OK && !carry_on(&t, &a->out->best)) {
    sar_snprintf(a->why, sizeof a->why, "the model has other coordinates with these values");
    st = SAR_BAD_MODEL;
  }
  if (st == SAR_OK) set_inputs(a, &t, p);
  if (st == SAR_OK) st = make_sim(a, &t, &period, &steps, &err);
  if (st == SAR_OK) st = repeat(a, &t, period, steps, out);
  if (st != SAR_OK && a->why[0] == 0 && err.count > 0)
    sar_snprintf(a->why, sizeof a->why, "%s", err.items[0].text);
  if (st == SAR_OK && keep) {
    sar_trim_end_trial(&a->out->best);
    a->out->best = t;
    a->out->report.period = period;
    return SAR_OK;
  }
  sar_trim_end_trial(&t);
  return st;
}

SarStatus sar_trim_begin(SarTrimSearch* a) {
  SarTrimTrial* t = &a->out->best;
  for (int i = 0; i < 3 * a->o.count + 1; i++)
    sar_snprintf(a->name[i], sizeof a->name[i], "trim %d %s", i / 3 + 1,
                 i == 3 * a->o.count ? "period"
                 : i % 3 == 0        ? "left"
                 : i % 3 == 1        ? "right"
                                     : "unknown");
  SAR_TRY(load(a, NULL, false, t, a->err));
  SAR_TRY(sar_sim_new(t->m, t->d, a->o.sim, &t->s, a->err));
  SarStatus st = sar_outputs(t->s, t->values);
  for (int i = 0; st == SAR_OK && i < a->o.count; i++)
    a->out->before[i] = a->out->value[i] = column_of(a, t, 3 * i + 2);
  if (st == SAR_OK && a->o.start > 0) st = sar_advance(t->s, a->o.start);
  if (st == SAR_OK) return SAR_OK;
  fail(a, t, st);
  sar_report(a->err, (SarLoc){a->path, 0, 0}, "", "%s", a->why);
  return st;
}

SarStatus sar_trim_finish(SarTrimSearch* a, const double* p) {
  SarTrimTrial t = {0};
  SarStatus st = load(a, p, true, &t, a->err);
  if (st == SAR_OK && !carry_on(&t, &a->out->best)) st = SAR_BAD_MODEL;
  if (st == SAR_OK) set_inputs(a, &t, p);
  if (st == SAR_OK) st = sar_sim_new(t.m, t.d, a->o.sim, &t.s, a->err);
  if (st != SAR_OK) {
    sar_trim_end_trial(&t);
    return st;
  }
  sar_trim_end_trial(&a->out->best);
  a->out->best = t;
  return SAR_OK;
}
