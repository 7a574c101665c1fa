// Linearisation against closed forms (pendulum, cart with a pole, quarter car), against the
// eigenvalues of `modes`, and outputs against differences.
#include "sim/equilibrium.h"
#include "sim/linear.h"
#include "sim/modes.h"
#include "support/run.h"

#include <math.h>

static const double EXACT = 1e-12;

// A, B, C, D with inputs and columns by name, about where the run is.
static SarLinear linear_of(Run* r, const SarLinearInput* input, int nu, const char* const* column,
                           int ny) {
  SarLinear l;
  SarError err;
  int number[64];
  sar_error_init(&err);
  for (int i = 0; i < ny; i++) {
    number[i] = sar_model_find(r->m, SAR_ITEM_OUTPUT, column[i]);
    if (number[i] < 0) fail_msg("no column %s", column[i]);
  }
  EXPECT_OK_OR(sar_linearise(r->s, input, nu, number, ny, &l, &err), &err);
  return l;
}

static SarLinearInput force_on(const SarModel* m, const char* joint) {
  return (SarLinearInput){.input = -1, .joint = sar_model_find(m, SAR_ITEM_JOINT, joint)};
}

static void expect_matrix(const double* M, const double* expected, int entries) {
  for (int i = 0; i < entries; i++) EXPECT_NEAR(M[i], expected[i], EXACT * (1 + fabs(expected[i])));
}

// I q'' = -m g l sin q - c q' + tau, hanging at q0: I = m L^2/3, l = L/2
static void pendulum(void** state) {
  (void)state;
  Run r = run_open(model_text("bodies:\n  rod: {rod: [[0, 0, 0], [0, 0, -2]], mass: 3}\n"
                              "joints:\n  pivot: {revolute: [ground, rod], axis: y, damping: 0.7, "
                              "position: 0.4}\n"
                              "gravity: [0, 0, -9.81]\noutputs: [joints]\n"),
                   NULL);
  const SarLinearInput in = force_on(r.m, "pivot");
  SarLinear l = linear_of(&r, &in, 1, (const char*[]){"pivot.q"}, 1);
  const double I = 3 * 4 / 3.0, stiffness = 3 * 9.81 * 1 * cos(0.4);
  assert_int_equal(l.nx, 2);
  expect_matrix(l.A, (double[]){0, 1, -stiffness / I, -0.7 / I}, 4);
  expect_matrix(l.B, (double[]){0, 1 / I}, 2);
  expect_matrix(l.C, (double[]){1, 0}, 2);
  expect_matrix(l.D, (double[]){0}, 1);
  assert_int_equal(l.zeros, 0);
  const double half = 0.35 / I;
  EXPECT_NEAR(l.pole_re[0], -half, 1e-12);
  EXPECT_NEAR(fabs(l.pole_im[0]), sqrt(stiffness / I - half * half), 1e-12);
  sar_linear_free(&l);
  run_close(&r);
}

// (M + m) x'' + m l q'' = F,  (I + m l^2) q'' + m l x'' = m g l q about upright; F -> x has zeros
// at
// +- sqrt(m g l / (I + m l^2)), F -> q a double one at 0.
static void cart_with_a_pole(void** state) {
  (void)state;
  Run r = run_open(
      model_text("bodies:\n  cart: {box: [0.4, 0.2, 0.2], mass: 2}\n"
                 "  pole: {rod: [[0, 0, 0], [0, 0, 1.2]], mass: 0.5}\n"
                 "joints:\n  slide: {prismatic: [ground, cart], axis: x}\n"
                 "  hinge: {revolute: [cart, pole], axis: y}\n"
                 "gravity: [0, 0, -9.81]\ninputs: {push: 0}\n"
                 "forces:\n  motor: {joint_force: slide, value: push}\noutputs: [joints]\n"),
      NULL);
  const SarLinearInput in = {.input = 0};
  const double M = 2, m = 0.5, l = 0.6, I = m * 1.2 * 1.2 / 12, J = I + m * l * l, g = 9.81;
  const double det = (M + m) * J - m * l * m * l;
  SarLinear s = linear_of(&r, &in, 1, (const char*[]){"slide.q"}, 1);
  assert_int_equal(s.nx, 4);
  expect_matrix(s.A,
                (double[]){0, 0, 1, 0, 0, 0, 0, 1, 0, -m * l * m * g * l / det, 0, 0, 0,
                           (M + m) * m * g * l / det, 0, 0},
                16);
  expect_matrix(s.B, (double[]){0, 0, J / det, -m * l / det}, 4);
  assert_int_equal(s.zeros, 2);
  EXPECT_NEAR(fabs(s.zero_re[0]), sqrt(m * g * l / J), 1e-9);
  EXPECT_NEAR(s.zero_re[0] + s.zero_re[1], 0, 1e-9);
  sar_linear_free(&s);
  s = linear_of(&r, &in, 1, (const char*[]){"hinge.q"}, 1);
  assert_int_equal(s.zeros, 2);
  for (int i = 0; i < 2; i++) EXPECT_NEAR(hypot(s.zero_re[i], s.zero_im[i]), 0, 1e-6);
  sar_linear_free(&s);
  run_close(&r);
}

