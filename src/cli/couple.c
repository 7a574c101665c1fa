// Coupled simulators on the command line: results go to a file for each, FILE.NAME.csv.
#define _GNU_SOURCE  // sigtimedwait
#include "cli/couple.h"

#include "cli/couple_parts.h"
#include "cli/files.h"
#include "cli/rt.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>

enum { MOST = CLI_MAX_OUTPUTS };

typedef struct Job {
  const CliArgs* args;
  const char* path;
  bool clock;
  const char* out;  // "FILE.csv"; NULL: none
  SarCouple* c;
  SarCoupleOptions o;
  SarRtOptions rt;
  CouplePorts ports;
  char name[MOST][PATH_MAX];
  const char* record[MOST];
  CliOutput file[MOST];
} Job;

// ---- options ------------------------------------------------------------------------------------

static bool is_any(const char* name, const char* const* list) {
  for (; *list; list++)
    if (strcmp(*list, name) == 0) return true;
  return false;
}

// What is said for one model has no meaning for several.
static int check_options(const Job* job) {
  static const char* const run[] = {"end", "out", "digits", "quiet", "set", "path", NULL};
  static const char* const rt[] = {"end",          "forever", "policy",    "behind",   "record",
                                   "record-every", "share",   "scheduler", "priority", "core",
                                   "no-lock",      "digits",  "set",       "path",     "shm",
                                   "udp",          "watch",   "inputs",    NULL};
  const CliArgs* args = job->args;
  for (int i = 0; args->command->options[i].name; i++) {
    const char* name = args->command->options[i].name;
    if (args->value[i] && !is_any(name, job->clock ? rt : run))
      return cli_usage_error(args->command,
                             "--%s is not for coupled models: methods and steps are said in the "
                             "models, rates in '%s'",
                             name, cli_shown(job->path));
  }
  return EXIT_DONE;
}

// FILE.csv -> FILE.NAME.csv
static SarStatus open_files(Job* job, SarError* err) {
  const char* dot = job->out ? strrchr(job->out, '.') : NULL;
  if (!job->out) return SAR_OK;
  if (!dot || strchr(dot, '/') || sar_couple_count(job->c) > MOST) {
    fprintf(stderr, "sarrus: expected FILE.csv or FILE.h5 and at most %d simulators\n", MOST);
    return SAR_BAD_ARGUMENT;
  }
  for (int k = 0; k < sar_couple_count(job->c); k++) {
    snprintf(job->name[k], sizeof job->name[k], "%.*s.%s%s", (int)(dot - job->out), job->out,
             sar_couple_name(job->c, k), dot);
    const SarStatus st = cli_output_begin(job->args, job->name[k], &job->file[k], err);
    if (st != SAR_OK) return st;
    job->record[k] = cli_output_path(&job->file[k]);
  }
  job->o.record = job->record;
  return SAR_OK;
}

static SarStatus close_files(Job* job, SarStatus st, SarError* err) {
  SarStatus all = st;
  for (int k = 0; job->out && k < sar_couple_count(job->c) && k < MOST; k++) {
    if (!job->record[k]) continue;
    const SarStatus one = cli_output_end(&job->file[k], st, err);
    if (all == SAR_OK) all = one;
  }
  return all;
}

// ---- report -------------------------------------------------------------------------------------

// Of what went through the coupling; so much that it made itself is worth a word.
static const double MUCH = 0.01;

static bool is_much(const SarCoupleReport* p) {
  return p->audited && fabs(p->energy) > MUCH * p->exchanged && p->exchanged > 0;
}

static void warn(const SarCoupleReport* p) {
  if (is_much(p))
    fprintf(stderr,
            "sarrus: warning: the coupling itself put in %.3g J, %.2g %% of what went through it "
            "(try a higher rate, or 'extrapolate: linear')\n",
            p->energy, 100 * fabs(p->energy) / p->exchanged);
}

