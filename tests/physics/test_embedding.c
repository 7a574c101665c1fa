// Independent coordinates in time: mechanisms that turn all the way round, by `embedding` at fixed
// steps, against `qr`, which has none to choose. A pivot that heads for zero makes the equations of
// the independent coordinates change as fast as itself, and the error of a step grows as (h p' /
// p)^(order + 1): whoever keeps a choice for too long is off by as much whatever the step. Loops,
// rolling (nonholonomic rows), both together.
//
// Bounds: with the best choice before every step, `embedding` was off by at most 14 times as much
// as `qr` at the same step (12 members of each family), and by 7 times less or better at half of
// it.
#include "support/run.h"
#include "support/random.h"

#include <math.h>
#include <stdio.h>

typedef void Writer(Rng* r, char* text, size_t size);

// A coin on a plane, tilted by th; one that falls nearly flat turns fast there.
static void write_coin(Rng* r, char* text, size_t size) {
  const double th = rng_uniform(r, 0.6, 1.5), a = rng_uniform(r, 0.3, 0.6);
  snprintf(text, size,
           "bodies:\n  coin: {mass: 2, inertia: [%.4f, %.4f, %.4f], at: [0, 0, %.17g], rpy: "
           "[%.17g, 0, 0], angular_velocity: [%.3f, %.3f, %.3f]}\n"
           "constraints: {roll: {rolling: [coin, ground], radius: %.17g, axis: z, in: coin}}\n",
           a * a / 2, a * a / 2, a * a, a * sin(th), th, rng_uniform(r, -0.5, 0.5),
           rng_uniform(r, 0.5, 2), rng_uniform(r, 2, 6), a);
}

// A crank and a rocker, the crank the shortest link: it turns all the way round.
static void write_fourbar(Rng* r, char* text, size_t size) {
  const double crank = rng_uniform(r, 0.2, 0.3), x = rng_uniform(r, 0.8, 1.2);
  const double y = rng_uniform(r, 0.7, 1), ground = rng_uniform(r, 0.9, 1.1);
  snprintf(text, size,
           "bodies:\n"
           "  crank: {mass: 2, com: [%.17g, 0, 0], inertia: [0.02, 0.02, 0.05]}\n"
           "  rod: {mass: 1, com: [%.17g, 0, 0], inertia: [0.02, 0.05, 0.05], at: [%.17g, 0, 0]}\n"
           "  rocker: {mass: 1, com: [0, %.17g, 0], inertia: [0.05, 0.02, 0.05], at: [%.17g, 0, "
           "0]}\n"
           "joints:\n"
           "  A: {revolute: [ground, crank], axis: z, speed: %.3f}\n"
           "  B: {revolute: [crank, rod], at: [%.17g, 0, 0], axis: z}\n"
           "  D: {revolute: [ground, rocker], at: [%.17g, 0, 0], axis: z}\n"
           "  C: {revolute: [rod, rocker], at: [%.17g, %.17g, 0], axis: z}\n"
           "gravity: [0, -9.81, 0]\n",
           crank / 2, x / 2, crank, y / 2, ground, rng_uniform(r, 8, 14), crank, ground, crank + x,
           y);
}

