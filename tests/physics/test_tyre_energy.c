// A tyre is passive: on a level road at rest it takes energy from a wheel, whatever the wheel does,
// and never gives any. Random tyres of both laws, random motions; and whole runs from rest, in
// which a wheel that may steer, spin, slide and bounce must not gain.
//
// Upright wheels: the load of a leant one acts beside its centre although the deflection is
// measured at the centre, as in the benchmark. Of a wheel that rolls nothing is said: what a side
// force gives to steering it takes from the way ahead, and that drag the law does not have.
#include "support/random_model.h"
#include "support/run.h"

#include "dynamics/tree.h"

enum { TYRES = 200, RUNS = 30 };

static void add_law(ModelText* t, Rng* r) {
  if (rng_int(r, 3) == 0) {
    model_add(t,
              "calspan: {A0: 2625, A1: 14.47, A2: 12930, A3: 2.29, A4: 18175, B1: -4.64e-5, "
              "B3: 1.216, B4: 2.18e-11, SN: 1.0274, K1: -1.71e-5, K2: 1.71e-5}");
    return;
  }
  model_add(t, "linear: {cornering: %.17g, trail: %.17g", rng_uniform(r, 1e3, 5e4),
            rng_uniform(r, -0.05, 0.1));
  if (rng_int(r, 2))
    model_add(t, ", camber: %.17g, aligning: %.17g, overturning: %.17g", rng_uniform(r, 0, 1e4),
              rng_uniform(r, 0, 1e4), rng_uniform(r, 0, 1e3));
  model_add(t, "}");
}

static void add_tyre(ModelText* t, Rng* r) {
  model_add(t,
            "forces:\n  ty: {tyre: wheel, radius: 0.31, stiffness: %.17g, damping: %.17g, "
            "axis: y, slow: %.17g, ",
            rng_uniform(r, 5e4, 2e5), rng_int(r, 2) * rng_uniform(r, 0, 500),
            rng_uniform(r, 0.05, 0.5));
  add_law(t, r);
  model_add(t, "}\noutputs: [energy, work]\n");
}

static void a_tyre_at_rest_takes_energy(void** state) {
  (void)state;
  static ModelText t;
  const uint64_t first = test_seed(900);
  for (int i = 0; i < test_effort(TYRES); i++) {
    Rng r = rng_seed(first + (uint64_t)i);
    t.used = 0;
    model_add(&t,
              "sarrus: 1\nbodies: {wheel: {sphere: 0.3, mass: 10, at: [0, 0, 0.3]}}\n"
              "joints:\n  steer: {cylindrical: [ground, wheel], at: [0, 0, 0.3], axis: z}\n");
    add_tyre(&t, &r);
    SarModel* m = model_parse(t.text, NULL);
    SarData* d;
    EXPECT_OK(sar_data_new(m, &d, NULL));
    for (int k = 0; k < 20; k++) {
      d->q[0] = rng_uniform(&r, -3, 3);
      d->q[1] = rng_uniform(&r, -0.02, 0.02);
      d->v[0] = rng_uniform(&r, -5, 5);
      d->v[1] = rng_uniform(&r, -1, 1);
      sar_update_kinematics(m, d);
      sar_update_world(m, d);
      // it slides along its axis, rolls over and spins as well, but does not move ahead
      Motion* V = &d->body_V[0];
      const V3 axis = m3_tmul_v(d->body_X_GB[0].R, v3(-sin(d->q[0]), cos(d->q[0]), 0));
      V->v = v3_axpy(rng_uniform(&r, -1, 1), axis, V->v);
      V->w = v3_add(V->w, rng_v3(&r, -3, 3));
      sar_update_forces(m, d);
      if (!(d->force_power[0] <= 1e-9))
        fail_msg("seed %llu: a tyre at rest gives %g W\n%s",
                 (unsigned long long)(first + (uint64_t)i), d->force_power[0], t.text);
    }
    sar_data_free(d);
    sar_model_free(m);
  }
}

static void a_wheel_at_rest_does_not_start(void** state) {
  (void)state;
  static ModelText t;
  const uint64_t first = test_seed(950);
  for (int i = 0; i < test_effort(RUNS); i++) {
    Rng r = rng_seed(first + (uint64_t)i);
    t.used = 0;
    model_add(&t,
              "sarrus: 1\nbodies:\n"
              "  frame: {box: [0.4, 0.4, 0.2], mass: 100, at: [0, 0, 0.3]}\n"
              "  fork: {box: [0.2, 0.2, 0.2], mass: 5, at: [%.17g, %.17g, 0.3]}\n"
              "  wheel: {cylinder: {radius: 0.3, length: 0.2}, mass: 10, at: [%.17g, 0, 0.3], "
              "axes: {z: [0, 1, 0], x: [1, 0, 0]}}\n"
              "joints:\n  slide: {planar: [ground, frame], axis: z, at: [0, 0, 0.3]}\n",
              rng_uniform(&r, -0.1, 0.1), rng_uniform(&r, -0.1, 0.1), rng_uniform(&r, -0.1, 0.1));
    model_add(&t,
              "  lift: {cylindrical: [frame, fork], axis: z, at: [0, 0, 0.3]}\n"
              "  hub: {revolute: [fork, wheel], axis: y}\n");
    add_tyre(&t, &r);
    Run run = run_open(model_parse(t.text, NULL), NULL);
    for (int k = 1; k <= 20; k++) {
      run_advance(&run, 0.1 * k);
      const double work = run_output(&run, "work.ty");
      if (!(work <= 1e-6))
        fail_msg("seed %llu: the tyre has given %g J by t = %g\n%s",
                 (unsigned long long)(first + (uint64_t)i), work, 0.1 * k, t.text);
    }
    run_close(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tyre_at_rest_takes_energy),
      cmocka_unit_test(a_wheel_at_rest_does_not_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
