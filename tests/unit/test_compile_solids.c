// Meshes, hulls and heights of the model file, in the model's own memory; contact of included
// files.
#include "support/alloc_count.h"
#include "support/colliders.h"

#include "model/model.h"

#define FOLDER SARRUS_SOURCE_DIR "/tests/models/"

static SarStatus parse(const char* text, SarModel** m, SarError* err) {
  static const char* const paths[] = {FOLDER "meshes"};
  SarTextFile files[] = {
      {"part.yaml",
       "sarrus: 1\n"
       "parameters: {h: 2}\n"
       "bodies: {ball: {sphere: 1, mass: 1, contact: {material: felt, group: soft}}}\n"
       "ground: {contact: {material: felt, solids: [{heights: h*x, x: [0, 1, 2], y: [0, 1, 2]}]}}\n"
       "contact:\n"
       "  max_contacts: 3\n"
       "  materials: {felt: {friction: 0.25}, default: {friction: 1}}\n"
       "  ignore: [[soft, ball], [soft]]\n",
       0},
      {"robot.urdf",
       "<robot name='r'>\n"
       "<link name='world'><collision><geometry><box size='9 9 2'/></geometry></collision></link>\n"
       "<link name='arm'><inertial><mass value='1'/>\n"
       "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>\n"
       "<collision><origin xyz='1 2 3'/><geometry><sphere radius='0.5'/></geometry></collision>\n"
       "<collision><geometry><cylinder radius='0.1' length='4'/></geometry></collision>\n"
       "<collision><geometry><mesh filename='package://none/ell.obj' scale='2 2 2'/>\n"
       "</geometry></collision></link>\n"
       "<joint name='hinge' type='continuous'><parent link='world'/><child link='arm'/></joint>\n"
       "</robot>\n",
       0}};
  enum { FILES = sizeof files / sizeof *files };
  for (int i = 0; i < FILES; i++) files[i].size = strlen(files[i].text);
  const SarLoadOptions o = {
      .search_paths = paths, .search_path_count = 1, .files = files, .file_count = FILES};
  return sar_model_parse(text, strlen(text), "yaml", "m.yaml", &o, m, err);
}

static SarModel* load(const char* text) {
  SarModel* m;
  SarError err;
  char message[1024];
  sar_error_init(&err);
  const SarStatus st = parse(text, &m, &err);
  if (st != SAR_OK) fail_msg("%s", sar_error_format(&err, 0, message, sizeof message));
  return m;
}

static bool is_within(const void* p, const void* array, size_t bytes) {
  return (const char*)p >= (const char*)array && (const char*)p < (const char*)array + bytes;
}

static const char SOLIDS[] =
    "sarrus: 1\n"
    "parameters: {mm: 0.001, a: 0.5}\n"
    "bodies:\n"
    "  b: {mass: 1, inertia: [1, 1, 1], contact: [\n"
    "    {convex: cube_mm.obj, scale: mm, name: cube},\n"
    "    {hull: [[0, 0, 0], [a, 0, 0], [0, a, 0], [0, 0, a], [a/9, a/9, a/9]], name: tip},\n"
    "    {mesh: ell.obj, name: ell}]}\n"
    "ground:\n"
    "  contact:\n"
    "    - {heights: a*x + y^2, x: [0, 2, 5], y: [-1, 1, 3], name: hill}\n"
    "    - {heights: [[1, 2, 3], [4, 5, a]], x: [0, 1], y: [0, 3], name: table}\n"
    "    - {mesh: open.stl, name: open}\n";

