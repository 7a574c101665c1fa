// A mechanism that slides and turns, written down in other units of length and time: how firmly
// constraints hold it, and with that what a step does, must not depend on them. Grips had been
// measured with metres beside radians: in some units a slider-crank counted as near a singular
// position, the trapezoidal rule was not iterated to its end there, and the energy was off by 7e-7.
#include "support/random.h"
#include "support/run.h"

enum { STEPS = 30 };

// Crank, rod and slider of random sizes, with lengths in units of 1/L m and times in units of 1/T
// s.
static SarModel* slider_crank(Rng* r, double L, double T) {
  char text[2048];
  const double a = rng_uniform(r, 0.1, 0.3), b = rng_uniform(r, 0.4, 1),
               angle = rng_uniform(r, 0.3, 1.2);
  const double x = a * cos(angle), y = a * sin(angle), end = x + sqrt(b * b - y * y);
  const double speed = rng_uniform(r, 1, 6);
  snprintf(text, sizeof text,
           "planar: xy\ngravity: [0, %.17g, 0]\nbodies:\n"
           "  crank: {at: [%.17g, %.17g, 0], mass: 1, inertia: [%.17g, %.17g, %.17g]}\n"
           "  rod: {at: [%.17g, %.17g, 0], mass: 2, inertia: [%.17g, %.17g, %.17g]}\n"
           "  slider: {at: [%.17g, 0, 0], mass: 1.5, inertia: [%.17g, %.17g, %.17g]}\n"
           "joints:\n"
           "  O: {revolute: [ground, crank], axis: z, speed: %.17g}\n"
           "  A: {revolute: [crank, rod], at: [%.17g, %.17g, 0], axis: z}\n"
           "  C: {revolute: [rod, slider], at: [%.17g, 0, 0], axis: z}\n"
           "  P: {prismatic: [ground, slider], at: [%.17g, 0, 0], axis: x}\noutputs: [joints]\n",
           -9.81 * L / (T * T), x / 2 * L, y / 2 * L, 2e-4 * L * L, 3e-3 * L * L, 3e-3 * L * L,
           (x + end) / 2 * L, y / 2 * L, 4e-4 * L * L, 0.06 * L * L, 0.06 * L * L, end * L,
           0.01 * L * L, 0.01 * L * L, 0.01 * L * L, speed / T, x * L, y * L, end * L, end * L);
  return model_text(text);
}

static double crank_angle(uint64_t seed, const char* formulation, const char* integrator, double L,
                          double T) {
  Rng r = rng_seed(seed);
  SarSimOptions o = run_options(formulation, 1e-3 * T);
  o.integrator = integrator;
  o.adaptive = 0;
  o.rtol = 1e-11;
  o.atol = 1e-12 * fmin(1, L) / T;
  Run run = run_open(slider_crank(&r, L, T), &o);
  for (int i = 0; i < STEPS; i++)
    if (sar_step(run.s) != SAR_OK) fail_msg("%s: %s", formulation, sar_sim_trouble(run.s));
  const double angle = run_output(&run, "O.q");
  run_close(&run);
  return angle;
}

// Bound: rounding, and what iterations leave, 1e-11 of speeds in each of 30 steps of 1 ms.
static void units_change_nothing(void** state) {
  (void)state;
  static const char* const METHODS[] = {"partition", "lagrange-dense", "schur", "zero-eigenvalue",
                                        "qr"};
  static const double UNITS[] = {1e-3, 1e-2, 30, 1e3};
  double worst = 0;
  for (int k = 0; k < test_effort(8); k++) {
    const uint64_t seed = test_seed(400) + (uint64_t)k;
    Rng r = rng_seed(seed + 77);
    for (size_t f = 0; f < sizeof METHODS / sizeof *METHODS; f++) {
      const double L = UNITS[rng_int(&r, 4)], T = UNITS[rng_int(&r, 4)];
      const double one = crank_angle(seed, METHODS[f], "trapezoidal", 1, 1);
      const double other = crank_angle(seed, METHODS[f], "trapezoidal", L, T);
      worst = fmax(worst, fabs(one - other));
      if (!(fabs(one - other) <= 1e-9))
        fail_msg("seed %llu, %s, lengths x %g, times x %g: %.12g, not %.12g rad",
                 (unsigned long long)seed, METHODS[f], L, T, other, one);
    }
  }
  print_message("worst %.1e rad\n", worst);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(units_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
