// sarrus kinematics, inverse, static, linearize and reduce as scripts see them. What they compute
// is tested in tests/physics/test_follow.c and test_equilibrium.c.
#include "support/program.h"

static const char parallelogram[] =
    "sarrus: 1\nplanar: xy\nbodies:\n  a: {rod: [[0, 0, 0], [0, 1, 0]], mass: 1}\n"
    "  b: {rod: [[0, 1, 0], [2, 1, 0]], mass: 3}\n  c: {rod: [[2, 0, 0], [2, 1, 0]], mass: 2}\n"
    "joints:\n  O: {revolute: [ground, a], at: [0, 0, 0], axis: z}\n"
    "  A: {revolute: [a, b], at: [0, 1, 0], axis: z}\n"
    "  B: {revolute: [b, c], at: [2, 1, 0], axis: z}\n"
    "  C: {revolute: [ground, c], at: [2 + d, 0, 0], axis: z}\n"
    "parameters: {d: 0}\ngravity: [0, -9.81, 0]\n"
    "constraints:\n  drive: {motion: O, value: t}\noutputs: [joints, energy]\n";

static void kinematics_writes_columns_with_accelerations(void** state) {
  (void)state;
  write_file("p.yaml", parallelogram);
  const Result* r = sarrus("kinematics @p.yaml --from 1 --to 2 --points 11 --out @k.csv");
  expect_status_of(r, 0);
  expect_has(r->err, "near a singular position at t = 1.5708");
  SarTable t = read_table("k.csv");
  assert_int_equal(t.rows, 11);
  assert_true(sar_table_find(&t, "C.a") > 0 && sar_table_find(&t, "energy.error") < 0);
  const int q = sar_table_find(&t, "C.q"), v = sar_table_find(&t, "C.v");
  for (int i = 0; i < 11; i++) {
    EXPECT_NEAR(t.values[i * t.columns], 1 + 0.1 * i, 1e-12);
    EXPECT_NEAR(t.values[i * t.columns + q], 1 + 0.1 * i, 1e-9);
    EXPECT_NEAR(t.values[i * t.columns + v], 1, 1e-8);
  }
  sar_table_clear(&t);
}

static void branches_are_numbered(void** state) {
  (void)state;
  const Result* r =
      sarrus("kinematics @p.yaml --set d=0.2 --to 0.5 --points 3 --branches --out @b.csv");
  expect_status_of(r, 0);
  expect_has(r->out, "2 assemblies found in 200 trials");
  SarTable t = read_table("b.csv");
  assert_int_equal(t.rows, 6);
  assert_int_equal(sar_table_find(&t, "branch"), 1);
  EXPECT_NEAR(t.values[5 * t.columns + 1], 2, 0);
  sar_table_clear(&t);
  r = expect_status_of(sarrus("kinematics @p.yaml --set d=0.2 --to 0.5 --branches --json"), 0);
  expect_has(r->out, "\"whole\": true");
}

static void ends_of_the_range_are_status_4_and_keep_the_rows(void** state) {
  (void)state;
  const Result* r =
      sarrus("kinematics @p.yaml --set d=0.6 --to -7 --points 71 --out @e.csv --json");
  expect_status_of(r, 4);
  expect_has(r->err, "cannot follow its drives beyond t = -3.59");
  expect_has(r->out, "\"whole\": false");
  SarTable t = read_table("e.csv");
  assert_int_equal(t.rows, 36);
  sar_table_clear(&t);
}

static void inverse_prints_what_drives_need(void** state) {
  (void)state;
  const Result* r = sarrus("inverse @p.yaml --to 1 --points 3 --json");
  expect_status_of(r, 0);
  // the crank from upright: gravity of a, b and c on one turning arm, all moving alike
  // T = -(m_a / 2 + m_b + m_c / 2) g sin t; the speed is constant and no bar turns against another
  const char* force = strstr(r->out, "\"force\": [");
  assert_non_null(force);
  double x[3];
  char* at = strchr(force, '[') + 1;
  for (int i = 0; i < 3; i++) {
    x[i] = strtod(at, &at);
    at += strspn(at, ", \n");
  }
  for (int i = 0; i < 3; i++) EXPECT_NEAR(x[i], -4.5 * 9.81 * sin(0.5 * i), 1e-9);
  expect_status_of(sarrus("inverse examples/pendulum.yaml"), 3);
}

