// `redundant` and its two-step rules: BDF2 at one end, the trapezoidal rule at the other, against
// transcriptions and each other; momenta that stay; steps of a microsecond; singular positions.
#include "support/run.h"

#include "formulations/implicit/relative.h"
#include "formulations/redundant/system.h"
#include "linalg/lu.h"
#include "model/sim.h"

#include <math.h>

// ---- the rule -----------------------------------------------------------------------------------

// With equal steps: beta and delta of Masarati, Lanz and Mantegazza 2001. With any: exact for
// parabolas, BDF2 of variable steps at rho = 0, and both roots at infinity are -rho.
static void weights_are_those_of_the_family(void** state) {
  (void)state;
  Rng r = rng_seed(5);
  for (int trial = 0; trial < 1000; trial++) {
    const double rho = trial % 10 == 0 ? 0 : trial % 10 == 1 ? 1 : rng_uniform(&r, 0, 1);
    const SarRule rule = {rho, false};
    const double h = rng_uniform(&r, 0.1, 2), H = h * rng_uniform(&r, 0.51, 10);
    const SarRuleWeights e = sar_rule_weights(&rule, h, h), w = sar_rule_weights(&rule, h, H);
    const double den = 4 - (1 - rho) * (1 - rho);
    const double beta = (4 * rho * rho - (1 - rho) * (1 - rho)) / den;
    const double delta = 0.5 * (1 - rho) * (1 - rho) / den;
    EXPECT_NEAR(e.past, beta, 1e-14);
    EXPECT_NEAR(e.b0, delta + 0.5, 1e-15);
    EXPECT_NEAR(e.b1, beta / 2 + 0.5 - 2 * delta, 1e-14);
    EXPECT_NEAR(e.b2, beta / 2 + delta, 1e-14);
    // y = t^n at t = 0, -h, -h - H
    for (int n = 0; n <= 2; n++) {
      const double t1 = -h, t2 = -h - H;
      const double known = (1 - w.past) * pow(t1, n) + w.past * pow(t2, n);
      const double rates = n == 0 ? 0 : n == 1 ? w.b0 + w.b1 + w.b2 : 2 * (w.b1 * t1 + w.b2 * t2);
      EXPECT_NEAR(known + h * rates, n == 0 ? 1 : 0, 1e-13 * (1 + H * H));
    }
    EXPECT_NEAR(w.b1, 2 * rho * w.b0, 1e-15);
    EXPECT_NEAR(w.b2, rho * rho * w.b0, 1e-15);
    if (rho == 0) EXPECT_NEAR(w.b0, (h + H) / (2 * h + H), 1e-15);
    if (rho == 1) EXPECT_NEAR(w.b0, 0.5, 1e-15);
  }
  const SarRuleWeights first = sar_rule_weights(&(SarRule){0.3, false}, 1, 0);
  EXPECT_NEAR(first.b0 + first.b1, 1, 0);  // the trapezoidal rule begins
  EXPECT_NEAR(first.past, 0, 0);
}

// ---- against a transcription --------------------------------------------------------------------

// A ball on a rod or on a spring from the origin, whose step has a closed form: with v = (x -
// x_known) / gain and m (v - v_known) / gain = m g - n f, n along x, x is on the line towards y =
// x_known + gain (v_known + gain g): where it meets the sphere, or where f = k (|x| - L). On the
// rod v and a are projected then: n . v = 0, n . a = -v^2 / L.
typedef struct Pendulum {
  double L, k;             // k over the mass; 0: a rod
  V3 g, x[2], v[2], a[2];  // now, and a step before
  int steps;
} Pendulum;

