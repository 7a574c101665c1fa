// Convex hulls, and what is said about meshes: closed, convex, mass.
#include "support/alloc_count.h"
#include "support/mesh_shapes.h"

#include "collide/hull.h"

// A closed polyhedron with its points behind every face; `tolerance` in metres.
static void check_hull(const SarHull* h, const V3* point, int n, double tolerance) {
  assert_int_equal(h->nvertex - h->nedge + h->nface, 2);
  for (int f = 0; f < h->nface; f++) {
    EXPECT_NEAR(v3_norm(h->normal[f]), 1, 1e-14);
    assert_true(v3_dot(h->normal[f], h->centre) < h->offset[f]);
    assert_true(h->face_adr[f + 1] - h->face_adr[f] >= 3);
    for (int k = h->face_adr[f]; k < h->face_adr[f + 1]; k++)
      EXPECT_NEAR(v3_dot(h->normal[f], h->vertex[h->face_vertex[k]]), h->offset[f], 2 * tolerance);
    for (int i = 0; i < n; i++)
      EXPECT_AT_MOST(v3_dot(h->normal[f], point[i]) - h->offset[f], tolerance);
  }
  // an edge is in the loop of its left face as written, and in that of its right face backwards
  for (int e = 0; e < h->nedge; e++)
    for (int side = 0; side < 2; side++) {
      int from = h->edge[4 * e + side], to = h->edge[4 * e + 1 - side];
      int f = h->edge[4 * e + 2 + side], found = 0;
      for (int k = h->face_adr[f]; k < h->face_adr[f + 1]; k++) {
        int next = k + 1 < h->face_adr[f + 1] ? k + 1 : h->face_adr[f];
        found += h->face_vertex[k] == from && h->face_vertex[next] == to;
      }
      assert_int_equal(found, 1);
    }
}

static SarHull hull_of(const V3* point, int n, double tolerance) {
  SarHull h;
  SarMeshFault fault = sar_hull_build(point, n, &arena, &h);
  if (fault.flaw != SAR_MESH_SOUND) fail_msg("the hull %s", sar_mesh_flaw_text(fault.flaw));
  check_hull(&h, point, n, tolerance * sar_mesh_extent(point, n));
  return h;
}

// A lattice has points inside, on faces and on edges, and every face is 16 squares.
static void lattice_is_a_box(void** state) {
  (void)state;
  Rng r = rng_seed(2);
  V3 point[250];
  double scales[] = {1e-6, 0.1, 1, 1e5};
  for (int trial = 0; trial < 40; trial++) {
    M3 R = trial ? quat_to_m3(rng_quat(&r)) : m3_identity();
    V3 at = trial ? rng_v3(&r, -3, 3) : v3_zero();
    int n = 0;
    for (int i = 0; i < 125; i++) {
      V3 p = m3_mul_add(R, v3(i % 5, 0.3 * (i / 5 % 5), 2 * (i / 25)), at);
      point[n++] = v3_scale(scales[trial % 4], p);
      if (i % 3 == 0) point[n] = point[n - 1], n++;  // twice
    }
    SarHull h = hull_of(point, n, 1e-8);
    assert_int_equal(h.nvertex, 8);
    assert_int_equal(h.nface, 6);
    assert_int_equal(h.nedge, 12);
    SarMesh mesh = sar_hull_mesh(&h, &arena);
    double volume = 4 * 1.2 * 8 * pow(scales[trial % 4], 3);
    EXPECT_NEAR(sar_mesh_inertia(&mesh).m, volume, 1e-12 * volume);
  }
}

static void prism_has_two_polygons(void** state) {
  (void)state;
  Rng r = rng_seed(3);
  V3 point[200];
  for (int sides = 3; sides <= 100; sides++) {
    M3 R = quat_to_m3(rng_quat(&r));
    for (int i = 0; i < 2 * sides; i++) {
      double angle = 6.283185307179586 * (i / 2) / sides;
      point[i] = m3_mul_v(R, v3(cos(angle), sin(angle), i % 2));
    }
    SarHull h = hull_of(point, 2 * sides, 1e-8);
    assert_int_equal(h.nvertex, 2 * sides);
    assert_int_equal(h.nface, sides + 2);
    assert_int_equal(h.nedge, 3 * sides);
  }
}

