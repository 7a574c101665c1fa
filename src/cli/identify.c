// sarrus identify: parameters from measured data.
#include "cli/identify.h"

#include "base/clock.h"
#include "cli/interrupt.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { ITERATIONS = 100 };
static const double CLOSE = 0.95;  // correlation of parameters that is worth a line
// correlation of residuals from row to row, in its standard deviations
static const double SERIAL = 4;

static int read_options(Identify* a) {
  const CliArgs* args = a->args;
  a->path = cli_value(args, "data");
  a->confidence = 0.95;
  a->tolerance = 1e-8;
  double iterations = ITERATIONS;
  if (!a->path) return cli_usage_error(args->command, "which data? give --data FILE.csv");
  const int status = search_read(args, &a->search);
  if (status != EXIT_DONE) return status;
  if (!cli_positive(args, "confidence", &a->confidence) ||
      !cli_positive(args, "tolerance", &a->tolerance) ||
      !cli_positive(args, "iterations", &iterations))
    return EXIT_USAGE;
  if (!(a->confidence < 1))
    return cli_usage_error(args->command, "--confidence: expected a number between 0 and 1");
  if (iterations != floor(iterations) || iterations > 1e6)
    return cli_usage_error(args->command, "--iterations: expected a whole number");
  a->iterations = (int)iterations;
  return identify_read(a);
}

static void identity_of(const Identify* a, char* text, size_t size) {
  size_t n = 0;
  text[0] = 0;
  for (int c = 0; c < a->columns && n < size; c++)
    n += (size_t)snprintf(text + n, size - n, "column=%s\n", a->column[c].name);
}

// ---- report -------------------------------------------------------------------------------------

static const char* ending(const Identify* a) {
  for (int i = 0; i < a->search.count; i++)
    if (a->converged && (a->idle[i] || a->shared[i]))
      return "the data do not determine all parameters";
  return a->stopped ? "stopped by a signal" : a->converged ? "converged" : "not converged";
}

static const char* remark(const Identify* a, int i) {
  if (a->idle[i]) return "these columns do not depend on it";
  if (a->shared[i]) return "only a combination with others is determined";
  return a->bound[i] ? "at its bound: no interval" : "";
}

static bool is_serial(const IdentifyColumn* c) {
  return fabs(c->correlation) * sqrt(c->values) > SERIAL;
}

static void print_parameters(const Identify* a) {
  const Search* s = &a->search;
  printf("  %-16s %18s   %g %% interval\n", "parameter", "value", 100 * a->confidence);
  for (int i = 0; i < s->count; i++) {
    printf("  %-16s %18.10g   ", s->axis[i].name, a->x[i]);
    if (isfinite(a->deviation[i]))
      printf("+- %.3g (%.2g %%)\n", a->quantile * a->deviation[i],
             100 * a->quantile * a->deviation[i] / fmax(fabs(a->x[i]), 1e-300));
    else
      printf("%s\n", remark(a, i));
  }
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < i; k++)
      if (fabs(a->correlation[i][k]) > CLOSE)
        printf("  %s and %s are correlated: %.4f\n", s->axis[k].name, s->axis[i].name,
               a->correlation[i][k]);
}

static void print_text(const Identify* a, double seconds) {
  const Search* s = &a->search;
  printf("%s: %s\n", cli_shown(s->job.path), ending(a));
  printf("  data         %s: %d rows, %d %s", cli_shown(a->path), a->rows, a->columns,
         cli_plural(a->columns, "column", "columns"));
  if (a->missing) printf("; %d values are nan and left out", a->missing);
  printf("\n  runs         %d, %d steps", s->runs + s->used, a->steps);
  if (s->used) printf(", %d runs from the journal", s->used);
  printf("\n  time         %.3g s\n", seconds);
  if (s->failed) printf("  failed       %d runs: %s\n", s->failed, a->trouble);
  if (a->fits == 0) return;
  print_parameters(a);
  printf("  %-24s %12s %12s\n", "residuals", "rms", "row to row");
  for (int c = 0; c < a->columns; c++)
    printf("  %-24s %12.4g %12.2f%s\n", a->column[c].name, a->column[c].rms,
           a->column[c].correlation,
           is_serial(&a->column[c])
               ? "   not noise: the model lacks something, intervals are too narrow"
               : "");
}

