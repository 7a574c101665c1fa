// Joints: what every kind promises, checked by looping over the registry on random values.
//
// Derivatives are checked against central differences with a step of 1e-5: their error is about
// h^2 = 1e-10 from the third derivative plus 1e-16/h = 1e-11 from rounding, for values of order 1.
#include "support/test.h"

#include "math/rotvec.h"
#include "model/model.h"

enum { TRIALS = 300 };
static const double STEP = 1e-5, DIFFERENCE = 1e-8, TIGHT = 1e-13;

typedef struct Sample {
  double param[SAR_JOINT_MAX_PARAM];
  double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
} Sample;

static void joint_zero(const SarJointKind* k, double* q) {
  for (int i = 0; i < k->nq; i++) q[i] = 0;
  if (k->zero) k->zero(q);
}

static void joint_retract(const SarJointKind* k, const double* param, const double* q0,
                          const double* xi, double* q) {
  if (k->retract) {
    k->retract(param, q0, xi, q);
    return;
  }
  for (int i = 0; i < k->nq; i++) q[i] = q0[i] + xi[i];
}

static void joint_rate(const SarJointKind* k, const double* param, const double* q0,
                       const double* xi, const double* v, double* xi_rate) {
  if (k->rate) {
    k->rate(param, q0, xi, v, xi_rate);
    return;
  }
  for (int i = 0; i < k->nv; i++) xi_rate[i] = v[i];
}

static void joint_displacement(const SarJointKind* k, const double* param, const double* q0,
                               const double* q, double* xi) {
  if (k->displacement) {
    k->displacement(param, q0, q, xi);
    return;
  }
  for (int i = 0; i < k->nv; i++) xi[i] = q[i] - q0[i];
}

// a random position by retracting from zero: knows nothing of what the coordinates are
static Sample random_sample(Rng* r, const SarJointKind* k) {
  Sample s;
  double q0[SAR_JOINT_MAX_NQ], xi[SAR_JOINT_MAX_NV];
  for (int i = 0; i < SAR_JOINT_MAX_PARAM; i++) s.param[i] = rng_uniform(r, -1, 1);
  for (int i = 0; i < SAR_JOINT_MAX_NV; i++) xi[i] = rng_uniform(r, -1.5, 1.5);
  for (int i = 0; i < SAR_JOINT_MAX_NV; i++) s.v[i] = rng_uniform(r, -1, 1);
  joint_zero(k, q0);
  joint_retract(k, s.param, q0, xi, s.q);
  return s;
}

// where the joint is after a time h of constant velocity coordinates, to second order and beyond:
// midpoint rule on the local coordinates
static void drift(const SarJointKind* k, const Sample* s, double h, double* q) {
  double zero[SAR_JOINT_MAX_NV] = {0}, rate[SAR_JOINT_MAX_NV], xi[SAR_JOINT_MAX_NV];
  joint_rate(k, s->param, s->q, zero, s->v, rate);
  for (int i = 0; i < k->nv; i++) xi[i] = 0.5 * h * rate[i];
  joint_rate(k, s->param, s->q, xi, s->v, rate);
  for (int i = 0; i < k->nv; i++) xi[i] = h * rate[i];
  joint_retract(k, s->param, s->q, xi, q);
}

static Motion velocity(const SarJointKind* k, const SarJointCalc* c, const double* v) {
  Motion V = motion_zero();
  for (int i = 0; i < k->nv; i++) V = motion_add(V, motion_scale(v[i], c->S[i]));
  return V;
}

// V in B of the motion from pose X to pose Y in the time h, both in the same frame
static Motion velocity_between(Xform X, Xform Y, double h) {
  Xform D = x_mul(x_inv(X), Y);
  return (Motion){v3_scale(1 / h, quat_log(quat_from_m3(D.R))), v3_scale(1 / h, D.p)};
}

static void expect_v3(V3 a, V3 b, double tol) {
  EXPECT_NEAR(a.x, b.x, tol);
  EXPECT_NEAR(a.y, b.y, tol);
  EXPECT_NEAR(a.z, b.z, tol);
}

