// Kinks: steps end on those in time exactly; changes of sign of the state are found. Every case has
// a closed solution, made of parabolas or sines, that a step across a kink would miss by far more.
#include "support/run.h"

#include "model/sim.h"
#include "sim/kinks.h"

// A unit mass on a rail along x with the force given, no gravity.
static Run open_rail(const char* force, const char* start, const char* integrator, int adaptive) {
  char text[1024];
  SarSimOptions o = sar_sim_options();
  o.integrator = integrator;
  o.adaptive = adaptive;
  o.step = 0.01;
  o.rtol = 1e-9;
  o.atol = 1e-11;
  snprintf(text, sizeof text,
           "sarrus: 1\ngravity: [0, 0, 0]\nbodies: {a: {sphere: 0.1, mass: 1}}\n"
           "joints: {x: {prismatic: [ground, a], axis: x, %s, force: \"%s\"}}\n",
           start, force);
  return run_open(model_parse(text, NULL), &o);
}

// ---- kinks in time ------------------------------------------------------------------------------

// Steps to t_end; fails unless every kink of the model until then was the end of a step.
static void step_through(Run* r, double t_end) {
  double next = sar_kink_after(r->m, 0);
  while (sar_time(r->d) < t_end) {
    EXPECT_OK(sar_step(r->s));
    double t = sar_time(r->d);
    assert_true(t <= next);
    if (t == next) next = sar_kink_after(r->m, t);
  }
}

static void lands_on_times(void** state) {
  (void)state;
  for (int k = 0; sar_integrator(k); k++) {
    const SarIntegrator* i = sar_integrator(k);
    if (!i->step) continue;
    Run r = open_rail("(t < 0.3337 ? 1 : -2) + (t <= 0.61 ? 0 : 4)", "speed: 0", i->name, -1);
    step_through(&r, 0.61);
    EXPECT_OK(sar_advance(r.s, 1));
    // v = 0.3337 - 2 (1 - 0.3337) + 4 (1 - 0.61); x by the same parabolas
    double v = 0.3337 - 2 * 0.6663 + 4 * 0.39;
    double x = 0.5 * 0.3337 * 0.3337 + 0.3337 * 0.6663 - 0.6663 * 0.6663 + 2 * 0.39 * 0.39;
    EXPECT_NEAR(r.d->v[0], v, strcmp(i->name, "cvode") == 0 ? 1e-7 : 1e-13);
    // semi-implicit Euler errs by h/2 times the change of speed; the others have parabolas exactly
    double bound = i->order == 1 ? 0.5 * 0.01 * (0.3337 + 2 * 0.6663 + 4 * 0.39) : 1e-13;
    EXPECT_NEAR(r.d->q[0], x, strcmp(i->name, "cvode") == 0 ? 1e-7 : bound);
    run_close(&r);
  }
}

static void lands_on_periodic_times(void** state) {
  (void)state;
  Run r = open_rail("t % 0.25 < 0.1 ? 1 : 0", "speed: 0", "rk4", 0);
  assert_true(r.m->nkink >= 2);
  step_through(&r, 0.99);
  EXPECT_OK(sar_advance(r.s, 1));
  EXPECT_NEAR(r.d->v[0], 4 * 0.1, 1e-13);
  run_close(&r);
}

// ---- kinks of the state -------------------------------------------------------------------------

static const char* const locating[] = {"dopri5", "trapezoidal"};

// In at x = 0.5 with v = 1, stopped and thrown back by -20: out after 0.1 s with v = -1.
static void finds_a_jump(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    Run r = open_rail("x.q > 0.5 ? -20 : 0", "speed: 1", locating[k], 1);
    EXPECT_OK(sar_advance(r.s, 1));
    SarStats z = sar_stats(r.s);
    print_message("%s: jump, error %.1e, %ld steps, %ld rejected, %ld calls\n", locating[k],
                  r.d->q[0] - 0.1, z.steps, z.rejected, z.calls);
    // each crossing is known to 1e-10 of a step (at most 1 s), worth 20 m/s per second of it
    EXPECT_NEAR(r.d->q[0], 0.1, 1e-8);
    EXPECT_NEAR(r.d->v[0], -1, 1e-8);
    assert_true(z.steps < 200);
    run_close(&r);
  }
}

