// sarrus equations: a model's equations of motion, to be read.
#include "cli/equations_print.h"
#include "cli/flow.h"
#include "cli/interrupt.h"

#include "base/clock.h"
#include "io/reader.h"
#include "model/compile.h"

#include <string.h>
#include <unistd.h>

// Asked often: whether to go on. Tells how far it is once a second, where somebody looks.
static bool stop(void* context) {
  EquationsJob* j = context;
  j->looks++;
  const double now = j->looks % 16 ? j->told : sar_clock_wall();
  if (now - j->told > 1 && isatty(STDERR_FILENO)) {
    fprintf(stderr, "\rsarrus equations: %.0f s, the model built %d times ", now - j->begun,
            j->e.lifted.builds);
    j->told = now;
  }
  return cli_interrupted();
}

static bool read_parts(const CliArgs* args, const SarModel* m, unsigned* parts) {
  static const char* const known[] = {"M", "bias", "constraints", "jacobian", "gamma",
                                      "B", "Bdot", "solution",    NULL};
  CliNames what;
  if (!cli_words(args, "what", m->nrow ? "M,bias,constraints,jacobian,gamma" : "M,bias", known,
                 &what))
    return false;
  *parts = 0;
  for (int i = 0; i < what.count; i++)
    for (int k = 0; known[k]; k++)
      if (strcmp(what.item[i], known[k]) == 0) *parts |= 1u << k;
  return true;
}

static SarStatus make(EquationsJob* j, const SarSpec* spec, const SarModel* m,
                      const SarLoadOptions* load, unsigned parts, SarArena* arena, SarError* err) {
  j->parts = parts;
  j->begun = j->told = sar_clock_wall();
  if (parts >= SAR_EQUATIONS_B) SAR_TRY(sar_flow_report(m, &j->flow, err));
  const SarEquationsOptions o = {.parts = parts,
                                 .load = load,
                                 .numbers = cli_value(j->args, "numbers") != NULL,
                                 .as_built = cli_value(j->args, "as-built") != NULL,
                                 .flow = j->flow.flow,
                                 .start = j->flow.start,
                                 .stop = stop,
                                 .stop_context = j};
  SAR_TRY(sar_equations_make(&j->e, spec, m, &o, arena, err));
  if (isatty(STDERR_FILENO) && j->told > j->begun) fprintf(stderr, "\r%60s\r", "");
  return equation_names_make(&j->names, &j->e, j->style, arena) ? SAR_OK : SAR_NO_MEMORY;
}

static int run_equations(const CliArgs* args) {
  if (cli_value(args, "kinematics")) return flow_show(args);
  if (cli_value(args, "picture"))
    return cli_usage_error(args->command, "--picture draws the flow of --kinematics");
  EquationsJob j = {.args = args,
                    .style = cli_value(args, "latex") ? SAR_PRINT_LATEX
                             : cli_value(args, "c")   ? SAR_PRINT_C
                                                      : SAR_PRINT_TEXT};
  const char* path = args->operand[0];
  CliLoading load;
  SarSpec spec;
  SarModel* m = NULL;
  SarArena arena;
  SarError err;
  unsigned parts = 0;
  const CliLoad how = {.coordinates = flow_coordinates(args)};
  if (!cli_load_options(args, &how, &load)) return EXIT_USAGE;
  sar_error_init(&err);
  sar_arena_init(&arena);
  sar_spec_init(&spec);
  SarStatus st = sar_spec_load(path, &load.o, &spec, &err);
  if (st == SAR_OK) st = sar_compile(&spec, &load.o, &m, &err);
  int status = EXIT_USAGE;
  if (st != SAR_OK || read_parts(args, m, &parts)) {
    cli_watch_signals();
    if (st == SAR_OK) st = make(&j, &spec, m, &load.o, parts, &arena, &err);
    cli_report(args, path, st, &err);
    if (st == SAR_OK && args->json) equations_print_json(&j);
    if (st == SAR_OK && !args->json) equations_print_text(&j);
    status = cli_exit_status(st);
    cli_pass_on_signal();
  }
  sar_flow_report_free(&j.flow);
  sar_model_free(m);
  sar_arena_free(&arena);
  sar_spec_free(&spec);
  return status;
}

static const CliOption options[] = {
    {"what", 0, "LIST",
     "Parts of the equations: M, bias, constraints, jacobian, gamma (default: those there are); of "
     "the embedding B, Bdot, solution; or all.",
     NULL},
    {"latex", 0, NULL, "Print LaTeX.", NULL},
    {"c", 0, NULL, "Print statements of C.", NULL},
    {"text", 0, NULL, "Print expressions as in model files (default).", NULL},
    {"numbers", 0, NULL, "Put in the values of all parameters.", NULL},
    CLI_COORDINATES,
    {"as-built", 0, NULL, "Do not multiply out and collect: as generated code computes it.", NULL},
    {"kinematics", 0, NULL,
     "Show instead how the loops are solved: order, knowns, unknowns, bases (as sarrus loops).",
     NULL},
    {"picture", 0, "FILE", "With --kinematics: draw it into FILE.svg, FILE.png or FILE.pdf too.",
     "file"},
    {"set", 0, "NAME=VALUE", "Put in a value of a parameter; may be repeated.", NULL},
    CLI_PATH,
    {0}};

const CliCommand cli_command_equations = {
    .name = "equations",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Print a model's equations of motion as formulas.",
    .text =
        "Prints M(q), h(q, v, t) and, where there are constraints, phi, J and gamma of\n"
        "\n"
        "  M v' + h + J' lambda = tau,   phi = 0,   J v' = gamma\n"
        "\n"
        "as text, LaTeX or C. Parameters of the file stay symbols unless --set gives them values, "
        "and so does the size of gravity, g. h has all that acts: gravity, velocity products, "
        "springs, dampers, actuators; tau is what a host program adds. Products are multiplied out "
        "and collected; long results are written with named parts e1, e2, ...",
    .examples =
        "sarrus equations pendulum.yaml\tas in a textbook\n"
        "sarrus equations arm.yaml --what M --latex\tthe mass matrix for a paper\n"
        "sarrus equations crank.yaml --kinematics\twhich loop is solved how\n"
        "sarrus equations arm.yaml --set L=0.3 --c\tstatements with one value put in",
    .options = options,
    .run = run_equations,
};
