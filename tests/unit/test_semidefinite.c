// The positive semidefinite part of small matrices.
#include "support/test.h"

#include "linalg/semidefinite.h"

enum { N = SAR_SEMIDEFINITE_MAX };

static double form(int n, const double* A, const double* x) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += x[i] * A[n * i + j] * x[j];
  return sum;
}

// The part P of the symmetric A is semidefinite, so is P - A, and they meet at right angles (P (P -
// A) = 0): this is what makes it the nearest. Bounds: rounding of sums of 36 entries of order 6.
static void part_of_random_matrices(void** state) {
  (void)state;
  Rng r = rng_seed(3);
  for (int trial = 0; trial < test_effort(500); trial++) {
    const int n = 1 + rng_int(&r, N);
    double A[N * N], P[N * N], rest[N * N];
    for (int i = 0; i < n * n; i++) A[i] = P[i] = rng_uniform(&r, -2, 2);
    sar_semidefinite_part(n, P);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        rest[n * i + j] = P[n * i + j] - 0.5 * (A[n * i + j] + A[n * j + i]);
        EXPECT_NEAR(P[n * i + j], P[n * j + i], 1e-13);
      }
    for (int k = 0; k < 20; k++) {
      double x[N];
      for (int i = 0; i < n; i++) x[i] = rng_uniform(&r, -1, 1);
      assert_true(form(n, P, x) > -1e-12 && form(n, rest, x) > -1e-12);
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += P[n * i + k] * rest[n * k + j];
        EXPECT_NEAR(sum, 0, 1e-12);
      }
  }
}

// What is semidefinite already keeps every bit: sums of squares, of full rank or less.
static void semidefinite_ones_stay(void** state) {
  (void)state;
  Rng r = rng_seed(4);
  for (int trial = 0; trial < test_effort(200); trial++) {
    const int n = N, rank = rng_int(&r, N + 1);
    double A[N * N] = {0}, P[N * N];
    for (int k = 0; k < rank; k++) {
      double x[N];
      for (int i = 0; i < n; i++) x[i] = rng_uniform(&r, -1, 1);
      for (int i = 0; i < n * n; i++) A[i] += x[i / n] * x[i % n];
    }
    memcpy(P, A, sizeof P);
    sar_semidefinite_part(n, P);
    for (int i = 0; i < n * n; i++) EXPECT_NEAR(P[i], A[i], rank == N ? 0 : 2e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(part_of_random_matrices),
      cmocka_unit_test(semidefinite_ones_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
