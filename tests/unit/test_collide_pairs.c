// Narrow phase: pairs with known answers.
//
// Sizes and poses are of order 1, so what is a sum of a few products is right to 1e-14; bounds are
// ten times that.
#include "support/test.h"

#include "support/solids.h"

static const double TIGHT = 1e-13;

typedef struct Hits {
  int n;
  SarTouch t[SAR_TOUCH_MOST];
} Hits;

static Xform at(double x, double y, double z) { return (Xform){m3_identity(), v3(x, y, z)}; }
static Xform tilted_x(double angle, V3 p) { return (Xform){m3_rot_x(cos(angle), sin(angle)), p}; }
static Xform tilted_y(double angle, V3 p) { return (Xform){m3_rot_y(cos(angle), sin(angle)), p}; }

static Hits hits(SarSolid a, Xform X_a, SarSolid b, Xform X_b, double margin) {
  Hits h;
  h.n = sar_collide(&a, &X_a, &b, &X_b, margin, h.t, SAR_TOUCH_MOST);
  return h;
}

static void expect_v3(V3 a, V3 b, double tol) {
  EXPECT_NEAR(a.x, b.x, tol);
  EXPECT_NEAR(a.y, b.y, tol);
  EXPECT_NEAR(a.z, b.z, tol);
}

// n touches, all with this normal and gap
static void expect_flat(Hits h, int n, V3 normal, double gap) {
  assert_int_equal(h.n, n);
  for (int i = 0; i < n; i++) {
    expect_v3(h.t[i].normal, normal, TIGHT);
    EXPECT_NEAR(h.t[i].gap, gap, TIGHT);
  }
}

static double reach_of(Hits h, V3 d) {
  double most = -HUGE_VAL;
  for (int i = 0; i < h.n; i++) most = fmax(most, v3_dot(h.t[i].point, d));
  return most;
}

static void spheres_touch_on_the_line_of_their_centres(void** state) {
  (void)state;
  Hits h = hits(solid_sphere(1), at(0, 0, 0), solid_sphere(0.5), at(0, 3, 4), 5);
  expect_flat(h, 1, v3(0, 0.6, 0.8), 3.5);
  expect_v3(h.t[0].point, v3(0, 2.75 * 0.6, 2.75 * 0.8), TIGHT);
  h = hits(solid_sphere(1), at(0, 0, 0), solid_sphere(0.5), at(0, 3, 4), 3.4);
  assert_int_equal(h.n, 0);
  // one in the other: any direction, but a unit vector and the whole depth
  h = hits(solid_sphere(1), at(1, 2, 3), solid_sphere(0.5), at(1, 2, 3), 0);
  EXPECT_NEAR(h.t[0].gap, -1.5, TIGHT);
  EXPECT_NEAR(v3_norm(h.t[0].normal), 1, TIGHT);
}

static void sphere_touches_face_edge_and_inside_of_a_box(void** state) {
  (void)state;
  SarSolid box = solid_box(1, 2, 3), ball = solid_sphere(0.5);
  expect_flat(hits(box, at(0, 0, 0), ball, at(0.2, 0.3, 3.6), 0.2), 1, v3(0, 0, 1), 0.1);
  expect_flat(hits(ball, at(0.2, 0.3, 3.4), box, at(0, 0, 0), 0.2), 1, v3(0, 0, -1), -0.1);
  Hits h = hits(box, at(0, 0, 0), ball, at(1.3, 2.4, 0), 0.2);
  expect_flat(h, 1, v3(0.6, 0.8, 0), 0);
  expect_v3(h.t[0].point, v3(1, 2, 0), TIGHT);
  // centre inside, 0.2 under the face x = 1
  expect_flat(hits(box, at(0, 0, 0), ball, at(0.8, 0.1, 0.1), 0), 1, v3(1, 0, 0), -0.7);
}