// w: of a step by the rule, as written in its source.
static void pendulum_step(Pendulum* p, double h, double past, double b0, double b1, double b2) {
  const double gain = h * b0;
  const V3 x_known = v3_add(v3_axpy(past, v3_sub(p->x[1], p->x[0]), p->x[0]),
                            v3_scale(h, v3_add(v3_scale(b1, p->v[0]), v3_scale(b2, p->v[1]))));
  const V3 v_known = v3_add(v3_axpy(past, v3_sub(p->v[1], p->v[0]), p->v[0]),
                            v3_scale(h, v3_add(v3_scale(b1, p->a[0]), v3_scale(b2, p->a[1]))));
  const V3 y = v3_axpy(gain, v3_axpy(gain, p->g, v_known), x_known);
  const double c = gain * gain * p->k, far = p->k > 0 ? (v3_norm(y) + c * p->L) / (1 + c) : p->L;
  const V3 n = v3_scale(1 / v3_norm(y), y), x = v3_scale(far, n);
  V3 v = v3_scale(1 / gain, v3_sub(x, x_known)), a = v3_scale(1 / gain, v3_sub(v, v_known));
  if (!(p->k > 0)) {
    v = v3_axpy(-v3_dot(n, v), n, v);
    a = v3_axpy(-v3_dot(n, a) - v3_dot(v, v) / p->L, n, a);
  }
  p->x[1] = p->x[0], p->v[1] = p->v[0], p->a[1] = p->a[0];
  p->x[0] = x, p->v[0] = v, p->a[0] = a;
  p->steps++;
}

static const char PENDULUM[] =
    "sarrus: 1\n"
    "gravity: [0.3, 0, -9.8]\n"
    "bodies: {ball: {mass: 0.7, at: [0.6, 0, -0.8], velocity: [0.8, 1.5, 0.6]}}\n"
    "%s\n"
    "simulation: {end: 1}\n";

static Run begin_with(SarModel* m, const char* integrator, double rho, double h, double tolerance) {
  SarSimOptions o = sar_sim_options();
  o.formulation = "redundant";
  o.integrator = integrator;
  o.spectral_radius = rho;
  o.step = h;
  o.newton_tolerance = tolerance;
  return run_open(m, &o);
}

static Run begin(SarModel* m, const char* integrator, double rho, double h) {
  return begin_with(m, integrator, rho, h, 1e-14);
}

static SarModel* absolute(const char* text) {
  return model_parse(text, &(SarLoadOptions){.coordinates = "absolute"});
}

// bound: Newton's tolerance on the spring. On the rod the direction of the projection is that of
// where the Jacobian was made, a prediction off by h^3: velocities are off by that times what is
// projected.
static void follow_pendulum(double k, const char* element, double bound) {
  static const struct {
    const char* integrator;
    double rho;
  } CASES[] = {{"two-step", 0}, {"two-step", 0.6}, {"two-step", 1}, {"trapezoidal", 1}};
  const double h = 0.01;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[512];
    snprintf(text, sizeof text, PENDULUM, element);
    Run r = begin(absolute(text), CASES[i].integrator, CASES[i].rho, h);
    Pendulum p = {.L = 1, .k = k / 0.7, .g = v3(0.3, 0, -9.8)};
    p.x[0] = v3(0.6, 0, -0.8);
    p.v[0] = v3(0.8, 1.5, 0.6);
    const V3 n = p.x[0];
    p.a[0] = k > 0 ? p.g : v3_axpy(-v3_dot(n, p.g) - v3_dot(p.v[0], p.v[0]), n, p.g);
    for (int step = 0; step < 300; step++) {
      const bool first = step == 0 || CASES[i].integrator[1] == 'r';
      if (first)
        pendulum_step(&p, h, 0, 0.5, 0.5, 0);  // Crank and Nicolson
      else if (CASES[i].rho == 0)
        pendulum_step(&p, h, -1. / 3, 2. / 3, 0, 0);  // BDF2: 4/3 and -1/3
      else if (CASES[i].rho == 1)
        pendulum_step(&p, h, 1, 0.5, 1, 0.5);  // two trapezoidal steps
      else
        pendulum_step(&p, h, (4 * 0.36 - 0.16) / 3.84, 0.5 + 0.08 / 3.84,
                      0.5 * (4 * 0.36 - 0.16) / 3.84 + 0.5 - 0.16 / 3.84,
                      0.5 * (4 * 0.36 - 0.16) / 3.84 + 0.08 / 3.84);
      EXPECT_OK(sar_step(r.s));
      EXPECT_NEAR(r.d->q[0], p.x[0].x, bound);
      EXPECT_NEAR(r.d->q[2], p.x[0].z, bound);
      EXPECT_NEAR(r.d->v[1], p.v[0].y, 10 * bound);
    }
    run_close(&r);
  }
}

