// sarrus modes: frequencies, damping and shapes of small motions about a state.
#include "cli/cli.h"
#include "cli/files.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/model.h"
#include "output/json.h"
#include "output/table.h"
#include "sim/equilibrium.h"
#include "sim/modes.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 200, PARTS = 3, NAME = 64 };

static const double TWO_PI = 6.28318530717958647693;
static const double LEAST_SHARE =
    0.02;  // of the energy, or of the longest entry: less is not shown

typedef struct Analysis {
  const char* path;
  const SarModel* m;
  SarData* d;
  SarSim* s;
  SarModes modes;
} Analysis;

static double size_of(const SarModes* x, int k) { return hypot(x->re[k], x->im[k]); }
static bool is_rigid(const SarModes* x, int k) { return size_of(x, k) <= x->floor; }

// share of critical damping; 1 or -1 where nothing oscillates
static double damping_of(const SarModes* x, int k) {
  return is_rigid(x, k) ? 0 : -x->re[k] / size_of(x, k);
}

// ---- shapes --------------------------------------------------------------------------------------

// The indices of the largest of n values, falling; fewer where they are small.
static int largest(const double* value, int n, double least, int most, int* index) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (!(value[i] >= least)) continue;
    int at = count < most ? count : most;
    while (at > 0 && value[index[at - 1]] < value[i]) at--;
    for (int j = (count < most ? count : most - 1); j > at; j--) index[j] = index[j - 1];
    if (at < most) index[at] = i;
    if (count < most) count++;
  }
  return count;
}

// Entries of a shape: coordinates, then states.
static int shape_size(const SarModel* m) { return m->nv + m->nz; }

// "car.vz" of a velocity coordinate: the coordinate whose displacement the shape gives; behind them states
static void name_of(const SarModel* m, int dof, char* out) {
  if (dof >= m->nv) {
    snprintf(out, NAME, "%.60s", sar_text(m, m->z_name[dof - m->nv]));
    return;
  }
  const int j = m->dof_body[dof];
  snprintf(out, NAME, "%.40s.%s", sar_text(m, m->joint_name[j]),
           m->joint_kind[j]->v_suffix[dof - m->joint_vadr[j]]);
}

static void print_shape(const Analysis* a, int k) {
  const SarModel* m = a->m;
  const SarModes* x = &a->modes;
  int body[PARTS], dof[PARTS];
  const int bodies =
      largest(&x->share[(size_t)k * (size_t)m->nbody], m->nbody, LEAST_SHARE, PARTS, body);
  for (int i = 0; i < bodies; i++)
    printf("%s%s %.0f%%", i ? ", " : "", sar_text(m, m->body_name[body[i]]),
           100 * x->share[(size_t)k * (size_t)m->nbody + (size_t)body[i]]);
  const int n = shape_size(m);
  const double* re = &x->shape_re[(size_t)k * (size_t)n];
  const double* im = &x->shape_im[(size_t)k * (size_t)n];
  double* size = sar_alloc((size_t)(n + 1) * sizeof *size);
  for (int i = 0; size && i < n; i++) size[i] = hypot(re[i], im[i]);
  const int dofs = size ? largest(size, n, LEAST_SHARE, PARTS, dof) : 0;
  for (int i = 0; i < dofs; i++) {
    char name[NAME];
    name_of(m, dof[i], name);
    printf("%s%s %.3g", i ? ", " : "; ", name, copysign(size[dof[i]], re[dof[i]]));
  }
  sar_free(size);
  printf("\n");
}

// ---- printing ------------------------------------------------------------------------------------

