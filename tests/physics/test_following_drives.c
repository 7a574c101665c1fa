// Prescribed motions that follow states: the same as functions of time where the states are these
// functions; set from outside without a jump; work accounted for; bodies without mass that they
// carry.
#include "support/run.h"

#include "model/sim.h"
#include "support/random.h"

#include <math.h>

// A random arm of three bodies, its first joint driven by `value`; `more`: further sections.
static SarModel* arm_in(const char* coordinates, uint64_t seed, const char* value,
                        const char* more) {
  const SarLoadOptions load = {.coordinates = coordinates};
  char text[4096];
  Rng r = rng_seed(seed);
  double x[12];
  for (int i = 0; i < 12; i++) x[i] = rng_uniform(&r, -0.4, 0.4);
  snprintf(text, sizeof text,
           "bodies:\n"
           "  a: {mass: 1, com: [%g, %g, %g], inertia: [0.1, 0.1, 0.1]}\n"
           "  b: {mass: 0.5, com: [%g, %g, %g], inertia: [0.05, 0.05, 0.05]}\n"
           "  c: {mass: 0.3, com: [%g, %g, %g], inertia: [0.05, 0.05, 0.05]}\n"
           "joints:\n"
           "  j: {revolute: [ground, a], axis: [0.3, 1, %g]}\n"
           "  k: {revolute: [a, b], origin: {at: [0.5, 0, 0]}, axis: [%g, 1, 0.2], damping: 0.1}\n"
           "  l: {spherical: [b, c], origin: {at: [0.4, 0, %g]}, damping: 0.05}\n"
           "constraints: {m: {motion: j, value: '%s'}}\n"
           "outputs: [joints, constraints, energy, work]\n%s",
           x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], value, more);
  return model_text_with(text, &load);
}

static SarModel* arm(uint64_t seed, const char* value, const char* more) {
  return arm_in("relative", seed, value, more);
}

#define SINE "states: {s: {rate: 3*c0}, c0: {rate: -3*s, start: 1}}\n"

static double difference(SarModel* by_time, SarModel* by_state, const SarSimOptions* o) {
  double values[2][64], worst = 0;
  SarModel* m[2] = {by_time, by_state};
  for (int i = 0; i < 2; i++) {
    SarError err;
    SarData* d;
    SarSim* s;
    sar_error_init(&err);
    EXPECT_OK_OR(sar_data_new(m[i], &d, &err), &err);
    EXPECT_OK_OR(sar_sim_new(m[i], d, o, &s, &err), &err);
    if (sar_advance(s, 0.6) != SAR_OK) fail_msg("%s: %s", o->formulation, sar_sim_trouble(s));
    EXPECT_OK(sar_outputs(s, values[i]));
    sar_sim_free(s);
    sar_data_free(d);
  }
  const int n = sar_model_count(by_time, SAR_ITEM_OUTPUT);
  assert_int_equal(n, sar_model_count(by_state, SAR_ITEM_OUTPUT));
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(values[0][i] - values[1][i]) / (1 + fabs(values[0][i])));
  return worst;
}

// sin(3 t) as two states, or as a function: every formulation makes the same of it, to its order.
static void states_are_as_good_as_time(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(3));
  for (int trial = 0; trial < test_effort(4); trial++) {
    const uint64_t seed = rng_next(&r);
    SarModel *by_time[2], *by_state[2];  // relative and absolute coordinates
    for (int k = 0; k < 2; k++) {
      by_time[k] = arm_in(k ? "absolute" : "relative", seed, "0.4*sin(3*t) + 0.1*t", "");
      by_state[k] = arm_in(k ? "absolute" : "relative", seed, "0.4*s + 0.1*t", SINE);
    }
    for (int k = 0; sar_formulation(k); k++) {
      const SarFormulation* f = sar_formulation(k);
      SarSimOptions o = sar_sim_options();
      if (!(f->can & SAR_CAN_CONSTRAINTS)) continue;
      if (f->absolute && f->shape == SAR_SHAPE_IMPULSE) continue;  // sweeps leave too much
      o.formulation = f->name;
      o.adaptive = f->shape == SAR_SHAPE_ACCEL;
      o.rtol = o.atol = 1e-10;
      o.step = 1e-3;
      const double coarse = difference(by_time[f->absolute], by_state[f->absolute], &o);
      if (f->shape == SAR_SHAPE_ACCEL) {
        EXPECT_AT_MOST(coarse, 1e-6);
        continue;
      }
      o.step = 5e-4;
      const double fine = difference(by_time[f->absolute], by_state[f->absolute], &o);
      // of second order: a quarter with half the step; forces of impulses are means over a step, of
      // first
      if (!(fine < (f->shape == SAR_SHAPE_IMPULSE ? 0.6 : 0.35) * coarse || fine < 1e-7))
        fail_msg("%s: apart by %.2e, %.2e with half the step", f->name, coarse, fine);
    }
    for (int k = 0; k < 2; k++) {
      sar_model_free(by_time[k]);
      sar_model_free(by_state[k]);
    }
  }
}

