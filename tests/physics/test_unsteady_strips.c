// Unsteady lift: a wing that plunges or pitches in the wind with small amplitude, against
// Theodorsen's function and against the transfer function of the two states; and the lift after a
// step, Wagner's function.
#include "support/run.h"

#include <complex.h>
#include <math.h>

static const double PI = 3.14159265358979323846;
#define J ((double complex)I)

// C(k) = H1/(H1 + i H0), Hankel functions of the second kind.
static double complex theodorsen(double k) {
  const double complex H0 = j0(k) - J * y0(k), H1 = j1(k) - J * y1(k);
  return H1 / (H1 + J * H0);
}

static double complex jones(double k) {
  return 1 - 0.165 * J * k / (0.0455 + J * k) - 0.335 * J * k / (0.3 + J * k);
}

// The same motion with delayed and with quasi-steady lift: ratio of their first harmonics once
// transients are over.
static double complex ratio(double k, const char* joint, const char* integrator,
                            const char* formulation) {
  enum { N = 200, U = 20 };
  const double c = 0.5, omega = 2 * U * k / c, period = 2 * PI / omega;
  char text[1500];
  snprintf(text, sizeof text,
           "gravity: [0, 0, 0]\nair: {density: 1.2, wind: [0, -%d, 0]}\n"
           "airfoils: {thin: {lift_slope: 6.283185307179586, drag: 0, separated: 0}}\n"
           "bodies: {wing: {mass: 1, inertia: [1, 1, 1]}}\njoints: {move: {%s: [ground, wing], "
           "axis: %s}}\n"
           "constraints: {drive: {motion: move, value: 1e-4*sin(%.17g*t)}}\n"
           "forces:\n  late: {strips: wing, tip: 1, chord: %.17g, centre: 0.05, airfoil: thin, "
           "lift: unsteady, points: 2}\n"
           "  quasi: {strips: wing, tip: 1, chord: %.17g, centre: 0.05, airfoil: thin, points: 2}\n"
           "outputs: [forces]\n",
           U, joint, joint[0] == 'p' ? "z" : "x", omega, c, c);
  SarSimOptions o = run_options(formulation, period / N);
  o.integrator = integrator;
  o.adaptive = 0;
  Run r = run_open(model_text(text), &o);
  // the slower state fades with 0.0455 2 U/c
  const double from = period * ceil(14 / (0.0455 * 2 * U / c) / period);
  double complex late = 0, quasi = 0;
  run_advance(&r, from);
  for (int i = 1; i <= N; i++) {
    const double t = from + period * i / N;
    run_advance(&r, t);
    late += run_output(&r, "late.fz") * cexp(-J * omega * t);
    quasi += run_output(&r, "quasi.fz") * cexp(-J * omega * t);
  }
  run_close(&r);
  return late / quasi;
}

static void lift_follows_theodorsen(void** state) {
  (void)state;
  static const double K[] = {0.05, 0.1, 0.3, 0.7, 1.5};
  for (size_t i = 0; i < sizeof K / sizeof *K; i++) {
    const double complex plunge = ratio(K[i], "prismatic", "rk4", "lagrange");
    const double complex pitch = ratio(K[i], "revolute", "rk4", "lagrange");
    EXPECT_NEAR(cabs(plunge - jones(K[i])), 0, 1e-5);
    EXPECT_NEAR(cabs(pitch - jones(K[i])), 0, 1e-4);
    EXPECT_NEAR(cabs(plunge - theodorsen(K[i])), 0, 0.02);
  }
}

// Steps that are implicit in the states, second order: 200 steps a period.
static void implicit_steps_do_too(void** state) {
  (void)state;
  EXPECT_NEAR(cabs(ratio(0.3, "prismatic", "trapezoidal", "hybrid") - jones(0.3)), 0, 1e-3);
  EXPECT_NEAR(cabs(ratio(0.3, "prismatic", "trapezoidal", "lagrange") - jones(0.3)), 0, 1e-3);
}

// A gust that steps up: half of the lift at once, then Wagner's function of the way in half chords.
static void a_step_is_wagners_function(void** state) {
  (void)state;
  static const char TEXT[] =
      "gravity: [0, 0, 0]\nair: {density: 1.2, wind: [0, -20, \"t > 0.01 ? 0.02 : 0\"]}\n"
      "airfoils: {thin: {lift_slope: 6.283185307179586, drag: 0, separated: 0}}\n"
      "bodies: {wing: {mass: 1, inertia: [1, 1, 1]}}\njoints: {move: {prismatic: [ground, wing], "
      "axis: z}}\n"
      "constraints: {drive: {motion: move, value: 0}}\n"
      "forces: {late: {strips: wing, tip: 1, chord: 0.5, airfoil: thin, lift: unsteady}}\n"
      "outputs: [forces]\n";
  SarSimOptions o = run_options("lagrange", 1e-3);
  o.integrator = "rk4";
  o.adaptive = 0;
  Run r = run_open(model_text(TEXT), &o);
  const double steady = 0.5 * 1.2 * 20 * 20 * 0.5 * 2 * PI * 0.02 / 20;
  run_advance(&r, 0.01);
  EXPECT_NEAR(run_output(&r, "late.fz"), 0, 1e-9);
  for (int i = 1; i <= 20; i++) {
    const double s = 2 * 20 / 0.5 * 0.02 * i;
    run_advance(&r, 0.01 + 0.02 * i);
    const double phi = 1 - 0.165 * exp(-0.0455 * s) - 0.335 * exp(-0.3 * s);
    EXPECT_NEAR(run_output(&r, "late.fz") / steady, phi, 1e-5);
  }
  run_close(&r);
}

static void too_many_points_are_refused(void** state) {
  (void)state;
  static const char TEXT[] =
      "sarrus: 1\nbodies: {wing: {mass: 1}}\njoints: {j: {prismatic: [ground, wing], axis: z}}\n"
      "forces: {air: {strips: wing, tip: 1, chord: 0.5, lift: unsteady, panels: 9}}\n";
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  assert_int_equal(sar_model_parse(TEXT, strlen(TEXT), "yaml", "text.yaml", NULL, &m, &err),
                   SAR_BAD_MODEL);
  assert_int_equal(err.errors, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lift_follows_theodorsen),
      cmocka_unit_test(implicit_steps_do_too),
      cmocka_unit_test(a_step_is_wagners_function),
      cmocka_unit_test(too_many_points_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
