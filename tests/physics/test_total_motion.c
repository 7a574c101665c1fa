// total_motion: a body is where it shall be, with the forces that Newton and Euler ask for, and
// what stands on it answers as the closed form says.
#include "support/run.h"
#include "math/rotvec.h"
#include "math/spatial.h"

#define MOVES                                                                             \
  "x: 0.3*sin(2*t), y: 0.1 + t^2/5, z: 0.2*cos(3*t), roll: 3*t, pitch: 1.2*sin(t), yaw: " \
  "0.5 - 4*t"

static M3 wanted_turn(double t) {
  const double roll = 3 * t, pitch = 1.2 * sin(t), yaw = 0.5 - 4 * t;
  const Quat q = quat_mul(quat_mul(quat_exp(v3(0, 0, yaw)), quat_exp(v3(0, pitch, 0))),
                          quat_exp(v3(roll, 0, 0)));
  return quat_to_m3(q);
}
static V3 wanted_place(double t) { return v3(0.3 * sin(2 * t), 0.1 + t * t / 5, 0.2 * cos(3 * t)); }

static Xform pose_of(const Run* r, const char* body) {
  Xform X;
  double p[3], R[9];
  EXPECT_OK(sar_body_pose(r->d, sar_model_find(r->m, SAR_ITEM_BODY, body), p, R));
  X.p = v3_load(p);
  X.R = (M3){R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]};
  return X;
}

static void expect_pose(double t, Xform X, double tolerance) {
  const V3 off = v3_sub(X.p, wanted_place(t));
  const V3 turn = quat_log(quat_from_m3(m3_tmul(wanted_turn(t), X.R)));
  EXPECT_AT_MOST(v3_norm(off), tolerance);
  EXPECT_AT_MOST(v3_norm(turn), tolerance);
}

static const char* const METHODS[][2] = {{"lagrange", "dopri5"},    {"qr", "dopri5"},
                                         {"embedding", "rk4"},      {"hybrid", "trapezoidal"},
                                         {"global", "trapezoidal"}, {"topological", "trapezoidal"},
                                         {"redundant", "two-step"}, {"recursive", "trapezoidal"},
                                         {"impulse", "moreau"}};
enum { COUNT = sizeof METHODS / sizeof *METHODS };

static Run open_with(int k, const char* text, double step) {
  const SarLoadOptions absolute = {.coordinates = "absolute"};
  SarSimOptions o = sar_sim_options();
  o.formulation = METHODS[k][0];
  o.integrator = METHODS[k][1];
  o.step = step;
  o.adaptive = 0;
  return run_open(
      strcmp(METHODS[k][0], "redundant") == 0 ? model_text_with(text, &absolute) : model_text(text),
      &o);
}

// In all formulations, at rolls and yaws of several turns, with a pendulum that it carries.
static void a_body_is_where_it_shall_be(void** state) {
  (void)state;
  for (int k = 0; k < COUNT; k++) {
    Run r = open_with(
        k,
        "bodies: {a: {mass: 2, com: [0.1, 0.2, 0], inertia: [1, 2, 2.5], at: [0, "
        "0.1, 0.2], rpy: [0, 0, 0.5]},\n  b: {mass: 1, com: [0, 0, -1], inertia: [1, 1, 1]}}\n"
        "joints: {f: {free: [ground, a]}, j: {spherical: [a, b]}}\n"
        "constraints: {c: {total_motion: a, " MOVES "}}\n",
        1e-3);
    for (double t = 0.25; t < 2.1; t += 0.25) {
      run_advance(&r, t);
      expect_pose(t, pose_of(&r, "a"), 1e-8);
    }
    run_close(&r);
  }
}

// Against a body that turns itself.
static void in_the_frame_of_another_body(void** state) {
  (void)state;
  SarSimOptions o = run_options("lagrange", 1e-3);
  Run r = run_open(model_text("bodies: {c: {mass: 1, at: [1, 0, 0], rpy: [0.2, 0.3, 0.4]},\n"
                              "  a: {mass: 2, inertia: [1, 2, 2.5]}}\n"
                              "joints: {s: {revolute: [ground, c], axis: [1, 2, 2], speed: 3},\n"
                              "  f: {free: [c, a]}}\n"
                              "constraints: {m: {total_motion: a, in: c, " MOVES "}}\n"),
                   &o);
  run_advance(&r, 1.5);
  expect_pose(1.5, x_mul(x_inv(pose_of(&r, "c")), pose_of(&r, "a")), 1e-8);
  run_close(&r);
}

