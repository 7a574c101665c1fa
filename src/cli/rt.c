// sarrus rt: a run that keeps the clock.
#define _GNU_SOURCE  // sigtimedwait
#include "cli/rt.h"

#include "cli/couple.h"
#include "cli/files.h"
#include "cli/simulate.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>

enum { MOST_PORTS = 4 };

typedef struct Job {
  const CliArgs* args;
  const char* path;
  SimulateJob method;  // its options of steps and method
  SarRtOptions o;
  SarRtPort port[MOST_PORTS];
  SarSimOptions rung[SAR_RT_MAX_RUNGS - 1];
  CliOutput record, plot;
  sigset_t signals;  // that wait for `watch`
  double stolen;     // when the run began [s]
} Job;

// ---- options ------------------------------------------------------------------------------------

// The place of a word among those that are known; -1 after a message. NULL: the first.
static int word_of(const CliArgs* args, const char* option, const char* const* known) {
  CliNames names;
  const char* value = cli_value(args, option);
  if (!value) return 0;
  if (!cli_words(args, option, NULL, known, &names)) return -1;
  for (int k = 0; names.count == 1 && known[k]; k++)
    if (strcmp(known[k], names.item[0]) == 0) return k;
  cli_usage_error(args->command, "--%s: expected one word", option);
  return -1;
}

static bool whole(const CliArgs* args, const char* option, double least, double most, int* out) {
  double x = *out;
  if (!cli_value(args, option)) return true;
  if (!cli_number(args, option, &x)) return false;
  if (x == floor(x) && x >= least && x <= most) {
    *out = (int)x;
    return true;
  }
  cli_usage_error(args->command, "--%s: expected a whole number from %g to %g", option, least,
                  most);
  return false;
}

static void add_port(Job* job, const char* option, const char* kind) {
  const char* address = cli_value(job->args, option);
  if (address) job->port[job->o.port_count++] = (SarRtPort){kind, address};
}

static bool read_numbers(Job* job) {
  const CliArgs* args = job->args;
  SarRtOptions* o = &job->o;
  return cli_positive(args, "rate", &o->rate) && cli_positive(args, "calm", &o->calm) &&
         cli_positive(args, "behind", &o->behind) && cli_positive(args, "share", &o->share) &&
         whole(args, "priority", 1, 99, &o->priority) && whole(args, "core", 0, 4095, &o->core) &&
         whole(args, "digits", 1, 17, &o->digits) &&
         whole(args, "record-every", 1, 1e9, &o->record_every);
}

// In the order of the enumerations.
static bool read_words(Job* job) {
  static const char* const policies[] = {"skip", "slip", "stop", "degrade", "catch-up", NULL};
  static const char* const schedulers[] = {"none", "fifo", "deadline", NULL};
  const int policy = word_of(job->args, "policy", policies);
  const int scheduler = word_of(job->args, "scheduler", schedulers);
  if (policy < 0 || scheduler < 0) return false;
  job->o.policy = (SarRtPolicy)policy;
  if (cli_value(job->args, "scheduler")) job->o.scheduling = (SarRtScheduling)scheduler;
  return true;
}

static int read_options(Job* job) {
  const CliArgs* args = job->args;
  SarRtOptions* o = &job->o;
  const int status = simulate_options(args, &job->method);
  if (status != EXIT_DONE) return status;
  *o = sar_rt_options();
  if (!read_numbers(job) || !read_words(job)) return EXIT_USAGE;
  o->sim = &job->method.sim;
  o->end = cli_value(args, "forever") ? (double)INFINITY : job->method.run.end;
  if (cli_value(args, "forever") && cli_value(args, "end"))
    return cli_usage_error(args->command, "--forever and --end exclude each other");
  o->lock_memory = !cli_value(args, "no-lock");
  o->model = job->path;
  o->ports = job->port;
  add_port(job, "inputs", "file");
  add_port(job, "shm", "shm");
  add_port(job, "udp", "udp");
  add_port(job, "watch", "watch");
  o->ladder = job->rung;
  if (!rt_ladder(args, o->sim, job->rung, SAR_RT_MAX_RUNGS - 1, &o->ladder_count))
    return EXIT_USAGE;
  if (o->ladder_count > 0 && o->policy != SAR_RT_DEGRADE)
    return cli_usage_error(args->command, "--ladder is for --policy degrade");
  return EXIT_DONE;
}

// ---- the run ------------------------------------------------------------------------------------

