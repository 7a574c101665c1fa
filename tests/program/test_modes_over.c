// sarrus modes --vary: frequencies over a parameter. The fan plot of a turning blade against an
// independent code, a mode keeping its column; oscillations that are damped beyond the critical
// come and go.
#include "support/program.h"

#include "support/reference_file.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

// The column of modes whose frequency is nearest to `value` [rad/s] in a row.
static int column_near(const SarTable* t, int row, double value) {
  const int columns = sar_table_columns(t);
  const double* x = &sar_table_values(t)[(size_t)row * (size_t)columns];
  int best = 1;
  for (int i = 1; i < columns; i += 2)
    if (fabs(2 * PI * x[i] - value) < fabs(2 * PI * x[best] - value)) best = i;
  return best;
}

// A blade in the potential of the centrifugal force: first and second flap frequency at seven
// speeds. Second order in the elements: 16 of them are within 1e-3 (reference_test_beam_motion).
static void fan_of_a_turning_blade(void** state) {
  (void)state;
  static Reference ref;
  reference_read_table("flexible/rotating_cantilever_freq", &ref);
  expect_status_of(
      sarrus("modes tests/models/rotor/turning_blade.yaml --rest --vary Om=0:12:7 -o @fan.csv"), 0);
  SarTable t = read_table("fan.csv");
  assert_int_equal(sar_table_rows(&t), 7);
  assert_string_equal(sar_table_name(&t, 0), "Om");
  static const char* const want[] = {"flap1_extrap", "flap2_extrap"};
  double worst = 0;
  for (int k = 0; k < 2; k++) {
    const int from = reference_find(&ref, want[k]);
    const int column = column_near(&t, 0, ref.value[0][from]);
    for (int i = 0; i < 7; i++) {
      const double* x = &sar_table_values(&t)[i * sar_table_columns(&t)];
      EXPECT_NEAR(x[0], ref.value[i][0], 1e-12);
      EXPECT_NEAR(2 * PI * x[column] / ref.value[i][from], 1, 1e-3);
      worst = fmax(worst, fabs(2 * PI * x[column] / ref.value[i][from] - 1));
    }
  }
  print_message("fan plot within %.1e of the other code\n", worst);
  sar_table_clear(&t);
}

// x'' + 2 d x' + x = 0 beside y'' + 9 y = 0: below d = 1 a pair, above it two real modes.
static void damped_modes_come_and_go(void** state) {
  (void)state;
  write_file(
      "pair.yaml",
      "sarrus: 1\ngravity: [0, 0, 0]\nparameters: {d: 0}\nbodies: {a: {mass: 1}, b: {mass: 1}}\n"
      "joints:\n  x: {prismatic: [ground, a], axis: x, stiffness: 1, damping: 2*d}\n"
      "  y: {prismatic: [ground, b], axis: y, stiffness: 9}\n");
  const Result* r =
      expect_status_of(sarrus("modes @pair.yaml --vary d=0.2,0.6,1.5,0.4 -o @pair.csv --json"), 0);
  expect_has(r->out, "\"over\": \"d\"");
  SarTable t = read_table("pair.csv");
  const int stiff = column_near(&t, 0, 3), soft = column_near(&t, 0, sqrt(1 - 0.04));
  const int columns = sar_table_columns(&t);
  static const double d[] = {0.2, 0.6, 1.5, 0.4};
  for (int i = 0; i < 4; i++) {
    const double* x = &sar_table_values(&t)[i * columns];
    EXPECT_NEAR(2 * PI * x[stiff], 3, 1e-6);
    if (d[i] < 1) EXPECT_NEAR(x[stiff + 1], 0, 1e-6);
    if (i < 2) EXPECT_NEAR(2 * PI * x[soft], sqrt(1 - d[i] * d[i]), 1e-5);
    if (i < 2) EXPECT_NEAR(x[soft + 1], d[i], 1e-5);
  }
  assert_int_equal(columns, 1 + 2 * 3);
  sar_table_clear(&t);
}

static void questions_that_make_no_sense_are_refused(void** state) {
  (void)state;
  expect_status_of(sarrus("modes @pair.yaml --vary d=1:2"), 2);
  const Result* r = expect_status_of(sarrus("modes @pair.yaml --vary d=1,2 --vary d=1,2"), 2);
  assert_true(r->err[0]);
  expect_status_of(sarrus("modes @pair.yaml --vary nothing=1,2"), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fan_of_a_turning_blade),
      cmocka_unit_test(damped_modes_come_and_go),
      cmocka_unit_test(questions_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
