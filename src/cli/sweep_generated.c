// Instances of a sweep by generated code (sweep --generated): a batch whose parameters are those
// that are varied (sar_batch_new), advanced from one output time to the next. The first instance of
// all is run by the interpreter as well: it says at which times rows are, and how far apart both
// are at its end.
#include "base/alloc.h"
#include "cli/interrupt.h"
#include "cli/sweep.h"

#include <math.h>
#include <string.h>

typedef struct Portion {
  Sweep* s;
  SweepOutcome* outcome;
  int first, n;
  // those that were loaded
  int count;
  int* index;
  const SarModel** model;
  double* value;  // by instance, then by axis
  const char* name[SWEEP_MOST_AXES];
} Portion;

bool sweep_is_account(const char* column) {
  const size_t n = strlen(column);
  return strncmp(column, "work.", 5) == 0 || strcmp(column, "energy.error") == 0 ||
         (n > 5 && strcmp(column + n - 5, ".work") == 0);
}

// ---- models
// ----------------------------------------------------------------------------------------

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
  if (o->status != SAR_OK) return;
  p->index[p->count] = i;
  p->model[p->count] = o->model;
  for (int a = 0; a < p->s->plan.axes; a++)
    p->value[p->count * p->s->plan.axes + a] = sweep_value(&p->s->plan, a, p->first + i);
  p->count++;
}

static bool begin(Portion* p) {
  const Sweep* s = p->s;
  p->index = sar_alloc((size_t)p->n * sizeof *p->index);
  p->model = sar_alloc((size_t)p->n * sizeof *p->model);
  p->value = sar_alloc((size_t)p->n * (size_t)(s->plan.axes + 1) * sizeof *p->value);
  for (int a = 0; a < s->plan.axes; a++) p->name[a] = s->plan.axis[a].name;
  if (!p->index || !p->model || !p->value) return false;
  for (int i = 0; i < p->n; i++) load_one(p, i);
  return true;
}

static void end(Portion* p) {
  sar_free(p->index);
  sar_free((void*)p->model);
  sar_free(p->value);
}

// ---- the first by the interpreter
// ------------------------------------------------------------------

static bool find_times(Portion* p) {
  Sweep* s = p->s;
  SarRun* run = NULL;
  SarRunOptions o = s->job.run;
  if (s->times.rows > 0 || p->count == 0) return true;
  o.sim = &s->job.sim;
  o.keep_rows = true;
  const SarStatus st = sar_run(p->model[0], &o, &run, NULL);
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

// ---- rows
// ------------------------------------------------------------------------------------------

static void take_row(const Portion* p, SarBatch* b, int k, double t, bool keep) {
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

static void advance(const Portion* p, SarBatch* b) {
  const SarTable* t = &p->s->times;
  for (size_t i = 0; i < t->rows; i++) {
    const double time = t->values[i * (size_t)t->columns];
    if (cli_interrupted()) {
      for (int k = 0; k < p->count; k++) p->outcome[p->index[k]].stopped = true;
      return;
    }
    if (i > 0) sar_batch_advance(b, time);  // each instance has its own status
    if (p->s->rows || i + 1 == t->rows)
      for (int k = 0; k < p->count; k++) take_row(p, b, k, time, p->s->rows);
  }
  if (p->first == 0 && p->count > 0 && p->outcome[p->index[0]].has_last)
    compare(p->s, p->outcome[p->index[0]].last);
}

// ---- all
// -------------------------------------------------------------------------------------------

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
  s->lanes = report.lanes;
  snprintf(s->why, sizeof s->why, "%s", report.why);
  if (report.lanes > 0) return b;
  sar_batch_free(b);
  return NULL;
}

// What the interpreter is to do has not begun.
static void forget(const Portion* p) {
  for (int i = 0; i < p->n; i++) {
    SweepOutcome* o = &p->outcome[i];
    sar_model_free(o->model);
    *o = (SweepOutcome){.last = o->last};
  }
}

bool sweep_generated(Sweep* s, int threads, int first, int n, SweepOutcome* outcome) {
  Portion p = {.s = s, .outcome = outcome, .first = first, .n = n};
  bool made = begin(&p);
  SarBatch* b = made && p.count > 0 ? make_batch(&p, threads) : NULL;
  if (b && !find_times(&p)) {
    snprintf(s->why, sizeof s->why, "the first instance could not be run by the interpreter");
    sar_batch_free(b);
    b = NULL;
  }
  if (b) advance(&p, b);
  made = made && (b || p.count == 0);
  sar_batch_free(b);
  if (!made) {
    s->lanes = 0;
    forget(&p);
  }
  end(&p);
  return made;
}
