// The tables of paper 002: equations as it counts them, the trimmed flight, and what steps of the
// paper's length leave.
#include "support/program.h"

static double ours(const char* json, const char* row, const char* column) {
  char key[200];
  snprintf(key, sizeof key, "\"row\": \"%s\",\n    \"column\": \"%s\"", row, column);
  const char* at = strstr(json, key);
  if (!at) fail_msg("no '%s' of %s", column, row);
  return json_value(at, "ours", 0);
}

// Of the order of the paper's 131 to 159; the linkage has 24 more than the gimbal as a joint of
// four equations.
static void equations_of_the_tiltrotor(void** state) {
  (void)state;
  skip_if_spared();
  const Result* r = expect_status_of(sarrus("papers 002 --table 1 --once --json"), 0);
  const double clamped = ours(r->out, "clamped, gimbal", "N. eqs.");
  assert_in_range((int)clamped, 100, 160);
  EXPECT_NEAR(ours(r->out, "clamped, linkage", "N. eqs."), clamped + 24, 0);
  EXPECT_NEAR(ours(r->out, "wing, gimbal", "N. eqs."), clamped + 8, 0);
  EXPECT_NEAR(ours(r->out, "wing, linkage", "N. eqs."), clamped + 32, 0);
  assert_true(ours(r->out, "wing, linkage", "real/sim.") > 0);
}

static void flight_123_is_trimmed(void** state) {
  (void)state;
  const Result* r = expect_status_of(sarrus("papers 002 --table 2 --once --json"), 0);
  EXPECT_NEAR(ours(r->out, "collective", "value [1, deg]"), 12.645, 5e-3);
  EXPECT_NEAR(ours(r->out, "lateral cyclic", "value [1, deg]"), 0.591, 5e-3);
  EXPECT_NEAR(ours(r->out, "longitudinal cyclic", "value [1, deg]"), -5.833, 5e-3);
}

// MBDyn's error at this step is 0.1 deg of flap and 240 N.
static void the_puma_at_400_hz(void** state) {
  (void)state;
  skip_if_spared();
  const Result* r = expect_status_of(sarrus("papers 002 --table 3 --once --json"), 0);
  EXPECT_NEAR(ours(r->out, "redundant", "N. eqs."), 283, 1);
  EXPECT_AT_MOST(ours(r->out, "redundant", "flap off [deg]"), 0.01);
  EXPECT_AT_MOST(ours(r->out, "hybrid", "flap off [deg]"), 0.003);
  EXPECT_AT_MOST(ours(r->out, "lagrange", "flap off [deg]"), 1e-4);
  EXPECT_AT_MOST(ours(r->out, "lagrange", "thrust off [N]"), 5);
}

// Four blades, swashplate and servos on a modal wing, at 40 steps a revolution.
static void wrats_at_600_hz(void** state) {
  (void)state;
  skip_if_spared();
  const Result* r = expect_status_of(sarrus("papers 002 --table 5 --once --json"), 0);
  EXPECT_NEAR(ours(r->out, "redundant", "N. eqs."), 169, 0);
  EXPECT_AT_MOST(ours(r->out, "lagrange", "flap off [deg]"), 1e-6);
  EXPECT_AT_MOST(ours(r->out, "lagrange, adams", "flap off [deg]"), 1e-4);
  EXPECT_AT_MOST(ours(r->out, "hybrid", "flap off [deg]"), 3e-4);
  EXPECT_AT_MOST(ours(r->out, "embedding", "thrust off [N]"), 1e-3);
  EXPECT_AT_MOST(ours(r->out, "topological", "thrust off [N]"), 0.15);
}

// The governor keeps the speed of the windmill: to its wanted value once the wind is steady, to
// some 1 % in one that oscillates.
static void tiltrotor_in_the_wind_tunnel(void** state) {
  (void)state;
  skip_if_spared();
  const Result* r = expect_status_of(sarrus("papers 002 --table 6 --once --json"), 0);
  EXPECT_AT_MOST(ours(r->out, "wind-up", "speed off [%]"), 1e-3);
  EXPECT_AT_MOST(ours(r->out, "wind of 50 +- 10 m/s", "speed off [%]"), 2);
}

// Elimination that searches nothing and knows where zeros are: always less than on all of the
// matrix.
static void small_sparse_solver(void** state) {
  (void)state;
  skip_if_spared();
  static const char* const rows[] = {"double four-bar", "WRATS", "AS330 Puma"};
  const Result* r = expect_status_of(sarrus("papers 002 --table 7 --once --json"), 0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    EXPECT_AT_MOST(ours(r->out, rows[i], "ours [us]"), ours(r->out, rows[i], "dense [us]"));
  EXPECT_AT_MOST(40, ours(r->out, "AS330 Puma", "saved [%]"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations_of_the_tiltrotor),   cmocka_unit_test(flight_123_is_trimmed),
      cmocka_unit_test(the_puma_at_400_hz),           cmocka_unit_test(wrats_at_600_hz),
      cmocka_unit_test(tiltrotor_in_the_wind_tunnel), cmocka_unit_test(small_sparse_solver),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
