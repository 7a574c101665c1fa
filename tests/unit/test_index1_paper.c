// The 24-coordinate, rank-22 linkage: accelerations by every method, and what goes wrong in the
// code printed with de Falco, Guida and Pennestri 2008.
//
// Why SVD "fails" there. Their null-space routines take the rank r from rref([Psi gamma], 1e-3) and
// solve [Psi_r; V'] s = gamma_r for the particular solution, Psi_r being the r rows rref leaves.
//   1. rref counts pivots of the augmented matrix. Redundant rows whose gamma contradict the others
//      by more than 1e-3, which drift brings about sooner or later, make the gamma column a pivot:
//      r = 23, the last row of Psi_r is zero, and the system is singular.
//   2. The SVD routine takes V from Psi and not from Psi_r, as QR, PUTD and zero-eigenvalue do. Off
//      the constraints the two differ: Psi_r V is of the size of the drift, accelerations violate
//      the constraints in proportion to it, and drift feeds itself until 1. happens. (Schur shares
//      this.)
//   3. The threshold is absolute: the same linkage a thousand times smaller has r = 17.
// On the constraints the SVD routine is right: neither the decomposition nor redundancy is to
// blame. Transcribed and integrated for 15 s from 40 positions of rest (one crank of each stage
// made heavier; relative and absolute tolerance 1e-6, no projection), 37 motions of the SVD or the
// QR routine end by 1.; those that pass close to a change point end soon and in any order, of the
// 19 others SVD ends first in 16, by up to a third of the time. Udwadia and Kalaba's method, which
// has no such count, goes through all 40.
#include "support/test.h"

#include "base/alloc.h"
#include "linalg/lu.h"
#include "support/coord24.h"
#include "support/index1_methods.h"

enum { N = COORD24, WIDE = N + 1, CRANK1 = 2, CRANK2 = 14 };

typedef struct Fixture {
  Coord24 model;
  SarIndex1 p;
  void* work;
} Fixture;

static int setup(void** state) {
  static Fixture f;
  f.work = sar_alloc(sar_index1_work_size(N, N));
  sar_index1_init(&f.p, N, N, f.work);
  f.p.M = f.model.M, f.p.Psi = f.model.Psi, f.p.gamma = f.model.gamma, f.p.F = f.model.F;
  *state = &f;
  return f.work ? 0 : -1;
}

static int teardown(void** state) {
  sar_free(((Fixture*)*state)->work);
  return 0;
}

static bool takes_redundancy(const SarFormulation* method) {
  return method->can & SAR_CAN_REDUNDANT;
}

// ---- the printed code ---------------------------------------------------------------------------

typedef struct Printed {
  double reduced[N * WIDE];  // rref of [Psi gamma]
  int rank, last_pivot;
  double V[N * N];  // n - rank rows: V'
  bool singular;
  double a[N];
} Printed;

// MATLAB's rref(A, 1e-3), without its search for ratios of small integers
static void printed_rref(Printed* s, const Coord24* model) {
  double* A = s->reduced;
  for (int i = 0; i < N; i++) {
    memcpy(&A[i * WIDE], &model->Psi[i * N], sizeof(double) * N);
    A[i * WIDE + N] = model->gamma[i];
  }
  s->rank = 0, s->last_pivot = -1;
  for (int j = 0; j < WIDE && s->rank < N; j++) {
    int i = s->rank, best = i;
    for (int k = i; k < N; k++)
      if (fabs(A[k * WIDE + j]) > fabs(A[best * WIDE + j])) best = k;
    if (fabs(A[best * WIDE + j]) <= 1e-3) {
      for (int k = i; k < N; k++) A[k * WIDE + j] = 0;
      continue;
    }
    for (int l = j; l < WIDE; l++) {
      double held = A[i * WIDE + l];
      A[i * WIDE + l] = A[best * WIDE + l], A[best * WIDE + l] = held;
    }
    double pivot = A[i * WIDE + j];
    for (int l = j; l < WIDE; l++) A[i * WIDE + l] /= pivot;
    for (int k = 0; k < N; k++) {
      if (k == i) continue;
      double factor = A[k * WIDE + j];
      for (int l = j; l < WIDE; l++) A[k * WIDE + l] -= factor * A[i * WIDE + l];
    }
    s->rank++, s->last_pivot = j;
  }
}

