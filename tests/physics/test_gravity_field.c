// Gravity as a field: Kepler's ellipse in closed form, by every formulation; a uniform field
// written as one; laws of energy of fields with and without a potential.
#include "support/test.h"

#include "support/random.h"
#include "support/run.h"

#include <math.h>
#include <stdio.h>

// ---- Kepler -------------------------------------------------------------------------------------

static const double MU = 2, NEAREST = 0.7;

// Ellipse about the origin with the perihelion on +x, eccentricity e:  M = E - e sin E,
// x = a (cos E - e),  y = a sqrt(1 - e^2) sin E.
static void ellipse(double e, double t, double* x, double* y) {
  const double a = NEAREST / (1 - e), M = t * sqrt(MU / (a * a * a));
  double E = M;
  for (int i = 0; i < 60; i++) E -= (E - e * sin(E) - M) / (1 - e * cos(E));
  *x = a * (cos(E) - e);
  *y = a * sqrt(1 - e * e) * sin(E);
}

static SarModel* satellite(double e, const char* gravity) {
  char text[600];
  const double a = NEAREST / (1 - e), speed = sqrt(MU * (2 / NEAREST - 1 / a));
  snprintf(text, sizeof text,
           "gravity: %s\nbodies:\n"
           "  moon: {mass: 3, inertia: [1, 2, 2.5], at: [%.17g, 0, 0], velocity: [0, %.17g, 0], "
           "angular_velocity: [0.3, -0.2, 0.5]}\n"
           "outputs: [energy, momentum, {point: moon}]\n",
           gravity, NEAREST, speed);
  return model_text(text);
}

static double miss(Run* r, double e, double end) {
  double x, y;
  run_advance(r, end);
  ellipse(e, end, &x, &y);
  return hypot(run_output(r, "moon.x") - x, run_output(r, "moon.y") - y);
}

static void error_control_follows_kepler(void** state) {
  (void)state;
  static const char vector[] =
      "{field: [-2*x/sqrt(x^2 + y^2 + z^2)^3, -2*y/sqrt(x^2 + y^2 + z^2)^3, -2*z/sqrt(x^2 + y^2 + "
      "z^2)^3]}";
  static const char* const written[] = {"{mu: 2}", "{centre: [0, 0, 0], mu: 2}",
                                        "{potential: -2 / sqrt(x^2 + y^2 + z^2)}", vector};
  for (int way = 0; way < 4; way++)
    for (double e = 0; e < 0.75; e += 0.35) {
      SarSimOptions o = sar_sim_options();
      o.rtol = o.atol = 1e-11;
      Run r = run_open(satellite(e, written[way]), &o);
      EXPECT_NEAR(miss(&r, e, 7), 0, 1e-7);  // 1.1e-8 at most, over up to three turns
      EXPECT_NEAR(run_output(&r, "energy.error"), 0, 1e-9);
      run_close(&r);
    }
}

// Errors of fixed steps, halved twice: the order of each method.
static void fixed_steps_keep_their_order(void** state) {
  (void)state;
  static const struct {
    const char *formulation, *integrator;
    double order;
  } method[] = {{"aba", "rk4", 4},
                {"crba", "trapezoidal", 2},
                {"lagrange", "rk4", 4},
                {"hybrid", "trapezoidal", 2},
                {"recursive", "trapezoidal", 2},
                {"global", "trapezoidal", 2},
                {"impulse", "moreau", 2}};
  for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
    double off[3];
    for (int k = 0; k < 3; k++) {
      SarSimOptions o = sar_sim_options();
      o.formulation = method[i].formulation;
      o.integrator = method[i].integrator;
      o.step = 0.01 / (1 << k);
      o.adaptive = 0;
      Run r = run_open(satellite(0.3, "{mu: 2}"), &o);
      off[k] = miss(&r, 0.3, 2);
      run_close(&r);
    }
    const double order = log2(off[1] / off[2]);
    print_message("%-10s %-12s %.2e %.2e %.2e  order %.2f\n", method[i].formulation,
                  method[i].integrator, off[0], off[1], off[2], order);
    EXPECT_NEAR(order, method[i].order, 0.15);
  }
}