static void static_reports_rest(void** state) {
  (void)state;
  const Result* r = expect_status_of(sarrus("static examples/double_pendulum.yaml --json"), 0);
  expect_has(r->out, "\"stability\": \"stable\"");
  EXPECT_NEAR(json_value(r->out, "potential_energy", 0), -11.772, 1e-9);
  r = expect_status_of(sarrus("static examples/double_pendulum.yaml"), 0);
  expect_has(r->out, "shoulder");
  expect_has(r->out, "14.715");  // all the weight: 1.5 kg
  r = expect_status_of(sarrus("static @p.yaml --time 0.5"), 0);
  expect_has(r->out, "freedom      0");
}

static void linearize_prints_matrices(void** state) {
  (void)state;
  const Result* r = sarrus(
      "linearize examples/double_pendulum.yaml --static --inputs shoulder.tau --outputs shoulder.q "
      "--json -o @l.csv");
  expect_status_of(r, 0);
  expect_has(r->out, "\"inputs\": [");
  expect_has(r->out, "\"zeros\": [");
  char path[200], text[4096];
  snprintf(path, sizeof path, "%s/l.csv", program_folder);
  read_all(path, text, sizeof text);
  expect_has(text, "row,shoulder.q,elbow.q,shoulder.v,elbow.v,shoulder.tau");
  expect_has(text, "d/dt shoulder.q,0,0,1,0,0");
  r = expect_status_of(sarrus("linearize @p.yaml --time 0.3"), 0);
  expect_has(r->out, "0 states");  // its drive leaves nothing free
  r = expect_status_of(sarrus("linearize examples/double_pendulum.yaml --inputs shulder.tau"), 2);
  expect_has(r->err, "no input 'shulder.tau'");
  r = expect_status_of(sarrus("linearize examples/double_pendulum.yaml --outputs energy.total"), 2);
  expect_has(r->err, "column 'energy.total' is not differentiated");
}

static void reduce_makes_a_part_of_a_model(void** state) {
  (void)state;
  const Result* r = sarrus("reduce examples/flexible_arm.yaml --modes 4 -o @arm.yaml");
  expect_has(expect_status_of(r, 0)->out, "beam 'arm', 9 nodes, 10 modes, clamped at its start");
  write_file("whole.yaml",
             "sarrus: 1\ninclude: [arm.yaml]\nbodies: {hub: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {turn: {revolute: [ground, hub], axis: z}, clamp: {fixed: [hub, arm]}}\n"
             "outputs: [{body: arm_end}, energy]\n");
  r = expect_status_of(sarrus("run @whole.yaml -f hybrid --end 0.1 --step 1e-3 --out @o.csv"), 0);
  expect_has(r->out, "audit");
  r = expect_status_of(sarrus("reduce examples/flexible_arm.yaml --attach none --modes 2 --json"),
                       0);
  expect_has(r->out, "\"frequencies\"");
  r = expect_status_of(sarrus("reduce examples/flexible_arm.yaml --beam leg"), 2);
  expect_has(r->err, "the model has no beam 'leg'");
  r = expect_status_of(sarrus("reduce examples/pendulum.yaml"), 2);
  expect_has(r->err, "the model has no beam");
  r = expect_status_of(sarrus("reduce examples/flexible_arm.yaml --attach 20"), 2);
  expect_has(r->err, "has no node '20'");
  r = expect_status_of(sarrus("reduce examples/flexible_arm.yaml --modes 2.5"), 2);
  expect_has(r->err, "whole number");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinematics_writes_columns_with_accelerations),
      cmocka_unit_test(branches_are_numbered),
      cmocka_unit_test(ends_of_the_range_are_status_4_and_keep_the_rows),
      cmocka_unit_test(inverse_prints_what_drives_need),
      cmocka_unit_test(static_reports_rest),
      cmocka_unit_test(linearize_prints_matrices),
      cmocka_unit_test(reduce_makes_a_part_of_a_model),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
