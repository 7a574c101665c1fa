// States of the user's own: against exact solutions, by every integrator and formulation;
// linearised, at rest, set from outside, failing by name.
#include "support/run.h"

#include "model/sim.h"
#include "sim/equilibrium.h"
#include "sim/modes.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>

// ---- the exact solution of linear systems -------------------------------------------------------

enum { MOST = 8 };

typedef struct Linear {  // x' = A x + b
  int n;
  double A[MOST][MOST], b[MOST], x[MOST];
} Linear;

static void times(int n, double X[MOST + 1][MOST + 1], double Y[MOST + 1][MOST + 1],
                  double out[MOST + 1][MOST + 1]) {
  double Z[MOST + 1][MOST + 1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      Z[i][j] = 0;
      for (int k = 0; k < n; k++) Z[i][j] += X[i][k] * Y[k][j];
    }
  memcpy(out, Z, sizeof Z);
}

// x(t) by exp([A b; 0 0] t): scaling and squaring of the Taylor series.
static void solve_exactly(Linear* s, double t) {
  const int n = s->n + 1, squarings = 8;
  double M[MOST + 1][MOST + 1] = {{0}}, E[MOST + 1][MOST + 1] = {{0}},
                            P[MOST + 1][MOST + 1] = {{0}};
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++) M[i][j] = s->A[i][j] * t / (1 << squarings);
    M[i][s->n] = s->b[i] * t / (1 << squarings);
  }
  for (int i = 0; i < n; i++) E[i][i] = P[i][i] = 1;
  for (int k = 1; k < 22; k++) {
    times(n, P, M, P);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        P[i][j] /= k;
        E[i][j] += P[i][j];
      }
  }
  for (int k = 0; k < squarings; k++) times(n, E, E, E);
  double y[MOST];
  for (int i = 0; i < s->n; i++) {
    y[i] = E[i][s->n];
    for (int j = 0; j < s->n; j++) y[i] += E[i][j] * s->x[j];
  }
  memcpy(s->x, y, sizeof y);
}

static SarSimOptions tight(const char* integrator) {
  SarSimOptions o = sar_sim_options();
  o.integrator = integrator;
  o.adaptive = 1;
  o.rtol = o.atol = 1e-12;
  return o;
}

static double* state_at(const Run* r, const char* name) {
  const int i = sar_model_find(r->m, SAR_ITEM_STATE, name);
  if (i < 0) fail_msg("no state '%s'", name);
  return &sar_states(r->d)[i];
}

// ---- exact solutions ----------------------------------------------------------------------------

#define IDLE \
  "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: {prismatic: [ground, a], axis: x}}\n"

static void filter_answers_a_step_exactly(void** state) {
  (void)state;
  SarSimOptions o = tight("dopri5");
  Run r = run_open(model_text(IDLE "variables: {y: 'filter(2*step(t - 0.3), 0.2)'}\n"
                                   "outputs: [states, {value: y, name: y}]\n"),
                   &o);
  double worst = 0;
  for (int k = 1; k <= 100; k++) {
    const double t = 0.02 * k;
    run_advance(&r, t);
    const double exact = t < 0.3 ? 0 : 2 * (1 - exp(-(t - 0.3) / 0.2));
    worst = fmax(worst, fabs(run_output(&r, "y") - exact));
    assert_true(run_output(&r, "y") == run_output(&r, "y.filter1"));
  }
  print_message("filter against its exact step response: %.1e\n", worst);
  EXPECT_AT_MOST(worst, 1e-9);
  run_close(&r);
}

// w^2 x + 2 d w x' + x'' = w^2 u as two states: the step response of a second-order filter.
static void second_order_filter_is_exact(void** state) {
  (void)state;
  SarSimOptions o = tight("dopri5");
  Run r = run_open(model_text(IDLE "parameters: {w: 9, d: 0.3}\n"
                                   "states:\n"
                                   "  x: {rate: xv}\n"
                                   "  xv: {rate: w^2*(1 - x) - 2*d*w*xv}\n"),
                   &o);
  double worst = 0;
  for (int k = 1; k <= 60; k++) {
    const double t = 0.05 * k, w = 9, d = 0.3, wd = w * sqrt(1 - d * d);
    run_advance(&r, t);
    const double exact = 1 - exp(-d * w * t) * (cos(wd * t) + d * w / wd * sin(wd * t));
    worst = fmax(worst, fabs(*state_at(&r, "x") - exact));
  }
  print_message("second-order filter against its closed form: %.1e\n", worst);
  EXPECT_AT_MOST(worst, 1e-9);
  run_close(&r);
}

