// Springs by table and play on coordinates of joints, against the same by other means: expressions
// of equal value, free flight and half a period of a spring in closed form, differences.
//
// Bounds: tables and expressions are the same function, so runs differ by rounding where no step
// crosses a kink, and by the tolerance of the steps (1e-11) where they end at kinks. Fixed steps of
// implicit rules are of second order between kinks and lose (w h)^2 of a contact of 1/w seconds at
// each of its two.
#include "support/random_model.h"
#include "support/run.h"

#include "dynamics/tangents.h"
#include "dynamics/tree.h"

#include <math.h>

// ---- tables -------------------------------------------------------------------------------------

typedef enum Way { BY_TABLE, BY_LAW } Way;

// A pendulum or slide, its joint declared either way round, with a spring of random straight
// pieces. The same expression in `law` is all work, so total energies differ by that work.
static void add_spring(ModelText* t, Rng* r, Way way) {
  enum { ROWS = 5 };
  double x[ROWS], y[ROWS];
  const double rest = rng_uniform(r, -0.2, 0.2);
  for (int i = 0; i < ROWS; i++) {
    x[i] = (i ? x[i - 1] : -0.9) + rng_uniform(r, 0.2, 0.6);
    y[i] = (i ? y[i - 1] : -12) + rng_uniform(r, 1, 9);
  }
  model_add(t, "forces: {s: {joint_spring: j, ");
  if (way == BY_TABLE) {
    model_add(t, "rest: %.17g, table: [", rest);
    for (int i = 0; i < ROWS; i++) model_add(t, "%s[%.17g, %.17g]", i ? ", " : "", x[i], y[i]);
    model_add(t, "], damper_table: [[-50, -5], [0, 0], [50, 15]]}}\n");
    return;
  }
  model_add(t, "law: \"table(q - (%.17g)", rest);
  for (int i = 0; i < ROWS; i++) model_add(t, ", %.17g, %.17g", x[i], y[i]);
  model_add(t, ") + table(v, -50, -5, 0, 0, 50, 15)\"}}\n");
}

static Run swinging(uint64_t seed, Way way, const SarSimOptions* o) {
  static ModelText t;
  Rng r = rng_seed(seed);
  const bool slides = rng_int(&r, 2), turned = rng_int(&r, 2);
  t.used = 0;
  model_add(&t,
            "sarrus: 1\nbodies: {b: {box: [0.2, 0.1, 0.4], at: [0, 0, -0.3], mass: 1.3}}\n"
            "joints: {j: {%s: [%s], at: [0, 0, 0], axis: [%.3f, 1, %.3f], speed: %.3f}}\n",
            slides ? "prismatic" : "revolute", turned ? "b, ground" : "ground, b",
            rng_uniform(&r, -1, 1), rng_uniform(&r, -1, 1), rng_uniform(&r, 2, 5));
  add_spring(&t, &r, way);
  model_add(&t, "outputs: [energy, {joint: j}, {force: s}]\n");
  return run_open(model_parse(t.text, NULL), o);
}

static void tables_are_the_expressions_they_stand_for(void** state) {
  (void)state;
  static const char* const FORMULATIONS[] = {
      "aba", "crba", "lagrange", "qr", "hybrid", "topological", "recursive", "global", "impulse"};
  for (int i = 0; i < test_effort(24); i++)
    for (size_t f = 0; f < sizeof FORMULATIONS / sizeof *FORMULATIONS; f++) {
      const uint64_t seed = test_seed(500) + (uint64_t)i;
      const SarSimOptions o = run_options(FORMULATIONS[f], f < 4 ? 0 : 1e-3);
      Run a = swinging(seed, BY_TABLE, &o), b = swinging(seed, BY_LAW, &o);
      const double start = run_output(&a, "energy.total"), stored = run_output(&a, "s.energy");
      run_advance(&a, 1), run_advance(&b, 1);
      const double q = run_output(&b, "j.q");
      if (!(fabs(run_output(&a, "j.q") - q) <= 1e-8))
        fail_msg("seed %llu, %s: q = %.12g, by the expression %.12g", (unsigned long long)seed,
                 FORMULATIONS[f], run_output(&a, "j.q"), q);
      // the potential is in the total, the damper takes, and the books close to the rule's order
      const double error = run_output(&a, "energy.error");
      if (!(fabs(error) <= (f < 4 ? 1e-8 : 2e-4)) || !(run_output(&a, "s.work") < 0) ||
          !(run_output(&a, "energy.total") < start + 1e-4))
        fail_msg("seed %llu, %s: %g J unexplained, damper %g J", (unsigned long long)seed,
                 FORMULATIONS[f], error, run_output(&a, "s.work"));
      // what the table stores and its damper takes is what the expression works
      EXPECT_NEAR(run_output(&a, "s.energy") - stored - run_output(&a, "s.work"),
                  -run_output(&b, "s.work"), f < 4 ? 1e-8 : 4e-4);
      run_close(&a), run_close(&b);
    }
}

