// solvers_bench: factor and solve the tangent of an implicit step, by our own Cholesky (an
// envelope, or panels where they are cheaper: model/fill.h), LAPACK, KLU and CHOLMOD, each analysed
// once and factored often, on matrices of real models and of nets of rods: our kernels have a place
// only where they win. Matrices are those of `hybrid` at the start of the model with a step of 10
// ms. `envelope` is ours without panels.
#include "base/block.h"
#include "bench.h"

#include "dynamics/augmented.h"
#include "model/fill.h"
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

enum { ROUNDS = 31, DENSE = 300 };  // DENSE: unknowns of the largest matrix that LAPACK gets
static const double BLOCK = 1e-3;   // [s]

static const struct {
  const char* path;
  int n;  // the parameter of that name; 0: none
} MODELS[] = {{"examples/double_fourbar.yaml", 0},
              {"tests/models/reference/J_stewart.yaml", 0},
              {"tests/models/reference/K_five_link.yaml", 0},
              {"examples/iltis.yaml", 0},
              {"examples/fourbar_row.yaml", 5},
              {"examples/fourbar_row.yaml", 40},
              {"examples/fourbar_row.yaml", 640},
              {"tests/models/nets/points.yaml", 5},
              {"tests/models/nets/points.yaml", 10},
              {"tests/models/nets/points.yaml", 20},
              {"tests/models/nets/points.yaml", 30},
              {"tests/models/nets/hinged.yaml", 10},
              {"tests/models/nets/hinged.yaml", 20},
              {"tests/models/nets/hinged.yaml", 30}};

