// sarrus mass: the mass of all bodies.
//
// A subcommand as one file and one line, see tools/check-plugins.
#include "cli/cli.h"

#include "model/model.h"

static int run_mass(const CliArgs* args) {
  int status = EXIT_DONE;
  SarModel* m = cli_load(args, args->operand[0], &status);
  if (!m) return status;
  double mass = 0;
  for (int b = 0; b < m->nbody; b++) mass += m->body_inertia[b].m;
  printf("%.17g\n", mass);
  sar_model_free(m);
  return EXIT_DONE;
}

static const CliOption options[] = {{0}};

const CliCommand cli_command_mass = {
    .name = "mass",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Print the mass of all bodies.",
    .text = "Prints the mass of all bodies [kg].",
    .examples = "sarrus mass robot.urdf\thow heavy it is",
    .options = options,
    .run = run_mass,
};
