// sarrus sweep: one model with many values of its parameters, on all processors.
#include "cli/sweep.h"

#include "cli/interrupt.h"
#include "base/pool.h"
#include "output/difference.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <math.h>
#include <string.h>

enum { MOST_THREADS = 1024, SHOWN_COLUMNS = 12 };

// ---- set-up -------------------------------------------------------------------------------------

// The model with one value of one axis; NULL: there is none.
static SarModel* load_with(const Sweep* s, const SweepAxis* a, int at, bool quiet) {
  int status;
  const char* formulation = cli_value(s->args, "formulation");
  const char* coordinates = cli_value(s->args, "coordinates");
  if (!coordinates && formulation && cli_needs_absolute(formulation)) coordinates = "absolute";
  const SarParameter value = {a->name, a->value[at]};
  const CliLoad how = {
      .coordinates = coordinates, .parameters = &value, .parameter_count = 1, .quiet = quiet};
  return cli_load_as(s->args, s->job.path, &how, &status);
}

// Is there such a parameter, and does it leave the topology alone? Asked with values at the ends
// and between: single bad values are the business of their instances.
static bool axis_fits(const Sweep* s, const SweepAxis* a) {
  const int at[3] = {0, a->count / 2, a->count - 1};
  bool loads = false;
  for (int i = 0; i < 3; i++) {
    SarModel* m = load_with(s, a, at[i], true);
    const bool like = !m || sar_model_is_like(s->base, m);
    loads = loads || m;
    sar_model_free(m);
    if (like) continue;
    cli_usage_error(s->args->command,
                    "--%s: parameter '%s' changes the topology of the model (at %.6g); sweep one "
                    "that changes numbers only, or give this one by --set",
                    a->option, a->name, a->value[at[i]]);
    return false;
  }
  if (!loads) sar_model_free(load_with(s, a, 0, false));  // says why
  return loads;
}

static bool choose_columns(Sweep* s) {
  const char* patterns = cli_value(s->args, "columns");
  const int n = sar_model_count(s->base, SAR_ITEM_OUTPUT);
  s->column = sar_alloc((size_t)(n + 1) * sizeof *s->column);
  s->range = sar_alloc((size_t)(n + 1) * sizeof *s->range);
  if (!s->column || !s->range) {
    cli_say_status("sarrus sweep", s->job.path, SAR_NO_MEMORY);
    return false;
  }
  for (int i = 0; i < n; i++) {
    s->range[i] = (SweepRange){.low_at = -1, .high_at = -1};
    const char* name = sar_model_name(s->base, SAR_ITEM_OUTPUT, i);
    if (s->generated && sweep_is_account(name)) continue;
    if (!patterns || sar_name_matches(patterns, name)) s->column[s->columns++] = i;
  }
  if (s->columns > 0 || n == 0) return true;
  cli_usage_error(s->args->command, "--columns: no output of the model%s matches '%s'",
                  s->generated ? " that generated code has" : "", patterns);
  return false;
}

enum { MOST_PROCESSES = 1024 };

static int read_team(Sweep* s) {
  const CliArgs* args = s->args;
  SweepTeam* team = &s->team;
  double processes = 0;
  team->journal = cli_value(args, "journal");
  if (!cli_positive(args, "processes", &processes)) return EXIT_USAGE;
  if (processes != floor(processes) || processes > MOST_PROCESSES)
    return cli_usage_error(args->command, "--processes: expected a whole number from 1 to %d",
                           MOST_PROCESSES);
  team->processes = (int)processes;
  if (team->processes && s->threads)
    return cli_usage_error(args->command, "--threads and --processes exclude each other");
  if (team->mpi && (team->processes || s->threads))
    return cli_usage_error(args->command,
                           "--threads and --processes: the workers are the ranks of the MPI job; "
                           "start more of them");
  if (sweep_has_team(s) && !team->processes && !s->threads) s->threads = sar_processors();
  return sweep_plan(args, &s->plan);
}

static int read_options(Sweep* s) {
  const CliArgs* args = s->args;
  double threads = 0;
  s->job = (SimulateJob){.path = args->operand[0], .out = cli_value(args, "out"), .digits = 12};
  const int status = simulate_options(args, &s->job);
  if (status != EXIT_DONE) return status;
  s->rows = cli_value(args, "rows") != NULL;
  s->generated = cli_value(args, "generated") != NULL;
  if (!cli_positive(args, "threads", &threads)) return EXIT_USAGE;
  if (threads != floor(threads) || threads > MOST_THREADS)
    return cli_usage_error(args->command, "--threads: expected a whole number from 1 to %d",
                           MOST_THREADS);
  s->threads = (int)threads;
  if (s->rows && !s->job.out)
    return cli_usage_error(args->command, "--rows goes with --out: where to?");
  return read_team(s);
}

