// Rotation angles by sequence: the rotations about the three axes, one after the other, are the rotation again, for every
// sequence, also where the first axis meets the last; and bodies measure them.
#include "math/sequence.h"
#include "support/random.h"
#include "support/run.h"

#include <math.h>

static M3 about(char axis, double angle) {
  const double c = cos(angle), s = sin(angle);
  return axis == 'x' ? m3_rot_x(c, s) : axis == 'y' ? m3_rot_y(c, s) : m3_rot_z(c, s);
}

static M3 composed(const char* sequence, const double a[3]) {
  return m3_mul(about(sequence[0], a[0]),
                m3_mul(about(sequence[1], a[1]), about(sequence[2], a[2])));
}

static void expect_same(M3 A, M3 B, double tolerance) {
  EXPECT_ARRAY_NEAR(&A.xx, &B.xx, 9, tolerance);
}

static void angles_compose_to_the_rotation(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(1));
  for (int trial = 0; trial < test_effort(2000); trial++) {
    const M3 R = quat_to_m3(rng_quat(&r));
    for (int k = 0; k < SAR_SEQUENCES; k++) {
      double a[3];
      sar_rotation_angles(R, sar_sequence[k], a);
      expect_same(composed(sar_sequence[k], a), R, 1e-14);
      const bool euler = sar_sequence[k][0] == sar_sequence[k][2];
      assert_true(euler ? a[1] >= 0 && a[1] <= 3.1416 : fabs(a[1]) <= 1.5708);
    }
  }
}

static void angles_are_found_in_gimbal_lock(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(2));
  for (int trial = 0; trial < test_effort(500); trial++)
    for (int k = 0; k < SAR_SEQUENCES; k++) {
      const bool euler = sar_sequence[k][0] == sar_sequence[k][2];
      const double right = acos(-1) / 2, sign = rng_int(&r, 2) ? 1 : -1;
      const double near = rng_int(&r, 2) ? 0 : pow(10, rng_uniform(&r, -16, -6));
      const double in[3] = {rng_uniform(&r, -3, 3),
                            (euler ? (sign + 1) * right : sign * right) - near,
                            rng_uniform(&r, -3, 3)};
      double a[3];
      const M3 R = composed(sar_sequence[k], in);
      sar_rotation_angles(R, sar_sequence[k], a);
      expect_same(composed(sar_sequence[k], a), R, 3e-9);  // the angle at which it counts as locked
    }
}

static void bodies_measure_their_angles(void** state) {
  (void)state;
  Run r =
      run_open(model_text("bodies:\n  hull: {mass: 1, inertia: [1, 1, 1], rpy: [0.3, -0.4, 1.1]}\n"
                          "outputs:\n"
                          "  - {value: hull.zyx1, name: yaw}\n"
                          "  - {value: hull.zyx2, name: pitch}\n"
                          "  - {value: hull.zyx3, name: roll}\n"),
               NULL);
  EXPECT_NEAR(run_output(&r, "yaw"), 1.1, 1e-14);
  EXPECT_NEAR(run_output(&r, "pitch"), -0.4, 1e-14);
  EXPECT_NEAR(run_output(&r, "roll"), 0.3, 1e-14);
  run_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angles_compose_to_the_rotation),
      cmocka_unit_test(angles_are_found_in_gimbal_lock),
      cmocka_unit_test(bodies_measure_their_angles),
  };
  return cmocka_run_group_tests_name("sequence", tests, NULL, NULL);
}
