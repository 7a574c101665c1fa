// What models may have besides bodies, joints and forces, by every formulation and integrator that
// goes with it: a wheel that rolls (nonholonomic rows), a drive that follows states, a field of
// gravity, states that act on the motion, a rotor in its own inflow (states of an element), modal
// bodies. Right, or refused before the run with a reason; nothing in between.
#include "support/run.h"

#include "model/sim.h"

#include <math.h>
#include <stdio.h>

typedef struct Feature {
  const char *name, *text, *column[3];
  double end;
} Feature;

static const Feature FEATURES[] = {
    {"rolling",
     "bodies:\n"
     "  coin: {mass: 2, inertia: [0.125, 0.125, 0.25], at: [0, 0, 0.433012701892219], rpy: [60 "
     "deg, 0, 0], angular_velocity: [0, 1, 4]}\n"
     "constraints: {roll: {rolling: [coin, ground], radius: 0.5, axis: z, in: coin}}\n"
     "outputs: [energy, {point: coin}]\n",
     {"coin.x", "coin.y", "coin.z"},
     0.5},
    {"two wheels on an axle",  // more rows than are independent
     "gravity: [1, 0, -9.81]\n"
     "bodies:\n"
     "  axle: {mass: 3, inertia: [0.4, 0.1, 0.4], at: [0, 0, 0.3], velocity: [0.3, 0, 0], "
     "angular_velocity: [0, 1, 0]}\n"
     "constraints: {set: {wheel_set: [[axle, [0, 0.5, 0]], [axle, [0, -0.5, 0]]], radius: 0.3, "
     "axis: y, in: axle}}\n"
     "outputs: [energy, {point: axle}]\n",
     {"axle.x", "axle.y", "axle.z"},
     0.5},
    {"a drive that follows states",
     "states: {s: {rate: 3*c0}, c0: {rate: -3*s, start: 1}}\n"
     "bodies: {arm: {mass: 1, com: [0.3, 0, 0.1], inertia: [0.1, 0.2, 0.3]}, bob: {mass: 2, com: "
     "[0, 0, -0.4], inertia: [0.1, 0.1, 0.05], at: [1, 0, 0]}}\n"
     "joints: {A: {revolute: [ground, arm], axis: z}, B: {revolute: [arm, bob], at: [1, 0, 0], "
     "axis: [0, 1, 1], position: 0.4}}\n"
     "constraints: {d: {motion: A, value: 0.4*s}}\n"
     "outputs: [energy, joints]\n",
     {"A.q", "B.q", "B.v"},
     0.5},
    {"a field of gravity",
     "gravity: {centre: [0, 0, 0], mu: 4}\n"
     "bodies: {one: {mass: 3, inertia: [1, 2, 2.5], at: [1, 0, 0], velocity: [0, 2, 0], "
     "angular_velocity: [0.3, -0.2, 0.5]}, two: {mass: 1, inertia: [0.2, 0.1, 0.2], at: [1.5, 0, "
     "0]}}\n"
     "joints: {B: {revolute: [one, two], at: [1.2, 0, 0], axis: z, speed: 1}}\n"
     "outputs: [energy, {point: one}, joints]\n",
     {"one.x", "one.y", "B.q"},
     0.5},
    {"states that act",
     "states: {f: {rate: 20*(sin(5*t) - 2*B.q - f)}}\n"
     "bodies: {arm: {mass: 1, com: [0.3, 0, 0.1], inertia: [0.1, 0.2, 0.3]}, bob: {mass: 2, com: "
     "[0, 0, -0.4], inertia: [0.1, 0.1, 0.05], at: [1, 0, 0]}}\n"
     "joints: {A: {revolute: [ground, arm], axis: y}, B: {revolute: [arm, bob], at: [1, 0, 0], "
     "axis: [0, 1, 1], position: 0.4, force: 3*f - 0.2*B.v}}\n"
     "outputs: [energy, joints]\n",
     {"A.q", "B.q", "B.v"},
     0.5},
    {"a modal body",
     "modal_bodies:\n"
     "  arm:\n"
     "    damping: 0.02\n"
     "    nodes:\n"
     "      mid: {at: [0.5, 0.1, 0], mass: 0.6, inertia: [0.01, 0.02, 0.02], com: [0.05, 0, "
     "0.02]}\n"
     "      tip: {at: [1, 0, 0.1], rpy: [0.2, 0.1, 0], mass: 0.4, inertia: [0.01, 0.01, 0.015]}\n"
     "    modes:\n"
     "      - {stiffness: 60, shape: {mid: [0, 0.1, 0.3, 0.1, -0.6, 0.1], tip: [0, 0.2, 1, 0.2, "
     "-1, 0.2]}}\n"
     "      - {stiffness: 90, shape: {mid: [0, 0.4, -0.1, 0, 0, 0.7], tip: [0.1, 1, -0.2, 0.1, "
     "0.1, 1]}}\n"
     "    bend: {tip: [[1, 1, -0.6, 0, 0], [2, 2, -0.6, 0, 0]]}\n"
     "bodies: {load: {mass: 0.5, inertia: [0.01, 0.02, 0.02], com: [0.1, 0, 0], at: [1, 0, 0.1]}}\n"
     "joints: {A: {universal: [ground, arm], axis: y, axis2: z}, B: {revolute: [arm_tip, load], "
     "axis: [0, 1, 1]}}\n"
     "outputs: [energy, joints]\n",
     {"A.q1", "B.q", "arm_mode1.q"},
     0.5},
    {"a loop through nodes of a modal body",
     "modal_bodies:\n"
     "  arm:\n"
     "    damping: 0.02\n"
     "    nodes:\n"
     "      mid: {at: [0.5, 0.1, 0], mass: 0.6, inertia: [0.01, 0.02, 0.02], com: [0.05, 0, "
     "0.02]}\n"
     "      tip: {at: [1, 0, 0.1], rpy: [0.2, 0.1, 0], mass: 0.4, inertia: [0.01, 0.01, 0.015]}\n"
     "    modes:\n"
     "      - {stiffness: 60, shape: {mid: [0, 0.1, 0.3, 0.1, -0.6, 0.1], tip: [0, 0.2, 1, 0.2, "
     "-1, 0.2]}}\n"
     "      - {stiffness: 90, shape: {mid: [0, 0.4, -0.1, 0, 0, 0.7], tip: [0.1, 1, -0.2, 0.1, "
     "0.1, 1]}}\n"
     "    bend: {tip: [[1, 1, -0.6, 0, 0], [2, 2, -0.6, 0, 0]]}\n"
     "bodies: {load: {mass: 0.5, inertia: [0.01, 0.02, 0.02], com: [0.1, 0, 0], at: [1, 0, 0.1]}}\n"
     "joints: {A: {universal: [ground, arm], axis: y, axis2: z}, B: {revolute: [arm_tip, load], "
     "axis: [0, 1, 1]}}\n"
     "constraints: {rod: {rod: [load, [arm_mid, [0, 0.3, 0.4]]]}, tie: {rod: [arm_mid, [ground, "
     "[0.4, 0, 1]]]}}\n"
     "outputs: [energy, joints]\n",
     {"A.q1", "B.q", "arm_mode1.q"},
     0.4},
    {"a rotor in its own inflow",
     "air: {wind: [3, 0, 0.4]}\n"
     "airfoils: {foil: {lift_slope: 5.7, drag: 0.01}}\n"
     "bodies:\n"
     "  hub: {mass: 2, inertia: [0.2, 0.2, 0.3]}\n"
     "  one: {cylinder: {radius: 0.05, from: [0.1, 0, 0], to: [1.2, 0, 0]}, mass: 0.8}\n"
     "  two: {cylinder: {radius: 0.05, from: [-0.1, 0, 0], to: [-1.2, 0, 0]}, mass: 0.8}\n"
     "joints:\n"
     "  shaft: {revolute: [ground, hub], axis: z, speed: 8}\n"
     "  A: {revolute: [hub, one], at: [0.1, 0, 0], axis: -y}\n"
     "  B: {revolute: [hub, two], at: [-0.1, 0, 0], axis: y}\n"
     "forces:\n"
     "  air1: {strips: one, root: 0.2, tip: 1.2, chord: 0.1, twist: 0.12, airfoil: foil, inflow: "
     "main}\n"
     "  air2: {strips: two, span: -x, lead: -y, root: 0.2, tip: 1.2, chord: 0.1, twist: 0.12, "
     "airfoil: foil, inflow: main}\n"
     "  main: {rotor: hub, radius: 1.2, inflow: pitt_peters}\n"
     "outputs: [energy, joints]\n",
     {"shaft.q", "A.q", "B.v"},
     0.15},  // a quarter of a turn: there 'topological' in absolute coordinates ends, with air or
             // without
};
enum { FEATURE_COUNT = sizeof FEATURES / sizeof *FEATURES, COLUMNS = 3 };