static void print_text(const Analysis* a) {
  const SarModes* x = &a->modes;
  printf("%s: %d modes, %d degrees of freedom, t = %.6g s\n", cli_shown(a->path), x->count,
         x->freedom, a->d->t);
  if (x->acceleration > 1e-6)
    printf("  the state is not at rest nor steady: accelerations up to %.3g (m/s^2 or rad/s^2)\n",
           x->acceleration);
  printf("\n%4s %12s %10s %12s %12s  %s\n", "mode", "frequency Hz", "damping", "re 1/s", "im rad/s",
         "who moves: share of the kinetic energy; coordinates");
  for (int k = 0; k < x->count; k++) {
    const double frequency = is_rigid(x, k) ? 0 : x->im[k] / TWO_PI;
    printf("%4d %12.6g %10.4f %12.6g %12.6g  ", k + 1, frequency, damping_of(x, k),
           is_rigid(x, k) ? 0 : x->re[k], is_rigid(x, k) ? 0 : x->im[k]);
    print_shape(a, k);
  }
}

static void print_json(const Analysis* a) {
  const SarModel* m = a->m;
  const SarModes* x = &a->modes;
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", a->path);
  sar_json_text(&j, "status", "ok");
  sar_json_number(&j, "time", a->d->t);
  sar_json_integer(&j, "degrees_of_freedom", x->freedom);
  sar_json_number(&j, "largest_acceleration", x->acceleration);
  sar_json_open(&j, "modes", '[');
  for (int k = 0; k < x->count; k++) {
    sar_json_open(&j, NULL, '{');
    sar_json_bool(&j, "rigid", is_rigid(x, k));
    sar_json_number(&j, "re", x->re[k]);
    sar_json_number(&j, "im", x->im[k]);
    sar_json_number(&j, "frequency", x->im[k] / TWO_PI);
    sar_json_number(&j, "damping", damping_of(x, k));
    sar_json_open(&j, "energy", '{');
    for (int b = 0; b < m->nbody; b++)
      sar_json_number(&j, sar_text(m, m->body_name[b]),
                      x->share[(size_t)k * (size_t)m->nbody + (size_t)b]);
    sar_json_close(&j, '}');
    sar_json_open(&j, "shape", '{');
    for (int i = 0; i < shape_size(m); i++) {
      char name[NAME];
      name_of(m, i, name);
      sar_json_open(&j, name, '[');
      sar_json_number(&j, NULL, x->shape_re[(size_t)k * (size_t)shape_size(m) + (size_t)i]);
      sar_json_number(&j, NULL, x->shape_im[(size_t)k * (size_t)shape_size(m) + (size_t)i]);
      sar_json_close(&j, ']');
    }
    sar_json_close(&j, '}');
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// One row a mode: mode, re, im, frequency, damping, then real and imaginary part of every coordinate.
static SarStatus write_modes(const Analysis* a, const char* path, SarError* err) {
  const SarModel* m = a->m;
  const SarModes* x = &a->modes;
  const int columns = 5 + 2 * shape_size(m);
  char* text = sar_alloc((size_t)columns * (NAME + 8));
  const char** names = sar_alloc((size_t)columns * sizeof *names);
  double* row = sar_alloc((size_t)columns * sizeof *row);
  SarWriter* writer = NULL;
  SarStatus st = text && names && row ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) {
    static const char* const fixed[] = {"mode", "re", "im", "frequency", "damping"};
    for (int i = 0; i < columns; i++) {
      char name[NAME];
      if (i >= 5) name_of(m, (i - 5) / 2, name);
      char* place = &text[(size_t)i * (NAME + 8)];
      snprintf(place, NAME + 8, "%s%s", i < 5 ? fixed[i] : name,
               i < 5   ? ""
               : i % 2 ? ".re"
                       : ".im");
      names[i] = place;
    }
    st = sar_writer_open(path, names, columns, 17, sar_text(m, m->name), &writer, err);
  }
  for (int k = 0; st == SAR_OK && k < x->count; k++) {
    row[0] = k + 1, row[1] = x->re[k], row[2] = x->im[k];
    row[3] = x->im[k] / TWO_PI, row[4] = damping_of(x, k);
    for (int i = 0; i < shape_size(m); i++) {
      row[5 + 2 * i] = x->shape_re[(size_t)k * (size_t)shape_size(m) + (size_t)i];
      row[6 + 2 * i] = x->shape_im[(size_t)k * (size_t)shape_size(m) + (size_t)i];
    }
    st = sar_writer_row(writer, row);
  }
  if (writer) {
    const SarStatus closed = sar_writer_close(writer, err);
    if (st == SAR_OK) st = closed;
  }
  sar_free(text), sar_free((void*)names), sar_free(row);
  return st;
}

static SarStatus write_table(const Analysis* a, const CliArgs* args, const char* path,
                             SarError* err) {
  CliOutput file;
  SAR_TRY(cli_output_begin(args, path, &file, err));
  return cli_output_end(&file, write_modes(a, cli_output_path(&file), err), err);
}

// ---- the command ---------------------------------------------------------------------------------

static SarStatus find_rest(Analysis* a, SarError* err) {
  const SarEquilibriumOptions o = {.max_iterations = ITERATIONS};
  SarEquilibrium e = {.omega2 = sar_alloc((size_t)(a->m->nv + 1) * sizeof(double))};
  if (!e.omega2) return SAR_NO_MEMORY;
  SarStatus st = sar_equilibrium_find(a->s, &o, &e, err);
  sar_free(e.omega2);
  return st;
}

static SarStatus find(Analysis* a, const CliArgs* args, double time, SarError* err) {
  SarSimOptions o = sar_sim_options();
  const bool rest = cli_value(args, "rest") != NULL;
  SAR_TRY(sar_data_new(a->m, &a->d, err));
  if (rest) sar_set_time(a->d, time);
  SAR_TRY(sar_sim_new(a->m, a->d, &o, &a->s, err));
  if (rest) SAR_TRY(find_rest(a, err));
  if (!rest && time > 0) SAR_TRY(sar_advance(a->s, time));
  return sar_modes_find(a->s, &a->modes, err);
}

static int run_modes(const CliArgs* args) {
  double time = 0;
  int status = EXIT_DONE;
  if (!cli_positive(args, "time", &time)) return EXIT_USAGE;
  SarModel* m = cli_load(args, args->operand[0], &status);
  if (!m) return status;
  cli_warn_of_contact(m, args->operand[0], "sarrus modes");
  Analysis a = {.path = args->operand[0], .m = m};
  const char* output = cli_value(args, "output");
  SarError err;
  sar_error_init(&err);
  SarStatus st = find(&a, args, time, &err);
  if (st == SAR_OK && output) st = write_table(&a, args, output, &err);
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus modes", a.path, st);
  if (st == SAR_OK && args->json)
    print_json(&a);
  else if (st == SAR_OK)
    print_text(&a);
  sar_modes_free(&a.modes);
  sar_sim_free(a.s);
  sar_data_free(a.d);
  sar_model_free(m);
  return cli_exit_status(st);
}

static const CliOption options[] = {
    {"rest", 0, NULL, "About the equilibrium next to the start, instead of the start itself.",
     NULL},
    {"time", 't', "SECONDS",
     "About the state that a run has reached then; with --rest: time of drives and expressions.",
     NULL},
    {"output", 'o', "FILE", "Table of all modes with their shapes: .csv or .h5.", "file"},
    {"set", 0, "NAME=VALUE", "Set a parameter of the model; may be repeated.", NULL},
    {"coordinates", 0, "KIND", "relative (a tree and its loops) or absolute (each body its own).",
     NULL},
    {"path", 'I', "FOLDER", "Where to look for included files and package:// resources.", "file"},
    {0}};

const CliCommand cli_command_modes = {
    .name = "modes",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Frequencies, damping and shapes of small motions about a state.",
    .text =
        "Linearises the equations of motion about a state, loops and drives included, and prints "
        "their eigenvalues: how fast each mode oscillates, how it is damped, which bodies move and "
        "how. The state is the start of the model, so a car at speed is judged at speed; --rest "
        "looks for the equilibrium first.",
    .examples =
        "sarrus modes car.yaml --rest\tabout where it settles on its springs\n"
        "sarrus modes car.yaml --set v=20 -o modes.csv\tat 20 m/s, as a table",
    .options = options,
    .run = run_modes,
    .keep_fixed = true,
};