// An axle with two wheels (one side slip too many), a frame on it that trails a ball, and a bob on
// the frame that two bars hold: rolling and a loop.
static void write_cart(Rng* r, char* text, size_t size) {
  const double a = rng_uniform(r, 0.25, 0.35), b = rng_uniform(r, 0.4, 0.6);
  snprintf(
      text, size,
      "bodies:\n"
      "  frame: {mass: 5, com: [-0.3, 0, 0.1], inertia: [0.4, 0.5, 0.6], at: [0, 0, %.17g]}\n"
      "  left: {mass: 1, inertia: [0.03, 0.05, 0.03], at: [0, %.17g, %.17g]}\n"
      "  right: {mass: 1, inertia: [0.03, 0.05, 0.03], at: [0, -%.17g, %.17g]}\n"
      "  ball: {mass: 0.5, inertia: [0.01, 0.01, 0.01], at: [-0.8, 0, %.17g]}\n"
      "  front: {mass: 0.5, com: [0, 0, 0.25], inertia: [0.02, 0.02, 0.01], at: [0, 0, %.17g]}\n"
      "  rear: {mass: 0.5, com: [0, 0, 0.2], inertia: [0.02, 0.02, 0.01], at: [-0.5, 0, %.17g]}\n"
      "  bob: {mass: 2, com: [-0.2, 0, 0], inertia: [0.05, 0.1, 0.1], at: [0, 0, %.17g]}\n"
      "joints:\n"
      "  L: {revolute: [frame, left], at: [0, %.17g, %.17g], axis: y, speed: %.3f}\n"
      "  R: {revolute: [frame, right], at: [0, -%.17g, %.17g], axis: y, speed: %.3f}\n"
      "  S: {spherical: [frame, ball], at: [-0.8, 0, %.17g]}\n"
      "  P: {revolute: [frame, front], at: [0, 0, %.17g], axis: y}\n"
      "  Q: {revolute: [frame, rear], at: [-0.5, 0, %.17g], axis: y}\n"
      "  U: {revolute: [front, bob], at: [0, 0, %.17g], axis: y}\n"
      "  V: {spherical: [rear, bob], at: [-0.5, 0, %.17g]}\n"
      "constraints:\n"
      "  l: {rolling: [left, ground], radius: %.17g, axis: y, in: left}\n"
      "  r: {rolling: [right, ground], radius: %.17g, axis: y, in: right}\n"
      "  b: {rolling: [ball, ground], radius: %.17g}\n",
      a, b, a, b, a, a / 2, a, a, a + 0.5, b, a, rng_uniform(r, 2, 9), b, a, rng_uniform(r, 2, 9),
      a / 2, a, a, a + 0.5, a + 0.4, a, a, a / 2);
}

enum { MOST = 32 };  // bodies

static SarStatus run(const char* text, const char* coordinates, const char* formulation,
                     double step, double* at) {
  const SarLoadOptions load = {.coordinates = coordinates};
  SarSimOptions o = run_options(formulation, step);
  if (step > 0) o.integrator = "rk4";
  Run r = run_open(model_text_with(text, &load), &o);
  const SarStatus st = sar_advance(r.s, 1);
  if (st != SAR_OK) print_message("%s: %s\n", formulation, sar_sim_trouble(r.s));
  assert_in_range(sar_model_count(r.m, SAR_ITEM_BODY), 1, MOST);
  for (int b = 0; b < sar_model_count(r.m, SAR_ITEM_BODY); b++) {
    double R[9];
    EXPECT_OK(sar_body_pose(r.d, b, &at[3 * b], R));
  }
  run_close(&r);
  return st;
}

// Largest distance of a body from where it should be [m].
static double apart(const double* x, const double* y, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

static void check(Writer* write, const char* name, int trial) {
  static const double STEP = 2e-3, ROUNDING = 1e-10;
  Rng r = rng_seed(test_seed(1) * 1000 + (uint64_t)trial);
  char text[3000];
  double exact[3 * MOST] = {0}, at[3 * MOST] = {0}, off[2][2];
  const char* coordinates = trial % 2 ? "absolute" : "relative";
  write(&r, text, sizeof text);
  EXPECT_OK(run(text, coordinates, "qr", 0, exact));
  for (int k = 0; k < 4; k++) {
    EXPECT_OK(run(text, coordinates, k / 2 ? "embedding" : "qr", STEP / (1 + k % 2), at));
    off[k / 2][k % 2] = apart(at, exact, 3 * MOST);
  }
  print_message("%s %d, %s: qr %.1e %.1e, embedding %.1e %.1e\n", name, trial, coordinates,
                off[0][0], off[0][1], off[1][0], off[1][1]);
  for (int k = 0; k < 2; k++)
    if (!(off[1][k] <= 30 * off[0][k] + ROUNDING)) fail_msg("too far from qr");
  if (!(off[1][1] <= off[1][0] / 5 + ROUNDING)) fail_msg("half the step does not help");
}

static void as_near_as_without_a_choice(void** state) {
  (void)state;
  for (int k = 0; k < test_effort(6); k++) {
    check(write_coin, "coin", k);
    check(write_fourbar, "four-bar", k);
    check(write_cart, "cart", k);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_near_as_without_a_choice)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
