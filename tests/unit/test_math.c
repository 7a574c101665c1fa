// math: identities of vectors, rotations and spatial algebra, on random values.
//
// Values are of order 1, so a handful of roundings is a few 1e-16; the bounds leave a factor of
// about ten.
#include "support/test.h"

#include "math/spatial.h"

enum { TRIALS = 1000 };
static const double TIGHT = 1e-14;

static void expect_v3(V3 a, V3 b, double tol) {
  EXPECT_NEAR(a.x, b.x, tol);
  EXPECT_NEAR(a.y, b.y, tol);
  EXPECT_NEAR(a.z, b.z, tol);
}

static void expect_m3(M3 A, M3 B, double tol) {
  expect_v3(m3_col_x(A), m3_col_x(B), tol);
  expect_v3(m3_col_y(A), m3_col_y(B), tol);
  expect_v3(m3_col_z(A), m3_col_z(B), tol);
}

static double determinant(M3 A) { return v3_dot(m3_col_x(A), v3_cross(m3_col_y(A), m3_col_z(A))); }

static Motion random_motion(Rng* r) {
  V3 w = rng_v3(r, -1, 1), v = rng_v3(r, -1, 1);
  return (Motion){w, v};
}

static Force random_force(Rng* r) {
  V3 n = rng_v3(r, -1, 1), f = rng_v3(r, -1, 1);
  return (Force){n, f};
}

static Xform random_xform(Rng* r) {
  M3 R = quat_to_m3(rng_quat(r));
  return (Xform){R, rng_v3(r, -1, 1)};
}

// a body made of four point masses: always physical, and its motion can be summed point by point
enum { POINTS = 4 };
typedef struct Cloud {
  double m[POINTS];
  V3 p[POINTS];
} Cloud;

static Cloud random_cloud(Rng* r) {
  Cloud c;
  for (int i = 0; i < POINTS; i++) {
    c.m[i] = rng_uniform(r, 0.1, 1);
    c.p[i] = rng_v3(r, -1, 1);
  }
  return c;
}

static Inertia inertia_of_cloud(const Cloud* c) {
  Inertia sum = inertia_zero();
  for (int i = 0; i < POINTS; i++) sum = inertia_add(sum, inertia_of(c->m[i], c->p[i], s3_zero()));
  return sum;
}

static void cross_product_is_perpendicular_and_of_the_right_length(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  for (int i = 0; i < TRIALS; i++) {
    V3 a = rng_v3(&r, -1, 1), b = rng_v3(&r, -1, 1), c = v3_cross(a, b);
    EXPECT_NEAR(v3_dot(a, c), 0, TIGHT);
    EXPECT_NEAR(v3_dot(b, c), 0, TIGHT);
    // |a x b|^2 = |a|^2 |b|^2 - (a.b)^2
    EXPECT_NEAR(v3_dot(c, c), v3_dot(a, a) * v3_dot(b, b) - v3_dot(a, b) * v3_dot(a, b), TIGHT);
  }
}

static void frame_of_an_axis_is_a_rotation(void** state) {
  (void)state;
  Rng r = rng_seed(2);
  V3 special[] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1), v3(0, 0, -1), v3(0, -1, 0), v3(-1, 0, 0)};
  for (int i = 0; i < TRIALS; i++) {
    V3 axis = i < 6 ? special[i] : v3_unit(rng_v3(&r, -1, 1));
    M3 R = m3_frame_z(axis);
    expect_m3(m3_tmul(R, R), m3_identity(), TIGHT);
    EXPECT_NEAR(determinant(R), 1, TIGHT);
    expect_v3(m3_col_z(R), axis, 0);
  }
}

static void quaternion_gives_a_rotation_whatever_its_length(void** state) {
  (void)state;
  Rng r = rng_seed(3);
  for (int i = 0; i < TRIALS; i++) {
    Quat q = rng_quat(&r);
    double s = rng_uniform(&r, 0.01, 100);
    M3 R = quat_to_m3(q);
    expect_m3(m3_tmul(R, R), m3_identity(), TIGHT);
    EXPECT_NEAR(determinant(R), 1, TIGHT);
    expect_m3(quat_to_m3((Quat){s * q.w, s * q.x, s * q.y, s * q.z}), R, TIGHT);
  }
}

