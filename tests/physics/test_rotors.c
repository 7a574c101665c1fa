// Rotors of geared motors in moving bodies, against the same mechanism with the rotor as a body of
// its own, on a bearing in its carrier and geared to the joint. There the gear is a constraint;
// here there is none.
//
// Bounds: adaptive runs follow their tolerance of 1e-11 (1e-8 after a second of tumbling); implicit
// ones and impulses at 0.2 ms are of second order, and speeds of some rad/s make that 1e-5 or so.
// Matrices and forces: rounding.
#include "support/random_model.h"
#include "support/run.h"

#include "dynamics/mass.h"
#include "model/sim.h"
#include "dynamics/tree.h"

#include <math.h>

typedef struct Machine {
  char text[3000];
  bool on_child;
} Machine;

static const char* vector(char* to, V3 x) {
  sprintf(to, "[%.17g, %.17g, %.17g]", x.x, x.y, x.z);
  return to;
}

// A housing on a ball joint, or floating; an arm on it by a joint with one axis, declared either
// way round; the rotor on the one or the other, welded (so that its mass and its inertia at
// standstill belong there), or turning in a bearing.
static void random_machine(uint64_t seed, bool body, Machine* out) {
  Rng r = rng_seed(seed);
  char *t = out->text, *end = t + sizeof out->text, a[120], b[120], c[120];
  const bool floats = rng_int(&r, 2), turned = rng_int(&r, 2);
  const char* kind = rng_int(&r, 3) == 0 ? "prismatic" : rng_int(&r, 3) == 0 ? "screw" : "revolute";
  const bool slides = kind[0] == 'p';
  const double J = rng_uniform(&r, 0.002, 0.02), across = rng_uniform(&r, 0.6, 1) * J;
  const double ratio = (rng_int(&r, 2) ? 1 : -1) * rng_uniform(&r, 3, 12);
  const V3 axis = v3_unit(rng_v3(&r, -1, 1)), at = rng_v3(&r, -0.3, 0.3);
  const V3 e = rng_int(&r, 3) == 0 ? axis : v3_unit(rng_v3(&r, -1, 1));
  out->on_child = rng_int(&r, 2);
  const bool on_arm = out->on_child != turned;
  // axes of the rotor's body: z along e
  const V3 x = v3_unit(v3_cross(fabs(e.x) < 0.7 ? v3(1, 0, 0) : v3(0, 1, 0), e));
  t += snprintf(
      t, (size_t)(end - t),
      "sarrus: 1\ngravity: [0.3, -2, -1]\nbodies:\n"
      "  housing: {mass: 2, inertia: [0.05, 0.07, 0.06, 0.005, 0, 0.01], com: [0.1, 0, 0.05]}\n"
      "  arm: {mass: 1, inertia: [0.03, 0.02, 0.04], com: [0.2, 0.1, 0], at: [0.3, 0, 0.1]}\n"
      "  tip: {mass: 0.5, inertia: [0.01, 0.02, 0.01], at: [0.6, 0.1, 0.1]}\n"
      "  rotor: {mass: 0.4, inertia: [%.17g, %.17g, %.17g], at: %s, axes: {z: %s, x: %s}}\n"
      "joints:\n",
      across, across, J, vector(a, at), vector(b, e), vector(c, x));
  t += snprintf(t, (size_t)(end - t), "  base: {%s: [ground, housing], speed: [%s1, 2, -1]}\n",
                floats ? "free" : "spherical", floats ? "0.1, 0.2, 0.3, " : "");
  t += snprintf(t, (size_t)(end - t),
                "  joint: {%s: [%s], at: [0.3, 0, 0.1], axis: %s, speed: %.3f, damping: 0.1%s",
                kind, turned ? "arm, housing" : "housing, arm", vector(a, axis), slides ? 0.5 : 3.0,
                kind[0] == 's' ? ", pitch: 0.05" : "");
  if (!body)
    t += snprintf(t, (size_t)(end - t), ", rotor: {inertia: %.17g, ratio: %.17g, axis: %s, on: %s}",
                  J, ratio, vector(b, e), out->on_child ? "child" : "parent");
  t += snprintf(
      t, (size_t)(end - t),
      ", force: 0.5*cos(3*t)}\n"
      "  elbow: {revolute: [arm, tip], at: [0.5, 0.1, 0.1], axis: [0.6, 0.8, 0], speed: -1}\n");
  t += snprintf(t, (size_t)(end - t), "  bearing: {%s: [%s, rotor], at: %s%s%s}\n",
                body ? "revolute" : "fixed", on_arm ? "arm" : "housing", vector(a, at),
                body ? ", axis: " : "", body ? vector(b, e) : "");
  if (body && slides)
    t += snprintf(t, (size_t)(end - t),
                  "constraints: {gear: {rack: [bearing, joint], radius: %.17g}}\n", 1 / ratio);
  else if (body)
    t += snprintf(t, (size_t)(end - t),
                  "constraints: {gear: {gear: [joint, bearing], ratio: %.17g}}\n", ratio);
  snprintf(t, (size_t)(end - t),
           "outputs: [energy, momentum, {joint: joint}, {joint: elbow}, {body: housing}%s]\n",
           floats ? "" : ", {reaction: base}");
}