static void expect_motion(Motion a, Motion b, double tol) {
  expect_v3(a.w, b.w, tol);
  expect_v3(a.v, b.v, tol);
}

static void expect_xform(Xform X, Xform Y, double tol) {
  expect_v3(m3_col_x(X.R), m3_col_x(Y.R), tol);
  expect_v3(m3_col_y(X.R), m3_col_y(Y.R), tol);
  expect_v3(m3_col_z(X.R), m3_col_z(Y.R), tol);
  expect_v3(X.p, Y.p, tol);
}

typedef void Check(Rng* r, const SarJointKind* k);

static void for_every_kind(uint64_t seed, Check* check) {
  Rng r = rng_seed(seed);
  for (int i = 0; sar_joint_kind(i); i++)
    for (int trial = 0; trial < test_effort(TRIALS); trial++) check(&r, sar_joint_kind(i));
}

static void every_kind_is_found_by_name_and_complete(void** state) {
  (void)state;
  int count = 0;
  for (; sar_joint_kind(count); count++) {
    const SarJointKind* k = sar_joint_kind(count);
    assert_ptr_equal(sar_joint_kind_find(k->name), k);
    assert_true(k->doc && k->doc[0]);
    assert_non_null(k->calc);
    assert_true(k->nv <= SAR_JOINT_MAX_NV && k->nq <= SAR_JOINT_MAX_NQ && k->nq >= k->nv);
    // positions that are not a plain vector need all of their manifold
    if (k->nq != k->nv) assert_true(k->zero && k->retract && k->rate && k->displacement);
    for (int i = 0; i < k->nq; i++) assert_non_null(k->q_suffix[i]);
    for (int i = 0; i < k->nv; i++) assert_non_null(k->v_suffix[i]);
    for (int i = 0; i < k->nparam; i++) assert_true(k->param[i].name && k->param[i].doc);
  }
  assert_true(count >= 9);  // none got lost
  assert_null(sar_joint_kind(-1));
  assert_null(sar_joint_kind_find("hinge"));
}

static void zero_position_puts_B_on_F(Rng* r, const SarJointKind* k) {
  Sample s = random_sample(r, k);
  SarJointCalc c;
  joint_zero(k, s.q);
  k->calc(s.param, s.q, NULL, &c);
  expect_xform(c.X_FB, x_identity(), 0);
}

static void S_is_the_derivative_of_the_pose(Rng* r, const SarJointKind* k) {
  Sample s = random_sample(r, k);
  SarJointCalc c, before, after;
  double q[SAR_JOINT_MAX_NQ];
  k->calc(s.param, s.q, s.v, &c);
  drift(k, &s, -STEP, q);
  k->calc(s.param, q, NULL, &before);
  drift(k, &s, STEP, q);
  k->calc(s.param, q, NULL, &after);
  // both ends are seen from the middle, so that the error is of second order
  Motion forth = velocity_between(c.X_FB, after.X_FB, STEP);
  Motion back = velocity_between(c.X_FB, before.X_FB, -STEP);
  expect_motion(motion_scale(0.5, motion_add(forth, back)), velocity(k, &c, s.v), DIFFERENCE);
}

static void cJ_is_the_derivative_of_S_times_v(Rng* r, const SarJointKind* k) {
  Sample s = random_sample(r, k);
  SarJointCalc c, before, after;
  double q[SAR_JOINT_MAX_NQ];
  k->calc(s.param, s.q, s.v, &c);
  drift(k, &s, -STEP, q);
  k->calc(s.param, q, s.v, &before);
  drift(k, &s, STEP, q);
  k->calc(s.param, q, s.v, &after);
  Motion V0 = velocity(k, &before, s.v), V1 = velocity(k, &after, s.v);
  Motion rate = motion_scale(0.5 / STEP, motion_add(V1, motion_scale(-1, V0)));
  expect_motion(rate, c.cJ, DIFFERENCE);
}