// ---- play ---------------------------------------------------------------------------------------

typedef struct Gear {
  double J1, J2, ratio, gap, k, speed;
} Gear;

static const Gear GEAR = {0.02, 0.5, 0.25, 0.04, 900, 3};

static SarModel* gear_model(const Gear* g, double damping) {
  static ModelText t;
  t.used = 0;
  model_add(&t,
            "sarrus: 1\ngravity: [0, 0, 0]\nbodies:\n"
            "  rotor: {mass: 1, inertia: [1, 1, %.17g]}\n"
            "  load: {mass: 1, inertia: [1, 1, %.17g], at: [1, 0, 0]}\n"
            "joints:\n"
            "  motor: {revolute: [ground, rotor], axis: z, speed: %.17g}\n"
            "  out: {revolute: [load, ground], at: [1, 0, 0], axis: -z}\n"
            "forces: {play: {backlash: out, drive: motor, ratio: %.17g, gap: %.17g, stiffness: "
            "%.17g, damping: %.17g}}\n"
            "outputs: [energy, {joint: motor}, {joint: out}, {force: play}]\n",
            g->J1, g->J2, g->speed, g->ratio, g->gap, g->k, damping);
  return model_parse(t.text, NULL);
}

// x = q_out - ratio q_motor begins in the middle: free flight to a flank, half a period of the
// spring between J1 / ratio^2 and J2, flight with the opposite rate to the other flank, and so on.
// The momentum J1 v1 + ratio J2 v2 stays.
static void gear_at(const Gear* g, double t, double* v_motor, double* v_out) {
  const double w = sqrt(g->k * (1 / g->J2 + g->ratio * g->ratio / g->J1));
  const double rate = g->ratio * g->speed, pi = acos(-1);
  const double first = 0.5 * g->gap / rate, contact = pi / w, flight = g->gap / rate;
  double xdot = -rate, left = t - first;  // the load lags behind
  for (double sign = -1; left > 0; sign = -sign) {
    xdot = sign * rate * cos(w * fmin(left, contact));
    left -= contact + flight;
  }
  // v_out - ratio v_motor = xdot and J1 v_motor + ratio J2 v_out = J1 speed
  *v_motor = (g->J1 * g->speed - g->ratio * g->J2 * xdot) / (g->J1 + g->ratio * g->ratio * g->J2);
  *v_out = xdot + g->ratio * *v_motor;
}

static void play_is_free_flight_and_half_a_swing(void** state) {
  (void)state;
  static const struct {
    const char* formulation;
    double step, bound;
  } CASES[] = {{"aba", 0, 1e-8},          {"crba", 0, 1e-8},      {"lagrange", 0, 1e-8},
               {"qr", 0, 1e-8},           {"hybrid", 2e-5, 2e-3}, {"topological", 2e-5, 2e-3},
               {"recursive", 2e-5, 2e-3}, {"global", 2e-5, 2e-3}, {"impulse", 2e-5, 6e-3}};
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    const SarSimOptions o = run_options(CASES[c].formulation, CASES[c].step);
    Run a = run_open(gear_model(&GEAR, 0), &o);
    for (int i = 1; i <= 40; i++) {
      double v1, v2;
      run_advance(&a, 0.01 * i);
      gear_at(&GEAR, 0.01 * i, &v1, &v2);
      if (!(fabs(run_output(&a, "motor.v") - v1) <= CASES[c].bound * 3) ||
          !(fabs(run_output(&a, "out.v") - v2) <= CASES[c].bound))
        fail_msg("%s at %g s: %.10g, %.10g, not %.10g, %.10g", CASES[c].formulation, 0.01 * i,
                 run_output(&a, "motor.v"), run_output(&a, "out.v"), v1, v2);
      EXPECT_NEAR(run_output(&a, "energy.error"), 0, CASES[c].bound);
    }
    run_close(&a);
  }
}