// From here on they wait, so that none is lost while the run is made, and no thread of it is
// interrupted.
static void hold_signals(sigset_t* set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, set, NULL);
}

// Signals are taken here: SIGINT and SIGTERM end the run, SIGUSR1 asks for a report.
static void watch(SarRealtime* rt, const sigset_t* set, const Job* job) {
  const struct timespec nap = {.tv_nsec = 20000000};
  while (!sar_rt_wait(rt, 0)) {
    const int caught = sigtimedwait(set, NULL, &nap);
    if (caught == SIGINT || caught == SIGTERM) sar_rt_stop(rt);
    if (caught != SIGUSR1) continue;
    SarRtReport r;
    FILE* out = job->args->json ? stderr : stdout;
    if (sar_rt_report(rt, &r) == SAR_OK)
      rt_print_text(out, rt, &r, job->path, rt_stolen() - job->stolen);
    fflush(out);
  }
}

static SarStatus open_files(Job* job, SarError* err) {
  const char *record = cli_value(job->args, "record"), *plot = cli_value(job->args, "plot");
  if (record) {
    SAR_TRY(cli_output_begin(job->args, record, &job->record, err));
    job->o.record = cli_output_path(&job->record);
  }
  return plot ? cli_output_begin(job->args, plot, &job->plot, err) : SAR_OK;
}

static SarStatus close_files(Job* job, SarRealtime* rt, const SarRtReport* r, SarStatus st,
                             SarError* err) {
  SarStatus drawn = SAR_OK;
  if (rt && cli_value(job->args, "plot"))
    drawn = rt_draw(rt, r, job->path, cli_output_path(&job->plot), err);
  const SarStatus plot =
      cli_value(job->args, "plot") ? cli_output_end(&job->plot, drawn, err) : SAR_OK;
  const SarStatus record = job->o.record ? cli_output_end(&job->record, st, err) : st;
  return record == SAR_OK ? plot : record;
}

static SarStatus keep_the_clock(SarRealtime* rt, Job* job, SarRtReport* r, SarError* err) {
  job->stolen = rt_stolen();
  SAR_TRY(sar_rt_start(rt, err));
  cli_print_messages(err);
  watch(rt, &job->signals, job);
  SAR_TRY(sar_rt_report(rt, r));
  return r->status;
}

static int run(Job* job, const SarModel* m) {
  SarError err, later;
  SarRtReport r;
  SarRealtime* rt = NULL;
  sar_error_init(&err);
  sar_error_init(&later);
  hold_signals(&job->signals);
  SarStatus st = open_files(job, &err);
  if (st == SAR_OK) st = sar_rt_new(m, &job->o, &rt, &err);
  if (!rt) {
    cli_report(job->args, job->path, st, &err);
    close_files(job, NULL, NULL, st, &later);
    return cli_exit_status(st);
  }
  r = (SarRtReport){.trouble = ""};
  st = keep_the_clock(rt, job, &r, &err);
  st = close_files(job, rt, &r, st, &later);
  cli_print_messages(&later);
  if (r.trouble[0]) fprintf(stderr, "sarrus: %s: %s\n", cli_shown(job->path), r.trouble);
  if (job->args->json)
    rt_print_json(job->path, rt, m, &r, rt_stolen() - job->stolen, &err);
  else
    rt_print_text(stdout, rt, &r, job->path, rt_stolen() - job->stolen);
  sar_rt_free(rt);
  return cli_exit_status(st);
}

static int rt_command(const CliArgs* args) {
  Job job = {.args = args, .path = args->operand[0], .method = {.digits = 17}};
  int status = read_options(&job);
  if (status != EXIT_DONE) return status;
  if (sar_couple_is(job.path)) return couple_rt(args, &job.o);
  SarModel* m = cli_load(args, job.path, &status);
  if (!m) return status;
  status = cli_value(args, "rehearse") ? rt_rehearse(args, m, &job.o) : run(&job, m);
  sar_model_free(m);
  return status;
}

