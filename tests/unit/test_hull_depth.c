// Depth and normal of hulls in each other, against a search of all directions that can be the
// answer: the normals of all faces and the cross products of all pairs of edges, each with the gap
// of all vertices. Every face of the difference of two polytopes has one of these for its normal.
#include "support/solids.h"
#include "support/test.h"

#include "base/arena.h"
#include "collide/hull.h"
#include "collide/pairs.h"
#include "collide/store.h"

typedef enum Family { BALL, LATTICE, PRISM, PLATE, NEEDLE, FAMILIES } Family;

static V3 any_point(Rng* r, Family family, int i, int n) {
  V3 d = solid_direction(r);
  switch (family) {
    case LATTICE: d = v3(round(3 * d.x) / 3, round(3 * d.y) / 3, round(3 * d.z) / 3); break;
    case PRISM: {
      const double angle = 12.566370614359172 * (i / 2) / n;
      d = v3(cos(angle), sin(angle), i % 2 ? 0.5 : -0.5);
      break;
    }
    case PLATE: d.z *= 0.01; break;
    case NEEDLE: d.x *= 0.02, d.y *= 0.02; break;
    default: break;
  }
  return d;
}

static SarSolid any_hull(Rng* r, SarArena* arena, Family family, int n) {
  V3* point = SAR_ARENA_ARRAY(arena, V3, n);
  SarHull hull = {0};
  assert_non_null(point);
  do {
    const V3 size = family == BALL ? rng_v3(r, 0.3, 1) : v3(1, 1, 1);
    for (int i = 0; i < n; i++) {
      const V3 p = any_point(r, family, i, n);
      point[i] = v3(size.x * p.x, size.y * p.y, size.z * p.z);
    }
  } while (sar_hull_build(point, n, arena, &hull).flaw != SAR_MESH_SOUND);
  return sar_solid_of_hull(&hull);
}