static void quaternion_survives_the_way_through_a_matrix(void** state) {
  (void)state;
  Rng r = rng_seed(4);
  // half turns about each axis and between axes are where a careless formula divides by zero
  Quat special[] = {
      {1, 0, 0, 0},   {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, M_SQRT1_2, M_SQRT1_2, 0},
      {1e-9, 0, 1, 0}};
  for (int i = 0; i < TRIALS; i++) {
    Quat q = i < 6 ? quat_unit(special[i]) : rng_quat(&r);
    Quat b = quat_from_m3(quat_to_m3(q));
    EXPECT_NEAR(quat_norm2(b), 1, TIGHT);
    assert_true(b.w >= 0);
    // q and -q are the same rotation: |<q, b>| = 1
    EXPECT_NEAR(fabs(q.w * b.w + q.x * b.x + q.y * b.y + q.z * b.z), 1, TIGHT);
  }
}

static void quaternion_product_is_the_product_of_rotations(void** state) {
  (void)state;
  Rng r = rng_seed(5);
  for (int i = 0; i < TRIALS; i++) {
    Quat a = rng_quat(&r), b = rng_quat(&r);
    expect_m3(quat_to_m3(quat_mul(a, b)), m3_mul(quat_to_m3(a), quat_to_m3(b)), TIGHT);
    expect_m3(quat_to_m3(quat_conj(a)), m3_transpose(quat_to_m3(a)), TIGHT);
  }
}

static void axis_rotations_turn_the_right_way(void** state) {
  (void)state;
  double c = cos(0.3), s = sin(0.3);
  expect_v3(m3_mul_v(m3_rot_x(c, s), v3(0, 1, 0)), v3(0, c, s), 0);
  expect_v3(m3_mul_v(m3_rot_y(c, s), v3(0, 0, 1)), v3(s, 0, c), 0);
  expect_v3(m3_mul_v(m3_rot_z(c, s), v3(1, 0, 0)), v3(c, s, 0), 0);
  // the quaternion of the same turn about z
  expect_m3(quat_to_m3((Quat){cos(0.15), 0, 0, sin(0.15)}), m3_rot_z(c, s), TIGHT);
}

static void transforms_compose_and_invert(void** state) {
  (void)state;
  Rng r = rng_seed(6);
  for (int i = 0; i < TRIALS; i++) {
    Xform X_AB = random_xform(&r), X_BC = random_xform(&r);
    V3 p = rng_v3(&r, -1, 1);
    expect_v3(x_point(x_mul(X_AB, X_BC), p), x_point(X_AB, x_point(X_BC, p)), TIGHT);
    Xform one = x_mul(X_AB, x_inv(X_AB));
    expect_m3(one.R, m3_identity(), TIGHT);
    expect_v3(one.p, v3_zero(), TIGHT);
    expect_v3(x_point_inv(X_AB, x_point(X_AB, p)), p, TIGHT);
  }
}

static void motions_and_forces_come_back_from_another_frame(void** state) {
  (void)state;
  Rng r = rng_seed(7);
  for (int i = 0; i < TRIALS; i++) {
    Xform X_AB = random_xform(&r);
    Motion V = random_motion(&r), W = x_motion_inv(X_AB, x_motion(X_AB, V)),
           U = x_motion(x_inv(X_AB), V);
    expect_v3(W.w, V.w, TIGHT);
    expect_v3(W.v, V.v, TIGHT);
    expect_v3(U.w, x_motion_inv(X_AB, V).w, TIGHT);
    expect_v3(U.v, x_motion_inv(X_AB, V).v, TIGHT);
    Force F = random_force(&r), H = x_force_inv(X_AB, x_force(X_AB, F));
    expect_v3(H.n, F.n, TIGHT);
    expect_v3(H.f, F.f, TIGHT);
  }
}

static void power_is_the_same_in_every_frame(void** state) {
  (void)state;
  Rng r = rng_seed(8);
  for (int i = 0; i < TRIALS; i++) {
    Xform X_AB = random_xform(&r);
    Motion V = random_motion(&r);
    Force F = random_force(&r);
    EXPECT_NEAR(power_of(x_motion(X_AB, V), x_force(X_AB, F)), power_of(V, F), TIGHT);
  }
}

