// include: prefixes reach every name, overrides are in the including file's names, and nothing that
// a file says can make the reader open what it should not or go on for ever.
#include "support/test.h"

#include <stdlib.h>
#include <time.h>
#include "support/alloc_count.h"

#include "io/source.h"
#include "io/reader.h"
#include "sim/assemble.h"

#define FOLDER SARRUS_SOURCE_DIR "/tests/models/include/"

static SarSpec spec;
static SarError err;

// Reads a file as sar_model_load does, up to the spec.
static SarStatus read_file(const char* path, const SarLoadOptions* o) {
  SarFileText file;
  SarReading reading = sar_reading(o);
  sar_error_init(&err);
  sar_spec_init(&spec);
  SarStatus st = sar_file_open(path, SAR_MAX_FILE, false, (SarLoc){0}, &file, &err);
  SarSource source = {.name = path, .from_file = true, .id = file.id, .reading = &reading};
  if (st == SAR_OK) st = sar_read_source(file.text, file.size, &source, &spec, &err);
  sar_file_close(&file);
  return st;
}

static SarStatus read_text(const char* text, const SarLoadOptions* o) {
  sar_error_init(&err);
  sar_spec_init(&spec);
  return sar_read_yaml(text, strlen(text), "m.yaml", o, &spec, &err);
}

// The whole i-th message, without the folder.
static void check_message(int i, const char* message) {
  char is[1024];
  if (i >= err.count) fail_msg("there are %d messages only", err.count);
  sar_error_format(&err, i, is, sizeof is);
  const char* from = strncmp(is, FOLDER, strlen(FOLDER)) == 0 ? is + strlen(FOLDER) : is;
  assert_string_equal(from, message);
}

static int teardown(void** state) {
  (void)state;
  sar_spec_free(&spec);
  return 0;
}

static void add_name(void* context, const char* name, SarLoc loc) {
  (void)loc;
  char* text = context;
  strcat(strcat(text, name), " ");
}

// The names in an expression, each followed by a blank.
static void check_names_in(SpecNum n, const char* names) {
  char text[256] = "";
  assert_non_null(n.expr);
  sar_expr_visit_names(n.expr, add_name, text);
  assert_string_equal(text, names);
}

static void prefix_reaches_every_name(void** state) {
  (void)state;
  EXPECT_OK_OR(read_file(FOLDER "axle.yaml", NULL), &err);
  assert_int_equal(err.count, 0);
  // the included come first: 2 x 2, then the file's own
  static const char* const bodies[] = {"left_hub", "left_cap", "right_hub", "right_cap", "beam"};
  assert_int_equal(spec.bodies.count, 5);
  for (int i = 0; i < 5; i++) assert_string_equal(spec.bodies.items[i].name.text, bodies[i]);
  const SpecBody* hub = &spec.bodies.items[2];
  check_names_in(hub->pose.at.c[1], "right_y ");
  check_names_in(hub->mass, "right_r ");
  check_names_in(hub->shapes.items[0].size[0], "right_r ");
  check_names_in(hub->shapes.items[0].mass, "right_r ");
  check_names_in(hub->frames.items[0].pose.at.c[2], "right_r ");
  assert_string_equal(hub->frames.items[0].name.text, "rim");
  assert_string_equal(spec.bodies.items[3].in.text, "right_hub");

  assert_int_equal(spec.joints.count, 6);
  const SpecJoint* spin = &spec.joints.items[2];
  assert_string_equal(spin->name.text, "right_spin");
  assert_string_equal(spin->parent.text, "right_hub");
  assert_string_equal(spin->child.text, "right_cap");
  assert_string_equal(spin->at_point.text, "right_hub.rim");
  check_names_in(spin->damping.c[0], "right_r ");
  check_names_in(spin->force.c[0], "right_brake right_spin.v ");
  const SpecJoint* weld = &spec.joints.items[3];
  assert_string_equal(weld->parent.text, "ground");
  assert_string_equal(weld->mimic.text, "right_spin");

  assert_string_equal(spec.inputs.items[1].name.text, "right_brake");
  assert_string_equal(spec.variables.items[1].name.text, "right_sink");
  check_names_in(spec.variables.items[1].value, "right_r right_hub.rim.z t ");
  assert_int_equal(spec.ground_frames.count, 3);
  assert_string_equal(spec.ground_frames.items[1].name.text, "right_patch");
  assert_string_equal(spec.ground_frames.items[2].name.text, "road");
}