static void random_points_are_inside(void** state) {
  (void)state;
  Rng r = rng_seed(4);
  static V3 point[3000];
  for (int trial = 0; trial < test_effort(150); trial++) {
    int n = 4 + rng_int(&r, trial % 10 == 0 ? 2900 : 200), kind = trial % 4;
    for (int i = 0; i < n; i++) {
      V3 p = rng_v3(&r, -1, 1);
      if (kind == 1) p = v3_unit(p);                                          // all are corners
      if (kind == 2) p = v3(round(3 * p.x), round(3 * p.y), round(3 * p.z));  // many in planes
      if (kind == 3) p.z *= 1e-5;                                             // nearly flat
      point[i] = p;
    }
    SarHull h;
    SarMeshFault fault = sar_hull_build(point, n, &arena, &h);
    if (fault.flaw == SAR_MESH_FLAT || fault.flaw == SAR_MESH_FEW_POINTS) {
      assert_true(kind == 2 && n < 20);
      continue;
    }
    assert_int_equal(fault.flaw, SAR_MESH_SOUND);
    check_hull(&h, point, n, 2e-8 * sar_mesh_extent(point, n));
    SarMesh mesh = sar_hull_mesh(&h, &arena);
    assert_int_equal(sar_mesh_check_closed(&mesh, &arena).flaw, SAR_MESH_SOUND);
    assert_int_equal(sar_mesh_check_convex(&mesh).flaw, SAR_MESH_SOUND);
  }
}

// Points a few roundings of the tolerance apart: whatever polygons come out, they are a polyhedron.
static void points_near_the_tolerance(void** state) {
  (void)state;
  Rng r = rng_seed(5);
  V3 point[400];
  for (int trial = 0; trial < test_effort(300); trial++) {
    double noise = pow(10, rng_uniform(&r, -12, -5));
    int n = 8 + rng_int(&r, 300);
    for (int i = 0; i < n; i++) {
      V3 p = rng_v3(&r, -1, 1);
      int axis = rng_int(&r, 3);
      double side = rng_int(&r, 2) ? 1 : -1;
      if (i < 8)
        p = v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
      else if (axis == 0)
        p.x = side;
      else if (axis == 1)
        p.y = side;
      else
        p.z = side;
      point[i] = v3_add(p, rng_v3(&r, -noise, noise));
    }
    hull_of(point, n, 2e-6);  // where it takes the second grid: 6 steps of 2^-24 twice, and more
  }
}

