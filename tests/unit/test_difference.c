// Differences of results, on curves whose differences are known: scales, matching of names and
// times, and the two ways in which runs part.
#include "support/test.h"

#include "output/difference.h"

static SarTable table(const char* const* names, int columns) {
  SarTable t;
  EXPECT_OK(sar_table_init(&t, names, columns));
  return t;
}

static void differences_count_in_scales_of_vectors(void** state) {
  (void)state;
  const char* const names[] = {"time", "p.x", "p.y", "energy.error"};
  const char* const swapped[] = {"time", "energy.error", "p.y", "p.x"};
  SarTable a = table(names, 4), b = table(swapped, 4);
  for (int i = 0; i < 5; i++) {
    // x reaches 8, y is rounding: y counts in units of x, its own would say 100 %
    EXPECT_OK(sar_table_add(&a, (double[]){i, 2 * i, 1e-15, 0}));
    EXPECT_OK(sar_table_add(&b, (double[]){i, 7, -1e-15, i == 3 ? 6.4 : 2 * i}));
  }
  SarDifference d;
  EXPECT_OK(sar_table_difference(&a, &b, NULL, &d));
  assert_int_equal(d.columns, 2);
  assert_int_equal(d.rows, 5);
  EXPECT_NEAR(d.largest, 0.4 / 8, 1e-15);
  assert_string_equal(a.names[d.column], "p.x");
  EXPECT_NEAR(d.time, 3, 0);
  assert_true(isnan(d.parted));
  EXPECT_OK(sar_table_difference(&a, &b, "p.y", &d));
  EXPECT_NEAR(d.largest, 2e-15 / 8, 1e-25);
  EXPECT_OK(sar_table_difference(&a, &b, "nothing*", &d));
  assert_int_equal(d.column, -1);
  sar_table_clear(&a);
  sar_table_clear(&b);
}

// Torques that a planar joint does not carry are rounding beside its forces, and so is the reaction
// of a joint that carries nothing beside all others: neither is an error of 100 %.
static void rounding_is_no_difference(void** state) {
  (void)state;
  const char* const names[] = {"time", "A.fx", "A.tx", "A.ty", "B.fx"};
  SarTable a = table(names, 5), b = table(names, 5);
  EXPECT_OK(sar_table_add(&a, (double[]){0, 100, 1e-16, -2e-16, 1e-15}));
  EXPECT_OK(sar_table_add(&b, (double[]){0, 100, 3e-16, 1e-16, -1e-15}));
  SarDifference d;
  EXPECT_OK(sar_table_difference(&a, &b, NULL, &d));
  assert_int_equal(d.columns, 4);
  EXPECT_AT_MOST(d.largest, 2.1e-15 / (1e-9 * 100));
  // a torque that is small but real still counts in its own scale
  a.values[2] = 1e-3, b.values[2] = 1.1e-3;
  EXPECT_OK(sar_table_difference(&a, &b, NULL, &d));
  EXPECT_NEAR(d.largest, 0.1, 1e-9);
  sar_table_clear(&a);
  sar_table_clear(&b);
}

static void only_common_times_count(void** state) {
  (void)state;
  const char* const names[] = {"time", "a.q"};
  const char* const theirs[] = {"t", "a.s"};  // another program's name for it
  SarTable a = table(theirs, 2), b = table(names, 2);
  for (int i = 0; i < 10; i++) EXPECT_OK(sar_table_add(&a, (double[]){0.1 * i, 1}));
  for (int i = 0; i < 10; i++) EXPECT_OK(sar_table_add(&b, (double[]){0.2 * i, 1 + 0.01 * i}));
  SarDifference d;
  EXPECT_OK(sar_table_difference(&a, &b, NULL, &d));
  assert_int_equal(d.rows, 5);  // 0, 0.2, ... 0.8
  EXPECT_NEAR(d.largest, 0.04, 1e-15);
  b.values[3] = (double)NAN;
  EXPECT_OK(sar_table_difference(&a, &b, NULL, &d));
  assert_true(isinf(d.largest));
  sar_table_clear(&a);
  sar_table_clear(&b);
}

// sin t against one that runs late ever more, and against one that turns round at t = 20.
static void branches_part_at_once_and_errors_slowly(void** state) {
  (void)state;
  const char* const names[] = {"time", "a.q"};
  SarTable a = table(names, 2), late = table(names, 2), other = table(names, 2);
  for (int i = 0; i < 1000; i++) {
    const double t = 0.05 * i;
    EXPECT_OK(sar_table_add(&a, (double[]){t, sin(t)}));
    EXPECT_OK(sar_table_add(&late, (double[]){t, sin(0.995 * t)}));
    EXPECT_OK(sar_table_add(&other, (double[]){t, t < 20 ? sin(t) : sin(40 - t)}));
  }
  SarDifference d;
  EXPECT_OK(sar_table_difference(&a, &late, NULL, &d));
  // the phase is off by 0.02 at t = 4 and by 0.1 at t = 20, near the zeros of the sine where it
  // shows: the way between is 16 times 2 / pi
  EXPECT_NEAR(d.parted, 20, 2);
  EXPECT_NEAR(d.parting, 32 / 3.1416, 2);
  EXPECT_OK(sar_table_difference(&a, &other, NULL, &d));
  EXPECT_NEAR(d.parted, 20.1, 0.11);
  assert_true(d.parting < 0.3);
  sar_table_clear(&a);
  sar_table_clear(&late);
  sar_table_clear(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differences_count_in_scales_of_vectors),
      cmocka_unit_test(rounding_is_no_difference),
      cmocka_unit_test(only_common_times_count),
      cmocka_unit_test(branches_part_at_once_and_errors_slowly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