static void forces_keep_their_words(void** state) {
  (void)state;
  EXPECT_OK_OR(read_file(FOLDER "axle.yaml", NULL), &err);
  assert_int_equal(spec.forces.count, 4);
  const SpecForce *tyre = &spec.forces.items[2], *drag = &spec.forces.items[3];
  assert_string_equal(tyre->name.text, "right_tyre");
  assert_string_equal(tyre->values[0].name.text, "ground.right_patch");
  assert_string_equal(tyre->values[1].name.text, "right_hub.rim");
  for (int i = 0; i < tyre->kind->nattr; i++)
    if (tyre->kind->attr[i].type == SAR_ATTR_LAW && tyre->values[i].given)
      check_names_in(tyre->values[i].numbers[0], "length right_r rate right_sink length ");
  assert_string_equal(drag->values[2].name.text, "body");  // a choice, no name
  check_names_in(drag->values[1].numbers[1], "right_brake ");
}

static void overrides_are_in_the_outer_names(void** state) {
  (void)state;
  EXPECT_OK_OR(read_file(FOLDER "axle.yaml", NULL), &err);
  // track, r, then y, r, length of each wheel: the file's own come where its key stands
  const SpecParameter* p = spec.parameters.items;
  assert_int_equal(spec.parameters.count, 8);
  assert_string_equal(p[2].name.text, "left_y");
  check_names_in(p[2].value, "track ");
  assert_string_equal(p[3].name.text, "left_r");
  check_names_in(p[3].value, "r ");
  double x = 0;
  assert_true(sar_expr_is_number(p[6].value.expr, &x));  // right_r keeps its own value
  assert_true(x == 0.3);
}

static void only_mechanics_are_included(void** state) {
  (void)state;
  EXPECT_OK_OR(read_file(FOLDER "axle.yaml", NULL), &err);
  assert_null(spec.gravity.uniform.c[0].expr);
  assert_null(spec.simulation.end.expr);
  assert_int_equal(spec.outputs.count, 1);
}

static void urdf_can_be_included(void** state) {
  (void)state;
  EXPECT_OK_OR(read_file(FOLDER "robot_part.yaml", NULL), &err);
  bool hand = false, wrist = false;
  for (int i = 0; i < spec.bodies.count; i++)
    hand = hand || strcmp(spec.bodies.items[i].name.text, "left_hand") == 0;
  for (int i = 0; i < spec.joints.count; i++)
    wrist = wrist || strcmp(spec.joints.items[i].name.text, "left_wrist") == 0;
  assert_true(hand);
  assert_true(wrist);
}

// A root that the including file joins to something is welded to ground no more, and that is said;
// one that only carries something stays. Joints in either direction, direct and over other bodies.
static void a_root_is_welded_unless_it_is_carried(void** state) {
  (void)state;
  static const char robot[] =
      "<robot name='r'><link name='base'/><link name='tip'><inertial><mass value='1'/>"
      "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
      "<joint name='turn' type='continuous'><parent link='base'/><child "
      "link='tip'/></joint></robot>";
  static const struct {
    const char* joints;
    int freedoms;
    bool said;
  } CASES[] = {{"", 1, false},
               {"m: {fixed: [cart, base]}, s: {prismatic: [ground, cart], axis: x}", 2, true},
               {"m: {fixed: [base, cart]}, s: {prismatic: [ground, cart], axis: x}", 2, true},
               {"m: {fixed: [base, cart]}, s: {prismatic: [cart, ground], axis: x}", 2, true},
               {"m: {free: [ground, base]}, s: {fixed: [base, cart]}", 7, true},
               {"m: {revolute: [base, cart], axis: z}", 2, false},
               {"m: {fixed: [tip, cart]}", 1, false},
               {"m: {revolute: [cart, tip], axis: x}, s: {fixed: [ground, cart]}", 1, false}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[400];
    SarModel* m;
    SarFreedom freedom;
    const SarTextFile file = {"r.urdf", robot, sizeof robot - 1};
    const SarLoadOptions o = {.files = &file, .file_count = 1};
    sar_error_init(&err);
    snprintf(text, sizeof text, "sarrus: 1\ninclude: [r.urdf]\n%s\njoints: {%s}\n",
             i == 0 ? "" : "bodies: {cart: {box: [1, 1, 1], mass: 5}}", CASES[i].joints);
    EXPECT_OK_OR(sar_model_parse(text, strlen(text), "yaml", "m.yaml", &o, &m, &err), &err);
    if (err.count != CASES[i].said) fail_msg("{%s}: %d messages", CASES[i].joints, err.count);
    if (CASES[i].said) assert_non_null(strstr(err.items[0].text, "in place of its weld"));
    EXPECT_OK_OR(sar_find_freedom(m, &freedom, NULL, 0, &err), &err);
    assert_int_equal(sar_model_nv(m) - freedom.rank, CASES[i].freedoms);
    sar_model_free(m);
  }
}

