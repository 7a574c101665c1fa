// Paper 001: the cost of one acceleration by every method, beside the bare LAPACK decompositions.
//
// Every method is timed on M, Psi, gamma and F of the linkage in motion, and beside it what it is
// named after: the decompositions of the paper's code (pseudo-inverses are SVDs there), each of a
// fresh copy. `lagrange-dense` cannot take redundant rows, so it is given the 22 independent ones.
// Times are CPU time, the least of many rounds.
#include "cli/papers/papers.h"

#include "base/clock.h"
#include "dynamics/constraints.h"
#include "formulations/index1/family.h"
#include "linalg/matrix.h"

#include <math.h>
#include <string.h>

enum { N = 24, R = 22, CALLS = 20, LWORK = 40000 };

static const double TIME = 0.05;  // spent on each figure [s]

static const char table[] = "One acceleration, 24 coordinates, 24 constraints of rank 22";

// clang-format off
void dgesdd_(const char*, int*, int*, double*, int*, double*, double*, int*, double*, int*, double*, int*, int*, int*, size_t);
void dgeqrf_(int*, int*, double*, int*, double*, double*, int*, int*);
void dgeqp3_(int*, int*, double*, int*, int*, double*, double*, int*, int*);
void dgetc2_(int*, double*, int*, int*, int*, int*);
// clang-format on

typedef struct Bench {
  double M[N * N], Psi[N * N], gamma[N], F[N];
  double Psi_kept[R * N], gamma_kept[R];
  SarIndex1 all, kept;     // all rows; the independent ones
  double H[N * N];         // Psi'Psi
  double D[N * N];         // (Psi M^-1/2)'
  double Q[N * N];         // D'D
  double tall[2 * N * N];  // [E M; Psi]': any full matrix of its size
  double A[4 * N * N], U[4 * N * N], V[4 * N * N], x[4 * N], y[4 * N], work[LWORK];
  int pivot[4 * N], other[4 * N], iwork[1000];
  SarDenseWork dense;
} Bench;

// ---- bare decompositions ------------------------------------------------------------------------

typedef void Task(Bench* b, const void* context);

static void load(Bench* b, const double* A, int count) {
  memcpy(b->A, A, sizeof(double) * (size_t)count);
}
static void bare_lu(Bench* b, const void* context) {
  (void)context;
  int n = N, info;
  load(b, b->Psi, N * N);
  dgetc2_(&n, b->A, &n, b->pivot, b->other, &info);
}
static void bare_eigen(Bench* b, const void* context) {
  (void)context;
  load(b, b->H, N * N);
  sar_eigen(N, b->A, b->x, &b->dense);
}
static void bare_eigen_mass(Bench* b, const void* context) {
  (void)context;
  load(b, b->M, N * N);
  sar_eigen(N, b->A, b->x, &b->dense);
}
static void bare_qr_pivoted(Bench* b, const void* context) {
  (void)context;
  int n = N, lwork = LWORK, info;
  load(b, b->Psi, N * N);
  memset(b->pivot, 0, sizeof b->pivot);
  dgeqp3_(&n, &n, b->A, &n, b->pivot, b->x, b->work, &lwork, &info);
}
static void bare_qr(Bench* b, const void* context) {
  (void)context;
  int n = N, lwork = LWORK, info;
  load(b, b->Psi, N * N);
  dgeqrf_(&n, &n, b->A, &n, b->x, b->work, &lwork, &info);
}
static void bare_qtz(Bench* b, const void* context) {
  bare_qr_pivoted(b, context);
  sar_rz(R, N, b->A, N, b->y, &b->dense);
}
static void svd(Bench* b, const double* A, int rows) {
  int n = rows, m = N, lwork = LWORK, info;
  load(b, A, rows * N);
  dgesdd_("S", &n, &m, b->A, &n, b->x, b->U, &n, b->V, &m, b->work, &lwork, b->iwork, &info, 1);
}
static void bare_svd(Bench* b, const void* context) {
  (void)context;
  svd(b, b->Psi, N);
}
static void bare_svd_compliance(Bench* b, const void* context) {
  (void)context;
  svd(b, b->Q, N);
}
static void bare_svd_weighted(Bench* b, const void* context) {
  (void)context;
  svd(b, b->D, N);
}
static void bare_svd_tall(Bench* b, const void* context) {
  (void)context;
  svd(b, b->tall, 2 * N);
}
static void bare_schur(Bench* b, const void* context) {
  (void)context;
  load(b, b->H, N * N);
  sar_schur(N, b->A, b->x, b->y, b->U, &b->dense);
}
static void bare_ldl(Bench* b, const void* context) {
  (void)context;
  enum { SIZE = N + R };
  memset(b->A, 0, sizeof b->A);
  for (int j = 0; j < N; j++) {
    b->A[j * SIZE + j] = b->M[j * N + j];
    for (int k = 0; k < R; k++) b->A[j * SIZE + N + k] = b->Psi_kept[k * N + j];
  }
  sar_ldl_factor(SIZE, b->A, b->pivot, &b->dense);
}
// MATLAB's rref([Psi gamma]) without its search for ratios of small integers
static void bare_rref(Bench* b, const void* context) {
  (void)context;
  enum { WIDE = N + 1 };
  double* A = b->A;
  for (int i = 0; i < N; i++) {
    memcpy(&A[i * WIDE], &b->Psi[i * N], sizeof(double) * N);
    A[i * WIDE + N] = b->gamma[i];
  }
  for (int i = 0, j = 0; i < N && j < WIDE; j++) {
    int best = i;
    for (int k = i; k < N; k++)
      if (fabs(A[k * WIDE + j]) > fabs(A[best * WIDE + j])) best = k;
    if (fabs(A[best * WIDE + j]) <= 1e-3) continue;
    const double pivot = A[best * WIDE + j];
    for (int l = j; l < WIDE; l++) {
      const double held = A[i * WIDE + l];
      A[i * WIDE + l] = A[best * WIDE + l] / pivot;
      A[best * WIDE + l] = held;
    }
    for (int k = 0; k < N; k++) {
      const double factor = k == i ? 0 : A[k * WIDE + j];
      for (int l = j; l < WIDE; l++) A[k * WIDE + l] -= factor * A[i * WIDE + l];
    }
    i++;
  }
}

