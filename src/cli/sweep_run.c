// The instances of a sweep (sweep.h): each is loaded with its own parameters and run by itself, so
// that it is, bit for bit, what `sarrus run --set ...` gives; threads share them in portions, and
// rows are written in order.
#include "cli/sweep.h"

#include "base/clock.h"
#include "base/pool.h"
#include "cli/interrupt.h"

#include <string.h>
#include <unistd.h>

enum { PORTION = 16 };  // instances of a thread between two writes

typedef struct Work {
  Sweep* s;
  SarPool* pool;
  SweepSink sink;
  SweepOutcome* outcome;  // of a portion
  int first;
  double* kept;
} Work;

// ---- one instance, in any thread ----------------------------------------------------------------

static SarStatus on_row(void* context, const double* values, int count) {
  SweepOutcome* o = context;
  memcpy(o->last, values, (size_t)count * sizeof *values);
  o->has_last = true;
  return SAR_OK;
}

static bool on_stop(void* context) {
  const SweepOutcome* o = context;
  return cli_interrupted() || (o->halt && atomic_load_explicit(o->halt, memory_order_relaxed));
}

static const char* coordinates_of(const CliArgs* args) {
  const char* coordinates = cli_value(args, "coordinates");
  const char* formulation = cli_value(args, "formulation");
  return !coordinates && formulation && cli_needs_absolute(formulation) ? "absolute" : coordinates;
}

SarStatus sweep_load(const Sweep* s, int instance, SarModel** m, SarError* err) {
  CliLoading loading;
  SarParameter value[SWEEP_MOST_AXES];
  for (int i = 0; i < s->plan.axes; i++)
    value[i] = (SarParameter){s->plan.axis[i].name, sweep_value(&s->plan, i, instance)};
  const CliLoad how = {
      .coordinates = coordinates_of(s->args), .parameters = value, .parameter_count = s->plan.axes};
  if (!cli_load_options(s->args, &how, &loading)) return SAR_BAD_ARGUMENT;
  loading.o.on_file = NULL;  // the files are those of the first
  return sar_model_load(s->job.path, &loading.o, m, err);
}

static SarStatus compute(const Sweep* s, int instance, SweepOutcome* o, SarError* err) {
  SarModel* m = NULL;
  SarStatus st = sweep_load(s, instance, &m, err);
  if (st == SAR_OK && !sar_model_is_like(s->base, m)) {
    sar_report(err, (SarLoc){0}, "", "these values change the topology of the model");
    st = SAR_BAD_MODEL;
  }
  if (st == SAR_OK) {
    SarRunOptions run = s->job.run;
    run.sim = &s->job.sim;
    run.keep_rows = s->rows;
    run.context = o;
    run.on_row = on_row;
    run.should_stop = on_stop;
    st = sar_run(m, &run, &o->run, err);
  }
  if (o->run) {
    const SarRunReport* r = sar_run_report(o->run);
    o->stopped = st == SAR_OK && r->end_time < r->end_wanted;
    snprintf(o->trouble, sizeof o->trouble, "%s", r->trouble);
  }
  sar_model_free(m);
  return st;
}

void sweep_note_trouble(SweepOutcome* o, const SarError* err) {
  if (o->status != SAR_OK && !o->trouble[0])
    for (int i = err->count - 1; i >= 0; i--)
      if (err->items[i].severity == SAR_ERROR)
        sar_error_format(err, i, o->trouble, sizeof o->trouble);
  if (o->status != SAR_OK && !o->trouble[0])
    snprintf(o->trouble, sizeof o->trouble, "%s", sar_status_text(o->status));
}

void sweep_instance(const Sweep* s, int instance, SweepOutcome* o) {
  SarError err;
  if (on_stop(o)) {
    o->stopped = true;
    return;
  }
  sar_error_init(&err);
  o->status = compute(s, instance, o, &err);
  sweep_note_trouble(o, &err);
}

const SarTable* sweep_rows_of(const Sweep* s, const SweepOutcome* o) {
  return !s->rows ? NULL : o->table.rows > 0 ? &o->table : sar_run_table(o->run);
}

static void run_instance(void* context, int index) {
  const Work* w = context;
  sweep_instance(w->s, w->first + index, &w->outcome[index]);
}

// ---- rows, in order -----------------------------------------------------------------------------

