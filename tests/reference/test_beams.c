// Statics of geometrically exact beams against closed forms and another code
// (tests/reference/flexible): elastica under a tip load and under weight, roll-up by an end moment,
// combined bending (Princeton beam). Errors are printed with the order at which they fall with the
// length of the elements.
#include "support/reference_file.h"
#include "support/run.h"

#include "math/spatial.h"

typedef struct Rest {
  SarModel* m;
  SarData* d;
} Rest;

static Rest rest_open(const char* text) {
  Rest r = {.m = model_text(text)};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(r.m, &r.d, &err), &err);
  return r;
}

// From where d is. Nullable: the moment of the reaction at a joint.
static void rest_find_with(Rest* r, const char* joint, double torque[3]) {
  SarStatics* s = NULL;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_statics(r->d, NULL, &s, &err), &err);
  double force[3];
  if (joint)
    EXPECT_OK(
        sar_statics_reaction(s, sar_model_find(r->m, SAR_ITEM_JOINT, joint), force, torque, NULL));
  sar_statics_free(s);
}

static void rest_find(Rest* r) { rest_find_with(r, NULL, NULL); }

static void rest_close(Rest* r) {
  sar_data_free(r->d);
  sar_model_free(r->m);
}

static Xform pose_of(const Rest* r, const char* body) {
  double p[3], R[9];
  const int b = sar_model_find(r->m, SAR_ITEM_BODY, body);
  assert_true(b >= 0);
  EXPECT_OK(sar_body_pose(r->d, b, p, R));
  return (Xform){{R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}, v3_load(p)};
}

// Largest error of the tip's place and angle over the loads, by n elements.
static double tip_load_error(int n, const Reference* ref) {
  char text[1024];
  snprintf(text, sizeof text,
           "gravity: [0, 0, 0]\n"
           "inputs: {P: 0}\n"
           "beams:\n"
           "  arm: {from: ground, to: [1, 0, 0], elements: %d,\n"
           "    section: {stiffness: [1e8, 1e8, 1e8, 1, 1, 1], mass: 1, inertia: [2, 1, 1]}}\n"
           "forces: {load: {force: arm_end, value: [0, 0, P]}}\n",
           n);
  Rest r = rest_open(text);
  double worst = 0;
  for (int i = 0; i < ref->rows; i++) {
    sar_inputs(r.d)[0] = ref->value[i][0];
    rest_find(&r);
    const Xform X = pose_of(&r, "arm_end");
    worst = fmax(worst, fabs(X.p.x - ref->value[i][1]));
    worst = fmax(worst, fabs(X.p.z - ref->value[i][2]));
    worst = fmax(worst, fabs(atan2(X.R.zx, X.R.xx) - ref->value[i][3]));
  }
  rest_close(&r);
  return worst;
}

// Prints the error by n elements and its order, and returns the order.
static double print_order(const char* what, int n, double error, double before) {
  const double order = before > 0 ? log2(before / error) : 0;
  print_message("%s, %2d elements: %.2e, order %.2f\n", what, n, error, order);
  return order;
}

static void elastica_under_a_tip_load(void** state) {
  (void)state;
  static Reference ref;
  reference_read_table("flexible/R_elastica_tip_load", &ref);
  double error = 0, order = 0;
  for (int n = 4; n <= 16; n *= 2) {
    const double before = error;
    error = tip_load_error(n, &ref);
    order = print_order("tip load", n, error, before);
  }
  EXPECT_NEAR(order, 4, 0.2);
  EXPECT_AT_MOST(error, 4e-6);
}

// The exact columns of the file, with its finite shear and axial stiffness: 16 of our elements
// against those of 16 beams with three nodes each, whose error is 8.6e-6.
static void elastica_as_by_another_code(void** state) {
  (void)state;
  static Reference ref;
  reference_read_table("flexible/cantilever_tip_load", &ref);
  Rest r = rest_open(
      "gravity: [0, 0, 0]\n"
      "inputs: {P: 0}\n"
      "beams:\n"
      "  arm: {from: ground, to: [1, 0, 0], elements: 32,\n"
      "    section: {stiffness: [1e6, 1e6, 1e6, 1, 1, 1], mass: 1, inertia: [2, 1, 1]}}\n"
      "forces: {load: {force: arm_end, value: [0, 0, P]}}\n");
  double exact = 0, other = 0;
  for (int i = 0; i < ref.rows; i++) {
    if ((int)ref.value[i][0] != 16) continue;
    sar_inputs(r.d)[0] = ref.value[i][1];
    rest_find(&r);
    const Xform X = pose_of(&r, "arm_end");
    const double tip[3] = {1 - X.p.x, X.p.z, atan2(X.R.zx, X.R.xx)};
    for (int k = 0; k < 3; k++) {
      other = fmax(other, fabs(tip[k] - ref.value[i][2 + k]));
      exact = fmax(exact, fabs(tip[k] - ref.value[i][5 + k]));
    }
  }
  print_message("32 elements: %.1e from the elastica, %.1e from the other code\n", exact, other);
  EXPECT_AT_MOST(exact, 1.1e-5);  // 1e-6 P of shear and stretch, up to P = 10
  EXPECT_AT_MOST(other, 2e-6);
  rest_close(&r);
}