// the pose along xi(t) moves with the velocity that rate was asked for
static void rate_agrees_with_S_away_from_the_base_point(Rng* r, const SarJointKind* k) {
  Sample s = random_sample(r, k);
  double xi[SAR_JOINT_MAX_NV], rate[SAR_JOINT_MAX_NV], moved[SAR_JOINT_MAX_NV];
  double q[SAR_JOINT_MAX_NQ];
  SarJointCalc c, before, after;
  // small displacements use the series of the rate, large ones the closed form
  double size = rng_int(r, 2) ? 1.5 : 0.05;
  for (int i = 0; i < k->nv; i++) xi[i] = rng_uniform(r, -size, size);
  joint_rate(k, s.param, s.q, xi, s.v, rate);
  joint_retract(k, s.param, s.q, xi, q);
  k->calc(s.param, q, NULL, &c);
  for (int i = 0; i < k->nv; i++) moved[i] = xi[i] - STEP * rate[i];
  joint_retract(k, s.param, s.q, moved, q);
  k->calc(s.param, q, NULL, &before);
  for (int i = 0; i < k->nv; i++) moved[i] = xi[i] + STEP * rate[i];
  joint_retract(k, s.param, s.q, moved, q);
  k->calc(s.param, q, NULL, &after);
  Motion forth = velocity_between(c.X_FB, after.X_FB, STEP);
  Motion back = velocity_between(c.X_FB, before.X_FB, -STEP);
  expect_motion(motion_scale(0.5, motion_add(forth, back)), velocity(k, &c, s.v), DIFFERENCE);
}

static void displacement_is_the_inverse_of_retract(Rng* r, const SarJointKind* k) {
  Sample s = random_sample(r, k);
  double xi[SAR_JOINT_MAX_NV], again[SAR_JOINT_MAX_NV], q[SAR_JOINT_MAX_NQ];
  // below half a turn in all: |xi| <= 1.7 sqrt(3) < pi; and tiny ones keep their digits
  double size = rng_int(r, 2) ? 1.7 : 1e-9;
  for (int i = 0; i < k->nv; i++) xi[i] = rng_uniform(r, -size, size);
  joint_retract(k, s.param, s.q, xi, q);
  joint_displacement(k, s.param, s.q, q, again);
  EXPECT_ARRAY_NEAR(again, xi, k->nv, 1e-14 + TIGHT * size);
  joint_displacement(k, s.param, s.q, s.q, again);
  for (int i = 0; i < k->nv; i++) EXPECT_NEAR(again[i], 0, 1e-15);
}

static M3 turn_of(const SarJointKind* k) {
  M3 T = k->turn;
  return T.xx == 0 && T.xy == 0 && T.xz == 0 ? m3_identity() : T;
}

static void flip_of(const SarJointKind* k, const Sample* s, Sample* other) {
  *other = *s;
  if (k->flip) k->flip(s->param, s->q, s->v, other->q, other->v);
}

// X_F'B'(q') = T' X_FB(q)^-1 T, and the velocity turns round with it
static void turned_joint_is_the_same_motion_seen_from_the_other_side(Rng* r,
                                                                     const SarJointKind* k) {
  Sample s = random_sample(r, k), other, back;
  SarJointCalc c, o;
  flip_of(k, &s, &other);
  k->calc(s.param, s.q, s.v, &c);
  k->calc(other.param, other.q, other.v, &o);
  Xform T = {turn_of(k), v3_zero()};
  EXPECT_NEAR(v3_dot(m3_col_x(T.R), v3_cross(m3_col_y(T.R), m3_col_z(T.R))), 1, 0);
  expect_xform(o.X_FB, x_mul(x_inv(T), x_mul(x_inv(c.X_FB), T)), TIGHT);
  // V_BF = -V_FB, seen from F (the other's B) and turned
  Motion V = motion_scale(-1, x_motion(c.X_FB, velocity(k, &c, s.v)));
  expect_motion(velocity(k, &o, other.v), x_motion_inv(T, V), TIGHT);

  flip_of(k, &other, &back);
  EXPECT_ARRAY_NEAR(back.q, s.q, k->nq, TIGHT);
  EXPECT_ARRAY_NEAR(back.v, s.v, k->nv, TIGHT);
}

