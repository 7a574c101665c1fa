// Measured data of sarrus identify: times that rise, columns that are outputs of the model. The
// table is read by the reader of results (output/csv.c), which is fuzzed.
#include "cli/identify.h"

#include "output/difference.h"

#include <math.h>
#include <string.h>

static double at(const Identify* a, int row, int column) {
  return sar_table_values(
      a->data)[(size_t)row * (size_t)sar_table_columns(a->data) + (size_t)column];
}

static void offer(const char* word, const SarModel* m, char* hint, size_t size) {
  enum { MOST = 400 };
  const char* names[MOST];
  int n = 0;
  for (int i = 0; i < sar_model_count(m, SAR_ITEM_OUTPUT) && n < MOST; i++)
    names[n++] = sar_model_name(m, SAR_ITEM_OUTPUT, i);
  sar_text_offer(hint, size, word, names, n);
}

// ---- times --------------------------------------------------------------------------------------

static void check_times(Identify* a, int column, SarError* err) {
  for (int i = 0; i < a->rows; i++) {
    const SarLoc loc = {.file = a->path};
    a->time[i] = at(a, i, column);
    if (!isfinite(a->time[i]) || a->time[i] < 0)
      sar_report(err, loc, "times count from the start of the run, at 0", "row %d: the time is %g",
                 i + 1, a->time[i]);
    else if (i > 0 && !(a->time[i] > a->time[i - 1]))
      sar_report(err, loc, "sort the rows by time, each time once",
                 "row %d: the time does not rise, %.9g after %.9g", i + 1, a->time[i],
                 a->time[i - 1]);
    if (err->errors > 5) return;
  }
}

static SarStatus read_table(Identify* a, SarError* err) {
  cli_input(NULL, a->path);
  SAR_TRY(sar_table_load(a->path, &a->data, err));
  const int column = sar_table_find(a->data, "time");
  const SarLoc loc = {.file = a->path};
  if (column < 0) {
    sar_report(err, loc, "name it time", "there is no column of times");
    return SAR_BAD_ARGUMENT;
  }
  if (sar_table_rows(a->data) < 2 || sar_table_rows(a->data) > 10000000) {
    sar_report(err, loc, "", "%zu rows: expected 2 at least", sar_table_rows(a->data));
    return SAR_BAD_ARGUMENT;
  }
  a->rows = (int)sar_table_rows(a->data);
  a->time = sar_alloc((size_t)a->rows * sizeof *a->time);
  if (!a->time) return SAR_NO_MEMORY;
  check_times(a, column, err);
  return err->errors ? SAR_BAD_ARGUMENT : SAR_OK;
}

int identify_read(Identify* a) {
  SarError err;
  sar_error_init(&err);
  const SarStatus st = read_table(a, &err);
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus identify", a->path, st);
  a->search.times = a->time;
  a->search.time_count = (size_t)a->rows;
  return cli_exit_status(st);
}

// ---- columns ------------------------------------------------------------------------------------

// Number of values, and how they spread about their mean.
static bool weigh(Identify* a, IdentifyColumn* c, SarError* err) {
  double sum = 0, squares = 0;
  for (int i = 0; i < a->rows; i++) {
    const double x = at(a, i, c->data);
    if (isnan(x)) continue;
    if (!isfinite(x)) {
      sar_report(err, (SarLoc){.file = a->path}, "write nan where there is no value",
                 "row %d: column '%s' is infinite", i + 1, c->name);
      return false;
    }
    sum += x;
    c->values++;
  }
  for (int i = 0; i < a->rows; i++) {
    const double x = at(a, i, c->data);
    if (!isnan(x)) squares += (x - sum / c->values) * (x - sum / c->values);
  }
  a->missing += a->rows - c->values;
  if (c->values == 0) {
    sar_report(err, (SarLoc){.file = a->path}, "leave it out, by --columns",
               "column '%s' has no values", c->name);
    return false;
  }
  c->spread = sqrt(squares / c->values);
  // what does not move has no size of its own
  if (!(c->spread > 0)) c->spread = sum != 0 ? fabs(sum / c->values) : 1;
  if (!c->given) c->sigma = c->spread;
  return true;
}

// NAME=VALUE of --sigma
static void read_sigma(Identify* a, const char* text, SarError* err) {
  const char* equals = strrchr(text, '=');
  const char* names[IDENTIFY_COLUMNS];
  char hint[300], word[128];
  double x;
  if (!equals || sar_parse_number(equals + 1, &x) != SAR_OK || !(x > 0) || !isfinite(x)) {
    sar_report(err, (SarLoc){0}, "", "--sigma '%s': expected COLUMN=VALUE, greater than 0", text);
    return;
  }
  snprintf(word, sizeof word, "%.*s", (int)(equals - text), text);
  for (int i = 0; i < a->columns; i++) {
    names[i] = a->column[i].name;
    if (strcmp(names[i], word) != 0) continue;
    a->column[i].given = true;
    a->column[i].sigma = x;
    return;
  }
  sar_report(err, (SarLoc){0}, sar_text_offer(hint, sizeof hint, word, names, a->columns),
             "--sigma '%s': no such column is fitted", text);
}

int identify_match(Identify* a) {
  const char* patterns = cli_value(a->args, "columns");
  SarError err;
  char hint[300];
  sar_error_init(&err);
  for (int i = 0; i < sar_table_columns(a->data); i++) {
    const char* name = sar_table_name(a->data, i);
    if (strcmp(name, "time") == 0 || (patterns && !sar_name_matches(patterns, name))) continue;
    if (sar_model_find(a->search.base, SAR_ITEM_OUTPUT, name) < 0) {
      offer(name, a->search.base, hint, sizeof hint);
      sar_report(&err, (SarLoc){.file = a->path}, hint, "column '%s' is no output of the model",
                 name);
    } else if (a->columns == IDENTIFY_COLUMNS) {
      sar_report(&err, (SarLoc){.file = a->path}, "choose by --columns",
                 "more than %d columns are measured", IDENTIFY_COLUMNS);
    } else {
      a->column[a->columns++] = (IdentifyColumn){.name = name, .data = i};
    }
  }
  for (int i = 0; i < a->args->sigma_count; i++) read_sigma(a, a->args->sigma[i], &err);
  if (a->columns == 0 && err.errors == 0)
    sar_report(&err, (SarLoc){.file = a->path}, "", "no column is left that could be fitted");
  int values = 0;
  for (int i = 0; i < a->columns && err.errors == 0; i++)
    if (weigh(a, &a->column[i], &err)) values += a->column[i].values;
  if (err.errors == 0 && values <= a->search.count)
    sar_report(&err, (SarLoc){.file = a->path}, "measure more, or fit fewer",
               "%d values do not determine %d parameters and their intervals", values,
               a->search.count);
  cli_print_messages(&err);
  a->search.values = a->rows * a->columns;
  return err.errors ? EXIT_USAGE : EXIT_DONE;
}

// Row by row. A run with fewer rows than there are times has not come to its end.
void identify_measure(const void* identify, const SarTable* rows, double* values) {
  const Identify* a = identify;
  for (int c = 0; c < a->columns; c++) {
    const int column = sar_table_find(rows, a->column[c].name);
    for (int i = 0; i < a->rows; i++)
      values[i * a->columns + c] =
          column < 0 || (size_t)i >= rows->rows
              ? (double)NAN
              : rows->values[(size_t)i * (size_t)rows->columns + (size_t)column];
  }
}
