// COLLADA: the same tetrahedra and boxes by every kind of list, under random nodes, against the
// points that the nodes' transforms give.
#include "support/random.h"
#include "support/test.h"

#include "base/arena.h"
#include "base/print.h"
#include "io/mesh.h"

#include <stdio.h>
#include <string.h>

static char file[20000];
static size_t used;

static void put(const char* format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(file + used, sizeof file - used, format, args);
  va_end(args);
  used += (size_t)n;
  assert_true(used < sizeof file);
}

static SarStatus parse(const char* text, SarArena* arena, SarMeshRead* out, SarError* err) {
  const SarMeshRequest q = {.name = "part.dae", .loc = {"model.yaml", 3, 5}, .scale = {1, 1, 1}};
  sar_error_init(err);
  return sar_mesh_parse(text, strlen(text), &q, arena, out, err);
}

// ---- a box with the sizes 1, 2, 3 -----------------------------------------------------------

typedef enum List { TRIANGLES, POLYLIST, POLYGONS, STRIPS, FANS, LISTS } List;

static const int FACE[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                               {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

// Corners have a normal too, before or after the vertex.
static void corner(int v, int at) { at ? put("0 %d ", v) : put("%d 0 ", v); }

static void put_faces(List list, int at) {
  static const char* const TAG[] = {"triangles", "polylist", "polygons", "tristrips", "trifans"};
  put("<%s count=\"6\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"%d\"/>", TAG[list], at);
  put("<input semantic=\"NORMAL\" source=\"#n\" offset=\"%d\"/>\n", 1 - at);
  if (list == POLYLIST) put("<vcount>4 4 4\n4 4 4</vcount>");
  if (list == TRIANGLES || list == POLYLIST) put("<p>");
  for (int f = 0; f < 6; f++) {
    static const int AS_TRIANGLES[6] = {0, 1, 2, 0, 2, 3}, AS_STRIP[4] = {1, 2, 0, 3};
    const int n = list == TRIANGLES ? 6 : 4;
    if (list > POLYLIST) put("<p>");
    for (int i = 0; i < n; i++)
      corner(FACE[f][list == TRIANGLES ? AS_TRIANGLES[i] : list == STRIPS ? AS_STRIP[i] : i], at);
    put(list > POLYLIST ? "</p>\n" : "\n");
  }
  if (list == TRIANGLES || list == POLYLIST) put("</p>");
  put("</%s>\n", TAG[list]);
}

static void put_geometry(List list, int at) {
  put("<library_geometries><geometry id=\"g\"><mesh>\n<source id=\"p\"><float_array>\n");
  for (int k = 0; k < 8; k++) put("%d %d %d\n", k & 1, k & 2, k & 4 ? 3 : 0);
  put("</float_array><technique_common><accessor stride=\"3\"/></technique_common></source>\n");
  put("<source id=\"n\"><float_array>0 0 1</float_array></source>\n");
  put("<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n");
  put_faces(list, at);
  put("</mesh></geometry></library_geometries>\n");
}

// ---- random nodes ---------------------------------------------------------------------------

typedef struct Affine {
  double a[3][4];
} Affine;

static Affine times(const Affine* x, const Affine* y) {
  Affine z;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      z.a[i][j] = j == 3 ? x->a[i][3] : 0;
      for (int k = 0; k < 3; k++) z.a[i][j] += x->a[i][k] * y->a[k][j];
    }
  return z;
}

static Affine put_step(Rng* r) {
  Affine x = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  const double u = rng_uniform(r, -2, 2), v = rng_uniform(r, 0.5, 2), w = rng_uniform(r, -2, 2);
  switch (rng_int(r, 4)) {
    case 0:
      x.a[0][3] = u, x.a[1][3] = v, x.a[2][3] = w;
      put("<translate>%.17g %.17g %.17g</translate>", u, v, w);
      break;
    case 1: {  // mirrored, half of the time
      const double s = u < 0 ? -v : v;
      x.a[0][0] = s;
      put("<scale>%.17g 1 1</scale>", s);
      break;
    }
    case 2: {
      const double angle = 30 * u * 0.017453292519943295;
      x.a[1][1] = x.a[2][2] = cos(angle);
      x.a[2][1] = sin(angle), x.a[1][2] = -sin(angle);
      put("<rotate>%.17g 0 0 %.17g</rotate>", v, 30 * u);
      break;
    }
    default:
      x.a[0][1] = u, x.a[2][3] = w;
      put("<matrix>1 %.17g 0 0 0 1 0 0\n 0 0 1 %.17g 0 0 0 1</matrix>", u, w);
      break;
  }
  return x;
}

static void placed_boxes(void** state) {
  (void)state;
  Rng r = rng_seed(21);
  for (int trial = 0; trial < test_effort(200); trial++) {
    const double metre = trial % 3 ? 1 : 0.001;
    used = 0;
    put("<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\"><asset><unit meter=\"%g\"/>", metre);
    put("<up_axis>Y_UP</up_axis></asset>\n");
    put_geometry((List)(trial % LISTS), rng_int(&r, 2));
    Affine X = {{{metre, 0, 0, 0}, {0, metre, 0, 0}, {0, 0, metre, 0}}};
    put("<library_visual_scenes><visual_scene id=\"s\">");
    const int depth = 1 + rng_int(&r, 4);
    for (int i = 0; i < depth; i++) {
      put("<node>");
      for (int k = rng_int(&r, 3); k > 0; k--) {
        const Affine step = put_step(&r);
        X = times(&X, &step);
      }
    }
    put("<instance_geometry url=\"#g\"/>");
    for (int i = 0; i < depth; i++) put("</node>");
    put("</visual_scene></library_visual_scenes></COLLADA>\n");
    SarArena arena;
    SarMeshRead read;
    SarError err;
    sar_arena_init(&arena);
    assert_int_equal(parse(file, &arena, &read, &err), SAR_OK);
    assert_int_equal(read.mesh.nvertex, 8);
    assert_int_equal(read.mesh.ntriangle, 12);
    assert_int_equal(sar_mesh_check_closed(&read.mesh, &arena).flaw, SAR_MESH_SOUND);
    double det = 0, centre[3];
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      det += X.a[0][i] * (X.a[1][j] * X.a[2][k] - X.a[1][k] * X.a[2][j]);
      centre[i] = 0.5 * X.a[i][0] + X.a[i][1] + 1.5 * X.a[i][2] + X.a[i][3];
    }
    const Inertia I = sar_mesh_inertia(&read.mesh);
    const double volume = 6 * fabs(det);
    EXPECT_NEAR(I.m, volume, 1e-9 * volume);
    const double size = 1 + fabs(centre[0]) + fabs(centre[1]) + fabs(centre[2]);
    EXPECT_NEAR(I.h.x / I.m, centre[0], 1e-9 * size);
    EXPECT_NEAR(I.h.y / I.m, centre[1], 1e-9 * size);
    EXPECT_NEAR(I.h.z / I.m, centre[2], 1e-9 * size);
    sar_arena_free(&arena);
  }
}

