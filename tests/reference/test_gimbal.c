// The ideal gimbal (homokinetic joint) and the universal joint beside it: speeds against closed
// forms, and a hub on a gimbal against a trajectory of another code and an ODE of its own
// (tests/reference/flexible).
#include "support/reference_file.h"
#include "support/run.h"

#include "model/model.h"

static const double RAD = 0.017453292519943295;

// Two shafts whose bearings are tilted against each other, and a joint between them.
static SarModel* two_shafts(const char* joint, double tilt_deg, const char* coordinates) {
  char text[2048];
  snprintf(text, sizeof text,
           "parameters: {tilt: %.17g deg}\n"
           "gravity: [0, 0, 0]\n"
           "bodies:\n"
           "  in: {mass: 1, inertia: [1, 1, 1]}\n"
           "  bearing: {mass: 1, inertia: [1, 1, 1]}\n"
           "  out: {mass: 1, inertia: [1, 1, 1]}\n"
           "joints:\n"
           "  first: {revolute: [ground, in], axis: z}\n"
           "  hinge: {revolute: [ground, bearing], axis: x, position: tilt}\n"
           "  second: {revolute: [bearing, out], axis: z}\n"
           "  link: {%s}\n"
           "constraints:\n"
           "  turn: {motion: first, value: 77.7*t}\n"
           "  hold: {motion: hinge, value: tilt}\n"
           "outputs: [{joint: first}, {joint: second}, {joint: link}]\n"
           "simulation: {end: %.17g, coordinates: %s}\n",
           tilt_deg, joint, 2 * 6.283185307179586 / 77.7, coordinates);
  return model_text(text);
}

static SarKinematics* turned(const SarModel* m, int points) {
  SarSweepOptions o = sar_sweep_options();
  SarKinematics* k = NULL;
  SarError err;
  sar_error_init(&err);
  o.points = points;
  EXPECT_OK_OR(sar_kinematics(m, &o, &k, &err), &err);
  return k;
}

static double cell(const SarTable* t, size_t row, const char* name) {
  const int k = sar_table_find(t, name);
  if (k < 0) fail_msg("no column '%s'", name);
  return sar_table_values(t)[row * (size_t)sar_table_columns(t) + (size_t)k];
}

// Both shafts turn alike at every tilt and in both kinds of coordinates: equal angles to 1e-12 rad
// over two turns, equal speeds. In the tree one of the joints is cut, in absolute coordinates all
// of them are rows.
static void gimbal_is_homokinetic(void** state) {
  (void)state;
  double worst = 0, worst_speed = 0;
  for (int tilt = 0; tilt <= 40; tilt += 10)
    for (int kind = 0; kind < 2; kind++) {
      SarModel* m =
          two_shafts("gimbal: [in, out], axis: z, axis2: x", tilt, kind ? "absolute" : "relative");
      SarKinematics* k = turned(m, 101);
      const SarTable* t = sar_kinematics_table(k);
      for (size_t i = 0; i < 101; i++) {
        worst = fmax(worst, fabs(cell(t, i, "second.q") - cell(t, i, "first.q")));
        worst_speed = fmax(worst_speed, fabs(cell(t, i, "second.v") / 77.7 - 1));
      }
      sar_kinematics_free(k);
      sar_model_free(m);
    }
  print_message("shafts apart by at most %.1e rad, speeds by %.1e\n", worst, worst_speed);
  EXPECT_AT_MOST(worst, 1e-12);
  EXPECT_AT_MOST(worst_speed, 1e-12);
}

// One row beside the three of a ball joint: with theta and phi as unknowns it would be five
// equations.
static void gimbal_has_four_rows(void** state) {
  (void)state;
  SarModel* m = two_shafts("gimbal: [in, out], axis: z", 10, "absolute");
  int rows = -1;
  for (int i = 0; i < m->nconstraint; i++)
    if (strcmp(sar_text(m, m->constraint[i].name), "link") == 0)
      rows = m->constraint[i].rows + m->constraint[i].identical;
  assert_int_equal(rows, 4);
  sar_model_free(m);
}

// A universal joint at the tilt a turns its output by tan q2 = tan q1 cos a, twice uneven in a
// revolution: v2 = v1 cos a / (1 - sin^2 a sin^2 q1), q1 measured from where the first axis is the
// axis of the tilt.
static void universal_joint_has_its_two_per_revolution(void** state) {
  (void)state;
  for (int tilt = 10; tilt <= 40; tilt += 10) {
    SarModel* m = two_shafts("universal: [in, out], axis: x, axis2: y", tilt, "relative");
    SarKinematics* k = turned(m, 101);
    const SarTable* t = sar_kinematics_table(k);
    for (size_t i = 0; i < 101; i++) {
      const double q = cell(t, i, "first.q"), s = sin(tilt * RAD) * sin(q);
      EXPECT_NEAR(cell(t, i, "second.v"), 77.7 * cos(tilt * RAD) / (1 - s * s), 1e-10);
    }
    sar_kinematics_free(k);
    sar_model_free(m);
  }
}