// Inputs reach a motion through two lags: neither position nor speed jumps, and the work is
// accounted for.
static void inputs_move_it_without_a_jump(void** state) {
  (void)state;
  SarSimOptions o = sar_sim_options();
  o.rtol = o.atol = 1e-10;
  Run r = run_open(arm(7, "filter(filter(u, 0.1), 0.1)", "inputs: {u: 0.3}\n"), &o);
  EXPECT_NEAR(run_output(&r, "j.q"), 0.3, 1e-12);  // at rest with its input
  run_advance(&r, 0.2);
  sar_inputs(r.d)[0] = 1;
  const double q = run_output(&r, "j.q"), v = run_output(&r, "j.v");
  EXPECT_NEAR(v, 0, 1e-12);
  run_advance(&r, 0.2 + 1e-6);
  EXPECT_NEAR(run_output(&r, "j.q"), q, 1e-8);
  EXPECT_NEAR(run_output(&r, "j.v"), v, 1e-3);
  run_advance(&r, 0.7);  // two equal lags: 1 - (1 + t/T) exp(-t/T)
  const double t = 0.5 / 0.1;
  EXPECT_NEAR(run_output(&r, "j.q"), 0.3 + 0.7 * (1 - (1 + t) * exp(-t)), 1e-8);
  EXPECT_AT_MOST(fabs(run_output(&r, "energy.error")), 1e-7);
  assert_true(fabs(run_output(&r, "work.m")) > 1e-3);
  run_close(&r);
}

// A body without mass whose motion is prescribed carries others: the shaft turns as if nothing held
// it.
static void a_driven_body_needs_no_mass(void** state) {
  (void)state;
  int taken = 0;
  for (int k = 0; sar_formulation(k); k++) {
    SarModel* m = model_text(
        "bodies: {swing: {}, shaft: {inertia: [2, 1.5, 1.5]}}\n"
        "joints:\n"
        "  r1: {revolute: [ground, swing], axis: y}\n"
        "  r2: {revolute: [swing, shaft], axis: x, force: 1}\n"
        "constraints: {d: {motion: r1, value: sin(t)}}\n");
    SarError err;
    SarData* d;
    SarSim* s;
    SarSimOptions o = sar_sim_options();
    o.formulation = sar_formulation(k)->name;
    o.step = 1e-3;
    sar_error_init(&err);
    EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
    const SarStatus st = sar_sim_new(m, d, &o, &s, &err);
    if (st == SAR_OK) {
      if (sar_advance(s, 1) != SAR_OK) fail_msg("%s: %s", o.formulation, sar_sim_trouble(s));
      const int j = sar_model_find(m, SAR_ITEM_JOINT, "r2");
      EXPECT_NEAR(d->v[m->joint_vadr[j]], 0.5, 2e-6);  // torque / inertia, times time
      sar_sim_free(s);
      taken++;
    } else {
      assert_true(st == SAR_NOT_OFFERED && err.count > 0);
    }
    sar_data_free(d);
    sar_model_free(m);
  }
  assert_in_range(taken, 4, 100);
}

// What is not held by a drive still needs inertia.
static void others_still_need_inertia(void** state) {
  (void)state;
  static const char text[] =
      "sarrus: 1\nbodies: {swing: {}, tip: {}}\njoints: {r1: {revolute: [ground, swing], axis: y}, "
      "r2: {revolute: [swing, tip], axis: x}}\nconstraints: {d: {motion: r1, value: sin(t)}}\n";
  SarModel* m;
  SarError err;
  sar_error_init(&err);
  EXPECT_STATUS(sar_model_parse(text, strlen(text), "yaml", "text.yaml", NULL, &m, &err),
                SAR_BAD_MODEL);
  assert_non_null(strstr(err.items[0].text, "joint 'r2'"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_are_as_good_as_time),
      cmocka_unit_test(inputs_move_it_without_a_jump),
      cmocka_unit_test(a_driven_body_needs_no_mass),
      cmocka_unit_test(others_still_need_inertia),
  };
  return cmocka_run_group_tests_name("following drives", tests, NULL, NULL);
}
