// The integrators of the Newmark family do what their spectral radius says, on a mass and a spring
// for which every step is a linear map: far beyond the step, what is left after each step is rho of
// it; slow vibrations are kept, and the trapezoidal rule keeps the energy exactly.
#include "support/run.h"

#include "model/sim.h"

#include <math.h>

static const char MODEL[] =
    "sarrus: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {k: 1}\n"
    "bodies: {block: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {rail: {prismatic: [ground, block], axis: x, stiffness: k, position: 1}}\n"
    "simulation: {end: 1}\n";

static Run begin(double k, const char* formulation, const char* integrator, double rho) {
  const SarParameter stiffness = {"k", k};
  const SarLoadOptions load = {.parameters = &stiffness, .parameter_count = 1};
  SarSimOptions o = sar_sim_options();
  o.formulation = formulation;
  o.integrator = integrator;
  o.spectral_radius = rho;
  o.step = 1;
  return run_open(model_parse(MODEL, &load), &o);
}

// Mean decay of q over `steps` steps, after as many for the transient; q may alternate in sign, and
// a double root makes it n rho^n: the mean of a hundred steps is within 5 %.
static double decay(Run* r, int steps) {
  double size[2] = {0, 0};
  for (int i = 0; i < 2 * steps; i++) {
    EXPECT_OK(sar_step(r->s));
    if (i == steps - 1 || i == 2 * steps - 1) size[i > steps] = fabs(r->d->q[0]);
  }
  return pow(size[1] / size[0], 1. / steps);
}

static void fast_vibrations_decay_by_the_spectral_radius(void** state) {
  (void)state;
  static const struct {
    const char* integrator;
    double rho;
  } CASES[] = {{"newmark", 0.5},  {"newmark", 0.9},           {"hht", 0.5},
               {"hht", 0.8},      {"generalized-alpha", 0.5}, {"generalized-alpha", 0.8},
               {"trapezoidal", 1}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Run r = begin(1e12, "hybrid", CASES[i].integrator, CASES[i].rho);  // a million radians a step
    const double left = decay(&r, 30);
    print_message("%s, rho %.1f: %.4f left\n", CASES[i].integrator, CASES[i].rho, left);
    EXPECT_NEAR(left, CASES[i].rho, 0.05);
    run_close(&r);
  }
}

static void slow_vibrations_stay(void** state) {
  (void)state;
  static const char* const NAMES[] = {"hht", "generalized-alpha"};
  for (int i = 0; i < 2; i++) {
    SarEnergy e;
    Run r = begin(1e-4, "hybrid", NAMES[i], 0.8);  // 628 steps a period, ten periods
    for (int k = 0; k < 6283; k++) EXPECT_OK(sar_step(r.s));
    EXPECT_OK(sar_energy(r.d, &e));
    // damping of order (w h)^3 a step: 1e-6 each at most
    EXPECT_NEAR(e.total / (0.5 * 1e-4), 1, 6283 * 1e-6);
    run_close(&r);
  }
}

static void trapezoidal_rule_keeps_the_energy(void** state) {
  (void)state;
  for (int k = 0; sar_formulation(k); k++) {
    if (sar_formulation(k)->shape != SAR_SHAPE_STEP) continue;
    Run r = begin(1, sar_formulation(k)->name, "trapezoidal", 1);  // six steps a period
    SarEnergy e;
    for (int i = 0; i < 1000; i++) EXPECT_OK(sar_step(r.s));
    EXPECT_OK(sar_energy(r.d, &e));
    // the rule is exact in the energy of a linear system; each iteration leaves up to 1e-5 of a
    EXPECT_NEAR(e.total, 0.5, 1e-4);
    run_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fast_vibrations_decay_by_the_spectral_radius),
      cmocka_unit_test(slow_vibrations_stay),
      cmocka_unit_test(trapezoidal_rule_keeps_the_energy),
  };
  return cmocka_run_group_tests_name("newmark", tests, NULL, NULL);
}
