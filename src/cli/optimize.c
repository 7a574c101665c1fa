// sarrus optimize: parameters at which an expression over the run is least.
#include "cli/optimize.h"

#include "base/clock.h"
#include "cli/interrupt.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { EVALUATIONS = 1000, MOST_EVALUATIONS = 10000000 };

// ---- options ------------------------------------------------------------------------------------

// "LEFT <= RIGHT" or "LEFT >= RIGHT": left - right is to be at most 0.
static int read_constraint(Optimize* o, const char* text) {
  const char* less = strstr(text, "<=");
  const char* more = strstr(text, ">=");
  const char* at = less ? less : more;
  char difference[OBJECTIVE_TEXT];
  if (!at || at == text || !at[2] || (less && more) || strstr(at + 2, "<=") || strstr(at + 2, ">="))
    return cli_usage_error(o->args->command,
                           "--subject-to '%s': expected LEFT <= RIGHT or LEFT >= RIGHT, like "
                           "'max(travel) <= 0.1'",
                           text);
  const int n = (int)(at - text);
  const int length =
      less ? snprintf(difference, sizeof difference, "(%.*s) - (%s)", n, text, at + 2)
           : snprintf(difference, sizeof difference, "(%s) - (%.*s)", at + 2, n, text);
  if (length >= (int)sizeof difference)
    return cli_usage_error(o->args->command, "--subject-to '%s': too long", text);
  if (!objective_read(o->args, "subject-to", difference, (size_t)length, &o->objectives))
    return EXIT_USAGE;
  const int k = o->objectives.count - 1;
  double right;
  o->objectives.item[k].given = text;
  const char* number = at + 2 + strspn(at + 2, " ");
  if (sar_parse_number(number, &right) == SAR_OK) o->scale[k] = fabs(right);
  return EXIT_DONE;
}

static int read_method(Optimize* o) {
  const CliArgs* args = o->args;
  const char* name = cli_value(args, "method");
  const char* names[32];
  char hint[300];
  int n = 0;
  for (const OptimizeMethod* m = optimize_methods; m->name && n < 32; m++) names[n++] = m->name;
  // where slopes jump, models of first derivatives mislead
  if (!name) name = o->objectives.jumps ? "cobyla" : "slsqp";
  o->method = optimize_method(name);
  if (!o->method)
    return cli_usage_error(args->command, "--method: no method '%s'; %s", name,
                           sar_text_offer(hint, sizeof hint, name, names, n));
  if (args->subject_count > 0 && !o->method->constraints)
    return cli_usage_error(
        args->command, "--method %s takes no --subject-to; slsqp, mma, cobyla and isres do", name);
  if (o->search.count < o->method->least)
    return cli_usage_error(args->command,
                           "--method %s needs %d parameters at least; cobyla does not", name,
                           o->method->least);
  return EXIT_DONE;
}

static int read_options(Optimize* o) {
  const CliArgs* args = o->args;
  double evaluations = EVALUATIONS, seed = 1;
  const char *least = cli_value(args, "minimize"), *most = cli_value(args, "maximize");
  if (!optimize_offered()) return optimize_solve(o);
  if (!least == !most)
    return cli_usage_error(args->command, "give one of --minimize and --maximize");
  int status = search_read(args, &o->search);
  char negative[OBJECTIVE_TEXT];
  const int n = most ? snprintf(negative, sizeof negative, "-(%s)", most) : (int)strlen(least);
  if (n >= (int)sizeof negative) return cli_usage_error(args->command, "--maximize: too long");
  if (!objective_read(args, most ? "maximize" : "minimize", most ? negative : least, (size_t)n,
                      &o->objectives))
    return EXIT_USAGE;
  o->objectives.item[0].given = most ? most : least;
  for (int i = 0; i < args->subject_count; i++) {
    const int one = read_constraint(o, args->subject[i]);
    if (one != EXIT_DONE) status = one;
  }
  if (status == EXIT_DONE) status = read_method(o);
  o->tolerance = 1e-7;
  if (!cli_positive(args, "tolerance", &o->tolerance) ||
      !cli_positive(args, "evaluations", &evaluations) || !cli_number(args, "seed", &seed))
    return EXIT_USAGE;
  if (evaluations != floor(evaluations) || evaluations > MOST_EVALUATIONS)
    return cli_usage_error(args->command, "--evaluations: expected a whole number from 1 to %d",
                           MOST_EVALUATIONS);
  if (!(seed >= 0 && seed <= 0x1p31) || seed != floor(seed))
    return cli_usage_error(args->command, "--seed: expected a whole number from 0");
  o->evaluations = (int)evaluations;
  o->seed = (unsigned long long)seed;
  return status;
}

