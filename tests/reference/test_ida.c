// A second opinion, where IDA is installed: backward differentiation on the residual of the
// equations, with no accelerations of ours in it, against the same independent trajectories as
// dopri5.
#include "support/loop_run.h"
#include "support/run.h"

#include "model/sim.h"

static bool is_there(void) { return sar_integrator_find("ida")->step != NULL; }

typedef struct Case {
  const char* name;
  bool absolute;  // in absolute coordinates too: the dense ones of six bodies and more take seconds
} Case;

static const Case CASES[] = {
    {"C_spatial_double_pendulum", true},  // without loops
    {"E_dzhanibekov", false},             // rotation vectors, and new bases for them
    {"F_RSSR", false},
    {"F_slider_crank", false},
    {"F_spatial_slider_crank", false},
    {"G_andrews", true},
    {"H_bricard", false},  // redundant rows
    {"H_bricard_A04", false},
    {"I_governor_A05", true},
    {"I_governor_stiff", true},  // without loops and stiff; with them in absolute coordinates
    {"J_stewart", false},
    {"J_stewart_L2_axial0", false},  // legs without axial inertia
    {"K_five_link", true},
    {"K_five_link_substitute", false},
    {"L_peaucellier", true},  // driven
    {"O_pcu_loop", true},
    {"S_stacked_parallelograms", true},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

// 1e-6 is asked for. The largest found at a tolerance of 1e-12 is 2e-7, in J_stewart_L2_axial0,
// where dopri5 too is hundreds of times farther off than in J_stewart; of the others 9e-8. Absolute
// coordinates at 1e-11.
static void check(const char* name, const char* coordinates, double tolerance) {
  static Reference r;
  LoopRun run = {.name = name,
                 .coordinates = coordinates,
                 .formulation = "auto",
                 .integrator = "ida",
                 .tolerance = tolerance};
  reference_read(name, &r);
  loop_run(&run, &r);
  print_message("%-26s %s: %.1e of scale in %s, %ld steps, open by %.1e\n", name, coordinates,
                run.worst, run.where, run.stats.steps, run.stats.position_violation);
  if (run.status != SAR_OK) fail_msg("%s: %s", name, run.said);
  EXPECT_AT_MOST(run.worst, 1e-6);
  // nothing is projected: the equations themselves hold, to what Newton's method leaves; redundant
  // rows too, which take no part
  EXPECT_AT_MOST(run.stats.position_violation, 1e-10);
  EXPECT_AT_MOST(run.stats.velocity_violation, 1e-9);
}

static void agrees_in_relative_coordinates(void** state) {
  (void)state;
  if (!is_there()) skip();
  for (int i = 0; i < test_effort(CASE_COUNT); i++) check(CASES[i].name, "relative", 1e-12);
}

static void agrees_in_absolute_coordinates(void** state) {
  (void)state;
  if (!is_there()) skip();
  for (int i = 0; i < test_effort(CASE_COUNT); i++)
    if (CASES[i].absolute) check(CASES[i].name, "absolute", 1e-11);
}

// Work of drives is not among IDA's unknowns: Simpson's rule over its steps, 3e-11 J found of some
// 3 J that move.
static void accounts_for_the_work_of_drives(void** state) {
  (void)state;
  if (!is_there()) skip();
  SarModel* m = model_file("crank_rocker.yaml", NULL);
  SarSimOptions o = sar_reference_options();
  SarEnergy energy;
  SarError err;
  SarData* d;
  SarSim* s;
  o.integrator = "ida";
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &s, &err), &err);
  EXPECT_OK(sar_advance(s, 1.3));
  EXPECT_OK(sar_energy(d, &energy));
  print_message("work %g J, not accounted for %.1e J\n", energy.work, energy.error);
  assert_true(fabs(energy.work) > 0.1);
  EXPECT_NEAR(energy.error, 0, 1e-9);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

// Rows come and go at t = 2 and 6 s, up to one for every coordinate: new starts with other
// unknowns. The drives prescribe all motion, so both integrators follow the same path, to rounding
// that drives add up.
static void goes_through_switched_constraints(void** state) {
  (void)state;
  static const char* const NAME[] = {"dopri5", "ida"};
  double q[2][6];
  if (!is_there()) skip();
  SarModel* m = model_file("puma_pinned.yaml", NULL);
  assert_int_equal(m->nq, 6);
  for (int i = 0; i < 2; i++) {
    SarSimOptions o = sar_sim_options();
    SarError err;
    SarData* d;
    SarSim* s;
    o.integrator = NAME[i];
    o.rtol = o.atol = 1e-10;
    sar_error_init(&err);
    EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
    EXPECT_OK_OR(sar_sim_new(m, d, &o, &s, &err), &err);
    EXPECT_OK(sar_advance(s, 7));
    memcpy(q[i], d->q, sizeof q[i]);
    sar_sim_free(s);
    sar_data_free(d);
  }
  for (int k = 0; k < 6; k++) EXPECT_NEAR(q[1][k], q[0][k], 1e-8);
  sar_model_free(m);
}

// Multipliers are not determined where bars come into one line, and IDA has none of our ways
// across: it ends there (shortly after t = 0.7 s) with a message, right until then. Up to 7e-11 was
// found.
static void ends_at_a_singular_position(void** state) {
  (void)state;
  static Reference r;
  LoopRun run = {.name = "A_double_fourbar",
                 .coordinates = "relative",
                 .formulation = "auto",
                 .integrator = "ida",
                 .tolerance = 1e-12};
  if (!is_there()) skip();
  reference_read(run.name, &r);
  loop_run(&run, &r);
  print_message("%s: %.1e of scale up to there; %s\n", run.name, run.worst, run.said);
  assert_int_equal(run.status, SAR_SINGULAR);
  assert_non_null(strstr(run.said, "constraints became redundant"));
  EXPECT_AT_MOST(run.worst, 1e-9);
  run.end = 0.6;
  loop_run(&run, &r);
  if (run.status != SAR_OK) fail_msg("%s", run.said);
  EXPECT_AT_MOST(run.worst, 1e-9);
}

// Forces that are no number from some time on, and a motion that is infinite at t = 0.05: it ends
// before, with the joint named.
static void ends_where_forces_do(void** state) {
  (void)state;
  static const char* const FORCE[] = {"sqrt(0.05 - t)", "j.v^2"};
  if (!is_there()) skip();
  for (int i = 0; i < 2; i++) {
    char text[300];
    SarSimOptions o = sar_sim_options();
    o.integrator = "ida";
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {j: {prismatic: [ground, b], axis: x, speed: 20, force: '%s'}}\n",
             FORCE[i]);
    Run r = run_open(model_text(text), &o);
    const SarStatus st = sar_advance(r.s, 1);
    print_message("%s: %s: %s\n", FORCE[i], sar_status_text(st), sar_sim_trouble(r.s));
    assert_true(st == SAR_NOT_FINITE || st == SAR_STEP_TOO_SMALL || st == SAR_NOT_CONVERGED);
    assert_non_null(strstr(sar_sim_trouble(r.s), "'j'"));
    EXPECT_AT_MOST(r.d->t, 0.05 + 1e-6);
    run_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_in_relative_coordinates),
      cmocka_unit_test(agrees_in_absolute_coordinates),
      cmocka_unit_test(accounts_for_the_work_of_drives),
      cmocka_unit_test(goes_through_switched_constraints),
      cmocka_unit_test(ends_at_a_singular_position),
      cmocka_unit_test(ends_where_forces_do),
  };
  return cmocka_run_group_tests_name("ida", tests, NULL, NULL);
}
