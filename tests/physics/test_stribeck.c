// Break-away friction and the Stribeck effect in joints: stick-slip of a block that a spring pulls,
// against the same computed by events (sticking is exact, slipping by rk4 in steps of 1e-5 s from
// event to event), and where friction falls at once against its closed form; loads that are held
// for good; slopes; signs of the work.
//
// Bounds: rules of second order, so (h / time in which friction falls)^2 of a slip of some cm, over
// some slips; where friction falls within a step, the moment of break-away is off by h/2: (Fs - Fc)
// h / (2 m) of the speed.
#include "support/run.h"

#include "dynamics/tangents.h"
#include "dynamics/tree.h"

#include <math.h>

static const char* const METHODS[] = {"hybrid", "topological", "recursive", "global", "impulse"};
enum { NMETHOD = 5 };

// ---- the block ----------------------------------------------------------------------------------

typedef struct Puller {
  double m, k, c, V, Fc, Fs, vs;  // mass, spring, damper, speed of its far end, friction
} Puller;

static double acceleration(const Puller* p, double t, double x, double v) {
  const double F = p->Fc + (p->Fs - p->Fc) * exp(-(v / p->vs) * (v / p->vs));
  return (p->k * (p->V * t - x) - p->c * v - F) / p->m;
}

static void rk4(const Puller* p, double h, double* t, double* x, double* v) {
  const double a1 = acceleration(p, *t, *x, *v), v2 = *v + 0.5 * h * a1;
  const double a2 = acceleration(p, *t + 0.5 * h, *x + 0.5 * h * *v, v2), v3 = *v + 0.5 * h * a2;
  const double a3 = acceleration(p, *t + 0.5 * h, *x + 0.5 * h * v2, v3), v4 = *v + h * a3;
  const double a4 = acceleration(p, *t + h, *x + h * v3, v4);
  *x += h / 6 * (*v + 2 * v2 + 2 * v3 + v4);
  *v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  *t += h;
}

// One slip from where it begins, at most to `end`: false: it ended before, and the block sticks.
static bool slip(const Puller* p, double end, double* t, double* x, double* v) {
  const double h = 1e-5;
  while (*t < end) {
    const double t0 = *t, x0 = *x, v0 = *v;
    rk4(p, fmin(h, end - *t), t, x, v);
    if (*v > 0) continue;
    double low = 0, high = *t - t0;  // v falls to zero in between
    for (int i = 0; i < 60; i++) {
      const double mid = 0.5 * (low + high);
      *t = t0, *x = x0, *v = v0;
      rk4(p, mid, t, x, v);
      if (*v > 0)
        low = mid;
      else
        high = mid;
    }
    *v = 0;
    return false;
  }
  return true;
}

// x at `end`; slips: how many began
static double exact(const Puller* p, double end, double* speed, int* slips) {
  double t = 0, x = 0, v = 0;
  for (*slips = 0;; ++*slips) {
    const double begin = (p->Fs / p->k + x) / p->V;
    if (begin >= end) break;
    t = begin;
    if (slip(p, end, &t, &x, &v)) break;
    assert_true(fabs(p->k * (p->V * t - x)) < p->Fs);  // it sticks
  }
  *speed = v;
  return x;
}

// In the tree, or on a belt that comes towards it, in a loop: the joint that rubs is cut.
static SarModel* puller_model(const Puller* p, bool loop) {
  char text[1200];
  const char* friction = "friction: %.17g, breakaway: %.17g, stribeck_speed: %.17g";
  char law[200];
  snprintf(law, sizeof law, friction, p->Fc, p->Fs, p->vs);
  if (loop)
    snprintf(text, sizeof text,
             "sarrus: 1\ngravity: [0, 0, 0]\nbodies: {belt: {mass: 1, inertia: [1, 1, 1]}, block: "
             "{mass: %.17g, inertia: [1, 1, 1]}}\njoints:\n"
             "  runs: {prismatic: [ground, belt], axis: -x, speed: %.17g}\n"
             "  slide: {prismatic: [ground, block], axis: x, stiffness: %.17g, damping: 0, speed: "
             "%.17g}\n"
             "  rubs: {prismatic: [belt, block], axis: x, %s, damping: %.17g}\n"
             "constraints: {drive: {motion: runs, value: %.17g*t}}\n"
             "outputs: [{joint: slide}, energy, work, {joint: rubs}]\n",
             p->m, p->V, p->k, -p->V, law, p->c, p->V);
  else
    snprintf(text, sizeof text,
             "sarrus: 1\ngravity: [0, 0, 0]\nbodies: {block: {mass: %.17g, inertia: [1, 1, 1]}}\n"
             "joints: {slide: {prismatic: [ground, block], axis: x, %s, damping: %.17g}}\n"
             "forces: {spring: {joint_force: slide, value: %.17g*(%.17g*t - slide.q)}}\n"
             "outputs: [{joint: slide, with: [position, velocity, friction]}, energy, work]\n",
             p->m, law, p->c, p->k, p->V);
  return model_parse(text, NULL);
}