static void print_json(const Job* job, const SarCoupleReport* p, const SarError* err) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", job->path);
  sar_json_number(&j, "period", p->period);
  sar_json_number(&j, "end_time", p->time);
  sar_json_number(&j, "coupling_energy", p->audited ? p->energy : (double)NAN);
  sar_json_number(&j, "coupling_exchanged", p->audited ? p->exchanged : (double)NAN);
  sar_json_open(&j, "simulators", '[');
  for (int k = 0; k < sar_couple_count(job->c); k++) {
    SarRtReport r;
    sar_rt_report(sar_couple_realtime(job->c, k), &r);
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "name", sar_couple_name(job->c, k));
    sar_json_text(&j, "formulation", r.ladder[0].formulation);
    sar_json_text(&j, "integrator", r.ladder[0].integrator);
    sar_json_number(&j, "step", r.ladder[0].step);
    sar_json_number(&j, "rate", 1 / r.period);
    sar_json_integer(&j, "frames", (long)r.frames);
    sar_json_integer(&j, "steps", r.steps);
    sar_json_integer(&j, "overruns", r.overruns);
    sar_json_open(&j, "overruns_by_cause", '{');
    for (int i = 0; i < SAR_RT_CAUSES; i++)
      sar_json_integer(&j, sar_rt_cause_name((SarRtCause)i), r.overruns_by[i]);
    sar_json_close(&j, '}');
    sar_json_number(&j, "step_cpu_median", r.times[SAR_RT_STEP_CPU].median);
    sar_json_number(&j, "step_cpu_worst", r.times[SAR_RT_STEP_CPU].worst);
    sar_json_integer(&j, "page_faults", r.page_faults);
    sar_json_integer(&j, "allocations", r.allocations);
    sar_json_integer(&j, "recorded", (long)r.recorded);
    sar_json_integer(&j, "record_dropped", (long)r.record_dropped);
    rt_json_inputs(&j, sar_couple_realtime(job->c, k), sar_couple_model(job->c, k));
    rt_json_ports(&j, sar_couple_realtime(job->c, k));
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  cli_json_messages(&j, err);
  sar_json_text(&j, "status", p->status == SAR_OK ? "ok" : sar_status_text(p->status));
  sar_json_integer(&j, "exit_status", cli_exit_status(p->status));
  sar_json_text(&j, "trouble", p->trouble[0] ? p->trouble : NULL);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static void print_one(FILE* out, const Job* job, int k) {
  SarRtReport r;
  sar_rt_report(sar_couple_realtime(job->c, k), &r);
  fprintf(
      out,
      "  %-12s %s with %s, %ld steps of %.4g s at %.4g Hz: %.3g us of CPU time a frame (median), "
      "%.3g us at worst\n",
      sar_couple_name(job->c, k), r.ladder[0].formulation, r.ladder[0].integrator, r.steps,
      r.ladder[0].step, 1 / r.period, 1e6 * r.times[SAR_RT_STEP_CPU].median,
      1e6 * r.times[SAR_RT_STEP_CPU].worst);
  if (!job->clock) return;
  fprintf(out, "               %ld overruns of %lld frames", r.overruns, r.frames);
  for (int i = 0; i < SAR_RT_CAUSES; i++)
    if (r.overruns_by[i]) printf(", %ld %s", r.overruns_by[i], sar_rt_cause_name((SarRtCause)i));
  fprintf(out, "; %ld page faults, %ld allocations\n", r.page_faults, r.allocations);
  char text[400];
  for (int i = 0; sar_rt_port_words(sar_couple_realtime(job->c, k), i, text, sizeof text); i++)
    fprintf(out, "               %s\n", cli_shown(text));
}

// While it runs, on SIGUSR1.
static void print_now(const Job* job) {
  FILE* out = job->args->json ? stderr : stdout;
  fprintf(out, "%s: running, %d simulators\n", cli_shown(job->path), sar_couple_count(job->c));
  for (int k = 0; k < sar_couple_count(job->c); k++) print_one(out, job, k);
  fflush(out);
}

static void print_text(const Job* job, const SarCoupleReport* p) {
  printf("%s: %s at t = %.6g s, %d simulators, exchange every %.4g s\n", cli_shown(job->path),
         p->status == SAR_OK ? "done" : sar_status_text(p->status), p->time,
         sar_couple_count(job->c), p->period);
  for (int k = 0; k < sar_couple_count(job->c); k++) print_one(stdout, job, k);
  if (p->audited)
    printf("  coupling     put in %.4g J of its own; %.4g J went through it\n", p->energy,
           p->exchanged);
  else
    printf("  coupling     what it puts in is not known: 'energy' of the file names its work\n");
}

