// sarrus compare: the same run by several methods, one table.
#include "cli/compare.h"

#include "model/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPEAT = 3 };

static const double LIMIT = 60;  // CPU time of one run [s]

// ---- what to run --------------------------------------------------------------------------------

static int read_target(const CliArgs* args, CompareTarget* target) {
  const char* text = cli_value(args, "target");
  if (!text) return EXIT_DONE;
  const char* equals = strchr(text, '=');
  const size_t n = equals ? (size_t)(equals - text) : 0;
  if (n == 6 && memcmp(text, "energy", n) == 0) target->what = TARGET_ENERGY;
  if (n == 5 && memcmp(text, "error", n) == 0) target->what = TARGET_ERROR;
  if (target->what == TARGET_NONE ||
      !sar_text_to_double(equals + 1, strlen(equals + 1), &target->bound) || !(target->bound > 0) ||
      !isfinite(target->bound))
    return cli_usage_error(args->command,
                           "--target: expected energy=JOULES or error=NUMBER, found '%s'", text);
  return EXIT_DONE;
}

static int read_options(const CliArgs* args, Compare* c, CompareWanted* w) {
  static const char* const kinds[] = {"relative", "absolute", NULL};
  double repeat = REPEAT;
  c->limit = LIMIT;
  c->columns = cli_value(args, "columns");
  c->quiet = cli_value(args, "quiet") != NULL;
  if (!cli_names(args, "formulations", "all", "formulations", &w->formulations) ||
      !cli_names(args, "integrators", NULL, "integrators", &w->integrators) ||
      !cli_words(args, "coordinates", NULL, kinds, &w->coordinates) ||
      !cli_numbers(args, "steps", &c->steps) || !cli_numbers(args, "tolerances", &c->tolerances) ||
      !cli_positive(args, "end", &w->end) || !cli_positive(args, "output-step", &w->output_step) ||
      !cli_positive(args, "repeat", &repeat) || !cli_positive(args, "time-limit", &c->limit))
    return EXIT_USAGE;
  c->repeat = repeat < 1 ? 1 : repeat > 1000 ? 1000 : (int)repeat;
  if (cli_value(args, "target") && (c->steps.count || c->tolerances.count))
    return cli_usage_error(args->command,
                           "--target chooses the steps: leave out --steps and --tolerances");
  return read_target(args, &c->target);
}

// Neither steps nor tolerances given: what each integrator prefers.
static void fill_sizes(Compare* c) {
  static const double steps[] = {1e-2, 1e-3}, tolerances[] = {1e-4, 1e-6, 1e-8};
  if (c->steps.count > 0 || c->tolerances.count > 0) return;
  c->steps.count = 2;
  c->tolerances.count = 3;
  memcpy(c->steps.item, steps, sizeof steps);
  memcpy(c->tolerances.item, tolerances, sizeof tolerances);
}

// Fixed steps, error control or both, as far as the integrator can; at least one, so that it is
// said why not.
static void kinds_of(const Compare* c, const char* name, bool given, bool* fixed, bool* adaptive) {
  const SarIntegrator* i = sar_integrator_find(name);
  if (c->target.what != TARGET_NONE) {
    *fixed = i->can_fix;
    *adaptive = i->can_adapt;
    return;
  }
  if (!given) {
    *adaptive = i->adaptive_default;
    *fixed = !*adaptive;
    return;
  }
  const bool steps = c->steps.count > 0, tolerances = c->tolerances.count > 0;
  *fixed = steps && i->can_fix;
  *adaptive = tolerances && i->can_adapt;
  if (!*fixed && !*adaptive) *fixed = steps, *adaptive = !steps;
}

static int add_method(Compare* c, CompareMethod method) {
  if (c->methods == COMPARE_MAX_RUNS)
    return cli_usage_error(c->args->command, "more than %d methods", COMPARE_MAX_RUNS);
  c->method[c->methods++] = method;
  return EXIT_DONE;
}

// Formulations that make their steps themselves take an integrator of their own, unless some are
// named.
static const char* integrator_of(const Compare* c, const char* formulation, const char* name) {
  const SarFormulation* f = sar_formulation_find(formulation);
  const bool fits =
      !f || f->shape == SAR_SHAPE_ACCEL || sar_goes_with(f, sar_integrator_find(name));
  return fits || cli_value(c->args, "integrators") ? name : sar_usual_integrator(f->shape)->name;
}

static bool needs_absolute(const char* formulation) { return cli_needs_absolute(formulation); }

// Formulations that are named and need absolute coordinates get them, unless the coordinates are
// named too.
static bool is_added_later(const Compare* c, const CompareWanted* w, const SarModel* m) {
  return cli_value(c->args, "formulations") && w->coordinates.count == 0 && !m->absolute;
}