static SarModel* model_of(const Feature* x, bool absolute) {
  const SarLoadOptions load = {.coordinates = absolute ? "absolute" : "relative"};
  SarModel* m;
  SarError err;
  char text[1600];
  const int n = snprintf(text, sizeof text, "sarrus: 1\n%s", x->text);
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_parse(text, (size_t)n, "yaml", x->name, &load, &m, &err), &err);
  return m;
}

typedef enum Verdict { RIGHT, REFUSED, WRONG, VERDICTS } Verdict;

// The columns at the end of a run. REFUSED: before it, with a reason.
static Verdict measure(const Feature* x, bool absolute, const SarSimOptions* o, double* out) {
  Run r = {.m = model_of(x, absolute)};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(r.m, &r.d, &err), &err);
  const SarStatus st = sar_sim_new(r.m, r.d, o, &r.s, &err);
  if (st != SAR_OK && (st != SAR_NOT_OFFERED || err.count == 0 || !err.items[0].text[0]))
    fail_msg("%s, %s: status %d without a reason", x->name, o->formulation, (int)st);
  Verdict v = st == SAR_OK ? RIGHT : REFUSED;
  if (st == SAR_OK && sar_advance(r.s, x->end) != SAR_OK) {
    print_message("%s, %s, %s: %s\n", x->name, o->formulation, o->integrator, sar_sim_trouble(r.s));
    v = WRONG;
  }
  for (int k = 0; k < COLUMNS && v == RIGHT; k++) out[k] = run_output(&r, x->column[k]);
  run_close(&r);
  return v;
}

