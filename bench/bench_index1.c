// Cost of one acceleration by every method of the index-1 family, at the size of de Falco et al.
// 2008: 24 coordinates, 24 constraints, rank 22.
//
// Beside it stand the bare LAPACK decompositions: those the method is named after (the paper's
// pseudo-inverses are SVDs), and those it is computed with here. `lagrange` cannot take redundant
// rows, so it is given the 22 independent ones; the last column counts in units of it.
// Times are CPU time of the thread, the least of many rounds.
#include "base/alloc.h"
#include "formulations/index1/family.h"
#include "linalg/spd.h"
#include "support/coord24.h"

#include <stdio.h>
#include <time.h>

enum { N = COORD24, R = COORD24_RANK, FREE = N - R, ROUNDS = 400, CALLS = 20 };

// clang-format off
void dgesdd_(const char*, int*, int*, double*, int*, double*, double*, int*, double*, int*, double*, int*, int*, int*, size_t);
void dgeqrf_(int*, int*, double*, int*, double*, double*, int*, int*);
void dgetc2_(int*, double*, int*, int*, int*, int*);
void dpotrf_(const char*, int*, double*, int*, int*, size_t);
// clang-format on

typedef struct Bench {
  Coord24 model;
  SarIndex1 all, kept;  // all rows; the independent ones
  double Psi_kept[R * N], gamma_kept[R];
  double H[N * N], D[N * N], Q[N * N],
      tall[2 * N * N];  // Psi'Psi, (Psi M^-1/2)', D D', [E M; Psi]'
  double A[4 * N * N], U[4 * N * N], V[4 * N * N], x[4 * N], y[4 * N], work[40000];
  int pivot[4 * N], other[4 * N], iwork[1000];
  SarDenseWork dense;
} Bench;

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

typedef void Task(Bench* b, const void* context);

static double least_us(Bench* b, Task* task, const void* context) {
  double best = 1e300;
  for (int round = 0; round < ROUNDS; round++) {
    double start = now_us();
    for (int i = 0; i < CALLS; i++) task(b, context);
    double spent = (now_us() - start) / CALLS;
    if (spent < best) best = spent;
  }
  return best;
}

// bare decompositions, each of a fresh copy
static void load(Bench* b, const double* A, int count) {
  memcpy(b->A, A, sizeof(double) * (size_t)count);
}
static void bare_none(Bench* b, const void* context) { (void)b, (void)context; }
static void bare_lu(Bench* b, const void* context) {
  (void)context;
  int n = N, info;
  load(b, b->model.Psi, N * N);
  dgetc2_(&n, b->A, &n, b->pivot, b->other, &info);
}
static void bare_eigen(Bench* b, const void* context) {
  (void)context;
  load(b, b->H, N * N);
  sar_eigen(N, b->A, b->x, &b->dense);
}
static void bare_eigen_lowest(Bench* b, const void* context) {
  (void)context;
  load(b, b->H, N * N);
  sar_eigen_lowest(N, FREE, b->A, b->x, b->U, &b->dense);
}
static void bare_eigen_mass(Bench* b, const void* context) {
  (void)context;
  load(b, b->model.M, N * N);
  sar_eigen(N, b->A, b->x, &b->dense);
}
static void bare_eigen_free(Bench* b, const void* context) {
  (void)context;
  load(b, b->H, FREE * FREE);
  sar_eigen(FREE, b->A, b->x, &b->dense);
}
static void bare_qr_pivoted(Bench* b, const void* context) {
  (void)context;
  load(b, b->model.Psi, N * N);
  sar_qr_pivoted(N, N, b->A, b->pivot, b->x, &b->dense);
}
static void bare_qr(Bench* b, const void* context) {
  (void)context;
  int n = N, lwork = 40000, info;
  load(b, b->model.Psi, N * N);
  dgeqrf_(&n, &n, b->A, &n, b->x, b->work, &lwork, &info);
}
static void bare_qtz(Bench* b, const void* context) {
  bare_qr_pivoted(b, context);
  sar_rz(R, N, b->A, N, b->y, &b->dense);
}
static void bare_svd_left(Bench* b, const void* context) {
  (void)context;
  load(b, b->model.Psi, N * N);
  sar_svd_left(N, N, b->A, b->x, b->U, &b->dense);
}
static void svd(Bench* b, const double* A, int rows) {
  int n = rows, m = N, lwork = 40000, info;
  load(b, A, rows * N);
  dgesdd_("S", &n, &m, b->A, &n, b->x, b->U, &n, b->V, &m, b->work, &lwork, b->iwork, &info, 1);
}
static void bare_svd(Bench* b, const void* context) {
  (void)context;
  svd(b, b->model.Psi, N);
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
static void bare_cholesky(Bench* b, const void* context) {
  (void)context;
  int n = N, info;
  load(b, b->model.M, N * N);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) b->A[i * N + j] += i == j ? 100 : b->H[i * N + j];
  dpotrf_("L", &n, b->A, &n, &info, 1);
}
static void bare_cholesky_pivoted(Bench* b, const void* context) {
  (void)context;
  load(b, b->Q, N * N);
  sar_cholesky_pivoted(N, b->A, b->pivot, 1e-12, &b->dense);
}
static void bare_ldl(Bench* b, const void* context) {
  (void)context;
  // kept.square holds the scaled matrix's factors; any full matrix of that size costs the same
  int size = N + R;
  memset(b->A, 0, sizeof b->A);
  for (int j = 0; j < N; j++) {
    b->A[j * size + j] = b->model.M[j * N + j];
    for (int k = 0; k < R; k++) b->A[j * size + N + k] = b->Psi_kept[k * N + j];
  }
  sar_ldl_factor(size, b->A, b->pivot, &b->dense);
}

