// Length of two numbers, cube root and inverse hyperbolic cosine as expressions have them, against
// the C library's in extended precision; and the kernel of expressions is the engine's own
// function.
#include "support/test.h"

#include "math/hypot.h"
#include "symbolic/op.h"

#include <float.h>

enum { TRIALS = 100000 };

// error of x in units of the last place of the true value
static double error_in_ulps(double x, long double truth) {
  int e;
  frexp((double)truth, &e);
  return (double)(fabsl((long double)x - truth) / ldexpl(1, e - 53));
}

static void lengths_are_accurate_and_the_same(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  static const double SCALES[] = {1, 1e-12, 1e12, 1e-200, 1e200, 1e-300, 1e300};
  for (int k = 0; k < 7; k++) {
    double worst = 0;
    for (int i = 0; i < test_effort(TRIALS); i++) {
      const double x = rng_uniform(&r, -SCALES[k], SCALES[k]);
      const double y = rng_uniform(&r, -1, 1) * (i % 2 ? x : SCALES[k]);
      worst = fmax(worst, error_in_ulps(sar_hypot(x, y), hypotl((long double)x, (long double)y)));
      assert_true(sar_hypot(x, y) == sar_op_apply(SAR_OP_HYPOT, x, y));
      assert_true(sar_hypot(x, y) == sar_hypot(-y, x));
    }
    // roundings of squares and sum, halved by the root, and its own; those of the quotient beside
    // them
    EXPECT_AT_MOST(worst, fabs(log10(SCALES[k])) < 15 ? 1.5 : 2.5);
  }
}

static void lengths_of_what_is_no_number(void** state) {
  (void)state;
  assert_true(sar_hypot(0, 0) == 0 && sar_hypot(0, -3e-320) == 3e-320);
  assert_true(isinf(sar_hypot((double)INFINITY, 1)) && isinf(sar_hypot(1, (double)-INFINITY)));
  assert_true(isnan(sar_hypot((double)NAN, 1)) && isnan(sar_hypot(1, (double)NAN)));
  assert_true(sar_hypot(DBL_MIN, DBL_MIN) > DBL_MIN && sar_hypot(3e300, 4e300) < 5.1e300);
}

static void roots_are_accurate(void** state) {
  (void)state;
  Rng r = rng_seed(2);
  double cube = 0, area = 0;
  for (int i = 0; i < test_effort(TRIALS); i++) {
    const double x = exp(rng_uniform(&r, -700, 700)) * (i % 2 ? 1 : -1);
    cube = fmax(cube, error_in_ulps(sar_op_apply(SAR_OP_CBRT, x, 0), cbrtl((long double)x)));
    const double a = 1 + exp(rng_uniform(&r, -30, 30));
    area = fmax(area, error_in_ulps(sar_op_apply(SAR_OP_ACOSH, a, 0), acoshl((long double)a)));
  }
  EXPECT_AT_MOST(cube, 1.5);
  EXPECT_AT_MOST(area, 3.0);
  assert_true(sar_op_apply(SAR_OP_CBRT, 0, 0) == 0 && sar_op_apply(SAR_OP_CBRT, -27, 0) == -3);
  assert_true(isinf(sar_op_apply(SAR_OP_CBRT, (double)INFINITY, 0)));
  assert_true(sar_op_apply(SAR_OP_ACOSH, 1, 0) == 0 && isnan(sar_op_apply(SAR_OP_ACOSH, 0.5, 0)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lengths_are_accurate_and_the_same),
      cmocka_unit_test(lengths_of_what_is_no_number),
      cmocka_unit_test(roots_are_accurate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
