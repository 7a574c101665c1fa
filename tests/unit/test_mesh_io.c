// Mesh files: what is read, what is refused and how, and where files may be.
#include "support/alloc_count.h"
#include "support/arena_fixture.h"

#include "collide/hull.h"
#include "io/mesh.h"

#include <stdlib.h>
#include <unistd.h>

#define FOLDER SARRUS_SOURCE_DIR "/tests/models/meshes/"

static SarError err;
static SarMeshRead mesh;

static SarMeshRequest request(const char* name) {
  return (SarMeshRequest){
      .name = name, .loc = {"m.yaml", 3, 7}, .model = FOLDER "m.yaml", .scale = v3(1, 1, 1)};
}

static SarStatus read_mesh(const SarMeshRequest* q) {
  sar_error_init(&err);
  return sar_mesh_read(q, &arena, &mesh, &err);
}

static void expect_message(const char* text) {
  char is[1024];
  assert_int_equal(err.count, 1);
  sar_error_format(&err, 0, is, sizeof is);
  assert_string_equal(is, text);
}

// ---- good ----------------------------------------------------------------------------------

static void expect_cube(const char* name, double scale) {
  SarMeshRequest q = request(name);
  q.scale = v3(scale, scale, scale);
  EXPECT_OK_OR(read_mesh(&q), &err);
  assert_int_equal(err.count, 0);
  assert_int_equal(mesh.mesh.nvertex, 8);
  assert_int_equal(mesh.mesh.ntriangle, 12);
  assert_int_equal(mesh.degenerate, 0);
  assert_int_equal(sar_mesh_check_closed(&mesh.mesh, &arena).flaw, SAR_MESH_SOUND);
  assert_int_equal(sar_mesh_check_convex(&mesh.mesh).flaw, SAR_MESH_SOUND);
  EXPECT_NEAR(sar_mesh_inertia(&mesh.mesh).m, 1, 1e-14);
}

static void reads_cubes(void** state) {
  (void)state;
  expect_cube("cube.stl", 1);
  expect_cube("cube_text.stl", 1);
  expect_cube("solid_binary.stl", 1);
  expect_cube("cube_mm.obj", 1e-3);
  expect_cube("cube_back.obj", 1);
  expect_cube("cube_mm.obj", -1e-3);  // mirrored: the outside stays outside
}

static void finds_flaws(void** state) {
  (void)state;
  SarMeshRequest q = request("open.stl");
  EXPECT_OK_OR(read_mesh(&q), &err);
  SarMeshFault fault = sar_mesh_check_closed(&mesh.mesh, &arena);
  assert_int_equal(fault.flaw, SAR_MESH_OPEN);
  assert_int_equal(fault.count, 4);
  q = request("twisted.stl");
  EXPECT_OK_OR(read_mesh(&q), &err);
  assert_int_equal(sar_mesh_check_closed(&mesh.mesh, &arena).flaw, SAR_MESH_TWISTED);
  q = request("ell.obj");
  EXPECT_OK_OR(read_mesh(&q), &err);
  assert_int_equal(sar_mesh_check_closed(&mesh.mesh, &arena).flaw, SAR_MESH_SOUND);
  fault = sar_mesh_check_convex(&mesh.mesh);
  assert_int_equal(fault.flaw, SAR_MESH_NOT_CONVEX);
  EXPECT_NEAR(fault.distance, 1, 1e-15);
  EXPECT_NEAR(sar_mesh_inertia(&mesh.mesh).m, 3, 1e-14);
}

static void degenerate_triangles_are_counted(void** state) {
  (void)state;
  const char* text =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 5 5 5\nf 1 2 3\nf 1 2 4\nf 2 4 3\nf 3 4 1\n";
  SarMeshRequest q = request("memory.obj");
  sar_error_init(&err);
  EXPECT_OK(sar_mesh_parse(text, strlen(text), &q, &arena, &mesh, &err));
  assert_int_equal(mesh.degenerate, 2);
  assert_int_equal(mesh.mesh.ntriangle, 2);
  assert_int_equal(mesh.mesh.nvertex, 3);  // two are at one place, one is in no triangle
}

// ---- broken --------------------------------------------------------------------------------