// ---- the run ------------------------------------------------------------------------------------

static void hold_signals(sigset_t* set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, set, NULL);
}

static SarStatus keep_the_clock(const Job* job, const sigset_t* signals, SarError* err) {
  const struct timespec nap = {.tv_nsec = 20000000};
  const SarStatus st = sar_couple_start(job->c, err);
  if (st != SAR_OK) return st;
  cli_print_messages(err);
  while (!sar_couple_wait(job->c, 0)) {
    const int caught = sigtimedwait(signals, NULL, &nap);
    if (caught == SIGINT || caught == SIGTERM) sar_couple_stop(job->c);
    if (caught == SIGUSR1) print_now(job);
  }
  SarCoupleReport p;
  const SarStatus told = sar_couple_report(job->c, &p);
  return told == SAR_OK ? p.status : told;
}

static int finish(Job* job, SarStatus st, const SarError* err) {
  SarCoupleReport p;
  SarError later;
  sar_error_init(&later);
  st = close_files(job, st, &later);
  cli_print_messages(&later);
  if (sar_couple_report(job->c, &p) != SAR_OK) {
    cli_report(job->args, job->path, st, err);
    return cli_exit_status(st);
  }
  if (p.trouble[0]) fprintf(stderr, "sarrus: %s: %s\n", cli_shown(job->path), p.trouble);
  warn(&p);
  if (job->args->json)
    print_json(job, &p, err);
  else
    print_text(job, &p);
  return cli_exit_status(st);
}

static int couple(Job* job) {
  CliLoading load;
  SarError err;
  sigset_t signals;
  sar_error_init(&err);
  int status = check_options(job);
  if (status != EXIT_DONE) return status;
  if (!cli_load_options(job->args, NULL, &load)) return EXIT_USAGE;
  SarStatus st = sar_couple_load(job->path, &load.o, &job->c, &err);
  cli_report(job->args, job->path, st, &err);
  if (st != SAR_OK) return cli_exit_status(st);
  if (job->clock) status = couple_ports(job->args, job->c, &job->ports);
  if (status != EXIT_DONE) {
    sar_couple_free(job->c);
    return status;
  }
  job->o.ports = job->ports.port;
  job->o.port_count = job->ports.count;
  sar_error_init(&err);
  if (job->clock) hold_signals(&signals);
  st = open_files(job, &err);
  if (st == SAR_OK) st = sar_couple_open(job->c, &job->o, &err);
  if (st == SAR_OK)
    st = job->clock ? keep_the_clock(job, &signals, &err) : sar_couple_run(job->c, &err);
  status = finish(job, st, &err);
  sar_couple_free(job->c);
  return status;
}

int couple_run(const CliArgs* args) {
  static Job job;  // long, for the names of its files
  double digits = 12;
  job = (Job){.args = args, .path = args->operand[0], .out = cli_value(args, "out")};
  job.o = sar_couple_options();
  job.rt = sar_rt_options();
  job.rt.scheduling = SAR_RT_AS_IS;
  job.o.rt = &job.rt;
  if (!cli_positive(args, "end", &job.o.end) || !cli_positive(args, "digits", &digits))
    return EXIT_USAGE;
  if (digits > 17 || digits != floor(digits))
    return cli_usage_error(args->command, "--digits: expected a whole number from 1 to 17");
  job.rt.digits = (int)digits;
  return couple(&job);
}

int couple_rt(const CliArgs* args, const SarRtOptions* o) {
  static Job job;
  job = (Job){
      .args = args, .path = args->operand[0], .clock = true, .out = cli_value(args, "record")};
  job.o = sar_couple_options();
  job.o.end = o->end;
  job.rt = *o;
  job.rt.sim = NULL;
  job.rt.port_count = 0;  // they are shared out once the simulators are known
  job.o.rt = &job.rt;
  return couple(&job);
}
