// sarrus compare: orders of convergence come out of its table, the target mode finds the largest
// step, files serve as references, and what cannot run says why.
#include "support/program.h"

#include "model/sim.h"

#include <math.h>

#define DOUBLE_PENDULUM "compare examples/double_pendulum.yaml --end 2 "

static void halving_the_step_shows_the_order(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus(DOUBLE_PENDULUM "-f aba -i rk4 --steps 0.01,0.005,0.0025 --json --repeat 1"), 0);
  // order 4: a factor of 16 each, up to terms of higher order
  for (int i = 0; i < 2; i++) {
    const double factor = json_value(r->out, "error", i) / json_value(r->out, "error", i + 1);
    EXPECT_NEAR(factor, 16, 6);
  }
  EXPECT_NEAR(json_value(r->out, "steps", 2), 800, 0);
  EXPECT_NEAR(json_value(r->out, "calls", 2), 3201, 0);  // 4 a step, and the first
  expect_has(r->out, "\"verdict\": \"ok\"");
  // the reference is far better than what it judges
  assert_true(json_value(r->out, "reference_uncertainty", 0) < 1e-6);
  assert_true(json_value(r->out, "cpu_ms_per_s", 0) > 0);
}

static void formulations_agree(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus(DOUBLE_PENDULUM "-f aba,crba -i dopri5 --tolerances 1e-8 --json --repeat 1"), 0);
  // the same steps: what differs is rounding, 1e-16 amplified less than 1e6 times in 2 s
  EXPECT_NEAR(json_value(r->out, "error", 0), json_value(r->out, "error", 1), 1e-10);
  EXPECT_NEAR(json_value(r->out, "calls", 0), json_value(r->out, "calls", 1), 0);
}

// A reference by an integrator of choice; where IDA is not built in, it says so.
static void another_integrator_makes_the_reference(void** state) {
  (void)state;
  const bool ida = sar_integrator_find("ida")->step != NULL;
  const Result* r = expect_status_of(
      sarrus("compare examples/crank_rocker.yaml -f qr --tolerances 1e-10 --json --repeat 1 "
             "--reference-integrator ida"),
      ida ? 0 : 2);
  if (ida) {
    expect_has(r->out, "\"reference_integrator\": \"ida\"");
    // the drive prescribes all motion: both are on the constraints to rounding
    EXPECT_AT_MOST(json_value(r->out, "error", 0), 1e-9);
  }
  r = expect_status_of(sarrus(DOUBLE_PENDULUM "--reference-integrator rk4"), 2);
  expect_has(r->err, "has no error control");
  r = expect_status_of(sarrus(DOUBLE_PENDULUM "--reference none --reference-integrator ida"), 2);
  expect_has(r->err, "needs none");
}

static void the_target_is_met_by_the_largest_step(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus(DOUBLE_PENDULUM "-f aba -i rk4 --target error=1e-5 --json --repeat 1"), 0);
  assert_true(json_value(r->out, "error", 0) <= 1e-5);
  const double step = json_value(r->out, "step", 0);
  char again[200];
  // the next rung of the ladder 1, 2, 5 is 2 or 2.5 times as long
  snprintf(again, sizeof again,
           DOUBLE_PENDULUM "-f aba -i rk4 --steps %.17g,%.17g --json --repeat 1", 2 * step,
           2.5 * step);
  r = expect_status_of(sarrus(again), 0);
  assert_true(json_value(r->out, "error", 1) > 1e-5);
}

static void targets_rank_by_cost(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus(DOUBLE_PENDULUM "-f aba -i semi-implicit,dopri5 --target energy=1e-2 --json"), 0);
  for (int i = 0; i < 3; i++) assert_true(json_value(r->out, "energy_error", i) <= 1e-2);
  for (int i = 0; i < 2; i++)
    assert_true(json_value(r->out, "cpu_ms_per_s", i) <= json_value(r->out, "cpu_ms_per_s", i + 1));
}

// Implicit formulations bring the rule they step by, beside others with what they step by.
static void implicit_formulations_take_the_trapezoidal_rule(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus("compare examples/double_fourbar.yaml --end 0.5 -f lagrange,hybrid --steps 0.01 "
             "--json --repeat 1"),
      0);
  expect_has(r->out, "\"integrator\": \"trapezoidal\"");
  // order 2 against order 5 at the same step: 1e-4 of the scale, not 1e-8
  assert_true(json_value(r->out, "error", 1) > 1e-6);
  EXPECT_AT_MOST(json_value(r->out, "error", 1), 1e-3);
}

