// Floquet multipliers: of a steady state they are exp(lambda T) with the eigenvalues of its modes,
// with loops and rotations in space; of Mathieu's equation those of a run of the equation itself.
#include "support/run.h"

#include "model/model.h"

#include <math.h>

static bool has(const SarFloquetReport* f, double re, double im, double bound) {
  for (int k = 0; k < f->count; k++)
    if (hypot(f->re[k] - re, f->im[k] - im) <= bound) return true;
  return false;
}

static void expect_modes(const char* text, double period, double bound) {
  SarSimOptions o = run_options("lagrange", 1e-3);
  o.integrator = "rk4";
  o.adaptive = 0;
  Run r = run_open(model_text(text), &o);
  SarError err;
  SarFloquet* found;
  SarModes* modes;
  sar_error_init(&err);
  SarFloquetOptions how = sar_floquet_options();
  how.sim = &o;
  EXPECT_OK_OR(sar_floquet(r.d, period, &how, &found, &err), &err);
  const SarFloquetReport* f = sar_floquet_report(found);
  EXPECT_OK_OR(sar_modes(r.d, NULL, &modes, &err), &err);
  const SarModesReport* x = sar_modes_report(modes);
  assert_true(x->count > 0);
  for (int k = 0; k < x->count; k++) {
    const double size = exp(x->re[k] * period), angle = x->im[k] * period;
    if (!has(f, size * cos(angle), size * sin(angle), bound))
      fail_msg("no multiplier %.9g + i %.9g", size * cos(angle), size * sin(angle));
  }
  // what constraints do not allow has none
  int left = 0;
  for (int k = 0; k < f->count; k++) left += hypot(f->re[k], f->im[k]) > 1e-6;
  assert_in_range(left, x->freedoms, 2 * x->freedoms + r.m->nz);
  sar_modes_free(modes);
  sar_floquet_free(found);
  run_close(&r);
}

// A ball joint and a slider, a filter that pushes; and a parallelogram that hangs, with a spring
// and a damper.
static void of_a_state_at_rest(void** state) {
  (void)state;
  expect_modes(
      "gravity: [0, 0, -9.81]\n"
      "bodies: {a: {mass: 2, inertia: [0.3, 0.2, 0.1], com: [0, 0, -0.5]}, b: {mass: 1, at: [0, 0, "
      "-1]}}\n"
      "joints:\n  ball: {spherical: [ground, a], at: [0, 0, 0], stiffness: 3, damping: 0.4}\n"
      "  slide: {prismatic: [a, b], at: [0, 0, -1], axis: x, stiffness: 40, damping: 0.5, force: "
      "-3*lag}\n"
      "states: {lag: {rate: 5*(slide.q - lag)}}\n",
      0.37, 1e-6);
  expect_modes(
      "gravity: [0, 0, -9.81]\n"
      "bodies:\n  a: {rod: [[0, 0, 0], [0, 0, -0.4]], mass: 1}\n"
      "  b: {rod: [[0, 0, -0.4], [1, 0, -0.4]], mass: 2}\n"
      "  c: {rod: [[1, 0, 0], [1, 0, -0.4]], mass: 1}\n"
      "joints:\n  A: {revolute: [ground, a], at: [0, 0, 0], axis: y, stiffness: 2, damping: 0.6}\n"
      "  B: {revolute: [a, b], at: [0, 0, -0.4], axis: y}\n"
      "  C: {revolute: [b, c], at: [1, 0, -0.4], axis: y}\n"
      "  D: {revolute: [ground, c], at: [1, 0, 0], axis: y}\n",
      0.25, 1e-6);
}

// x'' + 2 d x' + (a + b cos 2 t) x = 0 by fourth-order steps of its own: the matrix over pi, its
// trace and determinant.
static void monodromy(double a, double b, double d, double M[2][2]) {
  enum { N = 4000 };
  const double h = 3.14159265358979323846 / N;
  for (int j = 0; j < 2; j++) {
    double x[2] = {j == 0, j == 1};
    for (int i = 0; i < N; i++) {
      double k[4][2], y[2];
      for (int s = 0; s < 4; s++) {
        const double c = s == 0 ? 0 : s == 3 ? 1 : 0.5, t = (i + c) * h;
        for (int l = 0; l < 2; l++) y[l] = x[l] + (s > 0 ? c * h * k[s - 1][l] : 0);
        k[s][0] = y[1];
        k[s][1] = -2 * d * y[1] - (a + b * cos(2 * t)) * y[0];
      }
      for (int l = 0; l < 2; l++) x[l] += h / 6 * (k[0][l] + 2 * k[1][l] + 2 * k[2][l] + k[3][l]);
    }
    M[0][j] = x[0], M[1][j] = x[1];
  }
}

static void of_mathieus_equation(void** state) {
  (void)state;
  static const double CASE[][3] = {{1, 0.4, 0.02}, {2.5, 1.0, 0.1}, {0.3, 0.1, 0}, {4, 3, 0.05}};
  for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
    const double a = CASE[i][0], b = CASE[i][1], d = CASE[i][2];
    char text[400];
    double M[2][2];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\nbodies: {m: {mass: 1}}\njoints:\n"
             "  x: {prismatic: [ground, m], axis: x, damping: %.17g, force: -(%.17g + "
             "%.17g*cos(2*t))*x.q}\n",
             2 * d, a, b);
    SarSimOptions o = run_options("lagrange", 2e-3);
    o.integrator = "rk4";
    o.adaptive = 0;
    Run r = run_open(model_text(text), &o);
    SarError err;
    SarFloquet* found;
    SarFloquetOptions how = sar_floquet_options();
    how.sim = &o;
    sar_error_init(&err);
    EXPECT_OK_OR(sar_floquet(r.d, 3.14159265358979323846, &how, &found, &err), &err);
    const SarFloquetReport* f = sar_floquet_report(found);
    monodromy(a, b, d, M);
    assert_int_equal(f->count, 2);
    EXPECT_NEAR(f->re[0] + f->re[1], M[0][0] + M[1][1], 1e-6);
    // Liouville: the product is exp(-2 d T)
    EXPECT_NEAR(f->re[0] * f->re[1] - f->im[0] * f->im[1], exp(-2 * d * 3.14159265358979323846),
                1e-6);
    sar_floquet_free(found);
    run_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_a_state_at_rest),
      cmocka_unit_test(of_mathieus_equation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