// A mass under pid control is a linear system of four states.
static void pid_loop_is_exact(void** state) {
  (void)state;
  const double kp = 40, ki = 30, kd = 8, T = 0.05, m = 2;
  SarSimOptions o = tight("dopri5");
  Run r = run_open(model_text("gravity: [0, 0, 0]\nbodies: {a: {mass: 2, inertia: [1, 1, 1]}}\n"
                              "joints: {j: {prismatic: [ground, a], axis: x, position: 0.1, "
                              "force: 'pid(0.5 - j.q, 40, 30, 8, 0.05)'}}\n"),
                   &o);
  // x = (q, v, i, f) with e = 0.5 - q
  const double g = kp + kd / T;
  Linear s = {
      .n = 4,
      .A = {{0, 1, 0, 0}, {-g / m, 0, ki / m, -kd / T / m}, {-1, 0, 0, 0}, {-1 / T, 0, 0, -1 / T}},
      .b = {0, 0.5 * g / m, 0.5, 0.5 / T},
      .x = {0.1, 0, 0, 0.4}};
  double worst = 0;
  for (int k = 1; k <= 40; k++) {
    run_advance(&r, 0.1 * k);
    solve_exactly(&s, 0.1);
    const double found[4] = {r.d->q[0], r.d->v[0], *state_at(&r, "j.pid1.i"),
                             *state_at(&r, "j.pid1.f")};
    for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(found[i] - s.x[i]));
  }
  print_message("pid loop against the exact solution: %.1e\n", worst);
  EXPECT_AT_MOST(worst, 1e-9);
  run_close(&r);
}

// ---- random linear systems, every integrator and formulation ------------------------------------

// In relative and in absolute coordinates.
static void random_system(Rng* r, Linear* s, SarModel* out[2]) {
  const SarLoadOptions own = {.coordinates = "absolute"};
  char text[4096];
  int at = snprintf(text, sizeof text, "%sstates:\n", IDLE);
  *s = (Linear){.n = 1 + rng_int(r, 6)};
  for (int i = 0; i < s->n; i++) {
    at += snprintf(text + at, sizeof text - (size_t)at, "  x%d: {rate: '", i);
    for (int j = 0; j < s->n; j++) {
      s->A[i][j] = i == j ? rng_uniform(r, -6, -2) : rng_uniform(r, -1, 1);
      at += snprintf(text + at, sizeof text - (size_t)at, "%+.17g*x%d", s->A[i][j], j);
    }
    s->b[i] = rng_uniform(r, -2, 2);
    s->x[i] = rng_uniform(r, -1, 1);
    at +=
        snprintf(text + at, sizeof text - (size_t)at, "%+.17g', start: %.17g}\n", s->b[i], s->x[i]);
  }
  out[0] = model_text(text);
  out[1] = model_text_with(text, &own);
}

static double error_with(SarModel* m, const SarSimOptions* o, const Linear* exact, double end) {
  SarError err;
  SarData* d;
  SarSim* s;
  double worst = 0;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, d, o, &s, &err), &err);
  if (sar_advance(s, end) != SAR_OK) fail_msg("%s: %s", o->formulation, sar_sim_trouble(s));
  for (int i = 0; i < exact->n; i++) worst = fmax(worst, fabs(sar_states(d)[i] - exact->x[i]));
  sar_sim_free(s);
  sar_data_free(d);
  return worst;
}

static void random_systems_by_every_method(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(11));
  for (int trial = 0; trial < test_effort(20); trial++) {
    Linear exact;
    SarModel* models[2];
    random_system(&r, &exact, models);
    SarModel* m = models[0];
    solve_exactly(&exact, 0.5);
    for (int i = 0; sar_integrator(i); i++)
      for (int k = 0; sar_formulation(k); k++) {
        const SarIntegrator* g = sar_integrator(i);
        const SarFormulation* f = sar_formulation(k);
        SarSimOptions o = sar_sim_options();
        if (!sar_goes_with(f, g) || !g->can_fix) continue;
        if (f->shape == SAR_SHAPE_ACCEL && (!g->step || strcmp(f->name, "aba") != 0)) continue;
        o.formulation = f->name;
        o.integrator = g->name;
        o.adaptive = 0;
        // halving the step divides the error by 2^order, unless rounding is all there is; where
        // errors of two orders happen to cancel, halving it again does
        double error[4];
        bool seen = false;
        for (int half = 0; half < 4 && !seen; half++) {
          o.step = 0.5 / (64 << half);
          error[half] = error_with(models[f->absolute], &o, &exact, 0.5);
          seen = error[half] <= 1e-12 ||
                 (half > 0 && log2(error[half - 1] / error[half]) > g->order - 0.35);
        }
        if (!seen)
          fail_msg("%s %s: errors %.2e, %.2e, %.2e, %.2e with halved steps (order %d)", f->name,
                   g->name, error[0], error[1], error[2], error[3], g->order);
      }
    SarSimOptions o = tight("dopri5");
    o.formulation = "aba";
    EXPECT_AT_MOST(error_with(m, &o, &exact, 0.5), 1e-10);
    o = tight("trapezoidal");
    o.rtol = o.atol = 1e-7;
    EXPECT_AT_MOST(error_with(m, &o, &exact, 0.5), 1e-4);
    sar_model_free(models[0]);
    sar_model_free(models[1]);
  }
}