static void a_file_is_a_reference(void** state) {
  (void)state;
  expect_status_of(sarrus("run examples/double_pendulum.yaml --end 2 --integrator rk4 --step 0.01 "
                          "--output-step 0.1 --digits 17 --out @a.csv"),
                   0);
  const Result* r = expect_status_of(
      sarrus(DOUBLE_PENDULUM "-f aba -i rk4 --steps 0.01,0.02 -r @a.csv --json --repeat 1"), 0);
  EXPECT_NEAR(json_value(r->out, "error", 0), 0, 0);  // the same run, bit for bit
  assert_true(json_value(r->out, "error", 1) > 1e-6);
  // names of other programs
  write_file("b.csv", "t,shoulder.qd,tip.x\n0,0,9\n0.1,1,9\n");
  r = expect_status_of(
      sarrus(DOUBLE_PENDULUM "-f aba -i rk4 --steps 0.01 -r @b.csv --json --repeat 1"), 0);
  expect_has(r->out, "\"error_column\": \"shoulder.qd\"");
}

// The step that compare chooses for Bricard's mechanism, one redundant constraint, keeps its
// energy.
static void bricard_keeps_its_energy_at_the_step_chosen(void** state) {
  (void)state;
  const Result* r =
      expect_status_of(sarrus("compare tests/models/reference/H_bricard.yaml --end 10 -f qr -i rk4 "
                              "--target energy=1e-3 --json --repeat 1"),
                       0);
  char again[200];
  const double step = json_value(r->out, "step", 0);
  assert_true(step >= 1e-3);  // 0.01 s measured
  snprintf(
      again, sizeof again,
      "run tests/models/reference/H_bricard.yaml --end 10 -f qr -i rk4 --fixed --step %.17g --json",
      step);
  r = expect_status_of(sarrus(again), 0);
  EXPECT_AT_MOST(json_value(r->out, "energy_error_max", 0), 1e-3);
}

// A file that turns round at a change point, where the other branch of a parallelogram begins.
static void another_branch_is_told_from_an_inaccurate_run(void** state) {
  (void)state;
  write_file("p.yaml",
             "sarrus: 1\nplanar: xy\ngravity: [0, -9.81, 0]\n"
             "bodies:\n  a: {rod: [[0, 0, 0], [0, 1, 0]], mass: 1}\n"
             "  b: {rod: [[0, 1, 0], [2, 1, 0]], mass: 1}\n"
             "  c: {rod: [[2, 0, 0], [2, 1, 0]], mass: 1}\n"
             "joints:\n  O: {revolute: [ground, a], at: [0, 0, 0], axis: z, speed: 2}\n"
             "  A: {revolute: [a, b], at: [0, 1, 0], axis: z}\n"
             "  B: {revolute: [b, c], at: [2, 1, 0], axis: z}\n"
             "  C: {revolute: [ground, c], at: [2, 0, 0], axis: z}\n"
             "simulation: {end: 2}\noutputs: [{point: [c, [0, 0.5, 0]], name: tip}, energy]\n");
  expect_status_of(sarrus("run @p.yaml --reference --output-step 0.01 --out @p.csv"), 0);
  SarTable t = read_table("p.csv");
  const int x = sar_table_find(&t, "tip.x"), y = sar_table_find(&t, "tip.y");
  char text[40000];
  size_t n = (size_t)snprintf(text, sizeof text, "time,tip.y,tip.x\n");
  bool passed = false;
  for (size_t i = 0; i < t.rows; i++) {
    const double* row = &t.values[i * (size_t)t.columns];
    // the bars are in line when the tip is as high as its pivot: mirrored from there on
    if (row[y] < 0) passed = true;
    n += (size_t)snprintf(text + n, sizeof text - n, "%.12g,%.12g,%.12g\n", row[0],
                          passed ? -row[y] : row[y], row[x]);
  }
  assert_true(passed);
  sar_table_clear(&t);
  write_file("other.csv", text);
  const Result* r = expect_status_of(
      sarrus("compare @p.yaml -r @other.csv -f lagrange,qr --tolerances 1e-8 --repeat 1"), 0);
  expect_has(r->out, "wrong branch: from t = ");
  r = expect_status_of(sarrus("compare @p.yaml -r @p.csv -f lagrange,qr --tolerances 1e-8"), 0);
  expect_lacks(r->out, "wrong branch");
  // a coarse step loses the energy: that is no branch
  r = expect_status_of(sarrus("compare @p.yaml -r @p.csv -f qr -i semi-implicit --steps 0.2"), 0);
  expect_has(r->out, "inaccurate");
}

