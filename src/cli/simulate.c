// One run for the command line.
#include "cli/simulate.h"
#include "cli/files.h"
#include "cli/interrupt.h"

#include "output/contacts.h"
#include "output/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 40 };

typedef struct Files {
  CliOutput rows, points, state;
} Files;

typedef struct Sinks {
  const SarModel* m;
  const SimulateJob* job;
  Files files;
  SarError* err;
  SarWriter* writer;
  SarContactWriter* contacts;
  SarStatus opened;  // whether these two could be, when there was a first row for them
  int shown;         // length of the bar on the screen, -1: no bar
} Sinks;

// ---- results ------------------------------------------------------------------------------------

// "time" and the model's output columns, for sar_free; NULL: no memory.
static const char** columns_of(const SarModel* m, int* count) {
  int n = sar_model_count(m, SAR_ITEM_OUTPUT);
  const char** names = sar_alloc(sizeof *names * (size_t)(n + 1));
  if (!names) return NULL;
  names[0] = "time";
  for (int i = 0; i < n; i++) names[i + 1] = sar_model_name(m, SAR_ITEM_OUTPUT, i);
  *count = n + 1;
  return names;
}

static SarStatus open_rows(Sinks* s) {
  int columns = 0;
  const char** names = columns_of(s->m, &columns);
  if (!names) return SAR_NO_MEMORY;
  const SarStatus st = sar_writer_open(cli_output_path(&s->files.rows), names, columns,
                                       s->job->digits, s->job->path, &s->writer, s->err);
  sar_free((void*)names);
  return st;
}

// From the first row on there is something to keep; before it, a signal ends the program at once,
// and a file of results that is there already stays: a run that cannot begin takes nothing away.
static SarStatus on_row(void* context, const double* values, int count) {
  Sinks* s = context;
  (void)count;
  cli_watch_signals();
  if (s->job->out && !s->writer) SAR_TRY(s->opened = open_rows(s));
  return s->writer ? sar_writer_row(s->writer, values) : SAR_OK;
}