// A lag of a microsecond in steps of ten milliseconds: implicit steps follow what it follows.
static void stiff_states_by_implicit_steps(void** state) {
  (void)state;
  static const char* const METHODS[][2] = {{"aba", "trapezoidal"},
                                           {"hybrid", "trapezoidal"},
                                           {"hybrid", "generalized-alpha"},
                                           {"hybrid", "hht"},
                                           {"topological", "newmark"},
                                           {"recursive", "trapezoidal"},
                                           {"global", "trapezoidal"},
                                           {"impulse", "moreau"},
                                           {"aba", "adams"},
                                           {"qr", "adams"}};
  for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++) {
    SarSimOptions o = sar_sim_options();
    o.formulation = METHODS[k][0];
    o.integrator = METHODS[k][1];
    o.step = 1e-2;
    o.adaptive = 0;
    Run r = run_open(model_text("bodies: {a: {mass: 1, com: [0, 0, -1], inertia: [1, 1, 1]}}\n"
                                "joints: {j: {revolute: [ground, a], axis: y, damping: 1, force: "
                                "'2*filter(sin(t), 1e-6) + z'}}\n"
                                "states: {z: {rate: '-1e5*(z^3 + z - j.q)'}}\n"),
                     &o);
    run_advance(&r, 2);
    const double lag = *state_at(&r, "j.filter1"), z = *state_at(&r, "z");
    EXPECT_NEAR(lag, sin(2), 1e-4);
    EXPECT_NEAR(z * z * z + z, r.d->q[0], 2e-3);
    run_close(&r);
  }
}

// A servo that has come to its place: its rate is a difference of terms that cancel, and its speed
// decays to their rounding.
static void filters_that_come_to_rest_by_implicit_steps(void** state) {
  (void)state;
  static const char* const METHODS[][2] = {{"aba", "trapezoidal"},
                                           {"hybrid", "trapezoidal"},
                                           {"hybrid", "generalized-alpha"},
                                           {"topological", "newmark"},
                                           {"global", "trapezoidal"},
                                           {"impulse", "moreau"},
                                           {"aba", "adams"}};
  for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++) {
    SarSimOptions o = sar_sim_options();
    o.formulation = METHODS[k][0];
    o.integrator = METHODS[k][1];
    o.step = 1.7e-3;
    o.adaptive = 0;
    Run r = run_open(model_text("bodies: {a: {mass: 1, com: [0, 0, -1], inertia: [1, 1, 1]}}\n"
                                "joints: {j: {revolute: [ground, a], axis: y, force: servo}}\n"
                                "signals: {servo: {filter2: '4.2e-3*min(2*t, 1)', frequency: 190, "
                                "start: 0}}\n"),
                     &o);
    run_advance(&r, 3);
    EXPECT_NEAR(*state_at(&r, "servo.v"), 0, 1e-12);
    EXPECT_NEAR(*state_at(&r, "servo.y"), 4.2e-3, 1e-15);
    run_close(&r);
  }
}

// ---- linearised, at rest ------------------------------------------------------------------------

