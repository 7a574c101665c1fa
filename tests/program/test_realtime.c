// Fixed steps as a real-time program meets them: what a run says about the time of its steps, and
// what is left when an iteration does not converge.
#include "support/program.h"

#define REFERENCE SARRUS_SOURCE_DIR "/tests/models/reference/"

// Times cannot be foretold, but their order can, and a deadline of a nanosecond is missed by all.
static void step_times_are_reported(void** state) {
  (void)state;
  const char* run = "run " REFERENCE "A_double_fourbar.yaml -f hybrid --step 0.01 --end 1";
  char command[400];
  snprintf(command, sizeof command, "%s --json --deadline 1e-9", run);
  const Result* r = expect_status_of(sarrus(command), 0);
  const double median = json_value(r->out, "step_time_median", 0);
  const double worst = json_value(r->out, "step_time_worst", 0);
  const double at = json_value(r->out, "step_time_worst_at", 0);
  assert_true(median > 0 && worst >= median);
  assert_true(at > 0 && at <= 1 + 1e-9);
  assert_true(json_value(r->out, "steps_late", 0) == json_value(r->out, "steps", 0));
  assert_true(json_value(r->out, "realtime_factor", 0) > 0);

  r = expect_status_of(sarrus(run), 0);
  expect_has(r->out, "times real time");
  expect_has(r->out, "step time ");
  expect_has(r->out, "us at worst (t = ");
  expect_lacks(r->out, "took longer");

  r = expect_status_of(sarrus("run " REFERENCE "A_double_fourbar.yaml --end 1"), 0);
  expect_lacks(r->out, "step time ");  // adaptive
}

typedef struct Failure {
  const char *formulation, *hint;
} Failure;

// Andrews' mechanism turns a radian in a step of 4 ms: no iteration gets there from its predictor.
// The row of the start is in the file.
static void no_convergence_is_status_4(void** state) {
  (void)state;
  static const Failure failures[] = {{"hybrid", "or an explicit formulation with error control"},
                                     {"topological", "or formulation 'hybrid'"},
                                     {"recursive", "or formulation 'hybrid'"}};
  for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
    char command[400];
    snprintf(command, sizeof command,
             "run " REFERENCE "G_andrews.yaml -f %s --step 4e-3 --output-step 4e-3 -o @a.csv",
             failures[i].formulation);
    const Result* r = expect_status_of(sarrus(command), 4);
    expect_has(r->err, "at t = 0: 20 iterations did not converge in a step of 0.004 s, joint '");
    expect_has(r->err, "has the largest residual; try a smaller step, more iterations");
    expect_has(r->err, failures[i].hint);
  }
}

// The hardest steps of the double four-bar take 6 iterations: with 5 it gets some way, and all of
// it is kept.
static void rows_before_a_failure_are_kept(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus("run " REFERENCE "A_double_fourbar.yaml -f hybrid --step 0.1 --output-step 0.1 "
             "--max-iterations 5 -o @kept.csv --json"),
      4);
  const double steps = json_value(r->out, "steps", 0), end = json_value(r->out, "end_time", 0);
  assert_true(steps >= 5);
  EXPECT_NEAR(end, 0.1 * steps, 1e-9);
  assert_true(json_value(r->out, "iterations_max", 0) <= 5);
  expect_has(r->err, "5 iterations did not converge");
  SarTable t = read_table("kept.csv");
  assert_int_equal(t.rows, (size_t)steps + 1);
  EXPECT_NEAR(t.values[(t.rows - 1) * (size_t)t.columns], end, 1e-9);
  sar_table_clear(&t);
}

// "auto" with fixed steps makes trials, says why in one line and lists them; without a step it does
// not.
static void auto_makes_trials_for_fixed_steps(void** state) {
  (void)state;
  const char* governor = "run " REFERENCE "I_governor_stiff.yaml --end 0.1";
  char command[400];
  snprintf(command, sizeof command, "%s -f auto --fixed --step 1e-3", governor);
  const Result* r = expect_status_of(sarrus(command), 0);
  expect_has(r->out, " us a step of 0.001 s, ");
  expect_has(r->out, "follows the motion where ");
  snprintf(command, sizeof command, "%s -f auto --fixed --step 1e-3 --json", governor);
  r = expect_status_of(sarrus(command), 0);
  expect_has(r->out, "\"trials\": [");
  expect_has(r->out, "\"adaptive\": false");
  assert_true(json_value(r->out, "energy_error_max", 0) <
              1e-3 * json_value(r->out, "energy_scale", 0));

  static const char* const untried[] = {"", "--fixed --step 1e-4 -f aba", "-f auto --step 1e-3",
                                        "-f auto --integrator dopri5 --step 1e-3",
                                        "--integrator trapezoidal --step 1e-3"};
  for (size_t i = 0; i < sizeof untried / sizeof *untried; i++) {
    snprintf(command, sizeof command, "%s --json %s", governor, untried[i]);
    expect_lacks(expect_status_of(sarrus(command), 0)->out, "trials");
  }
  snprintf(command, sizeof command, "%s -f auto --json --integrator trapezoidal --step 1e-3",
           governor);
  expect_has(expect_status_of(sarrus(command), 0)->out, "trials");
}

static void a_deadline_that_nothing_meets_is_refused(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus("run " REFERENCE "A_double_fourbar.yaml --step 0.01 --deadline 1e-12"), 2);
  expect_has(
      r->err,
      "nothing that is accurate enough makes a step of 0.01 s within 1e-06 us: the fastest, ");
  expect_has(r->err, "take a longer step, a later deadline or less accuracy");
}

// Contact takes impulses, so that there is nothing to try.
static void deadlines_with_contact_are_watched(void** state) {
  (void)state;
  const Result* r = expect_status_of(sarrus("run examples/stack.yaml --end 0.1 --deadline 1"), 0);
  expect_has(r->out, "impulse with moreau");
  expect_has(r->out, "0 of 20 steps took longer");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(step_times_are_reported),
      cmocka_unit_test(no_convergence_is_status_4),
      cmocka_unit_test(rows_before_a_failure_are_kept),
      cmocka_unit_test(auto_makes_trials_for_fixed_steps),
      cmocka_unit_test(a_deadline_that_nothing_meets_is_refused),
      cmocka_unit_test(deadlines_with_contact_are_watched),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