static void steps_are_those_of_a_transcription(void** state) {
  (void)state;
  follow_pendulum(50, "forces: {k: {spring_damper: [ground, ball], stiffness: 50, length: 1}}",
                  1e-11);
  follow_pendulum(0, "constraints: {string: {rod: [ground, ball], length: 1}}", 3e-7);
}

// ---- both ends of the family --------------------------------------------------------------------

// Bodies in a plane and points in space, held by forces only: no constraint, and no rotation in
// space.
static const char FREE_BODIES[] =
    "sarrus: 1\n"
    "%s"
    "bodies:\n"
    "  a: {mass: 1, inertia: [0.1, 0.1, 0.2], at: [0, 0.3, 0], points: {tip: [0.2, 0.1, 0]}}\n"
    "  b: {mass: 2, inertia: [0.3, 0.2, 0.4], at: [1, 0, 0], points: {tip: [-0.3, 0, 0]}}\n"
    "forces:\n"
    "  s: {spring_damper: [ground, a.tip], stiffness: 40, length: 0.1}\n"
    "  u: {spring_damper: [a.tip, b.tip], stiffness: 60, damping: 0.3, length: 0.5}\n"
    "simulation: {end: 1}\n";

// The largest distance of positions and velocities over so many steps.
static double apart(SarModel* one, SarModel* two, double h, int steps) {
  Run r[2] = {begin(one, "two-step", 1, h), begin(two, "trapezoidal", 1, h)};
  double most = 0;
  for (int k = 0; k < steps; k++) {
    EXPECT_OK(sar_step(r[0].s));
    EXPECT_OK(sar_step(r[1].s));
    for (int i = 0; i < r[0].m->nq; i++) most = fmax(most, fabs(r[0].d->q[i] - r[1].d->q[i]));
    for (int i = 0; i < r[0].m->nv; i++) most = fmax(most, fabs(r[0].d->v[i] - r[1].d->v[i]));
  }
  run_close(&r[0]);
  run_close(&r[1]);
  return most;
}

static SarModel* free_bodies(bool planar) {
  char text[2048];
  snprintf(text, sizeof text, FREE_BODIES, planar ? "planar: xy\n" : "");
  return absolute(text);
}

static void radius_one_is_the_trapezoidal_rule(void** state) {
  (void)state;
  const double plane = apart(free_bodies(true), free_bodies(true), 0.01, 500);
  print_message("planar bodies, 500 steps: %.1e\n", plane);
  EXPECT_AT_MOST(plane, 1e-11);
  // rotations in space are in a chart of each step's own, loops are projected: of second order
  // apart
  const double coarse = apart(free_bodies(false), free_bodies(false), 0.01, 100);
  const double fine = apart(free_bodies(false), free_bodies(false), 0.005, 200);
  print_message("bodies in space: %.1e, %.1e with half the step\n", coarse, fine);
  EXPECT_AT_MOST(coarse, 1e-3);
  EXPECT_AT_MOST(fine, 0.35 * coarse);
}

// What is left of a vibration far beyond the step, after each step.
static void fast_vibrations_decay_by_the_spectral_radius(void** state) {
  (void)state;
  for (int k = 0; k <= 4; k++) {
    const double rho = 0.25 * k;
    Run r = begin(
        absolute("sarrus: 1\ngravity: [0, 0, 0]\n"
                 "bodies: {block: {mass: 1, at: [1, 0, 0]}}\n"
                 "forces: {k: {spring_damper: [ground, block], stiffness: 1e12, length: 0.5}}\n"
                 "simulation: {end: 1}\n"),
        "two-step", rho, 1);
    double size[2] = {0, 0};
    for (int i = 0; i < 12; i++) {
      EXPECT_OK(sar_step(r.s));
      if (i % 6 == 5) size[i / 6] = fabs(r.d->q[0] - 0.5);
    }
    // a double root: i rho^i, so 12 over 6 of them is 2 rho^6, up to how it began; at 1 the rule
    // begins as it goes on
    const double left = rho > 0 ? pow(size[1] / size[0] / (rho < 1 ? 2 : 1), 1. / 6) : size[0];
    print_message("rho %.2f: %.4f left\n", rho, left);
    EXPECT_NEAR(left, rho, 0.1 * rho + 1e-9);
    run_close(&r);
  }
}

