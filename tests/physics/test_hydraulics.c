// Hydraulic circuits: flows and pressures against closed forms, a servo against a reference, mass
// that is conserved in random networks, stops that hold.
#include "support/run.h"

#include "model/signal_kind.h"
#include "model/sim.h"
#include "support/random.h"

#include <math.h>

#define IDLE \
  "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: {prismatic: [ground, a], axis: x}}\n"

static SarSimOptions tight(void) {
  SarSimOptions o = sar_sim_options();
  o.integrator = "dopri5";
  o.adaptive = 1;
  o.rtol = 1e-11, o.atol = 1e-9;
  return o;
}

// p' = -k sqrt(p - p0): the root of the difference falls linearly.
static void volume_empties_through_an_orifice(void** state) {
  (void)state;
  SarSimOptions o = tight();
  Run r = run_open(model_text(IDLE "hydraulics:\n"
                                   "  fluid: {density: 850, bulk_modulus: 1.6e9}\n"
                                   "  tank: {pressure: 1e5}\n"
                                   "  v: {volume: 2e-3, start: 9e6}\n"
                                   "  o: {orifice: [v, tank], area: 2e-6, cd: 0.6, laminar: 1}\n"
                                   "outputs: [states, signals]\n"),
                   &o);
  const double k = 1.6e9 / 2e-3 * 0.6 * 2e-6 * sqrt(2.0 / 850);
  double worst = 0;
  for (int i = 1; i <= 20; i++) {
    const double t = 0.005 * i, root = sqrt(8.9e6) - 0.5 * k * t;
    assert_true(root > 300);
    run_advance(&r, t);
    worst = fmax(worst, fabs(run_output(&r, "v") - 1e5 - root * root) / 8.9e6);
  }
  print_message("volume that empties through an orifice: %.1e\n", worst);
  EXPECT_AT_MOST(worst, 1e-9);
  run_close(&r);
}

// A flow into an accumulator on nearly incompressible fluid: gas is compressed by its polytropic
// law.
static void accumulator_is_charged(void** state) {
  (void)state;
  SarSimOptions o = tight();
  Run r =
      run_open(model_text(IDLE "hydraulics:\n"
                               "  fluid: {bulk_modulus: 1e18}\n"
                               "  tank: {pressure: 1e5}\n"
                               "  v: {volume: 1e-6, start: 5e6}\n"
                               "  g: {accumulator: [v], gas: 1e-3, precharge: 5e6, index: 1.3}\n"
                               "  p: {pump: [tank, v], flow: 2e-4}\n"
                               "outputs: [states, signals]\n"),
               &o);
  for (int i = 1; i <= 10; i++) {
    const double t = 0.3 * i, exact = 5e6 * pow(1e-3 / (1e-3 - 2e-4 * t), 1.3);
    run_advance(&r, t);
    EXPECT_NEAR(run_output(&r, "v") / exact, 1, 1e-8);
    EXPECT_NEAR(run_output(&r, "g.fluid"), 2e-4 * t, 1e-11);
    EXPECT_NEAR(run_output(&r, "tank.flow"), -2e-4, 1e-16);
  }
  run_close(&r);
}

// Hagen and Poiseuille's law where flow is slow, Darcy and Weisbach's where it is fast.
static void pipe_has_both_laws(void** state) {
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    char text[700];
    const double dp = fast ? 2e7 : 0.5;
    snprintf(text, sizeof text,
             IDLE
             "hydraulics:\n"
             "  fluid: {density: 900, viscosity: 0.03}\n"
             "  a: {pressure: %.17g}\n  b: {pressure: 1e5}\n"
             "  p: {pipe: [a, b], length: 3, diameter: 0.012, friction: 0.025, loss: 1.5}\n"
             "outputs: [signals]\n",
             1e5 + dp);
    SarSimOptions o = sar_sim_options();
    Run r = run_open(model_text(text), &o);
    run_advance(&r, 0.01);
    const double q = run_output(&r, "p.flow"), pi = 3.14159265358979323846, d = 0.012;
    const double laminar = 128 * 0.03 * 3 / (pi * pow(d, 4)) * q;
    const double turbulent = (0.025 * 3 / d + 1.5) * 900 / 2 * pow(q / (pi * d * d / 4), 2);
    EXPECT_NEAR((laminar + turbulent) / dp, 1, 1e-10);
    EXPECT_AT_MOST(fast ? laminar / turbulent : turbulent / laminar, fast ? 0.1 : 1e-3);
    run_close(&r);
  }
}

