// sarrus modes --vary: frequencies and damping over values of a parameter: the fan plot (Southwell,
// Campbell diagram) of a rotor's blades over its speed, the root locus of a controller.
//
// Each value has a model and modes of its own. A mode keeps its column: of the modes at the next
// value the one whose shape is nearest to its own takes its place, |x'y|^2/((x'x)(y'y)) being the
// largest first (modal assurance criterion), among those that oscillate before those that do not.
// An oscillation that is damped beyond the critical is two modes: columns come into use and go out
// of it (NaN).
#include "cli/files.h"
#include "cli/modes.h"
#include "cli/sweep.h"

#include <math.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647693;

typedef struct Fan {
  const CliArgs* args;
  const char* name;
  int count, values, size;  // columns of modes, values, entries of a shape
  int used;                 // of the columns, so far
  double* table;         // values x (1 + 2 count): value, then frequency and damping of each mode
  double *re, *im;       // count x size: shapes at the last value
  bool *swings, *there;  // count
  int* order;
  bool* taken;
} Fan;

static double* row_of(const Fan* f, int i) {
  return &f->table[(size_t)i * (size_t)(1 + 2 * f->count)];
}

// How alike mode i of the last value and mode k of this one are, 0 to 1; 2 is for none.
static double likeness(const Fan* f, const SarModesReport* x, int i, int k) {
  const double *a = &f->re[(size_t)i * (size_t)f->size], *b = &f->im[(size_t)i * (size_t)f->size];
  const double* c = &x->shape_re[(size_t)k * (size_t)f->size];
  const double* e = &x->shape_im[(size_t)k * (size_t)f->size];
  double re = 0, im = 0, aa = 0, cc = 0;
  for (int j = 0; j < f->size; j++) {
    re += a[j] * c[j] + b[j] * e[j];
    im += a[j] * e[j] - b[j] * c[j];
    aa += a[j] * a[j] + b[j] * b[j];
    cc += c[j] * c[j] + e[j] * e[j];
  }
  const bool same = f->swings[i] == (x->im[k] > x->floor);
  return aa > 0 && cc > 0 ? (same ? 1 : 0.01) * (re * re + im * im) / (aa * cc) : 0;
}

// order[i]: the mode of this value that goes on in column i; -1: none. Those that are left go to
// columns that are free.
static void match(Fan* f, const SarModesReport* x) {
  memset(f->taken, 0, (size_t)f->count * sizeof *f->taken);
  for (int i = 0; i < f->count; i++) f->order[i] = -1;
  for (int n = 0; n < x->count; n++) {
    int best_i = -1, best_k = -1;
    double best = -1;
    for (int i = 0; i < f->used; i++)
      for (int k = 0; f->there[i] && f->order[i] < 0 && k < x->count; k++) {
        const double alike = f->taken[k] ? -1 : likeness(f, x, i, k);
        if (alike > best) best = alike, best_i = i, best_k = k;
      }
    if (best_i < 0) break;
    f->order[best_i] = best_k;
    f->taken[best_k] = true;
  }
  for (int k = 0, i = 0; k < x->count; k++) {
    if (f->taken[k]) continue;
    while (i < f->count && f->order[i] >= 0) i++;
    if (i == f->count) return;
    f->order[i] = k;
    if (i >= f->used) f->used = i + 1;
  }
}

// At most two modes for each freedom and one for each state.
static bool make_room(Fan* f, const SarModesReport* x, int states) {
  f->count = 2 * x->freedoms + states, f->size = x->shape_size;
  const size_t shapes = (size_t)f->count * (size_t)f->size + 1, n = (size_t)f->count + 1;
  f->table = sar_alloc((size_t)f->values * (2 * n) * sizeof(double));
  f->re = sar_alloc(shapes * sizeof(double)), f->im = sar_alloc(shapes * sizeof(double));
  f->swings = sar_alloc(n * sizeof(bool)), f->taken = sar_alloc(n * sizeof(bool));
  f->there = sar_alloc(n * sizeof(bool));
  f->order = sar_alloc(n * sizeof(int));
  return f->table && f->re && f->im && f->swings && f->taken && f->there && f->order;
}

static void free_room(Fan* f) {
  sar_free(f->table), sar_free(f->re), sar_free(f->im);
  sar_free(f->swings), sar_free(f->taken), sar_free(f->there), sar_free(f->order);
}

static SarStatus add(Fan* f, int value, const ModesAnalysis* a, double at, SarError* err) {
  const SarModesReport* x = a->modes;
  if (value == 0 && !make_room(f, x, sar_model_count(a->m, SAR_ITEM_STATE))) return SAR_NO_MEMORY;
  if (x->count > f->count || x->shape_size != f->size) {
    sar_report(err, (SarLoc){a->path, 0, 0}, "choose a range within which they do not",
               "%s = %.6g: coordinates or states come and go", f->name, at);
    return SAR_BAD_MODEL;
  }
  match(f, x);
  double* row = row_of(f, value);
  row[0] = at;
  for (int i = 0; i < f->count; i++) {
    const int k = f->order[i];
    f->there[i] = k >= 0;
    row[1 + 2 * i] = row[2 + 2 * i] = (double)NAN;
    if (k < 0) continue;
    row[1 + 2 * i] = modes_is_rigid(x, k) ? 0 : x->im[k] / TWO_PI;
    row[2 + 2 * i] = modes_damping(x, k);
    f->swings[i] = x->im[k] > x->floor;
    const size_t bytes = (size_t)f->size * sizeof(double);
    memcpy(&f->re[(size_t)i * (size_t)f->size], &x->shape_re[(size_t)k * (size_t)f->size], bytes);
    memcpy(&f->im[(size_t)i * (size_t)f->size], &x->shape_im[(size_t)k * (size_t)f->size], bytes);
  }
  return SAR_OK;
}

