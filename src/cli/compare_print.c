// A comparison as text, CSV, JSON and as a picture: all from one table of columns.
#include "cli/compare.h"
#include "cli/files.h"

#include "output/figure.h"

#include <math.h>
#include <string.h>

enum { CELL = 64, MOST_CURVES = 64 };

const char* compare_verdict_text(CompareVerdict verdict) {
  switch (verdict) {
    case COMPARE_OK: return "ok";
    case COMPARE_INACCURATE: return "inaccurate";
    case COMPARE_WRONG_BRANCH: return "wrong branch";
    case COMPARE_MISSED: return "missed";
    case COMPARE_FAILED: return "failed";
    case COMPARE_NOT_OFFERED: return "not offered";
  }
  return "";
}

static bool has_begun(const CompareRun* r) { return r->report.formulation != NULL; }

// ---- columns ------------------------------------------------------------------------------------

// A number of a run; NaN: there is none.
static double error_of(const CompareRun* r) {
  return r->difference.rows > 0 ? r->difference.largest : (double)NAN;
}
static double energy_of(const CompareRun* r) { return r->report.energy_error_max; }
static double cost_of(const CompareRun* r) { return 1e3 * r->cost; }
static double steps_of(const CompareRun* r) { return (double)r->stats.steps; }
static double calls_of(const CompareRun* r) { return (double)r->stats.calls; }
static double iterations_of(const CompareRun* r) {
  const SarStats* s = &r->stats;
  return s->steps > 0 ? (double)s->iterations / (double)s->steps : (double)NAN;
}
static double drift_of(const CompareRun* r) { return r->stats.position_drift; }

typedef struct Column {
  const char *title, *key;  // of the text; of CSV and JSON
  const char* format;       // of the text
  double (*value)(const CompareRun* r);
} Column;

static const Column columns[] = {
    {"error", "error", "%.2e", error_of},
    {"energy [J]", "energy_error", "%.2e", energy_of},
    {"CPU ms/s", "cpu_ms_per_s", "%.4g", cost_of},
    {"steps", "steps", "%.0f", steps_of},
    {"calls", "calls", "%.0f", calls_of},
    {"it/step", "iterations_mean", "%.2f", iterations_of},
    {"drift", "position_drift", "%.1e", drift_of},
};
enum { COLUMNS = (int)(sizeof columns / sizeof *columns) };

// ---- text ---------------------------------------------------------------------------------------

// What differs between the runs is shown.
typedef struct Shown {
  bool coordinates, integrator, column[COLUMNS];
} Shown;

static Shown what_to_show(const Compare* c) {
  Shown s = {.column = {true, true, true, true, true, false, false}};
  s.column[0] = c->reference != NULL;
  for (int i = 0; i < c->runs; i++) {
    const CompareRun* r = &c->run[i];
    s.coordinates |= strcmp(r->method.coordinates, c->run[0].method.coordinates) != 0;
    s.integrator |= strcmp(r->method.integrator, c->run[0].method.integrator) != 0;
    s.column[5] |= r->stats.iterations > 0;
    s.column[6] |= drift_of(r) > 0;
  }
  return s;
}

// Text of column k, -4 .. COLUMNS: four names, the numbers, the verdict. "" where it has nothing.
static void cell_text(const Compare* c, const Shown* s, int row, int k, char* out, size_t size) {
  const CompareRun* r = row < 0 ? NULL : &c->run[row];
  out[0] = '\0';
  switch (k) {
    case -4: snprintf(out, size, "%s", r ? r->method.formulation : "formulation"); return;
    case -3:
      if (s->coordinates) snprintf(out, size, "%s", r ? r->method.coordinates : "coordinates");
      return;
    case -2:
      if (s->integrator) snprintf(out, size, "%s", r ? r->method.integrator : "integrator");
      return;
    case -1:
      if (!r)
        snprintf(out, size, "step or tol");
      else if (has_begun(r))
        snprintf(out, size, "%s %.6g", r->method.adaptive ? "tol" : "h", r->size);
      return;
    default: break;
  }
  if (!s->column[k]) return;
  const double x = r && has_begun(r) ? columns[k].value(r) : (double)NAN;
  if (!r)
    snprintf(out, size, "%s", columns[k].title);
  else if (isnan(x))
    snprintf(out, size, "-");
  else
    snprintf(out, size, columns[k].format, x);
}