static Run machine_run(uint64_t seed, bool body, const SarSimOptions* o) {
  static Machine machine;
  random_machine(seed, body, &machine);
  return run_open(model_parse(machine.text, NULL), o);
}

static const char* const SHOWN[] = {"joint.q",    "joint.v",    "elbow.q",
                                    "elbow.v",    "housing.wx", "housing.wy",
                                    "housing.wz", "housing.vx", "energy.total"};
enum { NSHOWN = sizeof SHOWN / sizeof *SHOWN };

// ---- motion -------------------------------------------------------------------------------------

// By one formulation, if it takes rotors; else it says why.
static bool agrees(const SarFormulation* f, uint64_t seed, double start, const double* want) {
  static Machine machine;
  const bool accel = f->shape == SAR_SHAPE_ACCEL;
  const double bound = accel ? 1e-7 : strcmp(f->name, "global") == 0 ? 2e-3 : 2e-4;
  const SarSimOptions o = run_options(f->name, accel ? 0 : 2e-4);
  SarError err;
  SarSim* s = NULL;
  random_machine(seed, false, &machine);
  Run a = {.m = model_parse(machine.text, NULL)};
  sar_error_init(&err);
  assert_int_equal(a.m->nrotor, 1);
  EXPECT_OK(sar_data_new(a.m, &a.d, &err));
  if (sar_sim_new(a.m, a.d, &o, &s, &err) == SAR_NOT_OFFERED) {
    assert_true(err.errors > 0);
    sar_data_free(a.d);
    sar_model_free(a.m);
    return false;
  }
  a.s = s;
  assert_non_null(s);
  EXPECT_NEAR(run_output(&a, "energy.total"), start, 1e-9 * (1 + fabs(start)));
  run_advance(&a, 0.5);
  for (int k = 0; k < NSHOWN; k++) {
    const double x = run_output(&a, SHOWN[k]);
    if (!(fabs(x - want[k]) <= bound * (1 + fabs(want[k]))))
      fail_msg("seed %llu, %s: %s = %.10g, not %.10g\n%s", (unsigned long long)seed, f->name,
               SHOWN[k], x, want[k], machine.text);
  }
  EXPECT_NEAR(run_output(&a, "energy.error"), 0, bound);
  run_close(&a);
  return true;
}

static void rotors_are_bodies_in_bearings(void** state) {
  (void)state;
  const uint64_t first = test_seed(6000);
  int taken = 0;
  for (int i = 0; i < test_effort(8); i++) {
    const uint64_t seed = first + (uint64_t)i;
    const SarSimOptions reference = run_options("lagrange", 0);
    Run b = machine_run(seed, true, &reference);
    double want[NSHOWN];
    const double start = run_output(&b, "energy.total");
    run_advance(&b, 0.5);
    for (int k = 0; k < NSHOWN; k++) want[k] = run_output(&b, SHOWN[k]);
    for (int f = 0; sar_formulation(f); f++) taken += agrees(sar_formulation(f), seed, start, want);
    run_close(&b);
  }
  assert_true(taken >= 20 * test_effort(8));  // of 25 or so: those of absolute coordinates do not
}

