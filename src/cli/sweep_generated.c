// Instances of a sweep by generated code (sweep --generated): a batch whose parameters are those
// that are varied (sar_batch_new), advanced from one output time to the next. The first instance of
// all, the lead, is run by the interpreter as well: it says at which times rows are, and how far
// apart both are at its end. It is in every batch, so that all have its code.
#include "base/alloc.h"
#include "cli/interrupt.h"
#include "cli/sweep.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct Portion {
  Sweep* s;
  SweepOutcome* outcome;
  int first, n;
  bool asks;  // lanes, times and how far apart the first instance is become the sweep's
  // those that were loaded
  int count;
  int* index;  // -1: the lead
  const SarModel** model;
  double* value;  // by instance, then by axis
  const char* name[SWEEP_MOST_AXES];
} Portion;

bool sweep_is_account(const char* column) {
  const size_t n = strlen(column);
  return strncmp(column, "work.", 5) == 0 || strcmp(column, "energy.error") == 0 ||
         (n > 5 && strcmp(column + n - 5, ".work") == 0);
}

// ---- models -------------------------------------------------------------------------------------

static void add(Portion* p, int i, const SarModel* m, int instance) {
  const SweepPlan* plan = &p->s->plan;
  p->index[p->count] = i;
  p->model[p->count] = m;
  for (int a = 0; a < plan->axes; a++)
    p->value[p->count * plan->axes + a] = sweep_value(plan, a, instance);
  p->count++;
}

static void load_one(Portion* p, int i) {
  SweepOutcome* o = &p->outcome[i];
  SarError err;
  sar_error_init(&err);
  o->status = sweep_load(p->s, p->first + i, &o->model, &err);
  if (o->status == SAR_OK && !sar_model_is_like(p->s->base, o->model)) {
    o->status = SAR_BAD_MODEL;
    snprintf(o->trouble, sizeof o->trouble, "these values change the topology of the model");
  }
  sweep_note_trouble(o, &err);
  if (o->status == SAR_OK) add(p, i, o->model, p->first + i);
}

static bool begin(Portion* p) {
  const Sweep* s = p->s;
  const size_t n = (size_t)p->n + 1;
  p->index = sar_alloc(n * sizeof *p->index);
  p->model = sar_alloc(n * sizeof *p->model);
  p->value = sar_alloc(n * (size_t)(s->plan.axes + 1) * sizeof *p->value);
  for (int a = 0; a < s->plan.axes; a++) p->name[a] = s->plan.axis[a].name;
  if (!p->index || !p->model || !p->value) return false;
  add(p, -1, s->lead, 0);
  for (int i = 0; i < p->n; i++) load_one(p, i);
  return true;
}

static void end(Portion* p) {
  sar_free(p->index);
  sar_free((void*)p->model);
  sar_free(p->value);
}

// ---- the first by the interpreter ---------------------------------------------------------------

static bool find_times(Portion* p) {
  Sweep* s = p->s;
  SarRun* run = NULL;
  SarRunOptions o = s->job.run;
  o.sim = &s->job.sim;
  o.keep_rows = true;
  const SarStatus st = sar_run(s->lead, &o, &run, NULL);
  const SarTable* t = st == SAR_OK ? sar_run_table(run) : NULL;
  SarStatus kept =
      t ? sar_table_init(&s->times, (const char* const*)t->names, t->columns) : SAR_NOT_CONVERGED;
  for (size_t i = 0; kept == SAR_OK && i < t->rows; i++)
    kept = sar_table_add(&s->times, t->values + i * (size_t)t->columns);
  sar_run_free(run);
  return kept == SAR_OK && s->times.rows > 0;
}

static void compare(Sweep* s, const double* last) {
  const SarTable* t = &s->times;
  for (int k = 0; k < s->columns; k++) {
    const int c = 1 + s->column[k];
    double largest = 0;
    for (size_t i = 0; i < t->rows; i++)
      largest = fmax(largest, fabs(t->values[i * (size_t)t->columns + (size_t)c]));
    const double off = fabs(last[c] - t->values[(t->rows - 1) * (size_t)t->columns + (size_t)c]);
    if (largest > 0) s->apart = fmax(s->apart, off / largest);
  }
}

// ---- rows ---------------------------------------------------------------------------------------

static void take_row(const Portion* p, SarBatch* b, int k, double t, bool keep) {
  if (p->index[k] < 0) return;
  SweepOutcome* o = &p->outcome[p->index[k]];
  if (o->status != SAR_OK) return;
  o->status = sar_batch_status(b, k);
  if (o->status == SAR_OK) o->status = sar_batch_outputs(b, k, o->last + 1);
  if (o->status != SAR_OK) {
    snprintf(o->trouble, sizeof o->trouble, "%s", sar_batch_trouble(b, k));
    sweep_note_trouble(o, &(SarError){0});
    return;
  }
  o->last[0] = t;
  o->has_last = true;
  const SarTable* names = &p->s->times;
  if (keep && o->table.columns == 0)
    o->status = sar_table_init(&o->table, (const char* const*)names->names, names->columns);
  if (keep && o->status == SAR_OK) o->status = sar_table_add(&o->table, o->last);
  sweep_note_trouble(o, &(SarError){0});
}

static bool is_stopped(const Portion* p) {
  const atomic_bool* halt = p->outcome[0].halt;
  return cli_interrupted() || (halt && atomic_load_explicit(halt, memory_order_relaxed));
}

