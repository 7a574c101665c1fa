// What a step of `hybrid` costs, counted and not timed: evaluations of kinematics, forces and
// constraints. One is at the predicted position and one follows each iteration, so smooth motion
// needs little more than two a step. Nothing may be saved at the expense of the result: the energy
// error stays that of the trapezoidal rule, and iterations ended by an estimate of their error end
// where patient ones do.
#include "support/run.h"

#include <math.h>

static Run begin(const char* file, double step, double tolerance) {
  SarSimOptions o = sar_sim_options();
  o.formulation = "hybrid";
  o.integrator = "trapezoidal";
  o.step = step;
  o.adaptive = 0;
  if (tolerance > 0) o.newton_tolerance = tolerance;
  return run_open(model_file(file, NULL), &o);
}

static double total_energy(const Run* r) {
  SarEnergy e;
  EXPECT_OK(sar_energy(r->d, &e));
  return e.kinetic + e.potential;
}

typedef struct Case {
  const char* file;
  double step, end;
  double evaluations;  // a step, at most: a tenth more than counted
  int iterations;      // in the worst step, at most
  double energy;       // largest error [J]; 0: not conserved
} Case;

static const Case CASES[] = {
    {"double_fourbar.yaml", 0.01, 10, 2.7, 3, 0.01367},  // paper 000, Table 1
    {"double_fourbar.yaml", 0.03, 9.99, 3.4, 4, 0.1228},
    {"double_fourbar.yaml", 0.05, 10, 4.3, 5, 0.3403},
    {"double_fourbar.yaml", 0.1, 10, 6.2, 7, 1.3428},
    {"iftomm_a03_andrews.yaml", 1e-4, 0.03, 3.4, 4, 0},
    {"iftomm_a04_bricard.yaml", 0.002, 4, 3.2, 3, 0},
    {"iltis.yaml", 0.001, 0.8, 2.7, 4, 0},
    {"double_pendulum.yaml", 0.001, 2, 2.7, 3, 0},  // no loops
};

static void steps_take_few_evaluations(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const Case* c = &CASES[i];
    Run r = begin(c->file, c->step, 0);
    const int steps = (int)lround(c->end / c->step);
    const double at_start = total_energy(&r);
    double off = 0;
    for (int k = 0; k < steps; k++) {
      EXPECT_OK(sar_step(r.s));
      if (c->energy > 0) off = fmax(off, fabs(total_energy(&r) - at_start));
    }
    const SarStats z = sar_stats(r.s);
    print_message("%-24s h = %-6g evaluations a step %.2f, iterations %.2f, at most %d\n", c->file,
                  c->step, (double)z.calls / (double)z.steps,
                  (double)z.iterations / (double)z.steps, z.iterations_max);
    EXPECT_AT_MOST((double)z.calls / (double)z.steps, c->evaluations);
    assert_in_range(z.iterations_max, 1, c->iterations);
    if (c->energy > 0) EXPECT_NEAR(off, c->energy, 1e-3 * c->energy);
    run_close(&r);
  }
}

// Over the first edge of the stairs, where the rate of one step says little about the next.
// Positions agree within a hundredth of the least difference that the step itself makes, 1e-5 m.
static void estimated_errors_hold_where_forces_are_rough(void** state) {
  (void)state;
  Run quick = begin("iltis.yaml", 0.01, 0), patient = begin("iltis.yaml", 0.01, 1e-13);
  double worst = 0;
  for (int k = 0; k < 450; k++) {
    double p[3], q[3], R[9];
    EXPECT_OK(sar_step(quick.s));
    EXPECT_OK(sar_step(patient.s));
    const int chassis = sar_model_find(quick.m, SAR_ITEM_BODY, "chassis");
    EXPECT_OK(sar_body_pose(quick.d, chassis, p, R));
    EXPECT_OK(sar_body_pose(patient.d, chassis, q, R));
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(p[i] - q[i]));
  }
  print_message("chassis within %.1e m\n", worst);
  EXPECT_AT_MOST(worst, 1e-7);
  assert_true(sar_stats(quick.s).iterations < sar_stats(patient.s).iterations);
  run_close(&quick);
  run_close(&patient);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_take_few_evaluations),
      cmocka_unit_test(estimated_errors_hold_where_forces_are_rough),
  };
  return cmocka_run_group_tests_name("work of implicit steps", tests, NULL, NULL);
}