// ---- the problem --------------------------------------------------------------------------------

// M, Psi, gamma and F where d is, by the common ways of all formulations.
static SarStatus assemble(const SarModel* m, SarData* d, Bench* b) {
  SAR_TRY(sar_tree_mass_matrix(d, b->M));
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  sar_update_world(m, d);
  sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
  sar_constraint_jacobian_dense(m, d, b->Psi);
  sar_rnea(m, d, NULL, b->F);
  for (int i = 0; i < N; i++) b->F[i] = d->tau[i] - b->F[i];
  memcpy(b->gamma, d->gamma, sizeof b->gamma);
  return SAR_OK;
}

// Psi'Psi and the like, for the bare decompositions.
static void fill_products(Bench* b) {
  memset(b->H, 0, sizeof b->H);
  sar_gram_add(N, N, 1, b->Psi, N, b->H, N);
  sar_mirror_lower(N, b->H, N);
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++) b->D[k * N + j] = b->Psi[k * N + j] / sqrt(b->M[j * N + j]);
  sar_gram_t(N, N, b->D, N, b->Q, N);
  sar_mirror_upper(N, b->Q, N);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      b->tall[j * 2 * N + i] = b->H[j * N + i];
      b->tall[j * 2 * N + N + i] = b->Psi[i * N + j];
    }
}

static void fill_problems(Bench* b) {
  SarIndex1 *p = &b->all, *kept = &b->kept;
  p->M = kept->M = b->M;
  p->F = kept->F = b->F;
  p->Psi = b->Psi, p->gamma = b->gamma;
  kept->Psi = b->Psi_kept, kept->gamma = b->gamma_kept;
  sar_index1_qr(p);
  for (int k = 0; k < R; k++) {
    memcpy(&b->Psi_kept[k * N], &b->Psi[p->rows.row[k] * N], sizeof(double) * N);
    b->gamma_kept[k] = b->gamma[p->rows.row[k]];
  }
}

// ---- timing -------------------------------------------------------------------------------------

typedef struct Timed {
  Task* task;  // Nullable
  const void* context;
  double us;  // of the fastest round
} Timed;

// In turn, so that whatever else the machine does meets all of them, and their ratios can be
// trusted.
static void time_in_turn(Bench* b, int count, Timed* timed) {
  for (int i = 0; i < count; i++) timed[i].us = timed[i].task ? HUGE_VAL : 0;
  for (double spent = 0; spent < 0.1 * paper_rounds(10) * count * TIME;)
    for (int i = 0; i < count; i++) {
      if (!timed[i].task) continue;
      const double start = sar_clock_cpu();
      for (int k = 0; k < CALLS; k++) timed[i].task(b, timed[i].context);
      const double time = sar_clock_cpu() - start;
      spent += time;
      timed[i].us = fmin(timed[i].us, 1e6 * time / CALLS);
    }
}

