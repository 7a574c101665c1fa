// The Bombardier Iltis against the IAVSD benchmark: rest position and responses computed with a
// model by another program (Robotran; tests/reference/iltis, rows every 20 ms).
//
// Conventions of that program: what it calls left is at y < 0, so its FL is our front right wheel;
// the columns of loads are FL, FR, RR, RL. Its chassis angles are R = Ry(pitch) Rx(roll) Rz(yaw).
// Loads are the vertical part of the force on the wheel. A rack that moves to +y turns the car to
// the right (yaw < 0).
#include "support/model_file.h"
#include "support/reference_file.h"

#include "base/alloc.h"
#include "model/model.h"
#include "sim/equilibrium.h"
#include "sim/modes.h"

static int column_of(const SarModel* m, const char* name) {
  const int i = sar_model_find(m, SAR_ITEM_OUTPUT, name);
  if (i < 0) fail_msg("no column '%s'", name);
  return i;
}

// ---- rest ---------------------------------------------------------------------------------------

// The published equilibrium, to 0.1 %: settles by 7.083 mm, pitch 0.1465 deg, loads 3831.31 and
// 3591.91 N.
static void it_rests_where_the_benchmark_says(void** state) {
  (void)state;
  const SarEquilibriumOptions o = {.max_iterations = 50};
  const SarParameter standing = {"v", 0};  // its speed control is at rest too
  const SarLoadOptions load = {.parameters = &standing, .parameter_count = 1};
  SarModel* m = model_file("iltis.yaml", &load);
  SarData* d = NULL;
  SarSim* s = NULL;
  SarError err;
  double values[256];
  sar_error_init(&err);
  assert_int_equal(m->nv, 26);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, d, NULL, &s, &err), &err);
  SarEquilibrium e = {.omega2 = sar_alloc((size_t)(m->nv + 1) * sizeof(double))};
  EXPECT_OK_OR(sar_equilibrium_find(s, &o, &e, &err), &err);
  assert_int_equal(e.freedom, 10);
  assert_int_equal(e.indifferent, 3);  // along x, along y, yaw
  EXPECT_OK(sar_outputs(s, values));
  const double z = values[column_of(m, "chassis.z")], qy = values[column_of(m, "chassis.qy")];
  EXPECT_NEAR(1e3 * (z - 0.57), -7.083, 1e-3 * 7.083);
  EXPECT_NEAR(2 * asin(qy) * 180 / 3.14159265358979324, 0.1465, 1e-3 * 0.1465);
  EXPECT_NEAR(values[column_of(m, "fl_tyre.load")], 3831.31, 3.8);
  EXPECT_NEAR(values[column_of(m, "rr_tyre.load")], 3591.91, 3.6);
  sar_free(e.omega2);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

// ---- modes --------------------------------------------------------------------------------------

// At 20 m/s, with the linear elements that the source has for it. All that oscillate: to 0.1 % in
// |lambda| and 0.05 % in frequency. The slow lateral one that does not is 1.4 % off: in the source
// the side force is a damper and not a slip angle, and here moments about z of 41 kN m/rad nearly
// cancel.
static void modes_are_those_of_the_benchmark(void** state) {
  (void)state;
  static const double reference[][2] = {{-6.682, 0},     {-3.99, 8.064},  {-3.688, 9.096},
                                        {-5.382, 9.258}, {-44.03, 0},     {-26.56, 71.35},
                                        {-29.68, 80.67}, {-29.38, 81.65}, {-29.37, 84.77}};
  enum { RIGID = 4, MODES = sizeof reference / sizeof *reference };
  SarModel* m = model_file("iltis_modes.yaml", NULL);
  SarData* d = NULL;
  SarSim* s = NULL;
  SarError err;
  SarModeSet modes;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, d, NULL, &s, &err), &err);
  EXPECT_OK_OR(sar_mode_set_find(s, NULL, &modes, &err), &err);
  EXPECT_AT_MOST(modes.acceleration, 1e-3);  // in balance
  assert_int_equal(modes.freedom, 10);
  assert_int_equal(modes.count, RIGID + MODES);
  for (int k = 0; k < MODES; k++) {
    const double re = modes.re[RIGID + k], im = modes.im[RIGID + k];
    const double size = hypot(reference[k][0], reference[k][1]);
    print_message("mode %.4g %+.4gi: ours %.4g %+.4gi\n", reference[k][0], reference[k][1], re, im);
    EXPECT_NEAR(im, reference[k][1], 5e-4 * reference[k][1]);
    EXPECT_NEAR(hypot(re, im), size, (k == 0 ? 0.015 : 0.002) * size);
  }
  sar_mode_set_free(&modes);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

