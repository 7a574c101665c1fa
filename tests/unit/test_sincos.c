// Sine and cosine against the C library's in extended precision, which has 11 more bits.
#include "support/test.h"

#include "math/sincos.h"

enum { TRIALS = 100000 };
static const double ULPS = 0.9;

// error of x in units of the last place of the true value
static double error_in_ulps(double x, long double truth) {
  int e;
  frexp((double)truth, &e);
  return (double)(fabsl((long double)x - truth) / ldexpl(1, e - 53));
}

static double worst_error(double x) {
  double s, c;
  sar_sincos(x, &s, &c);
  return fmax(error_in_ulps(s, sinl((long double)x)), error_in_ulps(c, cosl((long double)x)));
}

static void accurate_at_every_size(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  // small angles, many turns, beyond the fast reduction (1.6e6), anywhere
  static const double SCALES[] = {1e-8, 1, 10, 1e3, 1.6e6, 1e7, 1e12};
  for (int k = 0; k < 7; k++) {
    double worst = 0;
    for (int i = 0; i < test_effort(TRIALS); i++)
      worst = fmax(worst, worst_error(rng_uniform(&r, -SCALES[k], SCALES[k])));
    EXPECT_AT_MOST(worst, ULPS);
  }
}

// next to multiples of pi/2 one of the two is tiny, and all its digits come from the reduction
static void accurate_near_zeros(void** state) {
  (void)state;
  for (int k = -20000; k <= 20000; k++) {
    if (k == 0) continue;
    double x = k * 1.5707963267948966;
    EXPECT_AT_MOST(worst_error(x), ULPS);
    EXPECT_AT_MOST(worst_error(nextafter(x, (double)INFINITY)), ULPS);
  }
}

// 2^1023 ... and the double nearest to a multiple of pi/2 of all (Kahan, Muller)
static void accurate_for_huge(void** state) {
  (void)state;
  double s, c;
  sar_sincos(6381956970095103.0 * 0x1p797, &s, &c);
  EXPECT_NEAR(c, -4.6871659242546277e-19, 1e-34);
  EXPECT_NEAR(s, 1, 0);
  sar_sincos(1e22, &s, &c);
  EXPECT_NEAR(s, -0.85220084976718880177, 0x1p-53);  // an ulp
  EXPECT_NEAR(c, 0.52321478539513894549, 0x1p-53);
  sar_sincos(-1e22, &s, &c);
  EXPECT_NEAR(s, 0.85220084976718880177, 0x1p-53);
}

static void special_values(void** state) {
  (void)state;
  double s, c;
  sar_sincos(0, &s, &c);
  EXPECT_NEAR(s, 0, 0);
  EXPECT_NEAR(c, 1, 0);
  const double none[] = {(double)INFINITY, -(double)INFINITY, (double)NAN};
  for (int i = 0; i < 3; i++) {
    sar_sincos(none[i], &s, &c);
    assert_true(isnan(s) && isnan(c));
  }
}

static void arrays_are_bit_equal(void** state) {
  (void)state;
  enum { N = 13, ROOM = N + SAR_SINCOS_PAD };
  Rng r = rng_seed(2);
  for (int trial = 0; trial < 100; trial++) {
    double x[ROOM] = {0}, s[ROOM], c[ROOM];
    for (int i = 0; i < N; i++) x[i] = rng_uniform(&r, -10, 10);
    if (trial % 3 == 0) x[trial % N] = 1e10;  // one for the slow reduction
    sar_sincos_array(N, x, s, c);
    for (int i = 0; i < N; i++) {
      double one_s, one_c;
      sar_sincos(x[i], &one_s, &one_c);
      assert_memory_equal(&s[i], &one_s, sizeof one_s);
      assert_memory_equal(&c[i], &one_c, sizeof one_c);
    }
  }
}

// The bits of the portable build, whatever the compiler and the machine.
static void bits_are_fixed(void** state) {
  (void)state;
#ifdef __FMA__
  skip();  // fused operations round differently
#endif
  uint64_t hash = 0xcbf29ce484222325u;
  Rng r = rng_seed(3);
  for (int i = 0; i < 1000; i++) {
    double sc[2];
    uint64_t bits[2];
    sar_sincos(rng_uniform(&r, -1e4, 1e4), &sc[0], &sc[1]);
    memcpy(bits, sc, sizeof bits);
    for (int k = 0; k < 2; k++) hash = (hash ^ bits[k]) * 0x100000001b3u;
  }
  assert_int_equal(hash, 0xa5e458ac7e700e86u);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accurate_at_every_size), cmocka_unit_test(accurate_near_zeros),
      cmocka_unit_test(accurate_for_huge),      cmocka_unit_test(special_values),
      cmocka_unit_test(arrays_are_bit_equal),   cmocka_unit_test(bits_are_fixed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
