// sarrus trim: values of parameters and inputs for wanted averages over a period.
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/interrupt.h"

#include <math.h>
#include <string.h>

enum { TEXT = 1024 };

typedef struct Trim {
  const CliArgs* args;
  SarTrimUnknown unknown[SAR_TRIM_MOST];
  SarTrimCondition condition[SAR_TRIM_MOST];
  int unknowns, conditions;
  char names[TEXT], sides[SAR_TRIM_MOST][2][TEXT];
} Trim;

// ---- options ------------------------------------------------------------------------------------

static char* trimmed(char* at) {
  while (*at == ' ') at++;
  for (size_t n = strlen(at); n > 0 && at[n - 1] == ' '; n--) at[n - 1] = 0;
  return at;
}

// NAME, or NAME=LOW:HIGH
static bool read_unknown(Trim* a, char* at) {
  SarTrimUnknown* u = &a->unknown[a->unknowns];
  char* equals = strchr(at, '=');
  if (a->unknowns == SAR_TRIM_MOST) {
    cli_usage_error(a->args->command, "--solve: more than %d names", SAR_TRIM_MOST);
    return false;
  }
  if (equals) {
    char* colon = strchr(equals, ':');
    if (colon) *colon = 0;
    if (!colon || sar_parse_number(trimmed(equals + 1), &u->lower) != SAR_OK ||
        sar_parse_number(trimmed(colon + 1), &u->upper) != SAR_OK || !(u->lower < u->upper)) {
      cli_usage_error(a->args->command,
                      "--solve: expected limits like collective=0:'20 deg' behind '%.*s'",
                      (int)(equals - at), at);
      return false;
    }
    *equals = 0;
  }
  u->name = trimmed(at);
  if (u->name[0]) a->unknowns++;
  if (!u->name[0])
    cli_usage_error(a->args->command, "--solve: expected names, as in collective,lateral");
  return u->name[0];
}

static bool read_names(Trim* a) {
  const char* text = cli_value(a->args, "solve");
  if (!text || strlen(text) >= sizeof a->names) {
    cli_usage_error(a->args->command, text ? "--solve: too long"
                                           : "name the parameters or inputs to be found: --solve");
    return false;
  }
  sar_snprintf(a->names, sizeof a->names, "%s", text);
  for (char* at = a->names; at;) {
    char* comma = strchr(at, ',');
    if (comma) *comma = 0;
    if (!read_unknown(a, at)) return false;
    at = comma ? comma + 1 : NULL;
  }
  return true;
}

// LEFT = RIGHT
static bool read_condition(Trim* a, const char* text) {
  const char* equals = strchr(text, '=');
  const size_t n = equals ? (size_t)(equals - text) : 0;
  const bool compares = equals && (equals[1] == '=' || (n > 0 && strchr("<>!", text[n - 1])));
  if (!equals || compares || strchr(equals + 1, '=') || n == 0 || n >= TEXT || equals[1] == 0 ||
      strlen(equals + 1) >= TEXT || a->conditions == SAR_TRIM_MOST) {
    cli_usage_error(a->args->command,
                    "--to: expected at most %d equations like 'rotor.thrust = 5e4', found '%s'",
                    SAR_TRIM_MOST, text);
    return false;
  }
  char(*sides)[TEXT] = a->sides[a->conditions];
  sar_snprintf(sides[0], TEXT, "%.*s", (int)n, text);
  sar_snprintf(sides[1], TEXT, "%s", equals + 1);
  a->condition[a->conditions++] = (SarTrimCondition){trimmed(sides[0]), trimmed(sides[1])};
  return true;
}

