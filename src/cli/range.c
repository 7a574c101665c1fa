// A driven mechanism over a range of time (range.h).
#include "cli/range.h"
#include "cli/interrupt.h"

#include <math.h>

enum { MOST_POINTS = 1000000 };

static int read_options(const CliArgs* args, Range* r) {
  SarSweepOptions* o = &r->o;
  double points = o->points;
  if (!cli_number(args, "from", &o->from)) return EXIT_USAGE;
  o->to = o->from;
  if (!cli_number(args, "to", &o->to) || !cli_positive(args, "points", &points)) return EXIT_USAGE;
  if (cli_value(args, "to") && o->to == o->from)
    return cli_usage_error(args->command, "--from and --to are the same");
  if (points != floor(points) || points < 2 || points > MOST_POINTS)
    return cli_usage_error(args->command, "--points: expected a whole number from 2 to %d",
                           MOST_POINTS);
  o->points = (int)points;
  o->formulation = cli_value(args, "formulation");
  return EXIT_DONE;
}

static SarStatus open_file(Range* r, const char* out, SarError* err) {
  const SarTable* t = r->table(r);
  double digits = 12;
  if (!cli_positive(r->args, "digits", &digits)) return SAR_BAD_ARGUMENT;
  SAR_TRY(cli_output_begin(r->args, out, &r->file, err));
  return sar_writer_open(cli_output_path(&r->file), (const char* const*)t->names, t->columns,
                         digits > 17 ? 17 : (int)digits, r->path, &r->writer, err);
}

static SarStatus on_row(void* context, const double* values, int count) {
  Range* r = context;
  const char* out = cli_value(r->args, "out");
  (void)count;
  if (out && !r->writer) {
    SarError err;
    sar_error_init(&err);
    const SarStatus st = open_file(r, out, &err);
    cli_print_messages(&err);
    r->said = st != SAR_OK && st != SAR_NO_MEMORY;
    if (st != SAR_OK) return st;
  }
  return r->writer ? sar_writer_row(r->writer, values) : SAR_OK;
}

// Rows found so far are kept.
static bool on_stop(void* context) {
  const Range* r = context;
  cli_watch_signals();
  if (!cli_interrupted()) return false;
  const SarTable* t = r->table(r);
  fprintf(stderr, "sarrus: %s: stopped by a signal at t = %.9g s\n", cli_shown(r->path),
          range_value(t, t->rows - 1, 0));
  return true;
}

static int begin(const CliArgs* args, Range* r) {
  *r = (Range){.path = args->operand[0], .args = args, .o = sar_sweep_options()};
  r->o.context = r;
  r->o.on_row = on_row;
  r->o.should_stop = on_stop;
  int status = read_options(args, r);
  if (status == EXIT_DONE) r->m = cli_load(args, r->path, &status);
  return status;
}

int range_run(const CliArgs* args, int (*analyse)(const CliArgs* args, Range* r)) {
  Range r;
  int status = begin(args, &r);
  if (status == EXIT_DONE) status = analyse(args, &r);
  sar_model_free(r.m);
  cli_pass_on_signal();
  return status;
}

void range_report(const Range* r, SarStatus status, SarError* err) {
  cli_print_messages(err);
  if (status != SAR_OK && status != SAR_STOPPED && err->errors == 0 && !r->said)
    cli_say_status("sarrus", r->path, status);
}

double range_value(const SarTable* t, size_t row, int column) {
  return sar_table_values(t)[row * (size_t)sar_table_columns(t) + (size_t)column];
}

Extremes range_extremes(const SarTable* t, int column) {
  Extremes e = {.low = HUGE_VAL, .high = -HUGE_VAL};
  for (size_t i = 0; i < sar_table_rows(t); i++) {
    const double time = range_value(t, i, 0), value = range_value(t, i, column);
    if (value < e.low) e.low = value, e.low_time = time;
    if (value > e.high) e.high = value, e.high_time = time;
  }
  return e;
}

int range_close(Range* r, SarStatus found) {
  SarError err;
  sar_error_init(&err);
  if (!r->writer) return EXIT_DONE;
  SarStatus st = sar_writer_close(r->writer, &err);
  const bool kept = found == SAR_OK || cli_exit_status(found) == EXIT_NUMERICS;
  r->writer = NULL;
  st = cli_output_end(&r->file, st == SAR_OK && !kept ? found : st, &err);
  cli_print_messages(&err);
  return cli_exit_status(st);
}