static int fan_value(Fan* f, int i, double at, double time) {
  const SarParameter p = {f->name, at};
  const CliLoad how = {.coordinates = cli_value(f->args, "coordinates"),
                       .parameters = &p,
                       .parameter_count = 1,
                       .quiet = i > 0};
  int status = EXIT_DONE;
  SarModel* m = cli_load_as(f->args, f->args->operand[0], &how, &status);
  if (!m) return status;
  ModesAnalysis a = {.path = f->args->operand[0], .m = m};
  SarError err;
  sar_error_init(&err);
  SarStatus st = modes_find(&a, f->args, time, &err);
  if (st == SAR_OK) st = add(f, i, &a, at, &err);
  if (st != SAR_OK || i == 0) cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus modes", a.path, st);
  modes_free(&a);
  sar_model_free(m);
  return cli_exit_status(st);
}

// ---- printing -----------------------------------------------------------------------------------

static void print_text(const Fan* f) {
  printf("%s: %d modes over %s; frequency Hz, damping\n", cli_shown(f->args->operand[0]), f->used,
         f->name);
  for (int i = 0; i < f->values; i++) {
    const double* row = row_of(f, i);
    printf("%12.6g", row[0]);
    for (int k = 0; k < f->used; k++)
      if (isnan(row[1 + 2 * k]))
        printf("  %9s %7s", "-", "-");
      else
        printf("  %9.5g %7.4f", row[1 + 2 * k], row[2 + 2 * k]);
    printf("\n");
  }
}

static void print_json(const Fan* f) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", f->args->operand[0]);
  sar_json_text(&j, "status", "ok");
  sar_json_text(&j, "over", f->name);
  sar_json_open(&j, "values", '[');
  for (int i = 0; i < f->values; i++) {
    const double* row = row_of(f, i);
    sar_json_open(&j, NULL, '{');
    sar_json_number(&j, "value", row[0]);
    for (int part = 0; part < 2; part++) {
      sar_json_open(&j, part ? "damping" : "frequency", '[');
      for (int k = 0; k < f->used; k++) sar_json_number(&j, NULL, row[1 + 2 * k + part]);
      sar_json_close(&j, ']');
    }
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static SarStatus write_rows(const Fan* f, const char* path, SarError* err) {
  enum { NAME = 40 };
  const int columns = 1 + 2 * f->used;
  char* text = sar_alloc((size_t)columns * NAME);
  const char** names = sar_alloc((size_t)columns * sizeof *names);
  SarWriter* writer = NULL;
  SarStatus st = text && names ? SAR_OK : SAR_NO_MEMORY;
  for (int i = 0; st == SAR_OK && i < columns; i++) {
    char* at = &text[(size_t)i * NAME];
    snprintf(at, NAME, "mode%d.%s", (i + 1) / 2, i % 2 ? "frequency" : "damping");
    names[i] = i == 0 ? f->name : at;
  }
  if (st == SAR_OK) st = sar_writer_open(path, names, columns, 17, "modes", &writer, err);
  for (int i = 0; st == SAR_OK && i < f->values; i++) st = sar_writer_row(writer, row_of(f, i));
  const SarStatus closed = sar_writer_close(writer, err);
  sar_free(text), sar_free((void*)names);
  return st == SAR_OK ? closed : st;
}

static int write_table(const Fan* f, const char* path) {
  CliOutput file = {0};
  SarError err;
  sar_error_init(&err);
  SarStatus st = cli_output_begin(f->args, path, &file, &err);
  if (st == SAR_OK) st = cli_output_end(&file, write_rows(f, cli_output_path(&file), &err), &err);
  cli_print_messages(&err);
  return cli_exit_status(st);
}

// ---- the command --------------------------------------------------------------------------------

int modes_over(const CliArgs* args, double time) {
  SweepPlan* plan = sar_alloc(sizeof *plan);
  if (!plan) return EXIT_INTERNAL;
  int status = sweep_plan(args, plan);
  if (status == EXIT_DONE && plan->axes != 1)
    status = cli_usage_error(args->command, "--vary: one parameter at a time");
  Fan f = {.args = args, .name = plan->axis[0].name, .values = plan->instances};
  for (int i = 0; status == EXIT_DONE && i < f.values; i++)
    status = fan_value(&f, i, plan->axis[0].value[i], time);
  if (status == EXIT_DONE && cli_value(args, "output"))
    status = write_table(&f, cli_value(args, "output"));
  if (status == EXIT_DONE && args->json)
    print_json(&f);
  else if (status == EXIT_DONE)
    print_text(&f);
  free_room(&f);
  sweep_plan_free(plan);
  sar_free(plan);
  return status;
}