// Characteristic polynomial of the pid loop: m T s^4 + m s^3 + (kp T + kd) s^2 + (kp + ki T) s +
// ki.
static void modes_have_the_states(void** state) {
  (void)state;
  const double kp = 40, ki = 30, kd = 8, T = 0.05, m = 2;
  SarSimOptions o = tight("dopri5");
  Run r = run_open(model_text("gravity: [0, 0, 0]\nbodies: {a: {mass: 2, inertia: [1, 1, 1]}}\n"
                              "joints: {j: {prismatic: [ground, a], axis: x, force: 'pid(-j.q, 40, "
                              "30, 8, 0.05)'}}\nstates: {z: {rate: -3e5*z}}\n"),
                   &o);
  SarModeSet modes;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_mode_set_find(r.s, NULL, &modes, &err), &err);
  int count = 0;
  for (int k = 0; k < modes.count; k++) {
    const double re = modes.re[k], im = modes.im[k];
    count += im > 0 ? 2 : 1;
    assert_true(hypot(re, im) > modes.floor);  // none is taken for rounding beside the stiff one
    if (re < -1e5) {
      EXPECT_NEAR(re, -3e5, 3e5 * 1e-9);
      continue;
    }
    const double c[5] = {ki, kp + ki * T, kp * T + kd, m, m * T};
    double x = 0, y = 0, size = 0, power = 1;
    for (int i = 4; i >= 0; i--) {
      const double next = x * re - y * im + c[i];
      y = x * im + y * re, x = next;
    }
    for (int i = 0; i < 5; i++, power *= hypot(re, im)) size += c[i] * power;
    EXPECT_AT_MOST(hypot(x, y) / size, 1e-8);
  }
  assert_int_equal(count, 5);
  sar_mode_set_free(&modes);
  run_close(&r);
}

// The integral of a PI controller takes over what gravity needs; random arms.
static void states_come_to_rest_with_the_mechanism(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(5));
  for (int trial = 0; trial < test_effort(30); trial++) {
    char text[2048];
    const double mass = rng_uniform(&rng, 0.5, 5), lever = rng_uniform(&rng, 0.1, 1);
    const double target = rng_uniform(&rng, -1.2, 1.2), ki = rng_uniform(&rng, 1, 300);
    snprintf(text, sizeof text,
             "bodies: {a: {mass: %.17g, com: [%.17g, 0, 0], inertia: [1, 1, 1]}}\n"
             "joints: {j: {revolute: [ground, a], axis: -y, force: 'torque'}}\n"
             "states: {e: {rate: '%.17g - j.q'}, torque: {rate: '(80*(%.17g - j.q) + %.17g*e - "
             "torque)/1e-3'}, seen: {rate: j.v, start: 0.7}}\n",
             mass, lever, target, target, ki);
    for (char* p = text; (p = strstr(p, "{e:")); p += 3) memcpy(p, "{i:", 3);
    for (char* p = text; (p = strstr(p, "*e -")); p += 4) memcpy(p, "*i -", 4);
    Run r = run_open(model_text(text), NULL);
    double omega2[4];
    SarEquilibrium e = {.omega2 = omega2};
    const SarEquilibriumOptions o = {.max_iterations = 100};
    SarError err;
    sar_error_init(&err);
    EXPECT_OK_OR(sar_equilibrium_find(r.s, &o, &e, &err), &err);
    const double weight = mass * 9.81 * lever * cos(target);
    EXPECT_NEAR(r.d->q[0], target, 1e-9);
    EXPECT_NEAR(*state_at(&r, "torque"), weight, 1e-7 * (1 + fabs(weight)));
    EXPECT_NEAR(*state_at(&r, "i") * ki, weight, 1e-6 * (1 + fabs(weight)));
    EXPECT_NEAR(*state_at(&r, "seen"), 0.7, 1e-12);  // nothing determines it
    run_close(&r);
  }
}

static void a_state_without_rest_is_named(void** state) {
  (void)state;
  Run r =
      run_open(model_text(IDLE "states: {clock: {rate: 1}}\nforces: {s: {joint_force: j, value: "
                               "-j.q}}\n"),
               NULL);
  double omega2[4];
  SarEquilibrium e = {.omega2 = omega2};
  const SarEquilibriumOptions o = {.max_iterations = 50};
  SarError err;
  sar_error_init(&err);
  EXPECT_STATUS(sar_equilibrium_find(r.s, &o, &e, &err), SAR_NOT_CONVERGED);
  assert_non_null(strstr(err.items[0].text, "state 'clock' still changes by 1 a second"));
  run_close(&r);
}

// ---- from outside -------------------------------------------------------------------------------