// m1 z1'' = kt (u - z1) + k (z2 - z1) + c (z2' - z1'),  m2 z2'' = -k (z2 - z1) - c (z2' - z1'); a
// filter of the body's height is a state more.
static void quarter_car(void** state) {
  (void)state;
  Run r = run_open(
      model_text(
          "bodies:\n  wheel: {mass: 40, at: [0, 0, 0.3]}\n  body: {mass: 400, at: [0, 0, 0.8]}\n"
          "joints:\n  hop: {prismatic: [ground, wheel], axis: z}\n"
          "  bounce: {prismatic: [ground, body], axis: z}\n"
          "gravity: [0, 0, 0]\ninputs: {road: 0}\n"
          "variables: {slow: \"filter(bounce.q, 0.2)\"}\n"
          "forces:\n  strut: {spring_damper: [wheel, body], stiffness: 22000, damping: 1500}\n"
          "  tyre: {force: wheel, value: [0, 0, 190000*(road - hop.q)]}\n"
          "outputs: [joints, {force: strut}, {value: slow, name: slow}]\n"),
      NULL);
  const SarLinearInput in = {.input = 0};
  const double m1 = 40, m2 = 400, k = 22000, c = 1500, kt = 190000, T = 0.2;
  SarLinear s = linear_of(&r, &in, 1, (const char*[]){"bounce.q", "strut.tension", "slow"}, 3);
  assert_int_equal(s.nx, 5);
  // where the tree has them
  SarJointInfo hop, bounce;
  EXPECT_OK(sar_joint_info(r.m, sar_model_find(r.m, SAR_ITEM_JOINT, "hop"), &hop));
  EXPECT_OK(sar_joint_info(r.m, sar_model_find(r.m, SAR_ITEM_JOINT, "bounce"), &bounce));
  const int z1 = hop.vadr, z2 = bounce.vadr, v1 = 2 + z1, v2 = 2 + z2, lag = 4;
  double A[5][5] = {{0}}, B[5] = {0}, C[3][5] = {{0}}, D[3] = {0};
  A[z1][v1] = A[z2][v2] = 1;
  A[v1][z1] = -(kt + k) / m1, A[v1][z2] = k / m1, A[v1][v1] = -c / m1, A[v1][v2] = c / m1;
  A[v2][z1] = k / m2, A[v2][z2] = -k / m2, A[v2][v1] = c / m2, A[v2][v2] = -c / m2;
  A[lag][z2] = 1 / T, A[lag][lag] = -1 / T;
  B[v1] = kt / m1;
  C[0][z2] = 1, C[2][lag] = 1;
  C[1][z1] = -k, C[1][z2] = k, C[1][v1] = -c, C[1][v2] = c;
  expect_matrix(s.A, &A[0][0], 25);
  expect_matrix(s.B, B, 5);
  expect_matrix(s.C, &C[0][0], 15);
  expect_matrix(s.D, D, 3);
  sar_linear_free(&s);
  run_close(&r);
}

// ---- eigenvalues --------------------------------------------------------------------------------

static double distance_to_poles(const SarLinear* l, double re, double im, bool* used) {
  int best = -1;
  for (int i = 0; i < l->nx; i++)
    if (!used[i] && (best < 0 || hypot(l->pole_re[i] - re, l->pole_im[i] - im) <
                                     hypot(l->pole_re[best] - re, l->pole_im[best] - im)))
      best = i;
  if (best < 0) return HUGE_VAL;
  used[best] = true;
  return hypot(l->pole_re[best] - re, l->pole_im[best] - im);
}

// At an equilibrium: elsewhere eigenvalues depend on the choice of coordinates. `modes` takes
// differences of second order, 1e-5 apart.
static void poles_are_those_of_modes(void** state) {
  (void)state;
  static const char* const FILES[] = {
      "double_fourbar", "fourbar_row",    "iftomm_a03_andrews", "iftomm_a04_bricard",
      "iltis_corner",   "initial_tip",    "actuator_lag",       "pi_arm",
      "puma_cart",      "rover",          "heavy_top",          "brake_heat",
      "pendulum",       "double_pendulum"};
  for (size_t f = 0; f < sizeof FILES / sizeof *FILES; f++) {
    char path[128];
    SarModel* m;
    SarError err;
    SarModeSet modes;
    SarLinear l;
    bool used[512] = {false};
    double largest = 1e-9;
    sar_error_init(&err);
    snprintf(path, sizeof path, "examples/%s.yaml", FILES[f]);
    EXPECT_OK_OR(sar_model_load(path, NULL, &m, &err), &err);
    Run r = run_open(m, NULL);
    SarEquilibrium e = {.omega2 = calloc((size_t)m->nv + 1, sizeof(double))};
    EXPECT_OK_OR(
        sar_equilibrium_find(r.s, &(SarEquilibriumOptions){.max_iterations = 200}, &e, &err), &err);
    EXPECT_OK_OR(sar_mode_set_find(r.s, NULL, &modes, &err), &err);
    EXPECT_OK_OR(sar_linearise(r.s, NULL, 0, NULL, 0, &l, &err), &err);
    assert_true(l.nx <= 512);
    for (int k = 0; k < l.nx; k++) largest = fmax(largest, hypot(l.pole_re[k], l.pole_im[k]));
    int count = 0;
    for (int k = 0; k < modes.count; k++) {
      double off = distance_to_poles(&l, modes.re[k], modes.im[k], used);
      count++;
      if (modes.im[k] > 0) {
        off = fmax(off, distance_to_poles(&l, modes.re[k], -modes.im[k], used));
        count++;
      }
      // rigid motion: roots of rounding
      const double size = hypot(modes.re[k], modes.im[k]);
      const double bound = size <= modes.floor ? 2 * modes.floor : 1e-8 * largest + 1e-7 * size;
      if (!(off <= bound)) fail_msg("%s: mode %d is %g apart, bound %g", FILES[f], k, off, bound);
    }
    assert_int_equal(count, l.nx);
    sar_linear_free(&l);
    sar_mode_set_free(&modes);
    free(e.omega2);
    run_close(&r);
  }
}