static void advance(const Portion* p, SarBatch* b) {
  const SarTable* t = &p->s->times;
  for (size_t i = 0; i < t->rows; i++) {
    const double time = t->values[i * (size_t)t->columns];
    if (is_stopped(p)) {
      for (int k = 0; k < p->count; k++)
        if (p->index[k] >= 0) p->outcome[p->index[k]].stopped = true;
      return;
    }
    if (i > 0) sar_batch_advance(b, time);  // each instance has its own status
    if (p->s->rows || i + 1 == t->rows)
      for (int k = 0; k < p->count; k++) take_row(p, b, k, time, p->s->rows);
  }
  if (p->asks && p->first == 0 && p->outcome[0].has_last) compare(p->s, p->outcome[0].last);
}

// ---- all ----------------------------------------------------------------------------------------

static SarBatch* make_batch(const Portion* p, int threads) {
  Sweep* s = p->s;
  CliLoading loading;
  const char* coordinates = cli_value(s->args, "coordinates");
  const CliLoad how = {.coordinates = coordinates};
  SarBatchOptions o = sar_batch_options();
  SarBatchReport report;
  SarBatch* b = NULL;
  if (!cli_load_options(s->args, &how, &loading)) return NULL;
  o.sim = &s->job.sim;
  o.threads = threads;
  o.generated = true;
  o.file = s->job.path;
  o.load = &loading.o;
  o.parameters = p->name;
  o.parameter_count = s->plan.axes;
  o.parameter_values = p->value;
  sar_batch_new(p->model, p->count, &o, &b, NULL);  // each instance has its own status
  if (!b) return NULL;
  sar_batch_report(b, &report);
  if (p->asks) s->lanes = report.lanes;
  if (p->asks) snprintf(s->why, sizeof s->why, "%s", report.why);
  if (report.lanes > 0) return b;
  sar_batch_free(b);
  return NULL;
}

// What the interpreter is to do has not begun.
static void forget(const Portion* p) {
  for (int i = 0; i < p->n; i++) {
    SweepOutcome* o = &p->outcome[i];
    sar_model_free(o->model);
    *o = (SweepOutcome){.last = o->last, .halt = o->halt};
  }
}

// Code with the lead beside instance 0, which is run and compared with the interpreter.
static bool try_first(Sweep* s, SweepOutcome* o) {
  Portion p = {.s = s, .outcome = o, .n = 1, .asks = true};
  SarBatch* b = begin(&p) && p.count > 1 ? make_batch(&p, 1) : NULL;
  if (b && !find_times(&p))
    snprintf(s->why, sizeof s->why, "the first instance could not be run by the interpreter");
  else if (b)
    advance(&p, b);
  const bool good = b && s->times.rows > 0;
  sar_batch_free(b);
  end(&p);
  return good;
}

// Does the code fit an instance too? One that has no model does not say.
static bool fits(Sweep* s, int instance, SweepOutcome* o) {
  Portion p = {.s = s, .outcome = o, .first = instance, .n = 1, .asks = true};
  *o = (SweepOutcome){.last = o->last};
  SarBatch* b = begin(&p) && p.count > 1 ? make_batch(&p, 1) : NULL;
  const bool good = b || p.count == 1;
  sar_batch_free(b);
  end(&p);
  return good;
}

static void give_back(SweepOutcome* o) {
  sar_model_free(o->model);
  sar_table_clear(&o->table);
  o->model = NULL;
}

// Where it fits neither the last instance nor the one in the middle, nobody tries the others.
void sweep_generated_begin(Sweep* s) {
  const int outputs = sar_model_count(s->base, SAR_ITEM_OUTPUT), n = s->plan.instances;
  SweepOutcome o = {.last = sar_alloc((size_t)(outputs + 1) * sizeof *o.last)};
  SarError err;
  sar_error_init(&err);
  snprintf(s->why, sizeof s->why, "no memory");
  o.status = o.last ? sweep_load(s, 0, &s->lead, &err) : SAR_NO_MEMORY;
  bool good = o.status == SAR_OK && try_first(s, &o) && o.status == SAR_OK;
  sweep_note_trouble(&o, &err);
  if (o.status != SAR_OK) snprintf(s->why, sizeof s->why, "instance 0: %.280s", o.trouble);
  give_back(&o);
  for (int k = 0; k < 2 && good; k++) {
    good = fits(s, k ? n / 2 : n - 1, &o);
    give_back(&o);
  }
  if (!good) s->lanes = 0;
  sar_free(o.last);
}

void sweep_generated_end(Sweep* s) {
  sar_model_free(s->lead);
  sar_table_clear(&s->times);
  s->lead = NULL;
}

void sweep_generated_batch(const Sweep* s, int threads, int first, int n, SweepOutcome* outcome) {
  Portion p = {.s = (Sweep*)(uintptr_t)s, .outcome = outcome, .first = first, .n = n};
  SarBatch* b = begin(&p) && p.count > 1 ? make_batch(&p, threads) : NULL;
  const bool done = b || p.count == 1;  // 1: no instance has a model
  if (b) advance(&p, b);
  sar_batch_free(b);
  if (!done) forget(&p);
  end(&p);
  // one of them has other code: each by itself
  for (int i = 0; i < n && !done; i++) {
    if (n > 1)
      sweep_generated_batch(s, 1, first + i, 1, &outcome[i]);
    else
      sweep_instance(s, first, outcome);
  }
}