// A wall with a spring of 400 N/m: half a period pi/20 in touch, then back with the same speed.
static void finds_a_change_of_slope(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    Run r = open_rail("x.q > 0 ? -400*x.q : 0", "speed: 1, position: -0.5", locating[k], 1);
    double touch = 3.14159265358979323846 / 20;
    EXPECT_OK(sar_advance(r.s, 0.5 + touch + 0.25));
    print_message("%s: wall, error %.1e, %ld steps\n", locating[k], r.d->q[0] + 0.25,
                  sar_stats(r.s).steps);
    // global error of the touch itself; for order 2 larger by the many steps it takes
    EXPECT_NEAR(r.d->q[0], -0.25, k == 0 ? 1e-7 : 2e-5);
    EXPECT_NEAR(r.d->v[0], -1, k == 0 ? 1e-7 : 2e-5);
    run_close(&r);
  }
}

// abs() of a speed that changes sign, together with a comparison that does at the same instant.
static void finds_two_at_once(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    // x'' = -2 while v > 0, then +2 |...| = 0 + a push of -1: v = 1 - 2 t to t = 0.5, then -(t -
    // 0.5)
    Run r = open_rail("-abs(x.v)*0 - (x.v > 0 ? 2 : 1)", "speed: 1", locating[k], 1);
    EXPECT_OK(sar_advance(r.s, 1));
    EXPECT_NEAR(r.d->v[0], -0.5, 1e-8);
    EXPECT_NEAR(r.d->q[0], 0.25 - 0.125, 1e-8);
    run_close(&r);
  }
}

// Dry friction with a jump holds the mass: an endless number of changes. The run ends all the same,
// in a bounded number of steps, and the mass stands still to the tolerance.
static void survives_chattering(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    Run r = open_rail("x.v > 0 ? -1 : 1", "speed: 0.3", locating[k], 1);
    EXPECT_OK(sar_advance(r.s, 0.5));
    SarStats z = sar_stats(r.s);
    print_message("%s: chattering, v %.1e, %ld steps, %ld rejected\n", locating[k], r.d->v[0],
                  z.steps, z.rejected);
    // steps of a tenth of `step` = 0.01 at an acceleration of 1
    EXPECT_NEAR(r.d->v[0], 0, 1e-3);
    EXPECT_NEAR(r.d->q[0], 0.045, 1e-3 * 0.2);
    assert_true(z.chattering > 100 && z.steps < 2000);
    run_close(&r);
  }
}

// With fixed steps nothing is located, but the implicit rule finds the mass held at the jump.
static void implicit_fixed_steps_stick(void** state) {
  (void)state;
  Run r = open_rail("x.v > 0 ? -1 : 1", "speed: 0.3", "trapezoidal", 0);
  EXPECT_OK(sar_advance(r.s, 0.5));
  EXPECT_NEAR(r.d->v[0], 0, 1e-10);
  EXPECT_NEAR(r.d->q[0], 0.045, 1e-4);  // h^2: one step of 0.01 holds the stop
  run_close(&r);
}

// A spherical joint across a kink: the hop and the repeated steps stay on the sphere.
static void keeps_quaternions_across(void** state) {
  (void)state;
  static const char text[] =
      "sarrus: 1\n"
      "bodies: {a: {box: [0.3, 0.2, 0.1], mass: 1, at: [0, 0, -0.5]}}\n"
      "joints: {s: {spherical: [ground, a], at: [0, 0, 0], speed: [1, 0.5, 2]}}\n"
      "forces: {f: {torque: a, value: [\"s.wx > 0 ? -1 : 1\", 0, 0]}}\n";
  SarEnergy e;
  Run r = run_open(model_parse(text, NULL), NULL);
  EXPECT_OK(sar_advance(r.s, 2));
  EXPECT_NEAR(quat_norm2(quat_load(r.d->q)), 1, 1e-15);
  EXPECT_OK(sar_energy(r.d, &e));
  // the work of a force that jumps is accounted for too; where it chatters, steps are short (1e-4
  // s) but without error control
  EXPECT_NEAR(e.error, 0, 1e-4);
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lands_on_times),
      cmocka_unit_test(lands_on_periodic_times),
      cmocka_unit_test(finds_a_jump),
      cmocka_unit_test(finds_a_change_of_slope),
      cmocka_unit_test(finds_two_at_once),
      cmocka_unit_test(survives_chattering),
      cmocka_unit_test(implicit_fixed_steps_stick),
      cmocka_unit_test(keeps_quaternions_across),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