// Time and the columns that are kept, of a row with all of them.
static const double* kept(const Work* w, const double* all) {
  const Sweep* s = w->s;
  w->kept[0] = all[0];
  for (int i = 0; i < s->columns; i++) w->kept[1 + i] = all[1 + s->column[i]];
  return w->kept;
}

static SarStatus write_rows(Work* w, int instance, const SweepOutcome* o) {
  const SarTable* t = sweep_rows_of(w->s, o);
  const size_t columns = (size_t)sar_table_columns(t);
  const int status = cli_exit_status(o->status);
  if (sar_table_rows(t) == 0)
    return sweep_sink_row(&w->sink, instance, status,
                          o->status == SAR_OK && o->has_last ? kept(w, o->last) : NULL);
  for (size_t i = 0; i < sar_table_rows(t); i++)
    SAR_TRY(sweep_sink_row(&w->sink, instance, status, kept(w, sar_table_values(t) + i * columns)));
  return SAR_OK;
}

// Takes what a thread left; SAR_STOPPED: it was not finished, and what follows is not written.
static SarStatus finish(Work* w, int instance, SweepOutcome* o) {
  const SarStatus st = o->stopped ? SAR_STOPPED : write_rows(w, instance, o);
  if (st == SAR_OK)
    sweep_sink_count(&w->sink, instance, cli_exit_status(o->status), o->trouble,
                     o->status == SAR_OK ? kept(w, o->last) : NULL);
  return st;
}

static int portion_of(const Sweep* s) {
  return s->lanes > 0 ? SWEEP_MOST_GENERATED : PORTION * s->threads;
}

static SarStatus run_portions(Work* w) {
  Sweep* s = w->s;
  const int portion = portion_of(s);
  const double began = sar_clock_wall();
  SarStatus st = SAR_OK;
  cli_watch_signals();
  while (w->first < s->plan.instances && st == SAR_OK) {
    const int left = s->plan.instances - w->first, n = left < portion ? left : portion;
    if (s->lanes > 0)
      sweep_generated_batch(s, s->threads, w->first, n, w->outcome);
    else
      sar_pool_run(w->pool, n, run_instance, w);
    for (int i = 0; i < n; i++) {
      SweepOutcome* o = &w->outcome[i];
      if (st == SAR_OK) st = finish(w, w->first + i, o);
      sar_run_free(o->run);
      sar_model_free(o->model);
      sar_table_clear(&o->table);
      *o = (SweepOutcome){.last = o->last};
    }
    w->first += n;
    sweep_show_bar(s, s->done, sar_clock_wall() - began);
  }
  sweep_clear_bar(s);
  s->wall_s = sar_clock_wall() - began;
  s->stopped = st == SAR_STOPPED;
  return s->stopped ? SAR_OK : st;
}

// ---- set-up -------------------------------------------------------------------------------------

static SarStatus begin(Work* w, SarError* err) {
  Sweep* s = w->s;
  const int outputs = sar_model_count(s->base, SAR_ITEM_OUTPUT);
  SAR_TRY(sar_pool_new(s->threads, &w->pool));
  s->threads = sar_pool_threads(w->pool);
  if (s->generated) sweep_generated_begin(s);
  const int portion = portion_of(s);
  w->outcome = sar_alloc((size_t)portion * sizeof *w->outcome);
  w->kept = sar_alloc((size_t)(1 + s->columns) * sizeof *w->kept);
  double* last = sar_alloc((size_t)portion * (size_t)(outputs + 1) * sizeof *last);
  if (w->outcome) w->outcome[0].last = last;
  if (!w->outcome || !w->kept || !last) return SAR_NO_MEMORY;
  for (int i = 0; i < portion; i++) w->outcome[i].last = last + i * (outputs + 1);
  return sweep_sink_open(s, &w->sink, err);
}

int sweep_run(Sweep* s) {
  Work w = {.s = s, .sink = {.s = s}};
  s->bar = !s->job.quiet && isatty(STDERR_FILENO);
  SarError err;
  sar_error_init(&err);
  SarStatus st = begin(&w, &err);
  if (st == SAR_OK) st = run_portions(&w);
  st = sweep_sink_close(&w.sink, st, &err);
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus sweep", s->job.path, st);
  if (w.outcome) sar_free(w.outcome[0].last);
  sweep_generated_end(s);
  sar_free(w.outcome);
  sar_free(w.kept);
  sar_pool_free(w.pool);
  if (st != SAR_OK) return cli_exit_status(st);
  return s->failed ? EXIT_NUMERICS : EXIT_DONE;
}