static void crossf_is_the_dual_of_crossm(void** state) {
  (void)state;
  Rng r = rng_seed(9);
  for (int i = 0; i < TRIALS; i++) {
    Motion V = random_motion(&r), M = random_motion(&r);
    Force F = random_force(&r);
    // (V x M) . F = - M . (V x* F)
    EXPECT_NEAR(power_of(crossm(V, M), F), -power_of(M, crossf(V, F)), TIGHT);
    Motion self = crossm(V, V);
    expect_v3(self.w, v3_zero(), TIGHT);
    expect_v3(self.v, v3_zero(), TIGHT);
  }
}

// Jacobi: a x (b x c) + b x (c x a) + c x (a x b) = 0
static void motions_obey_the_jacobi_identity(void** state) {
  (void)state;
  Rng r = rng_seed(10);
  for (int i = 0; i < TRIALS; i++) {
    Motion a = random_motion(&r), b = random_motion(&r), c = random_motion(&r);
    Motion sum = motion_add(crossm(a, crossm(b, c)),
                            motion_add(crossm(b, crossm(c, a)), crossm(c, crossm(a, b))));
    expect_v3(sum.w, v3_zero(), 1e-13);
    expect_v3(sum.v, v3_zero(), 1e-13);
  }
}

// the inertia of a set of points gives the momentum that summing over the points gives
static void inertia_gives_the_momentum_of_its_points(void** state) {
  (void)state;
  Rng r = rng_seed(11);
  for (int i = 0; i < TRIALS; i++) {
    Cloud c = random_cloud(&r);
    Motion V = random_motion(&r);
    Force H = inertia_mul(inertia_of_cloud(&c), V), sum = force_zero();
    for (int k = 0; k < POINTS; k++) {
      V3 mv = v3_scale(c.m[k], v3_add(V.v, v3_cross(V.w, c.p[k])));
      sum = force_add(sum, (Force){v3_cross(c.p[k], mv), mv});
    }
    expect_v3(H.n, sum.n, TIGHT);
    expect_v3(H.f, sum.f, TIGHT);
  }
}

// 2 T = V . I V whichever frame the body is seen from, and the same as summing over its moved
// points
static void inertia_transform_keeps_kinetic_energy(void** state) {
  (void)state;
  Rng r = rng_seed(12);
  for (int i = 0; i < TRIALS; i++) {
    Cloud c = random_cloud(&r);
    Xform X_AB = random_xform(&r);
    Motion V_B = random_motion(&r);
    Inertia I_B = inertia_of_cloud(&c), I_A = inertia_transform(X_AB, I_B);
    Motion V_A = x_motion(X_AB, V_B);
    EXPECT_NEAR(power_of(V_A, inertia_mul(I_A, V_A)), power_of(V_B, inertia_mul(I_B, V_B)), 1e-13);
    for (int k = 0; k < POINTS; k++) c.p[k] = x_point(X_AB, c.p[k]);
    Inertia direct = inertia_of_cloud(&c);
    EXPECT_NEAR(I_A.m, direct.m, TIGHT);
    expect_v3(I_A.h, direct.h, TIGHT);
    expect_m3(s3_full(I_A.I), s3_full(direct.I), 3e-14);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cross_product_is_perpendicular_and_of_the_right_length),
      cmocka_unit_test(frame_of_an_axis_is_a_rotation),
      cmocka_unit_test(quaternion_gives_a_rotation_whatever_its_length),
      cmocka_unit_test(quaternion_survives_the_way_through_a_matrix),
      cmocka_unit_test(quaternion_product_is_the_product_of_rotations),
      cmocka_unit_test(axis_rotations_turn_the_right_way),
      cmocka_unit_test(transforms_compose_and_invert),
      cmocka_unit_test(motions_and_forces_come_back_from_another_frame),
      cmocka_unit_test(power_is_the_same_in_every_frame),
      cmocka_unit_test(crossf_is_the_dual_of_crossm),
      cmocka_unit_test(motions_obey_the_jacobi_identity),
      cmocka_unit_test(inertia_gives_the_momentum_of_its_points),
      cmocka_unit_test(inertia_transform_keeps_kinetic_energy),
  };
  return cmocka_run_group_tests_name("math", tests, NULL, NULL);
}
