// Height fields: the surface, contacts on it, and what is below it.
#include "support/test.h"

#include "collide/heights.h"
#include "collide/store.h"
#include "collide/surface.h"
#include "collide/surface_patch.h"

enum { NX = 21, NY = 17 };

static double z[NX * NY];
static SarSolid field;
static SarTouch touch[64];

// Heights f(x, y) on cells of 0.1 x 0.125 about the origin.
static void make(double (*f)(double, double)) {
  SarHeights h;
  for (int iy = 0; iy < NY; iy++)
    for (int ix = 0; ix < NX; ix++) z[ix + NX * iy] = f(-1 + 0.1 * ix, -1 + 0.125 * iy);
  assert_true(sar_heights_build(NX, NY, -1, -1, 0.1, 0.125, z, &h));
  field = sar_solid_of_heights(&h);
}

static double flat(double x, double y) {
  (void)x, (void)y;
  return 0.5;
}
static double slope(double x, double y) { return 0.3 * x - 0.2 * y; }
static double waves(double x, double y) { return 0.1 * sin(4 * x) * cos(3 * y); }

static SarSolid sphere(double r) {
  return (SarSolid){.kind = SAR_SOLID_SPHERE, .size = {r}, .radius = r};
}

static int collide(const SarSolid* s, V3 p, double margin) {
  Xform here = x_identity(), X = {m3_identity(), p};
  return sar_collide_surface(&field, &here, s, &X, margin, touch, 64);
}

static void refuses_bad_grids(void** state) {
  (void)state;
  SarHeights h;
  double four[4] = {1, 2, 3, 4};
  assert_true(sar_heights_build(2, 2, 0, 0, 1, 1, four, &h));
  EXPECT_NEAR(h.low, 1, 0);
  EXPECT_NEAR(h.high, 4, 0);
  assert_false(sar_heights_build(1, 4, 0, 0, 1, 1, four, &h));
  assert_false(sar_heights_build(2, 2, 0, 0, 0, 1, four, &h));
  assert_false(sar_heights_build(2, 2, 0, 0, 1, -1, four, &h));
  assert_false(sar_heights_build(2, 2, (double)NAN, 0, 1, 1, four, &h));
  assert_false(sar_heights_build(1 << 20, 1 << 20, 0, 0, 1, 1, four, &h));
  four[3] = (double)NAN;
  assert_false(sar_heights_build(2, 2, 0, 0, 1, 1, four, &h));
}

static void height_at_a_point(void** state) {
  (void)state;
  make(slope);
  Rng r = rng_seed(1);
  double height;
  V3 n, up = v3_unit(v3(-0.3, 0.2, 1));
  for (int i = 0; i < 500; i++) {
    double x = rng_uniform(&r, -1, 1), y = rng_uniform(&r, -1, 1);
    assert_true(sar_heights_at(&field.of.heights, x, y, &height, &n));
    EXPECT_NEAR(height, slope(x, y), 1e-13);
    EXPECT_NEAR(v3_norm(v3_sub(n, up)), 0, 1e-13);
  }
  assert_true(sar_heights_at(&field.of.heights, -1, -1, &height, NULL));
  assert_false(sar_heights_at(&field.of.heights, 1.0001, 0, &height, NULL));
  assert_false(sar_heights_at(&field.of.heights, (double)NAN, 0, &height, NULL));
}

// Neighbours share the two corners of the edge, and agree about it.
static void neighbours_fit(void** state) {
  (void)state;
  make(waves);
  int rim = 0;
  for (int t = 0; t < 2 * (NX - 1) * (NY - 1); t++) {
    SarPatch p = sar_patch_get(&field, t);
    assert_true(p.normal.z > 0);
    for (int i = 0; i < 3; i++) {
      int side, other = sar_patch_across(&field, t, i, &side), back;
      rim += other < 0;
      if (other < 0) continue;
      SarPatch q = sar_patch_get(&field, other);
      EXPECT_NEAR(v3_norm(v3_sub(p.corner[i], q.corner[(side + 1) % 3])), 0, 0);
      EXPECT_NEAR(v3_norm(v3_sub(p.corner[(i + 1) % 3], q.corner[side])), 0, 0);
      assert_int_equal(sar_patch_across(&field, other, side, &back), t);
      assert_int_equal(back, i);
    }
  }
  assert_int_equal(rim, 2 * (NX - 1) + 2 * (NY - 1));
}

