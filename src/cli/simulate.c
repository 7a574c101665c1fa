// One run for the command line.
#include "cli/simulate.h"
#include "cli/files.h"
#include "cli/interrupt.h"

#include "base/budget.h"
#include "base/alloc.h"
#include "base/text.h"
#include "model/model.h"
#include "output/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 40 };

typedef struct Sinks {
  SarWriter* writer;
  SarTable* table;
  SarContactWriter* contacts;
  int shown;  // length of the bar on the screen, -1: no bar
} Sinks;

// From the first row on there is something to keep; before it, a signal ends the program at once.
static SarStatus on_frame(void* context, const double* values) {
  Sinks* s = context;
  cli_watch_signals();
  if (s->writer) {
    SarStatus st = sar_writer_row(s->writer, values);
    if (st != SAR_OK) return st;
  }
  return s->table ? sar_table_add(s->table, values) : SAR_OK;
}

static SarStatus on_state(void* context, const SarData* d) {
  Sinks* s = context;
  return s->contacts ? sar_contacts_write(s->contacts, d) : SAR_OK;
}

static void on_progress(void* context, double fraction) {
  Sinks* s = context;
  int length = (int)(fraction * BAR_WIDTH);
  if (s->shown < 0 || length == s->shown) return;
  s->shown = length;
  fprintf(stderr, "\r  [%.*s%*s] %3d %%", length, "########################################",
          BAR_WIDTH - length, "", (int)(100 * fraction));
}

static void clear_bar(const Sinks* s) {
  if (s->shown > 0) fprintf(stderr, "\r%*s\r", BAR_WIDTH + 12, "");
}

static bool on_stop(void* context) {
  (void)context;
  return cli_interrupted();
}

static void on_stepping(void* context, bool now) {
  (void)context;
  cli_may_leave(now);
}

// A step that takes too long after a signal is left: what is in memory of it is not looked at any more.
static SarStatus run_or_leave(const SarModel* m, const SarRunOptions* run, const SarRunHooks* hooks,
                              SarRunReport* report, SarError* err) {
  if (sigsetjmp(*cli_leave_point(), 1) == 0) return sar_run(m, run, hooks, report, err);
  if (run->save)
    sar_report(err, (SarLoc){.file = run->save}, "the results end with the last row",
               "the state is not saved: the signal came within a long step");
  return SAR_OK;
}

enum { MAX_ITERATIONS = 100000 };

int simulate_options(const CliArgs* args, SimulateJob* job) {
  job->args = args;
  job->run.sim = cli_value(args, "reference") ? sar_reference_options() : sar_sim_options();
  if (cli_value(args, "formulation")) job->run.sim.formulation = cli_value(args, "formulation");
  if (cli_value(args, "integrator")) job->run.sim.integrator = cli_value(args, "integrator");
  job->quiet = cli_value(args, "quiet") != NULL;
  if (cli_value(args, "fixed")) job->run.sim.adaptive = 0;
  if (cli_value(args, "adaptive")) job->run.sim.adaptive = 1;
  if (cli_value(args, "no-project")) job->run.sim.project = 0;
  if (cli_value(args, "fixed") && cli_value(args, "adaptive"))
    return cli_usage_error(args->command, "--fixed and --adaptive exclude each other");
  if (cli_value(args, "reselect")) job->run.sim.reselect = 1;
  double digits = job->digits, iterations = job->run.sim.max_iterations;
  if (!cli_positive(args, "step", &job->run.sim.step) ||
      !cli_positive(args, "end", &job->run.end) ||
      !cli_positive(args, "output-step", &job->run.output_step) ||
      !cli_positive(args, "rtol", &job->run.sim.rtol) ||
      !cli_positive(args, "atol", &job->run.sim.atol) ||
      !cli_positive(args, "max-step", &job->run.sim.max_step) ||
      !cli_positive(args, "newton-tolerance", &job->run.sim.newton_tolerance) ||
      !cli_positive(args, "penalty", &job->run.sim.penalty) ||
      !cli_positive(args, "alpha", &job->run.sim.alpha) ||
      !cli_positive(args, "beta", &job->run.sim.beta) ||
      !cli_positive(args, "rho", &job->run.sim.rho) ||
      !cli_positive(args, "omega", &job->run.sim.omega) ||
      !cli_positive(args, "zeta", &job->run.sim.zeta) ||
      !cli_positive(args, "max-iterations", &iterations) ||
      !cli_positive(args, "impulse-tolerance", &job->run.sim.impulse_tolerance) ||
      !cli_positive(args, "budget", &job->run.sim.budget) ||
      !cli_number(args, "spectral-radius", &job->run.sim.spectral_radius) ||
      !cli_positive(args, "digits", &digits))
    return EXIT_USAGE;
  if (cli_value(args, "spectral-radius") && !(job->run.sim.spectral_radius >= 0))
    return cli_usage_error(args->command, "--spectral-radius: expected a number from 0 to 1");
  if (!(iterations <= MAX_ITERATIONS) || iterations != floor(iterations))
    return cli_usage_error(args->command, "--max-iterations: expected a whole number up to %d",
                           MAX_ITERATIONS);
  job->run.sim.max_iterations = (int)iterations;
  job->digits = (int)digits;
  if (digits > 17 || job->digits != digits)
    return cli_usage_error(args->command, "--digits: expected a whole number from 1 to 17");
  return EXIT_DONE;
}