static Puller random_puller(Rng* r) {
  Puller p = {.m = rng_uniform(r, 0.5, 3), .k = rng_uniform(r, 50, 300), .c = rng_uniform(r, 0, 2)};
  p.V = rng_uniform(r, 0.05, 0.3);
  p.Fc = rng_uniform(r, 1, 6), p.Fs = p.Fc * rng_uniform(r, 1.3, 2.5);
  p.vs = rng_uniform(r, 0.01, 0.05);
  return p;
}

static double off_at(const Puller* p, const char* method, double h, bool loop, double end,
                     double x) {
  const SarSimOptions o = run_options(method, h);
  Run a = run_open(puller_model(p, loop), &o);
  run_advance(&a, end);
  const double off = fabs(run_output(&a, "slide.q") + (loop ? p->V * end : 0) - x);
  // friction takes, and a drive whose force jumps within a step is booked to first order
  const double losses = run_output(&a, loop ? "work.rubs.losses" : "work.slide.losses");
  if (!(losses < 0)) fail_msg("%s: friction has put in %g J", method, losses);
  EXPECT_NEAR(run_output(&a, "energy.error"), 0, 3 * h + (loop ? p->Fs * p->V * h * 10 : 0));
  run_close(&a);
  return off;
}

static void stick_slip_is_that_of_an_event_driven_run(void** state) {
  (void)state;
  const uint64_t first = test_seed(4100);
  const double end = 2;
  int slips = 0;
  for (int i = 0; i < test_effort(5); i++) {
    Rng r = rng_seed(first + (uint64_t)i);
    const Puller p = random_puller(&r);
    double speed;
    int own;
    const double x = exact(&p, end, &speed, &own);
    slips += own;
    for (int k = 0; k < NMETHOD; k++) {
      const double coarse = off_at(&p, METHODS[k], 1e-3, false, end, x);
      const double fine = off_at(&p, METHODS[k], 2e-4, false, end, x);
      const double loop = off_at(&p, METHODS[k], 1e-3, true, end, x);
      if (!(coarse <= 5e-5) || !(fine <= 4e-6) || !(loop <= 5e-5))
        fail_msg("seed %llu, %s: off by %g, at 0.2 ms by %g, in a loop by %g of %g m",
                 (unsigned long long)(first + (uint64_t)i), METHODS[k], coarse, fine, loop, x);
    }
  }
  assert_true(slips > 0 || test_effort(5) < 5);  // one puller alone may stick all the way
}

static void the_example_does(void** state) {
  (void)state;
  const Puller p = {.m = 1, .k = 100, .V = 0.1, .Fc = 4, .Fs = 8, .vs = 0.02};
  double speed;
  int slips;
  Run a = run_open(model_file("stick_slip.yaml", NULL), NULL);
  const double x = exact(&p, a.m->sim.end, &speed, &slips);
  run_advance(&a, a.m->sim.end);
  assert_in_range(slips, 3, 5);
  EXPECT_NEAR(run_output(&a, "floor.q"), x, 1e-5);
  EXPECT_NEAR(run_output(&a, "floor.v"), 0, 1e-9);
  EXPECT_NEAR(run_output(&a, "floor.friction"), -p.k * (p.V * a.m->sim.end - x), 1e-3);
  run_close(&a);
}

// Friction that falls at once: it slips by m x'' = k (V t - x) - Fc, harmonic about the moving
// spring's end, until it stands after 2 pi / w - 2 atan((Fs - Fc) w / (k V)), which puts the spring
// as far below Fc as it was above.
static void a_sudden_fall_has_a_closed_form(void** state) {
  (void)state;
  const Puller p = {.m = 1, .k = 100, .V = 0.1, .Fc = 4, .Fs = 8, .vs = 1e-6};
  const double w = sqrt(p.k / p.m), pi = acos(-1), begin = p.Fs / (p.k * p.V);
  const double lasts = 2 / w * (pi - atan((p.Fs - p.Fc) * w / (p.k * p.V)));
  const double lengths = 2 * (p.Fs - p.Fc) / p.k + p.V * lasts;
  for (int k = 0; k < NMETHOD; k++)
    for (int fine = 0; fine < 2; fine++) {
      const double h = fine ? 1e-4 : 1e-3;
      const SarSimOptions o = run_options(METHODS[k], h);
      Run a = run_open(puller_model(&p, false), &o);
      run_advance(&a, begin - 2 * h);
      EXPECT_NEAR(run_output(&a, "slide.q"), 0, 1e-9);
      run_advance(&a, begin + lasts + 0.1);
      // the spring pulls on by V for up to a step before it breaks away
      EXPECT_NEAR(run_output(&a, "slide.q"), lengths, 2 * p.V * h);
      EXPECT_NEAR(run_output(&a, "slide.v"), 0, 1e-9);
      run_close(&a);
    }
}

