// Where things are: rotation sequences, and the directions of planar joints.
#include "support/test.h"

#include "math/vec.h"
#include "support/random.h"

static SarError err;

static SarModel* parsed(const char* text) {
  char line[1200];
  SarModel* m = NULL;
  sar_error_init(&err);
  if (sar_model_parse(text, strlen(text), "yaml", "m.yaml", NULL, &m, &err) != SAR_OK)
    fail_msg("%s", sar_error_format(&err, 0, line, sizeof line));
  return m;
}

static void pose_of(const SarModel* m, SarData* d, const char* body, double p[3], double R[9]) {
  EXPECT_OK(sar_body_pose(d, sar_model_find(m, SAR_ITEM_BODY, body), p, R));
}

// One turn about an axis, as roll, pitch or yaw alone.
static const char* turn(char* buf, size_t size, char axis, double angle) {
  snprintf(buf, size, "rpy: [%.17g, %.17g, %.17g]", axis == 'x' ? angle : 0,
           axis == 'y' ? angle : 0, axis == 'z' ? angle : 0);
  return buf;
}

// Against frames within frames, each turned once: in the order of the sequence for turns about axes
// that turn along (intrinsic), in the other order for axes that stay (extrinsic).
static void a_sequence_is_three_turns(void** state) {
  (void)state;
  static const char* const sequences[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                          "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};
  for (int trial = 0; trial < 24 * test_effort(10); trial++) {
    Rng g = rng_seed(test_seed(5) + (uint64_t)trial);
    const char* sequence = sequences[trial % 12];
    const bool extrinsic = trial / 12 % 2;
    double angle[3], p[3], is[9], expected[9];
    char text[2048], one[3][128];
    for (int i = 0; i < 3; i++) angle[i] = rng_uniform(&g, -7, 7);
    for (int i = 0; i < 3; i++) {
      const int k = extrinsic ? 2 - i : i;
      turn(one[i], sizeof one[i], sequence[k], angle[k]);
    }
    snprintf(text, sizeof text,
             "sarrus: 1\nbodies:\n"
             "  is: {sphere: 1, mass: 1, at: [1, 2, 3],\n"
             "       euler: {sequence: %s, angles: [%.17g, %.17g, %.17g]%s}}\n"
             "  a: {sphere: 1, mass: 1, %s}\n  b: {sphere: 1, mass: 1, in: a, %s}\n"
             "  c: {sphere: 1, mass: 1, in: b, %s}\n",
             sequence, angle[0], angle[1], angle[2], extrinsic ? ", extrinsic: true" : "", one[0],
             one[1], one[2]);
    SarModel* m = parsed(text);
    SarData* d = NULL;
    EXPECT_OK(sar_data_new(m, &d, &err));
    pose_of(m, d, "is", p, is);
    EXPECT_NEAR(p[1], 2, 0);
    pose_of(m, d, "c", p, expected);
    for (int i = 0; i < 9; i++) EXPECT_NEAR(is[i], expected[i], 1e-14);
    sar_data_free(d), sar_model_free(m);
  }
}

static void roll_pitch_yaw_is_a_sequence(void** state) {
  (void)state;
  SarModel* m = parsed(
      "sarrus: 1\nbodies:\n  a: {sphere: 1, mass: 1, rpy: [0.3, -0.4, 2]}\n"
      "  b: {sphere: 1, mass: 1, euler: {sequence: xyz, angles: [0.3, -0.4, 2], extrinsic: true}}\n"
      "  c: {sphere: 1, mass: 1, euler: {sequence: zyx, angles: [2, -0.4, 0.3]}}\n");
  SarData* d = NULL;
  double p[3], R[3][9];
  EXPECT_OK(sar_data_new(m, &d, &err));
  for (int i = 0; i < 3; i++) pose_of(m, d, (const char*[]){"a", "b", "c"}[i], p, R[i]);
  for (int i = 0; i < 9; i++) {
    EXPECT_NEAR(R[1][i], R[0][i], 1e-15);
    EXPECT_NEAR(R[2][i], R[0][i], 1e-15);
  }
  sar_data_free(d), sar_model_free(m);
}

// px runs along axis2 and py along axis x axis2, in every pose of parent and child, in both
// directions of the tree and where the joint closes a loop.
static void planar_coordinates_run_along_axis2(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(100); trial++) {
    Rng g = rng_seed(test_seed(6) + (uint64_t)trial);
    const V3 z = v3_unit(rng_v3(&g, -1, 1)), x = v3_unit(v3_cross(z, rng_v3(&g, -1, 1)));
    const V3 y = v3_cross(z, x), at = rng_v3(&g, -1, 1);
    const double px = rng_uniform(&g, -1, 1), py = rng_uniform(&g, -1, 1);
    const bool turned = trial % 2;
    char text[2048];
    snprintf(text, sizeof text,
             "sarrus: 1\nbodies: {b: {at: [%.17g, %.17g, %.17g], rpy: [1, 2, 3], mass: 1, inertia: "
             "[1, 1, 1]}}\n"
             "joints: {j: {planar: [%s], at: [%.17g, %.17g, %.17g], axis: [%.17g, %.17g, %.17g],\n"
             "  axis2: [%.17g, %.17g, %.17g], position: [%.17g, %.17g, 0]}}\n",
             at.x, at.y, at.z, turned ? "b, ground" : "ground, b", at.x, at.y, at.z, z.x, z.y, z.z,
             x.x, x.y, x.z, px, py);
    SarModel* m = parsed(text);
    SarData* d = NULL;
    double p[3], R[9];
    EXPECT_OK(sar_data_new(m, &d, &err));
    pose_of(m, d, "b", p, R);
    const V3 moved = v3_sub(v3_load(p), at);
    EXPECT_NEAR(v3_dot(moved, x), turned ? -px : px, 1e-14);
    EXPECT_NEAR(v3_dot(moved, y), turned ? -py : py, 1e-14);
    EXPECT_NEAR(v3_dot(moved, z), 0, 1e-14);
    sar_data_free(d), sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sequence_is_three_turns),
      cmocka_unit_test(roll_pitch_yaw_is_a_sequence),
      cmocka_unit_test(planar_coordinates_run_along_axis2),
  };
  return cmocka_run_group_tests_name("placing", tests, NULL, NULL);
}