// Expressions with all numbers 1: are their names known?
static bool expressions_fit(Optimize* o) {
  double p[SEARCH_MOST], values[OBJECTIVE_MOST_REDUCTIONS];
  bool good = true;
  for (int i = 0; i < o->search.count; i++) p[i] = o->search.axis[i].start;
  for (int i = 0; i < OBJECTIVE_MOST_REDUCTIONS; i++) values[i] = 1;
  for (int k = 0; k < o->objectives.count; k++) {
    good = objective_check(o->args, &o->objectives, k, &o->search, p, values) && good;
  }
  return good;
}

static void identity_of(const Optimize* o, char* text, size_t size) {
  size_t n = (size_t)snprintf(text, size, "--method=%s\n--tolerance=%.17g\n--seed=%llu\n",
                              o->method->name, o->tolerance, o->seed);
  for (int k = 0; k < o->objectives.count && n < size; k++)
    n += (size_t)snprintf(text + n, size - n, "--%s=%s\n", o->objectives.item[k].option,
                          o->objectives.item[k].given);
}

// ---- report -------------------------------------------------------------------------------------

static double shown_value(const Optimize* o, double x) {
  return cli_value(o->args, "maximize") ? -x : x;
}

static void print_text(const Optimize* o, double seconds) {
  const Search* s = &o->search;
  printf("%s: %s\n", cli_shown(s->job.path), o->ending);
  printf("  method       %s: %s\n", o->method->name, o->method->doc);
  printf("  runs         %d%s", s->runs + s->used, s->used ? "" : "\n");
  if (s->used) printf(", %d of them from the journal\n", s->used);
  if (s->failed)
    printf("  failed       %d; taken as worse than all others: %s\n", s->failed, o->trouble);
  printf("  time         %.3g s\n", seconds);
  if (!o->found) {
    printf("  nothing found that meets all --subject-to\n");
    return;
  }
  printf("  %-12s %.10g (%.10g at the start)\n", cli_value(o->args, "maximize") ? "most" : "least",
         shown_value(o, o->value), shown_value(o, o->start_value));
  for (int i = 0; i < s->count; i++)
    printf("  %-12s %.10g%s\n", s->axis[i].name, o->best[i],
           o->at_bound[i] ? "   at its bound: the optimum may be beyond" : "");
  for (int k = 1; k < o->objectives.count; k++)
    printf("  %s: %s by %.3g\n", o->objectives.item[k].given,
           o->excess[k] > -1e-6 * o->scale[k] ? "active, off" : "met,", fabs(o->excess[k]));
  if (isfinite(o->slope))
    printf("  steepness    %.2e of the objective over the range of a parameter (0 at an optimum)\n",
           o->slope / fmax(fabs(o->value), 1e-300));
  if (o->method->global)
    printf("  a global method ends with its --evaluations: refine by --start and --method slsqp\n");
}