static double apart(const double* a, const double* b) {
  double most = 0;
  for (int k = 0; k < COLUMNS; k++) most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

// With error control the tolerance is kept; at fixed steps halving the step divides the error as
// the order says, or it is rounding.
static Verdict check(const Feature* x, const SarFormulation* f, const SarIntegrator* g,
                     bool absolute, const double* exact) {
  double at[2][COLUMNS], off[2];
  SarSimOptions o = sar_sim_options();
  o.formulation = f->name;
  o.integrator = g->name;
  o.rtol = o.atol = g->order > 2 ? 1e-10 : 1e-7;
  o.step = g->order > 1 ? 2e-3 : 2.5e-4;
  o.adaptive = g->can_adapt && (f->shape == SAR_SHAPE_ACCEL);
  const Verdict v = measure(x, absolute, &o, at[0]);
  if (v != RIGHT) return v;
  off[0] = off[1] = apart(at[0], exact);
  if (!o.adaptive) {
    o.step /= 2;
    if (measure(x, absolute, &o, at[1]) != RIGHT) return WRONG;
    off[1] = apart(at[1], exact);
  }
  const double least = f->stabilised ? 1e-3 : 1e-6;  // Phi comes back, in a tenth of a second
  const bool right = o.adaptive ? off[0] <= fmax(2e3 * o.rtol, f->stabilised ? 1e-3 : 0)
                                : off[0] <= 0.05 && (off[1] <= least || off[1] <= 0.6 * off[0]);
  if (!right)
    print_message("%s, %s, %s, %s: off by %.2e, %.2e with half the step\n", x->name, f->name,
                  g->name, absolute ? "absolute" : "relative", off[0], off[1]);
  return right ? RIGHT : WRONG;
}

// Of each hundred pairs so many are taken: all of them with more than the usual effort.
static bool is_drawn(int pair) { return pair * 37 % 100 < test_effort_slow(125); }

static void right_or_refused(void** state) {
  (void)state;
  int wrong = 0, pair = 0;
  for (int k = 0; k < FEATURE_COUNT; k++) {
    const Feature* x = &FEATURES[k];
    double exact[COLUMNS];
    int count[VERDICTS] = {0};
    SarSimOptions o = sar_sim_options();
    o.integrator = "dopri5";
    o.rtol = o.atol = 1e-12;
    assert_int_equal(measure(x, false, &o, exact), RIGHT);
    for (int i = 0; sar_formulation(i); i++)
      for (int n = 0; sar_integrator(n); n++) {
        const SarFormulation* f = sar_formulation(i);
        const SarIntegrator* g = sar_integrator(n);
        if (g->missing || !sar_goes_with(f, g) || !is_drawn(pair++)) continue;
        for (int absolute = f->absolute; absolute < 2; absolute++)
          count[check(x, f, g, absolute, exact)]++;
      }
    print_message("%s: %d right, %d refused, %d wrong\n", x->name, count[RIGHT], count[REFUSED],
                  count[WRONG]);
    assert_true(count[RIGHT] > 0);
    wrong += count[WRONG];
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(right_or_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
