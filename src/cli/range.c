// A driven mechanism over a range of time (range.h).
#include "cli/range.h"
#include "cli/interrupt.h"

#include "base/budget.h"
#include "base/error.h"
#include "model/model.h"

#include <math.h>

enum { POINTS = 101, MOST_POINTS = 1000000 };

static int read_options(const CliArgs* args, Range* r, bool* to_given) {
  double points = POINTS;
  if (!cli_number(args, "from", &r->from) || !cli_number(args, "to", &r->to) ||
      !cli_positive(args, "points", &points))
    return EXIT_USAGE;
  *to_given = cli_value(args, "to") != NULL;
  if (points != floor(points) || points < 2 || points > MOST_POINTS)
    return cli_usage_error(args->command, "--points: expected a whole number from 2 to %d",
                           MOST_POINTS);
  r->points = (int)points;
  return EXIT_DONE;
}

static SarStatus prepare(const CliArgs* args, Range* r, SarError* err) {
  SarSimOptions o = sar_sim_options();
  o.formulation = cli_value(args, "formulation");
  SAR_TRY(sar_data_new(r->m, &r->d, err));
  SAR_TRY(sar_sim_new(r->m, r->d, &o, &r->s, err));
  SAR_TRY(sar_follow_new(r->s, &r->follow, err));
  return sar_follow_to(&r->follow, r->from, err);
}

int range_begin(const CliArgs* args, Range* r) {
  bool to_given;
  *r = (Range){.path = args->operand[0], .args = args};
  int status = read_options(args, r, &to_given);
  if (status != EXIT_DONE) return status;
  r->m = cli_load(args, r->path, &status);
  if (!r->m) return status;
  if (!to_given) r->to = r->from + (r->m->sim.end > 0 ? r->m->sim.end : 10);
  if (r->to == r->from) return cli_usage_error(args->command, "--from and --to are the same");
  SarError err;
  sar_error_init(&err);
  SarStatus st = prepare(args, r, &err);
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus", r->path, st);
  return cli_exit_status(st);
}

void range_end(Range* r) {
  sar_follow_free(&r->follow);
  sar_sim_free(r->s);
  sar_data_free(r->d);
  sar_model_free(r->m);
}

void range_report(const Range* r, SarStatus status, SarError* err) {
  if (status == SAR_OVER_LIMIT && err->errors == 0)
    sar_over_limit(err, (SarLoc){.file = r->path}, r->m->memory_limit, "keeping the rows");
  cli_print_messages(err);
  if (status != SAR_OK && status != SAR_STOPPED && err->errors == 0 && !r->said)
    cli_say_status("sarrus", r->path, status);
}

bool range_interrupted(const Range* r) {
  cli_watch_signals();
  if (!cli_interrupted()) return false;
  fprintf(stderr, "sarrus: %s: stopped by a signal at t = %.9g s\n", cli_shown(r->path), r->d->t);
  return true;
}

double range_time(const Range* r, int point) {
  if (point == r->points - 1) return r->to;
  return r->from + (r->to - r->from) * point / (r->points - 1);
}

Extremes range_extremes(const SarTable* t, int column) {
  Extremes e = {.low = HUGE_VAL, .high = -HUGE_VAL};
  for (size_t i = 0; i < t->rows; i++) {
    const double* row = &t->values[i * (size_t)t->columns];
    if (row[column] < e.low) e.low = row[column], e.low_time = row[0];
    if (row[column] > e.high) e.high = row[column], e.high_time = row[0];
  }
  return e;
}

static SarStatus open_file(Range* r, const SarTable* t, const char* out, SarError* err) {
  double digits = 12;
  if (!cli_positive(r->args, "digits", &digits)) return SAR_BAD_ARGUMENT;
  SAR_TRY(cli_output_begin(r->args, out, &r->file, err));
  return sar_writer_open(cli_output_path(&r->file), (const char* const*)t->names, t->columns,
                         digits > 17 ? 17 : (int)digits, r->path, &r->writer, err);
}

SarStatus range_add(Range* r, SarTable* t, const double* row) {
  const char* out = cli_value(r->args, "out");
  if (out && !r->writer) {
    SarError err;
    sar_error_init(&err);
    const SarStatus st = open_file(r, t, out, &err);
    cli_print_messages(&err);
    r->said = st != SAR_OK && st != SAR_NO_MEMORY;
    if (st != SAR_OK) return st;
  }
  if (r->writer) SAR_TRY(sar_writer_row(r->writer, row));
  return sar_table_add(t, row);
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
