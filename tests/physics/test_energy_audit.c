// Energy audit: total energy less the work put in stays what it was, up to the error of the
// integrator, for every kind of joint and force, driven and damped.
#include "support/random_model.h"
#include "support/run.h"

#include "model/sim.h"

enum { BODIES = 20 };  // every kind of joint twice

static Run open_random(uint64_t seed, const char* integrator, double step, int adaptive) {
  ModelText text;
  Rng rng = rng_seed(seed);
  SarSimOptions o = sar_sim_options();
  o.integrator = integrator;
  o.step = step;
  o.adaptive = adaptive;
  model_random(&text, &rng, BODIES);
  Run r = {.m = model_parse(text.text, NULL)};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(r.m, &r.d, &err), &err);
  for (int i = 0; i < r.m->nv; i++) r.d->v[i] = rng_uniform(&rng, -0.5, 0.5);
  EXPECT_OK_OR(sar_sim_new(r.m, r.d, &o, &r.s, &err), &err);
  return r;
}

// Largest |error| over [0, 0.5] at sixteenths.
static double audit_error(uint64_t seed, const char* integrator, double step, int adaptive,
                          SarEnergy* last) {
  Run r = open_random(seed, integrator, step, adaptive);
  double largest = 0;
  for (int i = 1; i <= 8; i++) {
    EXPECT_OK(sar_advance(r.s, i / 16.0));
    EXPECT_OK(sar_energy(r.d, last));
    if (!(fabs(last->error) <= largest)) largest = fabs(last->error);
  }
  run_close(&r);
  return largest;
}

static void closes_at_the_integrators_order(void** state) {
  (void)state;
  for (int k = 0; sar_integrator(k); k++) {
    const SarIntegrator* i = sar_integrator(k);
    if (!i->can_fix || !i->step) continue;
    // the finer one is above rounding, some 1e-12 J
    double step = i->order >= 5 ? 1.0 / 128 : i->order >= 4 ? 1.0 / 256 : 1.0 / 512;
    for (uint64_t seed = 1; seed <= 3; seed++) {
      SarEnergy e;
      double coarse = audit_error(seed, i->name, step, 0, &e);
      double fine = audit_error(seed, i->name, step / 2, 0, &e);
      double order = log2(coarse / fine);
      print_message("%s, model %d: order of the audit %.2f (%.1e J, %.1e J; work %.2f J)\n",
                    i->name, (int)seed, order, coarse, fine, e.work);
      // one-sided: a leading term may happen to vanish
      EXPECT_AT_MOST(i->order - order, 0.3);
      assert_true(fabs(e.work) > 1e-2);  // there was something to account for
    }
  }
}

// Far beyond what a wrong sign or factor in any power or energy would leave: those are of order 1.
static void closes_to_the_tolerance(void** state) {
  (void)state;
  for (uint64_t seed = 1; seed <= (uint64_t)test_effort(40); seed++) {
    SarEnergy e;
    double error = audit_error(seed, "dopri5", 1e-3, 1, &e);
    EXPECT_AT_MOST(error, 1e-6);
  }
}

// The host's joint forces have their account too.
static void counts_the_hosts_work(void** state) {
  (void)state;
  Run r = open_random(5, "dopri5", 1e-3, 1);
  SarEnergy e;
  for (int n = 0; n < 50; n++) {
    for (int i = 0; i < r.m->nv; i++) r.d->tau_host[i] = sin(0.3 * n + i);
    EXPECT_OK(sar_advance(r.s, 0.01 * (n + 1)));
  }
  EXPECT_OK(sar_energy(r.d, &e));
  int host = -1;
  for (int i = 0; i < r.m->nwork; i++)
    if (r.m->work[i].kind == SAR_WORK_HOST) host = i;
  assert_true(host >= 0);
  assert_true(fabs(r.d->work[host]) > 1e-3);
  EXPECT_NEAR(e.error, 0, 1e-6);
  run_close(&r);
}

// Symplectic: no drift of the energy over a long time without damping and driving.
static void semi_implicit_euler_keeps_the_energy(void** state) {
  (void)state;
  static const char text[] =
      "sarrus: 1\n"
      "bodies: {a: {rod: [[0,0,0],[0,0,-1]], mass: 1}}\n"
      "joints: {h: {revolute: [ground, a], axis: y, position: 1}}\n";
  SarEnergy e;
  SarSimOptions o = sar_sim_options();
  o.integrator = "semi-implicit";
  o.step = 1e-2;
  Run r = run_open(model_parse(text, NULL), &o);
  double early = 0, late = 0;
  for (int n = 0; n < 100000; n++) {
    EXPECT_OK(sar_step(r.s));
    EXPECT_OK(sar_energy(r.d, &e));
    double* largest = n < 1000 ? &early : &late;
    *largest = fmax(*largest, fabs(e.error));
  }
  EXPECT_AT_MOST(late, 1.05 * early);  // the same band after 1000 s as after 10 s
  run_close(&r);
}

// What the host does to the state by hand is no error of the numerics: each way of doing it, in the
// middle of a run, and after a reset. Bound: that of the run itself, adaptive at 1e-8.
static void an_account_can_begin_anew(void** state) {
  (void)state;
  for (int way = 0; way < 4; way++)
    for (uint64_t seed = 1; seed <= (uint64_t)test_effort(3); seed++) {
      Run r = open_random(test_seed(seed), "dopri5", 1e-3, 1);
      Rng rng = rng_seed(seed);
      SarEnergy e;
      run_advance(&r, 0.1);
      EXPECT_OK(sar_energy(r.d, &e));
      const double before = fabs(e.error);
      double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
      if (way == 0) sar_v(r.d)[rng_int(&rng, r.m->nv)] += 1, sar_energy_restart(r.d);
      if (way == 1) {
        EXPECT_OK(sar_joint_get(r.d, 0, q, v));
        v[0] += 1;
        EXPECT_OK(sar_joint_set(r.d, 0, q, v));
      }
      if (way == 2) sar_set_time(r.d, 7);
      if (way == 3) sar_data_reset(r.d);
      run_advance(&r, sar_time(r.d) + 0.1);
      EXPECT_OK(sar_energy(r.d, &e));
      assert_true(e.error != 0 && e.work != 0);
      EXPECT_AT_MOST(fabs(e.error), 1e-6 + 100 * before);
      EXPECT_NEAR(run_output(&r, "energy.error"), e.error, 1e-12);
      run_close(&r);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closes_at_the_integrators_order),
      cmocka_unit_test(closes_to_the_tolerance),
      cmocka_unit_test(counts_the_hosts_work),
      cmocka_unit_test(an_account_can_begin_anew),
      cmocka_unit_test(semi_implicit_euler_keeps_the_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
