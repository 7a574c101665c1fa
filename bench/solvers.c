// solvers_bench: factor and solve the tangent of an implicit step, by our own envelope Cholesky, LAPACK, KLU
// and CHOLMOD, each analysed once and factored often, on matrices of real models: our kernels have a place only
// where they win. Matrices are those of `hybrid` at the start of the model with a step of 10 ms.
#include "base/block.h"
#include "bench.h"

#include "dynamics/augmented.h"
#include "model/sim.h"

#include <cholmod.h>
#include <klu.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dpotrf_(const char* uplo, const int* n, double* A, const int* lda, int* info, size_t);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* A, const int* lda,
             double* b, const int* ldb, int* info, size_t);

enum { ROUNDS = 31 };
static const double BLOCK = 1e-3;  // [s]

static const char* const MODELS[] = {"examples/double_fourbar.yaml",
                                     "tests/models/reference/J_stewart.yaml",
                                     "tests/models/reference/K_five_link.yaml",
                                     "examples/iltis.yaml",
                                     "tests/models/reference/B_fivefold_fourbar.yaml",
                                     "tests/models/reference/B_fortyfold_fourbar.yaml"};

// One matrix in the forms that the solvers want.
typedef struct Problem {
  int n;
  double *A, *work;  // dense, column by column; b and x behind `work`
  double *b, *x;
  SarAugmented system;  // ours, its matrix kept in `value`
  double* value;
  size_t values;
  int *column, *row, entries;  // all entries, for KLU
  double* entry;
  klu_common kc;
  klu_symbolic* ks;
  klu_numeric* kn;
  cholmod_common cc;
  cholmod_sparse* cs;
  cholmod_factor* cf;
  cholmod_dense* cb;
} Problem;

// ---- the matrix ------------------------------------------------------------------------------------

static void add_rows(const SarModel* m, const SarData* d, const SarAugmented* p, double* A) {
  const int n = m->nv;
  for (int row = 0; row < m->nrow; row++)
    for (int a = m->row_adr[row]; a < m->row_adr[row + 1]; a++)
      for (int b = m->row_adr[row]; b < m->row_adr[row + 1]; b++)
        A[m->row_dof[b] * n + m->row_dof[a]] += p->scaled[a] * d->Psi[b];
}

// The envelope is filled from the dense matrix, so that all solve the same numbers.
static void fill_envelope(Problem* p) {
  SarEnvelope* e = &p->system.G;
  const int n = p->n;
  p->values = e->adr[n - 1] + (size_t)n;
  p->value = calloc(p->values, sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int a = p->system.place[i], b = p->system.place[j];
      if (b <= a && b >= e->first[a]) p->value[e->adr[a] + (size_t)b] = p->A[j * n + i];
    }
}

static void make_matrix(Problem* p, const SarModel* m, SarData* d) {
  const double h = 0.01;
  const SarStepGains gains = {.gain_C = h / 2, .gain_K = h * h / 4};
  int* order = calloc((size_t)m->nrow + 1, sizeof *order);
  for (int i = 0; i < m->nrow; i++) order[i] = i;
  p->n = m->nv;
  p->A = calloc((size_t)(p->n * p->n), sizeof(double));
  p->work = calloc((size_t)(p->n * p->n), sizeof(double));
  p->b = calloc((size_t)p->n, sizeof(double));
  p->x = calloc((size_t)p->n, sizeof(double));
  SarBlock block = sar_block(NULL, 0);
  sar_augmented_init(&p->system, m, true, order, m->nrow, &block);
  block = sar_block(aligned_alloc(SAR_CACHE_LINE, block.used + SAR_CACHE_LINE), 0);
  sar_augmented_init(&p->system, m, true, order, m->nrow, &block);
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  sar_update_world(m, d);
  sar_update_constraints(m, d);
  if (sar_augmented_factor_step(&p->system, m, d, &gains) != SAR_OK) fail("singular tangent");
  for (int j = 0; j < p->n; j++) p->b[j] = sin(j + 1.);
  sar_augmented_collect(&p->system, m, d, &gains);
  for (int j = 0; j < p->n; j++) {
    memset(p->x, 0, (size_t)p->n * sizeof *p->x);
    p->x[j] = 1;
    sar_augmented_multiply(&p->system, m, p->x, &p->A[j * p->n]);
  }
  add_rows(m, d, &p->system, p->A);
  fill_envelope(p);
  free(order);
}