static const CliOption options[] = {
    {"rate", 'r', "HZ", "Frames a second (default 1000).", NULL},
    {"end", 'e', "SECONDS", "Simulated time to end at (default: the file's, else none).", NULL},
    {"forever", 0, NULL, "Until it is interrupted, whatever the file says.", NULL},
    {"policy", 'p', "WORD",
     "After an overrun: skip the ticks that were missed, let the beat slip, stop, degrade (cheaper "
     "methods until it is calm) or catch-up.",
     NULL},
    {"ladder", 0, "RUNGS",
     "degrade: methods to step down to, 'max-iterations=20; step=2e-3, integrator=semi-implicit'.",
     NULL},
    {"calm", 0, "SECONDS", "degrade: so long without overruns before it climbs back (default 1).",
     NULL},
    {"behind", 0, "SECONDS",
     "degrade, catch-up: what is more than this behind is left out (default 0.1).", NULL},
    {"rehearse", 0, NULL,
     "Run as fast as it goes and say which rate is safe and which method is recommended.", NULL},
    {"passes", 0, "N", "Rehearsal: every frame costs the least of N passes (default 3).", NULL},
    {"margin", 0, "X", "Rehearsal: period over worst frame that counts as safe (default 2).", NULL},
    {"shm", 0, "NAME",
     "Exchange inputs and outputs through shared memory. Of coupled models, this and the next "
     "three: for all, or 'SIMULATOR:NAME; ...'.",
     NULL},
    {"udp", 0, "ADDRESS", "Exchange inputs and outputs by UDP.", NULL},
    {"watch", 0, "NAME", "Let 'sarrus view MODEL --attach NAME' look on and set inputs.", NULL},
    {"inputs", 0, "FILE", "Inputs from the columns of FILE.csv or FILE.h5.", "file"},
    {"record", 'o', "FILE", "Record all outputs to FILE.csv or FILE.h5 by another thread.", "file"},
    {"record-every", 0, "N", "Record every N-th frame (default 1).", NULL},
    {"plot", 0, "FILE", "Histograms of step time and latency to FILE.png or FILE.svg.", "file"},
    {"scheduler", 0, "WORD", "fifo (default), deadline or none.", NULL},
    {"priority", 0, "N", "fifo: 1 to 99 (default 80).", NULL},
    {"share", 0, "X", "deadline: of every period, set apart for the loop (default 0.8).", NULL},
    {"core", 0, "N", "Stay on this core (default: an isolated one if there is one).", NULL},
    {"no-lock", 0, NULL, "Do not lock the program's memory.", NULL},
    {"formulation", 'f', "NAME", "Equations of motion to use; 'sarrus list formulations'.",
     "formulations"},
    {"integrator", 'i', "NAME", "Time stepping; 'sarrus list integrators'.", "integrators"},
    {"step", 's', "SECONDS",
     "Step: the period or a whole share of it (default: the file's, shortened to be one).", NULL},
    {"max-iterations", 0, "N",
     "Most iterations in a step: implicit methods (default 20), sweeps over impulses (60).", NULL},
    {"budget", 0, "S",
     "Impulses: a step ends its sweeps in time to take S seconds in all; what they leave is "
     "reported.",
     NULL},
    {"impulse-tolerance", 0, "X",
     "Impulses: sweeps end when none changes by more than X N s (default 1e-8 of the largest).",
     NULL},
    {"newton-tolerance", 0, "X",
     "Implicit formulations, embedding: largest increment that ends an iteration.", NULL},
    {"spectral-radius", 0, "X", "Newmark family, two-step: share of a fast vibration left.", NULL},
    {"kinematics", 0, "KIND", "embedding: triangular, block, newton or newton-all.", NULL},
    {"no-project", 0, NULL, "Closed loops: let the constraints drift.", NULL},
    {"digits", 0, "N", "Significant digits in a CSV file, 1 to 17 (default 17).", NULL},
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {0}};
_Static_assert(sizeof options / sizeof *options <= CLI_MAX_OPTIONS, "room for all options");

const CliCommand cli_command_rt = {
    .name = "rt",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Simulate a model in real time.",
    .text =
        "Simulates MODEL at a fixed rate beside the clock: one thread that wakes up at every tick, "
        "exchanges inputs and outputs, makes the steps of the period and must be done before the "
        "next tick. It asks for a real-time priority, locked memory and a core; what it does not "
        "get it says, with what to do, and goes on.\n\nSIGUSR1 prints a report, SIGINT and SIGTERM "
        "end the run with one (exit status 0). With --policy stop an overrun ends it with exit "
        "status 4.",
    .examples =
        "sarrus rt car.yaml --rehearse --end 60\twhich rate is safe, with which method\n"
        "sarrus rt car.yaml --rate 1000 --end 60\ta minute at 1 kHz\n"
        "sarrus rt rig.yaml --rate 1000 --shm rig --record rig.h5\twith a controller in another "
        "process, recorded\n"
        "sarrus rt heap.yaml --rate 500 --policy degrade --json\tcheaper steps where time is short",
    .options = options,
    .run = rt_command,
};
