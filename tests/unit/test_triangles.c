// Surfaces of triangles: the tree, and contacts on them. On a flat floor everything touches as on a
// plane.
#include "support/alloc_count.h"
#include "support/mesh_shapes.h"

#include "collide/hull.h"
#include "collide/store.h"
#include "collide/surface.h"
#include "collide/triangles.h"

#include <stdlib.h>

static SarSolid surface;
static SarTouch touch[64];

static void build(void) {
  SarTriangles t;
  SarMeshFault fault = sar_triangles_build(&shape.mesh, &arena, &t);
  if (fault.flaw != SAR_MESH_SOUND) fail_msg("the mesh %s", sar_mesh_flaw_text(fault.flaw));
  surface = sar_solid_of_triangles(&t);
}

static SarSolid sphere(double r) {
  return (SarSolid){.kind = SAR_SOLID_SPHERE, .size = {r}, .radius = r};
}
static SarSolid box(double x, double y, double z) {
  return (SarSolid){.kind = SAR_SOLID_BOX, .size = {x, y, z}, .radius = v3_norm(v3(x, y, z))};
}
static SarSolid capsule(double r, double half) {
  return (SarSolid){.kind = SAR_SOLID_CAPSULE, .size = {r, half}, .radius = r + half};
}
static SarSolid cylinder(double r, double half) {
  return (SarSolid){.kind = SAR_SOLID_CYLINDER, .size = {r, half}, .radius = hypot(r, half)};
}

static int collide(const SarSolid* s, Xform X, double margin, int most) {
  Xform here = x_identity();
  return sar_collide_surface(&surface, &here, s, &X, margin, touch, most);
}

static Xform at(double x, double y, double z) { return (Xform){m3_identity(), v3(x, y, z)}; }

// ---- the tree ------------------------------------------------------------------------------

static int check_node(const SarTriangles* t, int k, int depth) {
  const SarTreeNode* node = &t->node[k];
  assert_true(depth < SAR_TREE_DEPTH);
  int n = node->count;
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) {
      V3 p = t->vertex[t->triangle[3 * (node->first + i) + c]];
      assert_true(p.x >= node->low.x && p.y >= node->low.y && p.z >= node->low.z);
      assert_true(p.x <= node->high.x && p.y <= node->high.y && p.z <= node->high.z);
    }
  for (int i = 0; n == 0 && i < 2; i++) {
    const SarTreeNode* child = &t->node[node->first + i];
    assert_true(child->low.x >= node->low.x && child->low.y >= node->low.y &&
                child->low.z >= node->low.z);
    assert_true(child->high.x <= node->high.x && child->high.y <= node->high.y &&
                child->high.z <= node->high.z);
  }
  if (node->count > 0) return n;
  return check_node(t, node->first, depth + 1) + check_node(t, node->first + 1, depth + 1);
}

static void tree_holds_every_triangle(void** state) {
  (void)state;
  shape_sphere(&shape, 1, 20);
  shape_floor(&shape, 30, 30, 0.1, NULL);
  build();
  const SarTriangles* t = &surface.of.triangles;
  assert_int_equal(t->ntriangle, shape.mesh.ntriangle);
  assert_int_equal(check_node(t, 0, 0), t->ntriangle);
  // triangles all at one place cannot be split in space
  shape_clear(&shape);
  for (int i = 0; i < 3; i++) shape_vertex(&shape, v3(i == 1, i == 2, 0));
  for (int i = 0; i < 5000; i++) shape_triangle(&shape, 0, 1, 2);
  build();
  assert_int_equal(check_node(&surface.of.triangles, 0, 0), 5000);
  // sizes in a geometric row: every split in the middle parts few from many
  shape_clear(&shape);
  for (int i = 0; i < 900; i++) {
    double x = pow(0.5, i);
    int first = shape_vertex(&shape, v3(x, 0, 0));
    shape_vertex(&shape, v3(2 * x, 0, 0));
    shape_vertex(&shape, v3(x, x, 0));
    shape_triangle(&shape, first, first + 1, first + 2);
  }
  build();
  check_node(&surface.of.triangles, 0, 0);
}

static void neighbours_share_an_edge(void** state) {
  (void)state;
  shape_box(&shape, v3(0, 0, 0), v3(1, 1, 1));
  shape_triangle(&shape, 0, 0, 1);  // without area
  build();
  const SarTriangles* t = &surface.of.triangles;
  assert_int_equal(t->ntriangle, 12);
  for (int k = 0; k < 36; k++) {
    int other = t->neighbour[k], found = 0;
    assert_in_range(other, 0, 11);
    int from = t->triangle[k], to = t->triangle[k / 3 * 3 + (k + 1) % 3];
    if (k % 3 == 2) to = t->triangle[k - 2];
    for (int i = 0; i < 3; i++)
      found += t->triangle[3 * other + i] == to && t->triangle[3 * other + (i + 1) % 3] == from;
    assert_int_equal(found, 1);
  }
}