// ---- momenta ------------------------------------------------------------------------------------

static void momentum_of_a_free_body_stays(void** state) {
  (void)state;
  static const char TEXT[] =
      "sarrus: 1\ngravity: [0, 0, 0]\n"
      "bodies: {top: {mass: 2, inertia: [1, 2, 3], velocity: [0.3, 0, 1], angular_velocity: [0.02, "
      "6, 0.01]}}\n"
      "outputs: [momentum, energy]\nsimulation: {end: 1}\n";
  static const double RADIUS[] = {0, 0.6, 1};
  for (int k = 0; k < 3; k++) {
    Run r = begin(absolute(TEXT), "two-step", RADIUS[k], 0.01);
    const Force before = sar_total_momentum(r.m, r.d);
    for (int i = 0; i < 1000; i++) EXPECT_OK(sar_step(r.s));
    sar_update_kinematics(r.m, r.d);
    sar_update_world(r.m, r.d);
    const Force after = sar_total_momentum(r.m, r.d);
    // Newton leaves 1e-13 of positions, over h of velocities; about the origin of ground 10 m away
    EXPECT_NEAR(v3_norm(v3_sub(after.f, before.f)), 0, 1e-7);
    EXPECT_NEAR(v3_norm(v3_sub(after.n, before.n)), 0, 1e-6);
    run_close(&r);
  }
}

// Half a radian a step about an axis of inertia: no error but rounding.
static void a_steady_rotation_is_exact(void** state) {
  (void)state;
  static const char TEXT[] =
      "sarrus: 1\ngravity: [0, 0, 0]\n"
      "bodies: {rotor: {mass: 2, inertia: [1, 1, 1.5], angular_velocity: [0, 0, 50]}}\n"
      "simulation: {end: 10}\n";
  for (int k = 0; k < 3; k++) {
    Run r = begin(absolute(TEXT), "two-step", 0.5 * k, 0.01);
    for (int i = 1; i <= 1000; i++) {
      EXPECT_OK(sar_step(r.s));
      EXPECT_NEAR(fabs(r.d->q[3]), fabs(cos(0.25 * i)), 1e-11);
    }
    run_close(&r);
  }
}

// ---- short steps --------------------------------------------------------------------------------

// |A| |A^-1| of the Jacobian, rows and unknowns as they are solved for; lambda: with multipliers
// unscaled.
static double condition(const SarAbsoluteSystem* p, double gain, bool unscaled) {
  enum { MOST = 64 };
  static double A[MOST * MOST], LU[MOST * MOST], inverse[MOST * MOST];
  int pivot[MOST];
  const int n = p->lu.n, nv = p->m->nv;
  assert_in_range(n, 1, MOST);
  memset(A, 0, sizeof A);
  for (int e = 0; e < p->lu.entries; e++) {
    const bool multiplier = p->lu.col[e] >= nv, row = p->lu.row[e] < nv;
    const double scale =
        !unscaled ? 1 : (multiplier ? 1 : 1 / (gain * gain)) * (row ? 1 : gain * gain);
    A[p->lu.row[e] * n + p->lu.col[e]] += scale * p->lu.a[e];
  }
  memcpy(LU, A, sizeof A);
  assert_true(sar_lu_factor(n, LU, pivot));
  double norm[2] = {0, 0};
  for (int k = 0; k < n; k++) {
    memset(inverse, 0, (size_t)n * sizeof *inverse);
    inverse[k] = 1;
    sar_lu_solve(n, LU, pivot, inverse);
    double column = 0, of_inverse = 0;
    for (int i = 0; i < n; i++) column += fabs(A[i * n + k]), of_inverse += fabs(inverse[i]);
    norm[0] = fmax(norm[0], column), norm[1] = fmax(norm[1], of_inverse);
  }
  return norm[0] * norm[1];
}

