// The free-flying helicopter: hover as it is trimmed, flight, and that its energy is accounted for.
#include "support/run.h"

static Run fly(const char* file, const char* formulation, const char* integrator) {
  SarSimOptions o = run_options(formulation, 1e-3);
  o.integrator = integrator;
  o.adaptive = 0;
  return run_open(model_file(file, NULL), &o);
}

// On its mount it is in balance: means over four revolutions of both rotors, against its weight of
// 57 kN; moments against that at a lever of a metre. The controls in the file have six digits.
static void hover_is_trimmed(void** state) {
  (void)state;
  enum { N = 4 * 90 };
  static const char* const column[] = {"mount.fx", "mount.fy", "mount.fz",
                                       "mount.tx", "mount.ty", "mount.tz"};
  const double period = 4 * 2 * 3.14159265358979323846 / 28.00206251899702;
  Run r = fly("parts/helicopter_mount.yaml", "lagrange", "rk4");
  double mean[6] = {0}, values[128];
  run_advance(&r, 4);
  for (int k = 1; k <= N; k++) {
    run_advance(&r, 4 + period * k / N);
    EXPECT_OK(sar_outputs(r.s, values));
    for (int i = 0; i < 6; i++)
      mean[i] += values[sar_model_find(r.m, SAR_ITEM_OUTPUT, column[i])] / N;
  }
  for (int i = 0; i < 6; i++) EXPECT_NEAR(mean[i], 0, 57000 * 1e-3);
  run_close(&r);
}

// The rotor starts with straight blades: it settles within 0.2 m.
static void hover_holds_height_and_place(void** state) {
  (void)state;
  Run r = fly("helicopter.yaml", "lagrange", "rk4");
  for (int i = 1; i <= 10; i++) {
    run_advance(&r, 0.5 * i);
    EXPECT_NEAR(run_output(&r, "fuselage.z"), 30, 0.25);
    EXPECT_NEAR(run_output(&r, "fuselage.x"), 0, 0.3);
    EXPECT_NEAR(run_output(&r, "fuselage.y"), 0, 0.3);
    EXPECT_NEAR(run_output(&r, "heading"), 0, 0.02);
    EXPECT_NEAR(run_output(&r, "energy.error"), 0, 1e-7 * run_output(&r, "energy.kinetic"));
  }
  EXPECT_NEAR(run_output(&r, "fuselage.vz"), 0, 0.05);
  EXPECT_NEAR(run_output(&r, "rotor.thrust_0"), 5807 * 9.81, 0.02 * 57000);
  run_close(&r);
}

static void it_flies_away(void** state) {
  (void)state;
  skip_if_spared();
  Run r = fly("helicopter.yaml", "lagrange", "rk4");
  run_advance(&r, 20);
  EXPECT_NEAR(run_output(&r, "fuselage.vy"), 16, 2);
  EXPECT_NEAR(run_output(&r, "fuselage.z"), 30, 2);
  assert_true(run_output(&r, "fuselage.y") > 100);
  EXPECT_NEAR(run_output(&r, "energy.error"), 0, 1e-6 * run_output(&r, "energy.kinetic"));
  run_close(&r);
}

// Another formulation with implicit steps: of second order, 1 ms is 45 steps a revolution of the
// tail rotor.
static void implicit_steps_agree(void** state) {
  (void)state;
  skip_if_spared();
  Run a = fly("helicopter.yaml", "lagrange", "rk4"),
      b = fly("helicopter.yaml", "hybrid", "trapezoidal");
  run_advance(&a, 3);
  run_advance(&b, 3);
  static const char* const column[] = {"fuselage.x", "fuselage.y", "fuselage.z", "nose_up",
                                       "banked",     "heading",    "col",        "rudder"};
  for (size_t i = 0; i < sizeof column / sizeof *column; i++)
    EXPECT_NEAR(run_output(&a, column[i]), run_output(&b, column[i]), 2e-3);
  run_close(&a);
  run_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hover_is_trimmed),
      cmocka_unit_test(hover_holds_height_and_place),
      cmocka_unit_test(it_flies_away),
      cmocka_unit_test(implicit_steps_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
