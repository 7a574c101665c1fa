// Every model of examples/ loads without a message and runs as its comments say; so does the model
// at the top of docs/model-file.md.
#include "support/run.h"

#include "model/sim.h"

#include <dirent.h>

// Loads, without a single warning, and runs to the end time of the file.
static Run run_file(const char* name) {
  Run r = {0};
  char path[512];
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_load(model_path(path, sizeof path, name), NULL, &r.m, &err), &err);
  EXPECT_OK_OR(sar_data_new(r.m, &r.d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(r.m, r.d, NULL, &r.s, &err), &err);
  if (err.count) fail_msg("%s: %s", name, err.items[0].text);
  assert_true(r.m->sim.end > 0);
  EXPECT_OK(sar_advance(r.s, r.m->sim.end));
  return r;
}

static void every_example_runs_and_its_energy_adds_up(void** state) {
  (void)state;
  int count = 0;
  size_t number = 0;
  DIR* folder = opendir(SARRUS_SOURCE_DIR "/examples");
  assert_non_null(folder);
  for (struct dirent* entry; (entry = readdir(folder));) {
    if (!strstr(entry->d_name, ".yaml") || !test_takes(number++, 4)) continue;
    Run r = run_file(entry->d_name);
    SarEnergy e;
    EXPECT_OK(sar_energy(r.d, &e));
    // tolerances of 1e-8 a step, and tables and ropes whose kinks cost more: 2e-6 is the worst
    // seen; impulses take fixed steps through impacts, 1e-2 is the worst
    const double share = r.s->formulation->shape == SAR_SHAPE_IMPULSE ? 2e-2 : 1e-5;
    if (!(fabs(e.error) <= share * (1 + fabs(e.total)))) print_error("%s:\n", entry->d_name);
    EXPECT_AT_MOST(fabs(e.error), share * (1 + fabs(e.total)));
    run_close(&r);
    count++;
  }
  closedir(folder);
  assert_in_range(count, 5, 100);
}

// Examples with states of their own: what each one's physics says about its end.
static void states_end_where_physics_says(void** state) {
  (void)state;
  const double g = 9.81;
  Run r = run_file("actuator_lag.yaml");  // the feed-forward term carries the weight
  EXPECT_NEAR(run_output(&r, "shoulder.q"), atan(1), 1e-4);
  EXPECT_NEAR(run_output(&r, "torque"), 2 * g * 0.3 * cos(atan(1)), 1e-3);
  run_close(&r);
  r = run_file("pi_arm.yaml");  // the integral does
  EXPECT_NEAR(run_output(&r, "shoulder.q"), acos(-1) / 6, 1e-9);
  EXPECT_NEAR(run_output(&r, "shoulder.pid1.i"), 2 * g * 0.3 * cos(acos(-1) / 6) / 150, 1e-9);
  run_close(&r);
  r = run_file("brake_heat.yaml");  // all kinetic energy is heat, in the disc or in the air
  EXPECT_NEAR(350 * run_output(&r, "heating") + run_output(&r, "lost"), 0.5 * 0.9 * 300 * 300,
              1e-3);
  run_close(&r);
  r = run_file("drive_train.yaml");  // the clutch has closed: the slip that carries the torque
  EXPECT_NEAR(run_output(&r, "closed"), 1 - exp(-7.5 / 0.4), 1e-7);
  EXPECT_AT_MOST(fabs(run_output(&r, "slip")), 2);
  run_close(&r);
  r = run_file("turbine_governor.yaml");  // no error is left: the integral has the load
  EXPECT_NEAR(run_output(&r, "error"), 0, 1e-7);
  EXPECT_NEAR(run_output(&r, "trim"), 50.0 / 120, 1e-6);
  run_close(&r);
  r = run_file(
      "dc_motor.yaml");  // steady: k i carries the load, the rest of the voltage is the speed
  const double i = 3 * g * 0.02 / 0.12;
  EXPECT_NEAR(run_output(&r, "current"), i, 1e-4);
  EXPECT_NEAR(run_output(&r, "shaft.v"), (24 - 0.8 * i) / 0.12, 1e-3);
  run_close(&r);
  r = run_file(
      "hydraulic_lift.yaml");  // volume is kept: what was pumped, less leaks and compression
  const double p0 = 600 * g / 2e-3;
  EXPECT_NEAR(run_output(&r, "lift.q"), 6e-5 / 2e-3, 1e-3);
  EXPECT_NEAR(run_output(&r, "p"), p0, 0.02 * p0);
  run_close(&r);
}