// ---- responses ----------------------------------------------------------------------------------

typedef struct Case {
  const char *reference, *model, *parameter;
  double value;
  double bound;  // of the peak, or of the span where the peak is an offset (z, loads); twice what
                 // was measured
} Case;

static double ours(const SarModel* m, const double* values, const char* theirs) {
  static const char* const direct[][2] = {{"x_m", "chassis.x"},      {"y_m", "chassis.y"},
                                          {"z_m", "chassis.z"},      {"Fz_FL_N", "fr_tyre.fz"},
                                          {"Fz_FR_N", "fl_tyre.fz"}, {"Fz_RR_N", "rl_tyre.fz"},
                                          {"Fz_RL_N", "rr_tyre.fz"}};
  for (size_t i = 0; i < sizeof direct / sizeof *direct; i++)
    if (strcmp(direct[i][0], theirs) == 0) return values[column_of(m, direct[i][1])];
  const double w = values[column_of(m, "chassis.qw")], x = values[column_of(m, "chassis.qx")];
  const double y = values[column_of(m, "chassis.qy")], z = values[column_of(m, "chassis.qz")];
  if (strcmp(theirs, "roll_rad") == 0) return -asin(2 * (y * z - w * x));
  if (strcmp(theirs, "pitch_rad") == 0) return atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y));
  if (strcmp(theirs, "yaw_rad") == 0) return atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z));
  fail_msg("what is '%s'?", theirs);
  return 0;
}

static void check_case(const Case* c) {
  static Reference ref;
  const SarParameter parameter = {c->parameter, c->value};
  const SarLoadOptions load = {.parameters = &parameter, .parameter_count = 1};
  SarModel* m = model_file(c->model, &load);
  SarData* d = NULL;
  SarSim* s = NULL;
  SarError err;
  double values[256], worst[REFERENCE_COLUMNS] = {0};
  sar_error_init(&err);
  reference_read(c->reference, &ref);
  SarSimOptions o = sar_sim_options();
  o.integrator = "dopri5";
  o.rtol = 1e-6;
  o.atol = 1e-8;
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &s, &err), &err);
  assert_in_range(sar_model_count(m, SAR_ITEM_OUTPUT), 1, 256);
  for (int i = 0; i < ref.rows; i++) {
    if (ref.value[i][0] > 0) EXPECT_OK(sar_advance(s, ref.value[i][0]));
    EXPECT_OK(sar_outputs(s, values));
    for (int k = 1; k < ref.columns; k++)
      worst[k] = fmax(worst[k], fabs(ours(m, values, ref.name[k]) - ref.value[i][k]));
  }
  for (int k = 1; k < ref.columns; k++) {
    double low = ref.value[0][k], high = low;
    for (int i = 0; i < ref.rows; i++) {
      low = fmin(low, ref.value[i][k]);
      high = fmax(high, ref.value[i][k]);
    }
    if (high - low < 1e-9) {  // rounding: an in-phase bump moves nothing sideways
      EXPECT_AT_MOST(worst[k], 1e-9);
      continue;
    }
    print_message("%-28s %-10s span %9.4g, off by %.2e of it\n", c->reference, ref.name[k],
                  high - low, worst[k] / (high - low));
    EXPECT_AT_MOST(worst[k] / (high - low), c->bound);
  }
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

// All columns within 1 % of their span, which is never more than the peak (measured: 0.8 % at
// worst, of the 0.15 mm that the chassis heaves when steered; what it starts off by, 1.5e-6 m, is
// the other program's tolerance).
static void responses_are_those_of_the_benchmark(void** state) {
  (void)state;
  static const Case cases[] = {
      {"iltis/InPhaseCosine_10ms", "iltis_bump.yaml", "right", 0.2, 0.005},
      {"iltis/AntiPhaseCosine_10ms", "iltis_bump.yaml", "right", -0.2, 0.01},
      {"iltis/RampToSteer_10ms", "iltis_steer_ramp.yaml", "v", 10, 0.015},
      {"iltis/RampToSteer_20ms", "iltis_steer_ramp.yaml", "v", 20, 0.01},
      {"iltis/SinusoidalSteer_1mm", "iltis_steer_sine.yaml", "v", 20, 0.015},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_rests_where_the_benchmark_says),
      cmocka_unit_test(modes_are_those_of_the_benchmark),
      cmocka_unit_test(responses_are_those_of_the_benchmark),
  };
  return cmocka_run_group_tests_name("vehicle", tests, NULL, NULL);
}
