// Cholesky inside an envelope: residuals of random systems of every shape; indefinite ones are
// refused.
#include "support/test.h"

#include "linalg/envelope.h"

enum { MAX = 40 };

typedef struct System {
  int first[MAX];
  size_t adr[MAX];
  double value[MAX * MAX], inverse[MAX], full[MAX][MAX];
  SarEnvelope e;
} System;

// diagonally dominant, hence definite; each row begins at a random column
static void make_system(System* s, int n, Rng* r) {
  size_t before = 0;
  *s = (System){.e = {n, s->first, s->adr, s->value, s->inverse}};
  for (int i = 0; i < n; i++) {
    s->first[i] = (int)rng_uniform(r, 0, i + 0.999);
    s->adr[i] = before - (size_t)s->first[i];
    before += (size_t)(i - s->first[i] + 1);
    for (int j = s->first[i]; j <= i; j++) {
      const double x = i == j ? 2 * n : rng_uniform(r, -1, 1);
      s->value[s->adr[i] + (size_t)j] = s->full[i][j] = s->full[j][i] = x;
    }
  }
}

static void solves_random_systems(void** state) {
  (void)state;
  static System s;
  Rng r = rng_seed(3);
  for (int n = 1; n <= MAX; n++) {
    double x[MAX], b[MAX];
    make_system(&s, n, &r);
    for (int i = 0; i < n; i++) x[i] = b[i] = rng_uniform(&r, -1, 1);
    assert_true(sar_envelope_factor(&s.e));
    sar_envelope_solve(&s.e, x);
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < n; j++) sum += s.full[i][j] * x[j];
      EXPECT_NEAR(sum, b[i],
                  1e-14);  // condition below 3: rounding of a sum of n products of size 1
    }
  }
}

static void refuses_indefinite_and_nan(void** state) {
  (void)state;
  static System s;
  Rng r = rng_seed(4);
  make_system(&s, 5, &r);
  s.value[s.adr[3] + 3] = -1;
  assert_false(sar_envelope_factor(&s.e));
  make_system(&s, 5, &r);
  s.value[s.adr[2] + 2] = (double)NAN;
  assert_false(sar_envelope_factor(&s.e));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_random_systems),
      cmocka_unit_test(refuses_indefinite_and_nan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
