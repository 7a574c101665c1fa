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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_undoes_forward),
      cmocka_unit_test(mass_matrix_solve_equals_articulated_bodies),
      cmocka_unit_test(mass_matrix_is_the_one_of_energy_and_of_newton_euler),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