// A ball without friction falls, lies and slides on: its motion is known. It is the reference as a
// file, and a run by impulses in short steps agrees with it; what knows no contact says so.
static void contact_models_have_references(void** state) {
  (void)state;
  const double g = 9.81, h = 0.4, fall = sqrt(2 * h / g);
  write_file(
      "ball.yaml",
      "sarrus: 1\nbodies: {ball: {sphere: 0.1, mass: 1, at: [0, 0, 0.5], velocity: [1, 0, 0], "
      "contact: true}}\nground: {contact: {plane: z}}\n"
      "contact: {materials: {default: {friction: 0}}}\n"
      "simulation: {end: 1}\noutputs: [{body: ball, with: [position]}, energy]\n");
  char text[4000];
  size_t n = (size_t)snprintf(text, sizeof text, "time,ball.x,ball.y,ball.z\n");
  for (int i = 0; i <= 20; i++) {
    const double t = 0.05 * i, z = t < fall ? 0.5 - 0.5 * g * t * t : 0.1;
    n += (size_t)snprintf(text + n, sizeof text - n, "%.17g,%.17g,0,%.17g\n", t, t, z);
  }
  write_file("exact.csv", text);
  const Result* r = expect_status_of(
      sarrus(
          "compare @ball.yaml -r @exact.csv -f impulse,aba --steps 0.002,0.001 --repeat 1 --json"),
      0);
  expect_has(r->out, "knows no contact");
  for (int i = 0; i < 2; i++) assert_true(json_value(r->out, "error", i) < 1e-4);
  r = expect_status_of(
      sarrus("compare @ball.yaml -f impulse,impulse-sequential --steps 0.002 --repeat 1 --json"),
      0);
  for (int i = 0; i < 2; i++) assert_true(json_value(r->out, "error", i) < 1e-4);
  assert_true(json_value(r->out, "reference_uncertainty", 0) < 1e-4);
  expect_status_of(sarrus("run @ball.yaml --reference --output-step 0.05 --out @ball.csv"), 0);
  SarTable t = read_table("ball.csv");
  const double* last = &t.values[(t.rows - 1) * (size_t)t.columns];
  EXPECT_NEAR(last[sar_table_find(&t, "ball.x")], 1, 1e-5);
  EXPECT_NEAR(last[sar_table_find(&t, "ball.z")], 0.1, 1e-5);
  sar_table_clear(&t);
}

static void what_is_not_offered_is_told(void** state) {
  (void)state;
  const Result* r = sarrus(DOUBLE_PENDULUM "-f aba -i rk4,dopri5 --tolerances 1e-4");
  expect_status_of(r, 0);
  expect_has(r->out, "not offered: integrator 'rk4' has no error control");
  r = expect_status_of(sarrus(DOUBLE_PENDULUM "-f abba"), 2);
  expect_has(r->err, "did you mean 'aba'");
  r = expect_status_of(sarrus(DOUBLE_PENDULUM "--steps 1e-2,x"), 2);
  expect_has(r->err, "'x'");
  r = expect_status_of(sarrus(DOUBLE_PENDULUM "-c 'wrist.*'"), 2);
  expect_has(r->err, "wrist.*");
  expect_status_of(sarrus(DOUBLE_PENDULUM "--target energy"), 2);
  expect_status_of(sarrus(DOUBLE_PENDULUM "--target error=1e-3 -r none"), 2);
  expect_status_of(sarrus(DOUBLE_PENDULUM "-r @no-such-file.csv"), 2);
}

static void tables_are_text_or_csv(void** state) {
  (void)state;
  const Result* r = sarrus(DOUBLE_PENDULUM "-f all -i rk4 --steps 0.01 --repeat 1");
  expect_status_of(r, 0);
  expect_has(r->out, "reference: dopri5");
  expect_has(r->out, "CPU ms/s");
  assert_string_equal(r->err, "");
  r = expect_status_of(sarrus(DOUBLE_PENDULUM "-f aba -i rk4 --steps 0.01 --csv --repeat 1"), 0);
  expect_has(r->out, "formulation,coordinates,integrator,step,tolerance,error,");
  expect_has(r->out, "aba,relative,rk4,0.01,,");
}

static void work_precision_is_drawn(void** state) {
  (void)state;
  if (system("command -v gnuplot >/dev/null 2>&1") != 0) skip();
  expect_status_of(
      sarrus(DOUBLE_PENDULUM "-f aba -i rk4,dopri5 --steps 0.02,0.01 --repeat 1 -p @cost.svg"), 0);
  char path[200], picture[1 << 16];
  snprintf(path, sizeof path, "%s/cost.svg", program_folder);
  read_all(path, picture, sizeof picture);
  expect_has(picture, "aba rk4, h");
  expect_has(picture, "CPU ms per simulated s");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halving_the_step_shows_the_order),
      cmocka_unit_test(formulations_agree),
      cmocka_unit_test(another_integrator_makes_the_reference),
      cmocka_unit_test(the_target_is_met_by_the_largest_step),
      cmocka_unit_test(targets_rank_by_cost),
      cmocka_unit_test(implicit_formulations_take_the_trapezoidal_rule),
      cmocka_unit_test(a_file_is_a_reference),
      cmocka_unit_test(bricard_keeps_its_energy_at_the_step_chosen),
      cmocka_unit_test(another_branch_is_told_from_an_inaccurate_run),
      cmocka_unit_test(contact_models_have_references),
      cmocka_unit_test(what_is_not_offered_is_told),
      cmocka_unit_test(tables_are_text_or_csv),
      cmocka_unit_test(work_precision_is_drawn),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