static void solids_live_in_the_model(void** state) {
  (void)state;
  SarModel* m = load(SOLIDS);
  const SarSolid *cube = &find_collider(m, "b.cube")->solid,
                 *tip = &find_collider(m, "b.tip")->solid;
  const SarSolid *ell = &find_collider(m, "b.ell")->solid,
                 *open = &find_collider(m, "ground.open")->solid;
  assert_int_equal(cube->kind, SAR_SOLID_CONVEX);
  assert_int_equal(cube->of.hull.nvertex, 8);
  assert_int_equal(cube->of.hull.nface, 6);
  assert_true(
      is_within(cube->of.hull.vertex, m->solid_point, sizeof(V3) * (size_t)m->nsolid_point));
  assert_true(is_within(cube->of.hull.edge, m->solid_index, sizeof(int) * (size_t)m->nsolid_index));
  assert_int_equal(tip->of.hull.nvertex, 4);  // the fifth point is inside
  EXPECT_NEAR(tip->radius, 0.5, 1e-15);
  assert_int_equal(ell->kind, SAR_SOLID_TRIANGLES);
  assert_int_equal(ell->of.triangles.ntriangle, 20);
  assert_true(is_within(open->of.triangles.node, m->solid_node,
                        sizeof(SarTreeNode) * (size_t)m->nsolid_node));
  sar_model_free(m);
}

// A body of meshes weighs what the same body of boxes does; the tetrahedron's inertia is known in
// closed form.
static void meshes_give_mass_and_inertia(void** state) {
  (void)state;
  SarModel* m = load(
      "sarrus: 1\n"
      "bodies:\n"
      "  a: {hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], density: 6, contact: true}\n"
      "  b: {shapes: [{hull: [[-1, -1, -1], [1, -1, -1], [-1, 1, -1], [1, 1, -1], [-1, -1, 1],\n"
      "       [1, -1, 1], [-1, 1, 1], [1, 1, 1]], scale: [1, 2, 3], at: [1, 0, 0], rpy: [0, 0, "
      "0.3]},\n"
      "       {sphere: 1}], density: 2}\n"
      "  c: {shapes: [{box: [2, 4, 6], at: [1, 0, 0], rpy: [0, 0, 0.3]}, {sphere: 1}], density: "
      "2}\n"
      "  d: {convex: {file: cube_mm.obj, scale: 0.001}, mass: 3, contact: true}\n"
      "  e: {mesh: ell.obj, mass: 3, contact: true}\n");
  assert_int_equal(m->ncollider, 3);
  const Inertia* I = m->body_inertia;
  // unit corner of a cube: volume 1/6, centre 1/4, I_xx = 1/30 and I_xy = -1/120 about the corner
  EXPECT_NEAR(I[0].m, 1, 1e-15);
  EXPECT_NEAR(I[0].h.z, 0.25, 1e-15);
  EXPECT_NEAR(I[0].I.xx, 6.0 / 30, 1e-15);
  EXPECT_NEAR(I[0].I.xy, -6.0 / 120, 1e-15);
  EXPECT_NEAR(I[1].m, I[2].m, 1e-12 * I[2].m);
  EXPECT_NEAR(I[1].h.x, I[2].h.x, 1e-12 * I[2].m);
  EXPECT_NEAR(I[1].I.xy, I[2].I.xy, 1e-12 * I[2].I.zz);
  EXPECT_NEAR(I[1].I.zz, I[2].I.zz, 1e-12 * I[2].I.zz);
  EXPECT_NEAR(I[3].m, 3, 0);
  EXPECT_NEAR(I[4].m, 3, 1e-15);
  assert_int_equal(find_collider(m, "e")->solid.kind, SAR_SOLID_TRIANGLES);
  sar_model_free(m);
}

static void heights_are_sampled_on_the_grid(void** state) {
  (void)state;
  SarModel* m = load(SOLIDS);
  const SarHeights* hill = &find_collider(m, "ground.hill")->solid.of.heights;
  assert_int_equal(hill->nx, 5);
  assert_int_equal(hill->ny, 3);
  for (int iy = 0; iy < 3; iy++)
    for (int ix = 0; ix < 5; ix++) {
      const double x = hill->x0 + ix * hill->dx, y = hill->y0 + iy * hill->dy;
      EXPECT_NEAR(hill->z[ix + 5 * iy], 0.5 * x + y * y, 1e-15);
    }
  EXPECT_NEAR(hill->x0 + 4 * hill->dx, 2, 1e-15);
  EXPECT_NEAR(hill->high, 2, 1e-15);
  const SarHeights* table = &find_collider(m, "ground.table")->solid.of.heights;
  EXPECT_ARRAY_NEAR(table->z, ((double[]){1, 2, 3, 4, 5, 0.5}), 6, 0);
  EXPECT_NEAR(table->dx, 0.5, 0);
  EXPECT_NEAR(table->dy, 3, 0);
  sar_model_free(m);
}

