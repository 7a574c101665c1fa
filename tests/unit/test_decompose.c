// Convex parts of meshes: random solids of cubes, tubes, cups. The parts hold all of the solid, and
// of what is outside no more than the hollows that are left.
#include "collide/decompose.h"
#include "support/mesh_shapes.h"
#include "support/random.h"

enum { SIDE = 4, SOLIDS = 12 };

static bool is_within(const SarHull* h, V3 x, double beyond) {
  for (int f = 0; f < h->nface; f++)
    if (v3_dot(h->normal[f], x) > h->offset[f] + beyond) return false;
  return true;
}

static bool is_in_some(const SarParts* parts, V3 x, double beyond) {
  for (int i = 0; i < parts->count; i++)
    if (is_within(&parts->hull[i], x, beyond)) return true;
  return false;
}

static SarParts parts_of(const Shape* s, double hollow, int most) {
  SarParts parts;
  assert_int_equal(sar_decompose(&s->mesh, hollow, most, &arena, &parts).flaw, SAR_MESH_SOUND);
  assert_in_range(parts.count, 1, most);
  return parts;
}

// ---- cubes --------------------------------------------------------------------------------------

typedef struct Cubes {
  bool at[SIDE][SIDE][SIDE];
} Cubes;

static bool has(const Cubes* c, int x, int y, int z) {
  const int n[3] = {x, y, z};
  for (int k = 0; k < 3; k++)
    if (n[k] < 0 || n[k] >= SIDE) return false;
  return c->at[x][y][z];
}

// A walk from cube to cube.
static Cubes random_cubes(Rng* r) {
  Cubes c = {0};
  int at[3] = {rng_int(r, SIDE), rng_int(r, SIDE), rng_int(r, SIDE)};
  for (int i = 0, n = 4 + rng_int(r, 16); i < n; i++) {
    c.at[at[0]][at[1]][at[2]] = true;
    const int axis = rng_int(r, 3), to = at[axis] + (rng_int(r, 2) ? 1 : -1);
    if (to >= 0 && to < SIDE) at[axis] = to;
  }
  return c;
}

static void add_face(Shape* s, V3 middle, V3 n) {
  const V3 u = v3_scale(0.5, v3_perp(n)), v = v3_cross(n, u), o = v3_axpy(0.5, n, middle);
  const int first = s->mesh.nvertex;
  shape_vertex(s, v3_sub(v3_sub(o, u), v));
  shape_vertex(s, v3_sub(v3_add(o, u), v));
  shape_vertex(s, v3_add(v3_add(o, u), v));
  shape_vertex(s, v3_add(v3_sub(o, u), v));
  shape_quad(s, first, first + 1, first + 2, first + 3);
}

static void make_cubes(const Cubes* c, Shape* s) {
  shape_clear(s);
  for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
    const int x = k / SIDE / SIDE, y = k / SIDE % SIDE, z = k % SIDE;
    if (!has(c, x, y, z)) continue;
    for (int axis = 0; axis < 3; axis++)
      for (int sign = -1; sign <= 1; sign += 2) {
        const V3 n = v3(sign * (axis == 0), sign * (axis == 1), sign * (axis == 2));
        if (!has(c, x + (int)n.x, y + (int)n.y, z + (int)n.z)) add_face(s, v3(x, y, z), n);
      }
  }
}