static void says_what_is_wrong(void** state) {
  (void)state;
  static const struct {
    const char *name, *message;
  } broken[] = {
      {"truncated.stl",
       "m.yaml:3:7: error: mesh 'truncated.stl' is said to have 12 triangles, but ends after 11 "
       "(the file is cut off, or not an STL file)"},
      {"empty.stl",
       "m.yaml:3:7: error: mesh 'empty.stl' ends after 0 bytes, in the header (is this an STL "
       "file?)"},
      {"cut_text.stl",
       "m.yaml:3:7: error: mesh 'cut_text.stl', line 75: expected endsolid (the file is cut off)"},
      {"nan.stl",
       "m.yaml:3:7: error: mesh 'nan.stl' has a vertex that is not finite, number 9: (nan, 0, 0) "
       "(write the file again from where it came)"},
      {"nan_text.stl",
       "m.yaml:3:7: error: mesh 'nan_text.stl' has a vertex that is not finite, number 9: (nan, 0, "
       "0) (write the file again from where it came)"},
      {"inf.obj",
       "m.yaml:3:7: error: mesh 'inf.obj' has a vertex that is not finite, number 2: (inf, 0, 0) "
       "(write the file again from where it came)"},
      {"flat.stl", "m.yaml:3:7: error: mesh 'flat.stl' has no triangle with an area"},
      {"no_triangles.stl", "m.yaml:3:7: error: mesh 'no_triangles.stl' has no triangles"},
      {"no_faces.obj", "m.yaml:3:7: error: mesh 'no_faces.obj' has no triangles"},
      {"four_corners.stl",
       "m.yaml:3:7: error: mesh 'four_corners.stl', line 7: expected three vertices between outer "
       "loop and endloop"},
      {"index.obj",
       "m.yaml:3:7: error: mesh 'index.obj', line 5: vertex 4 of 3 (vertices come before the faces "
       "that use them)"},
      {"words.obj",
       "m.yaml:3:7: error: mesh 'words.obj', line 2: expected three numbers (as in v 0.5 1 2)"},
      {"two_corners.obj",
       "m.yaml:3:7: error: mesh 'two_corners.obj', line 3: a face needs three corners"},
      {"picture.ply",
       "m.yaml:3:7: error: mesh 'picture.ply' is of a format that is not read: expected .stl, "
       ".obj or .dae (convert it to one of these)"},
  };
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    SarMeshRequest q = request(broken[i].name);
    EXPECT_STATUS(read_mesh(&q), SAR_BAD_MODEL);
    expect_message(broken[i].message);
    assert_null(mesh.mesh.vertex);
  }
  SarMeshRequest q = request("cube.stl");
  q.scale.y = 0;
  EXPECT_STATUS(read_mesh(&q), SAR_BAD_MODEL);
  expect_message(
      "m.yaml:3:7: error: mesh 'cube.stl' has a scale of (1, 0, 1), expected finite numbers other "
      "than 0 (as in 0.001 for millimetres)");
}

// A binary file cut anywhere is refused, as is a text without its end.
static void every_cut_is_noticed(void** state) {
  (void)state;
  static char text[8192];
  FILE* f = fopen(FOLDER "cube.stl", "rb");
  assert_non_null(f);
  size_t n = fread(text, 1, sizeof text, f);
  fclose(f);
  SarMeshRequest q = request("cube.stl");
  for (size_t cut = 0; cut < n; cut++) {
    sar_error_init(&err);
    EXPECT_STATUS(sar_mesh_parse(text, cut, &q, &arena, &mesh, &err), SAR_BAD_MODEL);
    assert_int_equal(err.count, 1);
  }
}

// ---- where files may be --------------------------------------------------------------------

#define OUTSIDE(name)                                                  \
  "m.yaml:3:7: error: mesh file '" name                                \
  "' is outside the folder of the model and the search paths (put it " \
  "there or below, or name its folder with --path)"