// A load between sliding and break-away friction is held for good; one that moves slides on.
static void loads_below_break_away_are_held(void** state) {
  (void)state;
  for (int k = 0; k < NMETHOD; k++)
    for (int moving = 0; moving < 2; moving++) {
      char text[400];
      snprintf(text, sizeof text,
               "sarrus: 1\ngravity: [0, 0, -10]\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
               "joints: {j: {prismatic: [b, ground], axis: -z, friction: 6, breakaway: 12, "
               "stribeck_speed: 0.05, speed: %d}}\noutputs: [{joint: j, with: [position, velocity, "
               "friction]}]\n",
               moving ? -1 : 0);
      const SarSimOptions o = run_options(METHODS[k], 1e-3);
      Run a = run_open(model_parse(text, NULL), &o);
      run_advance(&a, 1);
      // 1 m/s is far beyond the Stribeck speed: it falls with 10 - 6
      EXPECT_NEAR(run_output(&a, "j.v"), moving ? -1 - 4 : 0, 1e-9);
      EXPECT_NEAR(run_output(&a, "j.q"), moving ? -1 - 0.5 * 4 : 0, 1e-8);
      EXPECT_NEAR(run_output(&a, "j.friction"), moving ? 6 : 10, 1e-6);
      run_close(&a);
    }
}

// ---- the smooth law -----------------------------------------------------------------------------

// It creeps where it should stick; halving friction_speed halves what it is off.
static void the_smooth_law_comes_near(void** state) {
  (void)state;
  const Puller p = {.m = 1, .k = 100, .V = 0.1, .Fc = 4, .Fs = 8, .vs = 0.05};
  static const char* const FORMULATIONS[] = {"aba", "crba", "lagrange", "qr"};
  double speed, off[2];
  int slips;
  const double end = 1.4, x = exact(&p, end, &speed, &slips);
  assert_true(slips >= 1);
  for (size_t f = 0; f < sizeof FORMULATIONS / sizeof *FORMULATIONS; f++) {
    for (int fine = 0; fine < 2; fine++) {
      char text[500];
      snprintf(text, sizeof text,
               "sarrus: 1\ngravity: [0, 0, 0]\nbodies: {block: {mass: 1, inertia: [1, 1, 1]}}\n"
               "joints: {slide: {prismatic: [ground, block], axis: x, friction: 4, breakaway: 8, "
               "stribeck_speed: 0.05, friction_speed: %g}}\n"
               "forces: {spring: {joint_force: slide, value: 100*(0.1*t - slide.q)}}\n"
               "outputs: [{joint: slide, with: [position, velocity, friction]}]\n",
               fine ? 1e-4 : 2e-4);
      SarSimOptions o = sar_sim_options();
      o.formulation = FORMULATIONS[f];
      Run a = run_open(model_parse(text, NULL), &o);
      run_advance(&a, end);
      off[fine] = fabs(run_output(&a, "slide.q") - x);
      run_close(&a);
    }
    if (!(off[1] <= 2e-3) || !(off[1] <= 0.7 * off[0]))
      fail_msg("%s: off by %g, with half the speed %g", FORMULATIONS[f], off[0], off[1]);
  }
}

// C of the smooth law is its slope where that resists, and nothing where friction falls.
static void its_tangent_is_the_slope(void** state) {
  (void)state;
  const Puller p = {.m = 1, .k = 0, .V = 0, .Fc = 4, .Fs = 8, .vs = 0.02};
  SarModel* m = puller_model(&p, false);
  SarData* d;
  Rng r = rng_seed(5);
  int rising = 0, falling = 0;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  for (int i = 0; i < 400; i++) {
    const double v = rng_uniform(&r, -0.04, 0.04), h = 1e-8;
    double tau[2], block[3];
    for (int side = 0; side < 2; side++) {
      d->v[0] = v + (side ? h : -h);
      sar_update_kinematics(m, d);
      sar_update_forces(m, d);
      tau[side] = d->tau[0];
    }
    const double slope = -(tau[1] - tau[0]) / (2 * h);
    d->v[0] = v;
    sar_update_kinematics(m, d);
    sar_update_forces(m, d);
    double C = 0;
    for (int k = 0; k < m->ntangent; k++) {
      sar_tangent_block(m, d, k, 0, 1, block);
      C += block[0];
    }
    EXPECT_NEAR(C, fmax(slope, 0), 1e-4 * (1 + fabs(slope)));
    rising += slope > 0, falling += slope < 0;
  }
  assert_true(rising > 0 && falling > 0);
  sar_data_free(d);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stick_slip_is_that_of_an_event_driven_run),
      cmocka_unit_test(the_example_does),
      cmocka_unit_test(a_sudden_fall_has_a_closed_form),
      cmocka_unit_test(loads_below_break_away_are_held),
      cmocka_unit_test(the_smooth_law_comes_near),
      cmocka_unit_test(its_tangent_is_the_slope),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
