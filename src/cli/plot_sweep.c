// Pictures of sweeps (plot_sweep.h). Of several parameters: parallel coordinates (Inselberg 1985),
// an axis for each parameter and output, a line for each instance, coloured by the last axis.
#include "cli/plot_sweep.h"

#include "base/alloc.h"
#include "base/error.h"
#include "cli/files.h"
#include "output/difference.h"
#include "output/figure.h"

#include <math.h>
#include <string.h>

enum { MOST_AXES = 8, USUAL_OUTPUTS = 3, MOST_LINES = 600, NAME = 120 };

static double value(const SarTable* t, size_t row, int column) {
  return sar_table_values(t)[row * (size_t)sar_table_columns(t) + (size_t)column];
}

bool plot_is_sweep(const SarTable* t, SweepTable* out) {
  *out = (SweepTable){.status = sar_table_find(t, "status"), .time = sar_table_find(t, "time")};
  return sar_table_columns(t) > 0 && strcmp(sar_table_name(t, 0), "instance") == 0 &&
         out->status > 1 && out->time == out->status + 1 && sar_table_rows(t) > 0;
}

int plot_sweep_line(const SarTable* t, const SweepTable* s) {
  if (s->status != 2 || sar_table_rows(t) < 2) return -1;
  for (size_t i = 1; i < sar_table_rows(t); i++)
    if (!(value(t, i, 1) > value(t, i - 1, 1))) return -1;
  return 1;
}

// ---- parallel coordinates -----------------------------------------------------------------------

typedef struct Parallel {
  const SarTable* t;
  const SweepTable* s;
  int axes, column[MOST_AXES];
  double low[MOST_AXES], high[MOST_AXES];
  char tick[MOST_AXES][NAME];
  const char* ticks[MOST_AXES];
  int lines;
  SarCurve* curve;
  double *x, *y;
} Parallel;

// The last row of an instance that was done, with all values.
static bool is_shown(const Parallel* p, size_t row) {
  const SarTable* t = p->t;
  if (value(t, row, p->s->status) != 0) return false;
  if (row + 1 < sar_table_rows(t) && value(t, row + 1, 0) == value(t, row, 0)) return false;
  for (int a = 0; a < p->axes; a++)
    if (!isfinite(value(t, row, p->column[a]))) return false;
  return true;
}

// Parameters, then outputs; constant outputs say nothing.
static void choose_axes(Parallel* p, const char* patterns) {
  const int columns = sar_table_columns(p->t);
  for (int c = 1; c < p->s->status && p->axes < MOST_AXES - 1; c++) p->column[p->axes++] = c;
  const int parameters = p->axes;
  for (int c = p->s->time + 1; c < columns && p->axes < MOST_AXES; c++) {
    if (patterns ? !sar_name_matches(patterns, sar_table_name(p->t, c))
                 : p->axes - parameters == USUAL_OUTPUTS)
      continue;
    double low = (double)INFINITY, high = -(double)INFINITY;  // of instances that were done
    for (size_t i = 0; i < sar_table_rows(p->t); i++) {
      low = fmin(low, value(p->t, i, c));
      high = fmax(high, value(p->t, i, c));
    }
    if (patterns || high > low) p->column[p->axes++] = c;
  }
}

static size_t find_ranges(Parallel* p) {
  size_t shown = 0;
  for (size_t i = 0; i < sar_table_rows(p->t); i++) {
    if (!is_shown(p, i)) continue;
    for (int a = 0; a < p->axes; a++) {
      const double x = value(p->t, i, p->column[a]);
      if (shown == 0 || x < p->low[a]) p->low[a] = x;
      if (shown == 0 || x > p->high[a]) p->high[a] = x;
    }
    shown++;
  }
  for (int a = 0; a < p->axes; a++) {
    snprintf(p->tick[a], NAME, "%.60s\n%.3g\nto %.3g", sar_table_name(p->t, p->column[a]),
             p->low[a], p->high[a]);
    p->ticks[a] = p->tick[a];
  }
  return shown;
}

static double share(const Parallel* p, size_t row, int a) {
  const double width = p->high[a] - p->low[a];
  return width > 0 ? (value(p->t, row, p->column[a]) - p->low[a]) / width : 0.5;
}

// From blue to orange.
static unsigned colour(double f) {
  const unsigned from[3] = {0x00, 0x72, 0xb2}, to[3] = {0xd5, 0x5e, 0x00};
  unsigned c = 0;
  for (int i = 0; i < 3; i++)
    c = c << 8 | (unsigned)lround((1 - f) * (double)from[i] + f * (double)to[i]);
  return c;
}

static void make_lines(Parallel* p, size_t shown) {
  const size_t every = shown / MOST_LINES + 1;
  size_t k = 0;
  for (size_t i = 0; i < sar_table_rows(p->t); i++) {
    if (!is_shown(p, i) || k++ % every != 0 || p->lines == MOST_LINES) continue;
    double* y = p->y + p->lines * p->axes;
    for (int a = 0; a < p->axes; a++) y[a] = share(p, i, a);
    p->curve[p->lines++] = (SarCurve){.x = p->x,
                                      .y = y,
                                      .n = (size_t)p->axes,
                                      .x_stride = 1,
                                      .y_stride = 1,
                                      .color = colour(y[p->axes - 1]),
                                      .width = shown > 100 ? 0.8 : 1.6};
  }
  for (int a = 0; a < p->axes; a++) p->x[a] = a;
}

int plot_sweep_parallel(const CliArgs* args, const SarTable* t, const SweepTable* s,
                        const char* title, const char* out) {
  Parallel p = {.t = t, .s = s};
  SarError err;
  CliOutput file;
  sar_error_init(&err);
  choose_axes(&p, cli_value(args, "columns"));
  if (p.axes < s->status) return cli_usage_error(args->command, "no output matches --columns");
  const size_t shown = find_ranges(&p);
  if (shown == 0) return cli_usage_error(args->command, "no instance of the sweep was done");
  p.curve = sar_alloc(MOST_LINES * sizeof *p.curve);
  p.x = sar_alloc(MOST_AXES * sizeof *p.x);
  p.y = sar_alloc(MOST_LINES * MOST_AXES * sizeof *p.y);
  SarStatus st = p.curve && p.x && p.y ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) {
    make_lines(&p, shown);
    const SarPanel panel = {.y_label = "share of the range", .curves = p.curve, .count = p.lines};
    const SarFigure figure = {.title = title,
                              .x_label = "",
                              .panels = &panel,
                              .count = 1,
                              .ticks = p.ticks,
                              .tick_count = p.axes};
    st = cli_output_begin(args, out, &file, &err);
    if (st == SAR_OK)
      st = cli_output_end(&file, sar_figure_write(&figure, cli_output_path(&file), &err), &err);
  }
  cli_print_messages(&err);
  sar_free(p.curve);
  sar_free(p.x);
  sar_free(p.y);
  return cli_exit_status(st);
}