static void condition_does_not_grow_with_short_steps(void** state) {
  (void)state;
  static const char FILE[] = "reference/A_double_fourbar.yaml";
  double at[2][4];
  for (int k = 0; k < 4; k++) {
    const double h = pow(10, -3 - k);
    Run r =
        begin(model_file(FILE, &(SarLoadOptions){.coordinates = "absolute"}), "two-step", 0.6, h);
    EXPECT_OK(sar_step(r.s));
    EXPECT_OK(sar_step(r.s));
    // the memory of `redundant`: found through the view that its step has
    const SarRelative* step = r.s->formulation_state;
    const SarAbsoluteSystem* system = step->factored.self;
    const double gain = 1 / step->rates.v;
    at[0][k] = condition(system, gain, false);
    at[1][k] = condition(system, gain, true);
    print_message("step %.0e s: condition %.2e, without scaling %.2e\n", h, at[0][k], at[1][k]);
    run_close(&r);
  }
  EXPECT_NEAR(at[0][3] / at[0][0], 1, 1e-2);
  assert_true(at[1][3] > 1e5 * at[1][0]);  // what scaling takes away
}

// From 1 ms down to 1 us: the error falls by the order until it is rounding, and does not rise
// again.
static void short_steps_keep_their_digits(void** state) {
  (void)state;
  static const char* const FILES[] = {"reference/A_double_fourbar.yaml", "reference/F_RSSR.yaml"};
  const SarLoadOptions load = {.coordinates = "absolute"};
  for (int f = 0; f < 2; f++) {
    SarSimOptions o = sar_sim_options();
    o.formulation = "lagrange", o.integrator = "dopri5";
    o.rtol = o.atol = 1e-12;
    Run exact = run_open(model_file(FILES[f], &load), &o);
    EXPECT_OK(sar_advance(exact.s, 0.01));
    for (int k = 0; k < 4; k++) {
      const double h = pow(10, -3 - k);
      double off = 0;
      Run r = begin(model_file(FILES[f], &load), "two-step", 0.6, h);
      EXPECT_OK(sar_advance(r.s, 0.01));
      for (int i = 0; i < r.m->nv; i++) off = fmax(off, fabs(r.d->v[i] - exact.d->v[i]));
      print_message("%s, step %.0e s: velocities within %.1e\n", FILES[f], h, off);
      EXPECT_AT_MOST(off, fmax(1e4 * h * h, 1e-9));
      run_close(&r);
    }
    run_close(&exact);
  }
}

// ---- singular positions -------------------------------------------------------------------------

// Ten seconds of the double four-bar, some fifteen singular positions: on the right branch at large
// steps.
static void double_four_bar_stays_on_its_branch(void** state) {
  (void)state;
  static const double STEP[] = {1e-3, 4e-3, 8e-3};
  static const char FILE[] = "reference/A_double_fourbar.yaml";
  for (int k = 0; k < 3; k++) {
    Run r = begin_with(model_file(FILE, &(SarLoadOptions){.coordinates = "absolute"}), "two-step",
                       0.6, STEP[k], 0);
    SarSimOptions o = sar_sim_options();
    o.formulation = "lagrange";
    Run exact = run_open(model_file(FILE, &(SarLoadOptions){.coordinates = "absolute"}), &o);
    double off = 0;
    for (double t = 0.04; t < 10; t += 0.04) {
      EXPECT_OK(sar_advance(r.s, t));
      EXPECT_OK(sar_advance(exact.s, t));
      for (int i = 0; i < r.m->nq; i++) off = fmax(off, fabs(r.d->q[i] - exact.d->q[i]));
    }
    print_message("steps of %.0f ms: %.1e m or rad\n", 1e3 * STEP[k], off);
    // its own order, (h w)^2 of the way; the other branch would be radians away
    EXPECT_AT_MOST(off, 2e3 * STEP[k] * STEP[k]);
    run_close(&r);
    run_close(&exact);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_are_those_of_the_family),
      cmocka_unit_test(steps_are_those_of_a_transcription),
      cmocka_unit_test(radius_one_is_the_trapezoidal_rule),
      cmocka_unit_test(fast_vibrations_decay_by_the_spectral_radius),
      cmocka_unit_test(momentum_of_a_free_body_stays),
      cmocka_unit_test(a_steady_rotation_is_exact),
      cmocka_unit_test(condition_does_not_grow_with_short_steps),
      cmocka_unit_test(short_steps_keep_their_digits),
      cmocka_unit_test(double_four_bar_stays_on_its_branch),
  };
  return cmocka_run_group_tests_name("redundant", tests, NULL, NULL);
}
