// Narrow phase: what must hold for every pair, whatever the answer is.
//
// Swapping the solids turns the normals, moving both moves everything, ids are unique and stay
// while solids move a little, and no input makes the result anything but numbers.
#include "support/test.h"

#include "collide/pairs.h"
#include "support/solids.h"

static const SarSolidKind KIND[6] = {SAR_SOLID_SPHERE,   SAR_SOLID_BOX,   SAR_SOLID_CAPSULE,
                                     SAR_SOLID_CYLINDER, SAR_SOLID_PLANE, SAR_SOLID_CONVEX};

typedef struct Hits {
  int n;
  SarTouch t[SAR_TOUCH_MOST];
} Hits;

static Hits hits(const SarSolid* a, Xform X_a, const SarSolid* b, Xform X_b, double margin) {
  Hits h;
  h.n = sar_collide(a, &X_a, b, &X_b, margin, h.t, SAR_TOUCH_MOST);
  return h;
}

static Xform random_pose(Rng* r, double size) {
  M3 R = quat_to_m3(rng_quat(r));
  return (Xform){R, rng_v3(r, -size, size)};
}

// how far the nearest touch of h is from one that it ought to have: in place, direction and gap
static double missing(const Hits* h, const SarTouch* t, double turn) {
  double least = HUGE_VAL;
  for (int i = 0; i < h->n; i++) {
    double d = v3_norm(v3_sub(h->t[i].point, t->point)) +
               v3_norm(v3_sub(h->t[i].normal, v3_scale(turn, t->normal))) +
               fabs(h->t[i].gap - t->gap);
    least = fmin(least, d);
  }
  return least;
}

// Of cylinders, whose points are picked from a round rim, only depth and direction can be compared;
// they are iterated.
static void expect_same_depth(const Hits* one, const Hits* two, M3 R, double turn) {
  double a = HUGE_VAL, b = HUGE_VAL;
  for (int i = 0; i < one->n; i++) a = fmin(a, one->t[i].gap);
  for (int i = 0; i < two->n; i++) b = fmin(b, two->t[i].gap);
  EXPECT_NEAR(b, a, 1e-6);
  V3 n = v3_scale(turn, m3_mul_v(R, one->t[0].normal));
  EXPECT_AT_MOST(v3_norm(v3_sub(n, two->t[0].normal)), 1e-4);
}

static bool is_round(SarSolidKind a, SarSolidKind b) {
  return a == SAR_SOLID_CYLINDER || b == SAR_SOLID_CYLINDER;
}

// A manifold may be cut from either side, which moves points by what counts as flush (1e-4 of the
// size).
static void swapping_turns_the_normals(void** state) {
  (void)state;
  Rng r = rng_seed(2);
  TestHull ha, hb;
  for (int trial = 0; trial < test_effort(20000); trial++) {
    SarSolidKind ka = KIND[rng_int(&r, 6)], kb = KIND[rng_int(&r, 6)];
    SarSolid a = solid_random(&ha, &r, ka), b = solid_random(&hb, &r, kb);
    Xform X_a = random_pose(&r, 0.8), X_b = random_pose(&r, 0.8);
    Hits one = hits(&a, X_a, &b, X_b, 0.05), two = hits(&b, X_b, &a, X_a, 0.05);
    assert_int_equal(one.n > 0, two.n > 0);
    if (is_round(ka, kb)) {
      if (one.n > 0) expect_same_depth(&one, &two, m3_identity(), -1);
      continue;
    }
    assert_int_equal(one.n, two.n);
    for (int i = 0; i < one.n; i++) EXPECT_AT_MOST(missing(&two, &one.t[i], -1), 1e-3);
  }
}