// Momentum and reactions are those of the bodies too.
static void so_are_momenta_and_reactions(void** state) {
  (void)state;
  static const char* const COLUMNS[] = {"momentum.px", "momentum.py", "momentum.pz", "momentum.lx",
                                        "momentum.ly", "momentum.lz", "base.fx",     "base.fy",
                                        "base.fz",     "base.tx",     "base.ty",     "base.tz"};
  const uint64_t first = test_seed(6100);
  for (int i = 0; i < test_effort(40); i++) {
    const SarSimOptions o = run_options("lagrange", 0);
    Run a = machine_run(first + (uint64_t)i, false, &o),
        b = machine_run(first + (uint64_t)i, true, &o);
    for (int k = 0; k < 12; k++) {
      if (sar_model_find(a.m, SAR_ITEM_OUTPUT, COLUMNS[k]) < 0) continue;
      const double x = run_output(&a, COLUMNS[k]), y = run_output(&b, COLUMNS[k]);
      if (!(fabs(x - y) <= 1e-8 * (1 + fabs(y))))
        fail_msg("seed %llu: %s = %.12g, not %.12g", (unsigned long long)(first + (uint64_t)i),
                 COLUMNS[k], x, y);
    }
    run_close(&a), run_close(&b);
  }
}

// ---- identities ---------------------------------------------------------------------------------

// T = v' M v / 2, inverse dynamics undoes forward dynamics, and M is what inverse dynamics is
// linear by.
static void algorithms_agree(void** state) {
  (void)state;
  enum { MOST = 16 };
  const uint64_t first = test_seed(6200);
  for (int i = 0; i < test_effort(60); i++) {
    const SarSimOptions o = run_options("aba", 0);
    Run a = machine_run(first + (uint64_t)i, false, &o);
    const int n = a.m->nv;
    Rng r = rng_seed(first + (uint64_t)i);
    double M[MOST * MOST], acc[MOST], tau[MOST], bias[MOST], twice = 0;
    for (int k = 0; k < n; k++) a.d->v[k] = rng_uniform(&r, -2, 2), acc[k] = rng_uniform(&r, -2, 2);
    sar_update_kinematics(a.m, a.d);
    sar_update_forces(a.m, a.d);
    sar_crba_dense(a.m, a.d, M);
    for (int k = 0; k < n; k++)
      for (int l = 0; l < n; l++) twice += a.d->v[k] * M[k * n + l] * a.d->v[l];
    EXPECT_NEAR(sar_kinetic_energy(a.m, a.d), 0.5 * twice, 1e-11 * (1 + fabs(twice)));
    sar_rnea(a.m, a.d, NULL, bias);
    sar_rnea(a.m, a.d, acc, tau);
    for (int k = 0; k < n; k++) {
      double sum = bias[k];
      for (int l = 0; l < n; l++) sum += M[k * n + l] * acc[l];
      EXPECT_NEAR(tau[k], sum, 1e-10 * (1 + fabs(sum)));
    }
    memcpy(a.d->tau, tau, (size_t)n * sizeof *tau);
    EXPECT_OK(sar_aba(a.m, a.d));
    for (int k = 0; k < n; k++) EXPECT_NEAR(a.d->a[k], acc[k], 1e-8);
    run_close(&a);
  }
}

// All turn about one axis from rest: sum I angle = 0, at any time, whatever the teeth do.
static void the_satellite_turns_back(void** state) {
  (void)state;
  const double satellite = 80 * 2 / 12.0, panel = 6 * (16 + 0.25) / 12, pinion = 0.5 * 0.5 * 0.0025;
  const double spin = 4e-4 * 30;
  Run a = run_open(model_file("geared_motor.yaml", NULL), NULL);
  double played = 0;
  for (int i = 1; i <= 40; i++) {
    run_advance(&a, 0.1 * i);
    const double base = run_output(&a, "base.q"), shaft = run_output(&a, "shaft.q");
    const double hinge = run_output(&a, "hinge.q");
    EXPECT_NEAR((satellite + panel + pinion) * base + (pinion + spin) * shaft + panel * hinge, 0,
                1e-6);
    EXPECT_NEAR(run_output(&a, "momentum.lz"), 0, 1e-12);
    played = fmax(played, fabs(run_output(&a, "teeth.play")));
  }
  EXPECT_NEAR(played, 0.5 * acos(-1) / 180, 2e-3);  // flanks yield a little
  assert_true(run_output(&a, "base.q") < -0.1);
  run_close(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(algorithms_agree),
      cmocka_unit_test(so_are_momenta_and_reactions),
      cmocka_unit_test(rotors_are_bodies_in_bearings),
      cmocka_unit_test(the_satellite_turns_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