static void make_sparse(Problem* p) {
  const int n = p->n;
  p->column = calloc((size_t)n + 1, sizeof(int));
  p->row = calloc((size_t)(n * n), sizeof(int));
  p->entry = calloc((size_t)(n * n), sizeof(double));
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      if (p->A[j * n + i] != 0) {
        p->row[p->entries] = i;
        p->entry[p->entries++] = p->A[j * n + i];
      }
    p->column[j + 1] = p->entries;
  }
  klu_defaults(&p->kc);
  p->ks = klu_analyze(n, p->column, p->row, &p->kc);
  p->kn = klu_factor(p->column, p->row, p->entry, p->ks, &p->kc);
  cholmod_start(&p->cc);
  p->cs = cholmod_allocate_sparse((size_t)n, (size_t)n, (size_t)p->entries, 1, 1, -1, CHOLMOD_REAL,
                                  &p->cc);
  int* columns = p->cs->p;
  int* rows = p->cs->i;
  double* x = p->cs->x;
  int used = 0;
  for (int j = 0; j < n; j++) {
    for (int k = p->column[j]; k < p->column[j + 1]; k++)
      if (p->row[k] >= j) rows[used] = p->row[k], x[used++] = p->entry[k];
    columns[j + 1] = used;
  }
  p->cf = cholmod_analyze(p->cs, &p->cc);
  p->cb = cholmod_allocate_dense((size_t)n, 1, (size_t)n, CHOLMOD_REAL, &p->cc);
  memcpy(p->cb->x, p->b, (size_t)n * sizeof(double));
}

// ---- the solvers: each leaves the solution in x ------------------------------------------------------

static void by_ours(Problem* p) {
  memcpy(p->system.G.value, p->value, p->values * sizeof *p->value);
  if (!sar_envelope_factor(&p->system.G)) fail("not definite");
  for (int i = 0; i < p->n; i++) p->work[p->system.place[i]] = p->b[i];
  sar_envelope_solve(&p->system.G, p->work);
  for (int i = 0; i < p->n; i++) p->x[i] = p->work[p->system.place[i]];
}

static void by_lapack(Problem* p) {
  const int n = p->n, one = 1;
  int info;
  memcpy(p->work, p->A, (size_t)(n * n) * sizeof *p->A);
  memcpy(p->x, p->b, (size_t)n * sizeof *p->b);
  dpotrf_("L", &n, p->work, &n, &info, 1);
  dpotrs_("L", &n, &one, p->work, &n, p->x, &n, &info, 1);
}

static void by_klu(Problem* p) {
  klu_refactor(p->column, p->row, p->entry, p->ks, p->kn, &p->kc);
  memcpy(p->x, p->b, (size_t)p->n * sizeof *p->b);
  klu_solve(p->ks, p->kn, p->n, 1, p->x, &p->kc);
}

static void by_cholmod(Problem* p) {
  cholmod_factorize(p->cs, p->cf, &p->cc);
  cholmod_dense* x = cholmod_solve(CHOLMOD_A, p->cf, p->cb, &p->cc);
  memcpy(p->x, x->x, (size_t)p->n * sizeof *p->x);
  cholmod_free_dense(&x, &p->cc);
}

static const struct {
  const char* name;
  void (*solve)(Problem* p);
} SOLVERS[] = {{"ours", by_ours}, {"LAPACK", by_lapack}, {"KLU", by_klu}, {"CHOLMOD", by_cholmod}};
enum { SOLVER_COUNT = sizeof SOLVERS / sizeof *SOLVERS };

// |A x - b| / |b|
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
    const double start = clock_now();
    for (int i = 0; i < 20; i++) SOLVERS[k].solve(p);
    calls[k] = 1 + (int)(BLOCK / ((clock_now() - start) / 20));
    time[k] = HUGE_VAL;
  }
  for (int round = 0; round < ROUNDS; round++)  // in turn, so that all see the same weather
    for (int k = 0; k < SOLVER_COUNT; k++) {
      const double start = clock_now();
      for (int i = 0; i < calls[k]; i++) SOLVERS[k].solve(p);
      time[k] = fmin(time[k], (clock_now() - start) / calls[k]);
    }
}

static void line(const char* path) {
  char file[512];
  SarError err;
  SarModel* m;
  SarData* d;
  double time[SOLVER_COUNT], worst = 0;
  static Problem p;
  memset(&p, 0, sizeof p);
  sar_error_init(&err);
  snprintf(file, sizeof file, "%s/%s", SARRUS_SOURCE_DIR, path);
  if (sar_model_load(file, NULL, &m, &err) != SAR_OK) fail("%s: %s", path, err.items[0].text);
  if (sar_data_new(m, &d, &err) != SAR_OK) fail("%s: no memory", path);
  make_matrix(&p, m, d);
  make_sparse(&p);
  measure(&p, time);
  for (int k = 0; k < SOLVER_COUNT; k++) {
    SOLVERS[k].solve(&p);
    worst = fmax(worst, residual(&p));
  }
  const char* name = strrchr(path, '/') + 1;
  printf("%-26.*s %4d", (int)(strlen(name) - 5), name, p.n);
  for (int k = 0; k < SOLVER_COUNT; k++) printf(" %9.2f", 1e6 * time[k]);
  double best = HUGE_VAL;
  for (int k = 1; k < SOLVER_COUNT; k++) best = fmin(best, time[k]);
  printf("   %5.2f   %.0e\n", best / time[0], worst);
  sar_data_free(d);
  sar_model_free(m);
}

int main(void) {
  clock_pin();
  printf("\nTangent of an implicit step, factor and solve [us]\n%-26s %4s", "model", "n");
  for (int k = 0; k < SOLVER_COUNT; k++) printf(" %9s", SOLVERS[k].name);
  printf("   times   residual\n");
  for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) line(MODELS[i]);
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