static void cart_pole_is_balanced(void** state) {
  (void)state;
  Run r = run_file("cart_pole.yaml");
  // poles at -2 and -3 rad/s, twice: t e^(-2 t) is 2e-8 at 10 s
  EXPECT_NEAR(run_output(&r, "tilt_deg"), 0, 1e-4);
  EXPECT_NEAR(run_output(&r, "slide.q"), 0, 1e-4);
  run_close(&r);
}

// The somersault: one turn, and motors that do not move the mass centre nor add angular momentum.
static void acrobat_turns_over_by_the_laws_of_flight(void** state) {
  (void)state;
  Run r = run_file("acrobat.yaml");
  double p[3][3], L[3][3];
  // upright again: cos of half the angle that is missing; 15 deg is good enough for a landing
  EXPECT_AT_MOST(cos(7.5 * M_PI / 180), fabs(run_output(&r, "pelvis.qw")));
  sar_data_reset(r.d);
  for (int i = 0; i < 3; i++) {
    EXPECT_OK(sar_advance(r.s, 0.5 * i));
    EXPECT_OK(sar_momentum(r.d, p[i], L[i]));
  }
  EXPECT_NEAR(p[2][0], p[0][0], 1e-7);
  EXPECT_NEAR(p[2][1], 0, 1e-7);
  // about the ground's origin dL/dt = r x m g, its second derivative g p_x, so that with steps of h
  // the second difference of L_y is g p_x h^2: nothing but the weight turns it (370 N m s; 1e-8 a
  // step)
  EXPECT_NEAR(L[2][1] - 2 * L[1][1] + L[0][1], 9.81 * p[0][0] * 0.25, 1e-6);
  run_close(&r);
}

static void arm_reaches_its_target(void** state) {
  (void)state;
  Run r = run_file("pd_arm.yaml");
  // dry friction of 0.3 N m against 400 N m/rad may hold it 0.04 deg away, the elbow's weight more
  EXPECT_NEAR(run_output(&r, "shoulder_error_deg"), 0, 0.1);
  run_close(&r);
}

static void cars_come_to_rest_on_their_wheels(void** state) {
  (void)state;
  Run quarter = run_file("quarter_car.yaml");
  EXPECT_NEAR(run_output(&quarter, "tyre"), 440 * 9.81,
              20);  // the weight on it; 1.5 s after the bump
  run_close(&quarter);
  Run rover = run_file("rover.yaml");
  EXPECT_NEAR(run_output(&rover, "fl_tyre"), (150 + 22) * 9.81, 1);
  EXPECT_NEAR(run_output(&rover, "chassis.x"), 24, 0.01);  // nothing brakes it: 8 m/s for 3 s
  run_close(&rover);
}

// Gravity load of the PUMA at its start as printed in the literature for these data (joints 2, 3,
// 5): 31.64, 6.035, 0.0283 N m. The hand is back where it began, the box where it was put.
static void robots_take_hold_and_return(void** state) {
  (void)state;
  Run r = run_file("puma_pinned.yaml");
  const char* const hand[] = {"hand.pin.x", "hand.pin.y", "hand.pin.z"};
  double at_end[3];
  assert_int_equal(sar_event_count(r.s), 8);
  for (int i = 0; i < 3; i++) at_end[i] = run_output(&r, hand[i]);
  sar_data_reset(r.d);
  EXPECT_NEAR(run_output(&r, "out2.force"), 31.6399, 1e-4);
  EXPECT_NEAR(run_output(&r, "out3.force"), 6.0351, 1e-4);
  EXPECT_NEAR(run_output(&r, "wrist5.force"), 0.0283, 1e-4);
  for (int i = 0; i < 3; i++) EXPECT_NEAR(at_end[i], run_output(&r, hand[i]), 1e-9);
  run_close(&r);

  Run load = run_file("puma_payload.yaml");
  EXPECT_NEAR(run_output(&load, "grasp.fz"), 0, 0);
  EXPECT_NEAR(run_output(&load, "box.vx"), 0, 1e-9);
  const double x = run_output(&load, "box.x"), y = run_output(&load, "box.y");
  sar_data_reset(load.d);
  EXPECT_OK(sar_advance(load.s, 4));
  EXPECT_NEAR(run_output(&load, "grasp.fz"), 2.5 * 9.81, 0.05);  // and a little of acceleration
  EXPECT_OK(sar_advance(load.s, 6));
  EXPECT_NEAR(run_output(&load, "box.x"), x, 1e-9);
  EXPECT_NEAR(run_output(&load, "box.y"), y, 1e-9);
  run_close(&load);
}