// Without a scene: as it is; through <library_nodes>: once for each use.
static void other_ways_to_place(void** state) {
  (void)state;
  for (int nodes = 0; nodes < 2; nodes++) {
    used = 0;
    put("<COLLADA>");
    put_geometry(POLYLIST, 0);
    if (nodes) {
      put("<library_nodes><node id=\"n\"><instance_geometry url=\"#g\"/></node></library_nodes>");
      put("<library_visual_scenes><visual_scene><node><instance_node url=\"#n\"/>");
      put("<node><translate>9 0 0</translate><instance_node url=\"#n\"/></node></node>");
      put("</visual_scene></library_visual_scenes>");
    }
    put("</COLLADA>");
    SarArena arena;
    SarMeshRead read;
    SarError err;
    sar_arena_init(&arena);
    assert_int_equal(parse(file, &arena, &read, &err), SAR_OK);
    assert_int_equal(read.mesh.ntriangle, nodes ? 24 : 12);
    EXPECT_NEAR(sar_mesh_inertia(&read.mesh).m, nodes ? 12 : 6, 1e-12);
    sar_arena_free(&arena);
  }
}

#define MESH(list)                                                            \
  "<COLLADA><library_geometries><geometry id='g'><mesh>"                      \
  "<source id='p'><float_array>0 0 0 1 0 0 0 1 0</float_array></source>"      \
  "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices>" list \
  "</mesh></geometry></library_geometries></COLLADA>"
#define INPUT "<input semantic='VERTEX' source='#v' offset='0'/>"

static void says_what_is_wrong(void** state) {
  (void)state;
  static const char* const WRONG[][2] = {
      {"", "XML"},
      {"<robot/>", "is no COLLADA"},
      {"<COLLADA/>", "has no triangles"},
      {"<COLLADA><asset><unit meter='-1'/></asset></COLLADA>", "no length in metres"},
      {MESH("<triangles>" INPUT "<p>0 1 3</p></triangles>"), "a vertex that is not there"},
      {MESH("<triangles>" INPUT "<p>0 1 -1</p></triangles>"), "a vertex that is not there"},
      {MESH("<triangles>" INPUT "<p>0 1</p></triangles>"), "fewer corners"},
      {MESH("<triangles><p>0 1 2</p></triangles>"), "no vertices"},
      {MESH("<polylist>" INPUT "<p>0 1 2</p></polylist>"), "no <vcount>"},
      {MESH("<polylist>" INPUT "<vcount>x</vcount><p>0 1 2</p></polylist>"), "that is none"},
      {"<COLLADA><library_visual_scenes><visual_scene><node><instance_geometry url='#x'/></node>"
       "</visual_scene></library_visual_scenes></COLLADA>",
       "names a geometry that is not there"},
      {"<COLLADA><library_nodes><node id='n'><instance_node url='#n'/></node></library_nodes>"
       "<library_visual_scenes><visual_scene><node><instance_node url='#n'/></node>"
       "</visual_scene></library_visual_scenes></COLLADA>",
       "contain each other"},
      {"<COLLADA><library_visual_scenes><visual_scene><node><matrix>1 2</matrix></node>"
       "</visual_scene></library_visual_scenes></COLLADA>",
       "has not the numbers"},
  };
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    SarArena arena;
    SarMeshRead read;
    SarError err;
    sar_arena_init(&arena);
    assert_int_equal(parse(WRONG[i][0], &arena, &read, &err), SAR_BAD_MODEL);
    assert_true(err.errors > 0);
    bool said = false;
    for (int k = 0; k < err.count; k++) said = said || strstr(err.items[k].text, WRONG[i][1]);
    if (!said) fail_msg("'%s': no word of '%s'", WRONG[i][0], WRONG[i][1]);
    sar_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(placed_boxes),
      cmocka_unit_test(other_ways_to_place),
      cmocka_unit_test(says_what_is_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
