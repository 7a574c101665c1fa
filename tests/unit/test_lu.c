// Dense LU: residuals of random systems, pivoting, singular matrices.
#include "support/test.h"

#include "linalg/apart.h"
#include "linalg/lu.h"

enum { MAX = 40 };

static void solves_random_systems(void** state) {
  (void)state;
  Rng r = rng_seed(7);
  for (int n = 1; n <= MAX; n++) {
    double A[MAX * MAX], LU[MAX * MAX], x[MAX], b[MAX];
    int pivot[MAX];
    for (int i = 0; i < n * n; i++) LU[i] = A[i] = rng_uniform(&r, -1, 1);
    for (int i = 0; i < n; i++) x[i] = b[i] = rng_uniform(&r, -1, 1);
    assert_true(sar_lu_factor(n, LU, pivot));
    sar_lu_solve(n, LU, pivot, x);
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < n; j++) sum += A[i * n + j] * x[j];
      // backward stable: |A x - b| of the order of n eps |A| |x|
      EXPECT_NEAR(sum, b[i], 1e-15 * n * n * (1 + largest));
    }
  }
}

static void needs_pivoting(void** state) {
  (void)state;
  double A[4] = {0, 2, 4, 0}, x[2] = {6, 8};  // 2 y = 6, 4 x = 8
  int pivot[2];
  assert_true(sar_lu_factor(2, A, pivot));
  sar_lu_solve(2, A, pivot, x);
  EXPECT_NEAR(x[0], 2, 0);
  EXPECT_NEAR(x[1], 3, 0);
}

static void refuses_singular_and_nan(void** state) {
  (void)state;
  int pivot[2];
  double singular[4] = {1, 2, 2, 4}, nan[4] = {1, 0, 0, (double)NAN};
  assert_false(sar_lu_factor(2, singular, pivot));
  assert_false(sar_lu_factor(2, nan, pivot));
}

static void has_nothing_to_do_for_no_unknowns(void** state) {
  (void)state;
  assert_true(sar_lu_factor(0, NULL, NULL));
  sar_lu_solve(0, NULL, NULL, NULL);
}

// Three directions in space: the second is nearly the first, the fourth follows from others; equal
// ones in turn.
static void rows_apart(void** state) {
  (void)state;
  const double c = cos(0.1), s = sin(0.1), h = sqrt(0.5);
  double row[] = {1, 0, 0, c, s, 0, 0, 0, 1, h, 0, h, 0, 0, 0};
  int chosen[5];
  assert_int_equal(sar_rows_apart(5, 3, row, chosen), 3);
  assert_int_equal(chosen[0], 0);
  assert_int_equal(chosen[1], 2);
  assert_int_equal(chosen[2], 1);
  double same[] = {1, 0, 1 + 1e-15, 0, -1, 1e-12};
  assert_int_equal(sar_rows_apart(3, 2, same, chosen), 1);
  assert_int_equal(chosen[0], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_random_systems),
      cmocka_unit_test(needs_pivoting),
      cmocka_unit_test(refuses_singular_and_nan),
      cmocka_unit_test(has_nothing_to_do_for_no_unknowns),
      cmocka_unit_test(rows_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
