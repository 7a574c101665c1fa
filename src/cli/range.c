// A driven mechanism over a range of time (range.h).
#include "cli/range.h"
#include "cli/files.h"

#include "base/error.h"

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
  *r = (Range){.path = args->operand[0]};
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
  if (st != SAR_OK && err.errors == 0)
    fprintf(stderr, "sarrus %s: %s: %s\n", args->command->name, r->path, sar_status_text(st));
  return cli_exit_status(st);
}

void range_end(Range* r) {
  sar_follow_free(&r->follow);
  sar_sim_free(r->s);
  sar_data_free(r->d);
  sar_model_free(r->m);
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

int range_write(const CliArgs* args, const Range* r, const SarTable* t) {
  const char* out = cli_value(args, "out");
  double digits = 12;
  if (!out) return EXIT_DONE;
  if (!cli_positive(args, "digits", &digits)) return EXIT_USAGE;
  SarError err;
  sar_error_init(&err);
  SarWriter* w = NULL;
  CliOutput file = {0};
  SarStatus st = cli_output_begin(args, out, &file, &err);
  if (st == SAR_OK)
    st = sar_writer_open(cli_output_path(&file), (const char* const*)t->names, t->columns,
                         digits > 17 ? 17 : (int)digits, r->path, &w, &err);
  for (size_t i = 0; i < t->rows && st == SAR_OK; i++)
    st = sar_writer_row(w, &t->values[i * (size_t)t->columns]);
  if (w) {
    SarStatus closed = sar_writer_close(w, &err);
    if (st == SAR_OK) st = closed;
  }
  st = cli_output_end(&file, st, &err);
  cli_print_messages(&err);
  return cli_exit_status(st);
}
