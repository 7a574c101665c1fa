// The histogram behind the step times of a run, with times made up here.
#include "support/test.h"

#include "sim/step_times.h"

static SarStepTimes empty(double deadline) {
  SarStepTimes h;
  sar_step_times_init(&h, deadline);
  h.clock = 0;
  return h;
}

// A bin is 1/32 of an octave wide and at most 1/32 of its lower edge: the middle is within 1/64.
static void median_is_right_to_two_percent(void** state) {
  (void)state;
  Rng r = rng_seed(7);
  for (int trial = 0; trial < 200; trial++) {
    const double middle = 1e-8 * exp2(rng_uniform(&r, 0, 25));
    SarStepTimes h = empty(0);
    for (int k = -10; k <= 10; k++) sar_step_times_add(&h, middle * exp2(k), 0);
    EXPECT_NEAR(sar_step_times_median(&h), middle, middle / 60);
  }
}

static void worst_and_late_ones_are_exact(void** state) {
  (void)state;
  SarStepTimes h = empty(3e-6);
  const double took[] = {1e-6, 3e-6, 5e-6, 3.1e-6, 2e-6};
  for (int k = 0; k < 5; k++) sar_step_times_add(&h, took[k], k);
  assert_int_equal(h.count, 5);
  assert_int_equal(h.late, 2);  // one is at the deadline: in time
  assert_true(h.worst == 5e-6 && h.worst_at == 2);
}

// Without steps, with clocks that stand still, with steps of centuries: no index leaves the array.
static void extremes_stay_in_the_histogram(void** state) {
  (void)state;
  SarStepTimes h = empty(0);
  assert_true(sar_step_times_median(&h) == 0);
  sar_step_times_add(&h, 0, 0);
  sar_step_times_add(&h, -1, 0);
  sar_step_times_add(&h, 1e-30, 0);
  assert_true(sar_step_times_median(&h) <= 1e-30);
  for (int k = 0; k < 9; k++) sar_step_times_add(&h, 1e10, 1);
  assert_int_equal(h.count, 12);
  assert_true(sar_step_times_median(&h) > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(median_is_right_to_two_percent),
      cmocka_unit_test(worst_and_late_ones_are_exact),
      cmocka_unit_test(extremes_stay_in_the_histogram),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