static void cycles_are_told(void** state) {
  (void)state;
  EXPECT_STATUS(read_file(FOLDER "cycle_a.yaml", NULL), SAR_BAD_MODEL);
  assert_int_equal(err.count, 1);
  assert_int_equal(err.items[0].line, 3);
  assert_int_equal(err.items[0].column, 12);
  assert_non_null(strstr(err.items[0].text, "cycle_a.yaml includes "));
  assert_non_null(strstr(err.items[0].text, "cycle_b.yaml includes "));
}

static void depth_is_bounded(void** state) {
  (void)state;
  EXPECT_OK_OR(read_file(FOLDER "lib/deep2.yaml", NULL), &err);  // eight levels
  assert_string_equal(spec.bodies.items[0].name.text, "a_a_a_a_a_a_a_a_b");
  sar_spec_free(&spec);
  EXPECT_STATUS(read_file(FOLDER "lib/deep1.yaml", NULL), SAR_BAD_MODEL);
  check_message(0,
                "lib/deep9.yaml:2:18: error: include: files include one another deeper than 8 "
                "levels");
}

static void mistakes_have_their_message(void** state) {
  (void)state;
  EXPECT_STATUS(read_file(FOLDER "broken_part.yaml", NULL), SAR_BAD_MODEL);
  assert_int_equal(err.count, 7);
  check_message(
      0,
      "lib/broken.yaml:2:14: error: body 'a': no key 'mas' (did you mean 'mass'?)");  // once
  check_message(1,
                "broken_part.yaml:5:51: error: include: 'lib/hub.yaml' has no parameter 'yy' "
                "(expected y, r, length)");
  check_message(
      2,
      "broken_part.yaml:6:12: error: include: there is no file 'nowhere.yaml' (it is looked "
      "for beside the file that names it and in the search paths)");
  check_message(3,
                "broken_part.yaml:7:13: error: include: expected a file, found the address "
                "'http://example.org/x.yaml'");
  check_message(
      5,
      "broken_part.yaml:9:34: error: '4-' cannot be the name of a prefix: expected letters, "
      "digits and '_', not beginning with a digit (write '_4_', or put it in quotes)");
  check_message(6,
                "broken_part.yaml:10:5: error: include: the file is missing (as in {file: "
                "wheel.yaml})");
  assert_non_null(strstr(err.items[4].text, "this is a folder"));
}

static void a_text_opens_no_file_of_its_own(void** state) {
  (void)state;
  // both exist, seen from the folder that the tests run in and from the root
  EXPECT_STATUS(read_text("sarrus: 1\ninclude: [examples/pendulum.yaml]\n", NULL), SAR_BAD_MODEL);
  check_message(
      0,
      "m.yaml:2:11: error: include: there is no file 'examples/pendulum.yaml' (a model from "
      "memory finds files in search paths only)");
  sar_spec_free(&spec);
  EXPECT_STATUS(read_text("sarrus: 1\ninclude: [/dev/null]\n", NULL), SAR_BAD_MODEL);
  check_message(
      0,
      "m.yaml:2:11: error: include: file '/dev/null' is outside the folder of the model and "
      "the search paths (put it there or below, or name its folder with --path)");
  sar_spec_free(&spec);
  EXPECT_STATUS(read_file(FOLDER "lib/absolute.yaml", NULL), SAR_BAD_MODEL);
  assert_non_null(strstr(err.items[0].text, "only plain files"));
}