static int read_options(Trim* a, SarTrimOptions* o, SarSimOptions* sim) {
  const CliArgs* args = a->args;
  double periods = 0, iterations = 0;
  if (!read_names(a)) return EXIT_USAGE;
  for (int i = 0; i < args->to_count; i++)
    if (!read_condition(a, args->to[i])) return EXIT_USAGE;
  if (a->conditions != a->unknowns)
    return cli_usage_error(args->command, "--solve names %d, but there are %d conditions (--to)",
                           a->unknowns, a->conditions);
  o->period = cli_value(args, "period");
  if (!o->period)
    return cli_usage_error(args->command, "say how long a period is: --period '2*pi/Omega'");
  if (!cli_number(args, "start", &o->start) || !cli_positive(args, "periods", &periods) ||
      !cli_positive(args, "max-iterations", &iterations) ||
      !cli_positive(args, "tolerance", &o->tolerance) || !cli_positive(args, "step", &sim->step))
    return EXIT_USAGE;
  sim->formulation = cli_value(args, "formulation");
  sim->integrator = cli_value(args, "integrator");
  o->max_periods = (int)fmin(periods, 1e6);
  o->max_iterations = (int)fmin(iterations, 1e6);
  o->unknown = a->unknown;
  o->condition = a->condition;
  o->count = a->unknowns;
  o->sim = sim;
  return EXIT_DONE;
}

// ---- printing -----------------------------------------------------------------------------------

static void on_progress(void* context, const SarTrimProgress* x) {
  const Trim* a = context;
  if (a->args->json || cli_value(a->args, "quiet")) return;
  if (x->iteration == 0) {
    printf("%9s %7s %8s", "iteration", "trials", "periods");
    for (int k = 0; k < x->count; k++) printf(" %14.14s", a->unknown[k].name);
    printf(" %12s\n", "worst");
  }
  printf("%9d %7d %8d", x->iteration, x->trials, x->periods);
  for (int k = 0; k < x->count; k++) printf(" %14.8g", x->value[k]);
  printf(" %12.3g\n", x->worst);
  fflush(stdout);
}

static bool on_stop(void* context) {
  (void)context;
  return cli_interrupted();
}

static void print_text(const Trim* a, const SarTrimReport* r, SarStatus st) {
  printf("%s: %s after %d %s, %d trials, %d periods of %.6g s\n", cli_shown(a->args->operand[0]),
         st == SAR_OK ? "trimmed" : "not trimmed", r->iterations,
         cli_plural(r->iterations, "iteration", "iterations"), r->trials, r->periods, r->period);
  printf("  %-32s %16s %16s\n", "found", "value", "before");
  for (int k = 0; k < r->count; k++)
    printf("  %-32s %16.10g %16.10g\n", a->unknown[k].name, r->value[k], r->before[k]);
  printf("  %-32s %16s %16s %12s\n", "average over a period", "is", "wanted", "off by");
  for (int k = 0; k < r->count; k++)
    printf("  %-32s %16.10g %16.10g %12.3g\n", a->condition[k].left, r->left[k], r->right[k],
           r->left[k] - r->right[k]);
  printf("  ");
  for (int k = 0; k < r->count; k++) printf("--set %s=%.17g ", a->unknown[k].name, r->value[k]);
  printf("\n");
}

static void print_json(const Trim* a, const SarTrimReport* r, SarStatus st) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", a->args->operand[0]);
  sar_json_bool(&j, "trimmed", st == SAR_OK);
  sar_json_number(&j, "period", r->period);
  sar_json_integer(&j, "iterations", r->iterations);
  sar_json_integer(&j, "trials", r->trials);
  sar_json_integer(&j, "periods", r->periods);
  sar_json_number(&j, "simulated", r->simulated);
  sar_json_open(&j, "found", '[');
  for (int k = 0; k < r->count; k++) {
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "name", a->unknown[k].name);
    sar_json_number(&j, "value", r->value[k]);
    sar_json_number(&j, "before", r->before[k]);
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_open(&j, "conditions", '[');
  for (int k = 0; k < r->count; k++) {
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "left", a->condition[k].left);
    sar_json_text(&j, "right", a->condition[k].right);
    sar_json_number(&j, "is", r->left[k]);
    sar_json_number(&j, "wanted", r->right[k]);
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// ---- the command --------------------------------------------------------------------------------

