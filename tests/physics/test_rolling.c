// Ideal rolling: rates against differences, a coin against Routh's equations, a ball down a slope
// and in a trough, a wheel set on its circle, and who does not take it.
#include "support/constraint_check.h"
#include "support/run.h"

#include "model/sim.h"

#include <math.h>
#include <stdio.h>

static SarSimOptions precise(const char* formulation) {
  SarSimOptions o = sar_sim_options();
  o.formulation = formulation;
  o.rtol = o.atol = 1e-11;
  return o;
}

// ---- rates --------------------------------------------------------------------------------------

// A roller of radius up to 0.4 on a hilly road whose bends are at least of radius 1 / 0.3.
static void rates_on_roads_against_differences(void** state) {
  (void)state;
  static const char* const kind[] = {
      "rolling: [[b, [0.1, 0.2, 0]], ground], radius: 0.4, axis: [0.2, 1, 0.3], in: b",
      "rolling: [[b, [0.1, 0.2, 0]], ground], radius: 0.4",
      "wheel_set: [[b, [0, 0.5, 0]], [b, [0, -0.5, 0]]], radius: 0.3, axis: y, in: b"};
  char text[700];
  for (int k = 0; k < 3; k++) {
    snprintf(text, sizeof text,
             "roads: {hills: {height: 0.2*sin(x + 0.3*y) + 0.05*x*y}}\n"
             "bodies: {b: {mass: 1, inertia: [1, 1, 1], at: [0.3, 0.2, 0.5]}}\n"
             "constraints: {c: {%s, road: hills}}\n",
             kind[k]);
    SarModel* m = model_text(text);
    for (int seed = 0; seed < test_effort(40); seed++) check_constraints(m, (uint64_t)seed);
    sar_model_free(m);
  }
}

// ---- a coin -------------------------------------------------------------------------------------

// Routh: th the angle of the axis with the vertical, psi' its precession, w3 the spin about it;
// A = m a^2 / 4 across, C = m a^2 / 2 along the axis.
//
//   (A + m a^2) th'' = -psi' sin th ((C + m a^2) w3 - A psi' cos th) - m g a cos th
//   A (psi' sin th)' = C w3 th' - A psi' th' cos th
//   (C + m a^2) w3'  = m a^2 psi' th' sin th
typedef struct Coin {
  double th, th_rate, side, w3;  // side = psi' sin th
} Coin;

static const double MASS = 2, RADIUS = 0.5, G = 9.81;

static Coin coin_rate(Coin x) {
  const double ma2 = MASS * RADIUS * RADIUS, A = ma2 / 4, C = ma2 / 2;
  const double psi = x.side / sin(x.th);
  return (Coin){
      x.th_rate,
      (-x.side * ((C + ma2) * x.w3 - A * psi * cos(x.th)) - MASS * G * RADIUS * cos(x.th)) /
          (A + ma2),
      C / A * x.w3 * x.th_rate - psi * x.th_rate * cos(x.th), ma2 * x.side * x.th_rate / (C + ma2)};
}

static Coin coin_add(Coin x, double h, Coin k) {
  return (Coin){x.th + h * k.th, x.th_rate + h * k.th_rate, x.side + h * k.side, x.w3 + h * k.w3};
}