static int width_of(const Compare* c, const Shown* s, int k) {
  char cell[CELL];
  int widest = 0;
  for (int row = -1; row < c->runs; row++) {
    cell_text(c, s, row, k, cell, sizeof cell);
    if ((int)strlen(cell) > widest) widest = (int)strlen(cell);
  }
  return widest;
}

static void print_heading(const Compare* c) {
  printf("%s: %.6g s, %zu rows compared\n", cli_shown(c->path), c->times[c->time_count - 1],
         c->time_count);
  if (c->reference_file)
    printf("reference: %s\n", cli_shown(c->reference_file));
  else if (c->reference && c->reference_step > 0)
    printf(
        "reference: impulse in steps of %.4g s; in steps four times as long it would be %.1e off\n",
        c->reference_step, c->uncertainty);
  else if (c->reference)
    printf("reference: %s at tolerance 1e-12; at 1e-10 it would be %.1e off\n",
           c->reference_integrator, c->uncertainty);
  if (c->target.what != TARGET_NONE)
    printf("target: %s at most %.3g%s\n",
           c->target.what == TARGET_ENERGY ? "energy error" : "error", c->target.bound,
           c->target.what == TARGET_ENERGY ? " J" : " of the column's scale");
}

void compare_print_table(const Compare* c) {
  const Shown shown = what_to_show(c);
  char cell[CELL];
  int width[COLUMNS + 4];
  print_heading(c);
  for (int k = -4; k < COLUMNS; k++) width[k + 4] = width_of(c, &shown, k);
  for (int row = -1; row < c->runs; row++) {
    for (int k = -4; k < COLUMNS; k++) {
      if (width[k + 4] == 0) continue;
      cell_text(c, &shown, row, k, cell, sizeof cell);
      printf("%s%*s", k == -4 ? "" : "  ", k < -1 ? -width[k + 4] : width[k + 4], cell);
    }
    const CompareRun* r = row < 0 ? NULL : &c->run[row];
    printf("  %s%s%s\n", r ? compare_verdict_text(r->verdict) : "verdict",
           r && r->why[0] ? ": " : "", r ? r->why : "");
  }
}

// ---- CSV ----------------------------------------------------------------------------------------

static void print_quoted(const char* text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"') putchar('"');
    putchar(*text);
  }
  putchar('"');
}

void compare_print_csv(const Compare* c) {
  printf("formulation,coordinates,integrator,step,tolerance");
  for (int k = 0; k < COLUMNS; k++) printf(",%s", columns[k].key);
  printf(",verdict,reason\n");
  for (int i = 0; i < c->runs; i++) {
    const CompareRun* r = &c->run[i];
    printf("%s,%s,%s,", r->method.formulation, r->method.coordinates, r->method.integrator);
    printf(r->method.adaptive ? ",%.17g" : "%.17g,", r->size);
    for (int k = 0; k < COLUMNS; k++) {
      const double x = has_begun(r) ? columns[k].value(r) : (double)NAN;
      printf(isnan(x) ? "," : ",%.9g", x);
    }
    printf(",%s,", compare_verdict_text(r->verdict));
    print_quoted(r->why);
    putchar('\n');
  }
}

// ---- JSON ---------------------------------------------------------------------------------------

static void json_run(const Compare* c, SarJson* j, const CompareRun* r) {
  const SarDifference* d = &r->difference;
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "formulation", r->method.formulation);
  sar_json_text(j, "coordinates", r->method.coordinates);
  sar_json_text(j, "integrator", r->method.integrator);
  sar_json_number(j, "step", r->method.adaptive ? (double)NAN : r->size);
  sar_json_number(j, "tolerance", r->method.adaptive ? r->size : (double)NAN);
  for (int k = 0; k < COLUMNS; k++)
    sar_json_number(j, columns[k].key, has_begun(r) ? columns[k].value(r) : (double)NAN);
  sar_json_text(j, "error_column", d->column >= 0 ? sar_table_name(c->reference, d->column) : NULL);
  sar_json_number(j, "error_time", d->column >= 0 ? d->time : (double)NAN);
  sar_json_number(j, "end_time", r->report.end_time);
  sar_json_integer(j, "steps_rejected", r->stats.rejected);
  sar_json_integer(j, "iterations_max", r->stats.iterations_max);
  sar_json_text(j, "verdict", compare_verdict_text(r->verdict));
  sar_json_text(j, "reason", r->why[0] ? r->why : NULL);
  sar_json_close(j, '}');
}