static void broken_meshes_are_refused(void** state) {
  (void)state;
  SarTriangles t;
  shape_vertex(&shape, v3(0, 0, 0));
  shape_vertex(&shape, v3(1, 0, 0));
  shape_vertex(&shape, v3(2, 0, 0));
  assert_int_equal(sar_triangles_build(&shape.mesh, &arena, &t).flaw, SAR_MESH_EMPTY);
  shape_triangle(&shape, 0, 1, 2);
  assert_int_equal(sar_triangles_build(&shape.mesh, &arena, &t).flaw, SAR_MESH_EMPTY);
  shape.triangle[2] = 3;
  assert_int_equal(sar_triangles_build(&shape.mesh, &arena, &t).flaw, SAR_MESH_INDEX);
  shape.triangle[2] = -1;
  assert_int_equal(sar_triangles_build(&shape.mesh, &arena, &t).flaw, SAR_MESH_INDEX);
  shape.triangle[2] = 2;
  shape.vertex[1].y = (double)NAN;
  assert_int_equal(sar_triangles_build(&shape.mesh, &arena, &t).flaw, SAR_MESH_NOT_FINITE);
}

static void stored_solid_is_the_same(void** state) {
  (void)state;
  SarHull hull;
  shape_sphere(&shape, 1, 6);
  build();
  assert_int_equal(sar_hull_build(shape.vertex, shape.mesh.nvertex, &arena, &hull).flaw,
                   SAR_MESH_SOUND);
  SarSolid solid[2] = {surface, sar_solid_of_hull(&hull)};
  for (int i = 0; i < 2; i++) {
    SarSolidSizes n = sar_solid_sizes(&solid[i]);
    SarSolidRoom room = {SAR_ARENA_ARRAY(&arena, V3, n.point),
                         SAR_ARENA_ARRAY(&arena, double, n.number),
                         SAR_ARENA_ARRAY(&arena, int, n.index),
                         SAR_ARENA_ARRAY(&arena, SarTreeNode, n.node)},
                 start = room;
    SarSolid copy = sar_solid_store(&solid[i], &room);
    assert_int_equal(room.point - start.point, n.point);
    assert_int_equal(room.number - start.number, n.number);
    assert_int_equal(room.index - start.index, n.index);
    assert_int_equal(room.node - start.node, n.node);
    SarSolid ball = sphere(0.3);
    Xform X = at(0, 0, 1.25), here = x_identity();
    SarTouch a[8], b[8];
    if (i == 1) continue;
    assert_int_equal(sar_collide_surface(&solid[i], &here, &ball, &X, 0.1, a, 8), 1);
    assert_int_equal(sar_collide_surface(&copy, &here, &ball, &X, 0.1, b, 8), 1);
    assert_memory_equal(&a[0].point, &b[0].point, sizeof(V3));
  }
}

// ---- flat floors ---------------------------------------------------------------------------

static void ball_rolls_as_on_a_plane(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  double tilt = 0.4;
  M3 R = m3_mul(m3_rot_x(cos(tilt), sin(tilt)), m3_rot_z(cos(0.3), sin(0.3)));
  shape_floor(&shape, 20, 20, 0.1, NULL);
  for (int i = 0; i < shape.mesh.nvertex; i++) shape.vertex[i] = m3_mul_v(R, shape.vertex[i]);
  build();
  SarSolid ball = sphere(0.25);
  V3 up = m3_col_z(R);
  for (int trial = 0; trial < test_effort(4000); trial++) {
    // on edges, on corners, beside them, anywhere
    double x = rng_uniform(&r, -0.9, 0.9), y = rng_uniform(&r, -0.9, 0.9);
    if (trial % 4 == 0) x = round(10 * x) / 10;
    if (trial % 8 == 0) y = round(10 * y) / 10;
    if (trial % 16 == 0) x += rng_uniform(&r, -1e-7, 1e-7), y += rng_uniform(&r, -1e-7, 1e-7);
    double gap = rng_uniform(&r, -0.3, 0.02);
    V3 foot = m3_mul_v(R, v3(x, y, 0)), c = v3_axpy(0.25 + gap, up, foot);
    int n = collide(&ball, (Xform){quat_to_m3(rng_quat(&r)), c}, 0.02, 64);
    assert_int_equal(n, 1);
    EXPECT_NEAR(v3_norm(v3_sub(touch[0].normal, up)), 0, 1e-12);
    EXPECT_NEAR(touch[0].gap, gap, 1e-12);
    // halfway between the surfaces; on an edge the other triangle's rounding may win
    EXPECT_NEAR(v3_norm(v3_sub(touch[0].point, v3_axpy(0.5 * gap, up, foot))), 0, 1e-9);
  }
}