// A four-way valve, a cylinder, a mass and a position loop: an independent integration (time,
// place, speed, pressures).
#define SERVO                                                                          \
  "gravity: [0, 0, 0]\n"                                                               \
  "bodies: {m: {mass: 200, inertia: [1, 1, 1]}}\n"                                     \
  "joints: {x: {prismatic: [ground, m], axis: x, stiffness: 50000, damping: 2000}}\n"  \
  "variables: {wanted: '0.025*(1 - cos(pi*min(t, 0.2)/0.2))'}\n"                       \
  "hydraulics:\n"                                                                      \
  "  fluid: {density: 870, bulk_modulus: 1.7e9, pressure: 1e6}\n"                      \
  "  supply: {pressure: 2.1e7}\n  tank: {pressure: 1e5}\n"                             \
  "  a: {volume: 0, start: 1e6}\n  b: {volume: 0, start: 1.25e6}\n"                    \
  "  valve: {valve43: [supply, tank, a, b], spool: 20*(wanted - x.q), area: 4e-6, "    \
  "cd: 0.6110154703516573, leak: [0.002, 0.001], laminar: 1}\n"                        \
  "  rod: {cylinder: [a, b], joint: x, area: [1e-3, 8e-4], stroke: 0.5, offset: 0.2, " \
  "dead: [0, 0]}\n"                                                                    \
  "outputs: [joints, states, signals, energy]\n"

static const double servo[][5] = {
    {0, 0.2, 0, 1000000, 1250000},
    {0.08, 0.20343115, 0.116788692, 6075595.66, 6548275.39},
    {0.16, 0.218323978, 0.225913871, 8070086.08, 8369637.49},
    {0.24, 0.233481489, 0.137001977, 8302850.29, 8228968.06},
    {0.32, 0.24147869, 0.0702754889, 8558129.36, 8071268.7},
    {0.4, 0.245594142, 0.0363696404, 8695245.95, 8001722.88},
    {0.48, 0.247727537, 0.0189083706, 8776340.67, 7979000.36},
    {0.56, 0.248837594, 0.0098458812, 8831632.6, 7983461.49},
    {0.64, 0.249416242, 0.00512572928, 8875947.08, 8004606.17},
    {0.72, 0.249718135, 0.00266893112, 8916074.8, 8036376.35},
    {0.8, 0.249875712, 0.00139509203, 8954728.4, 8074994.31},
    {0.88, 0.249957995, 0.000735166642, 8992815.53, 8117868.21},
    {0.96, 0.250000978, 0.00038884494, 9030634.51, 8163083.38},
    {1.04, 0.250023134, 0.000197156001, 9078501.39, 8221997.84},
    {1.12, 0.250034387, 9.52519756e-05, 9137574.87, 8295158.83},
    {1.2, 0.25004011, 4.41718703e-05, 9200823.42, 8373530.6},
    {1.28, 0.250043042, 2.28760632e-05, 9264635.23, 8452798.3},
    {1.36, 0.250044578, 1.5986703e-05, 9327222.37, 8530928.95},
    {1.44, 0.250045412, 1.23112695e-05, 9387831.88, 8606904.09},
    {1.52, 0.250045879, 6.94103378e-06, 9446259.35, 8680171.82},
    {1.6, 0.250046143, 1.01026697e-06, 9502498.53, 8750481.19},
    {1.68, 0.250046296, -2.09616997e-06, 9556540.38, 8817827.57},
    {1.76, 0.250046399, -1.05928803e-06, 9608339.3, 8882360.28},
    {1.84, 0.250046486, 2.02296946e-06, 9657882.08, 8944250.59},
    {1.92, 0.25004657, 3.7878607e-06, 9705248.09, 9003599.63},
    {2, 0.250046645, 2.69120972e-06, 9750590.69, 9060440.64},
};
enum { SERVO_ROWS = sizeof servo / sizeof *servo };