static void sphere_touches_side_end_and_rim_of_a_cylinder(void** state) {
  (void)state;
  SarSolid rod = solid_cylinder(1, 2), ball = solid_sphere(0.5);
  expect_flat(hits(rod, at(0, 0, 0), ball, at(0, 1.6, 0.3), 0.2), 1, v3(0, 1, 0), 0.1);
  expect_flat(hits(rod, at(0, 0, 0), ball, at(0.3, 0.1, -2.4), 0.2), 1, v3(0, 0, -1), -0.1);
  expect_flat(hits(rod, at(0, 0, 0), ball, at(0, 1.3, 2.4), 0.2), 1, v3(0, 0.6, 0.8), 0);
}

static void capsules_cross_and_lie_side_by_side(void** state) {
  (void)state;
  SarSolid c = solid_capsule(0.1, 1);
  Hits h = hits(c, at(0, 0, 0), c, tilted_x(1.5707963267948966, v3(0.25, 0.3, 0.4)), 0.1);
  expect_flat(h, 1, v3(1, 0, 0), 0.05);
  expect_v3(h.t[0].point, v3(0.125, 0, 0.4), TIGHT);
  // side by side they share from z = -0.7 to 1
  h = hits(c, at(0, 0, 0), c, at(0, 0.15, 0.3), 0);
  expect_flat(h, 2, v3(0, 1, 0), -0.05);
  EXPECT_NEAR(reach_of(h, v3(0, 0, 1)), 1, TIGHT);
  EXPECT_NEAR(reach_of(h, v3(0, 0, -1)), 0.7, TIGHT);
  // in a line: end to end
  expect_flat(hits(c, at(0, 0, 0), c, at(0, 0, 2.25), 0.1), 1, v3(0, 0, 1), 0.05);
}

static void capsule_lies_on_a_box_with_two_points(void** state) {
  (void)state;
  SarSolid box = solid_box(1, 1, 1), c = solid_capsule(0.1, 2);
  const double quarter = 1.5707963267948966;
  Hits h = hits(box, at(0, 0, 0), c, tilted_y(quarter, v3(0.5, 0, 1.05)), 0.01);
  expect_flat(h, 2, v3(0, 0, 1), -0.05);
  EXPECT_NEAR(reach_of(h, v3(1, 0, 0)), 1, TIGHT);
  EXPECT_NEAR(reach_of(h, v3(-1, 0, 0)), 1, TIGHT);
  // its axis inside: out through the top, 0.3 and the radius
  h = hits(box, at(0, 0, 0), c, tilted_y(quarter, v3(0, 0, 0.7)), 0.01);
  expect_flat(h, 2, v3(0, 0, 1), -0.4);
  // leaning by 0.01, one end 0.02 above the other
  h = hits(solid_box(3, 3, 1), at(0, 0, 0), c, tilted_y(quarter + 0.01, v3(0, 0, 1.1)), 0.1);
  assert_int_equal(h.n, 2);
  EXPECT_NEAR(fabs(h.t[0].gap - h.t[1].gap), 4 * sin(0.01), TIGHT);
}

static void box_on_box_has_the_corners_of_what_they_share(void** state) {
  (void)state;
  SarSolid large = solid_box(1, 1, 1), small = solid_box(0.5, 0.5, 0.5);
  for (int k = -1; k <= 1; k++) {
    double gap = k == 0 ? 0 : k < 0 ? -0.5 : 0.05;
    Hits h = hits(large, at(0, 0, 0), small, at(0.2, 0.1, 1.5 + gap), 0.1);
    expect_flat(h, 4, v3(0, 0, 1), gap);
    EXPECT_NEAR(reach_of(h, v3(1, 0, 0)), 0.7, TIGHT);
    EXPECT_NEAR(reach_of(h, v3(0, -1, 0)), 0.4, TIGHT);
    EXPECT_NEAR(reach_of(h, v3(0, 0, 1)), 1 + 0.5 * gap, TIGHT);
  }
  // hanging over: the stretch from x = 0.7 to 1
  Hits h = hits(large, at(0, 0, 0), small, at(1.2, 0, 1.45), 0.1);
  expect_flat(h, 4, v3(0, 0, 1), -0.05);
  EXPECT_NEAR(reach_of(h, v3(1, 0, 0)), 1, TIGHT);
  EXPECT_NEAR(reach_of(h, v3(-1, 0, 0)), -0.7, TIGHT);
  // turned by an eighth: an octagon
  Xform turned = {m3_rot_z(sqrt(0.5), sqrt(0.5)), v3(0, 0, 1.99)};
  expect_flat(hits(large, at(0, 0, 0), large, turned, 0), 8, v3(0, 0, 1), -0.01);
}

