// Rows of a comparison: at which times runs are compared, and with what.
#include "cli/compare.h"
#include "cli/files.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 200 };  // enough to see where runs part

static double round_125(double x) {
  const double decade = pow(10, floor(log10(x))), lead = x / decade;
  return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * decade;
}

static double time_step(const Compare* c, double wanted, double end) {
  if (wanted > 0) return wanted;
  if (c->target.what != TARGET_NONE) return round_125(end / FRAMES);
  double largest = 0;
  for (int i = 0; i < c->steps.count; i++) largest = fmax(largest, c->steps.item[i]);
  return largest > 0 ? fmax(1, round(end / FRAMES / largest)) * largest : end / FRAMES;
}

static bool take_times(Compare* c, size_t count) {
  c->times = sar_alloc(count * sizeof *c->times);
  c->some = sar_alloc(count * sizeof *c->some);
  return c->times && c->some;
}

static int make_times(Compare* c, const SarModel* m, const CompareWanted* w) {
  SarModelInfo info;
  sar_model_info(m, &info);
  const double end = w->end > 0 ? w->end : info.end > 0 ? info.end : 10;
  const double dt = fmin(time_step(c, w->output_step, end), end);
  const size_t count = (size_t)ceil(end / dt - 1e-9) + 1;
  if (!take_times(c, count)) return EXIT_INTERNAL;
  for (size_t i = 0; i + 1 < count; i++) c->times[i] = (double)i * dt;
  c->times[count - 1] = end;
  c->time_count = count;
  return EXIT_DONE;
}

// The times of a reference file, up to --end.
static int file_times(Compare* c, const CompareWanted* w) {
  const SarTable* t = c->reference;
  const size_t rows = sar_table_rows(t), columns = (size_t)sar_table_columns(t);
  if (!take_times(c, rows + 1)) return EXIT_INTERNAL;
  for (size_t i = 0; i < rows; i++) {
    const double time = sar_table_values(t)[i * columns];
    const bool rises = c->time_count == 0 ? time >= 0 : time > c->times[c->time_count - 1];
    if (!isfinite(time) || !rises)
      return cli_usage_error(c->args->command, "%s: the first column must be a time that rises",
                             c->reference_file);
    if (w->end > 0 && time > w->end * (1 + 1e-12)) break;
    c->times[c->time_count++] = time;
  }
  if (c->time_count < 2)
    return cli_usage_error(c->args->command, "%s: fewer than two rows", c->reference_file);
  return EXIT_DONE;
}

// A table of the model's columns, without rows.
static bool make_names(const SarModel* m, SarTable* t) {
  const int count = sar_model_count(m, SAR_ITEM_OUTPUT);
  const char** names = sar_alloc((size_t)(count + 1) * sizeof *names);
  if (!names) return false;
  names[0] = "time";
  for (int i = 0; i < count; i++) names[i + 1] = sar_model_name(m, SAR_ITEM_OUTPUT, i);
  const SarStatus st = sar_table_init(t, names, count + 1);
  sar_free((void*)names);
  return st == SAR_OK;
}

// Does the error have anything to go by?
static int check_columns(const Compare* c, const SarModel* m) {
  SarTable ours;
  SarDifference d = {0};
  if (!c->reference) return EXIT_DONE;
  if (!make_names(m, &ours)) return EXIT_INTERNAL;
  SarStatus st = sar_table_difference(c->reference, &ours, c->columns, &d);
  sar_table_clear(&ours);
  if (st != SAR_OK) return cli_exit_status(st);
  if (d.columns > 0) return EXIT_DONE;
  return cli_usage_error(c->args->command,
                         "no column of the reference is an output of the model%s%s",
                         c->columns ? " and matches " : "", c->columns ? c->columns : "");
}

static int find(Compare* c, const SarModel* m, const CompareWanted* w) {
  const char* text = cli_value(c->args, "reference");
  const char* integrator = cli_value(c->args, "reference-integrator");
  c->reference_integrator = integrator ? integrator : sar_reference_options().integrator;
  if (!text || strcmp(text, "auto") == 0) {
    int status = make_times(c, m, w);
    return status == EXIT_DONE ? cli_exit_status(compare_reference(c, m)) : status;
  }
  if (integrator)
    return cli_usage_error(c->args->command, "--reference-integrator: '--reference %s' needs none",
                           text);
  if (strcmp(text, "none") == 0) {
    if (c->target.what == TARGET_ERROR)
      return cli_usage_error(c->args->command, "--target error=... needs a reference");
    return make_times(c, m, w);
  }
  SarError err;
  sar_error_init(&err);
  c->reference_file = text;
  cli_input(NULL, text);
  SarStatus st = sar_table_load(text, &c->reference_table, &err);
  c->reference = c->reference_table;
  cli_print_messages(&err);
  return st == SAR_OK ? file_times(c, w) : cli_exit_status(st);
}

int compare_find_reference(Compare* c, const SarModel* m, const CompareWanted* w) {
  const int status = find(c, m, w);
  return status == EXIT_DONE ? check_columns(c, m) : status;
}