// Any solid on a flat floor of triangles: normal of the floor, and the same depth and the same hold
// as on a plane.
static void solids_stand_as_on_a_plane(void** state) {
  (void)state;
  Rng r = rng_seed(2);
  shape_floor(&shape, 30, 30, 0.1, NULL);
  build();
  Shape* other = malloc(sizeof *other);
  shape_clear(other);
  shape_sphere(other, 0.3, 5);
  SarHull hull;
  assert_int_equal(sar_hull_build(other->vertex, other->mesh.nvertex, &arena, &hull).flaw,
                   SAR_MESH_SOUND);
  free(other);
  SarSolid solid[] = {box(0.3, 0.2, 0.1), capsule(0.1, 0.3), cylinder(0.2, 0.15),
                      sar_solid_of_hull(&hull)};
  for (int trial = 0; trial < test_effort(2000); trial++) {
    const SarSolid* s = &solid[trial % 4];
    Xform X = {quat_to_m3(rng_quat(&r)), rng_v3(&r, -0.8, 0.8)};
    if (trial / 4 % 3 == 0) X.R = m3_rot_z(cos(trial), sin(trial));
    if (trial / 4 % 3 == 1) X.R = m3_mul(m3_rot_z(cos(trial), sin(trial)), m3_rot_y(0, 1));
    // to the wanted depth
    double gap = rng_uniform(&r, -0.04, 0.005);
    X.p.z = 0;
    X.p.z = gap - sar_solid_bounds(s, &X, 0).low.z;
    int n = collide(s, X, 0.01, 64);
    if (n == 0) fail_msg("nothing touches, trial %d, gap %g", trial, gap);
    double deepest = HUGE_VAL;
    V3 low = touch[0].point, high = low;
    for (int i = 0; i < n; i++) {
      EXPECT_NEAR(v3_norm(v3_sub(touch[i].normal, v3(0, 0, 1))), 0, 1e-12);
      assert_true(touch[i].gap <= 0.01);
      deepest = fmin(deepest, touch[i].gap);
      low = v3(fmin(low.x, touch[i].point.x), fmin(low.y, touch[i].point.y), 0);
      high = v3(fmax(high.x, touch[i].point.x), fmax(high.y, touch[i].point.y), 0);
      for (int k = 0; k < i; k++) assert_int_not_equal(touch[i].feature, touch[k].feature);
    }
    EXPECT_NEAR(deepest, gap, 1e-9);
    // a box that lies flat is held at its corners
    if (trial % 4 == 0 && trial / 4 % 3 == 0) {
      SarBounds b = sar_solid_bounds(s, &X, 0);
      EXPECT_NEAR(high.x - low.x, b.high.x - b.low.x, 1e-6);
      EXPECT_NEAR(high.y - low.y, b.high.y - b.low.y, 1e-6);
    }
  }
}

// A box ten thousand times as large as a triangle: contacts at its corners, not where the walk
// begins.
static void large_box_on_small_triangles(void** state) {
  (void)state;
  shape_floor(&shape, 100, 100, 0.01, NULL);
  build();
  SarSolid s = box(0.4, 0.3, 0.1);
  Xform X = {m3_rot_z(cos(0.1), sin(0.1)), v3(0.013, 0.007, 0.0999)};
  int n = collide(&s, X, 0.001, 8);
  int corners = 0;
  for (int k = 0; k < 4; k++) {
    V3 corner = x_point(X, v3(k & 1 ? 0.4 : -0.4, k & 2 ? 0.3 : -0.3, -0.1));
    for (int i = 0; i < n; i++) {
      V3 d = v3_sub(touch[i].point, corner);
      corners += hypot(d.x, d.y) < 1e-6;
    }
  }
  assert_int_equal(corners, 4);
}

// ---- edges ---------------------------------------------------------------------------------

static double roof(double x, double y) {
  (void)y;
  return -fabs(x);
}
static double valley(double x, double y) {
  (void)y;
  return fabs(x);
}

