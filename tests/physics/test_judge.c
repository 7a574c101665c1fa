// Status 0 means: finite, and closed. Every formulation with rough steps, with and without
// projection: a step that returns SAR_OK has left the loops closed to 1e-3 of their size, and one
// that does not has left the state of the last step. What overflows or divides by zero is told by
// every call that sees it.
#include "support/run.h"

#include "dynamics/projection.h"
#include "model/sim.h"

enum { STEPS = 40, TRIALS = 3 };

static const char LOOP[] =
    "sarrus: 1\n"
    "bodies:\n"
    "  a: {rod: [[0, 0, 0], [0, 0, 0.5]], mass: 1}\n"
    "  b: {rod: [[0, 0, 0.5], [2, 0, 1.3]], mass: 2}\n"
    "  c: {rod: [[2, 0, 0], [2, 0, 1.3]], mass: 1}\n"
    "joints:\n"
    "  ja: {revolute: [ground, a], axis: y, speed: 9}\n"
    "  jb: {revolute: [a, b], at: [0, 0, 0.5], axis: y}\n"
    "  jc: {revolute: [b, c], at: [2, 0, 1.3], axis: y}\n"
    "  jd: {revolute: [ground, c], at: [2, 0, 0], axis: y}\n"
    "outputs: [joints, energy]\n";

static double open_by(const SarModel* m, SarData* d) {
  double unit[40], most = 0;
  assert_in_range(m->nrow, 0, 40);
  sar_row_units(m, unit);
  sar_update_positions(m, d);
  sar_update_world(m, d);
  sar_update_constraints(m, d);
  for (int i = 0; i < m->nrow; i++) most = fmax(most, fabs(d->Phi[i]) / unit[i]);
  return most;
}

// Steps until one fails; counts those that do.
static int rough_steps(SarModel* m, const SarSimOptions* o) {
  SarData* d;
  SarSim* s;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK(sar_data_new(m, &d, NULL));
  int failed = 0;
  if (sar_sim_new(m, d, o, &s, &err) == SAR_OK) {
    for (int k = 0; k < STEPS && !failed; k++) {
      const double t = sar_time(d), q = sar_q(d)[0];
      failed = sar_step(s) != SAR_OK;
      if (failed && (sar_time(d) != t || sar_q(d)[0] != q || !sar_sim_trouble(s)[0]))
        fail_msg("%s: a failed step leaves another state, or no word", o->formulation);
      // Phi of the judge is that before the last correction, which only takes away from it
      if (!failed && !(open_by(m, d) <= 2e-3))
        fail_msg("%s with %s, step %g, project %d: open by %g with status ok", o->formulation,
                 o->integrator ? o->integrator : "its own", o->step, o->project, open_by(m, d));
    }
    sar_sim_free(s);
  }
  sar_data_free(d);
  return failed;
}

static void a_good_status_means_closed(void** state) {
  (void)state;
  static const char* const COORDINATES[] = {"relative", "absolute"};
  Rng r = rng_seed(test_seed(31));
  int failed = 0, runs = 0;
  for (int c = 0; c < 2; c++) {
    const SarLoadOptions load = {.coordinates = COORDINATES[c]};
    SarModel* m = model_parse(LOOP, &load);
    SarListEntry f;
    for (int i = 0; sar_list("formulations", i, &f) == SAR_OK; i++)
      for (int k = 0; k < 2 * test_effort(TRIALS); k++) {
        SarSimOptions o = sar_sim_options();
        o.formulation = f.name;
        o.adaptive = 0;
        o.step = pow(10, rng_uniform(&r, -2.5, -0.7));
        o.project = k % 2;
        failed += rough_steps(m, &o);
        runs++;
      }
    sar_model_free(m);
  }
  print_message("%d of %d rough runs end with a status\n", failed, runs);
  assert_true(failed > 0);
}

// ---- numbers out of range -----------------------------------------------------------------------