// Ends of the IFToMM benchmarks A01 to A05 as computed in minimal coordinates at 1e-13 elsewhere.
// Bounds: the files' tolerance of 1e-8 a step over 10 s; Andrews' mechanism multiplies errors by
// thousands; the governor takes steps of 1 ms (error 2e-5 m, the benchmark asks for 1e-3).
static void benchmarks_end_where_they_should(void** state) {
  (void)state;
  static const struct {
    const char *file, *column;
    double value, bound;
  } ENDS[] = {
      {"iftomm_a01_pendulum.yaml", "bob.x", -0.275087462576, 1e-6},
      {"iftomm_a01_pendulum.yaml", "bob.vy", -1.19474905456, 1e-5},
      {"double_fourbar.yaml", "crank0.B0.x", 0.32845811, 1e-5},
      {"double_fourbar.yaml", "crank0.B0.vy", -0.49486885, 1e-5},
      {"iftomm_a03_andrews.yaml", "F.x", -0.00515898525, 1e-8},
      {"iftomm_a03_andrews.yaml", "F.y", 0.00473126528, 1e-8},
      {"iftomm_a04_bricard.yaml", "bar2.P3.x", 0.999730987, 1e-7},
      {"iftomm_a04_bricard.yaml", "bar2.P3.z", -0.000268976512, 1e-7},
      {"iftomm_a05_governor.yaml", "slider_height", 0.6196229170613, 1e-4},
  };
  for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
    Run r = run_file(ENDS[i].file);
    EXPECT_NEAR(run_output(&r, ENDS[i].column), ENDS[i].value, ENDS[i].bound);
    run_close(&r);
  }
}

static void top_keeps_its_spin(void** state) {
  (void)state;
  Run r = run_file("heavy_top.yaml");
  EXPECT_NEAR(run_output(&r, "foot.wz"), 150, 1e-8);  // a symmetric top: no torque about its axis
  run_close(&r);
}

static void first_model_of_the_reference_loads(void** state) {
  (void)state;
  static char text[65536];
  FILE* f = fopen(SARRUS_SOURCE_DIR "/docs/model-file.md", "r");
  assert_non_null(f);
  size_t n = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  text[n] = '\0';
  const char* begin = strstr(text, "```yaml\n");
  assert_non_null(begin);
  begin += strlen("```yaml\n");
  const char* end = strstr(begin, "```");
  assert_non_null(end);
  SarModel* m = NULL;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_parse(begin, (size_t)(end - begin), "yaml", "docs", NULL, &m, &err), &err);
  assert_int_equal(err.count, 0);
  assert_int_equal(sar_model_nv(m), 2);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_example_runs_and_its_energy_adds_up),
      cmocka_unit_test(states_end_where_physics_says),
      cmocka_unit_test(cart_pole_is_balanced),
      cmocka_unit_test(acrobat_turns_over_by_the_laws_of_flight),
      cmocka_unit_test(arm_reaches_its_target),
      cmocka_unit_test(cars_come_to_rest_on_their_wheels),
      cmocka_unit_test(robots_take_hold_and_return),
      cmocka_unit_test(benchmarks_end_where_they_should),
      cmocka_unit_test(top_keeps_its_spin),
      cmocka_unit_test(first_model_of_the_reference_loads),
  };
  return cmocka_run_group_tests_name("examples", tests, NULL, NULL);
}