static double column(const Run* r, const char* name) {
  double values[64];
  EXPECT_OK(sar_outputs(r->s, values));
  return values[sar_model_find(r->m, SAR_ITEM_OUTPUT, name)];
}

// Forces: m (a - g) at the mass centre. Moments of a body that turns about z at a rising speed: J
// yaw''.
static void forces_are_newtons_and_eulers(void** state) {
  (void)state;
  for (int k = 0; k < COUNT - 1; k++) {  // impulses give means of a step
    Run r =
        open_with(k,
                  "gravity: [0, 0, -9.81]\nbodies: {a: {mass: 2, inertia: [1, 2, 2.5]}}\n"
                  "joints: {f: {free: [ground, a]}}\n"
                  "constraints: {c: {total_motion: a, x: 0.3*sin(2*t), y: t^3/5, z: 0.2*cos(3*t)"
                  ", yaw: 0.7*t^2}}\noutputs: [{constraint: c}, energy]\n",
                  1e-3);
    run_advance(&r, 1);
    EXPECT_NEAR(column(&r, "c.fx"), 2 * -1.2 * sin(2), 3e-5);
    EXPECT_NEAR(column(&r, "c.fy"), 2 * 1.2, 3e-5);
    EXPECT_NEAR(column(&r, "c.fz"), 2 * (9.81 - 1.8 * cos(3)), 3e-5);
    EXPECT_NEAR(column(&r, "c.yaw"), 2.5 * 1.4, 3e-5);
    EXPECT_NEAR(column(&r, "c.roll"), 0, 3e-5);
    EXPECT_AT_MOST(fabs(column(&r, "energy.error")), 3e-5);
    run_close(&r);
  }
}

// An oscillator on a base that is shaken: x = A sin(w t)/(1 - (w/w0)^2) and what the start adds,
// against the base.
static void an_oscillator_on_a_shaken_base(void** state) {
  (void)state;
  SarSimOptions o = run_options("lagrange", 0);
  Run r =
      run_open(model_text("gravity: [0, 0, 0]\nbodies: {base: {mass: 5, inertia: [1, 1, 1]}, a: "
                          "{mass: 2, inertia: [1, 1, 1]}}\njoints: {f: {free: [ground, base]}, "
                          "j: {prismatic: [base, a], axis: x, stiffness: 200}}\n"
                          "constraints: {c: {total_motion: base, x: 0.1*sin(6*t), y: 0, z: 0}}\n"),
               &o);
  const double w0 = 10, w = 6, A = 0.1, K = A * w * w / (w0 * w0 - w * w);
  run_advance(&r, 2);
  // a'' + w0^2 a = A w^2 sin(w t),  a(0) = 0, a'(0) = -A w: the base starts with a speed, the mass
  // stands still
  const int j = sar_model_find(r.m, SAR_ITEM_JOINT, "j");
  double q = 0;
  double v = 0;
  EXPECT_OK(sar_joint_get(r.d, j, &q, &v));
  EXPECT_NEAR(q, K * (sin(w * 2) - w / w0 * sin(w0 * 2)) - A * w / w0 * sin(w0 * 2), 1e-8);
  run_close(&r);
}

static void a_body_is_not_moved_against_itself(void** state) {
  (void)state;
  SarError err;
  SarModel* m = NULL;
  const char* text =
      "sarrus: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1}}\njoints: {f: {fixed: "
      "[a, b]}}\n"
      "constraints: {c: {total_motion: a, in: b, x: 0, y: 0, z: 0}}\n";
  sar_error_init(&err);
  assert_int_equal(sar_model_parse(text, strlen(text), "yaml", "text.yaml", NULL, &m, &err),
                   SAR_BAD_MODEL);
  assert_non_null(strstr(err.items[0].text, "against itself"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_is_where_it_shall_be),
      cmocka_unit_test(in_the_frame_of_another_body),
      cmocka_unit_test(forces_are_newtons_and_eulers),
      cmocka_unit_test(an_oscillator_on_a_shaken_base),
      cmocka_unit_test(a_body_is_not_moved_against_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