static void what_overflows_is_told(void** state) {
  (void)state;
  Run r = run_open(model_parse("sarrus: 1\n"
                               "bodies: {b: {sphere: 0.1, mass: 1e6}}\n"
                               "joints: {j: {prismatic: [ground, b], axis: z}}\n"
                               "outputs: [joints, energy, momentum]\n",
                               NULL),
                   NULL);
  double values[32], p[3], L[3], tau, M;
  SarEnergy e;
  sar_v(r.d)[0] = 1e160;  // its square is infinite
  EXPECT_STATUS(sar_outputs(r.s, values), SAR_NOT_FINITE);
  assert_non_null(strstr(sar_sim_trouble(r.s), "energy.kinetic"));
  EXPECT_STATUS(sar_energy(r.d, &e), SAR_NOT_FINITE);
  EXPECT_OK(sar_momentum(r.d, p, L));
  sar_v(r.d)[0] = 1e305;
  EXPECT_STATUS(sar_momentum(r.d, p, L), SAR_NOT_FINITE);
  sar_v(r.d)[0] = 0;
  sar_tau(r.d)[0] = (double)NAN;
  EXPECT_STATUS(sar_forward_dynamics(r.d), SAR_NOT_FINITE);
  sar_tau(r.d)[0] = 0;
  EXPECT_STATUS(sar_inverse_dynamics(r.d, &(double){1e303}, &tau), SAR_NOT_FINITE);
  EXPECT_OK(sar_mass_matrix(r.d, &M));
  EXPECT_OK(sar_outputs(r.s, values));
  run_close(&r);
}

static void a_division_by_zero_is_told(void** state) {
  (void)state;
  Run r = run_open(model_parse("sarrus: 1\nvariables: {x: 1/j.q}\n"
                               "bodies: {b: {sphere: 0.1, mass: 1}}\n"
                               "joints: {j: {prismatic: [ground, b], axis: z}}\n"
                               "outputs: [joints, {value: x, name: ratio}]\n",
                               NULL),
                   NULL);
  double values[8];
  EXPECT_STATUS(sar_outputs(r.s, values), SAR_NOT_FINITE);
  assert_non_null(strstr(sar_sim_trouble(r.s), "ratio"));
  run_advance(&r, 0.1);
  EXPECT_OK(sar_outputs(r.s, values));
  run_close(&r);
}

// Released from rest, what moves is what the first step makes of it, and rules of low order are off
// by a share of that: no sign of a singular position. Euler's rule on Bricard's mechanism in
// absolute coordinates was refused for it.
static void a_start_from_rest_is_no_singular_position(void** state) {
  (void)state;
  static const char* const MODELS[] = {"reference/H_bricard.yaml", "bricard_fast.yaml",
                                       "double_fourbar.yaml", "crank_rocker.yaml"};
  static const double STEP[] = {1e-4, 1e-3};
  int runs = 0;
  for (int k = 0; k < 4 * 2 * 2; k++) {
    const SarLoadOptions load = {.coordinates = k & 1 ? "absolute" : "relative"};
    for (int i = 0; sar_integrator(i); i++) {
      if (!sar_integrator(i)->can_fix || sar_integrator(i)->missing) continue;
      SarSimOptions o = run_options("lagrange", STEP[(k >> 1) & 1]);
      o.integrator = sar_integrator(i)->name;
      o.adaptive = 0;
      SarData* d;
      SarSim* s;
      SarModel* m = model_file(MODELS[k / 4], &load);
      EXPECT_OK(sar_data_new(m, &d, NULL));
      memset(d->v, 0, (size_t)m->nv_all * sizeof *d->v);
      const SarStatus st = sar_sim_new(m, d, &o, &s, NULL);
      for (int step = 0; st == SAR_OK && step < 10; step++)
        if (sar_step(s) != SAR_OK)
          fail_msg("%s, %s, %s, step %g: %s", MODELS[k / 4], load.coordinates, o.integrator, o.step,
                   sar_sim_trouble(s));
      runs += st == SAR_OK;
      sar_sim_free(s);
      sar_data_free(d);
      sar_model_free(m);
    }
  }
  print_message("%d runs from rest\n", runs);
  assert_true(runs > 60);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_status_means_closed),
      cmocka_unit_test(what_overflows_is_told),
      cmocka_unit_test(a_division_by_zero_is_told),
      cmocka_unit_test(a_start_from_rest_is_no_singular_position),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
