// jacobians_bench: factor and solve the Jacobians of `redundant` by its own solver
// (linalg/static_lu.h), LAPACK, KLU and UMFPACK, each analysed once and factored often: 20 to 700
// unknowns, the Puma rotor, chains in space, trees of chains as a rotor has them, and rows of
// planar four-bars. `values` is the same solver with an order of pivots that comes from the values.
// Jacobians are those of the second step of 2 ms.
#include "bench.h"

#include "formulations/implicit/relative.h"
#include "formulations/redundant/system.h"

#include <klu.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <umfpack.h>

void dgesv_(const int* n, const int* nrhs, double* A, const int* lda, int* pivot, double* b,
            const int* ldb, int* info);
void openblas_set_num_threads(int count) __attribute__((weak));

enum { ROUNDS = 21, TEXT = 200000 };
static const double BLOCK = 1e-3;  // [s]

typedef struct Problem {
  int n, entries, *column, *row, *pivot;
  double *value, *A, *work, *b, *x;
  SarStaticLu* ours;  // the simulation's own
  SarStaticLu values;
  SarArena arena;
  klu_common kc;
  klu_symbolic* ks;
  klu_numeric* kn;
  void* us;
} Problem;

// Time of this thread [s].
static double thread_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- models -------------------------------------------------------------------------------------

// `arms` chains of `links` bodies on revolute joints about changing axes; several hang on a hub
// that turns.
static void write_chains(char* text, int arms, int links) {
  char* to = text;
  to += sprintf(to, "sarrus: 1\nbodies:\n");
  if (arms > 1) to += sprintf(to, "  hub: {mass: 5, inertia: [1, 1, 1]}\n");
  for (int a = 0; a < arms; a++)
    for (int i = 0; i < links; i++)
      to += sprintf(to, "  b%d_%d: {mass: 1, at: [%d, %d, 0.5], inertia: [0.1, 0.12, 0.05]}\n", a,
                    i, i + 1, 2 * a);
  to += sprintf(to, "joints:\n");
  if (arms > 1) to += sprintf(to, "  mast: {revolute: [ground, hub], axis: z, speed: 3}\n");
  for (int a = 0; a < arms; a++)
    for (int i = 0; i < links; i++) {
      char parent[32];
      if (i > 0)
        snprintf(parent, sizeof parent, "b%d_%d", a, i - 1);
      else
        snprintf(parent, sizeof parent, "%s", arms > 1 ? "hub" : "ground");
      to +=
          sprintf(to, "  j%d_%d: {revolute: [%s, b%d_%d], at: [%d, %d, 0], axis: %c, speed: %g}\n",
                  a, i, parent, a, i, i, 2 * a, "xyz"[i % 3], 0.3 + 0.1 * i);
    }
  sprintf(to, "simulation: {end: 1}\n");
}

static void write_four_bars(char* text, int loops) {
  char* to = text;
  to += sprintf(to, "sarrus: 1\nplanar: xy\ngravity: [0, -9.81, 0]\nbodies:\n");
  for (int i = 0; i <= loops; i++)
    to += sprintf(to, "  c%d: {mass: 1, at: [%d, 0.5, 0], inertia: [0.1, 0.1, 0.1]}\n", i, i);
  for (int i = 0; i < loops; i++)
    to += sprintf(to, "  k%d: {mass: 1, at: [%d.5, 1, 0], inertia: [0.1, 0.1, 0.1]}\n", i, i);
  to += sprintf(to, "joints:\n");
  for (int i = 0; i <= loops; i++)
    to += sprintf(to, "  g%d: {revolute: [ground, c%d], at: [%d, 0, 0], axis: z, speed: -1}\n", i,
                  i, i);
  for (int i = 0; i < loops; i++)
    to += sprintf(to,
                  "  l%d: {revolute: [c%d, k%d], at: [%d, 1, 0], axis: z, speed: 1}\n"
                  "  r%d: {revolute: [c%d, k%d], at: [%d, 1, 0], axis: z, speed: 1}\n",
                  i, i, i, i, i, i + 1, i, i + 1);
  sprintf(to, "simulation: {end: 1}\n");
}

// ---- the matrix ---------------------------------------------------------------------------------