// ---- report -------------------------------------------------------------------------------------

static const char* status_word(const Sweep* s) {
  return s->stopped ? "stopped" : s->failed ? "done, but for failed instances" : "done";
}

static void print_ranges(const Sweep* s) {
  if (s->done == s->failed) return;
  printf("  %-24s %14s %10s %14s %10s\n", "at the end", "least", "instance", "most", "instance");
  for (int i = 0; i < s->columns && i < SHOWN_COLUMNS; i++) {
    const SweepRange* r = &s->range[i];
    printf("  %-24s %14.6g %10d %14.6g %10d\n",
           sar_model_name(s->base, SAR_ITEM_OUTPUT, s->column[i]), r->low, r->low_at, r->high,
           r->high_at);
  }
  if (s->columns > SHOWN_COLUMNS)
    printf("  and %d more columns: choose with --columns\n", s->columns - SHOWN_COLUMNS);
}

static void print_team(const Sweep* s) {
  const SweepTeam* t = &s->team;
  if (t->resumed) printf("  taken over   %d from the journal\n", t->resumed);
  if (t->workers && (t->processes || t->mpi))
    printf("  workers      %d %s; %.3g s of CPU time, and %.3g s of the master\n", t->workers,
           t->mpi ? cli_plural(t->workers, "rank", "ranks")
                  : cli_plural(t->workers, "process", "processes"),
           t->worker_cpu_s, t->master_cpu_s);
  if (t->lost)
    printf("  lost         %d %s; their instances were run again\n", t->lost,
           cli_plural(t->lost, "worker", "workers"));
}

static void print_text(const Sweep* s) {
  printf("%s: %s\n", cli_shown(s->job.path), status_word(s));
  printf("  instances    %d of %d", s->done, s->plan.instances);
  if (s->failed) printf(", %d failed", s->failed);
  if (s->team.processes || s->team.mpi)
    printf("\n  time         %.3g s\n", s->wall_s);
  else
    printf("\n  time         %.3g s with %d thread%s\n", s->wall_s, s->threads,
           s->threads == 1 ? "" : "s");
  print_team(s);
  if (s->lanes > 0)
    printf("  generated    %d at a time; instance 0 is within %.1e of the interpreter's\n",
           s->lanes, s->apart);
  else if (s->generated)
    printf("  generated    no: %s\n", s->why);
  print_ranges(s);
  if (s->job.out) printf("  results      %s\n", cli_shown(s->job.out));
  if (s->stopped && s->team.journal)
    printf("  journal      %s: the same command goes on\n", cli_shown(s->team.journal));
}

static void print_json(const Sweep* s, int status) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", s->job.path);
  sar_json_integer(&j, "instances", s->plan.instances);
  sar_json_integer(&j, "done", s->done);
  sar_json_integer(&j, "failed", s->failed);
  sar_json_integer(&j, "threads", s->threads);
  sar_json_integer(&j, "seed", (long)s->plan.seed);
  if (s->generated) {
    sar_json_integer(&j, "lanes", s->lanes);
    if (s->lanes > 0)
      sar_json_number(&j, "apart", s->apart);
    else
      sar_json_text(&j, "interpreted", s->why);
  }
  sar_json_number(&j, "wall_s", s->wall_s);
  if (sweep_has_team(s)) {
    sar_json_integer(&j, "taken_over", s->team.resumed);
    sar_json_integer(&j, "workers", s->team.workers);
    sar_json_integer(&j, "workers_lost", s->team.lost);
    sar_json_number(&j, "worker_cpu_s", s->team.worker_cpu_s);
    sar_json_number(&j, "worker_wait_s", s->team.wait_s);
    sar_json_number(&j, "master_cpu_s", s->team.master_cpu_s);
  }
  sar_json_open(&j, "failures", '[');
  for (int i = 0; i < s->failed && i < SWEEP_SHOWN_FAILURES; i++) {
    sar_json_open(&j, NULL, '{');
    sar_json_integer(&j, "instance", s->failure[i]);
    sar_json_text(&j, "trouble", s->trouble[i]);
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_text(&j, "out", s->job.out);
  sar_json_text(&j, "status", status_word(s));
  sar_json_integer(&j, "exit_status", status);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// Models and simulations come and go by the thousand: what is given back stays with the process, or
// every instance would ask the kernel for fresh pages (a fifth of the time of short runs).
static void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
}