static void search_paths_are_searched(void** state) {
  (void)state;
  const char* paths[] = {FOLDER "nothing", FOLDER "lib"};
  SarLoadOptions o = {.search_paths = paths, .search_path_count = 2};
  EXPECT_OK_OR(read_text("sarrus: 1\ninclude: [{file: hub.yaml, prefix: a_}]\n", &o), &err);
  assert_string_equal(spec.bodies.items[0].name.text, "a_hub");
}

static void the_nth_allocation_may_fail(void** state) {
  (void)state;
  for (int n = 1;; n++) {
    alloc_count_reset();
    alloc_fail_at(n);
    SarStatus st = read_file(FOLDER "axle.yaml", NULL);
    bool failed = alloc_has_failed();
    bool complete = spec.bodies.count == 5 && spec.joints.count == 6 && spec.forces.count == 4;
    alloc_fail_at(0);
    sar_spec_free(&spec);
    assert_int_equal(alloc_count_live(), 0);
    // the C library can do without a buffer for a file: then nothing is missing
    if (st == SAR_OK) assert_true(complete);
    if (!failed) {
      EXPECT_OK(st);
      break;
    }
  }
}

// Texts of the options stand for files: relative to the text that includes them, and bounded as
// files are.
static void texts_stand_for_files(void** state) {
  (void)state;
  static const char part[] = "sarrus: 1\nbodies: {b: {mass: 1}}\ninclude: [more.yaml]\n",
                    more[] = "sarrus: 1\nbodies: {c: {mass: 2}}\n",
                    self[] = "sarrus: 1\ninclude: [self.yaml]\n";
  const SarTextFile files[] = {{"parts/part.yaml", part, sizeof part - 1},
                               {"parts/more.yaml", more, sizeof more - 1},
                               {"self.yaml", self, sizeof self - 1}};
  const SarLoadOptions o = {.files = files, .file_count = 3};
  EXPECT_OK(read_text("sarrus: 1\ninclude: [{file: parts/part.yaml, prefix: p_}]", &o));
  assert_int_equal(spec.bodies.count, 2);
  sar_spec_free(&spec);
  EXPECT_STATUS(read_text("sarrus: 1\ninclude: [more.yaml]", &o), SAR_BAD_MODEL);
  sar_spec_free(&spec);
  EXPECT_STATUS(read_text("sarrus: 1\ninclude: [self.yaml]", &o), SAR_BAD_MODEL);
  check_message(0,
                "self.yaml:2:11: error: include: self.yaml includes self.yaml (a part cannot "
                "contain itself)");
}

// So do tables; an empty text is an empty file.
static void texts_stand_for_tables(void** state) {
  (void)state;
  static const char rows[] = "time, push\n0, 1\n2, 3\n";
  static const char model[] =
      "sarrus: 1\ntables: {push: {file: %s, columns: [time, push]}}\nbodies: {b: {mass: 1}}\n"
      "forces: {f: {force: b, value: [\"table(t, push)\", 0, 0]}}\n";
  const SarTextFile files[] = {{"rows.csv", rows, sizeof rows - 1}, {"empty.csv", NULL, 0}};
  const SarLoadOptions o = {.files = files, .file_count = 2};
  char text[400];
  snprintf(text, sizeof text, model, "rows.csv");
  EXPECT_OK(read_text(text, &o));
  sar_spec_free(&spec);
  snprintf(text, sizeof text, model, "empty.csv");
  EXPECT_STATUS(read_text(text, &o), SAR_BAD_MODEL);
  assert_non_null(strstr(err.items[0].text, "is empty"));
  sar_spec_free(&spec);
  snprintf(text, sizeof text, model, "other.csv");
  EXPECT_STATUS(read_text(text, &o), SAR_BAD_MODEL);
}

// The last y of the columns x and y in a text.
static double last_of_table(const char* rows, SarStatus wanted) {
  static const char model[] =
      "sarrus: 1\ntables: {c: {file: c.csv, columns: [x, y]}}\n"
      "bodies: {b: {mass: \"table(1e9, c)\"}}\n";
  const SarTextFile file = {"c.csv", rows, strlen(rows)};
  const SarLoadOptions o = {.files = &file, .file_count = 1};
  SarModel* m = NULL;
  sar_error_init(&err);
  EXPECT_STATUS(sar_model_parse(model, sizeof model - 1, "yaml", "m.yaml", &o, &m, &err), wanted);
  const double last = m ? sar_body_mass(m, 0) : 0;
  sar_model_free(m);
  return last;
}