// ---- outputs ------------------------------------------------------------------------------------

static const char arm[] =
    "bodies:\n  upper: {rod: [[0, 0, 0], [0, 0, -1]], mass: 2}\n"
    "  lower: {rod: [[0, 0, -1], [0.5, 0, -1]], mass: 1, points: {tip: [0.5, 0, 0]}}\n"
    "joints:\n  shoulder: {universal: [ground, upper], axis: x, axis2: y, position: [0.3, -0.2], "
    "speed: [0.5, 0.2]}\n"
    "  elbow: {revolute: [upper, lower], at: [0, 0, -1], axis: y, position: 0.7, speed: -0.4, "
    "damping: 0.3}\n"
    "inputs: {torque: 0.3, wind: 1}\n"
    "states: {lag: {rate: \"3*(torque - lag) + 0.1*elbow.v\", start: 0.2}}\n"
    "forces:\n  motor: {joint_force: elbow, value: lag + 0.1*torque^2}\n"
    "  gust: {force: lower, value: [wind*lower.vx, 0, 0]}\n"
    "  cord: {spring_damper: [lower, ground], stiffness: 30, damping: 2, length: 0.3}\n"
    "outputs:\n  - {joint: shoulder, with: [position, velocity, acceleration]}\n"
    "  - {joint: elbow, with: [position, velocity, acceleration]}\n"
    "  - {point: lower, with: [position, velocity, acceleration]}\n"
    "  - {body: lower, with: [orientation, omega]}\n  - {force: cord}\n"
    "  - {value: lag*elbow.q, name: product}\n";

// Columns at a displacement h of state or input k.
static void columns_at(Run* r, const SarLinear* l, int k, double h, double* y) {
  SarData* d = r->d;
  double* place = k < l->nq           ? &d->q[l->q[k]]
                  : k < l->nq + l->nv ? &d->v[l->v[k - l->nq]]
                  : k < l->nx         ? &d->z[k - l->nq - l->nv]
                                      : &d->input[k - l->nx];
  const double before = *place;
  *place += h;
  EXPECT_OK(sar_outputs(r->s, y));
  *place = before;
}

static void outputs_agree_with_differences(void** state) {
  (void)state;
  Run r = run_open(model_text(arm), NULL);
  const int n = sar_model_count(r.m, SAR_ITEM_OUTPUT);
  const SarLinearInput input[2] = {{.input = 0}, {.input = 1}};
  SarLinear l;
  SarError err;
  int column[64], known = 0;
  double plus[64], minus[64];
  sar_error_init(&err);
  for (int i = 0; i < n; i++)
    if (sar_linear_knows(r.m, i)) column[known++] = i;
  assert_true(known >= 25);
  EXPECT_OK_OR(sar_linearise(r.s, input, 2, column, known, &l, &err), &err);
  assert_int_equal(l.nx, 7);
  const double h = 1e-5;
  for (int k = 0; k < l.nx + l.nu; k++) {
    columns_at(&r, &l, k, h, plus);
    columns_at(&r, &l, k, -h, minus);
    for (int i = 0; i < known; i++) {
      const double exact = k < l.nx ? l.C[i * l.nx + k] : l.D[i * l.nu + k - l.nx];
      const double slope = (plus[column[i]] - minus[column[i]]) / (2 * h);
      if (!(fabs(exact - slope) <= 1e-7 * (1 + fabs(exact))))
        fail_msg("%s by %d: %.12g, differences %.12g",
                 sar_model_name(r.m, SAR_ITEM_OUTPUT, column[i]), k, exact, slope);
    }
  }
  sar_linear_free(&l);
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum),
      cmocka_unit_test(cart_with_a_pole),
      cmocka_unit_test(quarter_car),
      cmocka_unit_test(poles_are_those_of_modes),
      cmocka_unit_test(outputs_agree_with_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
