// The rule by which sar_choose picks, with figures made up here: no clock takes part.
#include "support/test.h"

#include "sim/trial.h"

static const double MICRO = 1e-6;

static SarTrial trial(const char* formulation, const char* integrator, double error, double median,
                      double worst) {
  return (SarTrial){.formulation = formulation,
                    .integrator = integrator,
                    .error = error,
                    .median = median * MICRO,
                    .worst = worst * MICRO};
}

static int pick(const SarTrial* t, int count, double deadline) {
  int fastest;
  return sar_trial_pick(t, count, deadline * MICRO, 1e-3, &fastest);
}

static void cheapest_of_the_accurate_ones(void** state) {
  (void)state;
  const SarTrial t[] = {trial("lagrange", "semi-implicit", 2e-2, 2, 3),
                        trial("lagrange", "rk4", 1e-9, 8, 9),
                        trial("hybrid", "trapezoidal", 9e-4, 5, 20)};
  assert_int_equal(pick(t, 3, 0), 2);
  assert_int_equal(pick(t, 3, 10), 1);  // hybrid's worst step is too long
  assert_int_equal(pick(t, 2, 0), 1);
}

// Of what is equally good the first: 10 % are within what clocks disagree by.
static void ties_go_to_the_first(void** state) {
  (void)state;
  SarTrial t[] = {trial("aba", "rk4", 1e-9, 10, 10), trial("crba", "rk4", 1e-9, 9.1, 10)};
  assert_int_equal(pick(t, 2, 0), 0);
  t[1].median = 8.9 * MICRO;
  assert_int_equal(pick(t, 2, 0), 1);
}

// Nothing reaches 1e-3: three times the least error is as good.
static void where_none_is_accurate_the_best_are(void** state) {
  (void)state;
  const SarTrial t[] = {trial("lagrange", "semi-implicit", 0.7, 2, 3),
                        trial("lagrange", "rk4", 0.010, 8, 9),
                        trial("hybrid", "trapezoidal", 0.029, 5, 6)};
  assert_int_equal(pick(t, 3, 0), 2);
  SarChoice c = {.step = 0.01, .count = 3, .chosen = 2, .trial = {t[0], t[1], t[2]}};
  sar_trial_words(&c, 1e-3, c.reason, sizeof c.reason);
  assert_string_equal(c.reason,
                      "5 us a step of 0.01 s, 6 us at worst, error 3e-02 (nothing reaches 1e-03), "
                      "against 8 us for lagrange with rk4; follows the motion where lagrange with "
                      "semi-implicit does not");
}

static void failed_ones_do_not_count(void** state) {
  (void)state;
  SarTrial t[] = {trial("recursive", "trapezoidal", 0, 0, 0),
                  trial("hybrid", "trapezoidal", 0.5, 5, 6)};
  int fastest;
  t[0].status = SAR_NOT_CONVERGED;
  assert_int_equal(pick(t, 2, 0), 1);
  assert_int_equal(pick(t, 1, 0), SAR_PICK_NONE);
  assert_int_equal(pick(t, 0, 0), SAR_PICK_NONE);
  assert_int_equal(sar_trial_pick(t, 2, 5.9 * MICRO, 1e-3, &fastest), SAR_PICK_LATE);
  assert_int_equal(fastest, 1);
}

// The longest names fit.
static void words_stay_in_their_place(void** state) {
  (void)state;
  SarChoice c = {.step = 1.0 / 3, .count = 3, .chosen = 0};
  c.trial[0] = trial("udwadia-phohomsiri", "generalized-alpha", 0.123, 12345.6, 123456.7);
  c.trial[1] = trial("zero-eigenvalue", "generalized-alpha", 0.123, 12345.6, 123456.7);
  c.trial[2] = trial("lagrange-dense", "generalized-alpha", 0.9, 1234.56, 123456.7);
  char small[40];
  sar_trial_words(&c, 1e-3, c.reason, sizeof c.reason);
  sar_trial_words(&c, 1e-3, small, sizeof small);
  assert_true(strlen(c.reason) < sizeof c.reason - 1);
  assert_int_equal(strlen(small), sizeof small - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cheapest_of_the_accurate_ones),
      cmocka_unit_test(ties_go_to_the_first),
      cmocka_unit_test(where_none_is_accurate_the_best_are),
      cmocka_unit_test(failed_ones_do_not_count),
      cmocka_unit_test(words_stay_in_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
