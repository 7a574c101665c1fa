// sarrus modes: frequencies, damping and shapes of small motions about a state.
#include "cli/files.h"
#include "cli/modes.h"

#include "output/table.h"

#include <math.h>
#include <string.h>

enum { PARTS = 3, NAME = 64 };

static const double TWO_PI = 6.28318530717958647693;
// of the energy, or of the longest entry: less is not shown
static const double LEAST_SHARE = 0.02;

typedef ModesAnalysis Analysis;

static double size_of(const SarModesReport* x, int k) { return hypot(x->re[k], x->im[k]); }
bool modes_is_rigid(const SarModesReport* x, int k) { return size_of(x, k) <= x->floor; }

// share of critical damping; 1 or -1 where nothing oscillates
double modes_damping(const SarModesReport* x, int k) {
  return modes_is_rigid(x, k) ? 0 : -x->re[k] / size_of(x, k);
}

// ---- shapes -------------------------------------------------------------------------------------

static double size_at(const double* re, const double* im, int i) {
  return im ? hypot(re[i], im[i]) : re[i];
}

// The indices of the largest of n values, falling; fewer where they are small. im: Nullable
static int largest(const double* re, const double* im, int n, double least, int most, int* index) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    const double size = size_at(re, im, i);
    if (!(size >= least)) continue;
    int at = count < most ? count : most;
    while (at > 0 && size_at(re, im, index[at - 1]) < size) at--;
    for (int j = (count < most ? count : most - 1); j > at; j--) index[j] = index[j - 1];
    if (at < most) index[at] = i;
    if (count < most) count++;
  }
  return count;
}

static void print_shape(const Analysis* a, int k) {
  const SarModel* m = a->m;
  const SarModesReport* x = a->modes;
  int body[PARTS], dof[PARTS];
  const int bodies = largest(&x->share[(size_t)k * (size_t)x->body_count], NULL, x->body_count,
                             LEAST_SHARE, PARTS, body);
  for (int i = 0; i < bodies; i++)
    printf("%s%s %.0f%%", i ? ", " : "", sar_model_name(m, SAR_ITEM_BODY, body[i]),
           100 * x->share[(size_t)k * (size_t)x->body_count + (size_t)body[i]]);
  const int n = x->shape_size;
  const double* re = &x->shape_re[(size_t)k * (size_t)n];
  const double* im = &x->shape_im[(size_t)k * (size_t)n];
  const int dofs = largest(re, im, n, LEAST_SHARE, PARTS, dof);
  for (int i = 0; i < dofs; i++) {
    const char* name = sar_modes_coordinate(a->found, dof[i]);
    printf("%s%s %.3g", i ? ", " : "; ", name, copysign(size_at(re, im, dof[i]), re[dof[i]]));
  }
  printf("\n");
}

// ---- printing -----------------------------------------------------------------------------------

static void print_text(const Analysis* a) {
  const SarModesReport* x = a->modes;
  printf("%s: %d %s, %d %s of freedom, t = %.6g s\n", cli_shown(a->path), x->count,
         cli_plural(x->count, "mode", "modes"), x->freedoms,
         cli_plural(x->freedoms, "degree", "degrees"), sar_time(a->d));
  if (x->acceleration > 1e-6)
    printf("  the state is not at rest nor steady: accelerations up to %.3g (m/s^2 or rad/s^2)\n",
           x->acceleration);
  printf("\n%4s %12s %10s %12s %12s  %s\n", "mode", "frequency Hz", "damping", "re 1/s", "im rad/s",
         "who moves: share of the kinetic energy; coordinates");
  for (int k = 0; k < x->count; k++) {
    const double frequency = modes_is_rigid(x, k) ? 0 : x->im[k] / TWO_PI;
    printf("%4d %12.6g %10.4f %12.6g %12.6g  ", k + 1, frequency, modes_damping(x, k),
           modes_is_rigid(x, k) ? 0 : x->re[k], modes_is_rigid(x, k) ? 0 : x->im[k]);
    if (sar_modes_pattern(a->found, k)) printf("%-13s ", sar_modes_pattern(a->found, k));
    print_shape(a, k);
  }
}