static void expect_no_table(const char* rows, const char* part) {
  last_of_table(rows, SAR_BAD_MODEL);
  if (!strstr(err.items[0].text, part)) fail_msg("no '%s': %s", part, err.items[0].text);
}

// A comma in a quoted name parts no columns: without that the table took the numbers of a
// neighbour. What spreadsheets write is read, and what is not what it seems is refused.
static void tables_are_read_by_the_names_of_their_columns(void** state) {
  (void)state;
  assert_true(last_of_table("x,y\n0,1\n1,2\n", SAR_OK) == 2);
  assert_true(last_of_table("x,\"a,b\",y,z\n0,8,1,9\n1,8,2,9\n", SAR_OK) == 2);
  assert_true(last_of_table("\xEF\xBB\xBF\"x\", \"y\" \r\n0,1,\r\n1,2,\r\n", SAR_OK) == 2);
  assert_true(last_of_table("x,\"say \"\"a,b\"\"\",y\n0,8,1\n1,8,2\n", SAR_OK) == 2);
  expect_no_table("x,y,y\n0,1,2\n1,3,4\n", "two columns 'y'");
  expect_no_table("x,y\n0,1,5\n1,2,5\n", "row 1 of 'c.csv' has more numbers");
  expect_no_table("x,y\n0,1\n1\n", "row 2 of 'c.csv' ends before column 'y'");
  expect_no_table("x,y\n0,1\n1,nan\n", "row 2 of 'c.csv': y: expected a number, found 'nan'");
}

// A row of robots, each root joined to the robot before it and the first to ground, the joints
// written towards ground: no root keeps its weld. Without the last joint the first one does.
static void many_roots_find_their_way_to_ground(void** state) {
  (void)state;
  const int n = 10000;
  static const char robot[] =
      "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
  const SarTextFile file = {"r.urdf", robot, sizeof robot - 1};
  const SarLoadOptions o = {.files = &file, .file_count = 1};
  const size_t size = 200 * (size_t)n;
  char* text = malloc(size);
  assert_non_null(text);
  for (int grounded = 1; grounded >= 0; grounded--) {
    size_t at = (size_t)snprintf(text, size, "sarrus: 1\noutputs: [energy]\ninclude:\n");
    for (int i = 0; i < n; i++)
      at += (size_t)snprintf(text + at, size - at, "  - {file: r.urdf, prefix: p%d_}\n", i);
    at += (size_t)snprintf(text + at, size - at, "joints:\n");
    for (int i = 0; i < n; i++) {
      const bool last = i == n - 1;
      if (last && !grounded) break;
      at += (size_t)snprintf(text + at, size - at,
                             last ? "  j%d: {revolute: [p%d_base, ground]}\n"
                                  : "  j%d: {revolute: [p%d_base, p%d_base]}\n",
                             i, i, i + 1);
    }
    SarModel* m = NULL;
    sar_error_init(&err);
    const clock_t before = clock();
    const SarStatus st = sar_model_parse(text, at, "yaml", "m.yaml", &o, &m, &err);
    const double took = (double)(clock() - before) / CLOCKS_PER_SEC;
    EXPECT_OK_OR(st, &err);
    // a child of a joint is carried by it; p0_base is none, and needs the way to ground
    assert_int_equal(err.count + err.dropped, grounded ? n : n - 1);
    sar_model_free(m);
    if (took > 20) fail_msg("%d robots took %g s", n, took);
  }
  free(text);
}

int main(void) {
#define T(f) cmocka_unit_test_teardown(f, teardown)
  const struct CMUnitTest tests[] = {
      T(prefix_reaches_every_name),
      T(forces_keep_their_words),
      T(overrides_are_in_the_outer_names),
      T(only_mechanics_are_included),
      T(urdf_can_be_included),
      T(a_root_is_welded_unless_it_is_carried),
      T(cycles_are_told),
      T(depth_is_bounded),
      T(mistakes_have_their_message),
      T(a_text_opens_no_file_of_its_own),
      T(search_paths_are_searched),
      T(the_nth_allocation_may_fail),
      T(texts_stand_for_files),
      T(texts_stand_for_tables),
      T(tables_are_read_by_the_names_of_their_columns),
      cmocka_unit_test(many_roots_find_their_way_to_ground),
  };
  return cmocka_run_group_tests_name("include", tests, NULL, NULL);
}