// Over a ridge the normal of a ball turns from one side's to the other's; in a valley it has both.
static void ridge_and_valley(void** state) {
  (void)state;
  shape_floor(&shape, 8, 8, 0.25, roof);
  build();
  SarSolid ball = sphere(0.2);
  for (int k = -20; k <= 20; k++) {
    double angle = 0.05 * k;  // from the vertical; the sides' normals are at 45 degrees
    V3 n = v3(sin(angle), 0, cos(angle));
    V3 c = v3_add(v3_scale(0.21, n), v3(0, 0.03, 0));
    int count = collide(&ball, (Xform){m3_identity(), c}, 0.02, 64);
    if (fabs(angle) < 0.785) {
      assert_int_equal(count, 1);
      EXPECT_NEAR(v3_norm(v3_sub(touch[0].normal, n)), 0, 1e-9);
      EXPECT_NEAR(touch[0].gap, 0.01, 1e-12);
    }
    for (int i = 0; i < count; i++) {
      double side = atan2(touch[i].normal.x, touch[i].normal.z);
      EXPECT_AT_MOST(fabs(side), 0.785398163397449);
      EXPECT_NEAR(touch[i].normal.y, 0, 1e-12);
    }
  }
  shape_clear(&shape);
  shape_floor(&shape, 8, 8, 0.25, valley);
  build();
  int count = collide(&ball, at(0, 0.1, 0.2 * sqrt(2) - 0.001), 0.01, 64);
  assert_int_equal(count, 2);
  EXPECT_NEAR(touch[0].normal.z, sqrt(0.5), 1e-12);
  EXPECT_NEAR(touch[0].normal.x + touch[1].normal.x, 0, 1e-12);
  EXPECT_NEAR(touch[0].gap, -0.001 * sqrt(0.5), 1e-12);
}

// A box that stands over the edge of a table of triangles, a little sunk in: it is pushed up, not
// off.
static void box_over_the_edge_of_a_table(void** state) {
  (void)state;
  Rng r = rng_seed(3);
  shape_box(&shape, v3(-1, -1, -1), v3(1, 1, 0));
  build();
  SarSolid s = box(0.2, 0.2, 0.2);
  for (int trial = 0; trial < test_effort(500); trial++) {
    double x = rng_uniform(&r, 0.85, 1.15), y = rng_uniform(&r, -1.15, 1.15);
    double gap = rng_uniform(&r, -0.01, 0.004), turn = rng_uniform(&r, 0, 6);
    Xform X = {trial % 2 ? m3_rot_z(cos(turn), sin(turn)) : m3_identity(), v3(x, y, 0.2 + gap)};
    int n = collide(&s, X, 0.005, 64);
    // one turned by 45 degrees at a corner of the table may just miss it
    if (fabs(y) < 0.9 && x < 1.1) assert_true(n > 0);
    for (int i = 0; i < n; i++) {
      EXPECT_NEAR(v3_norm(v3_sub(touch[i].normal, v3(0, 0, 1))), 0, 1e-9);
      EXPECT_NEAR(touch[i].gap, gap, 1e-9);
    }
  }
}

// The open edge of a floor can be touched from the side, and its back not at all.
static void rim_and_back(void** state) {
  (void)state;
  shape_floor(&shape, 4, 4, 0.5, NULL);
  build();
  SarSolid ball = sphere(0.2);
  assert_int_equal(collide(&ball, at(1.2, 0.1, 0), 0.01, 8), 1);
  EXPECT_NEAR(touch[0].normal.x, 1, 1e-9);
  assert_int_equal(collide(&ball, at(0.1, 0.1, -0.201), 0.01, 8), 0);
  // a ball that has sunk in beyond its middle still comes out on top
  assert_int_equal(collide(&ball, at(0.1, 0.12, -0.1), 0.01, 8), 1);
  EXPECT_NEAR(touch[0].normal.z, 1, 1e-12);
  EXPECT_NEAR(touch[0].gap, -0.3, 1e-12);
}

// ---- other ---------------------------------------------------------------------------------

