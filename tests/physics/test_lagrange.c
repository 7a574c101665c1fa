// The sparse formulation `lagrange` against `qr`, which shares with it only the evaluation of M,
// Psi and gamma: accelerations along a motion, redundant rows, and passes through singular
// positions.
#include "support/run.h"

static Run start(const char* name, const char* coordinates, const SarSimOptions* o) {
  char file[128];
  const SarLoadOptions load = {.coordinates = coordinates};
  snprintf(file, sizeof file, "reference/%s.yaml", name);
  return run_open(model_file(file, &load), o);
}

static const char* const MODELS[] = {"A_double_fourbar",
                                     "B_fivefold_fourbar",
                                     "F_RSSR",
                                     "F_slider_crank",
                                     "G_andrews",
                                     "H_bricard",
                                     "J_stewart",
                                     "K_five_link",
                                     "L_peaucellier",
                                     "O_pcu_loop",
                                     "S_stacked_parallelograms"};

// Fixed steps of the same length give the same states to rounding, up to the projections, which
// agree to the square of the drift of one step (1e-12 and less here); so do accelerations.
static void agrees_with_null_space(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
    SarSimOptions o = sar_sim_options();
    o.integrator = "rk4";
    o.adaptive = 0;
    o.step = MODELS[i][0] == 'G' ? 1e-6 : 1e-4;
    o.formulation = "lagrange";
    Run a = start(MODELS[i], "relative", &o);
    o.formulation = "qr";
    Run b = start(MODELS[i], "relative", &o);
    for (int k = 0; k < 100; k++) {
      EXPECT_OK(sar_step(a.s));
      EXPECT_OK(sar_step(b.s));
    }
    double most = 1;
    for (int k = 0; k < sar_model_nv(a.m); k++) most = fmax(most, fabs(sar_a(b.d)[k]));
    EXPECT_ARRAY_NEAR(sar_a(a.d), sar_a(b.d), sar_model_nv(a.m), 1e-8 * most);
    run_close(&a);
    run_close(&b);
  }
}

// 40 parallelograms go through flat positions ten times in 10 s, where every loop may fold the
// other way. The tips of the first and the last crank stay 40 m apart if none does.
static void keeps_its_branch(void** state) {
  (void)state;
  SarSimOptions o = sar_sim_options();
  o.formulation = "lagrange";
  o.integrator = "rk4";
  o.adaptive = 0;
  o.step = 0.02;
  Run r = start("B_fortyfold_fourbar", "relative", &o);
  const int first = sar_model_find(r.m, SAR_ITEM_BODY, "crank0");
  const int last = sar_model_find(r.m, SAR_ITEM_BODY, "crank40");
  while (sar_time(r.d) < 10 - 1e-9) {
    double p[3], q[3], R[9];
    EXPECT_OK(sar_step(r.s));
    EXPECT_OK(sar_body_pose(r.d, first, p, R));
    EXPECT_OK(sar_body_pose(r.d, last, q, R));
    EXPECT_NEAR(q[0] - p[0], 40, 1e-4);
    EXPECT_NEAR(q[1] - p[1], 0, 1e-4);
  }
  SarEnergy e;
  EXPECT_OK(sar_energy(r.d, &e));
  EXPECT_NEAR(e.error, 0, 1e-2);  // of 600 J: fourth order, 0.8 J at 0.1 s
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_null_space),
      cmocka_unit_test(keeps_its_branch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