// ---- a uniform field, written as a field --------------------------------------------------------

static SarModel* arm(Rng* r, const char* gravity) {
  static char text[2000];
  const double a = rng_uniform(r, -1, 1), b = rng_uniform(r, -1, 1), c = rng_uniform(r, 0.2, 1);
  snprintf(text, sizeof text,
           "gravity: %s\nbodies:\n"
           "  one: {mass: 2, inertia: [0.3, 0.4, 0.5], com: [%.17g, 0.1, 0.2]}\n"
           "  two: {mass: 1, inertia: [0.1, 0.2, 0.15], com: [0.1, %.17g, 0], at: [%.17g, 0, 0]}\n"
           "joints:\n"
           "  A: {revolute: [ground, one], at: [0, 0, 0], axis: [1, 2, 0.5], position: %.17g, "
           "speed: 1}\n"
           "  B: {spherical: [one, two], at: [%.17g, 0, 0]}\n"
           "outputs: [energy, joints, {reaction: A}]\n",
           gravity, a, b, c, b, c);
  return model_text(text);
}

static void uniform_fields_are_uniform_gravity(void** state) {
  (void)state;
  static const char* const written[] = {"[1, -2, -9.81]", "{potential: -x + 2*y + 9.81*z}",
                                        "{field: [1, -2, -9.81]}"};
  for (int seed = 0; seed < test_effort(30); seed++) {
    double value[3][3];
    for (int k = 0; k < 3; k++) {
      Rng rng = rng_seed((unsigned)seed);
      SarSimOptions o = sar_sim_options();
      o.rtol = o.atol = 1e-10;
      Run r = run_open(arm(&rng, written[k]), &o);
      run_advance(&r, 1);
      value[k][0] = run_output(&r, "A.q");
      value[k][1] = run_output(&r, "A.fz");
      value[k][2] = run_output(&r, "energy.kinetic");
      EXPECT_NEAR(run_output(&r, "energy.error"), 0, 1e-7);
      run_close(&r);
    }
    for (int k = 1; k < 3; k++)
      for (int i = 0; i < 3; i++)
        EXPECT_NEAR(value[k][i], value[0][i], 1e-6 * (1 + fabs(value[0][i])));
  }
}

// ---- fields that give energy --------------------------------------------------------------------

// A vortex has no potential; one that turns and one that breathes change in time: all of it is
// accounted for.
static void work_of_fields_is_in_the_account(void** state) {
  (void)state;
  static const char* const written[] = {"{field: [-y, x, 0]}",
                                        "{potential: (1 + 0.5*sin(3*t)) * (x^2 + 2*y^2 + z^2)}",
                                        "{potential: (x*cos(t) + y*sin(t))^2 + 0.1*z^4}"};
  for (int i = 0; i < 3; i++) {
    SarSimOptions o = sar_sim_options();
    o.rtol = o.atol = 1e-10;
    Run r = run_open(satellite(0.2, written[i]), &o);
    run_advance(&r, 3);
    EXPECT_NEAR(run_output(&r, "energy.error"), 0, 1e-7);
    assert_true(fabs(run_output(&r, "energy.work")) > 0.05);
    run_close(&r);
  }
}

static void a_field_that_is_not_finite_is_said(void** state) {
  (void)state;
  // it falls to x = 0 in a finite time, and beyond that there is no potential
  Run r = run_open(satellite(0.2, "{potential: sqrt(x)}"), NULL);
  const SarStatus status = sar_advance(r.s, 10);
  assert_true(status == SAR_NOT_FINITE || status == SAR_STEP_TOO_SMALL);
  assert_true(sar_time(r.d) > 0.5);
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(error_control_follows_kepler),
      cmocka_unit_test(fixed_steps_keep_their_order),
      cmocka_unit_test(uniform_fields_are_uniform_gravity),
      cmocka_unit_test(work_of_fields_is_in_the_account),
      cmocka_unit_test(a_field_that_is_not_finite_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