static void box_edges_cross_at_one_point(void** state) {
  (void)state;
  SarSolid box = solid_box(1, 1, 1);
  const double eighth = 0.7853981633974483;
  // an edge along x up, an edge along y down, 0.1 apart
  Xform lower = tilted_x(eighth, v3_zero()),
        upper = tilted_y(eighth, v3(0.2, 0.3, 2 * sqrt(2) + 0.1));
  Hits h = hits(box, lower, box, upper, 0.2);
  expect_flat(h, 1, v3(0, 0, 1), 0.1);
  expect_v3(h.t[0].point, v3(0.2, 0, sqrt(2) + 0.05), TIGHT);
  upper.p.z -= 0.2;
  expect_flat(hits(box, lower, box, upper, 0.2), 1, v3(0, 0, 1), -0.1);
}

static void boxes_apart_at_corners_have_their_distance(void** state) {
  (void)state;
  SarSolid box = solid_box(1, 1, 1);
  // corner to corner: no axis of a face or edge has this distance
  Hits h = hits(box, at(0, 0, 0), box, at(2.03, 2.04, 2.12), 0.2);
  expect_flat(h, 1, v3(3.0 / 13, 4.0 / 13, 12.0 / 13), 0.13);
  assert_int_equal(hits(box, at(0, 0, 0), box, at(2.03, 2.04, 2.12), 0.125).n, 0);
  // edge to edge side by side: two ends
  h = hits(box, at(0, 0, 0), box, at(2.03, 2.04, 0.5), 0.2);
  expect_flat(h, 2, v3(0.6, 0.8, 0), 0.05);
  EXPECT_NEAR(reach_of(h, v3(0, 0, 1)), 1, TIGHT);
  EXPECT_NEAR(reach_of(h, v3(0, 0, -1)), 0.5, TIGHT);
}

static void solids_stand_on_a_plane(void** state) {
  (void)state;
  SarSolid floor = solid_plane();
  V3 up = v3(0, 0, 1);
  expect_flat(hits(floor, at(0, 0, 0), solid_sphere(1), at(3, 4, 0.9), 0), 1, up, -0.1);
  expect_flat(hits(floor, at(0, 0, 0), solid_box(1, 2, 3), at(3, 4, 2.5), 0), 4, up, -0.5);
  expect_flat(hits(solid_box(1, 2, 3), at(3, 4, 3.5), floor, at(0, 0, 0), 1), 4, v3(0, 0, -1), 0.5);
  const double quarter = 1.5707963267948966;
  expect_flat(hits(floor, at(0, 0, 0), solid_capsule(1, 2), tilted_x(quarter, v3(0, 0, 0.9)), 0), 2,
              up, -0.1);
  expect_flat(hits(floor, at(0, 0, 0), solid_cylinder(1, 2), tilted_x(quarter, v3(0, 0, 0.9)), 0),
              2, up, -0.1);
  expect_flat(hits(floor, at(0, 0, 0), solid_cylinder(1, 2), at(0, 0, 1.9), 0), 4, up, -0.1);
  TestHull h;
  expect_flat(hits(floor, at(0, 0, 0), solid_prism(&h, 6, 1, 2), at(0, 0, 1.9), 0), 6, up, -0.1);
}