static void make(Problem* p, const SarStaticLu* lu) {
  const int n = p->n = lu->n;
  p->A = calloc((size_t)(n * n), sizeof(double));
  p->work = calloc((size_t)(n * n), sizeof(double));
  p->value = calloc((size_t)(n * n), sizeof(double));
  p->row = calloc((size_t)(n * n), sizeof(int));
  p->column = calloc((size_t)n + 1, sizeof(int));
  p->pivot = calloc((size_t)n, sizeof(int));
  p->b = calloc((size_t)n, sizeof(double));
  p->x = calloc((size_t)n, sizeof(double));
  // all solvers get the same pattern, with the zeros of the moment: it is analysed once for a whole
  // run
  bool* there = calloc((size_t)(n * n), sizeof *there);
  for (int e = 0; e < lu->entries; e++) {
    p->A[lu->col[e] * n + lu->row[e]] += lu->a[e];
    there[lu->col[e] * n + lu->row[e]] = true;
  }
  for (int j = 0; j < n; j++) {
    p->b[j] = sin(j + 1.);
    for (int i = 0; i < n; i++)
      if (there[j * n + i]) {
        p->row[p->entries] = i;
        p->value[p->entries++] = p->A[j * n + i];
      }
    p->column[j + 1] = p->entries;
  }
  free(there);
  klu_defaults(&p->kc);
  p->ks = klu_analyze(n, p->column, p->row, &p->kc);
  p->kn = klu_factor(p->column, p->row, p->value, p->ks, &p->kc);
  umfpack_di_symbolic(n, n, p->column, p->row, p->value, &p->us, NULL, NULL);
  sar_arena_init(&p->arena);
  if (!sar_static_lu_new(&p->values, &p->arena, n, lu->entries, lu->row, lu->col))
    fail("no memory");
  memcpy(p->values.a, lu->a, (size_t)lu->entries * sizeof *lu->a);
  if (!sar_static_lu_settle(&p->values)) fail("singular");
}

// ---- the solvers: each leaves the solution in x -------------------------------------------------

static void by_static_lu(Problem* p, SarStaticLu* lu) {
  if (!sar_static_lu_factor(lu) || lu->strayed) fail("a pivot died");
  memcpy(p->x, p->b, (size_t)p->n * sizeof *p->b);
  sar_static_lu_solve(lu, p->x);
}

static void by_ours(Problem* p) { by_static_lu(p, p->ours); }
static void by_values(Problem* p) { by_static_lu(p, &p->values); }

static void by_lapack(Problem* p) {
  const int n = p->n, one = 1;
  int info;
  memcpy(p->work, p->A, (size_t)(n * n) * sizeof *p->A);
  memcpy(p->x, p->b, (size_t)n * sizeof *p->b);
  dgesv_(&n, &one, p->work, &n, p->pivot, p->x, &n, &info);
}

static void by_klu(Problem* p) {
  klu_refactor(p->column, p->row, p->value, p->ks, p->kn, &p->kc);
  memcpy(p->x, p->b, (size_t)p->n * sizeof *p->b);
  klu_solve(p->ks, p->kn, p->n, 1, p->x, &p->kc);
}

static void by_umfpack(Problem* p) {
  void* numeric;
  umfpack_di_numeric(p->column, p->row, p->value, p->us, &numeric, NULL, NULL);
  umfpack_di_solve(UMFPACK_A, p->column, p->row, p->value, p->x, p->b, numeric, NULL, NULL);
  umfpack_di_free_numeric(&numeric);
}

static const struct {
  const char* name;
  void (*solve)(Problem* p);
} SOLVERS[] = {{"ours", by_ours},
               {"values", by_values},
               {"LAPACK", by_lapack},
               {"KLU", by_klu},
               {"UMFPACK", by_umfpack}};
enum { SOLVER_COUNT = sizeof SOLVERS / sizeof *SOLVERS, OWN = 2 };

// |A x - b|
static double residual(const Problem* p) {
  double most = 0;
  for (int i = 0; i < p->n; i++) {
    double sum = -p->b[i];
    for (int j = 0; j < p->n; j++) sum += p->A[j * p->n + i] * p->x[j];
    most = fmax(most, fabs(sum));
  }
  return most;
}

static void measure(Problem* p, double* time) {
  int calls[SOLVER_COUNT];
  for (int k = 0; k < SOLVER_COUNT; k++) {
    SOLVERS[k].solve(p);
    const double start = thread_now();
    for (int i = 0; i < 3; i++) SOLVERS[k].solve(p);
    calls[k] = 1 + (int)(BLOCK / ((thread_now() - start) / 3));
    time[k] = HUGE_VAL;
  }
  for (int round = 0; round < ROUNDS; round++)  // in turn, so that all see the same weather
    for (int k = 0; k < SOLVER_COUNT; k++) {
      const double start = thread_now();
      for (int i = 0; i < calls[k]; i++) SOLVERS[k].solve(p);
      time[k] = fmin(time[k], (thread_now() - start) / calls[k]);
    }
}