static void servo_follows_the_reference(void** state) {
  (void)state;
  SarSimOptions o = tight();
  Run r = run_open(model_text(SERVO), &o);
  double place = 0, pressure = 0;
  for (int i = 1; i < SERVO_ROWS; i++) {
    run_advance(&r, servo[i][0]);
    place = fmax(place, fabs(run_output(&r, "x.q") + 0.2 - servo[i][1]));
    pressure = fmax(pressure, fabs(run_output(&r, "a") - servo[i][3]));
    pressure = fmax(pressure, fabs(run_output(&r, "b") - servo[i][4]));
    EXPECT_NEAR(run_output(&r, "energy.error"), 0, 1e-4);
    EXPECT_NEAR(run_output(&r, "rod.force"),
                1e-3 * run_output(&r, "a") - 8e-4 * run_output(&r, "b"), 1e-6);
  }
  print_message("hydraulic servo: %.1e m, %.1e Pa off the reference\n", place, pressure);
  EXPECT_AT_MOST(place, 2e-8);
  EXPECT_AT_MOST(pressure, 200);  // of 1e7: the reference's own tolerance
  run_close(&r);
}

// Stiff pressures in the implicit step of every formulation with one: of second order.
static void servo_by_implicit_formulations(void** state) {
  (void)state;
  for (int f = 0; sar_formulation(f); f++) {
    if (sar_formulation(f)->shape != SAR_SHAPE_STEP) continue;
    double error[2];
    bool taken = true;
    for (int k = 0; k < 2 && taken; k++) {
      SarSimOptions o = sar_sim_options();
      SarError err;
      Run r = {.m = model_text(SERVO)};
      sar_error_init(&err);
      o.formulation = sar_formulation(f)->name;
      o.step = k ? 0.5e-3 : 1e-3;
      EXPECT_OK_OR(sar_data_new(r.m, &r.d, &err), &err);
      taken = sar_sim_new(r.m, r.d, &o, &r.s, &err) == SAR_OK;
      error[k] = 0;
      for (int i = 1; taken && i < SERVO_ROWS / 2; i++) {
        run_advance(&r, servo[i][0]);
        error[k] = fmax(error[k], fabs(run_output(&r, "x.q") + 0.2 - servo[i][1]));
      }
      run_close(&r);
    }
    if (!taken) continue;
    print_message("%s: %.1e m at 1 ms, %.1e m at 0.5 ms\n", sar_formulation(f)->name, error[0],
                  error[1]);
    EXPECT_AT_MOST(error[1], 5e-6);
    EXPECT_AT_MOST(error[1], 0.4 * error[0]);
  }
}

// ---- mass ---------------------------------------------------------------------------------------

typedef struct Network {
  char text[6000];
  int nodes;
  double volume[8], gas[8], bulk, air;
} Network;

