// rotor_bench: the Puma rotor in flight 123 by several methods: steps a revolution against accuracy
// and time of this thread. Errors are the largest over the fifth second against the reference in
// minimal coordinates (tests/reference/ rotor), of the flexible blades (tests/models/rotor) over
// the fourth against MBDyn, which has other elements: 0.014 deg and 230 N are the meshes'. "1e-7":
// Newton's tolerance in place of 1e-9. Times are the least of blocks of 90 steps, in which no step
// is left out; worst / median over all steps from the first on, each the least of several runs,
// after sar_warm_up.
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 2000, BLOCK = 90, BLOCKS = 8, FIRST = 400, RUNS = 5 };
static const double PERIOD = 0.224381, DEGREES = 57.29577951308232;

typedef struct Method {
  const char *formulation, *integrator;
  double tolerance;  // of Newton's iteration; 0: usual
  bool flexible;
} Method;
static const Method METHODS[] = {
    {"lagrange", "adams", 0, false},        {"lagrange", "rk4", 0, false},
    {"hybrid", "trapezoidal", 0, false},    {"hybrid", "generalized-alpha", 0, false},
    {"redundant", "trapezoidal", 0, false}, {"redundant", "two-step", 0, false},
    {"redundant", "two-step", 1e-7, false}, {"redundant", "two-step", 0, true},
    {"redundant", "two-step", 1e-7, true}};
static const double STEPS[] = {10e-3, 5e-3, 2.5e-3, 1.25e-3, 0.625e-3};

typedef struct Run {
  SarModel* m;
  SarData* d;
  SarSim* s;
  int flap, thrust;
} Run;

typedef struct Reference {
  double value[ROWS][6], from;
  int rows, thrust;  // thrust: its column
} Reference;
static Reference rigid, flexible;

static double thread_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void read_reference(const char* path, int columns, double from, Reference* out) {
  char line[1000];
  FILE* f = fopen(path, "r");
  if (!f) fail("no reference");
  *out = (Reference){.from = from, .thrust = columns - 1};
  while (fgets(line, sizeof line, f) && out->rows < ROWS) {
    double* r = out->value[out->rows];
    const int found =
        sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf", &r[0], &r[1], &r[2], &r[3], &r[4], &r[5]);
    if (found >= columns) out->rows++;
  }
  fclose(f);
}

static Run open_run(const Method* way, double step) {
  Run r;
  SarError err;
  char text[500];
  const bool absolute = strcmp(way->formulation, "redundant") == 0;
  // the speed of flight as the reference has it
  const SarParameter speed = {"speed", 67.6959242499822};
  static const char* const examples[] = {SARRUS_SOURCE_DIR "/examples"};
  const SarLoadOptions load = {.coordinates = absolute ? "absolute" : NULL,
                               .parameters = &speed,
                               .parameter_count = 1,
                               .search_paths = examples,
                               .search_path_count = 1};
  const char* const path = way->flexible ? SARRUS_SOURCE_DIR
                               "/tests/models/rotor/puma_flexible.yaml"
                                         : SARRUS_SOURCE_DIR "/examples/puma_rotor.yaml";
  SarSimOptions o = sar_sim_options();
  o.formulation = way->formulation;
  o.integrator = way->integrator;
  o.step = step;
  o.adaptive = 0;
  if (way->tolerance > 0) o.newton_tolerance = way->tolerance;
  sar_error_init(&err);
  if (sar_model_load(path, &load, &r.m, &err) != SAR_OK ||
      sar_data_new(r.m, &r.d, &err) != SAR_OK || sar_sim_new(r.m, r.d, &o, &r.s, &err) != SAR_OK)
    fail("%s", sar_error_format(&err, 0, text, sizeof text));
  r.flap = sar_model_find(r.m, SAR_ITEM_OUTPUT, "flap1.q");
  r.thrust = sar_model_find(r.m, SAR_ITEM_OUTPUT, "rotor.thrust");
  return r;
}

static void close_run(Run* r) {
  sar_sim_free(r->s);
  sar_data_free(r->d);
  sar_model_free(r->m);
}

