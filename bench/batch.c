// Batches: steps a second of many instances of a tree (semi-implicit Euler), by the interpreter and
// by generated code over lanes, with 1, 2, ... threads; beside MuJoCo stepping its own copies on as
// many threads (rollout).
//   batch_bench
#include "bench.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { INSTANCES = 64, MOST_THREADS = 64 };
// Rounds are short and many, so that some are not disturbed; the best counts.
static const double ROUND = 2e-3, SECONDS = 2;
static const double STEP_LENGTH = 1e-4;

// ---- ours ---------------------------------------------------------------------------------------

// A batch with so many threads, and its best round: in which a step of an instance took least time,
// and the one that took least CPU time.
typedef struct Runner {
  SarBatch* batch;
  int steps;
  double end, best, cpu;
} Runner;

static Runner new_runner(const SarModel* m, bool generated, int threads, int* lanes) {
  const SarModel* models[INSTANCES];
  SarSimOptions sim = sar_sim_options();
  SarBatchOptions o = sar_batch_options();
  SarBatchReport report;
  SarError err;
  Runner r = {.steps = 1, .best = 1e9, .cpu = 1e9};
  for (int i = 0; i < INSTANCES; i++) models[i] = m;
  sar_error_init(&err);
  sim.formulation = "aba";
  sim.integrator = "semi-implicit";
  sim.step = STEP_LENGTH;
  o.sim = &sim;
  o.threads = threads;
  o.generated = generated;
  if (sar_batch_new(models, INSTANCES, &o, &r.batch, &err) != SAR_OK) fail("%s", err.items[0].text);
  sar_batch_report(r.batch, &report);
  if (generated && report.lanes == 0) printf("  (interpreted: %s)\n", report.why);
  *lanes = report.lanes;
  return r;
}

// CPU time of all threads [s].
static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_round(Runner* r) {
  r->end += r->steps * STEP_LENGTH;
  const double before = clock_now(), cpu_before = cpu_now();
  if (sar_batch_advance(r->batch, r->end) != SAR_OK) fail("%s", sar_batch_trouble(r->batch, 0));
  const double took = clock_now() - before, cpu = cpu_now() - cpu_before;
  if (took / r->steps < r->best * INSTANCES) r->best = took / r->steps / INSTANCES;
  if (cpu / r->steps < r->cpu * INSTANCES) r->cpu = cpu / r->steps / INSTANCES;
  if (took < ROUND / 2) r->steps *= 2;
}

// Rounds of all of them by turns, so that what disturbs the machine disturbs them alike.
static void run_by_turns(Runner* r, int count) {
  for (const double begin = clock_now(); clock_now() - begin < count * SECONDS;)
    for (int i = 0; i < count; i++) run_round(&r[i]);
}

// ---- theirs -------------------------------------------------------------------------------------

typedef struct Rollout {
  Theirs** copy;
  int count, steps;
} Rollout;

static void* roll(void* context) {
  const Rollout* r = context;
  for (int i = 0; i < r->count; i++)
    for (int k = 0; k < r->steps; k++) theirs_call(r->copy[i], STEP);
  return NULL;
}

static double time_mujoco(const char* xml, const char* urdf, const Ours* o, int threads) {
  Theirs* copy[INSTANCES];
  pthread_t thread[MOST_THREADS];
  Rollout part[MOST_THREADS];
  double best = 1e9;
  for (int i = 0; i < INSTANCES; i++) {
    copy[i] = theirs_load(xml, urdf, o);
    if (!copy[i]) return 0;
    theirs_set(copy[i], o);
  }
  int steps = 1;
  for (const double begin = clock_now(); clock_now() - begin < SECONDS;) {
    const double before = clock_now();
    for (int t = 0; t < threads; t++) {
      const int from = INSTANCES * t / threads, to = INSTANCES * (t + 1) / threads;
      part[t] = (Rollout){copy + from, to - from, steps};
      if (pthread_create(&thread[t], NULL, roll, &part[t]) != 0) fail("no thread");
    }
    for (int t = 0; t < threads; t++) pthread_join(thread[t], NULL);
    const double took = clock_now() - before;
    if (took / steps < best) best = took / steps;
    if (took < ROUND / 2) steps *= 2;
  }
  for (int i = 0; i < INSTANCES; i++) theirs_free(copy[i]);
  return best / INSTANCES;
}

// ---- the table ----------------------------------------------------------------------------------

typedef struct Row {
  int threads, lanes;
  Runner ours[2];  // interpreter, generated
} Row;

// Gain by threads: of time, and what it would be if every thread had a core of its own, by CPU
// time; linear is `threads`.
static void print_row(const char* name, const Row* row, const Row* first, double mujoco) {
  printf("%-12s %7d %11.0f %9.0f %5d", name, row->threads, 1e9 * row->ours[0].best,
         1e9 * row->ours[1].best, row->lanes);
  if (mujoco > 0)
    printf(" %9.0f %6.1f", 1e9 * mujoco, mujoco / row->ours[1].best);
  else
    printf(" %9s %6s", "-", "-");
  for (int k = 0; k < 2; k++)
    printf("  %5.2f %5.2f", first->ours[k].best / row->ours[k].best,
           row->threads * first->ours[k].cpu / row->ours[k].cpu);
  printf("\n");
}

static void measure(const char* name, int threads) {
  char xml[512], urdf[512];
  Row row[8];
  Runner all[16];
  int rows = 0, none;
  snprintf(xml, sizeof xml, "%s/tests/reference/tree/%s.xml", SARRUS_SOURCE_DIR, name);
  snprintf(urdf, sizeof urdf, "%s/tests/reference/tree/%s.urdf", SARRUS_SOURCE_DIR, name);
  Ours o = ours_load(urdf);
  ours_set_at_rest(&o, 1);
  for (int n = 1; n <= threads; n *= 2, rows++) {
    row[rows].threads = n;
    all[2 * rows] = new_runner(o.m, false, n, &none);
    all[2 * rows + 1] = new_runner(o.m, true, n, &row[rows].lanes);
  }
  run_by_turns(all, 2 * rows);
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < 2; k++) row[i].ours[k] = all[2 * i + k];
    print_row(name, &row[i], &row[0], time_mujoco(xml, urdf, &o, row[i].threads));
  }
  for (int i = 0; i < 2 * rows; i++) sar_batch_free(all[i].batch);
  ours_free(&o);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  const int threads = processors > MOST_THREADS ? MOST_THREADS : (int)processors;
  // gains: of the interpreter, then of generated code, each by time and by CPU time
  printf("\n%-12s %7s %11s %9s %5s %9s %6s  %11s  %11s\n", "batch, ns", "threads", "interpreter",
         "generated", "lanes", "MuJoCo", "times", "gain by CPU", "gain by CPU");
  measure("arm7", threads);
  measure("humanoid36", threads);
  measure("chain100", threads);
  return 0;
}