// The flanks take energy when they have a damper, push only, and end with the gear at rest against
// the motor: momentum over both inertias.
static void a_damped_gear_comes_to_rest_in_its_play(void** state) {
  (void)state;
  static const char* const FORMULATIONS[] = {"aba", "hybrid", "topological", "global", "impulse"};
  for (size_t f = 0; f < sizeof FORMULATIONS / sizeof *FORMULATIONS; f++) {
    const SarSimOptions o = run_options(FORMULATIONS[f], f == 0 ? 0 : 1e-3);
    Run a = run_open(gear_model(&GEAR, 8), &o);
    const Gear* g = &GEAR;
    double before = 0;
    for (int i = 1; i <= 300; i++) {
      run_advance(&a, 0.01 * i);
      const double x = run_output(&a, "play.play"), push = run_output(&a, "play.value");
      const double work = run_output(&a, "play.work");
      // push lost where a flank is left is work too; it comes back to none
      assert_true(push == 0 || push * x < 0);
      assert_true(work <= before + 1e-9);
      before = work;
      // the damper jumps where a flank is met: c rate^2 h there
      EXPECT_NEAR(run_output(&a, "energy.error"), 0, f == 0 ? 1e-8 : 5e-3);
    }
    const double momentum =
        g->J1 * run_output(&a, "motor.v") + g->ratio * g->J2 * run_output(&a, "out.v");
    // Newton's tolerance of each step; impulses solve trees one by one, so that what acts between
    // two is implicit in each alone
    const bool impulse = strcmp(FORMULATIONS[f], "impulse") == 0;
    EXPECT_NEAR(momentum, g->J1 * g->speed, impulse ? 1e-4 : 1e-6);
    EXPECT_NEAR(run_output(&a, "play.rate"), 0, 0.3);
    run_close(&a);
  }
}

// ---- tangents -----------------------------------------------------------------------------------

static void evaluate(const SarModel* m, SarData* d) {
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
}

// -d tau_i / d x_j of one coordinate by central differences; a step of 1e-6 within straight pieces.
static double slope(const SarModel* m, SarData* d, double* x, int i) {
  const double h = 1e-6, was = *x;
  double tau[2];
  for (int side = 0; side < 2; side++) {
    *x = was + (side ? h : -h);
    evaluate(m, d);
    tau[side] = d->tau[i];
  }
  *x = was;
  evaluate(m, d);
  return -(tau[1] - tau[0]) / (2 * h);
}

static void tangents_are_the_slopes(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(77));
  int touching = 0;
  for (int trial = 0; trial < test_effort(60); trial++) {
    SarData* d;
    SarModel* m = gear_model(&GEAR, 8);
    EXPECT_OK(sar_data_new(m, &d, NULL));
    for (int i = 0; i < 2; i++)
      d->q[i] = rng_uniform(&r, -0.1, 0.1), d->v[i] = rng_uniform(&r, -1, 1);
    evaluate(m, d);
    assert_int_equal(m->ntangent, 1);
    assert_int_equal(m->tangent[0].num, 2);
    double block[2][3];
    sar_tangent_block(m, d, 0, 1, 0, block[0]);
    sar_tangent_block(m, d, 0, 0, 1, block[1]);
    touching += block[0][0] != 0;
    for (int which = 0; which < 2; which++) {
      double* x = which ? d->v : d->q;
      const int* dof = &m->tangent_dof[m->tangent[0].adr];
      EXPECT_NEAR(block[which][0], slope(m, d, &x[dof[0]], dof[0]), 1e-5);
      EXPECT_NEAR(block[which][1], slope(m, d, &x[dof[1]], dof[0]), 1e-5);
      EXPECT_NEAR(block[which][1], slope(m, d, &x[dof[0]], dof[1]), 1e-5);
      EXPECT_NEAR(block[which][2], slope(m, d, &x[dof[1]], dof[1]), 1e-5);
    }
    sar_data_free(d);
    sar_model_free(m);
  }
  assert_true(touching > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_are_the_expressions_they_stand_for),
      cmocka_unit_test(play_is_free_flight_and_half_a_swing),
      cmocka_unit_test(a_damped_gear_comes_to_rest_in_its_play),
      cmocka_unit_test(tangents_are_the_slopes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
