// Batches: steps a second of many instances of a tree (semi-implicit Euler), by the interpreter and by generated code
// over lanes, with 1, 2, ... threads; beside MuJoCo stepping its own copies on as many threads (rollout).
//   batch_bench
#include "bench.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { INSTANCES = 64, MOST_THREADS = 64 };
// Rounds are short and many, so that some are not disturbed; the best counts.
static const double ROUND = 2e-3, SECONDS = 2;
static const double STEP_LENGTH = 1e-4;

// ---- ours ------------------------------------------------------------------------------------------

// Seconds of a step of one instance, in the best round.
static double time_batch(const SarModel* m, bool generated, int threads, int* lanes) {
  const SarModel* models[INSTANCES];
  SarSimOptions sim = sar_sim_options();
  SarBatchOptions o = sar_batch_options();
  SarBatchReport report;
  SarBatch* b;
  SarError err;
  for (int i = 0; i < INSTANCES; i++) models[i] = m;
  sar_error_init(&err);
  sim.formulation = "aba";
  sim.integrator = "semi-implicit";
  sim.step = STEP_LENGTH;
  o.sim = &sim;
  o.threads = threads;
  o.generated = generated;
  if (sar_batch_new(models, INSTANCES, &o, &b, &err) != SAR_OK) fail("%s", err.items[0].text);
  sar_batch_report(b, &report);
  if (generated && report.lanes == 0) printf("  (interpreted: %s)\n", report.why);
  *lanes = report.lanes;
  double best = 1e9, end = 0;
  int steps = 1;
  for (const double begin = clock_now(); clock_now() - begin < SECONDS;) {
    end += steps * STEP_LENGTH;
    const double before = clock_now();
    if (sar_batch_advance(b, end) != SAR_OK) fail("%s", sar_batch_trouble(b, 0));
    const double took = clock_now() - before;
    if (took / steps < best) best = took / steps;
    if (took < ROUND / 2) steps *= 2;
  }
  sar_batch_free(b);
  return best / INSTANCES;
}

// ---- theirs ----------------------------------------------------------------------------------------

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

// ---- the table -------------------------------------------------------------------------------------

static void measure(const char* name, int threads) {
  char xml[512], urdf[512];
  snprintf(xml, sizeof xml, "%s/tests/reference/tree/%s.xml", SARRUS_SOURCE_DIR, name);
  snprintf(urdf, sizeof urdf, "%s/tests/reference/tree/%s.urdf", SARRUS_SOURCE_DIR, name);
  Ours o = ours_load(urdf);
  ours_set_at_rest(&o, 1);
  double first[3] = {0};
  for (int n = 1; n <= threads; n *= 2) {
    int lanes, none;
    const double took[3] = {1e9 * time_batch(o.m, false, n, &none),
                            1e9 * time_batch(o.m, true, n, &lanes),
                            1e9 * time_mujoco(xml, urdf, &o, n)};
    printf("%-14s %7d %11.0f %11.0f %6d", name, n, took[0], took[1], lanes);
    if (took[2] > 0)
      printf(" %11.0f %9.1f", took[2], took[2] / took[1]);
    else
      printf(" %11s %9s", "-", "-");
    for (int k = 0; k < 2; k++) {
      if (n == 1) first[k] = took[k];
      printf(" %8.2f", first[k] / took[k]);
    }
    printf("\n");
  }
  ours_free(&o);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  const int threads = processors > MOST_THREADS ? MOST_THREADS : (int)processors;
  printf("\n%-14s %7s %11s %11s %6s %11s %9s %17s\n", "batch, ns", "threads", "interpreter",
         "generated", "lanes", "MuJoCo", "times", "gain by threads");
  measure("arm7", threads);
  measure("humanoid36", threads);
  measure("chain100", threads);
  return 0;
}
