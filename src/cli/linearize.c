// sarrus linearize: A, B, C, D of a model about a state, with poles and transmission zeros.
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/linearize.h"

#include <math.h>
#include <string.h>

// The state that is asked for: the start, or what a run has reached by then.
static SarStatus go_there(SarData* d, double time, bool rest, SarError* err) {
  SarSim* s = NULL;
  if (rest) sar_set_time(d, time);
  if (rest || time <= 0) return SAR_OK;
  SarStatus st = sar_sim_new(sar_data_model(d), d, NULL, &s, err);
  if (st == SAR_OK) st = sar_advance(s, time);
  sar_sim_free(s);
  return st;
}

static SarStatus find(Linearization* a, const SarModel* m, const CliArgs* args, double time,
                      SarError* err) {
  SarLinearizeOptions o = sar_linearize_options();
  o.rest = cli_value(args, "static") != NULL;
  o.inputs = cli_value(args, "inputs");
  o.outputs = cli_value(args, "outputs");
  SAR_TRY(sar_data_new(m, &a->d, err));
  SAR_TRY(go_there(a->d, time, o.rest, err));
  SAR_TRY(sar_linearize(a->d, &o, &a->found, err));
  a->report = sar_linearization_report(a->found);
  return SAR_OK;
}

static int run_linearize(const CliArgs* args) {
  double time = 0;
  int status = EXIT_DONE;
  if (!cli_positive(args, "time", &time)) return EXIT_USAGE;
  SarModel* m = cli_load(args, args->operand[0], &status);
  if (!m) return status;
  Linearization a = {.path = args->operand[0]};
  const char* output = cli_value(args, "output");
  SarError err;
  sar_error_init(&err);
  SarStatus st = find(&a, m, args, time, &err);
  if (st == SAR_OK && output) st = linearize_write(&a, args, output, &err);
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus linearize", a.path, st);
  if (st == SAR_OK && args->json)
    linearize_json(&a);
  else if (st == SAR_OK)
    linearize_text(&a);
  sar_linearization_free(a.found);
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
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {0}};

const CliCommand cli_command_linearize = {
    .name = "linearize",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "A, B, C, D about a state, with poles and transmission zeros.",
    .text =
        "Linearises the model about its start, a state along the run or an equilibrium:\n"
        "\n"
        "  x' = f + A (x - x0) + B (u - u0),   y = y0 + C (x - x0) + D (u - u0)\n"
        "\n"
        "The derivatives are exact, not differences. x: positions, velocities, states of the file; "
        "where loops are closed, as many independent positions and velocities as there are "
        "freedoms. Rotations in space count as rotation vectors from the state. Dry friction is "
        "its smooth law of the speed; contact, limits and motors with a largest force are left "
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
