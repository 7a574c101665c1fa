// sarrus run: simulate a model, write the results, say how it went.
#include "cli/couple.h"
#include "cli/interrupt.h"
#include "cli/run_print.h"

#include <math.h>

enum { MAX_THREADS = 64 };

// Threads of the simulation itself (those of a sweep run instances).
static int read_threads(const CliArgs* args, SarSimOptions* o) {
  double threads = 1;
  if (!cli_positive(args, "threads", &threads)) return EXIT_USAGE;
  if (threads != floor(threads) || threads > MAX_THREADS)
    return cli_usage_error(args->command, "--threads: expected a whole number from 1 to %d",
                           MAX_THREADS);
  o->threads = (int)threads;
  return EXIT_DONE;
}

static int run_command(const CliArgs* args) {
  if (sar_couple_is(args->operand[0])) return couple_run(args);
  SimulateJob job = {.path = args->operand[0],
                     .out = cli_value(args, "out"),
                     .contacts = cli_value(args, "contacts"),
                     .digits = 12};
  int status = simulate_options(args, &job);
  if (status == EXIT_DONE) status = read_threads(args, &job.sim);
  job.run.time_steps = job.run.choose = true;
  job.run.resume = cli_value(args, "resume");
  job.run.save = cli_value(args, "save");
  if (status == EXIT_DONE && (!cli_positive(args, "deadline", &job.run.deadline) ||
                              !cli_positive(args, "accuracy", &job.run.accuracy)))
    return EXIT_USAGE;
  if (status != EXIT_DONE) return status;
  SarModel* m = cli_load(args, job.path, &status);
  if (!m) return status;
  SarRun* run;
  status = simulate(m, &job, &run);
  if (run && args->json)
    run_print_json(m, &job, run);
  else if (run)
    run_print_text(job.path, run, job.out);
  cli_pass_on_signal();
  sar_run_free(run);
  sar_model_free(m);
  return status;
}

static const CliOption options[] = {
    CLI_METHOD,
    {"deadline", 0, "SECONDS",
     "CPU time that a fixed step may take: 'auto' takes a method that meets it, and steps that "
     "take longer are counted.",
     NULL},
    {"accuracy", 0, "X",
     "Fixed steps with 'auto': largest error as a share of the motion (default 1e-3).", NULL},
    {"end", 'e', "SECONDS", "Time to simulate.", NULL},
    {"out", 'o', "FILE", "Write the results to FILE.csv or FILE.h5.", "file"},
    {"save", 0, "FILE",
     "Save the state where the run ends, also where it fails or is interrupted, to FILE.", "file"},
    {"resume", 0, "FILE",
     "Go on from a saved state of the same model, with the method and the step it had unless "
     "others are given; rows continue those of the run that was saved, bit for bit.",
     "file"},
    {"contacts", 0, "FILE",
     "Write every contact point at the output times to FILE.csv: bodies, place, normal, gap, "
     "force.",
     "file"},
    {"output-step", 0, "SECONDS",
     "Time between two rows of the results; steps land on these times exactly.", NULL},
    {"digits", 0, "N",
     "Significant digits in a CSV file, 1 to 17 (17 restores every bit; default 12).", NULL},
    CLI_TOLERANCES,
    {"reference", 0, NULL,
     "Error control at 1e-12 whatever the file says: a run to judge others by (with --integrator "
     "ida, an independent one).",
     NULL},
    {"no-project", 0, NULL,
     "Closed loops: let the constraints drift instead of bringing every step back onto them.",
     NULL},
    {"spectral-radius", 0, "X",
     "newmark, hht, generalized-alpha, two-step: share of a fast vibration left after a step, 0 to "
     "1.",
     NULL},
    {"newton-tolerance", 0, "X",
     "Implicit formulations, embedding: largest increment that ends an iteration (default 1e-9: "
     "radians, or shares of the mechanism's size).",
     NULL},
    {"max-iterations", 0, "N",
     "Most iterations in a step: implicit methods (default 20), sweeps over impulses (60).", NULL},
    {"impulse-tolerance", 0, "X",
     "Impulses: sweeps end when none changes by more than X N s (default 1e-8 of the largest).",
     NULL},
    {"budget", 0, "S",
     "Impulses: a step ends its sweeps in time to take S seconds in all, for real-time use.", NULL},
    {"threads", 0, "N",
     "impulse: threads that solve contact side by side (default 1); the results are the same bits.",
     NULL},
    {"penalty", 0, "X",
     "Implicit formulations: one penalty for all constraints, as in papers, instead of one that is "
     "scaled by the inertia each works against.",
     NULL},
    {"alpha", 0, "X", "baumgarte: factor of the velocities, 1/s (with --beta).", NULL},
    {"beta", 0, "X", "baumgarte: its square is the factor of the positions, 1/s.", NULL},
    {"rho", 0, "X",
     "penalty: one factor for all constraints; with it --max-iterations are made, whatever they "
     "leave.",
     NULL},
    {"omega", 0, "X", "penalty: natural frequency with which constraints return, rad/s.", NULL},
    {"zeta", 0, "X", "penalty: damping ratio with which they do.", NULL},
    {"kinematics", 0, "KIND",
     "embedding: triangular (polynomials alone), block (Newton's method where a loop has none), "
     "newton (loop by loop), newton-all (default).",
     NULL},
    {"reselect", 0, NULL,
     "topological: change the independent coordinates at singular positions instead of ending "
     "there.",
     NULL},
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {"quiet", 'q', NULL, "No progress bar.", NULL},
    {0}};
_Static_assert(sizeof options / sizeof *options <= CLI_MAX_OPTIONS, "room for all options");

const CliCommand cli_command_run = {
    .name = "run",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Simulate a model.",
    .text =
        "Reads MODEL (.yaml, .json, .urdf, .sdf or MJCF .xml), simulates it and reports how it "
        "went: steps, speed against real time, and the energy audit: what of the energy cannot be "
        "explained by the work of forces, dampers and motors, and so is the error of the numerics. "
        "Everything that is not given here comes from the model's 'simulation' block, or has a "
        "default that just runs.\n\nWhen the numerics fail, the message says when, where and why, "
        "and the results up to there are kept (exit status 4).",
    .examples =
        "sarrus run arm.yaml\tsimulate as the file says\n"
        "sarrus run arm.yaml --integrator rk4 --step 1e-3 --out arm.csv\tfixed steps, keep the "
        "results\n"
        "sarrus run arm.yaml --step 1e-3 --deadline 1e-4\tthe cheapest method for steps of 1 ms, "
        "each within 0.1 ms\n"
        "sarrus run arm.yaml --end 10 --save arm.state\tkeep the state at the end\n"
        "sarrus run arm.yaml --end 20 --resume arm.state --out more.csv\tgo on from there\n"
        "sarrus run arm.yaml --set payload=2.5 --json\tanother parameter, figures for a script",
    .options = options,
    .run = run_command,
};