static void flip_works_in_place_and_without_velocity(Rng* r, const SarJointKind* k) {
  if (!k->flip) return;
  Sample s = random_sample(r, k), other, here = s;
  flip_of(k, &s, &other);
  k->flip(here.param, here.q, here.v, here.q, here.v);
  EXPECT_ARRAY_NEAR(here.q, other.q, k->nq, 0);
  EXPECT_ARRAY_NEAR(here.v, other.v, k->nv, 0);
  here = s;
  k->flip(here.param, here.q, NULL, here.q, NULL);
  EXPECT_ARRAY_NEAR(here.q, other.q, k->nq, 0);
}

// joint forces keep their power when they are carried from the file's direction to the tree's
static void forces_keep_their_power_when_turned(Rng* r, const SarJointKind* k) {
  Sample s = random_sample(r, k), file;
  int turned = rng_int(r, 2);
  SarModel m = {.joint_kind = &k, .joint_turned = &turned, .joint_param = s.param};
  sar_joint_flip(&m, 0, s.q, s.v, file.q, file.v);
  double tau_file[SAR_JOINT_MAX_NV], tau[SAR_JOINT_MAX_NV] = {0}, power = 0, power_file = 0;
  for (int i = 0; i < k->nv; i++) tau_file[i] = rng_uniform(r, -1, 1);
  sar_joint_add_force(&m, 0, s.q, tau_file, tau);
  for (int i = 0; i < k->nv; i++) power += tau[i] * s.v[i], power_file += tau_file[i] * file.v[i];
  EXPECT_NEAR(power, power_file, TIGHT);
  if (!turned) EXPECT_ARRAY_NEAR(file.q, s.q, k->nq, 0);
}

static void universal_frame_has_the_axes_asked_for(void** state) {
  (void)state;
  const SarJointKind* k = sar_joint_kind_find("universal");
  Rng r = rng_seed(10);
  for (int trial = 0; trial < TRIALS; trial++) {
    V3 axis = v3_unit(rng_v3(&r, -1, 1)), axis2 = v3_perp(axis);
    M3 R = k->frame(axis, axis2);
    expect_v3(m3_col_x(R), axis, 0);
    expect_v3(m3_col_y(R), axis2, 0);
    expect_v3(m3_col_z(R), v3_cross(axis, axis2), 0);
  }
}

// a quaternion that came unnormalised from the host gives the same pose, and retract repairs it
static void quaternions_need_not_be_normalised(void** state) {
  (void)state;
  const SarJointKind* k = sar_joint_kind_find("spherical");
  Rng r = rng_seed(11);
  for (int trial = 0; trial < TRIALS; trial++) {
    Sample s = random_sample(&r, k), scaled = s;
    double xi[3] = {0, 0, 0}, q[4];
    for (int i = 0; i < 4; i++) scaled.q[i] *= 3;
    SarJointCalc a, b;
    k->calc(s.param, s.q, NULL, &a);
    k->calc(s.param, scaled.q, NULL, &b);
    expect_xform(a.X_FB, b.X_FB, TIGHT);
    k->retract(s.param, scaled.q, xi, q);
    EXPECT_ARRAY_NEAR(q, s.q, 4, TIGHT);
  }
}

static void rotation_vector_survives_the_branch_at_half_a_turn(void** state) {
  (void)state;
  // exactly half a turn has w = 0: either sign is right, the length is pi
  EXPECT_NEAR(v3_norm(quat_log((Quat){0, 0.6, 0, 0.8})), 3.141592653589793, 1e-15);
  // just beyond half a turn the shortest way is back: 2 pi - theta
  V3 xi = quat_log(quat_exp(v3(0, 0, 3.2)));
  EXPECT_NEAR(xi.z, 3.2 - 6.283185307179586, 1e-14);
  // nothing happens at zero, and the tiniest vectors come back
  expect_v3(quat_log(quat_exp(v3_zero())), v3_zero(), 0);
  expect_v3(quat_log(quat_exp(v3(1e-200, 0, 0))), v3(1e-200, 0, 0), 0);
}

