// sarrus linearize: A, B, C, D of a model about a state, with poles and transmission zeros.
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/linearize.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "model/model.h"
#include "sim/equilibrium.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 200 };

// ---- what is asked for ------------------------------------------------------------------------------

// "joint.tau", "joint.tau2": a force on a coordinate of a joint.
static bool find_joint_force(const SarModel* m, const char* name, SarLinearInput* out) {
  char joint[CLI_NAME];
  const char* dot = strrchr(name, '.');
  int component = 1;
  if (!dot || dot - name >= CLI_NAME || strncmp(dot + 1, "tau", 3) != 0) return false;
  snprintf(joint, sizeof joint, "%.*s", (int)(dot - name), name);
  const int item = sar_model_find(m, SAR_ITEM_JOINT, joint);
  const int j = item < 0 ? SAR_NO_JOINT : sar_item_joint(m, item);
  char left = 0;
  if (dot[4] && sscanf(dot + 4, "%d%c", &component, &left) != 1) return false;
  if (j < 0 || component < 1 || component > m->joint_nv[j]) return false;
  *out = (SarLinearInput){.input = -1, .joint = j, .component = component - 1};
  return true;
}

static void unknown(const SarModel* m, const char* what, SarItem kind, const char* name,
                    const char* otherwise, SarError* err) {
  char hint[256];
  const int count = sar_model_count(m, kind);
  const char** known = sar_alloc((size_t)(count + 1) * sizeof *known);
  hint[0] = 0;
  for (int i = 0; known && i < count; i++) known[i] = sar_model_name(m, kind, i);
  if (known) sar_text_suggest(hint, sizeof hint, name, known, count);
  sar_report(err, (SarLoc){0}, hint[0] ? hint : otherwise, "no %s '%s'", what, name);
  sar_free((void*)known);
}

static bool choose_inputs(Linearization* a, const char* list, SarError* err) {
  const SarModel* m = a->m;
  char name[CLI_NAME];
  if (!list) {
    for (int i = 0; i < m->ninput && a->nu < CLI_MOST_NAMES; i++)
      a->input[a->nu++] = (SarLinearInput){.input = i};
    return true;
  }
  for (const char* at = list; *at && a->nu < CLI_MOST_NAMES;) {
    const size_t n = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)n, at);
    SarLinearInput in = {.input = sar_model_find(m, SAR_ITEM_INPUT, name)};
    if (in.input < 0 && !find_joint_force(m, name, &in)) {
      unknown(m, "input", SAR_ITEM_INPUT, name,
              "an input of the file, or JOINT.tau: a force on a joint", err);
      return false;
    }
    a->input[a->nu++] = in;
    at += n + (at[n] == ',');
  }
  return true;
}

static bool choose_outputs(Linearization* a, const char* list, SarError* err) {
  const SarModel* m = a->m;
  char name[CLI_NAME];
  if (!list) {
    for (int i = 0; i < m->nchannel; i++) {
      if (!sar_linear_knows(m, i))
        a->left_out++;
      else if (a->ny < CLI_MOST_NAMES)
        a->column[a->ny++] = i;
    }
    return true;
  }
  for (const char* at = list; *at && a->ny < CLI_MOST_NAMES;) {
    const size_t n = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)n, at);
    const int column = sar_model_find(m, SAR_ITEM_OUTPUT, name);
    if (column < 0) {
      unknown(m, "column", SAR_ITEM_OUTPUT, name, "columns of the model's outputs", err);
      return false;
    }
    if (!sar_linear_knows(m, column)) {
      sar_report(err, (SarLoc){0},
                 "positions, speeds, accelerations, forces of elements, states and values are",
                 "column '%s' is not differentiated", name);
      return false;
    }
    a->column[a->ny++] = column;
    at += n + (at[n] == ',');
  }
  return true;
}

// ---- the command ------------------------------------------------------------------------------------

static SarStatus find_rest(Linearization* a, SarError* err) {
  const SarEquilibriumOptions o = {.max_iterations = ITERATIONS};
  SarEquilibrium e = {.omega2 = sar_alloc((size_t)(a->m->nv + 1) * sizeof(double))};
  if (!e.omega2) return SAR_NO_MEMORY;
  const SarStatus st = sar_equilibrium_find(a->s, &o, &e, err);
  sar_free(e.omega2);
  return st;
}

