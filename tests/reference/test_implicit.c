// Formulations that are implicit in positions against trajectories of an independent code: every
// column, reactions among them, converges with the second order of the rule, and constraints hold:
// the trapezoidal rule for all, two-step rules for those in momentum form.
#include "support/loop_run.h"

#include "model/sim.h"

typedef struct Case {
  const char* name;
  double end, step;  // s: within which the error is that of its leading term
  bool stiff;        // too stiff for a fixed-point iteration at this step
} Case;

static const Case CASES[] = {
    {"A_double_fourbar", 0.6, 0.01, false},  // before the first singular position
    {"F_RSSR", 0.6, 0.002, false},
    {"F_slider_crank", 0.6, 0.002, false},
    {"F_spatial_slider_crank", 0.6, 0.001, false},
    {"H_bricard", 0.6, 0.005, false},
    {"H_bricard_A04", 1, 0.005, false},
    {"I_governor_A05", 0.5, 2e-4, true},
    {"I_governor_A05_10s", 10, 1e-3, true},
    {"I_governor_stiff", 0.2, 2e-4, true},
    {"J_stewart", 0.3, 0.004, false},
    {"J_stewart_L2", 0.3, 0.004, false},
    {"J_stewart_axial0", 0.3, 0.001, false},  // legs without inertia about their axes
    {"K_five_link", 0.9, 0.005, false},
    {"K_five_link_substitute", 0.9, 0.005, false},
    {"L_peaucellier", 1, 0.005, false},
    {"O_pcu_loop", 1, 0.005, false},
    {"B_fivefold_fourbar", 0.6, 0.01, false},
    {"G_andrews", 0.01, 2e-5, false},
    {"J_stewart_L2_axial0", 0.3, 0.001, false},
    {"S_stacked_parallelograms", 0.6, 0.005, false},
    // trees
    {"C_spatial_double_pendulum", 0.5, 0.002, false},
    {"D_puma_freefall", 0.3, 0.001, false},
    {"D_puma_torques", 0.3, 0.001, false},
    {"E_floating_chain4", 0.5, 0.002, false},
    {"E_dzhanibekov", 1, 0.002, false},
    {"N_heavy_top", 0.3, 5e-4, false},
    {"Q_planar_chain3", 0.5, 0.002, false},
};

static double error_of(const Case* c, const SarFormulation* f, const char* integrator, double step,
                       const Reference* r) {
  const double interval = r->value[1][0] - r->value[0][0];
  LoopRun run = {.name = c->name,
                 .coordinates = f->absolute ? "absolute" : "relative",
                 .formulation = f->name,
                 .integrator = integrator,
                 .step = interval / ceil(interval / step),
                 .end = c->end};
  loop_run(&run, r);
  if (run.status != SAR_OK) fail_msg("%s, %s: %s", c->name, f->name, run.said);
  EXPECT_AT_MOST(run.stats.position_violation, 1e-9);
  EXPECT_AT_MOST(run.stats.velocity_violation, 1e-9);
  assert_in_range(run.stats.iterations_max, 1, 20);
  return run.worst;
}

static void check(const Case* c, const SarFormulation* f, const char* integrator,
                  const Reference* r) {
  const double e1 = error_of(c, f, integrator, c->step, r);
  const double e2 = error_of(c, f, integrator, c->step / 2, r);
  print_message("%-24s %-12s %-12s %.1e, %.1e: order %.2f\n", c->name, f->name, integrator, e1, e2,
                log2(e1 / e2));
  EXPECT_AT_MOST(e2, 2e-2);
  EXPECT_NEAR(log2(e1 / e2), 2, 0.25);
}

static void columns_converge_with_order_two(void** state) {
  (void)state;
  static Reference r;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const Case* c = &CASES[i];
    if (test_effort(10) < 10 && i % 4 != 0) continue;
    reference_read(c->name, &r);
    for (int k = 0; sar_formulation(k); k++) {
      const SarFormulation* f = sar_formulation(k);
      if (!sar_shape_is_implicit(f->shape) || (c->stiff && !strcmp(f->name, "recursive"))) continue;
      check(c, f, "trapezoidal", &r);
      if (f->shape == SAR_SHAPE_MULTISTEP) check(c, f, "two-step", &r);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_converge_with_order_two)};
  return cmocka_run_group_tests_name("implicit", tests, NULL, NULL);
}