// Turned by anything, or by quarters: then faces and edges are parallel.
static Xform any_pose(Rng* r, double far) {
  M3 R = quat_to_m3(rng_quat(r));
  if (rng_int(r, 4) == 0) {
    static const V3 AXIS[4] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    const V3 z = AXIS[rng_int(r, 4)], x = v3_perp(z);
    const V3 y = v3_cross(z, x);
    R = (M3){x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
  }
  V3 p = v3_scale(far, solid_direction(r));
  if (rng_int(r, 4) == 0) p = v3(0, 0, p.z);
  return (Xform){R, p};
}

// ---- the reference -------------------------------------------------------------------------

static double farthest(const SarHull* h, V3 d) {
  double most = -HUGE_VAL;
  for (int i = 0; i < h->nvertex; i++) most = fmax(most, v3_dot(h->vertex[i], d));
  return most;
}

// of b at X in the frame of a
static double gap_along(const SarHull* a, const SarHull* b, const Xform* X, V3 n) {
  return v3_dot(n, X->p) - farthest(b, m3_tmul_v(X->R, v3_neg(n))) - farthest(a, n);
}

static double best_gap(const SarHull* a, const SarHull* b, const Xform* X) {
  double best = -HUGE_VAL;
  for (int f = 0; f < a->nface; f++) best = fmax(best, gap_along(a, b, X, a->normal[f]));
  for (int f = 0; f < b->nface; f++)
    best = fmax(best, gap_along(a, b, X, v3_neg(m3_mul_v(X->R, b->normal[f]))));
  for (int i = 0; i < a->nedge; i++)
    for (int j = 0; j < b->nedge; j++) {
      const int *e = a->edge + 4 * i, *g = b->edge + 4 * j;
      const V3 d = v3_sub(a->vertex[e[1]], a->vertex[e[0]]);
      const V3 c = v3_cross(d, m3_mul_v(X->R, v3_sub(b->vertex[g[1]], b->vertex[g[0]])));
      const double length = v3_norm(c);
      // nearly parallel edges have no direction of their own: faces do
      if (!(length > 1e-7)) continue;
      const V3 n = v3_scale(1 / length, c);
      best = fmax(best, fmax(gap_along(a, b, X, n), gap_along(a, b, X, v3_neg(n))));
    }
  return best;
}

// ---- tests ---------------------------------------------------------------------------------

static void expect_depth(const SarSolid* a, const SarSolid* b, const Xform* X, const Meeting* m,
                         double wanted, double tolerance) {
  EXPECT_NEAR(v3_norm(m->normal), 1, 1e-13);
  EXPECT_NEAR(gap_along(&a->of.hull, &b->of.hull, X, m->normal), m->gap, tolerance);
  EXPECT_NEAR(m->gap, wanted, tolerance);
}

// Polygons are flat to 1e-8 of the size (hull.h), so that offsets of faces are right to that; of
// triangles to rounding.
static double tolerance_of(Family family, double scale) {
  return (family == PRISM || family == LATTICE ? 1e-8 : 1e-11) * scale;
}

static void depth_is_the_least(void** state) {
  (void)state;
  Rng r = rng_seed(15);
  int deep = 0, by_epa = 0;
  for (int trial = 0; trial < test_effort(600); trial++) {
    SarArena arena;
    sar_arena_init(&arena);
    const Family family = (Family)(trial % FAMILIES);
    const SarSolid a = any_hull(&r, &arena, family, 8 + rng_int(&r, 30));
    const Family other = trial % 7 == 0 ? family : (Family)rng_int(&r, FAMILIES);
    const SarSolid b = trial % 7 == 0 ? a : any_hull(&r, &arena, other, 8 + rng_int(&r, 30));
    const Xform X = any_pose(&r, trial % 11 == 0 ? 0 : rng_uniform(&r, 0, 1));
    const double wanted = best_gap(&a.of.hull, &b.of.hull, &X), scale = a.radius + b.radius,
                 tolerance = fmax(tolerance_of(family, scale), tolerance_of(other, scale));
    Core ca, cb;
    Meeting m;
    sar_core_init(&ca, &a);
    sar_core_init(&cb, &b);
    if (wanted < 0) {
      deep++;
      if (sar_meet_epa(&ca, &cb, &X, &m)) {
        by_epa++;
        expect_depth(&a, &b, &X, &m, wanted, tolerance);
      }
      sar_meet_sweep(&ca, &cb, &X, &m);
      expect_depth(&a, &b, &X, &m, wanted, tolerance);
    }
    SarTouch t[SAR_TOUCH_MOST];
    const Xform here = x_identity();
    const int n = sar_collide(&a, &here, &b, &X, 0, t, SAR_TOUCH_MOST);
    if (wanted < -tolerance) {
      assert_true(n > 0);
      double least = HUGE_VAL;
      for (int i = 0; i < n; i++) least = fmin(least, t[i].gap);
      EXPECT_NEAR(gap_along(&a.of.hull, &b.of.hull, &X, t[0].normal), wanted, tolerance);
      // points of the manifold are taken from slightly beyond the rim of a face too (BAND)
      EXPECT_NEAR(least, wanted, tolerance + 1e-3 * scale);
    } else if (wanted > tolerance) {
      assert_int_equal(n, 0);
    }
    sar_arena_free(&arena);
  }
  printf("%d of %d deep pairs by the expanding polytope\n", by_epa, deep);
  EXPECT_AT_MOST(0.6 * deep, by_epa);
}

// Hulls of hundreds of vertices: against all faces and pairs of edges whose arcs cross (sat.c).
static void large_hulls(void** state) {
  (void)state;
  Rng r = rng_seed(16);
  int by_epa = 0, deep = 0;
  for (int trial = 0; trial < test_effort(60); trial++) {
    SarArena arena;
    sar_arena_init(&arena);
    const Family family = trial % 3 == 2 ? PRISM : trial % 3 == 1 ? PLATE : BALL;
    const SarSolid a = any_hull(&r, &arena, family, 50 + rng_int(&r, 150)),
                   b = any_hull(&r, &arena, BALL, 50 + rng_int(&r, 150));
    const Xform X = any_pose(&r, trial % 10 == 0 ? 0 : rng_uniform(&r, 0, 1.2));
    const double tolerance = tolerance_of(family, a.radius + b.radius);
    Core ca, cb;
    Meeting wanted, m;
    sar_core_init(&ca, &a);
    sar_core_init(&cb, &b);
    sar_meet_faces(&ca, &cb, &X, HUGE_VAL, &wanted);
    if (wanted.gap <= 0) sar_meet_edges(&ca, &cb, &X, &wanted);
    if (wanted.gap <= 0) {
      deep++;
      if (sar_meet_epa(&ca, &cb, &X, &m)) {
        by_epa++;
        expect_depth(&a, &b, &X, &m, wanted.gap, tolerance);
      }
      sar_meet_sweep(&ca, &cb, &X, &m);
      expect_depth(&a, &b, &X, &m, wanted.gap, tolerance);
    }
    sar_arena_free(&arena);
  }
  printf("%d of %d deep pairs by the expanding polytope\n", by_epa, deep);
  EXPECT_AT_MOST(0.6 * deep, by_epa);
}

// Near contact the gap goes through zero evenly, from either side, with the normal of the features.
static void through_contact(void** state) {
  (void)state;
  Rng r = rng_seed(17);
  for (int trial = 0; trial < test_effort(60); trial++) {
    SarArena arena;
    sar_arena_init(&arena);
    const Family family = trial % 2 ? PRISM : BALL;
    const SarSolid a = any_hull(&r, &arena, family, 80), b = any_hull(&r, &arena, family, 80);
    Xform X = any_pose(&r, 0.5);
    const Xform here = x_identity();
    const double scale = a.radius + b.radius;
    SarTouch t[SAR_TOUCH_MOST];
    int n = sar_collide(&a, &here, &b, &X, 0, t, SAR_TOUCH_MOST);
    assert_true(n > 0);
    const V3 normal = t[0].normal;
    // out along its own normal: the depth is then as far as it is moved
    const double depth = -gap_along(&a.of.hull, &b.of.hull, &X, normal);
    const V3 start = X.p;
    for (double gap = -1e-3; gap <= 1.1e-3; gap += 1e-4) {
      const double wanted = fabs(gap) < 1e-5 ? 0 : gap * scale;
      X.p = v3_axpy(depth + wanted, normal, start);
      n = sar_collide(&a, &here, &b, &X, 0.01 * scale, t, SAR_TOUCH_MOST);
      assert_true(n > 0);
      double least = HUGE_VAL;
      for (int i = 0; i < n; i++) least = fmin(least, t[i].gap);
      // apart another corner may be nearer along another direction, but no farther than this
      EXPECT_NEAR(gap_along(&a.of.hull, &b.of.hull, &X, t[0].normal), least, 1e-8 * scale);
      if (wanted <= 0) EXPECT_NEAR(least, wanted, 1e-8 * scale);
      if (wanted > 0) EXPECT_AT_MOST(wanted - least, 1e-8 * scale);
    }
    sar_arena_free(&arena);
  }
}

// Walks find what a look at all vertices finds.
static void supports_are_the_farthest(void** state) {
  (void)state;
  Rng r = rng_seed(18);
  for (int trial = 0; trial < test_effort(100); trial++) {
    SarArena arena;
    sar_arena_init(&arena);
    const Family family = (Family)(trial % FAMILIES);
    const SarSolid a = any_hull(&r, &arena, family, 40 + rng_int(&r, 400));
    Core c;
    sar_core_init(&c, &a);
    for (int k = 0; k < 50; k++) {
      const V3 d = solid_direction(&r);
      int label, near = rng_int(&r, a.of.hull.nvertex);
      const double wanted = farthest(&a.of.hull, d), bound = tolerance_of(family, a.radius);
      EXPECT_NEAR(v3_dot(sar_core_support(&c, d, &label), d), wanted, bound);
      EXPECT_NEAR(v3_dot(sar_core_support_near(&c, d, &near), d), wanted, bound);
    }
    sar_arena_free(&arena);
  }
}

// Whatever meets a large hull finds the same with walks and with a look at all vertices.
static void walks_change_nothing(void** state) {
  (void)state;
  Rng r = rng_seed(19);
  for (int trial = 0; trial < test_effort(300); trial++) {
    SarArena arena;
    sar_arena_init(&arena);
    SarSolid a = any_hull(&r, &arena, trial % 2 ? BALL : PRISM, 40 + rng_int(&r, 100)), plain = a;
    plain.of.hull.ring_adr = NULL;
    const SarSolid other[] = {solid_sphere(0.3),       solid_box(0.3, 0.5, 0.2),
                              solid_capsule(0.2, 0.5), solid_cylinder(0.4, 0.3),
                              solid_plane(),           a};
    const SarSolid* b = &other[trial % 6];
    const Xform X_a = any_pose(&r, 0.3), X_b = any_pose(&r, rng_uniform(&r, 0, 1.5));
    SarTouch t[SAR_TOUCH_MOST], u[SAR_TOUCH_MOST];
    const int n = sar_collide(&a, &X_a, b, &X_b, 0.05, t, SAR_TOUCH_MOST),
              m = sar_collide(&plain, &X_a, b, &X_b, 0.05, u, SAR_TOUCH_MOST);
    double least = HUGE_VAL, wanted = HUGE_VAL;
    for (int i = 0; i < n; i++) least = fmin(least, t[i].gap);
    for (int i = 0; i < m; i++) wanted = fmin(wanted, u[i].gap);
    assert_int_equal(n > 0, m > 0);
    if (n > 0) EXPECT_NEAR(least, wanted, 1e-3 * a.radius);  // another face may be clipped (BAND)
    if (n > 0 && b->kind != SAR_SOLID_CYLINDER && wanted < -1e-6)
      EXPECT_AT_MOST(0.9999, v3_dot(t[0].normal, u[0].normal));
    const SarBounds box = sar_solid_bounds(&a, &X_a, 0.1),
                    all = sar_solid_bounds(&plain, &X_a, 0.1);
    EXPECT_NEAR(v3_norm(v3_sub(box.low, all.low)), 0, 1e-8);
    EXPECT_NEAR(v3_norm(v3_sub(box.high, all.high)), 0, 1e-8);
    sar_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(depth_is_the_least),   cmocka_unit_test(large_hulls),
      cmocka_unit_test(through_contact),      cmocka_unit_test(supports_are_the_farthest),
      cmocka_unit_test(walks_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
