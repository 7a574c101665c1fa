// Tree dynamics against itself: each quantity is computed in two ways that share as little as
// possible, on random trees of every registered kind of joint.
//
// Trees of 60 bodies on arms of half a metre have mass matrices with condition numbers around 1e6:
// what is compared is accurate to about 1e-12 relative to the largest term of its sum.
#include "support/test.h"
#include "support/tree_builder.h"

#include "dynamics/mass.h"

#include <stdlib.h>

enum { TREES = 1000, MAX_BODIES = 60, MAX_NV = 6 * MAX_BODIES };
static const double BOUND = 1e-10;

typedef struct Case {
  SarModel* m;
  SarData* d;
} Case;

static Case new_case(Rng* r, SarModel* m) {
  Case c = {m, NULL};
  assert_non_null(m);
  EXPECT_OK(sar_data_new(m, &c.d, NULL));
  tree_random_state(r, m, c.d->q, c.d->v, c.d->tau);
  sar_update_kinematics(m, c.d);
  return c;
}

static Case random_case(int seed) {
  Rng r = rng_seed((uint64_t)seed);
  int nbody = 1 + rng_int(&r, MAX_BODIES);
  return new_case(&r, tree_random(&r, nbody));
}

static void free_case(Case c) {
  sar_data_free(c.d);
  sar_model_free(c.m);
}