static void only_inside_the_search_path(void** state) {
  (void)state;
  SarMeshRequest q = request("../every_joint.yaml");
  EXPECT_STATUS(read_mesh(&q), SAR_NO_FILE);
  expect_message(OUTSIDE("../every_joint.yaml"));
  q = request("sub/../../nothing.stl");
  EXPECT_STATUS(read_mesh(&q), SAR_NO_FILE);
  expect_message(OUTSIDE("sub/../../nothing.stl"));
  q = request("/etc/passwd.stl");
  EXPECT_STATUS(read_mesh(&q), SAR_NO_FILE);
  expect_message(OUTSIDE("/etc/passwd.stl"));
  q = request("http://example.org/cube.stl");
  EXPECT_STATUS(read_mesh(&q), SAR_NO_FILE);
  q = request("nothing.stl");
  EXPECT_STATUS(read_mesh(&q), SAR_NO_FILE);
  expect_message(
      "m.yaml:3:7: error: there is no mesh file 'nothing.stl' (it is looked for beside the file "
      "that names it and in the search paths)");
  // absolute, but inside
  q = request(FOLDER "cube.stl");
  EXPECT_OK_OR(read_mesh(&q), &err);
  // a model elsewhere: by a search path only
  q.model = SARRUS_SOURCE_DIR "/tests/models/m.yaml";
  EXPECT_OK_OR(read_mesh(&q), &err);
  q.name = "meshes/cube.stl";
  EXPECT_OK_OR(read_mesh(&q), &err);
  assert_string_equal(mesh.path, SARRUS_SOURCE_DIR "/tests/models/meshes/cube.stl");
  q.name = "cube.stl";
  EXPECT_STATUS(read_mesh(&q), SAR_NO_FILE);
  const char* const paths[] = {SARRUS_SOURCE_DIR "/tests",
                               SARRUS_SOURCE_DIR "/tests/models/meshes"};
  SarLoadOptions o = {.search_paths = paths, .search_path_count = 2};
  q.options = &o;
  EXPECT_OK_OR(read_mesh(&q), &err);
}

static void links_do_not_lead_out(void** state) {
  (void)state;
  char folder[] = "/tmp/sarrus_mesh_XXXXXX", link[64];
  assert_non_null(mkdtemp(folder));
  snprintf(link, sizeof link, "%s/link.stl", folder);
  int made = symlink(FOLDER "cube.stl", link);
  char model[64];
  snprintf(model, sizeof model, "%s/m.yaml", folder);
  SarMeshRequest q = request("link.stl");
  q.model = model;
  SarStatus st = read_mesh(&q);
  unlink(link);
  rmdir(folder);
  if (made != 0) return;  // a file system without links
  EXPECT_STATUS(st, SAR_NO_FILE);
  expect_message(OUTSIDE("link.stl"));
}

static void meshes_in_memory(void** state) {
  (void)state;
  const char* text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  SarTextFile files[] = {{"parts/a.obj", text, strlen(text)}};
  SarLoadOptions o = {.files = files, .file_count = 1};
  SarMeshRequest q = request("a.obj");
  q.model = "parts/m.yaml";
  q.in_memory = true;
  q.options = &o;
  EXPECT_OK_OR(read_mesh(&q), &err);
  assert_int_equal(mesh.mesh.ntriangle, 1);
  q.name = "b.obj";
  EXPECT_STATUS(read_mesh(&q), SAR_NO_FILE);
}

static void memory_may_run_out(void** state) {
  (void)state;
  SarMeshRequest q = request("cube_text.stl");
  for (long n = 1;; n++) {
    SarArena a;
    sar_arena_init(&a);
    sar_error_init(&err);
    alloc_count_reset();
    alloc_fail_at(n);
    SarStatus st = sar_mesh_read(&q, &a, &mesh, &err);
    bool failed = alloc_has_failed();
    alloc_fail_at(0);
    sar_arena_free(&a);
    assert_int_equal(alloc_count_live(), 0);
    if (!failed) break;
    // what the C library asks for, it can do without or says so as an unreadable file
    assert_true(st == SAR_NO_MEMORY || st == SAR_NO_FILE || st == SAR_OK);
    assert_true(n < 1000);
  }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, arena_setup, arena_teardown)
  const struct CMUnitTest tests[] = {
      TEST(reads_cubes),
      TEST(finds_flaws),
      TEST(degenerate_triangles_are_counted),
      TEST(says_what_is_wrong),
      TEST(every_cut_is_noticed),
      TEST(only_inside_the_search_path),
      TEST(links_do_not_lead_out),
      TEST(meshes_in_memory),
      TEST(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
