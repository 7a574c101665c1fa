// Modes against closed forms: trees, dampers, loops, steady motion; and the state is left as it
// was.
#include "support/model_file.h"

#include "model/data.h"
#include "sim/equilibrium.h"
#include "sim/modes.h"

static const double G = 9.81;

typedef struct Found {
  SarModel* m;
  SarData* d;
  SarSim* s;
  SarModeSet modes;
} Found;

static Found find(const char* text) {
  Found f = {.m = model_text(text)};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(f.m, &f.d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(f.m, f.d, NULL, &f.s, &err), &err);
  EXPECT_OK_OR(sar_mode_set_find(f.s, NULL, &f.modes, &err), &err);
  return f;
}

static void release(Found* f) {
  sar_mode_set_free(&f->modes);
  sar_sim_free(f->s);
  sar_data_free(f->d);
  sar_model_free(f->m);
}

// Central differences with steps of 1e-5: truncation 1e-10 of the third derivative, rounding 1e-16
// / 1e-5.
static const double DIFFERENCES = 1e-8;

// x'' + 2 D w x' + w^2 x = 0: lambda = -D w +- i w sqrt(1 - D^2)
static void a_damped_oscillator(void** state) {
  (void)state;
  Found f = find(
      "gravity: [0, 0, 0]\nbodies: {block: {box: [1, 1, 1], mass: 2}}\n"
      "joints: {slide: {prismatic: [ground, block], stiffness: 200, damping: 8}}\n");
  assert_int_equal(f.modes.freedom, 1);
  assert_int_equal(f.modes.count, 1);
  EXPECT_NEAR(f.modes.re[0], -2, DIFFERENCES);
  EXPECT_NEAR(f.modes.im[0], sqrt(100 - 4), 1e-7);
  EXPECT_NEAR(f.modes.shape_re[0], 1, 0);
  EXPECT_NEAR(f.modes.share[0], 1, 1e-15);
  release(&f);
}

// An overdamped one has two real modes: -5 and -20.
static void an_overdamped_oscillator(void** state) {
  (void)state;
  Found f = find(
      "gravity: [0, 0, 0]\nbodies: {block: {box: [1, 1, 1], mass: 2}}\n"
      "joints: {slide: {prismatic: [ground, block], stiffness: 200, damping: 50}}\n");
  assert_int_equal(f.modes.count, 2);
  EXPECT_NEAR(f.modes.re[0], -5, 1e-7);
  EXPECT_NEAR(f.modes.re[1], -20, 1e-7);
  EXPECT_NEAR(f.modes.im[0] + f.modes.im[1], 0, 0);
  release(&f);
}

// Two equal point masses on massless rods of length 1: w^2 = g (2 -+ sqrt 2), lower angle +-sqrt 2
// times the upper one.
static void a_double_pendulum(void** state) {
  (void)state;
  Found f = find(
      "bodies:\n"
      "  upper: {mass: 1, com: [0, 0, -1], inertia: [1e-9, 1e-9, 1e-9]}\n"
      "  lower: {mass: 1, com: [0, 0, -2], inertia: [1e-9, 1e-9, 1e-9]}\n"
      "joints:\n"
      "  shoulder: {revolute: [ground, upper], axis: y}\n"
      "  elbow: {revolute: [upper, lower], at: [0, 0, -1], axis: y}\n");
  assert_int_equal(f.modes.count, 2);
  EXPECT_NEAR(f.modes.im[0], sqrt(G * (2 - sqrt(2))), 1e-7);
  EXPECT_NEAR(f.modes.im[1], sqrt(G * (2 + sqrt(2))), 1e-7);
  // angle of the lower rod in space = shoulder + elbow
  for (int k = 0; k < 2; k++) {
    const double* x = &f.modes.shape_re[2 * k];
    EXPECT_NEAR((x[0] + x[1]) / x[0], k == 0 ? sqrt(2) : -sqrt(2), 1e-6);
  }
  release(&f);
}

// A bar hung on two parallel massless links swings like a point: w^2 = g / L, in both coordinates.
static const char* const PARALLELOGRAM =
    "%sbodies:\n"
    "  left: {mass: 1e-9, inertia: [1e-9, 1e-9, 1e-9]}\n"
    "  right: {mass: 1e-9, inertia: [1e-9, 1e-9, 1e-9]}\n"
    "  bar: {mass: 3, com: [0.5, 0, -0.8], inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  a: {revolute: [ground, left], axis: y}\n"
    "  b: {revolute: [ground, right], at: [1, 0, 0], axis: y}\n"
    "  c: {revolute: [left, bar], at: [0, 0, -0.8], axis: y}\n"
    "  d: {revolute: [right, bar], at: [1, 0, -0.8], axis: y}\n";

