// Tables and splines by name, from the model and from files; inverse dynamics as the input of a
// run.
#include "support/run.h"

#include "model/model.h"

// The natural spline through (0, 0), (1, 1), (2, 0) bends by -3 in the middle: on 0 .. 1 it is 1.5
// x - 0.5 x^3.
static void splines_and_tables_have_their_values(void** state) {
  (void)state;
  Run r = run_open(
      model_text(
          "parameters: {top: 1}\n"
          "variables: {curve: \"spline(t, hill)\", lines: \"2*table(t, hill)\", plain: "
          "\"spline(t, 0, 0, 1, 1, 2, 0)\"}\n"
          "bodies: {b: {box: [1, 1, 1], mass: 1}}\n"
          "joints: {j: {prismatic: [ground, b], force: curve}}\n"
          "outputs: [{value: curve, name: curve}, {value: lines, name: lines}, {value: plain, "
          "name: plain}]\n"
          "tables: {hill: [[0, 0], [1, top], [2, 0]]}\n"),
      NULL);
  const double t[] = {0.25, 0.5, 1, 1.5, 3};
  for (int i = 0; i < 5; i++) {
    EXPECT_OK(sar_advance(r.s, t[i]));
    const double x = t[i] < 1 ? t[i] : 2 - t[i];  // symmetric
    const double y = x >= 0 ? 1.5 * x - 0.5 * x * x * x : 1.5 * x;
    EXPECT_NEAR(run_output(&r, "curve"), y, 1e-14);
    EXPECT_NEAR(run_output(&r, "plain"), y, 1e-14);
    EXPECT_NEAR(run_output(&r, "lines"), x > 0 ? 2 * x : 0, 1e-14);
  }
  run_close(&r);
}

// A motion by spline is smooth enough to be prescribed, and the joint follows it.
static void a_spline_can_be_prescribed(void** state) {
  (void)state;
  Run r = run_open(model_text("tables: {hill: [[0, 0], [1, 1], [2, 0]]}\n"
                              "bodies: {b: {box: [1, 1, 1], mass: 1}}\n"
                              "joints: {j: {prismatic: [ground, b]}}\n"
                              "constraints: {drive: {motion: j, value: \"spline(t, hill)\"}}\n"
                              "outputs: [{joint: j, with: [position, velocity, acceleration]}]\n"),
                   NULL);
  EXPECT_OK(sar_advance(r.s, 0.5));
  EXPECT_NEAR(run_output(&r, "j.q"), 0.75 - 0.0625, 1e-12);
  EXPECT_NEAR(run_output(&r, "j.v"), 1.5 - 1.5 * 0.25, 1e-10);
  EXPECT_NEAR(run_output(&r, "j.a"), -1.5, 1e-10);
  run_close(&r);
}

// The torque of `sarrus inverse` at 301 points, read back from its file, moves the rod as it was
// driven. In the interior the spline is off by 5/384 h^4 |4th derivative|, 1e-8 or so; at its
// natural ends by h^2: 1e-7 was seen.
static void torques_of_inverse_dynamics_are_inputs(void** state) {
  (void)state;
  Run r = run_open(model_file("tables/replayed.yaml", NULL), NULL);
  for (double t = 0.5; t <= 3; t += 0.5) {
    EXPECT_OK(sar_advance(r.s, t));
    EXPECT_NEAR(run_output(&r, "hinge.q"), 0.5 * (1 - cos(2 * t)), 1e-6);
  }
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(splines_and_tables_have_their_values),
      cmocka_unit_test(a_spline_can_be_prescribed),
      cmocka_unit_test(torques_of_inverse_dynamics_are_inputs),
  };
  return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