static void says_what_is_wrong(void** state) {
  (void)state;
  V3 p[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
  SarHull h;
  assert_int_equal(sar_hull_build(p, 3, &arena, &h).flaw, SAR_MESH_FEW_POINTS);
  assert_int_equal(sar_hull_build(p, 0, &arena, &h).flaw, SAR_MESH_FEW_POINTS);
  p[3] = p[0];
  assert_int_equal(sar_hull_build(p, 4, &arena, &h).flaw, SAR_MESH_FEW_POINTS);
  assert_int_equal(sar_hull_build(p, 5, &arena, &h).flaw, SAR_MESH_FLAT);
  p[3].y = (double)NAN;
  SarMeshFault fault = sar_hull_build(p, 5, &arena, &h);
  assert_int_equal(fault.flaw, SAR_MESH_NOT_FINITE);
  assert_int_equal(fault.a, 3);
  p[3].y = HUGE_VAL;
  assert_int_equal(sar_hull_build(p, 5, &arena, &h).flaw, SAR_MESH_NOT_FINITE);
}

// More vertices than a hull may have: some of them are enough, and the fault says how far off it
// is.
static void too_many_points_are_simplified(void** state) {
  (void)state;
  SarHull h;
  shape_sphere(&shape, 1, 60);
  assert_true(shape.mesh.nvertex > SAR_HULL_MOST);
  const SarMeshFault fault = sar_hull_build(shape.vertex, shape.mesh.nvertex, &arena, &h);
  assert_int_equal(fault.flaw, SAR_MESH_SOUND);
  assert_true(fault.distance > 0);
  EXPECT_AT_MOST(h.nvertex, SAR_HULL_MOST);
  // the caps between 4096 points spread over a ball are 1e-3 high
  EXPECT_AT_MOST(fault.distance, 2e-3);
  double most = 0;
  for (int f = 0; f < h.nface; f++)
    for (int i = 0; i < shape.mesh.nvertex; i++)
      most = fmax(most, v3_dot(h.normal[f], shape.vertex[i]) - h.offset[f]);
  // heights above the face that each point is listed with; another face may see it from higher up
  EXPECT_AT_MOST(fault.distance, most + 1e-7);
  EXPECT_AT_MOST(most, 1.1 * fault.distance);
  const SarMesh mesh = sar_hull_mesh(&h, &arena);
  assert_int_equal(sar_mesh_check_closed(&mesh, &arena).flaw, SAR_MESH_SOUND);
  assert_int_equal(sar_mesh_check_convex(&mesh).flaw, SAR_MESH_SOUND);
}

// The n-th allocation fails, for every n: no crash, nothing left, and the answer is "no memory".
static void memory_may_run_out(void** state) {
  (void)state;
  shape_sphere(&shape, 1, 20);
  for (long n = 1;; n++) {
    SarArena a;
    SarHull h;
    sar_arena_init(&a);
    alloc_count_reset();
    alloc_fail_at(n);
    SarMeshFlaw flaw = sar_hull_build(shape.vertex, shape.mesh.nvertex, &a, &h).flaw;
    bool failed = alloc_has_failed();
    alloc_fail_at(0);
    sar_arena_free(&a);
    assert_int_equal(alloc_count_live(), 0);
    if (!failed) break;
    // qsort asks for memory too, and does without
    assert_true(flaw == SAR_MESH_NO_MEMORY || flaw == SAR_MESH_SOUND);
    assert_true(n < 1000);
  }
}

// ---- meshes --------------------------------------------------------------------------------

static void closed_or_not(void** state) {
  (void)state;
  shape_box(&shape, v3(0, 0, 0), v3(1, 2, 3));
  SarMesh* m = &shape.mesh;
  assert_int_equal(sar_mesh_check_closed(m, &arena).flaw, SAR_MESH_SOUND);
  sar_mesh_flip(m);
  assert_int_equal(sar_mesh_check_closed(m, &arena).flaw, SAR_MESH_INSIDE_OUT);
  sar_mesh_flip(m);
  m->ntriangle--;
  SarMeshFault fault = sar_mesh_check_closed(m, &arena);
  assert_int_equal(fault.flaw, SAR_MESH_OPEN);
  assert_int_equal(fault.count, 3);
  m->ntriangle++;
  int* last = &shape.triangle[3 * 11];
  int keep = last[0];
  last[0] = last[1], last[1] = keep;
  fault = sar_mesh_check_closed(m, &arena);
  assert_int_equal(fault.flaw, SAR_MESH_TWISTED);
  assert_int_equal(fault.count, 3);
  keep = last[0], last[0] = last[1], last[1] = keep;
  shape_triangle(&shape, 0, 1, 7);
  assert_int_equal(sar_mesh_check_closed(m, &arena).flaw, SAR_MESH_BRANCHED);
}

static void convex_or_not(void** state) {
  (void)state;
  SarMesh* m = &shape.mesh;
  shape_sphere(&shape, 2, 12);
  assert_int_equal(sar_mesh_check_convex(m).flaw, SAR_MESH_SOUND);
  // rounding to single precision is no dent: quadrilaterals of the sphere fold by it
  shape.vertex[100] = v3_scale(1 - 6e-8, shape.vertex[100]);
  assert_int_equal(sar_mesh_check_convex(m).flaw, SAR_MESH_SOUND);
  shape.vertex[100] = v3_scale(0.8, shape.vertex[100]);
  SarMeshFault fault = sar_mesh_check_convex(m);
  assert_int_equal(fault.flaw, SAR_MESH_NOT_CONVEX);
  assert_in_range(fault.count, 1, 12);
  assert_true(fault.distance > 0.4);  // planes at the dent lean out
  // two boxes, each convex
  shape_clear(&shape);
  shape_box(&shape, v3(0, 0, 0), v3(1, 1, 1));
  shape_box(&shape, v3(3, 0, 0), v3(4, 1, 1));
  assert_int_equal(sar_mesh_check_closed(m, &arena).flaw, SAR_MESH_SOUND);
  fault = sar_mesh_check_convex(m);
  assert_int_equal(fault.flaw, SAR_MESH_NOT_CONVEX);
  EXPECT_NEAR(fault.distance, 3, 1e-15);
}

static void expect_inertia(Inertia is, Inertia wanted, double tolerance) {
  EXPECT_NEAR(is.m, wanted.m, tolerance);
  EXPECT_NEAR(v3_norm(v3_sub(is.h, wanted.h)), 0, tolerance);
  EXPECT_ARRAY_NEAR(&is.I.xx, &wanted.I.xx, 6, tolerance);
}

static void mass_of_boxes(void** state) {
  (void)state;
  V3 d = v3(1, 2, 3), c = v3(5, -7, 11);
  shape_box(&shape, v3_axpy(-0.5, d, c), v3_axpy(0.5, d, c));
  S3 I = s3_scale(6 / 12.0, (S3){4 + 9, 0, 0, 1 + 9, 0, 1 + 4});
  expect_inertia(sar_mesh_inertia(&shape.mesh), inertia_of(6, c, I), 1e-11);
  // turned: the same as turning the result
  Rng r = rng_seed(6);
  Xform X = {quat_to_m3(rng_quat(&r)), rng_v3(&r, -1, 1)};
  for (int i = 0; i < 8; i++) shape.vertex[i] = x_point(X, shape.vertex[i]);
  expect_inertia(sar_mesh_inertia(&shape.mesh), inertia_transform(X, inertia_of(6, c, I)), 1e-11);
}

static void mirrored_and_scaled(void** state) {
  (void)state;
  shape_box(&shape, v3(0, 0, 0), v3(1000, 2000, 3000));
  sar_mesh_scale(&shape.mesh, v3(-1e-3, 1e-3, 1e-3));
  assert_int_equal(sar_mesh_check_closed(&shape.mesh, &arena).flaw, SAR_MESH_SOUND);
  Inertia I = sar_mesh_inertia(&shape.mesh);
  EXPECT_NEAR(I.m, 6, 1e-12);
  EXPECT_NEAR(I.h.x, -3, 1e-12);
}

// A sphere of 2 n^2 facets has the volume of the ball up to O(1 / n^2).
static void mass_of_a_sphere(void** state) {
  (void)state;
  shape_sphere(&shape, 1, 60);
  assert_int_equal(sar_mesh_check_closed(&shape.mesh, &arena).flaw, SAR_MESH_SOUND);
  Inertia I = sar_mesh_inertia(&shape.mesh);
  double volume = 4.18879020478639;
  EXPECT_NEAR(I.m, volume, 2e-3 * volume);
  EXPECT_NEAR(I.I.xx, 0.4 * volume, 4e-3 * volume);
  EXPECT_NEAR(I.I.zz, 0.4 * volume, 4e-3 * volume);
  EXPECT_NEAR(I.I.xy, 0, 1e-13);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, shape_setup, arena_teardown)
  const struct CMUnitTest tests[] = {
      TEST(lattice_is_a_box),
      TEST(prism_has_two_polygons),
      TEST(random_points_are_inside),
      TEST(points_near_the_tolerance),
      TEST(says_what_is_wrong),
      TEST(too_many_points_are_simplified),
      TEST(memory_may_run_out),
      TEST(closed_or_not),
      TEST(convex_or_not),
      TEST(mass_of_boxes),
      TEST(mirrored_and_scaled),
      TEST(mass_of_a_sphere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