// Walls are square to the axes, so cubes can be told apart to the last one.
static void solids_of_cubes_are_held_exactly(void** state) {
  (void)state;
  int most = 0;
  for (int i = 0; i < test_effort(SOLIDS); i++) {
    Rng r = rng_seed(test_seed(1900) + (uint64_t)i);
    const Cubes c = random_cubes(&r);
    make_cubes(&c, &shape);
    const SarParts parts = parts_of(&shape, 0.01, SAR_PARTS_MOST);
    most = parts.count > most ? parts.count : most;
    EXPECT_AT_MOST(parts.hollow, 0.01 * SIDE);
    for (int k = 0; k < 200; k++) {
      const V3 x = rng_v3(&r, -0.5, SIDE - 0.5);
      const bool inside =
          has(&c, (int)floor(x.x + 0.5), (int)floor(x.y + 0.5), (int)floor(x.z + 0.5));
      if (inside != is_in_some(&parts, x, inside ? 1e-6 : -1e-6))
        fail_msg("solid %d: (%g %g %g) is %s", i, x.x, x.y, x.z, inside ? "left out" : "filled");
    }
  }
  print_message("at most %d parts\n", most);
}

// ---- round ones ---------------------------------------------------------------------------------

// A pipe of n sides, closed below by a floor if it is a cup.
static void make_pipe(Shape* s, int n, double inner, double floor_at) {
  const double z[] = {0, 1, 1, floor_at}, radius[] = {1, 1, inner, inner};
  shape_clear(s);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 4; i++) {
      const double a = 6.283185307179586 * k / n;
      shape_vertex(s, v3(radius[i] * cos(a), radius[i] * sin(a), z[i]));
    }
  const int low = shape_vertex(s, v3(0, 0, 0)), high = shape_vertex(s, v3(0, 0, floor_at));
  for (int k = 0; k < n; k++) {
    const int a = 4 * k, b = 4 * ((k + 1) % n);
    for (int i = 0; i < 3; i++) shape_quad(s, a + i, b + i, b + i + 1, a + i + 1);
    if (floor_at > 0) {
      shape_triangle(s, low, b, a);
      shape_triangle(s, high, a + 3, b + 3);
    } else {
      shape_quad(s, a + 3, b + 3, b, a);
    }
  }
}

static void pipes_and_cups_stay_open(void** state) {
  (void)state;
  for (int cup = 0; cup < 2; cup++) {
    make_pipe(&shape, 24, 0.8, cup ? 0.2 : 0);
    const SarParts parts = parts_of(&shape, SAR_PARTS_HOLLOW, SAR_PARTS_MOST);
    double filled = 0;
    Rng r = rng_seed(test_seed(1950));
    for (int k = 0; k < 2000; k++) {
      const V3 x = v3(rng_uniform(&r, -1, 1), rng_uniform(&r, -1, 1), rng_uniform(&r, 0, 1));
      const double radius = hypot(x.x, x.y);
      const bool wall = radius > 0.8 && radius < cos(3.1415926536 / 24);
      if (wall || (cup && x.z < 0.2 && radius < 0.8)) assert_true(is_in_some(&parts, x, 1e-6));
      if (radius < 0.75 && x.z > (cup ? 0.25 : 0)) filled += is_in_some(&parts, x, 0);
    }
    print_message("%s: %d parts, hollows of %.2g, %g of 2000 points filled\n", cup ? "cup" : "pipe",
                  parts.count, parts.hollow, filled);
    EXPECT_AT_MOST(parts.hollow, 2 * SAR_PARTS_HOLLOW + 0.05);
    EXPECT_AT_MOST(filled, 20);
  }
}

static void convex_solids_are_one_part(void** state) {
  (void)state;
  shape_clear(&shape);
  shape_sphere(&shape, 1, 12);
  assert_int_equal(parts_of(&shape, SAR_PARTS_HOLLOW, SAR_PARTS_MOST).count, 1);
  shape_clear(&shape);
  shape_box(&shape, v3(-1, -2, -3), v3(1, 2, 3));
  assert_int_equal(parts_of(&shape, SAR_PARTS_HOLLOW, SAR_PARTS_MOST).count, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(solids_of_cubes_are_held_exactly, shape_setup,
                                      arena_teardown),
      cmocka_unit_test_setup_teardown(pipes_and_cups_stay_open, shape_setup, arena_teardown),
      cmocka_unit_test_setup_teardown(convex_solids_are_one_part, shape_setup, arena_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