static void print_json(const Analysis* a) {
  const SarModel* m = a->m;
  const SarModesReport* x = a->modes;
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", a->path);
  sar_json_text(&j, "status", "ok");
  sar_json_number(&j, "time", sar_time(a->d));
  sar_json_integer(&j, "degrees_of_freedom", x->freedoms);
  sar_json_number(&j, "largest_acceleration", x->acceleration);
  sar_json_open(&j, "modes", '[');
  for (int k = 0; k < x->count; k++) {
    sar_json_open(&j, NULL, '{');
    sar_json_bool(&j, "rigid", modes_is_rigid(x, k));
    sar_json_number(&j, "re", x->re[k]);
    sar_json_number(&j, "im", x->im[k]);
    sar_json_number(&j, "frequency", x->im[k] / TWO_PI);
    sar_json_number(&j, "damping", modes_damping(x, k));
    if (sar_modes_pattern(a->found, k))
      sar_json_text(&j, "pattern", sar_modes_pattern(a->found, k));
    sar_json_open(&j, "energy", '{');
    for (int b = 0; b < x->body_count; b++)
      sar_json_number(&j, sar_model_name(m, SAR_ITEM_BODY, b),
                      x->share[(size_t)k * (size_t)x->body_count + (size_t)b]);
    sar_json_close(&j, '}');
    sar_json_open(&j, "shape", '{');
    for (int i = 0; i < x->shape_size; i++) {
      sar_json_open(&j, sar_modes_coordinate(a->found, i), '[');
      sar_json_number(&j, NULL, x->shape_re[(size_t)k * (size_t)x->shape_size + (size_t)i]);
      sar_json_number(&j, NULL, x->shape_im[(size_t)k * (size_t)x->shape_size + (size_t)i]);
      sar_json_close(&j, ']');
    }
    sar_json_close(&j, '}');
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// One row a mode: mode, re, im, frequency, damping, then real and imaginary part of every
// coordinate.
static SarStatus write_modes(const Analysis* a, const char* path, SarError* err) {
  const SarModesReport* x = a->modes;
  SarModelInfo info;
  sar_model_info(a->m, &info);
  const int columns = 5 + 2 * x->shape_size;
  char* text = sar_alloc((size_t)columns * (NAME + 8));
  const char** names = sar_alloc((size_t)columns * sizeof *names);
  double* row = sar_alloc((size_t)columns * sizeof *row);
  SarWriter* writer = NULL;
  SarStatus st = text && names && row ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) {
    static const char* const fixed[] = {"mode", "re", "im", "frequency", "damping"};
    for (int i = 0; i < columns; i++) {
      const char* name = i < 5 ? fixed[i] : sar_modes_coordinate(a->found, (i - 5) / 2);
      char* place = &text[(size_t)i * (NAME + 8)];
      snprintf(place, NAME + 8, "%s%s", name, i < 5 ? "" : i % 2 ? ".re" : ".im");
      names[i] = place;
    }
    st = sar_writer_open(path, names, columns, 17, info.name, &writer, err);
  }
  for (int k = 0; st == SAR_OK && k < x->count; k++) {
    row[0] = k + 1, row[1] = x->re[k], row[2] = x->im[k];
    row[3] = x->im[k] / TWO_PI, row[4] = modes_damping(x, k);
    for (int i = 0; i < x->shape_size; i++) {
      row[5 + 2 * i] = x->shape_re[(size_t)k * (size_t)x->shape_size + (size_t)i];
      row[6 + 2 * i] = x->shape_im[(size_t)k * (size_t)x->shape_size + (size_t)i];
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

// ---- the command --------------------------------------------------------------------------------

// From the start on by simulation, if it is a moment of the run that is asked for.
static SarStatus advance(Analysis* a, double time, SarError* err) {
  SarSim* s = NULL;
  SarStatus st = sar_sim_new(a->m, a->d, NULL, &s, err);
  if (st == SAR_OK && time > 0) st = sar_advance(s, time);
  if (st != SAR_OK && s) fprintf(stderr, "sarrus modes: %s\n", sar_sim_trouble(s));
  sar_sim_free(s);
  return st;
}

static SarStatus find_rest(Analysis* a, double time, SarError* err) {
  SarStatics* rest;
  sar_set_time(a->d, time);
  const SarStatus st = sar_statics(a->d, NULL, &rest, err);
  sar_statics_free(rest);
  return st;
}

SarStatus modes_find(ModesAnalysis* a, const CliArgs* args, double time, SarError* err) {
  SAR_TRY(sar_data_new(a->m, &a->d, err));
  SAR_TRY(cli_value(args, "rest") ? find_rest(a, time, err) : advance(a, time, err));
  SarModesOptions o = sar_modes_options();
  o.multiblade = cli_value(args, "multiblade");
  SAR_TRY(sar_modes(a->d, &o, &a->found, err));
  a->modes = sar_modes_report(a->found);
  return SAR_OK;
}

void modes_free(ModesAnalysis* a) {
  sar_modes_free(a->found);
  sar_data_free(a->d);
}

static int run_modes(const CliArgs* args) {
  double time = 0;
  int status = EXIT_DONE;
  if (!cli_number(args, "time", &time)) return EXIT_USAGE;
  if (time < 0 && !cli_value(args, "rest"))
    return cli_usage_error(args->command, "--time: a run begins at 0");
  const bool turns = cli_value(args, "period") != NULL;
  if (turns && (args->vary_count > 0 || cli_value(args, "rest") || cli_value(args, "output") ||
                cli_value(args, "multiblade")))
    return cli_usage_error(args->command, "--period goes with --time alone");
  if (turns) return modes_floquet(args, time);
  if (args->vary_count > 0) return modes_over(args, time);
  SarModel* m = cli_load(args, args->operand[0], &status);
  if (!m) return status;
  Analysis a = {.path = args->operand[0], .m = m};
  const char* output = cli_value(args, "output");
  SarError err;
  sar_error_init(&err);
  SarStatus st = modes_find(&a, args, time, &err);
  if (st == SAR_OK && output) st = write_table(&a, args, output, &err);
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus modes", a.path, st);
  if (st == SAR_OK && args->json)
    print_json(&a);
  else if (st == SAR_OK)
    print_text(&a);
  modes_free(&a);
  sar_model_free(m);
  return cli_exit_status(st);
}

static const CliOption options[] = {
    {"rest", 0, NULL, "About the equilibrium next to the start, instead of the start itself.",
     NULL},
    {"time", 't', "SECONDS",
     "About the state that a run has reached then; with --rest: time of drives and expressions.",
     NULL},
    {"vary", 0, "NAME=VALUES",
     "Frequencies over a parameter, for fan plots: NAME=LOW:HIGH:COUNT, or values with commas.",
     NULL},
    {"multiblade", 0, "BODY",
     "In multiblade coordinates of the blades that BODY carries: whole-rotor modes as the airframe "
     "sees them.",
     NULL},
    {"period", 'p', "EXPRESSION",
     "Floquet multipliers of the motion that repeats itself after so long, 0.2 or '2*pi/Omega' "
     "[s].",
     NULL},
    {"output", 'o', "FILE",
     "Table of all modes with their shapes, or of frequencies over a parameter: .csv or .h5.",
     "file"},
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
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
        "sarrus modes car.yaml --set v=20 -o modes.csv\tat 20 m/s, as a table\n"
        "sarrus modes rotor.yaml --vary Omega=5:40:36 -o fan.csv\tfrequencies over the speed\n"
        "sarrus modes rotor.yaml --multiblade hub\tcollective, cyclic and differential modes\n"
        "sarrus modes rotor.yaml --time 5 --period '2*pi/Omega'\tis the periodic motion stable?",
    .options = options,
    .run = run_modes,
    .keep_fixed = true,
};