static SarStatus save(const Trim* a, const SarTrim* t, SarError* err) {
  const char* path = cli_value(a->args, "save");
  CliOutput file = {0};
  if (!path) return SAR_OK;
  SarStatus st = cli_output_begin(a->args, path, &file, err);
  if (st == SAR_OK) st = sar_data_save(sar_trim_data(t), cli_output_path(&file), err);
  return cli_output_end(&file, st, err);
}

static int run_trim(const CliArgs* args) {
  Trim a = {.args = args};
  SarTrimOptions o = sar_trim_options();
  SarSimOptions sim = sar_sim_options();
  CliLoading loading;
  SarTrim* found = NULL;
  SarError err;
  sar_error_init(&err);
  int status = read_options(&a, &o, &sim);
  if (status != EXIT_DONE) return status;
  const char* coordinates = cli_value(args, "coordinates");
  if (!coordinates && sim.formulation && cli_needs_absolute(sim.formulation))
    coordinates = "absolute";
  if (!cli_load_options(args, &(CliLoad){.coordinates = coordinates}, &loading)) return EXIT_USAGE;
  o.load = &loading.o;
  o.context = &a;
  o.on_progress = on_progress;
  o.should_stop = on_stop;
  cli_watch_signals();
  SarStatus st = sar_trim(args->operand[0], &o, &found, &err);
  if (st == SAR_OK) st = save(&a, found, &err);
  if (!found) {
    cli_report(args, args->operand[0], st, &err);
    return cli_exit_status(st);
  }
  cli_print_messages(&err);
  if (args->json)
    print_json(&a, sar_trim_report(found), st);
  else
    print_text(&a, sar_trim_report(found), st);
  sar_trim_free(found);
  cli_pass_on_signal();
  return cli_exit_status(st);
}

static const CliOption options[] = {
    {"solve", 'x', "NAMES",
     "Parameters or inputs to find, comma-separated; NAME=LOW:HIGH with limits.", NULL},
    {"to", 0, "EQUATION",
     "What shall hold on average over a period, 'rotor.thrust = 5e4'; one for each of --solve.",
     NULL},
    {"period", 'p', "EXPRESSION", "Length of a period, of parameters: 0.2 or '2*pi/Omega' [s].",
     NULL},
    {"start", 0, "SECONDS", "Averages begin after this time, when ramps are over (default 0).",
     NULL},
    {"periods", 0, "N", "Of a trial at most (default 200).", NULL},
    {"max-iterations", 0, "N", "Of the search at most (default 30).", NULL},
    {"tolerance", 0, "NUMBER", "Of the conditions, relative (default 1e-5).", NULL},
    {"formulation", 'f', "NAME", "Equations of motion to use.", "formulations"},
    {"integrator", 'i', "NAME", "Integrator to use.", "integrators"},
    {"step", 's', "SECONDS", "Fixed steps are made to divide the period.", NULL},
    {"save", 0, "FILE", "Keep the state where the last period ended, for 'run --resume'.", "file"},
    {"quiet", 'q', NULL, "No line for each iteration.", NULL},
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {0}};

const CliCommand cli_command_trim = {
    .name = "trim",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Find parameters and inputs for wanted averages over a period.",
    .text =
        "Runs MODEL period after period until averages repeat, and changes what --solve names "
        "until the averages of both sides of every --to are equal: controls of a rotor for its "
        "thrust and flapping, a motor's torque for a speed. Quantities are those that expressions "
        "of the file may use. The search is Broyden's method, which begins with differences, from "
        "the values of the file or of --set.",
    .examples =
        "sarrus trim rotor.yaml --solve collective --to 'rotor.thrust = 5e4' --period "
        "'2*pi/Omega'\tcollective for a thrust\n"
        "sarrus trim rotor.yaml --solve 'pitch=0:0.4' --to 'rotor.thrust = weight' -p 0.2 --save "
        "hover.state\twithin limits, and the state to go on from",
    .options = options,
    .run = run_trim,
};