// coordinates -> pose -> coordinates, some turns away; and a pose the joint does not allow leaves
// its coordinates alone
static void coordinates_of_a_pose(Rng* r, const SarJointKind* k) {
  Sample s = random_sample(r, k);
  double near[SAR_JOINT_MAX_NQ], q[SAR_JOINT_MAX_NQ];
  SarJointCalc c;
  if (k->nv == 0) {
    assert_null(k->coordinates);
    return;
  }
  assert_non_null(k->coordinates);
  const double turns = 6.283185307179586 * rng_int(r, 7);
  const bool quaternion = k->nq > k->nv;
  for (int i = 0; i < k->nv && !quaternion; i++)
    if (k->coordinate[i] == SAR_ANGLE) s.q[i] += turns;
  if (quaternion && rng_int(r, 2))
    for (int i = k->nq - 4; i < k->nq; i++) s.q[i] = -s.q[i];
  // less than half a turn away, for quaternions less than a right angle on their sphere
  for (int i = 0; i < k->nq; i++) near[i] = s.q[i] + rng_uniform(r, -0.4, 0.4);
  k->calc(s.param, s.q, NULL, &c);
  k->coordinates(s.param, c.X_FB, near, q);
  EXPECT_ARRAY_NEAR(q, s.q, k->nq, 1e-13 * (1 + turns));
  k->coordinates(s.param, c.X_FB, q, q);  // in place
  EXPECT_ARRAY_NEAR(q, s.q, k->nq, 1e-13 * (1 + turns));
}

// what cut_joints.c rests on: v from the rotation for angles, from the displacement for lengths
static void speeds_are_components_of_the_motion(Rng* r, const SarJointKind* k) {
  Sample s = random_sample(r, k);
  SarJointCalc c;
  k->calc(s.param, s.q, s.v, &c);
  Motion V = velocity(k, &c, s.v);
  for (int i = 0; i < k->nv; i++) {
    bool angle = k->coordinate[i] == SAR_ANGLE;
    EXPECT_NEAR(v3_dot(sar_dual_axis(k, i, &c.S[i]), angle ? V.w : V.v), s.v[i], TIGHT);
  }
}

#define FOR_EVERY_KIND(check, seed)        \
  static void check##_test(void** state) { \
    (void)state;                           \
    for_every_kind(seed, check);           \
  }
FOR_EVERY_KIND(zero_position_puts_B_on_F, 1)
FOR_EVERY_KIND(S_is_the_derivative_of_the_pose, 2)
FOR_EVERY_KIND(cJ_is_the_derivative_of_S_times_v, 3)
FOR_EVERY_KIND(rate_agrees_with_S_away_from_the_base_point, 4)
FOR_EVERY_KIND(displacement_is_the_inverse_of_retract, 5)
FOR_EVERY_KIND(turned_joint_is_the_same_motion_seen_from_the_other_side, 6)
FOR_EVERY_KIND(flip_works_in_place_and_without_velocity, 7)
FOR_EVERY_KIND(forces_keep_their_power_when_turned, 8)
FOR_EVERY_KIND(coordinates_of_a_pose, 9)
FOR_EVERY_KIND(speeds_are_components_of_the_motion, 10)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_is_found_by_name_and_complete),
      cmocka_unit_test(zero_position_puts_B_on_F_test),
      cmocka_unit_test(S_is_the_derivative_of_the_pose_test),
      cmocka_unit_test(cJ_is_the_derivative_of_S_times_v_test),
      cmocka_unit_test(rate_agrees_with_S_away_from_the_base_point_test),
      cmocka_unit_test(displacement_is_the_inverse_of_retract_test),
      cmocka_unit_test(turned_joint_is_the_same_motion_seen_from_the_other_side_test),
      cmocka_unit_test(flip_works_in_place_and_without_velocity_test),
      cmocka_unit_test(forces_keep_their_power_when_turned_test),
      cmocka_unit_test(coordinates_of_a_pose_test),
      cmocka_unit_test(speeds_are_components_of_the_motion_test),
      cmocka_unit_test(universal_frame_has_the_axes_asked_for),
      cmocka_unit_test(quaternions_need_not_be_normalised),
      cmocka_unit_test(rotation_vector_survives_the_branch_at_half_a_turn),
  };
  return cmocka_run_group_tests_name("joints", tests, NULL, NULL);
}