static void ball_rolls_as_on_a_plane(void** state) {
  (void)state;
  double (*const shapes[])(double, double) = {flat, slope};
  Rng r = rng_seed(2);
  SarSolid ball = sphere(0.3);
  for (int k = 0; k < 2; k++) {
    make(shapes[k]);
    V3 up = k ? v3_unit(v3(-0.3, 0.2, 1)) : v3(0, 0, 1);
    for (int trial = 0; trial < test_effort(2000); trial++) {
      double x = rng_uniform(&r, -0.5, 0.5), y = rng_uniform(&r, -0.5, 0.5);
      if (trial % 3 == 0) x = round(10 * x) / 10;
      if (trial % 6 == 0) y = round(8 * y) / 8;
      double gap = rng_uniform(&r, -0.2, 0.01);
      V3 foot = v3(x, y, shapes[k](x, y));
      assert_int_equal(collide(&ball, v3_axpy(0.3 + gap, up, foot), 0.01), 1);
      EXPECT_NEAR(v3_norm(v3_sub(touch[0].normal, up)), 0, 1e-12);
      EXPECT_NEAR(touch[0].gap, gap, 1e-12);
    }
  }
}

// The nearest point of the surface, by looking everywhere.
static double distance(V3 c) {
  double least = HUGE_VAL;
  for (int i = 0; i <= 400; i++)
    for (int k = 0; k <= 400; k++) {
      double x = c.x - 0.3 + 0.6 * i / 400, y = c.y - 0.3 + 0.6 * k / 400, height;
      if (!sar_heights_at(&field.of.heights, x, y, &height, NULL)) continue;
      least = fmin(least, v3_norm(v3_sub(c, v3(x, y, height))));
    }
  return least;
}

static void ball_on_waves(void** state) {
  (void)state;
  make(waves);
  Rng r = rng_seed(3);
  SarSolid ball = sphere(0.2);
  for (int trial = 0; trial < test_effort(30); trial++) {
    double x = rng_uniform(&r, -0.6, 0.6), y = rng_uniform(&r, -0.6, 0.6), height;
    assert_true(sar_heights_at(&field.of.heights, x, y, &height, NULL));
    V3 c = v3(x, y, height + 0.2);
    int n = collide(&ball, c, 0.05);
    assert_true(n >= 1);
    double least = HUGE_VAL;
    for (int i = 0; i < n; i++) least = fmin(least, touch[i].gap);
    // `distance` looks at points 1.5 mm apart: it is never nearer, and farther by that times the
    // bend of an edge
    double wanted = distance(c) - 0.2;
    EXPECT_AT_MOST(least, wanted + 1e-9);
    EXPECT_AT_MOST(wanted - 1e-4, least);
  }
}

// However deep a solid is, it is pushed up.
static void pushes_up_from_any_depth(void** state) {
  (void)state;
  make(flat);
  SarSolid solids[] = {sphere(0.1),
                       {.kind = SAR_SOLID_BOX, .size = {0.1, 0.2, 0.05}, .radius = 0.23},
                       {.kind = SAR_SOLID_CAPSULE, .size = {0.05, 0.1}, .radius = 0.15},
                       {.kind = SAR_SOLID_CYLINDER, .size = {0.05, 0.1}, .radius = 0.12}};
  double half[] = {0.1, 0.05, 0.15, 0.1};
  for (int k = 0; k < 4; k++)
    for (double depth = 0.01; depth < 20; depth *= 1.3) {
      int n = collide(&solids[k], v3(0.03, 0.04, 0.5 + half[k] - depth), 0.01);
      if (n < 1) fail_msg("solid %d at depth %g falls through", k, depth);
      for (int i = 0; i < n; i++) {
        EXPECT_NEAR(touch[i].normal.z, 1, 1e-12);
        EXPECT_NEAR(touch[i].gap, -depth, 1e-9);
      }
    }
  // beside the field there is nothing
  assert_int_equal(collide(&solids[0], v3(1.2, 0, 0.3), 0.01), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuses_bad_grids), cmocka_unit_test(height_at_a_point),
      cmocka_unit_test(neighbours_fit),    cmocka_unit_test(ball_rolls_as_on_a_plane),
      cmocka_unit_test(ball_on_waves),     cmocka_unit_test(pushes_up_from_any_depth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