// text NULL: the example of that name.
static SarStatus load_model(const char* name, const char* text, SarModel** m, SarError* err) {
  const SarLoadOptions load = {.coordinates = "absolute"};
  char path[512];
  if (text) return sar_model_parse(text, strlen(text), "yaml", name, &load, m, err);
  snprintf(path, sizeof path, SARRUS_SOURCE_DIR "/examples/%s.yaml", name);
  return sar_model_load(path, &load, m, err);
}

static void line(const char* name, const char* text) {
  SarError err;
  SarModel* m;
  SarData* d;
  SarSim* s;
  double time[SOLVER_COUNT], worst[SOLVER_COUNT];
  SarSimOptions o = sar_sim_options();
  Problem p = {0};
  sar_error_init(&err);
  o.formulation = "redundant";
  o.step = 2e-3;
  if (load_model(name, text, &m, &err) != SAR_OK) fail("%s: %s", name, err.items[0].text);
  if (sar_data_new(m, &d, &err) != SAR_OK || sar_sim_new(m, d, &o, &s, &err) != SAR_OK)
    fail("%s: %s", name, err.items[0].text);
  for (int i = 0; i < 2; i++)
    if (sar_step(s) != SAR_OK) fail("%s: %s", name, sar_sim_trouble(s));
  SarAbsoluteSystem* system = ((SarRelative*)s->formulation_state)->factored.self;
  p.ours = &system->lu;
  make(&p, p.ours);
  measure(&p, time);
  for (int k = 0; k < SOLVER_COUNT; k++) {
    SOLVERS[k].solve(&p);
    worst[k] = residual(&p);
  }
  double best = HUGE_VAL;
  for (int k = OWN; k < SOLVER_COUNT; k++) best = fmin(best, time[k]);
  printf("%-16s %4d %6d %6d", name, p.n, p.entries, p.ours->start[p.n]);
  for (int k = 0; k < SOLVER_COUNT; k++) printf(" %8.2f", 1e6 * time[k]);
  printf("   %5.2f   %.0e %.0e\n", best / time[0], worst[0], worst[OWN]);
  klu_free_numeric(&p.kn, &p.kc);
  klu_free_symbolic(&p.ks, &p.kc);
  umfpack_di_free_symbolic(&p.us);
  sar_arena_free(&p.arena);
  double* numbers[] = {p.A, p.work, p.value, p.b, p.x};
  int* ints[] = {p.row, p.column, p.pivot};
  for (int k = 0; k < 5; k++) free(numbers[k]);
  for (int k = 0; k < 3; k++) free(ints[k]);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

int main(void) {
  static char text[TEXT], name[64];
  static const int CHAINS[] = {2, 5, 9, 14, 18, 27, 36, 45}, ROWS[] = {2, 5, 10, 20, 30, 45, 60};
  static const char* const EXAMPLES[] = {"puma_rotor", "tiltrotor",    "wrats",
                                         "iltis",      "flexible_arm", "iftomm_a04_bricard"};
  clock_pin();
  if (openblas_set_num_threads) openblas_set_num_threads(1);
  printf("\nJacobians of 'redundant', factor and solve [us of CPU time]\n%-16s %4s %6s %6s",
         "model", "n", "nnz", "L+U");
  for (int k = 0; k < SOLVER_COUNT; k++) printf(" %8s", SOLVERS[k].name);
  printf("   times   residual ours, LAPACK\n");
  for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) line(EXAMPLES[i], NULL);
  for (size_t i = 0; i < sizeof CHAINS / sizeof *CHAINS; i++) {
    write_chains(text, 1, CHAINS[i]);
    snprintf(name, sizeof name, "chain of %d", CHAINS[i]);
    line(name, text);
  }
  for (int links = 3; links <= 15; links += 4) {
    write_chains(text, 4, links);
    snprintf(name, sizeof name, "hub with 4 x %d", links);
    line(name, text);
  }
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    write_four_bars(text, ROWS[i]);
    snprintf(name, sizeof name, "%d four-bars", ROWS[i]);
    line(name, text);
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