// Names of the part get its prefix; `default` is one for all files, and the room is the model's
// own.
static void included_contact_keeps_to_its_own_names(void** state) {
  (void)state;
  SarModel* m = load(
      "sarrus: 1\n"
      "include: [{file: part.yaml, prefix: left_, parameters: {h: 5}}]\n"
      "bodies: {ball: {sphere: 1, mass: 1, contact: {group: soft}}}\n"
      "contact: {materials: {felt: {friction: 0.09}}}\n");
  const SarCollider *left = find_collider(m, "left_ball"), *ball = find_collider(m, "ball");
  const SarCollider* floor = find_collider(m, "ground");
  assert_int_equal(m->ncontact, 64);
  assert_string_equal(sar_text(m, m->material_name[left->material]), "left_felt");
  assert_int_equal(left->material, floor->material);
  EXPECT_NEAR(m->surface[left->material * m->nmaterial + left->material].friction, 0.25, 0);
  EXPECT_NEAR(m->surface[ball->material * m->nmaterial + ball->material].friction, 1, 0);
  EXPECT_NEAR(floor->solid.of.heights.high, 5, 0);
  assert_true(sar_may_touch(m, (int)(left - m->collider), (int)(ball - m->collider)));
  sar_model_free(m);
}

static void links_of_a_urdf_touch_if_asked(void** state) {
  (void)state;
  SarModel* m = load("sarrus: 1\ninclude: [{file: robot.urdf, prefix: left_}]\n");
  assert_int_equal(m->ncollider, 0);
  sar_model_free(m);
  m = load(
      "sarrus: 1\n"
      "include: [{file: robot.urdf, prefix: left_, contact: {material: felt, group: robot}}]\n"
      "contact: {materials: {felt: {friction: 1}}, ignore: [[robot]]}\n");
  assert_int_equal(m->ncollider, 4);
  const SarCollider* c = m->collider;
  assert_int_equal(c[0].body, -1);
  EXPECT_ARRAY_NEAR(c[0].solid.size, ((double[]){4.5, 4.5, 1}), 3, 0);
  EXPECT_NEAR(c[1].solid.size[0], 0.5, 0);
  EXPECT_NEAR(v3_norm(c[1].X_BS.p), sqrt(14), 1e-15);
  EXPECT_NEAR(c[2].solid.size[1], 2, 0);
  assert_int_equal(c[3].solid.kind, SAR_SOLID_CONVEX);
  for (int i = 0; i < 4; i++) {
    assert_string_equal(sar_text(m, m->material_name[c[i].material]), "felt");
    assert_false(sar_may_touch(m, 0, i));
  }
  sar_model_free(m);
}

static void the_nth_allocation_may_fail(void** state) {
  (void)state;
  int n = 1, failures = 0;
  for (bool failed = true; failed && n < 5000; n += 3) {
    SarModel* m = NULL;
    SarError err;
    sar_error_init(&err);
    alloc_count_reset();
    alloc_fail_at(n);
    const SarStatus st = parse(SOLIDS, &m, &err);
    failed = alloc_has_failed();
    alloc_fail_at(0);
    // the C library, too, takes memory for files: it does without, or the file cannot be opened
    failures += st == SAR_NO_MEMORY;
    assert_true(st == SAR_NO_MEMORY || st == SAR_OK || strstr(err.items[0].text, "opened"));
    assert_true((st == SAR_OK) == (m != NULL));
    sar_model_free(m);
    assert_int_equal(alloc_count_live(), 0);
  }
  assert_true(failures > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solids_live_in_the_model),
      cmocka_unit_test(meshes_give_mass_and_inertia),
      cmocka_unit_test(heights_are_sampled_on_the_grid),
      cmocka_unit_test(included_contact_keeps_to_its_own_names),
      cmocka_unit_test(links_of_a_urdf_touch_if_asked),
      cmocka_unit_test(the_nth_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