// One matrix in the forms that the solvers want.
typedef struct Problem {
  int n;
  double *A, *work;  // dense, column by column; b and x behind `work`
  double *b, *x;
  SarAugmented system;  // ours, its matrix kept in `value`
  double* value;
  SarEnvelope e;  // without panels, likewise
  double* e_value;
  int* e_place;
  size_t e_entries;
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

// ---- the matrix ---------------------------------------------------------------------------------

static void add_rows(const SarModel* m, const SarData* d, const SarAugmented* p, double* A) {
  const int n = m->nv;
  for (int row = 0; row < m->nrow; row++)
    for (int a = m->row_adr[row]; a < m->row_adr[row + 1]; a++)
      for (int b = m->row_adr[row]; b < m->row_adr[row + 1]; b++)
        A[m->row_dof[b] * n + m->row_dof[a]] += p->scaled[a] * d->Psi[b];
}

// Ours are filled from the dense matrix, so that all solve the same numbers.
static void fill_ours(Problem* p) {
  const SarAugmented* y = &p->system;
  const int n = p->n;
  p->value = calloc(y->values, sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int a = y->place[i], b = y->place[j];
      if (b > a || p->A[j * n + i] == 0) continue;
      const int at = y->panels.npanel > 0 ? sar_panels_entry(&y->panels, a, b)
                                          : (int)(y->G.adr[a] + (size_t)b);
      p->value[at] = p->A[j * n + i];
    }
}

static void fill_envelope(Problem* p, const SarModel* m) {
  const SarEnvelopeSize size = sar_envelope_size(m, true);
  const int n = p->n;
  SarEnvelope* e = &p->e;
  e->n = n;
  e->first = calloc((size_t)n, sizeof(int));
  e->adr = calloc((size_t)n, sizeof(size_t));
  e->inverse = calloc((size_t)n, sizeof(double));
  e->value = calloc(size.entries, sizeof(double));
  p->e_value = calloc(size.entries, sizeof(double));
  p->e_place = calloc((size_t)n, sizeof(int));
  p->e_entries = size.entries;
  for (int i = 0; i < n; i++) {
    const SarReach* r = &m->reach[2 * i + 1];
    p->e_place[i] = size.reversed ? n - 1 - i : i;
    e->first[p->e_place[i]] = size.reversed ? n - 1 - r->high : r->low;
  }
  size_t before = 0;
  for (int i = 0; i < n; i++) {
    e->adr[i] = before - (size_t)e->first[i];
    before += (size_t)(i - e->first[i] + 1);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int a = p->e_place[i], b = p->e_place[j];
      if (b <= a && b >= e->first[a]) p->e_value[e->adr[a] + (size_t)b] = p->A[j * n + i];
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
  fill_ours(p);
  fill_envelope(p, m);
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

// ---- the solvers: each leaves the solution in x -------------------------------------------------

static void by_ours(Problem* p) {
  SarAugmented* y = &p->system;
  memcpy(y->value, p->value, y->values * sizeof *p->value);
  for (int i = 0; i < p->n; i++) p->work[y->place[i]] = p->b[i];
  if (y->panels.npanel > 0) {
    if (!sar_panels_factor(&y->panels, y->value, y->inverse)) fail("not definite");
    sar_panels_solve(&y->panels, y->value, y->inverse, y->work, p->work);
  } else {
    if (!sar_envelope_factor(&y->G)) fail("not definite");
    sar_envelope_solve(&y->G, p->work);
  }
  for (int i = 0; i < p->n; i++) p->x[i] = p->work[y->place[i]];
}

static void by_envelope(Problem* p) {
  memcpy(p->e.value, p->e_value, p->e_entries * sizeof *p->e_value);
  if (!sar_envelope_factor(&p->e)) fail("not definite");
  for (int i = 0; i < p->n; i++) p->work[p->e_place[i]] = p->b[i];
  sar_envelope_solve(&p->e, p->work);
  for (int i = 0; i < p->n; i++) p->x[i] = p->work[p->e_place[i]];
}

static void by_lapack(Problem* p) {
  const int n = p->n, one = 1;
  int info;
  if (n > DENSE) return;
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
} SOLVERS[] = {{"ours", by_ours},
               {"envelope", by_envelope},
               {"LAPACK", by_lapack},
               {"KLU", by_klu},
               {"CHOLMOD", by_cholmod}};
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

// Of the factor of ours, without what panels hold beside it.
static size_t entries_of(const SarAugmented* y) {
  if (y->panels.npanel == 0) return y->values;
  size_t entries = 0;
  for (int i = 0; i < y->panels.npanel; i++) {
    const SarPanel* s = &y->panels.panel[i];
    entries += (size_t)(s->width * s->rows + s->width * (s->width + 1) / 2);
  }
  return entries;
}

static void print_line(const Problem* p, const char* name, int n, const double* time,
                       double worst) {
  char label[64];
  const int letters = (int)(strlen(name) - 5);
  if (n > 0)
    snprintf(label, sizeof label, "%.*s, n = %d", letters, name, n);
  else
    snprintf(label, sizeof label, "%.*s", letters, name);
  printf("%-22s %5d %7zu %7zu", label, p->n, entries_of(&p->system), p->e_entries);
  double best = HUGE_VAL;
  for (int k = 0; k < SOLVER_COUNT; k++) {
    const bool left_out = SOLVERS[k].solve == by_lapack && p->n > DENSE;
    if (left_out)
      printf(" %9s", "-");
    else
      printf(" %9.2f", 1e6 * time[k]);
    if (k > 1 && !left_out) best = fmin(best, time[k]);
  }
  printf("   %5.2f   %.0e\n", best / time[0], worst);
}

static void line(const char* path, int n) {
  char file[512];
  SarError err;
  SarModel* m;
  SarData* d;
  double time[SOLVER_COUNT], worst = 0;
  static Problem p;
  memset(&p, 0, sizeof p);
  sar_error_init(&err);
  snprintf(file, sizeof file, "%s/%s", SARRUS_SOURCE_DIR, path);
  const SarParameter parameter = {"n", n};
  const SarLoadOptions o = {.parameters = &parameter, .parameter_count = n > 0};
  if (sar_model_load(file, &o, &m, &err) != SAR_OK) fail("%s: %s", path, err.items[0].text);
  if (sar_data_new(m, &d, &err) != SAR_OK) fail("%s: no memory", path);
  make_matrix(&p, m, d);
  make_sparse(&p);
  measure(&p, time);
  for (int k = 0; k < SOLVER_COUNT; k++) {
    SOLVERS[k].solve(&p);
    worst = fmax(worst, residual(&p));
  }
  print_line(&p, strrchr(path, '/') + 1, n, time, worst);
  sar_data_free(d);
  sar_model_free(m);
}

int main(void) {
  clock_pin();
  printf("\nTangent of an implicit step, factor and solve [us]\n%-22s %5s %7s %7s", "model", "n",
         "entries", "of env.");
  for (int k = 0; k < SOLVER_COUNT; k++) printf(" %9s", SOLVERS[k].name);
  printf("   times   residual\n");
  for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) line(MODELS[i].path, MODELS[i].n);
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