static double least_us(Bench* b, Task* task, const void* context) {
  Timed one = {task, context, 0};
  time_in_turn(b, 1, &one);
  return one.us;
}

static void solve(Bench* b, const void* context) {
  const SarFormulation* f = context;
  f->accelerations.solve(f->can & SAR_CAN_REDUNDANT ? &b->all : &b->kept);
}

typedef struct Line {
  const char* method;
  Task* named[2];  // the decompositions that the method is named after
  const char* names;
} Line;

static const Line lines[] = {
    {"partition", {bare_lu}, "dgetc2"},
    {"zero-eigenvalue", {bare_eigen}, "dsyevd"},
    {"qr", {bare_qr_pivoted}, "dgeqp3"},
    {"svd", {bare_svd}, "dgesdd"},
    {"putd", {bare_qr}, "dgeqrf"},
    {"qtz", {bare_qtz}, "dgeqp3 dtzrzf"},
    {"schur", {bare_schur}, "dgees"},
    {"udwadia-kalaba", {bare_eigen_mass, bare_svd_weighted}, "dsyevd dgesdd"},
    {"udwadia-phohomsiri", {bare_svd, bare_svd_tall}, "dgesdd twice"},
    {"falco1", {bare_svd_compliance}, "dgesdd"},
    {"falco2", {bare_svd, bare_svd}, "dgesdd twice"},
    {"lagrange-dense", {bare_ldl}, "dsytrf_rook"},
};

static void add_lines(PaperReport* r, Bench* b) {
  const double lagrange = least_us(b, solve, sar_formulation_find("lagrange-dense"));
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    const Line* l = &lines[i];
    Timed timed[] = {{solve, sar_formulation_find(l->method), 0},
                     {l->named[0], NULL, 0},
                     {l->named[1], NULL, 0}};
    time_in_turn(b, 3, timed);
    const double cost = timed[0].us, bare = timed[1].us + timed[2].us;
    paper_add(r, table, l->method, "us", (double)NAN, cost, NULL);
    paper_add(r, table, l->method, "of the dense", (double)NAN, cost / lagrange, NULL);
    paper_add(r, table, l->method, "LAPACK us", (double)NAN, bare, l->names);
    paper_add(r, table, l->method, "of LAPACK", (double)NAN, cost / bare, NULL);
  }
  // theirs: what a call of QR costs more than one of de Falco's first, which has no rref
  paper_add(r, table, "rref", "us", 1e6 * ((66.1 - 0.38) / 1840 - (2.61 - 0.36) / 1828),
            least_us(b, bare_rref, NULL), "the same pivots and rows, compiled");
}

// A position in motion.
static SarStatus swing(const SarModel* m, SarData* d, SarError* err) {
  SarSimOptions o = sar_sim_options();
  SarSim* s;
  o.formulation = "qr";
  SAR_TRY(sar_sim_new(m, d, &o, &s, err));
  SarStatus st = sar_advance(s, 0.3);
  sar_sim_free(s);
  return st;
}

SarStatus paper_001_costs(PaperReport* r, const SarModel* m, SarError* err) {
  SarData* d = NULL;
  Bench* b = sar_alloc(sizeof *b);
  void* memory[2] = {sar_alloc(sar_index1_work_size(N, N)), sar_alloc(sar_index1_work_size(N, R))};
  SarDenseWork dense;
  sar_dense_query(N + R, N + R, &dense);
  dense.work = sar_alloc(sizeof(double) * (size_t)dense.lwork);
  dense.iwork = sar_alloc(sizeof(int) * (size_t)dense.liwork);
  SarStatus st = b && memory[0] && memory[1] && dense.work && dense.iwork ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) st = sar_data_new(m, &d, err);
  if (st == SAR_OK) st = swing(m, d, err);
  if (st == SAR_OK) st = assemble(m, d, b);
  if (st == SAR_OK) {
    b->dense = dense;
    sar_index1_init(&b->all, N, N, memory[0]);
    sar_index1_init(&b->kept, N, R, memory[1]);
    fill_products(b);
    fill_problems(b);
    add_lines(r, b);
  }
  sar_data_free(d);
  sar_free(dense.work);
  sar_free(dense.iwork);
  for (int i = 0; i < 2; i++) sar_free(memory[i]);
  sar_free(b);
  return st;
}