typedef struct Line {
  const char* method;
  Task* named[2];  // the decompositions the method is named after
  Task* used[2];   // those it is computed with here
  const char* names;
  const char* uses;
} Line;

static const Line lines[] = {
    {"partition", {bare_lu}, {bare_lu}, "dgetc2", "own LU"},
    {"zero-eigenvalue",
     {bare_eigen},
     {bare_qr_pivoted, bare_eigen_lowest},
     "dsyevd",
     "dgeqp3 dsyevr"},
    {"qr", {bare_qr_pivoted}, {bare_qr_pivoted}, "dgeqp3", "dgeqp3"},
    {"svd", {bare_svd}, {bare_qr_pivoted, bare_svd_left}, "dgesdd", "dgeqp3 dgesvd"},
    {"putd", {bare_qr}, {bare_qr}, "dgeqrf", "own QR"},
    {"qtz", {bare_qtz}, {bare_qtz}, "dgeqp3 dtzrzf", "dgeqp3 dtzrzf"},
    {"schur", {bare_schur}, {bare_qr_pivoted, bare_schur}, "dgees", "dgeqp3 dgees"},
    {"udwadia-kalaba",
     {bare_eigen_mass, bare_svd_weighted},
     {bare_qr_pivoted},
     "dsyevd dgesdd",
     "dgeqp3, own Cholesky"},
    {"udwadia-phohomsiri",
     {bare_svd, bare_svd_tall},
     {bare_qr_pivoted, bare_qr_pivoted},
     "dgesdd twice",
     "dgeqp3 twice"},
    {"falco1", {bare_svd_compliance}, {bare_cholesky_pivoted}, "dgesdd", "dpstrf, own Cholesky"},
    {"falco2",
     {bare_svd, bare_svd},
     {bare_qr_pivoted, bare_eigen_free},
     "dgesdd twice",
     "dgeqp3 dsyevd"},
    {"lagrange-dense", {bare_ldl}, {bare_ldl}, "dsytrf_rook", "dsytrf_rook"},
    {"penalty", {bare_cholesky}, {bare_cholesky}, "dpotrf", "own Cholesky"},
};

static void solve(Bench* b, const void* context) {
  const SarFormulation* method = context;
  SarIndex1* p = method->can & SAR_CAN_REDUNDANT ? &b->all : &b->kept;
  if (method->solve(p) != SAR_OK) printf("%s failed\n", method->name);
}

static void prepare(Bench* b) {
  const Coord24Instant* at = &coord24_motion[1];
  coord24_assemble_at(&b->model, at->a, at->da);
  sar_index1_init(&b->all, N, N, sar_alloc(sar_index1_work_size(N, N)));
  sar_index1_init(&b->kept, N, R, sar_alloc(sar_index1_work_size(N, R)));
  SarIndex1 *p = &b->all, *kept = &b->kept;
  p->M = kept->M = b->model.M, p->F = kept->F = b->model.F;
  p->Psi = b->model.Psi, p->gamma = b->model.gamma;
  kept->Psi = b->Psi_kept, kept->gamma = b->gamma_kept;
  sar_formulation_find("qr")->solve(p);
  for (int k = 0; k < R; k++) {
    memcpy(&b->Psi_kept[k * N], &p->Psi[p->rows.row[k] * N], sizeof(double) * N);
    b->gamma_kept[k] = p->gamma[p->rows.row[k]];
  }
  sar_gram_add(N, N, 1, p->Psi, N, b->H, N);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < j; i++) b->H[j * N + i] = b->H[i * N + j];
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++) b->D[k * N + j] = p->Psi[k * N + j] / sqrt(p->M[j * N + j]);
  sar_gram_t(N, N, b->D, N, b->Q, N);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < j; i++) b->Q[i * N + j] = b->Q[j * N + i];
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      b->tall[j * 2 * N + i] = b->H[j * N + i], b->tall[j * 2 * N + N + i] = p->Psi[i * N + j];
  sar_dense_query(N + R, N + R, &b->dense);
  b->dense.work = sar_alloc(sizeof(double) * (size_t)b->dense.lwork);
  b->dense.iwork = sar_alloc(sizeof(int) * (size_t)b->dense.liwork);
}

static double sum_us(Bench* b, Task* const tasks[2]) {
  double sum = 0;
  for (int i = 0; i < 2; i++)
    if (tasks[i]) sum += least_us(b, tasks[i], NULL);
  return sum;
}

int main(void) {
  static Bench b;
  prepare(&b);
  double lagrange = least_us(&b, solve, sar_formulation_find("lagrange-dense"));
  double nothing = least_us(&b, bare_none, NULL);
  printf("one acceleration, n = m = %d, rank %d; us of CPU time\n", N, R);
  printf("%-20s %7s  %7s %5s  %-14s %7s %5s  %-22s %9s\n", "method", "cost", "named", "ratio", "",
         "used", "ratio", "", "lagranges");
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    const Line* l = &lines[i];
    double cost = least_us(&b, solve, sar_formulation_find(l->method)) - nothing;
    double named = sum_us(&b, l->named), used = sum_us(&b, l->used);
    printf("%-20s %7.2f  %7.2f %5.2f  %-14s %7.2f %5.2f  %-22s %9.2f\n", l->method, cost, named,
           cost / named, l->names, used, cost / used, l->uses, cost / lagrange);
  }
  return 0;
}
