// The instances of a sweep (sweep.h): each is loaded with its own parameters and run by itself, so that it is, bit
// for bit, what `sarrus run --set ...` gives; threads share them in portions, and rows are written in order.
#include "cli/sweep.h"

#include "base/clock.h"
#include "base/pool.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "output/table.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { PORTION = 16, BAR_WIDTH = 40 };  // instances of a thread between two writes

typedef struct Work {
  Sweep* s;
  SarPool* pool;
  SarWriter* writer;
  CliOutput file;
  SweepOutcome* outcome;  // of a portion
  int first;
  double* row;
  bool bar;
} Work;

// ---- one instance, in any thread -------------------------------------------------------------------

static SarStatus on_row(void* context, const double* values, int count) {
  SweepOutcome* o = context;
  memcpy(o->last, values, (size_t)count * sizeof *values);
  o->has_last = true;
  return SAR_OK;
}

static bool on_stop(void* context) {
  (void)context;
  return cli_interrupted();
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

static void run_instance(void* context, int index) {
  const Work* w = context;
  SweepOutcome* o = &w->outcome[index];
  SarError err;
  if (cli_interrupted()) {
    o->stopped = true;
    return;
  }
  sar_error_init(&err);
  o->status = compute(w->s, w->first + index, o, &err);
  sweep_note_trouble(o, &err);
}

// ---- rows, in order --------------------------------------------------------------------------------

static SarStatus write_row(Work* w, int instance, const SweepOutcome* o, const double* values) {
  const Sweep* s = w->s;
  int n = 0;
  w->row[n++] = instance;
  for (int i = 0; i < s->plan.axes; i++) w->row[n++] = sweep_value(&s->plan, i, instance);
  w->row[n++] = cli_exit_status(o->status);
  w->row[n++] = values ? values[0] : (double)NAN;
  for (int i = 0; i < s->columns; i++)
    w->row[n++] = values ? values[1 + s->column[i]] : (double)NAN;
  return w->writer ? sar_writer_row(w->writer, w->row) : SAR_OK;
}

static SarStatus write_rows(Work* w, int instance, const SweepOutcome* o) {
  const SarTable* t = !w->s->rows ? NULL : o->table.rows > 0 ? &o->table : sar_run_table(o->run);
  const size_t columns = (size_t)sar_table_columns(t);
  if (sar_table_rows(t) == 0)
    return write_row(w, instance, o, o->status == SAR_OK && o->has_last ? o->last : NULL);
  for (size_t i = 0; i < sar_table_rows(t); i++)
    SAR_TRY(write_row(w, instance, o, sar_table_values(t) + i * columns));
  return SAR_OK;
}

static void widen(SweepRange* r, int instance, double value) {
  if (!isfinite(value)) return;
  if (r->low_at < 0 || value < r->low) r->low = value, r->low_at = instance;
  if (r->high_at < 0 || value > r->high) r->high = value, r->high_at = instance;
}

// "instance 17 (k = 2e4, m = 3)"
static void name_instance(const Sweep* s, int instance, char* text, size_t size) {
  int n = snprintf(text, size, "instance %d (", instance);
  for (int i = 0; i < s->plan.axes && n > 0 && (size_t)n < size; i++)
    n += snprintf(text + n, size - (size_t)n, "%s%s = %.6g", i ? ", " : "", s->plan.axis[i].name,
                  sweep_value(&s->plan, i, instance));
  if (n > 0 && (size_t)n < size) snprintf(text + n, size - (size_t)n, ")");
}

static void clear_bar(const Work* w) {
  if (w->bar) fprintf(stderr, "\r%*s\r", BAR_WIDTH + 30, "");
}

static void note_failure(Work* w, int instance, const SweepOutcome* o) {
  Sweep* s = w->s;
  char name[300];
  name_instance(s, instance, name, sizeof name);
  if (s->failed < SWEEP_SHOWN_FAILURES) {
    clear_bar(w);
    fprintf(stderr, "sarrus: %s: %s: %s\n", cli_shown(s->job.path), name, o->trouble);
    s->failure[s->failed] = instance;
    snprintf(s->trouble[s->failed], sizeof s->trouble[0], "%s", o->trouble);
  }
  s->failed++;
}

// Takes what a thread left; SAR_STOPPED: it was not finished, and what follows is not written.
static SarStatus finish(Work* w, int instance, SweepOutcome* o) {
  Sweep* s = w->s;
  SarStatus st = o->stopped ? SAR_STOPPED : write_rows(w, instance, o);
  if (st == SAR_OK && o->status != SAR_OK) note_failure(w, instance, o);
  for (int i = 0; st == SAR_OK && o->status == SAR_OK && i < s->columns; i++)
    widen(&s->range[i], instance, o->last[1 + s->column[i]]);
  if (st == SAR_OK) s->done++;
  return st;
}

static void show_progress(const Work* w, double began) {
  const Sweep* s = w->s;
  const double part = (double)s->done / s->plan.instances;
  const int length = (int)(part * BAR_WIDTH);
  if (!w->bar) return;
  fprintf(stderr, "\r  [%.*s%*s] %d of %d, %.0f s left  ", length,
          "########################################", BAR_WIDTH - length, "", s->done,
          s->plan.instances, (sar_clock_wall() - began) * (1 - part) / fmax(part, 1e-9));
}

static int portion_of(const Sweep* s) {
  return s->generated ? SWEEP_MOST_GENERATED : PORTION * s->threads;
}

static SarStatus run_portions(Work* w) {
  Sweep* s = w->s;
  const int portion = portion_of(s);
  const double began = sar_clock_wall();
  SarStatus st = SAR_OK;
  cli_watch_signals();
  while (w->first < s->plan.instances && st == SAR_OK) {
    const int left = s->plan.instances - w->first, n = left < portion ? left : portion;
    if (!s->generated || !sweep_generated(s, s->threads, w->first, n, w->outcome))
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
    show_progress(w, began);
  }
  clear_bar(w);
  s->wall_s = sar_clock_wall() - began;
  s->stopped = st == SAR_STOPPED;
  return s->stopped ? SAR_OK : st;
}

// ---- set-up ----------------------------------------------------------------------------------------

static SarStatus open_file(Work* w, SarError* err) {
  const Sweep* s = w->s;
  const char* out = s->job.out;
  if (!out) return SAR_OK;
  const int count = s->plan.axes + 3 + s->columns;
  const char** names = sar_alloc(sizeof *names * (size_t)count);
  if (!names) return SAR_NO_MEMORY;
  int n = 0;
  names[n++] = "instance";
  for (int i = 0; i < s->plan.axes; i++) names[n++] = s->plan.axis[i].name;
  names[n++] = "status";
  names[n++] = "time";
  for (int i = 0; i < s->columns; i++)
    names[n++] = sar_model_name(s->base, SAR_ITEM_OUTPUT, s->column[i]);
  SarStatus st = cli_output_begin(s->args, out, &w->file, err);
  if (st == SAR_OK)
    st = sar_writer_open(cli_output_path(&w->file), names, count, s->job.digits, s->job.path,
                         &w->writer, err);
  sar_free((void*)names);
  return st;
}

static SarStatus begin(Work* w, SarError* err) {
  Sweep* s = w->s;
  const int outputs = sar_model_count(s->base, SAR_ITEM_OUTPUT);
  SAR_TRY(sar_pool_new(s->threads, &w->pool));
  s->threads = sar_pool_threads(w->pool);
  const int portion = portion_of(s);
  w->outcome = sar_alloc((size_t)portion * sizeof *w->outcome);
  w->row = sar_alloc((size_t)(s->plan.axes + 3 + s->columns) * sizeof *w->row);
  double* last = sar_alloc((size_t)portion * (size_t)(outputs + 1) * sizeof *last);
  if (w->outcome) w->outcome[0].last = last;
  if (!w->outcome || !w->row || !last) return SAR_NO_MEMORY;
  for (int i = 0; i < portion; i++) w->outcome[i].last = last + i * (outputs + 1);
  return open_file(w, err);
}

int sweep_run(Sweep* s) {
  Work w = {.s = s, .bar = !s->job.quiet && isatty(STDERR_FILENO)};
  SarError err;
  sar_error_init(&err);
  SarStatus st = begin(&w, &err);
  if (st == SAR_OK) st = run_portions(&w);
  const SarStatus closed = sar_writer_close(w.writer, &err);
  st = cli_output_end(&w.file, st == SAR_OK ? closed : st, &err);
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus sweep", s->job.path, st);
  if (w.outcome) sar_free(w.outcome[0].last);
  sar_table_clear(&s->times);
  sar_free(w.outcome);
  sar_free(w.row);
  sar_pool_free(w.pool);
  if (st != SAR_OK) return cli_exit_status(st);
  return s->failed ? EXIT_NUMERICS : EXIT_DONE;
}