static void random_network(Rng* rng, Network* n) {
  size_t used = 0;
#define ADD(...) used += (size_t)snprintf(n->text + used, sizeof n->text - used, __VA_ARGS__)
  n->nodes = 2 + rng_int(rng, 5);
  n->bulk = rng_uniform(rng, 5e8, 2e9);
  n->air = rng_int(rng, 2) ? 0 : rng_uniform(rng, 0.001, 0.02);
  ADD(IDLE "hydraulics:\n  fluid: {bulk_modulus: %.17g", n->bulk);
  if (n->air > 0) ADD(", air: %.17g", n->air);
  ADD("}\n");
  for (int i = 0; i < n->nodes; i++) {
    n->volume[i] = rng_uniform(rng, 1e-4, 2e-3);
    n->gas[i] = rng_int(rng, 3) ? 0 : rng_uniform(rng, 1e-4, 1e-3);
    ADD("  n%d: {volume: %.17g, start: %.17g}\n", i, n->volume[i], rng_uniform(rng, 2e5, 2e7));
    if (n->gas[i] > 0)
      ADD("  g%d: {accumulator: [n%d], gas: %.17g, precharge: 3e6}\n", i, i, n->gas[i]);
  }
  for (int k = 0; k < 2 * n->nodes; k++) {
    const int from = rng_int(rng, n->nodes),
              to = (from + 1 + rng_int(rng, n->nodes - 1)) % n->nodes;
    const double area = rng_uniform(rng, 1e-7, 3e-6);
    switch (rng_int(rng, 6)) {
      case 0: ADD("  e%d: {orifice: [n%d, n%d], area: %.17g}\n", k, from, to, area); break;
      case 1: ADD("  e%d: {pipe: [n%d, n%d], length: 2, diameter: 0.003}\n", k, from, to); break;
      case 2: ADD("  e%d: {check_valve: [n%d, n%d], area: %.17g}\n", k, from, to, area); break;
      case 3:
        ADD("  e%d: {relief_valve: [n%d, n%d], opening: 5e6, area: %.17g}\n", k, from, to, area);
        break;
      case 4: ADD("  e%d: {pump: [n%d, n%d], flow: 2e-6, cutoff: 1e7}\n", k, from, to); break;
      default:
        ADD("  e%d: {valve22: [n%d, n%d], spool: 'sin(20*t)', area: %.17g, frequency: 60}\n", k,
            from, to, area);
    }
  }
  ADD("outputs: [states, signals]\n");
#undef ADD
}

// Of all nodes, by the equation of state: mass over the reference density.
static double mass_of(const Network* n, const Run* r) {
  double sum = 0;
  for (int i = 0; i < n->nodes; i++) {
    char name[16];
    snprintf(name, sizeof name, "n%d", i);
    const double p = run_output(r, name), liquid = (p - 1e5) / n->bulk;
    const double gas = n->gas[i] * (1 - pow(3e6 / fmax(p, 3e6), 1 / 1.4));
    const double v = (1 - n->air) * (1 - liquid) + n->air * pow(1e5 / p, 1 / 1.4);
    sum += (n->air > 0 ? 1 / v : 1 + liquid) * (n->volume[i] + gas);
  }
  return sum;
}

static void networks_keep_their_mass(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(31));
  double worst = 0;
  for (int trial = 0; trial < test_effort(20); trial++) {
    Network n;
    random_network(&rng, &n);
    SarSimOptions o = tight();
    Run r = run_open(model_text(n.text), &o);
    const double before = mass_of(&n, &r);
    double moved = 0;
    for (int k = 1; k <= 4; k++) {
      run_advance(&r, 0.05 * k);
      const double now = mass_of(&n, &r);
      worst = fmax(worst, fabs(now - before) / before);
      moved = fmax(moved, fabs(run_output(&r, "n0") - 1e5));
    }
    assert_true(moved > 0);
    run_close(&r);
  }
  print_message("mass of random networks: %.1e\n", worst);
  EXPECT_AT_MOST(worst, 1e-9);  // rtol 1e-11, over some hundred steps
}

// ---- the rest -----------------------------------------------------------------------------------

// Between two points, against a joint along the same line; and into its stops.
static void cylinder_between_points(void** state) {
  (void)state;
  SarSimOptions o = tight();
#define CIRCUIT                                                        \
  "hydraulics:\n  supply: {pressure: 5e6}\n  tank: {pressure: 1e5}\n"  \
  "  a: {volume: 1e-4, start: 1e5}\n  b: {volume: 1e-4, start: 1e5}\n" \
  "  v: {valve43: [supply, tank, a, b], spool: 'cos(3*t)', area: 2e-5}\n"
#define BODY                                                                                      \
  "gravity: [0, 0, 0]\nbodies: {m: {mass: 50, inertia: [1, 1, 1], points: {eye: [0.3, 0, 0]}}}\n" \
  "points: {foot: [0, 0, 0]}\n"                                                                   \
  "joints: {x: {prismatic: [ground, m], axis: x, damping: 300}}\n"
  Run by_joint = run_open(
      model_text(BODY CIRCUIT "  c: {cylinder: [a, b], joint: x, area: [1e-3, 6e-4], stroke: 0.4, "
                              "offset: 0.1, leak: 1e-13}\noutputs: [joints, states, signals]\n"),
      &o);
  Run by_points = run_open(
      model_text(BODY CIRCUIT "  c: {cylinder: [a, b], points: [ground.foot, m.eye], "
                              "area: [1e-3, 6e-4], stroke: 0.4, offset: -0.2, leak: 1e-13}\n"
                              "outputs: [joints, states, signals]\n"),
      &o);
  double most = 0;
  for (int k = 1; k <= 40; k++) {
    run_advance(&by_joint, 0.1 * k);
    run_advance(&by_points, 0.1 * k);
    EXPECT_NEAR(run_output(&by_joint, "x.q"), run_output(&by_points, "x.q"), 1e-7);
    most = fmax(most, run_output(&by_joint, "c.x"));
    EXPECT_NEAR(run_output(&by_joint, "c.x"), 0.2, 0.2 + 2e4 / 1e7);  // the load lands at speed
  }
  assert_true(most > 0.4);  // it was driven into its stop
  run_close(&by_joint);
  run_close(&by_points);
}

