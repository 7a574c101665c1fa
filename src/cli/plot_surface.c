// A picture of a sweep over a grid of two parameters (plot_sweep.h): outputs as maps.
#include "cli/plot_sweep.h"

#include "base/alloc.h"
#include "base/error.h"
#include "cli/files.h"
#include "output/difference.h"
#include "output/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 4, USUAL_PANELS = 2, MOST_VALUES = 2000 };

typedef struct Grid {
  const SarTable* t;
  const SweepTable* s;
  int n[2];  // values of each parameter
  double* at[2];
  int panels, column[MOST_PANELS];
  double* z[MOST_PANELS];  // n[0] n[1]
} Grid;

static double value(const SarTable* t, size_t row, int column) {
  return sar_table_values(t)[row * (size_t)sar_table_columns(t) + (size_t)column];
}

static bool is_last(const SarTable* t, size_t row) {
  return row + 1 == sar_table_rows(t) || value(t, row + 1, 0) != value(t, row, 0);
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// The values of parameter k, each once.
static bool list_values(Grid* g, int k) {
  const size_t rows = sar_table_rows(g->t);
  double* x = g->at[k] = sar_alloc(rows * sizeof *x);
  if (!x) return false;
  for (size_t i = 0; i < rows; i++) x[i] = value(g->t, i, k + 1);
  qsort(x, rows, sizeof *x, ascending);
  for (size_t i = 0; i < rows; i++)
    if (g->n[k] == 0 || x[i] > x[g->n[k] - 1]) x[g->n[k]++] = x[i];
  return g->n[k] >= 2 && g->n[k] <= MOST_VALUES;
}

static int place(const Grid* g, int k, double x) {
  const double* found = bsearch(&x, g->at[k], (size_t)g->n[k], sizeof x, ascending);
  return found ? (int)(found - g->at[k]) : -1;
}

// Every pair once.
static bool is_grid(Grid* g) {
  if (g->s->status != 3 || !list_values(g, 0) || !list_values(g, 1)) return false;
  const size_t pairs = (size_t)g->n[0] * (size_t)g->n[1];
  char* seen = sar_alloc(pairs);
  size_t count = 0;
  if (!seen) return false;
  for (size_t i = 0; i < sar_table_rows(g->t); i++) {
    const int a = place(g, 0, value(g->t, i, 1)), b = place(g, 1, value(g->t, i, 2));
    if (!is_last(g->t, i) || a < 0 || b < 0) continue;
    count += !seen[a * g->n[1] + b];
    seen[a * g->n[1] + b] = 1;
  }
  sar_free(seen);
  return count == pairs;
}

static void release(Grid* g) {
  for (int k = 0; k < 2; k++) sar_free(g->at[k]);
  for (int k = 0; k < g->panels; k++) sar_free(g->z[k]);
}

bool plot_sweep_is_grid(const SarTable* t, const SweepTable* s) {
  Grid g = {.t = t, .s = s};
  const bool is = is_grid(&g);
  release(&g);
  return is;
}

// Values of a column where instances ended; those that failed stay blank. False: constant.
static bool read_column(Grid* g, int column, double* z) {
  double low = (double)INFINITY, high = -(double)INFINITY;
  for (int i = 0; i < g->n[0] * g->n[1]; i++) z[i] = (double)NAN;
  for (size_t i = 0; i < sar_table_rows(g->t); i++) {
    if (!is_last(g->t, i) || value(g->t, i, g->s->status) != 0) continue;
    const int at = place(g, 0, value(g->t, i, 1)) * g->n[1] + place(g, 1, value(g->t, i, 2));
    z[at] = value(g->t, i, column);
    low = fmin(low, z[at]);
    high = fmax(high, z[at]);
  }
  return high > low;
}

static bool read_outputs(Grid* g, const char* patterns) {
  for (int c = g->s->time + 1; c < sar_table_columns(g->t); c++) {
    if (g->panels == (patterns ? MOST_PANELS : USUAL_PANELS)) break;
    if (patterns && !sar_name_matches(patterns, sar_table_name(g->t, c))) continue;
    double* z = sar_alloc((size_t)g->n[0] * (size_t)g->n[1] * sizeof *z);
    if (!z) return false;
    if (!read_column(g, c, z)) {
      sar_free(z);
      continue;
    }
    g->z[g->panels] = z;
    g->column[g->panels++] = c;
  }
  return true;
}

static SarStatus draw(const CliArgs* args, const Grid* g, const char* title, const char* out,
                      SarError* err) {
  SarMapPanel panel[MOST_PANELS];
  CliOutput file;
  for (int k = 0; k < g->panels; k++)
    panel[k] = (SarMapPanel){sar_table_name(g->t, g->column[k]), g->z[k]};
  const SarMap map = {.title = title,
                      .x_label = sar_table_name(g->t, 1),
                      .y_label = sar_table_name(g->t, 2),
                      .nx = g->n[0],
                      .ny = g->n[1],
                      .x = g->at[0],
                      .y = g->at[1],
                      .panels = panel,
                      .count = g->panels};
  SAR_TRY(cli_output_begin(args, out, &file, err));
  return cli_output_end(&file, sar_map_write(&map, cli_output_path(&file), err), err);
}

int plot_sweep_surface(const CliArgs* args, const SarTable* t, const SweepTable* s,
                       const char* title, const char* out) {
  Grid g = {.t = t, .s = s};
  SarError err;
  sar_error_init(&err);
  SarStatus st =
      is_grid(&g) && read_outputs(&g, cli_value(args, "columns")) ? SAR_OK : SAR_NO_MEMORY;
  int status = -1;
  if (st == SAR_OK && g.panels == 0)
    status = cli_usage_error(args->command, cli_value(args, "columns")
                                                ? "no output that varies matches --columns"
                                                : "no output of the sweep varies");
  if (st == SAR_OK && g.panels > 0) st = draw(args, &g, title, out, &err);
  cli_print_messages(&err);
  release(&g);
  return status >= 0 ? status : cli_exit_status(st);
}