// Angles of the gimbal in closed form: the rotation by the tilt a about an axis that stands still
// is, seen from a shaft turned by q, the quaternion (cos a/2, sin a/2 cos q, -sin a/2 sin q, 0).
// The file's own angles are those of an implicit integration, 5.2e-6 off; its column of exact
// speeds has 9 digits.
static void kinematic_reference(void** state) {
  (void)state;
  static Reference r;
  reference_read("flexible/gimbal_kinematic", &r);
  double off = 0;
  for (int kind = 0; kind < 2; kind++) {
    SarModel* m = two_shafts(
        kind ? "universal: [in, out], axis: x, axis2: y" : "gimbal: [in, out], axis: z, axis2: x",
        10, "relative");
    Run run = run_open(m, NULL);
    for (int i = 0; i < r.rows; i++) {
      if ((int)r.value[i][0] != kind) continue;
      run_advance(&run, r.value[i][1] / 77.7);
      EXPECT_NEAR(run_output(&run, "second.v"), r.value[i][3], 1e-6);
      if (kind) continue;
      const double q = run_output(&run, "first.q"), c = cos(5 * RAD), s = sin(5 * RAD);
      const double q1 = run_output(&run, "link.q1"), q2 = run_output(&run, "link.q2");
      EXPECT_NEAR(q1, atan2(-s * sin(q), c), 1e-12);
      EXPECT_NEAR(q2, 2 * asin(s * cos(q)), 1e-12);
      off = fmax(off, fmax(fabs(q1 - r.value[i][4]), fabs(q2 - r.value[i][5])));
    }
    run_close(&run);
  }
  print_message("angles of the file off by %.1e rad\n", off);
  EXPECT_AT_MOST(off, 1e-5);
}

// A spinning hub on a gimbal with a spring on its tilt, shaft speed imposed; two angles of an
// independent ODE, which MBDyn meets to 8e-9 rad. Joint of the tree, and rows in absolute
// coordinates.
static void dynamic_reference(void** state) {
  (void)state;
  static Reference r;
  reference_read("flexible/gimbal_dynamic", &r);
  const int theta = reference_find(&r, "theta_ode_rad"), phi = reference_find(&r, "phi_ode_rad");
  for (int kind = 0; kind < 2; kind++) {
    char text[1024];
    snprintf(text, sizeof text,
             "simulation: {coordinates: %s}\n"
             "parameters: {Om: 77.7}\ngravity: [0, 0, 0]\n"
             "bodies:\n  shaft: {mass: 1, inertia: [1, 1, 1]}\n"
             "  hub: {mass: 10, inertia: [2, 2, 4]}\n"
             "joints:\n  turn: {revolute: [ground, shaft], axis: z, speed: Om}\n"
             "  gimbal: {gimbal: [shaft, hub], axis: z, axis2: x, position: [0, 5 deg], speed: "
             "[-3.392455263537573, 0]}\n"
             "constraints: {speed: {motion: turn, value: Om*t}}\n"
             "forces:\n  spring: {bushing: [shaft, hub], frame: {at: [0, 0, 0]}, stiffness: [0, 0, "
             "0, 200, 200, 0]}\n",
             kind ? "absolute" : "relative");
    SarModel* m = model_text(text);
    const SarSimOptions o = run_options("lagrange", 0);
    Run run = run_open(m, &o);
    double worst = 0;
    for (int i = 0; i < r.rows; i++) {
      run_advance(&run, r.value[i][0]);
      worst = fmax(worst, fabs(run_output(&run, "gimbal.q1") - r.value[i][theta]));
      worst = fmax(worst, fabs(run_output(&run, "gimbal.q2") - r.value[i][phi]));
    }
    print_message("%s coordinates: %.1e rad from the ODE\n", kind ? "absolute" : "relative", worst);
    EXPECT_AT_MOST(worst, 1e-8);
    run_close(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gimbal_is_homokinetic),
      cmocka_unit_test(gimbal_has_four_rows),
      cmocka_unit_test(universal_joint_has_its_two_per_revolution),
      cmocka_unit_test(kinematic_reference),
      cmocka_unit_test(dynamic_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