static void a_parallelogram_swings_like_a_point(void** state) {
  (void)state;
  const char* const coordinates[] = {"", "simulation: {coordinates: absolute}\n"};
  for (int k = 0; k < 2; k++) {
    char text[1024];
    snprintf(text, sizeof text, PARALLELOGRAM, coordinates[k]);
    Found f = find(text);
    assert_int_equal(f.modes.freedom, 1);
    assert_int_equal(f.modes.count, 1);
    EXPECT_NEAR(f.modes.im[0], sqrt(G / 0.8), 1e-6);
    EXPECT_NEAR(f.modes.re[0], 0, 1e-6);
    release(&f);
  }
}

// A general four-bar: its one frequency is that of the equilibrium analysis, which knows nothing of
// accelerations.
static void a_four_bar_agrees_with_its_stiffness(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies:\n"
      "  crank: {rod: [[0, 0, 0], [0.2, 0, -0.5]], mass: 1}\n"
      "  coupler: {rod: [[0.2, 0, -0.5], [1.1, 0, -0.7]], mass: 2}\n"
      "  rocker: {rod: [[1.1, 0, -0.7], [1.3, 0, 0]], mass: 1}\n"
      "joints:\n"
      "  a: {revolute: [ground, crank], axis: y}\n"
      "  b: {revolute: [crank, coupler], at: [0.2, 0, -0.5], axis: y}\n"
      "  c: {revolute: [coupler, rocker], at: [1.1, 0, -0.7], axis: y}\n"
      "  d: {revolute: [rocker, ground], at: [1.3, 0, 0], axis: y}\n"
      "planar: xz\n");
  const SarEquilibriumOptions o = {.max_iterations = 100};
  double omega2[16];
  SarEquilibrium e = {.omega2 = omega2};
  Found f = {.m = m};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &f.d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, f.d, NULL, &f.s, &err), &err);
  EXPECT_OK_OR(sar_equilibrium_find(f.s, &o, &e, &err), &err);
  const double q = f.d->q[0];
  EXPECT_OK_OR(sar_mode_set_find(f.s, NULL, &f.modes, &err), &err);
  assert_int_equal(f.modes.count, 1);
  EXPECT_NEAR(f.modes.im[0] * f.modes.im[0], omega2[0], 1e-6 * omega2[0]);
  EXPECT_AT_MOST(f.modes.acceleration, 1e-8);
  EXPECT_NEAR(f.d->q[0], q, 0);  // where it was
  EXPECT_NEAR(f.d->v[0], 0, 0);
  release(&f);
}

// A free body drifting through space: six rigid modes and nothing else, and it drifts on.
static void a_free_body_has_rigid_modes(void** state) {
  (void)state;
  Found f = find(
      "gravity: [0, 0, 0]\nbodies: {b: {box: [1, 2, 3], mass: 1}}\n"
      "joints: {j: {free: [ground, b], speed: [1, 2, 3, 0, 0, 0]}}\n");
  assert_int_equal(f.modes.freedom, 6);
  for (int k = 0; k < f.modes.count; k++)
    EXPECT_AT_MOST(hypot(f.modes.re[k], f.modes.im[k]), 1e-4);  // roots of rounding
  EXPECT_NEAR(f.d->v[1], 2, 0);
  release(&f);
}

// A symmetric rotor spinning at W in a soft frame: forward and backward whirl,
// lambda = i (W J +- sqrt((W J)^2 + 4 k I)) / 2 I  with J about the spin axis, I across.
static void a_rotor_whirls(void** state) {
  (void)state;
  const double W = 50, J = 0.02, I = 0.015, k = 100;
  Found f = find(
      "gravity: [0, 0, 0]\nbodies:\n"
      "  frame: {mass: 1, inertia: [1e-7, 1e-7, 1e-7]}\n"
      "  disc: {mass: 1, inertia: [0.015, 0.015, 0.02]}\n"
      "joints:\n"
      "  tilt: {universal: [ground, frame], axis: x, axis2: y, stiffness: 100}\n"
      "  spin: {revolute: [frame, disc], axis: z, speed: 50}\n");
  const double a = W * J / (2 * I), b = sqrt(a * a + k / I);
  assert_int_equal(f.modes.freedom, 3);
  const int last = f.modes.count - 1;
  EXPECT_NEAR(f.modes.im[last], b + a, 1e-3);  // 1e-7 / 0.015 of the frame's inertia
  EXPECT_NEAR(f.modes.im[last - 1], b - a, 1e-3);
  release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_damped_oscillator),
      cmocka_unit_test(an_overdamped_oscillator),
      cmocka_unit_test(a_double_pendulum),
      cmocka_unit_test(a_parallelogram_swings_like_a_point),
      cmocka_unit_test(a_four_bar_agrees_with_its_stiffness),
      cmocka_unit_test(a_free_body_has_rigid_modes),
      cmocka_unit_test(a_rotor_whirls),
  };
  return cmocka_run_group_tests_name("modes", tests, NULL, NULL);
}