static double largest(const double* x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static double* new_matrix(const SarModel* m) {
  double* M = calloc((size_t)m->nv * (size_t)m->nv + 1, sizeof *M);
  assert_non_null(M);
  return M;
}

// tau -> a by articulated bodies -> tau by Newton-Euler
static void inverse_undoes_forward(void** state) {
  (void)state;
  double worst = 0;
  for (int k = 0; k < test_effort(TREES); k++) {
    Case c = random_case(k);
    double tau[MAX_NV];
    EXPECT_OK(sar_aba(c.m, c.d));
    sar_rnea(c.m, c.d, c.d->a, tau);
    double scale = fmax(1, largest(c.d->tau, c.m->nv)), error = 0;
    for (int i = 0; i < c.m->nv; i++) error = fmax(error, fabs(tau[i] - c.d->tau[i]));
    worst = fmax(worst, error / scale);
    free_case(c);
  }
  print_message("worst relative difference of tau: %.2g\n", worst);
  EXPECT_AT_MOST(worst, BOUND);
}

static void mass_matrix_solve_equals_articulated_bodies(void** state) {
  (void)state;
  double worst = 0;
  for (int k = 0; k < test_effort(TREES); k++) {
    Case c = random_case(k);
    double a[MAX_NV], *mass = new_matrix(c.m);
    EXPECT_OK(sar_aba(c.m, c.d));
    memcpy(a, c.d->a, (size_t)c.m->nv * sizeof *a);
    EXPECT_OK(sar_crba_accel(c.m, c.d, mass));
    double scale = fmax(1, largest(a, c.m->nv)), error = 0;
    for (int i = 0; i < c.m->nv; i++) error = fmax(error, fabs(a[i] - c.d->a[i]));
    worst = fmax(worst, error / scale);
    free(mass);
    free_case(c);
  }
  print_message("worst relative difference of a: %.2g\n", worst);
  EXPECT_AT_MOST(worst, BOUND);
}

// T = v'M v / 2 from the bodies; column j of M = rnea(unit acceleration j) - rnea(0)
static void mass_matrix_is_the_one_of_energy_and_of_newton_euler(void** state) {
  (void)state;
  for (int k = 0; k < test_effort(TREES / 10); k++) {
    Case c = random_case(k);
    const int nv = c.m->nv;
    double *M = new_matrix(c.m), bias[MAX_NV], unit[MAX_NV], column[MAX_NV], T = 0;
    sar_crba_dense(c.m, c.d, M);
    for (int i = 0; i < nv; i++)
      for (int j = 0; j < nv; j++) T += 0.5 * c.d->v[i] * M[i * nv + j] * c.d->v[j];
    EXPECT_NEAR(sar_kinetic_energy(c.m, c.d), T, 1e-12 * (1 + T));
    sar_rnea(c.m, c.d, NULL, bias);
    for (int j = 0; j < nv; j++) {
      memset(unit, 0, sizeof unit);
      unit[j] = 1;
      sar_rnea(c.m, c.d, unit, column);
      double scale = 1e-12 * (1 + largest(bias, nv) + largest(column, nv));
      for (int i = 0; i < nv; i++) EXPECT_NEAR(M[i * nv + j], column[i] - bias[i], scale);
    }
    free(M);
    free_case(c);
  }
}

// Accelerations by articulated bodies need the forces that were given, and are those of the mass
// matrix.
static void check_agreement(const Case* c) {
  double a[MAX_NV], tau[MAX_NV], *mass = new_matrix(c->m);
  const int nv = c->m->nv;
  EXPECT_OK(sar_aba(c->m, c->d));
  memcpy(a, c->d->a, (size_t)nv * sizeof *a);
  sar_rnea(c->m, c->d, a, tau);
  EXPECT_ARRAY_NEAR(tau, c->d->tau, nv, BOUND * (1 + largest(c->d->tau, nv)));
  EXPECT_OK(sar_crba_accel(c->m, c->d, mass));
  EXPECT_ARRAY_NEAR(c->d->a, a, nv, BOUND * (1 + largest(a, nv)));
  free(mass);
}

// every registered kind alone, so that none hides behind the others
static void every_kind_of_joint(void** state) {
  (void)state;
  for (int k = 0; sar_joint_kind(k); k++)
    for (int seed = 0; seed < 20; seed++) {
      Rng r = rng_seed((uint64_t)seed);
      Case c = new_case(&r, tree_random_of(&r, 8, sar_joint_kind(k)));
      check_agreement(&c);
      free_case(c);
    }
}

// forces on bodies: ABA and Newton-Euler take them from body_F alike
static void applied_forces_enter_alike(void** state) {
  (void)state;
  for (int k = 0; k < test_effort(TREES / 10); k++) {
    Case c = random_case(k);
    Rng r = rng_seed((uint64_t)k);
    c.m->nforce = 1;  // as if there were an element: its force is what body_F says
    for (int b = 0; b < c.m->nbody; b++)
      c.d->body_F[b] = (Force){rng_v3(&r, -10, 10), rng_v3(&r, -10, 10)};
    check_agreement(&c);
    free_case(c);
  }
}

// Two revolute joints with a massless body between them and a third that carries nothing at the
// tip.
static void massless_bodies(void** state) {
  (void)state;
  const SarJointKind* revolute = sar_joint_kind_find("revolute");
  const M3 across = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  TreeBody bodies[] = {
      {.parent = -1, .kind = revolute, .X_PF = x_identity()},
      {.parent = 0, .kind = revolute, .X_PF = {across, {0, 0, 0}}},
      {.parent = 1, .kind = revolute, .X_PF = {across, {0, 0, 1}}},
  };
  bodies[1].inertia = inertia_of(2, v3(0.1, 0.2, 0.5), (S3){0.1, 0, 0, 0.1, 0, 0.1});
  SarModel* m = tree_build(bodies, 2, v3(0, 0, -9.81));
  SarData* d;
  double tau[3];
  EXPECT_OK(sar_data_new(m, &d, NULL));
  d->q[1] = 0.3, d->v[0] = 1, d->v[1] = -2, d->tau_host[0] = 5;
  EXPECT_OK(sar_forward_dynamics(d));
  sar_rnea(m, d, d->a, tau);
  EXPECT_NEAR(tau[0], 5, 1e-12);
  EXPECT_NEAR(tau[1], 0, 1e-12);
  sar_data_free(d);
  sar_model_free(m);

  m = tree_build(bodies, 3, v3(0, 0, -9.81));
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_STATUS(sar_forward_dynamics(d), SAR_SINGULAR);
  d->v[0] = (double)NAN;
  EXPECT_STATUS(sar_forward_dynamics(d), SAR_NOT_FINITE);
  sar_data_free(d);
  sar_model_free(m);
}

static bool all_finite(const double* x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

// A number that is none, in any coordinate of trees of any size: the answer says so wherever it has
// come to, and only then.
static void what_is_not_finite_is_told(void** state) {
  static const double NONE[] = {(double)INFINITY, -(double)INFINITY, (double)NAN};
  (void)state;
  for (int k = 0; k < test_effort(TREES); k++) {
    Case c = random_case((int)test_seed(0) + k);
    Rng r = rng_seed((uint64_t)k);
    const int nv = c.m->nv, i = nv > 0 ? rng_int(&r, nv) : 0;
    double *M = new_matrix(c.m), a[MAX_NV] = {0}, tau[MAX_NV];
    EXPECT_OK(sar_inverse_dynamics(c.d, a, tau));
    EXPECT_OK(sar_mass_matrix(c.d, M));
    a[i] = NONE[k % 3];
    EXPECT_STATUS(sar_inverse_dynamics(c.d, a, tau), nv > 0 ? SAR_NOT_FINITE : SAR_OK);
    if (nv > 0) c.d->q[rng_int(&r, c.m->nq)] = NONE[k % 3];
    const SarStatus st = sar_mass_matrix(c.d, M);
    EXPECT_STATUS(st, all_finite(M, nv * nv) ? SAR_OK : SAR_NOT_FINITE);
    free(M);
    free_case(c);
  }
}

// FNV-1a over the bytes of n doubles, lowest first
static uint64_t hash_doubles(uint64_t hash, const double* x, int n) {
  for (int i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    for (int k = 0; k < 64; k += 8) hash = (hash ^ (bits >> k & 0xff)) * 0x100000001b3u;
  }
  return hash;
}

// The bits of the portable build, whatever the compiler, the machine and the optimisation.
static void bits_are_fixed(void** state) {
  (void)state;
#ifdef __FMA__
  skip();  // fused operations round differently
#endif
  SarModel* m = tree_chain(50);
  SarData* d;
  Rng r = rng_seed(7);
  EXPECT_OK(sar_data_new(m, &d, NULL));
  tree_random_state(&r, m, d->q, d->v, d->tau_host);
  for (int i = 0; i < 100; i++) {
    EXPECT_OK(sar_forward_dynamics(d));
    for (int k = 0; k < m->nv; k++) {
      d->v[k] += 1e-3 * d->a[k];
      d->q[k] += 1e-3 * d->v[k];
    }
  }
  uint64_t hash = hash_doubles(0xcbf29ce484222325u, &d->t, 1);
  hash = hash_doubles(hash, d->q, m->nq);
  hash = hash_doubles(hash, d->v, m->nv);
  hash = hash_doubles(hash, d->work, m->nwork);
  assert_int_equal(hash, 0x89850262e1d868a8u);
  sar_data_free(d);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_undoes_forward),
      cmocka_unit_test(mass_matrix_solve_equals_articulated_bodies),
      cmocka_unit_test(mass_matrix_is_the_one_of_energy_and_of_newton_euler),
      cmocka_unit_test(every_kind_of_joint),
      cmocka_unit_test(applied_forces_enter_alike),
      cmocka_unit_test(massless_bodies),
      cmocka_unit_test(what_is_not_finite_is_told),
      cmocka_unit_test(bits_are_fixed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