// Tip, angle and root moment (the reaction of the clamp) under a weight per length.
static double weight_error(int n, const Reference* ref) {
  char text[1024];
  double worst = 0;
  for (int i = 0; i < ref->rows; i++) {
    snprintf(text, sizeof text,
             "gravity: [0, 0, %.17g]\n"
             "beams:\n"
             "  arm: {from: ground, to: [1, 0, 0], elements: %d,\n"
             "    section: {stiffness: [1e9, 1e9, 1e9, 1, 1, 1], mass: 1, inertia: [2, 1, 1]}}\n"
             "outputs: [{reaction: arm_start}]\n",
             -ref->value[i][0], n);
    Rest r = rest_open(text);
    double root[3];
    rest_find_with(&r, "arm_start", root);
    const Xform X = pose_of(&r, "arm_end");
    worst = fmax(worst, fabs(X.p.x - ref->value[i][1]));
    worst = fmax(worst, fabs(-X.p.z - ref->value[i][2]));
    worst = fmax(worst, fabs(atan2(-X.R.zx, X.R.xx) - ref->value[i][3]));
    worst = fmax(worst, fabs(fabs(root[1]) / ref->value[i][4] - 1));
    rest_close(&r);
  }
  return worst;
}

static void elastica_under_its_weight(void** state) {
  (void)state;
  static Reference ref;
  reference_read_table("flexible/R_heavy_elastica", &ref);
  double error = 0, order = 0;
  for (int n = 4; n <= 16; n *= 2) {
    const double before = error;
    error = weight_error(n, &ref);
    order = print_order("weight", n, error, before);
  }
  EXPECT_AT_MOST(2.8, order);
  EXPECT_AT_MOST(error, 3e-5);
}

// An end moment makes circular arcs, which the elements are exactly: any number of them, to two
// full turns.
static void rolls_up(void** state) {
  (void)state;
  static Reference ref;
  reference_read_table("flexible/end_moment_rollup", &ref);
  for (int n = 5; n <= 10; n += 5) {
    char text[1024];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\n"
             "inputs: {M: 0}\n"
             "beams:\n"
             "  arm: {from: ground, to: [10, 0, 0], elements: %d,\n"
             "    section: {stiffness: [1e6, 1e6, 1e6, 100, 100, 100], mass: 1}}\n"
             "forces: {load: {torque: arm_end, value: [0, -M, 0]}}\n",
             n);
    Rest r = rest_open(text);
    double worst = 0, from_file = 0;
    for (int k = 1; k <= 32; k++) {
      const double angle = 4 * 3.14159265358979324 * k / 32, M = 10 * angle;
      sar_inputs(r.d)[0] = M;
      rest_find(&r);
      const Xform X = pose_of(&r, "arm_end");
      worst = fmax(worst, fabs(X.p.x - 10 * sin(angle) / angle));
      worst = fmax(worst, fabs(X.p.z - 10 * (1 - cos(angle)) / angle));
      worst = fmax(worst, fabs(sin(atan2(X.R.zx, X.R.xx) - angle)));
      for (int i = 0; i < ref.rows; i++)
        if (fabs(ref.value[i][1] - M) < 1e-6)
          from_file = fmax(from_file, hypot(X.p.x - ref.value[i][4], X.p.z - ref.value[i][5]));
    }
    print_message("two turns by %d elements: off by %.1e m of 10 m, %.1e from the file's circle\n",
                  n, worst, from_file);
    EXPECT_AT_MOST(worst, 1e-7);
    EXPECT_AT_MOST(from_file, 1e-7);
    rest_close(&r);
  }
}

// Dead load on the tip of a strip, from edgewise to flatwise; the other code's own change from 6 to
// 12 beams is 1e-6 m and 4e-5 deg.
static double princeton_error(int n, const Reference* ref, double* twist) {
  char text[1024];
  snprintf(
      text, sizeof text,
      "gravity: [0, 0, 0]\n"
      "inputs: {Py: 0, Pz: 0}\n"
      "beams:\n"
      "  strip: {from: ground, to: [0.508, 0, 0], elements: %d, section: {mass: 0.11, stiffness:\n"
      "    [2932146.2616, 932616.49541984743, 932616.49541984743, 3.221074040181985,\n"
      "     2.505852697877054, 39.84613284193922]}}\n"
      "forces: {load: {force: strip_end, value: [0, Py, Pz]}}\n",
      n);
  Rest r = rest_open(text);
  double worst = 0;
  *twist = 0;
  for (int i = 0; i < ref->rows; i++) {
    const double P = ref->value[i][0], angle = ref->value[i][1] * 0.017453292519943295;
    sar_inputs(r.d)[0] = P * cos(angle);
    sar_inputs(r.d)[1] = P * sin(angle);
    rest_find(&r);
    const Xform X = pose_of(&r, "strip_end");
    worst = fmax(worst, fabs(X.p.x - 0.508 - ref->value[i][2]));
    worst = fmax(worst, fabs(X.p.y - ref->value[i][3]));
    worst = fmax(worst, fabs(X.p.z - ref->value[i][4]));
    *twist = fmax(*twist, fabs(atan2(X.R.zy, X.R.yy) / 0.017453292519943295 - ref->value[i][8]));
  }
  rest_close(&r);
  return worst;
}

static void princeton_beam(void** state) {
  (void)state;
  static Reference ref;
  reference_read_table("flexible/princeton_beam", &ref);
  double error = 0, order = 0, twist = 0;
  for (int n = 4; n <= 8; n *= 2) {
    const double before = error;
    error = princeton_error(n, &ref, &twist);
    order = print_order("Princeton beam, m", n, error, before);
    print_message("                   twist off by %.1e deg\n", twist);
  }
  EXPECT_NEAR(order, 4, 0.3);
  EXPECT_AT_MOST(error, 1.5e-6);
  EXPECT_AT_MOST(twist, 4e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elastica_under_a_tip_load),
      cmocka_unit_test(elastica_as_by_another_code),
      cmocka_unit_test(elastica_under_its_weight),
      cmocka_unit_test(rolls_up),
      cmocka_unit_test(princeton_beam),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