static void moving_both_moves_the_touches(void** state) {
  (void)state;
  Rng r = rng_seed(3);
  TestHull ha, hb;
  for (int trial = 0; trial < test_effort(20000); trial++) {
    SarSolidKind ka = KIND[rng_int(&r, 6)], kb = KIND[rng_int(&r, 6)];
    SarSolid a = solid_random(&ha, &r, ka), b = solid_random(&hb, &r, kb);
    Xform X_a = random_pose(&r, 0.8), X_b = random_pose(&r, 0.8), X = random_pose(&r, 10);
    Hits one = hits(&a, X_a, &b, X_b, 0.05), two = hits(&a, x_mul(X, X_a), &b, x_mul(X, X_b), 0.05);
    assert_int_equal(one.n > 0, two.n > 0);
    if (is_round(ka, kb)) {
      if (one.n > 0) expect_same_depth(&one, &two, X.R, 1);
      continue;
    }
    assert_int_equal(one.n, two.n);
    for (int i = 0; i < one.n; i++) {
      SarTouch t = one.t[i];
      t.point = x_point(X, t.point);
      t.normal = m3_mul_v(X.R, t.normal);
      EXPECT_AT_MOST(missing(&two, &t, 1), 1e-7);
    }
  }
}

static void expect_sound(const Hits* h, double margin) {
  assert_in_range(h->n, 0, SAR_TOUCH_MOST);
  for (int i = 0; i < h->n; i++) {
    const SarTouch* t = &h->t[i];
    EXPECT_NEAR(v3_norm(t->normal), 1, 1e-9);
    assert_true(isfinite(t->gap) && isfinite(t->point.x + t->point.y + t->point.z));
    EXPECT_AT_MOST(t->gap, margin);
    for (int k = 0; k < i; k++) assert_int_not_equal(t->feature, h->t[k].feature);
  }
}

// A rotation that is none in particular, or one with many zeros, or nearly so.
static M3 awkward_turn(Rng* r) {
  static const double PIECE[3] = {0, 1.5707963267948966, 0.7853981633974483};
  if (rng_int(r, 3) == 0) return quat_to_m3(rng_quat(r));
  double off = rng_int(r, 2) ? 0 : pow(10, rng_uniform(r, -16, -3));
  double x = PIECE[rng_int(r, 3)] + off, y = PIECE[rng_int(r, 3)], z = PIECE[rng_int(r, 3)] - off;
  return m3_mul(m3_rot_x(cos(x), sin(x)),
                m3_mul(m3_rot_y(cos(y), sin(y)), m3_rot_z(cos(z), sin(z))));
}

static void scale_solid(SarSolid* s, TestHull* h, double by) {
  for (int i = 0; i < 3; i++) s->size[i] *= by;
  if (s->kind != SAR_SOLID_CONVEX) return;
  for (int i = 0; i < s->of.hull.nvertex; i++) h->vertex[i] = v3_scale(by, h->vertex[i]);
  for (int i = 0; i < s->of.hull.nface; i++) h->offset[i] *= by;
  s->of.hull.centre = v3_scale(by, s->of.hull.centre);
}

static void nothing_makes_it_lose_its_numbers(void** state) {
  (void)state;
  Rng r = rng_seed(4);
  TestHull ha, hb;
  for (int trial = 0; trial < test_effort(100000); trial++) {
    SarSolid a = solid_random(&ha, &r, KIND[rng_int(&r, 6)]);
    SarSolid b = solid_random(&hb, &r, KIND[rng_int(&r, 6)]);
    double common = pow(10, rng_uniform(&r, -6, 6));
    scale_solid(&a, &ha, common);
    scale_solid(&b, &hb, rng_int(&r, 2) ? common : common * pow(10, rng_uniform(&r, -6, 6)));
    // some lengths vanish, some become equal
    if (a.kind != SAR_SOLID_CONVEX && rng_int(&r, 8) == 0) a.size[rng_int(&r, 3)] = 0;
    if (rng_int(&r, 4) == 0 && a.kind == b.kind && a.kind != SAR_SOLID_CONVEX) b = a;
    double away = rng_int(&r, 3) == 0 ? 0 : common * pow(10, rng_uniform(&r, -9, 0.5));
    Xform X_a = {awkward_turn(&r), rng_v3(&r, -common, common)}, X_b = {awkward_turn(&r), X_a.p};
    if (rng_int(&r, 4) == 0) X_b.R = X_a.R;
    V3 along = rng_v3(&r, -1, 1);
    if (rng_int(&r, 2)) along = m3_col_x(X_a.R);
    X_b.p = v3_axpy(away, along, X_b.p);
    double margin = rng_int(&r, 2) ? 0 : 0.1 * common;
    Hits h = hits(&a, X_a, &b, X_b, margin);
    expect_sound(&h, margin);
  }
}