static void every_kind_runs_and_copies(void** state) {
  (void)state;
  for (int k = 0; sar_hydraulic_kind(k); k++) {
    char text[900];
    snprintf(text, sizeof text,
             "bodies: {m: {mass: 100, inertia: [1, 1, 1]}}\n"
             "joints: {sliding: {prismatic: [ground, m], axis: x}}\n"
             "hydraulics:\n  p: {pressure: 2e7}\n  r: {pressure: 1e5}\n"
             "  a: {volume: 1e-4, start: 6e6}\n  b: {volume: 2e-4, start: 2e6}\n  el: %s\n"
             "outputs: [joints, signals, states]\n",
             sar_hydraulic_kind(k)->example);
    SarSimOptions o = sar_sim_options();
    o.formulation = "hybrid", o.step = 0.001;
    Run r = run_open(model_text(text), &o);
    run_with_copy(&r, &o, 0.033, 0.09, sar_hydraulic_kind(k)->name);
    assert_true(isfinite(run_output(&r, "a")));
    run_close(&r);
  }
}

// Mechanisms that cylinders move: implicit steps against explicit ones by other equations, to
// second order.
static void machine_moves_alike(const char* example, double step, double end, const char* angle) {
  char path[512];
  double at[3];
  snprintf(path, sizeof path, "%s/examples/%s", SARRUS_SOURCE_DIR, example);
  for (int k = 0; k < 3; k++) {
    SarSimOptions o = sar_sim_options();
    o.formulation = k < 2 ? "hybrid" : "lagrange";
    o.integrator = k < 2 ? "trapezoidal" : "rk4";
    o.step = k == 0 ? step : k == 1 ? step / 2 : step / 10;
    SarModel* m;
    EXPECT_OK(sar_model_load(path, NULL, &m, NULL));
    Run r = run_open(m, &o);
    run_advance(&r, end);
    at[k] = run_output(&r, angle);
    run_close(&r);
  }
  const double coarse = fabs(at[0] - at[2]), fine = fabs(at[1] - at[2]);
  print_message("%s: %s = %.6f; off by %.1e, half the step %.1e\n", example, angle, at[2], coarse,
                fine);
  assert_true(fabs(at[2]) > 0.1);
  EXPECT_AT_MOST(coarse, 1e-4);
  EXPECT_AT_MOST(fine, 0.35 * coarse + 1e-9);
}

static void machines_move_alike_by_other_equations(void** state) {
  (void)state;
  skip_if_spared();
  machine_moves_alike("landing_gear.yaml", 1e-3, 2, "A.q");
  machine_moves_alike("excavator.yaml", 2e-3, 3, "boom_pin.q");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(volume_empties_through_an_orifice),
      cmocka_unit_test(accumulator_is_charged),
      cmocka_unit_test(pipe_has_both_laws),
      cmocka_unit_test(servo_follows_the_reference),
      cmocka_unit_test(servo_by_implicit_formulations),
      cmocka_unit_test(networks_keep_their_mass),
      cmocka_unit_test(cylinder_between_points),
      cmocka_unit_test(every_kind_runs_and_copies),
      cmocka_unit_test(machines_move_alike_by_other_equations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