const char** simulate_columns(const SarModel* m, int* count) {
  int n = sar_model_count(m, SAR_ITEM_OUTPUT);
  const char** names = sar_alloc(sizeof *names * (size_t)(n + 1));
  if (!names) return NULL;
  names[0] = "time";
  for (int i = 0; i < n; i++) names[i + 1] = sar_model_name(m, SAR_ITEM_OUTPUT, i);
  *count = n + 1;
  return names;
}

int simulate(const SarModel* m, const SimulateJob* job, SarRunReport* report) {
  SarError err;
  sar_error_init(&err);
  int columns = 0;
  const char** names = simulate_columns(m, &columns);
  CliOutput rows = {0}, points = {0}, state = {0};
  SarRunOptions run = job->run;
  Sinks sinks = {.table = job->table, .shown = !job->quiet && isatty(STDERR_FILENO) ? 0 : -1};
  SarStatus st = names ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK && job->table) st = sar_table_init(job->table, names, columns);
  if (st == SAR_OK && job->table) job->table->limit = m->memory_limit;
  // the state at the end may take the place of the one that the run began with, results may not
  if (st == SAR_OK && run.save) {
    st = cli_output_begin(job->args, run.save, &state, &err);
    run.save = cli_output_path(&state);
  }
  if (run.resume) cli_input(NULL, run.resume);
  if (st == SAR_OK && job->out) st = cli_output_begin(job->args, job->out, &rows, &err);
  if (st == SAR_OK && job->out)
    st = sar_writer_open(cli_output_path(&rows), names, columns, job->digits, job->path,
                         &sinks.writer, &err);
  if (st == SAR_OK && job->contacts) st = cli_output_begin(job->args, job->contacts, &points, &err);
  if (st == SAR_OK && job->contacts)
    st = sar_contacts_open(cli_output_path(&points), job->digits, &sinks.contacts, &err);
  if (st == SAR_OK) {
    SarRunHooks hooks = {.context = &sinks,
                         .frame = on_frame,
                         .state = on_state,
                         .progress = on_progress,
                         .stop = on_stop,
                         .stepping = on_stepping};
    st = run_or_leave(m, &run, &hooks, report, &err);
  }
  clear_bar(&sinks);
  if (st == SAR_OVER_LIMIT && err.errors == 0)
    sar_over_limit(&err, (SarLoc){.file = job->path}, m->memory_limit, "keeping the rows");
  SarStatus closed = sar_writer_close(sinks.writer, &err);
  if (st == SAR_OK) st = closed;
  closed = sar_contacts_close(sinks.contacts, &err);
  if (st == SAR_OK) st = closed;
  st = cli_output_end(&points, cli_output_end(&rows, st, &err), &err);
  st = cli_output_end(&state, st, &err);
  sar_free((void*)names);
  if (!report->formulation) {  // the run did not begin: there will be no other report
    cli_report(job->args, job->path, st, &err);
    return cli_exit_status(st);
  }
  cli_print_messages(&err);
  if (report->trouble[0])
    fprintf(stderr, "sarrus: %s: %s\n", cli_shown(job->path), report->trouble);
  return cli_exit_status(st);
}