static Coin coin_after(Coin x, double time) {
  const int n = 20000;  // one that falls nearly flat turns fast there
  const double h = time / n;
  for (int i = 0; i < n; i++) {
    const Coin a = coin_rate(x), b = coin_rate(coin_add(x, h / 2, a));
    const Coin c = coin_rate(coin_add(x, h / 2, b)), d = coin_rate(coin_add(x, h, c));
    x = coin_add(coin_add(coin_add(coin_add(x, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
  }
  return x;
}

// The axis is z of the coin, tilted by th about x of the ground; (e1, e2, e3) with e1 = x: the
// angular velocity is th' e1 + side e2 + w3 e3, e2 = e3 x e1.
static SarModel* coin_model(Coin x, const char* coordinates) {
  char text[900];
  const V3 e3 = v3(0, -sin(x.th), cos(x.th)), e2 = v3_cross(e3, v3(1, 0, 0));
  const V3 w =
      v3_add(v3_scale(x.th_rate, v3(1, 0, 0)), v3_add(v3_scale(x.side, e2), v3_scale(x.w3, e3)));
  const double ma2 = MASS * RADIUS * RADIUS;
  snprintf(text, sizeof text,
           "bodies:\n  coin: {mass: %g, inertia: [%.17g, %.17g, %.17g], at: [0, 0, %.17g], "
           "rpy: [%.17g, 0, 0], angular_velocity: [%.17g, %.17g, %.17g]}\n"
           "constraints:\n  roll: {rolling: [coin, ground], radius: %g, axis: z, in: coin}\n"
           "simulation: {coordinates: %s}\n"
           "outputs: [energy, {body: coin}, constraints]\n",
           MASS, ma2 / 4, ma2 / 4, ma2 / 2, RADIUS * sin(x.th), x.th, w.x, w.y, w.z, RADIUS,
           coordinates);
  return model_text(text);
}

typedef struct Method {
  const char *formulation, *integrator;  // NULL: dopri5
} Method;

static bool is_built(const Method* x) {
  return !x->integrator || sar_integrator_find(x->integrator)->step != NULL;
}

static void check_coin(const Method* x, Coin start, const char* coordinates) {
  const double time = 1.5;
  SarSimOptions o = precise(x->formulation);
  o.integrator = x->integrator;
  Run r = run_open(coin_model(start, coordinates), &o);
  run_advance(&r, time);
  const Coin end = coin_after(start, time);
  EXPECT_NEAR(run_output(&r, "coin.z"), RADIUS * sin(end.th), 1e-8);
  EXPECT_NEAR(run_output(&r, "energy.error"), 0, 1e-8);
  EXPECT_NEAR(run_output(&r, "roll.slip_forward"), 0, 1e-9);
  EXPECT_NEAR(run_output(&r, "roll.slip_side"), 0, 1e-9);
  // the normal force carries weight and the acceleration of the height a sin th
  const Coin rate = coin_rate(end);
  const double up = RADIUS * (cos(end.th) * rate.th_rate - sin(end.th) * end.th_rate * end.th_rate);
  EXPECT_NEAR(run_output(&r, "roll.normal"), MASS * (G + up), 1e-7 * MASS * (G + fabs(up)));
  run_close(&r);
}

static void a_coin_follows_routh(void** state) {
  (void)state;
  static const Method method[] = {{"lagrange", NULL},
                                  {"qr", NULL},
                                  {"svd", NULL},
                                  {"lagrange", "ida"},
                                  {"falco1", NULL},
                                  {"falco2", NULL},
                                  {"lagrange", "cvode"},
                                  {"partition", NULL},
                                  {"embedding", NULL},
                                  {"udwadia-kalaba", NULL},
                                  {"udwadia-phohomsiri", NULL},
                                  {"lagrange-dense", NULL}};
  enum { METHODS = sizeof method / sizeof *method };
  Rng rng = rng_seed(3);
  for (int trial = 0; trial < test_effort(2 * METHODS); trial++) {
    const Coin start = {rng_uniform(&rng, 0.7, 1.7), rng_uniform(&rng, -0.5, 0.5),
                        rng_uniform(&rng, 0.5, 3), rng_uniform(&rng, 2, 8)};
    const Method* x = &method[trial % METHODS];
    if (is_built(x)) check_coin(x, start, trial % 2 ? "absolute" : "relative");
  }
}

// By impulses the coin comes nearer with the square of the step.
static void impulses_roll_in_second_order(void** state) {
  (void)state;
  const Coin start = {1.2, 0.1, 1.5, 5};
  const Coin end = coin_after(start, 1);
  double off[3];
  for (int k = 0; k < 3; k++) {
    SarSimOptions o = sar_sim_options();
    o.formulation = "impulse";
    o.step = 4e-3 / (1 << k);
    Run r = run_open(coin_model(start, "relative"), &o);
    run_advance(&r, 1);
    off[k] = fabs(run_output(&r, "coin.z") - RADIUS * sin(end.th));
    run_close(&r);
  }
  print_message("impulse: %.2e %.2e %.2e\n", off[0], off[1], off[2]);
  EXPECT_NEAR(log2(off[1] / off[2]), 2, 0.2);
}

// ---- balls --------------------------------------------------------------------------------------

// Down a slope of angle a: 5/7 g sin a, and 2/7 of the weight's share is friction.
static void a_ball_rolls_down_a_slope(void** state) {
  (void)state;
  char text[500];
  for (double a = 0.1; a < 1; a += 0.3) {
    snprintf(text, sizeof text,
             "gravity: [%.17g, 0, %.17g]\nbodies:\n"
             "  ball: {sphere: 0.2, mass: 3, at: [0, 0, 0.2]}\n"
             "constraints: {roll: {rolling: [ball, ground], radius: 0.2}}\n"
             "outputs: [{point: ball}, constraints, energy]\n",
             G * sin(a), -G * cos(a));
    const SarSimOptions o = precise("lagrange");
    Run r = run_open(model_text(text), &o);
    run_advance(&r, 2);
    EXPECT_NEAR(run_output(&r, "ball.x"), 0.5 * 5.0 / 7 * G * sin(a) * 4, 1e-9);
    EXPECT_NEAR(run_output(&r, "roll.normal"), 3 * G * cos(a), 1e-9);
    EXPECT_NEAR(hypot(run_output(&r, "roll.forward"), run_output(&r, "roll.side")),
                2.0 / 7 * 3 * G * sin(a), 1e-9);
    run_close(&r);
  }
}

// In a round trough of radius R, whose bottom is a road:  7/5 (R - r) phi'' = -g sin phi.
static void a_ball_rolls_in_a_trough(void** state) {
  (void)state;
  const double R = 2, r0 = 0.3, amplitude = 1.1;
  char text[600];
  snprintf(text, sizeof text,
           "roads: {trough: {height: 2 - sqrt(4 - x^2)}}\nbodies:\n"
           "  ball: {sphere: 0.3, mass: 1, at: [%.17g, 0, %.17g]}\n"
           "constraints: {roll: {rolling: [ball, ground], radius: 0.3, road: trough}}\n"
           "outputs: [{point: ball}, energy, constraints]\n",
           (R - r0) * sin(amplitude), R - (R - r0) * cos(amplitude));
  const SarSimOptions o = precise("qr");
  Run run = run_open(model_text(text), &o);
  run_advance(&run, 3);
  double phi = amplitude, rate = 0;
  const double k = 5 * G / (7 * (R - r0)), h = 3.0 / 20000;
  for (int i = 0; i < 20000; i++) {  // Runge and Kutta
    const double a1 = -k * sin(phi), v2 = rate + h / 2 * a1, a2 = -k * sin(phi + h / 2 * rate);
    const double v3_ = rate + h / 2 * a2, a3 = -k * sin(phi + h / 2 * v2);
    const double v4 = rate + h * a3, a4 = -k * sin(phi + h * v3_);
    phi += h / 6 * (rate + 2 * v2 + 2 * v3_ + v4);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  EXPECT_NEAR(run_output(&run, "ball.x"), (R - r0) * sin(phi), 1e-8);
  EXPECT_NEAR(run_output(&run, "energy.error"), 0, 1e-9);
  // what presses: weight and the centre's way round
  EXPECT_NEAR(run_output(&run, "roll.normal"), G * cos(phi) + (R - r0) * rate * rate, 1e-7);
  run_close(&run);
}

// ---- a wheel set --------------------------------------------------------------------------------

// Wheels that turn at unequal speeds: the middle runs on a circle of radius b (wr + wl) / (wr - wl)
// at r (wr + wl) / 2.
static void a_wheel_set_runs_on_a_circle(void** state) {
  (void)state;
  const double r0 = 0.3, b = 0.5, wl = 3, wr = 5, T = 4;
  Run r = run_open(model_file("wheel_set.yaml", NULL), NULL);
  run_advance(&r, T);
  const double speed = r0 * (wl + wr) / 2, turn = r0 * (wr - wl) / (2 * b), circle = speed / turn;
  EXPECT_NEAR(run_output(&r, "axle.x"), circle * sin(turn * T), 1e-5);
  EXPECT_NEAR(run_output(&r, "axle.y"), circle * (1 - cos(turn * T)), 1e-5);
  EXPECT_NEAR(run_output(&r, "set.side"), 8 * speed * turn,
              1e-4);  // the whole mass is held on its circle
  run_close(&r);
}

// ---- who does not take it -----------------------------------------------------------------------

static void formulations_that_hold_positions_say_so(void** state) {
  (void)state;
  static const char* const method[] = {"hybrid", "topological", "recursive", "global"};
  SarModel* m = coin_model((Coin){1, 0, 1, 5}, "relative");
  for (int i = 0; i < 4; i++) {
    SarSimOptions o = sar_sim_options();
    SarData* d;
    SarSim* s;
    SarError err;
    o.formulation = method[i];
    sar_error_init(&err);
    EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
    assert_int_equal(sar_sim_new(m, d, &o, &s, &err), SAR_NOT_OFFERED);
    assert_non_null(strstr(err.items[err.count - 1].text, "nonholonomic"));
    sar_data_free(d);
  }
  sar_model_free(m);
}

// ---- heights over a grid ------------------------------------------------------------------------

#define HILLS "0.12*exp(-((x - 0.6)^2 + y^2)/0.5) - 0.3*exp(-(x^2 + 1.4*y^2)/1.5)"

// Where a ball is after 2 s, and what the account of energy misses.
static V3 ball_on(const char* road, double* lost) {
  char text[2048];
  snprintf(text, sizeof text,
           "gravity: [0, 0, -9.81]\nroads: {hills: {%s}}\nbodies:\n"
           "  ball: {at: [0.9, 0.5, 0.1], sphere: 0.15, mass: 2}\n"
           "constraints: {roll: {rolling: [ball, ground], radius: 0.15, road: hills}}\n"
           "outputs: [{body: ball}, energy]\n",
           road);
  SarSimOptions o = run_options("lagrange", 0);
  Run r = run_open(model_text(text), &o);
  run_advance(&r, 2);
  *lost = fabs(run_output(&r, "energy.error"));
  const V3 at = v3(run_output(&r, "ball.x"), run_output(&r, "ball.y"), run_output(&r, "ball.z"));
  run_close(&r);
  return at;
}

// A surface sampled finer and finer tends to its expression, slopes by the third power of the
// spacing; the spline itself is smooth, so energy is kept on the coarsest.
static void sampled_hills_tend_to_the_expression(void** state) {
  (void)state;
  double lost, error[3], most = 0;
  const V3 exact = ball_on("height: '" HILLS "'", &lost);
  for (int k = 0; k < 3; k++) {
    char road[512];
    const int n = 40 * (1 << k) + 1;
    snprintf(road, sizeof road, "heights: '%s', x: [-4, 4, %d], y: [-4, 4, %d]", HILLS, n, n);
    error[k] = v3_norm(v3_sub(ball_on(road, &lost), exact));
    most = fmax(most, lost);
  }
  print_message("hills sampled at 20, 10 and 5 cm: %.1e, %.1e, %.1e m off; energy lost %.1e J\n",
                error[0], error[1], error[2], most);
  assert_true(log2(error[0] / error[2]) / 2 > 2.7);  // order 3 over both halvings
  EXPECT_AT_MOST(error[2], 1e-3);
  EXPECT_AT_MOST(most, 1e-7);
}

// The height field that others touch: a ball that rolls on it has its own place in a run by
// impulses.
static void a_ball_rolls_on_the_field_of_the_ground(void** state) {
  (void)state;
  SarSimOptions o = sar_sim_options();
  o.formulation = "impulse";
  o.step = 5e-4;
  double lost;
  const V3 exact = ball_on("height: '" HILLS "'", &lost);
  Run r = run_open(
      model_text("gravity: [0, 0, -9.81]\nroads: {hills: {field: ground}}\nbodies:\n"
                 "  ball: {at: [0.9, 0.5, 0.1], sphere: 0.15, mass: 2}\n"
                 "constraints: {roll: {rolling: [ball, ground], radius: 0.15, road: hills}}\n"
                 "ground: {contact: {heights: '" HILLS "', x: [-4, 4, 161], y: [-4, 4, 161]}}\n"
                 "outputs: [{body: ball}, energy]\n"),
      &o);
  run_advance(&r, 2);
  const V3 at = v3(run_output(&r, "ball.x"), run_output(&r, "ball.y"), run_output(&r, "ball.z"));
  print_message("on the field of the ground by impulses: %.1e m off\n", v3_norm(v3_sub(at, exact)));
  EXPECT_AT_MOST(v3_norm(v3_sub(at, exact)), 2e-3);
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_on_roads_against_differences),
      cmocka_unit_test(a_coin_follows_routh),
      cmocka_unit_test(impulses_roll_in_second_order),
      cmocka_unit_test(a_ball_rolls_down_a_slope),
      cmocka_unit_test(a_ball_rolls_in_a_trough),
      cmocka_unit_test(sampled_hills_tend_to_the_expression),
      cmocka_unit_test(a_ball_rolls_on_the_field_of_the_ground),
      cmocka_unit_test(a_wheel_set_runs_on_a_circle),
      cmocka_unit_test(formulations_that_hold_positions_say_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