// only_absolute: of the formulations, those that need absolute coordinates.
static int add_methods(Compare* c, const CompareWanted* w, const SarModel* m, bool only_absolute,
                       bool given) {
  const char* coordinates = m->absolute ? "absolute" : "relative";
  for (int f = 0; f < w->formulations.count; f++)
    for (int i = 0; i < w->integrators.count; i++) {
      const bool absolute = needs_absolute(w->formulations.item[f]);
      if (only_absolute ? !absolute : absolute && is_added_later(c, w, m)) continue;
      CompareMethod method = {m, coordinates, w->formulations.item[f], w->integrators.item[i], 0};
      bool kind[2];
      method.integrator = integrator_of(c, method.formulation, method.integrator);
      kinds_of(c, method.integrator, given, &kind[0], &kind[1]);
      if (method.integrator != w->integrators.item[i]) kind[0] = true, kind[1] = false;
      for (int k = 0; k < 2; k++) {
        method.adaptive = k;
        if (kind[k] && add_method(c, method) != EXIT_DONE) return EXIT_USAGE;
      }
    }
  return EXIT_DONE;
}

// ---- running ------------------------------------------------------------------------------------

static void show(const Compare* c, const CompareMethod* method) {
  if (c->quiet || !isatty(STDERR_FILENO)) return;
  fprintf(stderr, "\r%*s\r  %s, %s, %s ...", 78, "", method->coordinates, method->formulation,
          method->integrator);
}

static void hide(const Compare* c) {
  if (!c->quiet && isatty(STDERR_FILENO)) fprintf(stderr, "\r%*s\r", 78, "");
}

static SarStatus run_method(Compare* c, const CompareMethod* method) {
  const CliNumbers* sizes = method->adaptive ? &c->tolerances : &c->steps;
  if (c->target.what != TARGET_NONE) {
    if (c->runs == COMPARE_MAX_RUNS) return SAR_OK;
    return compare_target(c, method, &c->run[c->runs++]);
  }
  for (int i = 0; i < sizes->count && c->runs < COMPARE_MAX_RUNS; i++) {
    CompareRun* run = &c->run[c->runs++];
    SAR_TRY(compare_run(c, method, sizes->item[i], c->repeat, run));
    if (run->verdict == COMPARE_NOT_OFFERED) break;
  }
  return SAR_OK;
}

// Good ones by their cost, then the others.
static int by_cost(const void* pa, const void* pb) {
  const CompareRun *a = pa, *b = pb;
  const bool bad_a = a->verdict > COMPARE_INACCURATE, bad_b = b->verdict > COMPARE_INACCURATE;
  if (bad_a != bad_b) return bad_a - bad_b;
  if (a->verdict != b->verdict && bad_a) return (int)a->verdict - (int)b->verdict;
  return (a->cost > b->cost) - (a->cost < b->cost);
}

static int run_all(Compare* c) {
  bool any = false, offered = false;
  for (int i = 0; i < c->methods; i++) {
    show(c, &c->method[i]);
    SarStatus st = run_method(c, &c->method[i]);
    hide(c);
    if (st != SAR_OK) return cli_exit_status(st);
  }
  if (c->target.what != TARGET_NONE) qsort(c->run, (size_t)c->runs, sizeof *c->run, by_cost);
  for (int i = 0; i < c->runs; i++) {
    any |= c->run[i].verdict < COMPARE_FAILED;
    offered |= c->run[i].verdict != COMPARE_NOT_OFFERED;
  }
  return any ? EXIT_DONE : offered ? EXIT_NUMERICS : EXIT_USAGE;
}

static int report(const Compare* c) {
  if (c->args->json)
    compare_print_json(c);
  else if (cli_value(c->args, "csv"))
    compare_print_csv(c);
  else
    compare_print_table(c);
  const char* picture = cli_value(c->args, "plot");
  if (!picture) return EXIT_DONE;
  SarError err;
  sar_error_init(&err);
  SarStatus st = compare_plot(c, picture, &err);
  cli_print_messages(&err);
  return cli_exit_status(st);
}

static int add_absolute(Compare* c, const CompareWanted* w, SarModel* m[2], bool given) {
  int status = EXIT_DONE;
  bool wanted = false;
  if (!is_added_later(c, w, m[0])) return EXIT_DONE;
  for (int f = 0; f < w->formulations.count; f++)
    wanted = wanted || needs_absolute(w->formulations.item[f]);
  if (!wanted) return EXIT_DONE;
  m[1] = cli_load_in(c->args, c->path, "absolute", &status);
  return m[1] ? add_methods(c, w, m[1], true, given) : status;
}