static void starts_follow_the_assembled_mechanism(void** state) {
  (void)state;
  Run r = run_open(model_text("bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                              "joints: {j: {revolute: [ground, a], axis: y}}\n"
                              "constraints: {m: {motion: j, value: 0.8 + 0.5*t}}\n"
                              "states: {x: {rate: 0, start: 2*y}, y: {rate: 0, start: j.q + 1}}\n"
                              "outputs: [{value: 'filter(j.q, 1)', name: f}]\n"),
                   NULL);
  EXPECT_NEAR(r.d->q[0], 0.8, 1e-12);
  EXPECT_NEAR(*state_at(&r, "y"), 1.8, 1e-12);
  EXPECT_NEAR(*state_at(&r, "x"), 3.6, 1e-12);
  EXPECT_NEAR(*state_at(&r, "f.filter1"), 0.8, 1e-12);
  run_advance(&r, 0.2);
  sar_data_reset(r.d);
  EXPECT_NEAR(*state_at(&r, "x"), 3.6, 1e-12);
  EXPECT_NEAR(*state_at(&r, "f.filter1"), 0.8, 1e-12);
  run_close(&r);
}

// What the host sets before there is a simulation stays, and others start from it.
static void states_that_are_set_do_not_start(void** state) {
  (void)state;
  SarModel* m = model_text(IDLE
                           "states: {x: {rate: 0, start: 3*y}, y: {rate: 0, start: j.q + 1}, z: "
                           "{rate: 0, start: y}}\n");
  Run r = {.m = m};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &r.d, &err), &err);
  *state_at(&r, "y") = 5;
  EXPECT_OK_OR(sar_sim_new(m, r.d, NULL, &r.s, &err), &err);
  for (int i = 0; i < 2; i++, sar_data_reset(r.d)) {
    EXPECT_NEAR(*state_at(&r, "x"), 15, 0);
    EXPECT_NEAR(*state_at(&r, "y"), 5, 0);
    EXPECT_NEAR(*state_at(&r, "z"), 5, 0);
  }
  run_close(&r);
}

// What the host writes is a new beginning: the run goes on from there, exactly.
static void the_host_may_write_states(void** state) {
  (void)state;
  for (int i = 0; sar_integrator(i); i++) {
    if (!sar_integrator(i)->step) continue;
    SarSimOptions o = sar_sim_options();
    o.integrator = sar_integrator(i)->name;
    o.formulation = "aba";
    o.step = 1e-3;
    Run r = run_open(model_text(IDLE "states: {x: {rate: -3*x, start: 1}}\n"), &o);
    run_advance(&r, 0.5);
    *state_at(&r, "x") = 5;
    run_advance(&r, 1);
    EXPECT_NEAR(*state_at(&r, "x"), 5 * exp(-1.5), 5e-3);
    run_close(&r);
  }
}

static void rates_that_are_not_finite_are_named(void** state) {
  (void)state;
  for (int i = 0; sar_integrator(i); i++)
    for (int k = 0; sar_formulation(k); k++) {
      const SarIntegrator* g = sar_integrator(i);
      const SarFormulation* f = sar_formulation(k);
      if (!sar_goes_with(f, g) || f->absolute || (f->shape == SAR_SHAPE_ACCEL && !g->step))
        continue;
      if (f->shape == SAR_SHAPE_ACCEL && strcmp(f->name, "aba") != 0) continue;
      SarSimOptions o = sar_sim_options();
      o.formulation = f->name;
      o.integrator = g->name;
      o.step = 1e-2;
      Run r = run_open(
          model_text(IDLE "states: {bad: {rate: 'sqrt(0.2 - t)'}, good: {rate: bad}}\n"), &o);
      EXPECT_STATUS(sar_advance(r.s, 1), SAR_NOT_FINITE);
      if (!strstr(sar_sim_trouble(r.s), "state 'bad'"))
        fail_msg("%s %s: %s", f->name, g->name, sar_sim_trouble(r.s));
      assert_true(sar_time(r.d) <= 0.2 + 1e-12 && isfinite(*state_at(&r, "bad")));
      run_close(&r);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(filter_answers_a_step_exactly),
      cmocka_unit_test(second_order_filter_is_exact),
      cmocka_unit_test(pid_loop_is_exact),
      cmocka_unit_test(random_systems_by_every_method),
      cmocka_unit_test(stiff_states_by_implicit_steps),
      cmocka_unit_test(filters_that_come_to_rest_by_implicit_steps),
      cmocka_unit_test(modes_have_the_states),
      cmocka_unit_test(states_come_to_rest_with_the_mechanism),
      cmocka_unit_test(a_state_without_rest_is_named),
      cmocka_unit_test(starts_follow_the_assembled_mechanism),
      cmocka_unit_test(states_that_are_set_do_not_start),
      cmocka_unit_test(the_host_may_write_states),
      cmocka_unit_test(rates_that_are_not_finite_are_named),
  };
  return cmocka_run_group_tests_name("states", tests, NULL, NULL);
}