// Sgamma=([Psiqm;BB])\gammau; Mh=V'*M*V; Fh=V'*f-V'*M*Sgamma; ddq=V*(Mh\Fh)+Sgamma, diagonal M
static void printed_solve(Printed* s, const Coord24* model) {
  int r = s->rank, f = N - r, pivot[N];
  double K[N * N], c[N], Mh[N * N], z[N];
  for (int i = 0; i < r; i++) memcpy(&K[i * N], &s->reduced[i * WIDE], sizeof(double) * N);
  memcpy(&K[r * N], s->V, sizeof(double) * (size_t)(f * N));
  for (int i = 0; i < N; i++) c[i] = s->reduced[i * WIDE + N];
  s->singular = !sar_lu_factor(N, K, pivot);
  if (s->singular) return;
  sar_lu_solve(N, K, pivot, c);
  for (int i = 0; i < f; i++) {
    const double* v = &s->V[i * N];
    z[i] = 0;
    for (int j = 0; j < N; j++) z[i] += v[j] * (model->F[j] - model->M[j * (N + 1)] * c[j]);
    for (int k = 0; k < f; k++) {
      Mh[i * f + k] = 0;
      for (int j = 0; j < N; j++) Mh[i * f + k] += v[j] * model->M[j * (N + 1)] * s->V[k * N + j];
    }
  }
  assert_true(sar_lu_factor(f, Mh, pivot));
  sar_lu_solve(f, Mh, pivot, z);
  for (int j = 0; j < N; j++) {
    s->a[j] = c[j];
    for (int i = 0; i < f; i++) s->a[j] += s->V[i * N + j] * z[i];
  }
}

// [Uh,S1,Vh]=svd(Psig'); V=Uh(1:n,r+1:n)
static void printed_svdform(Printed* s, const Coord24* model, SarDenseWork* w) {
  double A[N * N], sigma[N], U[N * N];
  printed_rref(s, model);
  memcpy(A, model->Psi, sizeof A);
  EXPECT_OK(sar_svd_left(N, N, A, sigma, U, w));
  memcpy(s->V, &U[s->rank * N], sizeof(double) * (size_t)((N - s->rank) * N));
  printed_solve(s, model);
}

// [QQ,R]=qr(Psiqm'); V=QQ(1:n,r+1:n)
static void printed_qrform(Printed* s, const Coord24* model, SarDenseWork* w) {
  double A[N * N], tau[N];
  int pivot[N];
  printed_rref(s, model);
  for (int i = 0; i < s->rank; i++) memcpy(&A[i * N], &s->reduced[i * WIDE], sizeof(double) * N);
  sar_qr_pivoted(N, s->rank, A, pivot, tau, w);
  memset(s->V, 0, sizeof s->V);
  for (int k = 0; k < N - s->rank; k++) s->V[k * N + s->rank + k] = 1;
  sar_q_mul(N, N - s->rank, s->rank, A, tau, s->V);
  printed_solve(s, model);
}