// Through the door of all pairs, either way round; surfaces do not touch each other.
static void either_way_round(void** state) {
  (void)state;
  shape_floor(&shape, 4, 4, 0.5, NULL);
  build();
  SarSolid s[] = {sphere(0.2), box(0.1, 0.1, 0.2), capsule(0.1, 0.1), cylinder(0.1, 0.2)};
  SarSolid plane = {.kind = SAR_SOLID_PLANE, .radius = HUGE_VAL};
  Xform X = at(0.1, 0.2, 0.199), here = x_identity();
  for (int i = 0; i < 4; i++) {
    int n = sar_collide(&surface, &here, &s[i], &X, 0.01, touch, 8);
    assert_in_range(n, 1, 8);
    EXPECT_NEAR(touch[0].normal.z, 1, 1e-12);
    EXPECT_NEAR(touch[0].gap, -0.001, 1e-12);
    assert_int_equal(sar_collide(&s[i], &X, &surface, &here, 0.01, touch, 8), n);
    EXPECT_NEAR(touch[0].normal.z, -1, 1e-12);
  }
  assert_int_equal(sar_collide(&surface, &here, &plane, &here, 0.01, touch, 8), 0);
  assert_int_equal(sar_collide(&plane, &here, &surface, &here, 0.01, touch, 8), 0);
  assert_int_equal(sar_collide(&surface, &here, &surface, &here, 0.01, touch, 8), 0);
}

// Moving surface and solid together moves the contacts with them.
static void frames(void** state) {
  (void)state;
  Rng r = rng_seed(4);
  shape_sphere(&shape, 1, 12);
  build();
  SarSolid s = box(0.2, 0.3, 0.1);
  int found = 0;
  for (int trial = 0; trial < test_effort(200); trial++) {
    V3 out = v3_unit(rng_v3(&r, -1, 1));
    Xform X = {quat_to_m3(rng_quat(&r)), v3_scale(1.15, out)};
    SarTouch here[32];
    int n = collide(&s, X, 0.02, 32);
    memcpy(here, touch, sizeof here);
    Xform T = {quat_to_m3(rng_quat(&r)), rng_v3(&r, -5, 5)}, X2 = x_mul(T, X);
    int m = sar_collide_surface(&surface, &T, &s, &X2, 0.02, touch, 32);
    assert_int_equal(m == 0, n == 0);
    if (n == 0) continue;
    // the deepest comes first; which of the others remain, rounding may decide
    EXPECT_NEAR(touch[0].gap, here[0].gap, 1e-9);
    found++;
  }
  assert_true(found > test_effort(200) / 2);
}

static void most_is_respected(void** state) {
  (void)state;
  shape_floor(&shape, 20, 20, 0.1, NULL);
  build();
  SarSolid s = box(0.5, 0.4, 0.1);
  int all = collide(&s, at(0.03, 0.02, 0.099), 0.01, 64);
  assert_true(all >= 4 && all <= 9);
  for (int most = 0; most < all; most++) {
    touch[most].gap = 77;
    assert_int_equal(collide(&s, at(0.03, 0.02, 0.099), 0.01, most), most);
    EXPECT_NEAR(touch[most].gap, 77, 0);
  }
}

// The same contacts have the same ids a little later.
static void ids_stay(void** state) {
  (void)state;
  shape_floor(&shape, 20, 20, 0.1, NULL);
  build();
  SarSolid s = box(0.23, 0.24, 0.1);
  unsigned first[64];
  int n = collide(&s, at(0.033, 0.021, 0.0999), 0.01, 64);
  for (int i = 0; i < n; i++) first[i] = touch[i].feature;
  for (int step = 1; step < 20; step++) {
    assert_int_equal(collide(&s, at(0.033 + 1e-4 * step, 0.021, 0.0999 - 1e-6 * step), 0.01, 64),
                     n);
    for (int i = 0; i < n; i++) {
      int found = 0;
      for (int k = 0; k < n; k++) found += first[k] == touch[i].feature;
      assert_int_equal(found, 1);
    }
  }
}

static void allocates_nothing(void** state) {
  (void)state;
  shape_floor(&shape, 20, 20, 0.1, NULL);
  build();
  SarSolid s = box(0.5, 0.4, 0.1);
  alloc_count_reset();
  collide(&s, at(0.03, 0.02, 0.099), 0.01, 64);
  assert_int_equal(alloc_count(), 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, shape_setup, arena_teardown)
  const struct CMUnitTest tests[] = {
      TEST(tree_holds_every_triangle),
      TEST(neighbours_share_an_edge),
      TEST(broken_meshes_are_refused),
      TEST(stored_solid_is_the_same),
      TEST(ball_rolls_as_on_a_plane),
      TEST(solids_stand_as_on_a_plane),
      TEST(large_box_on_small_triangles),
      TEST(ridge_and_valley),
      TEST(box_over_the_edge_of_a_table),
      TEST(rim_and_back),
      TEST(either_way_round),
      TEST(frames),
      TEST(most_is_respected),
      TEST(ids_stay),
      TEST(allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