// The box around a solid ends where the solid does, in all six directions.
static void bounds_are_tight(void** state) {
  (void)state;
  static const SarSolidKind KIND[5] = {SAR_SOLID_SPHERE, SAR_SOLID_BOX, SAR_SOLID_CAPSULE,
                                       SAR_SOLID_CYLINDER, SAR_SOLID_CONVEX};
  Rng r = rng_seed(3);
  TestHull h;
  for (int trial = 0; trial < 1000; trial++) {
    SarSolid s = solid_random(&h, &r, KIND[trial % 5]);
    Xform X = {quat_to_m3(rng_quat(&r)), rng_v3(&r, -1, 1)};
    SarBounds b = sar_solid_bounds(&s, &X, 0.125);
    const double low[3] = {b.low.x, b.low.y, b.low.z}, high[3] = {b.high.x, b.high.y, b.high.z};
    for (int k = 0; k < 3; k++) {
      V3 d = v3(k == 0, k == 1, k == 2);
      EXPECT_NEAR(high[k], solid_reach(&s, &X, d) + 0.125, TIGHT);
      EXPECT_NEAR(-low[k], solid_reach(&s, &X, v3_neg(d)) + 0.125, TIGHT);
    }
  }
  // a plane ends upwards only, and only if it is level
  SarSolid plane = solid_plane();
  Xform level = at(1, 2, 3), tilted = tilted_x(0.1, v3(1, 2, 3));
  EXPECT_NEAR(sar_solid_bounds(&plane, &level, 0.5).high.z, 3.5, 0);
  assert_true(sar_solid_bounds(&plane, &level, 0.5).low.z == -HUGE_VAL);
  assert_true(sar_solid_bounds(&plane, &level, 0.5).high.x == HUGE_VAL);
  assert_true(sar_solid_bounds(&plane, &tilted, 0.5).high.z == HUGE_VAL);
}

// A cylinder leans: first four points, then the lowest of the rim and two beside it as well, in the
// end that alone; lying down, two.
static void a_cylinder_tips_over_its_rim(void** state) {
  (void)state;
  SarSolid floor = solid_plane(), rod = solid_cylinder(1, 2);
  Xform ground = at(0, 0, 0);
  int seen[SAR_TOUCH_MOST + 1] = {0};
  double before = -0.01;
  for (int i = 0; i <= 1000; i++) {
    // about the axis x + 2 y, which is none of the four points
    double angle = 1.5707963267948966e-3 * i;
    M3 turn = m3_rot_z(2 / sqrt(5), 1 / sqrt(5));
    M3 R = m3_mul(turn, m3_mul(m3_rot_x(cos(angle), sin(angle)), m3_transpose(turn)));
    double reach = 2 * cos(angle) + sin(angle);
    Hits h = hits(floor, ground, rod, (Xform){R, v3(0, 0, reach - 0.01)}, 0.001);
    assert_in_range(h.n, 1, 7);
    seen[h.n]++;
    double low = HUGE_VAL;
    for (int k = 0; k < h.n; k++) low = fmin(low, h.t[k].gap);
    EXPECT_NEAR(low, before, TIGHT);
    if (i == 0) assert_int_equal(h.n, 4);
    if (i == 1000) assert_int_equal(h.n, 2);
  }
  assert_true(seen[1] > 900);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_touch_on_the_line_of_their_centres),
      cmocka_unit_test(sphere_touches_face_edge_and_inside_of_a_box),
      cmocka_unit_test(sphere_touches_side_end_and_rim_of_a_cylinder),
      cmocka_unit_test(capsules_cross_and_lie_side_by_side),
      cmocka_unit_test(capsule_lies_on_a_box_with_two_points),
      cmocka_unit_test(box_on_box_has_the_corners_of_what_they_share),
      cmocka_unit_test(box_edges_cross_at_one_point),
      cmocka_unit_test(boxes_apart_at_corners_have_their_distance),
      cmocka_unit_test(solids_stand_on_a_plane),
      cmocka_unit_test(a_cylinder_tips_over_its_rim),
      cmocka_unit_test(bounds_are_tight),
  };
  return cmocka_run_group_tests_name("collide_pairs", tests, NULL, NULL);
}