// Largest violation of the rows kept: Psi_r a - gamma_r.
static double printed_violation(const Printed* s) {
  double worst = 0;
  for (int i = 0; i < s->rank; i++) {
    double sum = -s->reduced[i * WIDE + N];
    for (int j = 0; j < N; j++) sum += s->reduced[i * WIDE + j] * s->a[j];
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

// ---- tests --------------------------------------------------------------------------------------

static void give_the_true_accelerations(void** state) {
  Fixture* f = *state;
  for (int t = 0; t < COORD24_INSTANTS; t++) {
    const Coord24Instant* at = &coord24_motion[t];
    double truth[2];
    coord24_assemble_at(&f->model, at->a, at->da);
    coord24_minimal(at->a, at->da, truth);
    for (int i = 0; index1_method(i); i++) {
      const SarFormulation* method = index1_method(i);
      if (!takes_redundancy(method)) {
        EXPECT_STATUS(method->accelerations.solve(&f->p), SAR_SINGULAR);
        continue;
      }
      EXPECT_OK(method->accelerations.solve(&f->p));
      if (f->p.rank >= 0) assert_int_equal(f->p.rank, COORD24_RANK);
      for (int k = 0; k < 3; k++) {  // all cranks of a stage turn alike; 2e-12 measured at worst
        EXPECT_NEAR(f->p.a[CRANK1 + 3 * k], truth[0], 1e-10 * 20);
        EXPECT_NEAR(f->p.a[CRANK2 + 3 * k], truth[1], 1e-10 * 20);
      }
    }
  }
  // published for this linkage, from rest
  coord24_assemble_at(&f->model, coord24_motion[0].a, coord24_motion[0].da);
  EXPECT_OK(sar_formulation_find("udwadia-kalaba")->accelerations.solve(&f->p));
  EXPECT_NEAR(f->p.a[CRANK1], -10.558869, 5e-7);
  EXPECT_NEAR(f->p.a[CRANK2], 4.787168, 5e-7);
}

static void hold_when_gamma_contradicts_itself(void** state) {
  Fixture* f = *state;
  static Printed s;
  const Coord24Instant* at = &coord24_motion[1];
  double truth[2];
  coord24_assemble_at(&f->model, at->a, at->da);
  coord24_minimal(at->a, at->da, truth);
  printed_svdform(&s, &f->model, &f->p.dense);
  assert_int_equal(s.rank, 22);  // right as long as gamma is consistent
  assert_false(s.singular);
  EXPECT_NEAR(s.a[CRANK1], truth[0], 1e-9);
  EXPECT_NEAR(s.a[CRANK2], truth[1], 1e-9);

  f->model.gamma[4] += 0.01;  // m/s^2, of about 10: the third crank's pivot
  printed_svdform(&s, &f->model, &f->p.dense);
  assert_int_equal(s.rank, 23);
  assert_int_equal(s.last_pivot, N);  // the gamma column
  for (int j = 0; j < N; j++) EXPECT_NEAR(s.reduced[22 * WIDE + j], 0, 0);
  assert_true(s.singular);
  printed_qrform(&s, &f->model, &f->p.dense);
  assert_true(s.singular);  // nor can any other routine of that shape go on

  double first[N];
  for (int i = 0, seen = 0; index1_method(i); i++) {
    const SarFormulation* method = index1_method(i);
    if (!takes_redundancy(method)) continue;
    EXPECT_OK(method->accelerations.solve(&f->p));
    EXPECT_NEAR(f->p.a[CRANK1], truth[0], 0.02);  // off by what gamma is off
    if (!seen++) memcpy(first, f->p.a, sizeof first);
    EXPECT_ARRAY_NEAR(f->p.a, first, N, 1e-8);
  }
}

static void hold_off_the_constraints(void** state) {
  Fixture* f = *state;
  static Printed s;
  const Coord24Instant* at = &coord24_motion[1];
  double q[N], v[N];
  Rng r = rng_seed(3);
  coord24_pose(at->a, at->da, q, v);
  for (int i = 0; i < N; i++) q[i] += rng_uniform(&r, -1e-5, 1e-5);  // drift
  coord24_assemble(&f->model, q, v);
  f->model.F[CRANK1] = 5;  // unlike forces on like cranks, so that the redundant rows are at work

  printed_qrform(&s, &f->model, &f->p.dense);
  assert_int_equal(s.rank, 22);
  EXPECT_AT_MOST(printed_violation(&s), 1e-12);
  printed_svdform(&s, &f->model, &f->p.dense);
  assert_int_equal(s.rank, 22);
  assert_true(printed_violation(&s) > 1e-6);  // of the size of the drift

  double first[N];
  f->p.tol = 1e-3;  // above the drift
  for (int i = 0, seen = 0; index1_method(i); i++) {
    const SarFormulation* method = index1_method(i);
    if (!takes_redundancy(method) || strcmp(method->name, "penalty") == 0) continue;
    EXPECT_OK(method->accelerations.solve(&f->p));
    assert_int_equal(f->p.rank, 22);
    for (int k = 0; k < 22; k++) {
      const double* row = &f->model.Psi[f->p.rows.row[k] * N];
      double sum = -f->model.gamma[f->p.rows.row[k]];
      for (int j = 0; j < N; j++) sum += row[j] * f->p.a[j];
      EXPECT_NEAR(sum, 0, 1e-3);  // shared out by least squares with the rows left out
    }
    if (!seen++) memcpy(first, f->p.a, sizeof first);
    EXPECT_ARRAY_NEAR(f->p.a, first, N, 1e-2);
  }
  f->p.tol = SAR_INDEX1_TOL;
}

static void hold_for_a_linkage_of_millimetres(void** state) {
  Fixture* f = *state;
  static Printed s;
  const double size = 1e-3;
  const Coord24Instant* at = &coord24_motion[1];
  double truth[2];
  coord24_assemble_at(&f->model, at->a, at->da);
  coord24_minimal(at->a, at->da, truth);
  // all lengths and gravity times `size`: the same angular accelerations
  for (int b = 0; b < COORD24_BODIES; b++) {
    f->model.M[(3 * b + 2) * (N + 1)] *= size * size;
    f->model.F[3 * b + 1] *= size;
    for (int k = 0; k < N; k++) f->model.Psi[k * N + 3 * b + 2] *= size;
  }
  for (int k = 0; k < N; k++) f->model.gamma[k] *= size;
  printed_rref(&s, &f->model);
  assert_true(s.rank < COORD24_RANK);
  for (int i = 0; index1_method(i); i++) {
    const SarFormulation* method = index1_method(i);
    if (!takes_redundancy(method) || strcmp(method->name, "penalty") == 0) continue;
    EXPECT_OK(method->accelerations.solve(&f->p));
    assert_int_equal(f->p.rank, COORD24_RANK);
    EXPECT_NEAR(f->p.a[CRANK1], truth[0], 1e-6);
    EXPECT_NEAR(f->p.a[CRANK2], truth[1], 1e-6);
  }
}

// v1=v.^1/2 halves the inverse masses where their root is meant: the metric of Gauss' principle
// becomes M^2. Constraints hold all the same, so only the motion tells.
static void differ_from_the_printed_root(void** state) {
  Fixture* f = *state;
  double af[N];
  coord24_assemble_at(&f->model, coord24_motion[0].a, coord24_motion[0].da);
  SarIndex1* p = &f->p;
  double M[N * N] = {0};  // the metric of the printed code: B = M^-1 / 2, so B B' = M^-2 / 4
  for (int i = 0; i < N; i++) {
    double mass = f->model.M[i * (N + 1)];
    M[i * (N + 1)] = 4 * mass * mass;
    af[i] = f->model.F[i] / mass;
  }
  double F[N];  // same af in the other metric
  for (int i = 0; i < N; i++) F[i] = M[i * (N + 1)] * af[i];
  p->M = M, p->F = F;
  EXPECT_OK(sar_formulation_find("udwadia-kalaba")->accelerations.solve(p));
  EXPECT_NEAR(p->a[CRANK1], -10.486174, 5e-7);
  EXPECT_NEAR(p->a[CRANK2], 4.677138, 5e-7);
  p->M = f->model.M, p->F = f->model.F;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(give_the_true_accelerations),
      cmocka_unit_test(hold_when_gamma_contradicts_itself),
      cmocka_unit_test(hold_off_the_constraints),
      cmocka_unit_test(hold_for_a_linkage_of_millimetres),
      cmocka_unit_test(differ_from_the_printed_root),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