static SarStatus on_state(void* context, const SarData* d) {
  Sinks* s = context;
  if (!s->job->contacts) return SAR_OK;
  if (!s->contacts) {
    const char* path = cli_output_path(&s->files.points);
    SAR_TRY(s->opened = sar_contacts_open(path, s->job->digits, &s->contacts, s->err));
  }
  return sar_contacts_write(s->contacts, d);
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

// A step that takes too long after a signal is left: what is in memory of it is not looked at any
// more.
static SarStatus run_or_leave(const SarModel* m, const SarRunOptions* run, SarRun** out,
                              SarError* err) {
  if (sigsetjmp(*cli_leave_point(), 1) == 0) return sar_run(m, run, out, err);
  if (run->save)
    sar_report(err, (SarLoc){.file = run->save}, "the results end with the last row",
               "the state is not saved: the signal came within a long step");
  return SAR_OK;
}

enum { MAX_ITERATIONS = 100000 };

int simulate_options(const CliArgs* args, SimulateJob* job) {
  job->args = args;
  job->run = sar_run_options();
  job->run.keep_rows = false;
  job->sim = cli_value(args, "reference") ? sar_reference_options() : sar_sim_options();
  if (cli_value(args, "formulation")) job->sim.formulation = cli_value(args, "formulation");
  if (cli_value(args, "integrator")) job->sim.integrator = cli_value(args, "integrator");
  job->quiet = cli_value(args, "quiet") != NULL;
  if (cli_value(args, "fixed")) job->sim.adaptive = 0;
  if (cli_value(args, "adaptive")) job->sim.adaptive = 1;
  if (cli_value(args, "no-project")) job->sim.project = 0;
  if (cli_value(args, "fixed") && cli_value(args, "adaptive"))
    return cli_usage_error(args->command, "--fixed and --adaptive exclude each other");
  if (cli_value(args, "kinematics")) job->sim.kinematics = cli_value(args, "kinematics");
  if (cli_value(args, "reselect")) job->sim.reselect = 1;
  double digits = job->digits, iterations = job->sim.max_iterations;
  if (!cli_positive(args, "step", &job->sim.step) || !cli_positive(args, "end", &job->run.end) ||
      !cli_positive(args, "output-step", &job->run.output_step) ||
      !cli_positive(args, "rtol", &job->sim.rtol) || !cli_positive(args, "atol", &job->sim.atol) ||
      !cli_positive(args, "max-step", &job->sim.max_step) ||
      !cli_positive(args, "newton-tolerance", &job->sim.newton_tolerance) ||
      !cli_positive(args, "penalty", &job->sim.penalty) ||
      !cli_positive(args, "alpha", &job->sim.alpha) ||
      !cli_positive(args, "beta", &job->sim.beta) || !cli_positive(args, "rho", &job->sim.rho) ||
      !cli_positive(args, "omega", &job->sim.omega) ||
      !cli_positive(args, "zeta", &job->sim.zeta) ||
      !cli_positive(args, "max-iterations", &iterations) ||
      !cli_positive(args, "impulse-tolerance", &job->sim.impulse_tolerance) ||
      !cli_positive(args, "budget", &job->sim.budget) ||
      !cli_number(args, "spectral-radius", &job->sim.spectral_radius) ||
      !cli_positive(args, "digits", &digits))
    return EXIT_USAGE;
  if (cli_value(args, "spectral-radius") && !(job->sim.spectral_radius >= 0))
    return cli_usage_error(args->command, "--spectral-radius: expected a number from 0 to 1");
  if (!(iterations <= MAX_ITERATIONS) || iterations != floor(iterations))
    return cli_usage_error(args->command, "--max-iterations: expected a whole number up to %d",
                           MAX_ITERATIONS);
  job->sim.max_iterations = (int)iterations;
  job->digits = (int)digits;
  if (digits > 17 || job->digits != digits)
    return cli_usage_error(args->command, "--digits: expected a whole number from 1 to 17");
  return EXIT_DONE;
}

static SarStatus begin_files(const SimulateJob* job, Files* files, SarRunOptions* run,
                             SarError* err) {
  // the state at the end may take the place of the one that the run began with, results may not
  if (run->save) {
    SAR_TRY(cli_output_begin(job->args, run->save, &files->state, err));
    SAR_TRY(cli_output_folder(&files->state, err));  // rather now than at the end of a long run
    run->save = cli_output_path(&files->state);
  }
  if (run->resume) cli_input(NULL, run->resume);
  if (job->out) SAR_TRY(cli_output_begin(job->args, job->out, &files->rows, err));
  if (!job->contacts) return SAR_OK;
  return cli_output_begin(job->args, job->contacts, &files->points, err);
}

static SarStatus close_files(SarStatus st, Sinks* sinks, SarError* err) {
  Files* files = &sinks->files;
  SarStatus closed = sar_writer_close(sinks->writer, err);
  if (st == SAR_OK) st = closed;
  closed = sar_contacts_close(sinks->contacts, err);
  if (st == SAR_OK) st = closed;
  st = cli_output_end(&files->points, cli_output_end(&files->rows, st, err), err);
  return cli_output_end(&files->state, st, err);
}

void simulate_reference_steps(SarSimOptions* sim, double step) {
  *sim = sar_sim_options();
  sim->formulation = "impulse";
  sim->adaptive = SAR_STEPS_FIXED;
  sim->step = step;
}

static SarSimOptions options_for(const SarModel* m, const SimulateJob* job) {
  SarSimOptions sim = job->sim;
  SarModelInfo info;
  sar_model_info(m, &info);
  if (info.contact && cli_value(job->args, "reference")) {
    const double step = sim.step > 0 ? sim.step : info.step > 0 ? info.step : 1e-3;
    simulate_reference_steps(&sim, step / SIMULATE_REFERENCE_SHARE);
  }
  return sim;
}

int simulate(const SarModel* m, const SimulateJob* job, SarRun** out) {
  SarError err;
  sar_error_init(&err);
  Sinks sinks = {.m = m, .job = job, .err = &err};
  sinks.shown = !job->quiet && isatty(STDERR_FILENO) ? 0 : -1;
  SarRunOptions run = job->run;
  const SarSimOptions sim = options_for(m, job);
  run.sim = &sim;
  run.context = &sinks;
  run.on_row = on_row;
  run.on_state = on_state;
  run.on_progress = on_progress;
  run.should_stop = on_stop;
  run.on_stepping = on_stepping;
  *out = NULL;
  SarStatus st = begin_files(job, &sinks.files, &run, &err);
  if (st == SAR_OK) st = run_or_leave(m, &run, out, &err);
  clear_bar(&sinks);
  st = close_files(st, &sinks, &err);
  if (sinks.opened != SAR_OK) {
    sar_run_free(*out);
    *out = NULL;
  }
  if (!*out) {  // the run did not begin: there will be no other report
    cli_report(job->args, job->path, st, &err);
    return cli_exit_status(st);
  }
  cli_print_messages(&err);
  const char* trouble = sar_run_report(*out)->trouble;
  if (trouble[0]) fprintf(stderr, "sarrus: %s: %s\n", cli_shown(job->path), trouble);
  return cli_exit_status(st);
}
