// Vectors in lanes against the scalar forms of math/vec.h and math/spatial.h.
#include "support/test.h"
#include "support/tree_builder.h"

#include "math/articulated.h"

enum { TRIALS = 200 };
static const double TIGHT = 1e-14;  // values of order 1, a handful of roundings

static void expect_lanes(L4 a, V3 b) {
  EXPECT_NEAR(l4_x(a), b.x, TIGHT);
  EXPECT_NEAR(l4_y(a), b.y, TIGHT);
  EXPECT_NEAR(l4_z(a), b.z, TIGHT);
}

static V3 random_v3(Rng* r) { return rng_v3(r, -1, 1); }

typedef struct Padded {  // whatever follows in memory
  M3 R;
  double after;
} Padded;

static void components_change_places(void** state) {
  (void)state;
  const double four[4] = {1, 2, 3, 4};
  L4 a = l4_load(four);
  expect_lanes(l4_yzx(a), v3(2, 3, 1));
  expect_lanes(l4_zxy(a), v3(3, 1, 2));
  expect_lanes(l4_yxz(a), v3(2, 1, 3));
  expect_lanes(l4_xzy(a), v3(1, 3, 2));
  expect_lanes(l4_zyx(a), v3(3, 2, 1));
  expect_lanes(l4_023(a), v3(1, 3, 4));
  const double other[4] = {10, 20, 30, 40};
  expect_lanes(l4_sum_pairs(a, l4_load(other)), v3(3, 30, 7));
  double out[4] = {0, 0, 0, -1};
  l4_store3(out, a);
  EXPECT_NEAR(out[2], 3, 0);
  EXPECT_NEAR(out[3], -1, 0);
}

static void products_are_those_of_vectors(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  for (int i = 0; i < TRIALS; i++) {
    V3 a = random_v3(&r), b = random_v3(&r), c = random_v3(&r);
    expect_lanes(l4_cross(l4_of(a), l4_of(b)), v3_cross(a, b));
    expect_lanes(l4_add_cross(l4_of(c), l4_of(a), l4_of(b)), v3_add(c, v3_cross(a, b)));
    expect_lanes(l4_sub_cross(l4_of(c), l4_of(a), l4_of(b)), v3_sub(c, v3_cross(a, b)));
    EXPECT_NEAR(l4_sum(l4_mul(l4_of(a), l4_of(b))), v3_dot(a, b), TIGHT);
    Padded m = {quat_to_m3(rng_quat(&r)), 1e300};
    L4x3 rows = l4x3_load_rows(&m.R), columns = l4x3_transpose(rows);
    expect_lanes(l4x3_mul(rows, l4_of(a)), m3_tmul_v(m.R, a));
    expect_lanes(l4x3_mul(columns, l4_of(a)), m3_mul_v(m.R, a));
  }
}

// what follows a pose in memory must not matter
typedef struct PaddedPose {
  Xform X;
  double after;
} PaddedPose;

static PaddedPose random_pose(Rng* r) {
  M3 R = quat_to_m3(rng_quat(r));
  return (PaddedPose){{R, random_v3(r)}, 1e300};
}

static L4x3 columns_of(const Xform* X) { return l4x3_transpose(l4x3_load_rows(&X->R)); }

// power is the same in every frame, and a rigid body moved as an articulated inertia or a composite
// is the rigid body moved
static void inertias_are_those_of_rigid_bodies(void** state) {
  (void)state;
  Rng r = rng_seed(2);
  for (int i = 0; i < TRIALS; i++) {
    PaddedPose pose = random_pose(&r);
    const Xform* X = &pose.X;
    Inertia I = tree_random_inertia(&r), moved = inertia_transform(*X, I);
    V3 w = random_v3(&r), v = random_v3(&r);
    LaneMotion m = {l4_of(w), l4_of(v)};
    Force F = inertia_mul(moved, (Motion){w, v});

    const ArticulatedLoad none = {0};
    Articulated a = articulated_add_inertia(&none.I, &I);
    LaneForce G = articulated_mul(articulated_transform(X, columns_of(X), a), m);
    expect_lanes(G.n, F.n);
    expect_lanes(G.f, F.f);

    Composite c = {inertia_rows(&I), l4_of(I.h), I.m};
    LaneForce H = composite_mul(composite_transform(X, columns_of(X), c), m);
    expect_lanes(H.n, F.n);
    expect_lanes(H.f, F.f);
  }
}

static void forces_and_motions_change_frames(void** state) {
  (void)state;
  Rng r = rng_seed(3);
  for (int i = 0; i < TRIALS; i++) {
    PaddedPose pose = random_pose(&r);
    const Xform* X = &pose.X;
    Motion m = {random_v3(&r), random_v3(&r)};
    Force F = {random_v3(&r), random_v3(&r)};
    L4 p = l4_of(X->p);
    LaneForce G = lane_x_force(columns_of(X), p, (LaneForce){l4_of(F.n), l4_of(F.f)});
    Force expected = x_force(*X, F);
    expect_lanes(G.n, expected.n);
    expect_lanes(G.f, expected.f);
    LaneMotion n =
        lane_x_motion_inv(l4x3_load_rows(&X->R), p, (LaneMotion){l4_of(m.w), l4_of(m.v)});
    Motion expected_motion = x_motion_inv(*X, m);
    expect_lanes(n.w, expected_motion.w);
    expect_lanes(n.v, expected_motion.v);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(components_change_places),
      cmocka_unit_test(products_are_those_of_vectors),
      cmocka_unit_test(inertias_are_those_of_rigid_bodies),
      cmocka_unit_test(forces_and_motions_change_frames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