static int compare(Compare* c, SarModel* m[2]) {
  CompareWanted w = {.output_step = 0};
  const bool given = cli_value(c->args, "steps") || cli_value(c->args, "tolerances");
  int status = read_options(c->args, c, &w);
  if (status != EXIT_DONE) return status;
  fill_sizes(c);
  const int kinds = w.coordinates.count > 0 ? w.coordinates.count : 1;
  for (int k = 0; k < kinds && k < 2; k++) {
    m[k] = cli_load_in(c->args, c->path, w.coordinates.item[k], &status);
    if (!m[k]) return status;
    if (w.integrators.count == 0)
      w.integrators.item[w.integrators.count++] =
          m[0]->sim.integrator > 0 ? sar_text(m[0], m[0]->sim.integrator) : "dopri5";
    status = add_methods(c, &w, m[k], false, given);
    if (status != EXIT_DONE) return status;
  }
  status = add_absolute(c, &w, m, given);
  if (status != EXIT_DONE) return status;
  status = compare_find_reference(c, m[0], &w);
  if (status != EXIT_DONE) return status;
  status = run_all(c);
  int printed = c->runs > 0 ? report(c) : EXIT_DONE;
  return status != EXIT_DONE ? status : printed;
}

static int run_compare(const CliArgs* args) {
  SarModel* m[2] = {NULL, NULL};
  Compare* c = sar_alloc(sizeof *c);
  CompareRun* run = sar_alloc(COMPARE_MAX_RUNS * sizeof *run);
  int status = EXIT_INTERNAL;
  if (c && run) {
    c->args = args;
    c->path = args->operand[0];
    c->run = run;
    status = compare(c, m);
    sar_table_free(c->reference_table);
    sar_run_free(c->reference_run);
    sar_free(c->times);
    sar_free(c->some);
  }
  sar_free(run);
  sar_free(c);
  for (int k = 0; k < 2; k++) sar_model_free(m[k]);
  return status;
}

static const CliOption options[] = {
    {"formulations", 'f', "NAMES", "Formulations, a,b,c or all (default: all).", "formulations"},
    {"integrators", 'i', "NAMES", "Integrators, a,b,c or all (default: the model's).",
     "integrators"},
    {"steps", 's', "SECONDS", "Fixed steps, 1e-2,1e-3 (default with integrators of fixed steps).",
     NULL},
    {"tolerances", 't', "NUMBERS",
     "Tolerances of error control, rtol and atol alike (default 1e-4,1e-6,1e-8).", NULL},
    {"coordinates", 0, "KINDS", "relative, absolute or all (default: the model's).", NULL},
    {"target", 0, "WHAT=BOUND",
     "Choose for every method the largest step or tolerance with energy=JOULES or error=NUMBER, "
     "and rank by cost.",
     NULL},
    {"reference", 'r', "auto|FILE|none",
     "What to judge by: a run at tight tolerance (auto, the default) or the columns of a result "
     "file.",
     "file"},
    {"reference-integrator", 0, "NAME",
     "Integrator of that run at tight tolerance (default dopri5); ida is an independent opinion.",
     "integrators"},
    {"columns", 'c', "PATTERNS", "Columns that count in the error, with * and ?.", NULL},
    {"end", 'e', "SECONDS", "Time to simulate.", NULL},
    {"output-step", 0, "SECONDS", "Time between two rows that are compared.", NULL},
    {"repeat", 0, "N", "Runs for the least CPU time (default 3).", NULL},
    {"time-limit", 0, "SECONDS", "CPU time that a run may take (default 60).", NULL},
    {"csv", 0, NULL, "Print the table as CSV.", NULL},
    {"plot", 'p', "FILE", "Draw cost over error into FILE.png or FILE.svg.", "file"},
    CLI_SET,
    CLI_PATH,
    {"quiet", 'q', NULL, "No progress on the terminal.", NULL},
    {0}};

const CliCommand cli_command_compare = {
    .name = "compare",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Run a model by several methods and compare error and cost.",
    .text =
        "Runs MODEL with every formulation, integrator, step or tolerance asked for and prints one "
        "table: the error against a reference, in units of the column's scale; the energy that is "
        "not accounted for; CPU time per simulated second; steps, evaluations, iterations; how far "
        "the constraints drift in a step; and a verdict.\n\nThe reference is a run at tight "
        "tolerance, whose own uncertainty is stated, or a file. A run that keeps its energy and "
        "yet leaves the reference at once went another way at a singular position: wrong branch.",
    .examples =
        "sarrus compare arm.yaml\tevery formulation\n"
        "sarrus compare arm.yaml -i rk4,dopri5 --steps 1e-2,1e-3 --plot cost.png\ttwo "
        "integrators, with a picture\n"
        "sarrus compare arm.yaml --target energy=1e-3\tthe cheapest way to keep the energy\n"
        "sarrus compare arm.yaml -r measured.csv -c 'tip.*'\tagainst a file",
    .options = options,
    .run = run_compare,
};