static void print_json(const Optimize* o, double seconds, int status) {
  const Search* s = &o->search;
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", s->job.path);
  sar_json_text(&j, "method", o->method->name);
  sar_json_integer(&j, "runs", s->runs + s->used);
  sar_json_integer(&j, "taken_over", s->used);
  sar_json_integer(&j, "failed", s->failed);
  sar_json_number(&j, "wall_s", seconds);
  sar_json_number(&j, "start", shown_value(o, o->start_value));
  sar_json_number(&j, "value", o->found ? shown_value(o, o->value) : (double)NAN);
  sar_json_open(&j, "parameters", '{');
  for (int i = 0; i < s->count && o->found; i++) sar_json_number(&j, s->axis[i].name, o->best[i]);
  sar_json_close(&j, '}');
  sar_json_open(&j, "at_bound", '[');
  for (int i = 0; i < s->count && o->found; i++)
    if (o->at_bound[i]) sar_json_text(&j, NULL, s->axis[i].name);
  sar_json_close(&j, ']');
  sar_json_open(&j, "constraints", '[');
  for (int k = 1; k < o->objectives.count && o->found; k++) sar_json_number(&j, NULL, o->excess[k]);
  sar_json_close(&j, ']');
  sar_json_number(&j, "steepness", o->slope);
  sar_json_text(&j, "status", o->ending);
  sar_json_integer(&j, "exit_status", status);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static int run_command(const CliArgs* args) {
  static Optimize optimize;  // large
  Optimize* o = &optimize;
  o->args = args;
  const double began = sar_clock_wall();
  int status = read_options(o);
  if (status == EXIT_DONE) {
    Search* s = &o->search;
    char identity[OBJECTIVE_MOST * OBJECTIVE_TEXT];
    s->column = o->objectives.column;
    s->columns = s->values = o->objectives.reductions;
    s->measure = objective_measure;
    s->context = &o->objectives;
    if (!expressions_fit(o)) status = EXIT_USAGE;
    if (status == EXIT_DONE) status = search_load(s);
    identity_of(o, identity, sizeof identity);
    if (status == EXIT_DONE) status = search_open(s, identity);
    o->bar = !s->job.quiet && isatty(STDERR_FILENO);
  }
  if (status == EXIT_DONE) {
    status = optimize_solve(o);
    if (o->ending && args->json)
      print_json(o, sar_clock_wall() - began, status);
    else if (o->ending)
      print_text(o, sar_clock_wall() - began);
    if (o->stopped && cli_value(args, "journal"))
      fprintf(stderr, "sarrus: the same command goes on from %s\n",
              cli_shown(cli_value(args, "journal")));
  }
  search_free(&o->search);
  cli_pass_on_signal();
  return status;
}

static const CliOption options[] = {
    {"minimize", 0, "EXPR",
     "What is to be least: numbers, parameters of --over, and max, min, rms, mean, final, first or "
     "integral of an expression of the model over the run.",
     NULL},
    {"maximize", 0, "EXPR", "What is to be greatest, instead.", NULL},
    {"over", 0, "NAME=LOW:HIGH",
     "A parameter and its bounds; :log behind them for equal ratios; may be repeated.", NULL},
    {"subject-to", 0, "CONDITION",
     "LEFT <= RIGHT or LEFT >= RIGHT of such expressions; may be repeated.", NULL},
    {"start", 0, "NAME=VALUE", "Where to begin (default: the value of the file); may be repeated.",
     NULL},
    {"method", 0, "NAME",
     "With slopes by differences: slsqp (default), mma, lbfgs; without: cobyla (default with max "
     "and min), bobyqa, sbplx, neldermead; global: direct, crs, isres.",
     NULL},
    {"evaluations", 0, "N", "Most runs of the model (default 1000).", NULL},
    {"tolerance", 0, "X", "Of the parameters, in shares of their ranges (default 1e-7).", NULL},
    {"seed", 0, "N", "Of methods that draw numbers (default 1).", NULL},
    {"journal", 0, "FILE", "Keep every run in FILE; if it is there, go on where it ends.", "file"},
    {"threads", 0, "N", "Threads for runs side by side (default: all processors).", NULL},
    CLI_METHOD,
    {"end", 'e', "SECONDS", "Time to simulate.", NULL},
    {"output-step", 0, "SECONDS", "Time between two rows, over which reductions are taken.", NULL},
    CLI_TOLERANCES,
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {"quiet", 'q', NULL, "No progress.", NULL},
    {0}};

const CliCommand cli_command_optimize = {
    .name = "optimize",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Find the parameters for which a run is best.",
    .text =
        "Finds values of the parameters of --over, within their bounds, for which --minimize is "
        "least (or --maximize most) and all --subject-to hold, by a method of the library NLopt. "
        "The methods are local but for direct, crs and isres. With --journal a command that was "
        "ended goes on where it was. Exit status 4: no optimum was found, or the runs did not "
        "suffice; the best so far is printed.",
    .examples =
        "sarrus optimize car.yaml --minimize 'rms(body.vz)' --over k=1e4:5e4 --over "
        "c=500:5000\tsoftest ride\n"
        "sarrus optimize car.yaml --minimize 'rms(body.vz)' --over c=500:5000:log --subject-to "
        "'max(abs(hop.q)) <= 0.05'\twith a limit\n"
        "sarrus optimize arm.yaml --maximize 'final(tip.x)' --over a=0:1 --over b=0:1 --method "
        "direct\tglobal",
    .options = options,
    .run = run_command,
};