static void print_json(const Identify* a, double seconds, int status) {
  const Search* s = &a->search;
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", s->job.path);
  sar_json_text(&j, "data", a->path);
  sar_json_integer(&j, "runs", s->runs + s->used);
  sar_json_integer(&j, "taken_over", s->used);
  sar_json_integer(&j, "failed", s->failed);
  sar_json_integer(&j, "missing", a->missing);
  sar_json_integer(&j, "rank", a->rank);
  sar_json_number(&j, "wall_s", seconds);
  sar_json_number(&j, "confidence", a->confidence);
  sar_json_open(&j, "parameters", '[');
  for (int i = 0; i < s->count && a->fits > 0; i++) {
    const double half = a->quantile * a->deviation[i];
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "name", s->axis[i].name);
    sar_json_number(&j, "value", a->x[i]);
    sar_json_number(&j, "deviation", a->deviation[i]);
    sar_json_number(&j, "from", a->x[i] - half);
    sar_json_number(&j, "to", a->x[i] + half);
    sar_json_text(&j, "remark", remark(a, i));
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_open(&j, "columns", '[');
  for (int c = 0; c < a->columns; c++) {
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "name", a->column[c].name);
    sar_json_number(&j, "rms", a->column[c].rms);
    sar_json_number(&j, "row_to_row", a->column[c].correlation);
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_text(&j, "status", ending(a));
  sar_json_integer(&j, "exit_status", status);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static int prepare(Identify* a) {
  char identity[IDENTIFY_COLUMNS * 160];
  Search* s = &a->search;
  int status = read_options(a);
  s->measure = identify_measure;
  s->context = a;
  if (status == EXIT_DONE) status = search_load(s);
  if (status == EXIT_DONE) status = identify_match(a);
  if (status != EXIT_DONE) return status;
  identity_of(a, identity, sizeof identity);
  a->bar = !s->job.quiet && isatty(STDERR_FILENO);
  return search_open(s, identity);
}

static int run_command(const CliArgs* args) {
  static Identify identify;  // large
  Identify* a = &identify;
  a->args = args;
  const double began = sar_clock_wall();
  int status = prepare(a);
  if (status == EXIT_DONE) {
    status = identify_fit(a);
    if (args->json)
      print_json(a, sar_clock_wall() - began, status);
    else
      print_text(a, sar_clock_wall() - began);
    if (a->stopped && cli_value(args, "journal"))
      fprintf(stderr, "sarrus: the same command goes on from %s\n",
              cli_shown(cli_value(args, "journal")));
  }
  search_free(&a->search);
  sar_table_free(a->data);
  sar_free(a->time);
  cli_pass_on_signal();
  return status;
}

static const CliOption options[] = {
    {"data", 'd', "FILE",
     "Measured: a column time, and columns named as outputs of the model; nan where there is no "
     "value. FILE.csv or FILE.h5.",
     "file"},
    {"over", 0, "NAME=LOW:HIGH",
     "A parameter and its bounds; :log behind them for equal ratios; may be repeated.", NULL},
    {"start", 0, "NAME=VALUE", "Where to begin (default: the value of the file); may be repeated.",
     NULL},
    {"columns", 'c', "PATTERNS",
     "Columns of the data to fit, comma-separated, with * and ? (default: all).", NULL},
    {"sigma", 0, "COLUMN=VALUE",
     "Standard deviation of the noise of a column (default: estimated); may be repeated.", NULL},
    {"confidence", 0, "P", "Probability of the intervals (default 0.95).", NULL},
    {"iterations", 0, "N", "Most steps of a fit (default 100).", NULL},
    {"tolerance", 0, "X", "Of a step, in shares of the ranges (default 1e-8).", NULL},
    {"journal", 0, "FILE", "Keep every run in FILE; if it is there, go on where it ends.", "file"},
    {"threads", 0, "N", "Threads for runs side by side (default: all processors).", NULL},
    CLI_METHOD,
    CLI_TOLERANCES,
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {"quiet", 'q', NULL, "No progress.", NULL},
    {0}};

const CliCommand cli_command_identify = {
    .name = "identify",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Find the parameters for which a model follows measured data.",
    .text =
        "Fits the parameters of --over, within their bounds, to the columns of --data by nonlinear "
        "least squares (Levenberg and Marquardt), every column weighted by its noise, and gives "
        "confidence intervals from the Jacobian. Parameters that the data do not determine are "
        "named, and the exit status is 4 then. With --journal a command that was ended goes on "
        "where it was.",
    .examples =
        "sarrus identify arm.yaml --data measured.csv --over m=0.5:5 --over c=0:2\ttwo parameters\n"
        "sarrus identify arm.yaml --data measured.csv --columns '*.q' --over k=1e2:1e6:log\tangles "
        "alone",
    .options = options,
    .run = run_command,
};