static SarStatus find(Linearization* a, const CliArgs* args, double time, SarError* err) {
  SarSimOptions o = sar_sim_options();
  const bool rest = cli_value(args, "static") != NULL;
  if (!choose_inputs(a, cli_value(args, "inputs"), err) ||
      !choose_outputs(a, cli_value(args, "outputs"), err))
    return SAR_BAD_ARGUMENT;
  SAR_TRY(sar_data_new(a->m, &a->d, err));
  if (rest) sar_set_time(a->d, time);
  SAR_TRY(sar_sim_new(a->m, a->d, &o, &a->s, err));
  if (rest) SAR_TRY(find_rest(a, err));
  if (!rest && time > 0) SAR_TRY(sar_advance(a->s, time));
  return sar_linearise(a->s, a->input, a->nu, a->column, a->ny, &a->system, err);
}

static int run_linearize(const CliArgs* args) {
  double time = 0;
  int status = EXIT_DONE;
  if (!cli_positive(args, "time", &time)) return EXIT_USAGE;
  SarModel* m = cli_load(args, args->operand[0], &status);
  if (!m) return status;
  Linearization a = {.path = args->operand[0], .m = m};
  const char* output = cli_value(args, "output");
  SarError err;
  sar_error_init(&err);
  if (m->ncollider > 0)
    sar_warn(&err, (SarLoc){.file = a.path}, "",
             "linearising knows no contact: nothing touches here");
  SarStatus st = find(&a, args, time, &err);
  if (st == SAR_OK && output) st = linearize_write(&a, args, output, &err);
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus linearize", a.path, st);
  if (st == SAR_OK && args->json)
    linearize_json(&a);
  else if (st == SAR_OK)
    linearize_text(&a);
  sar_linear_free(&a.system);
  sar_sim_free(a.s);
  sar_data_free(a.d);
  sar_model_free(m);
  return cli_exit_status(st);
}

static const CliOption options[] = {
    {"static", 0, NULL, "About the equilibrium next to the start, instead of the start itself.",
     NULL},
    {"time", 't', "SECONDS",
     "About the state that a run has reached then; with --static: time of drives and expressions.",
     NULL},
    {"inputs", 0, "NAMES",
     "Inputs of the model, and JOINT.tau (JOINT.tau2, ...) for forces on joints; default: all "
     "inputs.",
     NULL},
    {"outputs", 0, "NAMES", "Columns of the model's outputs; default: all that have derivatives.",
     NULL},
    {"output", 'o', "FILE", "The matrix [A B; C D] with its names: .csv.", "file"},
    {"set", 0, "NAME=VALUE", "Set a parameter of the model; may be repeated.", NULL},
    {"coordinates", 0, "KIND", "relative (a tree and its loops) or absolute (each body its own).",
     NULL},
    {"path", 'I', "FOLDER", "Where to look for included files and package:// resources.", "file"},
    {0}};

const CliCommand cli_command_linearize = {
    .name = "linearize",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "A, B, C, D about a state, with poles and transmission zeros",
    .text =
        "Linearises the model about its start, a state along the run or an equilibrium:\n"
        "x' = f + A (x - x0) + B (u - u0), y = y0 + C (x - x0) + D (u - u0). The derivatives\n"
        "are exact, not differences. x: positions, velocities, states of the file; where loops\n"
        "are closed, as many independent positions and velocities as there are freedoms.\n"
        "Rotations in space count as rotation vectors from the state. Dry friction is its\n"
        "smooth law of the speed; contact, limits and motors with a largest force are left\n"
        "out, which is said.",
    .examples =
        "sarrus linearize examples/cart_pole.yaml\tabout the start\n"
        "sarrus linearize examples/quarter_car.yaml --static -o car.csv\tabout the "
        "equilibrium, into a file\n"
        "sarrus linearize arm.yaml --inputs elbow.tau --outputs elbow.q --json\tone transfer "
        "function, with poles and zeros",
    .options = options,
    .run = run_linearize,
};