void compare_print_json(const Compare* c) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", c->path);
  sar_json_number(&j, "end_time", c->times[c->time_count - 1]);
  sar_json_integer(&j, "rows", (long)c->time_count);
  sar_json_text(&j, "reference",
                c->reference_file ? c->reference_file
                : c->reference    ? "auto"
                                  : NULL);
  sar_json_text(&j, "reference_integrator",
                c->reference && !c->reference_file ? c->reference_integrator : NULL);
  sar_json_number(&j, "reference_uncertainty",
                  c->reference && !c->reference_file ? c->uncertainty : (double)NAN);
  sar_json_text(&j, "target",
                c->target.what == TARGET_ENERGY  ? "energy"
                : c->target.what == TARGET_ERROR ? "error"
                                                 : NULL);
  sar_json_number(&j, "target_bound",
                  c->target.what != TARGET_NONE ? c->target.bound : (double)NAN);
  sar_json_open(&j, "runs", '[');
  for (int i = 0; i < c->runs; i++) json_run(c, &j, &c->run[i]);
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// ---- picture ------------------------------------------------------------------------------------

static bool same_method(const CompareMethod* a, const CompareMethod* b) {
  return strcmp(a->formulation, b->formulation) == 0 && strcmp(a->integrator, b->integrator) == 0 &&
         a->m == b->m && a->adaptive == b->adaptive;
}

typedef struct Plot {
  SarCurve curve[MOST_CURVES];
  char label[MOST_CURVES][3 * CELL];
  double x[COMPARE_MAX_RUNS], y[COMPARE_MAX_RUNS];
  int curves;
} Plot;

// Runs of one method stand one after the other, unless they were ranked; then each is a curve.
static void collect_curves(const Compare* c, Plot* p) {
  const Shown shown = what_to_show(c);
  const bool energy = !c->reference;
  for (int i = 0; i < c->runs; i++) {
    const CompareRun* r = &c->run[i];
    const double error = energy ? energy_of(r) : error_of(r);
    if (r->verdict > COMPARE_MISSED || !(error > 0) || !isfinite(error)) continue;
    p->x[i] = error;
    p->y[i] = cost_of(r);
    SarCurve* last = p->curves > 0 ? &p->curve[p->curves - 1] : NULL;
    if (last && last->x + last->n == &p->x[i] && same_method(&r->method, &c->run[i - 1].method)) {
      last->n++;
      continue;
    }
    if (p->curves == MOST_CURVES) return;
    char* label = p->label[p->curves];
    snprintf(label, sizeof p->label[0], "%s%s%s%s%s%s", r->method.formulation,
             shown.integrator ? " " : "", shown.integrator ? r->method.integrator : "",
             shown.coordinates ? " " : "", shown.coordinates ? r->method.coordinates : "",
             r->method.adaptive ? ", tol" : ", h");
    p->curve[p->curves++] = (SarCurve){.label = label,
                                       .x = &p->x[i],
                                       .y = &p->y[i],
                                       .n = 1,
                                       .x_stride = 1,
                                       .y_stride = 1,
                                       .color = SAR_CURVE_AUTO,
                                       .points = true};
  }
}

SarStatus compare_plot(const Compare* c, const char* path, SarError* err) {
  CliOutput file;
  SAR_TRY(cli_output_begin(c->args, path, &file, err));
  Plot* p = sar_alloc(sizeof *p);
  if (!p) return SAR_NO_MEMORY;
  collect_curves(c, p);
  SarPanel panel = {.y_label = "CPU ms per simulated s", .curves = p->curve, .count = p->curves};
  SarFigure figure = {.title = c->path,
                      .x_label = c->reference ? "error / scale of the column" : "energy error [J]",
                      .panels = &panel,
                      .count = 1,
                      .height = 640,
                      .log_x = true,
                      .log_y = true};
  SarStatus st = SAR_OK;
  if (p->curves > 0)
    st = sar_figure_write(&figure, cli_output_path(&file), err);
  else
    fprintf(stderr, "sarrus compare: no run to draw\n");
  sar_free(p);
  return cli_output_end(&file, st, err);
}