// A box rocks on another about both horizontal axes and turns and slides slowly. From one frame to
// the next the deepest gap and every point with the same id move by no more than the solid itself
// does, up to what counts as flush, and most ids stay.
static void a_rocking_box_keeps_its_points(void** state) {
  (void)state;
  SarSolid floor = solid_box(1, 1, 0.5), box = solid_box(0.3, 0.4, 0.2);
  Hits before = {0};
  int seen = 0, kept = 0;
  const double step = 1e-3, margin = 0.05;
  for (int i = 0; i < test_effort(20000); i++) {
    double t = step * i, pitch = 0.03 * sin(1.7 * t), roll = 0.02 * sin(2.3 * t), yaw = 0.2 * t;
    M3 R = m3_mul(m3_rot_z(cos(yaw), sin(yaw)),
                  m3_mul(m3_rot_x(cos(pitch), sin(pitch)), m3_rot_y(cos(roll), sin(roll))));
    Xform X = {R, v3(0.7 * sin(0.3 * t), 0.8 * cos(0.2 * t), 0.7)};
    Hits h = hits(&floor, x_identity(), &box, X, margin);
    expect_sound(&h, margin);
    assert_true(h.n > 0);
    double low = HUGE_VAL, low_before = HUGE_VAL;
    for (int k = 0; k < h.n; k++) {
      low = fmin(low, h.t[k].gap);
      for (int j = 0; j < before.n; j++) {
        if (before.t[j].feature != h.t[k].feature) continue;
        EXPECT_AT_MOST(v3_norm(v3_sub(before.t[j].point, h.t[k].point)), 0.02);
        EXPECT_AT_MOST(v3_norm(v3_sub(before.t[j].normal, h.t[k].normal)), 0.1);
        kept++;
      }
    }
    for (int j = 0; j < before.n; j++) low_before = fmin(low_before, before.t[j].gap);
    // the corners move by less than 0.5 m x 0.25 rad/s
    if (before.n > 0) EXPECT_AT_MOST(fabs(low - low_before), 0.25 * step);
    seen += before.n;
    before = h;
  }
  EXPECT_AT_MOST(0.98 * seen, kept);
}

// Stacked flush and shaken by less than what counts as flush: the same four corners every time.
static void flush_boxes_keep_their_corners(void** state) {
  (void)state;
  Rng r = rng_seed(5);
  SarSolid box = solid_box(0.5, 0.5, 0.5);
  unsigned ids[4] = {0};
  for (int i = 0; i < 1000; i++) {
    V3 off = rng_v3(&r, -2e-5, 2e-5);
    Hits h =
        hits(&box, x_identity(), &box, (Xform){m3_identity(), v3(off.x, off.y, 1 + off.z)}, 1e-3);
    assert_int_equal(h.n, 4);
    for (int k = 0; k < 4; k++) {
      if (i == 0) ids[k] = h.t[k].feature;
      assert_int_equal(h.t[k].feature, ids[k]);
    }
  }
}

// ---- one triangle, seen from above

static const V3 CORNER[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};

static Hits on_triangle(const SarSolid* s, Xform X, double margin) {
  Hits h;
  h.n = sar_collide_triangle(s, &X, CORNER, margin, h.t, SAR_TOUCH_MOST);
  return h;
}