// False: the run ended before.
static bool errors_of(const Method* way, double step, double* flap, double* thrust) {
  Run r = open_run(way, step);
  const Reference* reference = way->flexible ? &flexible : &rigid;
  double out[200];
  bool good = true;
  *flap = *thrust = 0;
  for (int i = 0; good && i < reference->rows; i++) {
    const double* row = reference->value[i];
    good = sar_advance(r.s, row[0]) == SAR_OK;
    if (!good || row[0] < reference->from) continue;
    good = sar_outputs(r.s, out) == SAR_OK;
    *flap = fmax(*flap, fabs(out[r.flap] * DEGREES - row[2]));
    *thrust = fmax(*thrust, fabs(out[r.thrust] - row[reference->thrust]));
  }
  close_run(&r);
  return good;
}

static double time_of(const Method* way, double step) {
  Run r = open_run(way, step);
  double least = HUGE_VAL;
  if (sar_advance(r.s, 1) != SAR_OK) fail("%s", sar_sim_trouble(r.s));
  for (int k = 0; k < BLOCKS; k++) {
    const double began = thread_now();
    for (int i = 0; i < BLOCK; i++) sar_step(r.s);
    least = fmin(least, (thread_now() - began) / BLOCK);
  }
  close_run(&r);
  return least;
}

static int rising(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Of the first steps: each the least of several runs, so that what the machine does beside is left
// out.
static double jitter_of(const Method* way, double step) {
  static double least[FIRST];
  for (int k = 0; k < RUNS; k++) {
    Run r = open_run(way, step);
    sar_warm_up(r.s);
    for (int i = 0; i < FIRST; i++) {
      const double began = thread_now();
      if (sar_step(r.s) != SAR_OK) fail("%s", sar_sim_trouble(r.s));
      const double took = thread_now() - began;
      least[i] = k == 0 ? took : fmin(least[i], took);
    }
    close_run(&r);
  }
  qsort(least, FIRST, sizeof *least, rising);
  return least[FIRST - 1] / least[FIRST / 2];
}

static void line(const Method* way, double step) {
  double flap, thrust;
  const int per_turn = (int)(PERIOD / step + 0.5);
  char rule[64];
  snprintf(rule, sizeof rule, "%s%s%s", way->integrator, way->tolerance > 0 ? " 1e-7" : "",
           way->flexible ? ", beams" : "");
  printf("%-10s %-20s %5d", way->formulation, rule, per_turn);
  if (!errors_of(way, step, &flap, &thrust)) {
    printf("   does not go\n");
    return;
  }
  const double time = time_of(way, step);
  printf(" %11.1e %9.2g %9.1f %12.4f %8.1f", flap, thrust, 1e6 * time, time / step,
         jitter_of(way, step));
  // MBDyn at 0.01 deg of flap takes 0.55 s for a second (minimum over its settings)
  if (!way->flexible && flap <= 0.01) printf(" %10.0f", 0.55 * step / time);
  printf("\n");
}

int main(int argc, char** argv) {
  clock_pin();
  read_reference(SARRUS_SOURCE_DIR "/tests/reference/rotor/puma_f123.csv", 6, 4, &rigid);
  read_reference(SARRUS_SOURCE_DIR "/tests/reference/rotor/puma_flexible.csv", 5, 3, &flexible);
  printf("\nPuma rotor, flight 123\n%-10s %-20s %5s %11s %9s %9s %12s %8s %10s\n", "method", "rule",
         "/turn", "flap [deg]", "T [N]", "us/step", "real/simul.", "worst/m.", "x MBDyn");
  for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++)
    for (size_t k = 0; k < sizeof STEPS / sizeof *STEPS; k++) {
      if (METHODS[i].flexible && (STEPS[k] > 3e-3 || STEPS[k] < 1e-3)) continue;
      if (argc > 1 && !strstr(METHODS[i].integrator, argv[1]) &&
          !strstr(METHODS[i].formulation, argv[1]))
        continue;
      line(&METHODS[i], STEPS[k]);
      fflush(stdout);
    }
  return 0;
}

void fail(const char* format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  exit(1);
}