static int run_command(const CliArgs* args) {
  static Sweep sweep;  // large
  Sweep* s = &sweep;
  s->args = args;
  keep_memory();
  const int rank = sweep_find_ranks(s);
  int status = read_options(s);
  if (status == EXIT_DONE) s->base = cli_load(args, s->job.path, &status);
  for (int i = 0; s->base && i < s->plan.axes; i++)
    if (!axis_fits(s, &s->plan.axis[i])) status = EXIT_USAGE;
  if (status == EXIT_DONE && !choose_columns(s)) status = EXIT_USAGE;
  if (rank > 0) {
    status = sweep_serve(s, status);
  } else if (status == EXIT_DONE) {
    status = sweep_has_team(s) ? sweep_run_team(s) : sweep_run(s);
    if (args->json)
      print_json(s, status);
    else if (s->done || status == EXIT_DONE)
      print_text(s);
    cli_pass_on_signal();
  }
  sar_model_free(s->base);
  sar_free(s->column);
  sar_free(s->range);
  sweep_plan_free(&s->plan);
  return status;
}

static const CliOption options[] = {
    {"vary", 0, "NAME=VALUES",
     "A parameter and its values: FROM:TO:COUNT (FROM:TO:COUNT:log), A,B,... or a column of "
     "FILE.csv; may be repeated, which gives the grid of all combinations.",
     NULL},
    {"random", 0, "NAME~LAW",
     "A parameter with random values: N(MEAN,DEVIATION)xCOUNT or U(FROM,TO)xCOUNT; several are "
     "drawn together, each point of the grid gets all COUNT samples.",
     NULL},
    {"seed", 0, "N", "Which random values (default 1).", NULL},
    {"out", 'o', "FILE", "Write a row for every instance to FILE.csv or FILE.h5.", "file"},
    {"rows", 0, NULL, "Rows over time, at the output times, instead of the last alone.", NULL},
    {"columns", 'c', "PATTERNS", "Outputs to keep, comma-separated, with * and ?.", NULL},
    {"failures", 0, "FILE", "List instances that failed in FILE.csv, with their messages.", "file"},
    {"journal", 0, "FILE",
     "Keep every finished instance in FILE; if it is there, go on where it ends. Removed by "
     "nobody.",
     "file"},
    {"processes", 0, "N",
     "Worker processes instead of threads: one that dies is replaced, and its instances are run "
     "again.",
     NULL},
    {"threads", 0, "N", "Threads that share the instances (default: all processors).", NULL},
    {"generated", 0, NULL,
     "Fixed steps by generated code that is compiled once, several instances at a time in vector "
     "lanes; agrees with 'run' to rounding. Without columns of work.",
     NULL},
    CLI_METHOD,
    {"end", 'e', "SECONDS", "Time to simulate.", NULL},
    {"output-step", 0, "SECONDS", "Time between two rows.", NULL},
    {"digits", 0, "N", "Significant digits in a CSV file, 1 to 17 (default 12).", NULL},
    CLI_TOLERANCES,
    {"set", 0, "NAME=VALUE", "Set a parameter of all instances; may be repeated.", NULL},
    CLI_COORDINATES,
    CLI_PATH,
    {"quiet", 'q', NULL, "No progress bar.", NULL},
    {0}};

const CliCommand cli_command_sweep = {
    .name = "sweep",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Simulate a model with many values of its parameters.",
    .text =
        "Runs MODEL once for every combination of the values that --vary and --random give to its "
        "parameters, on all processors. Each instance gives what 'sarrus run --set ...' gives with "
        "its values. Rows have the number of the instance, its parameters, its exit status, the "
        "time and the outputs, in the order of the instances, whatever the number of threads. An "
        "instance that fails is reported and has a row without outputs; the others go on (exit "
        "status 4 then). Interrupted, the command keeps the instances that were finished; with "
        "--journal the same command goes on after them, also after it was killed. In an MPI job "
        "(mpirun -n N sarrus sweep ...) the ranks share the instances.",
    .examples =
        "sarrus sweep car.yaml --vary 'k=1e4:5e4:20' --out sweep.csv\t20 stiffnesses\n"
        "sarrus sweep car.yaml --vary 'k=1e4:5e4:20' --vary 'm=list.csv' --out sweep.h5\ta grid\n"
        "sarrus sweep car.yaml --random 'mu~N(0.8,0.1)x1000' --seed 7 --out mc.csv\tMonte Carlo\n"
        "mpirun -n 64 sarrus sweep car.yaml --vary 'k=1e4:5e4:100000' --journal k.journal --out "
        "k.h5\ton a cluster; started again, it goes on\n"
        "sarrus plot sweep.csv -x k -c '*.q'\tan output over the parameter",
    .options = options,
    .run = run_command,
};