static void expect_flat(Hits h, int n, double gap) {
  assert_int_equal(h.n, n);
  for (int i = 0; i < n; i++) {
    EXPECT_NEAR(h.t[i].normal.z, 1, 1e-12);
    EXPECT_NEAR(h.t[i].gap, gap, 1e-12);
  }
}

static void solids_stand_on_a_triangle(void** state) {
  (void)state;
  SarSolid box = solid_box(0.5, 0.5, 0.5), ball = solid_sphere(0.5), rod = solid_cylinder(0.5, 0.5);
  M3 one = m3_identity();
  for (int k = -1; k <= 1; k++) {
    double gap = 0.02 * k;
    expect_flat(on_triangle(&box, (Xform){one, v3(1, 1, 0.5 + gap)}, 0.1), 4, gap);
    expect_flat(on_triangle(&ball, (Xform){one, v3(1, 1, 0.5 + gap)}, 0.1), 1, gap);
    expect_flat(on_triangle(&rod, (Xform){one, v3(1, 1, 0.5 + gap)}, 0.1), 8, gap);
  }
  // centre below the plane, but reaching through: pushed up
  expect_flat(on_triangle(&ball, (Xform){one, v3(1, 1, -0.1)}, 0), 1, -0.6);
  expect_flat(on_triangle(&box, (Xform){one, v3(1, 1, -0.1)}, 0), 4, -0.6);
  // wholly behind, or beside and below
  assert_int_equal(on_triangle(&ball, (Xform){one, v3(1, 1, -0.6)}, 0.2).n, 0);
  assert_int_equal(on_triangle(&box, (Xform){one, v3(1, 1, -0.6)}, 0.2).n, 0);
  assert_int_equal(on_triangle(&ball, (Xform){one, v3(-0.45, 1, -0.3)}, 0.2).n, 0);
  // over the edge: the way from the edge to the centre
  Hits h = on_triangle(&ball, (Xform){one, v3(-0.3, 1, 0.4)}, 0.1);
  assert_int_equal(h.n, 1);
  EXPECT_NEAR(h.t[0].normal.x, -0.6, 1e-12);
  EXPECT_NEAR(h.t[0].normal.z, 0.8, 1e-12);
  EXPECT_NEAR(h.t[0].gap, 0, 1e-12);
}

// Never into the back, whatever the solid and wherever it is.
static void triangles_push_to_their_front(void** state) {
  (void)state;
  Rng r = rng_seed(6);
  TestHull hull;
  static const SarSolidKind CONVEX[5] = {SAR_SOLID_SPHERE, SAR_SOLID_BOX, SAR_SOLID_CAPSULE,
                                         SAR_SOLID_CYLINDER, SAR_SOLID_CONVEX};
  for (int trial = 0; trial < test_effort(50000); trial++) {
    SarSolid s = solid_random(&hull, &r, CONVEX[rng_int(&r, 5)]);
    Xform X = {rng_int(&r, 2) ? awkward_turn(&r) : quat_to_m3(rng_quat(&r)), rng_v3(&r, -2, 5)};
    X.p.z = rng_uniform(&r, -1.5, 1.5);
    Hits h = on_triangle(&s, X, 0.1);
    expect_sound(&h, 0.1);
    for (int i = 0; i < h.n; i++) EXPECT_AT_MOST(-1e-6, h.t[i].normal.z);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(swapping_turns_the_normals),
      cmocka_unit_test(moving_both_moves_the_touches),
      cmocka_unit_test(nothing_makes_it_lose_its_numbers),
      cmocka_unit_test(a_rocking_box_keeps_its_points),
      cmocka_unit_test(flush_boxes_keep_their_corners),
      cmocka_unit_test(solids_stand_on_a_triangle),
      cmocka_unit_test(triangles_push_to_their_front),
  };
  return cmocka_run_group_tests_name("collide_manifold", tests, NULL, NULL);
}
