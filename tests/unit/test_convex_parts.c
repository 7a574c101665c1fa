// `parts` of hulls that touch: a mesh file as convex parts, in models, of robots, in messages.
#include "model/data.h"
#include "support/random_model.h"
#include "support/run.h"

#include <string.h>

// A cup of n sides: radius 1, inside 0.8, height 1, its floor at 0.2.
static void add_cup(ModelText* t, int n) {
  const double z[] = {0, 1, 1, 0.2}, radius[] = {1, 1, 0.8, 0.8};
  t->used = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 4; i++) {
      const double a = 6.283185307179586 * k / n;
      model_add(t, "v %.9g %.9g %.9g\n", radius[i] * cos(a), radius[i] * sin(a), z[i]);
    }
  model_add(t, "v 0 0 0\nv 0 0 0.2\n");
  for (int k = 0; k < n; k++) {
    const int a = 4 * k + 1, b = 4 * ((k + 1) % n) + 1;
    for (int i = 0; i < 3; i++)
      model_add(t, "f %d %d %d\nf %d %d %d\n", a + i, b + i, b + i + 1, a + i, b + i + 1,
                a + i + 1);
    model_add(t, "f %d %d %d\nf %d %d %d\n", 4 * n + 1, b, a, 4 * n + 2, a + 3, b + 3);
  }
}

static SarModel* load(const char* text, SarStatus expected, SarError* err) {
  static ModelText cup;
  SarModel* m = NULL;
  add_cup(&cup, 16);
  static const char OPEN[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
  static const char ROBOT[] =
      "<robot name=\"r\"><link name=\"hand\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
      "iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial><collision><geometry><mesh "
      "filename=\"cup.obj\"/></geometry></collision></link></robot>";
  const SarTextFile files[] = {{"cup.obj", cup.text, cup.used},
                               {"open.obj", OPEN, sizeof OPEN - 1},
                               {"robot.urdf", ROBOT, sizeof ROBOT - 1}};
  const SarLoadOptions o = {.files = files, .file_count = 3};
  sar_error_init(err);
  const SarStatus st = sar_model_parse(text, strlen(text), "yaml", "text.yaml", &o, &m, err);
  if (st != expected) fail_msg("%s: %s", sar_status_text(st), err->count ? err->items[0].text : "");
  return m;
}

static double fall(const char* contact) {
  char text[600];
  SarError err;
  snprintf(
      text, sizeof text,
      "sarrus: 1\ngravity: [0, 0, -9.81]\nbodies:\n  ball: {sphere: 0.1, mass: 1, at: [0.1, 0, "
      "1.5], contact: true}\nground: {contact: {%s}}\n",
      contact);
  const SarSimOptions o = run_options("impulse", 2e-3);
  Run run = run_open(load(text, SAR_OK, &err), &o);
  double x[3], R[9];
  run_advance(&run, 2);
  EXPECT_OK(sar_body_pose(run.d, 0, x, R));
  run_close(&run);
  return x[2];
}

static void a_ball_falls_into_a_cup(void** state) {
  (void)state;
  EXPECT_NEAR(fall("hull: cup.obj"), 1.1, 1e-4);
  EXPECT_NEAR(fall("hull: cup.obj, parts: 32"), 0.3, 1e-3);
  EXPECT_NEAR(fall("mesh: cup.obj"), 0.3, 1e-4);
}

static int colliders(const char* text, const char* said) {
  SarError err;
  SarModel* m = load(text, SAR_OK, &err);
  int found = 0;
  for (int i = 0; i < err.count; i++) found += strstr(err.items[i].text, said) != NULL;
  assert_int_equal(found, 1);
  const int n = m->ncollider;
  sar_model_free(m);
  return n;
}

static void what_was_chosen_is_said_once(void** state) {
  (void)state;
  const int one = colliders(
      "sarrus: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1], contact: {hull: cup.obj, parts: "
      "32}}\n",
      "convex parts, hollows of up to");
  const int two = colliders(
      "sarrus: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1], contact: {hull: cup.obj, parts: "
      "32}}\n  b: {mass: 1, inertia: [1, 1, 1], at: [5, 0, 0], contact: {hull: cup.obj, parts: "
      "32}}\n",
      "convex parts, hollows of up to");
  assert_in_range(one, 8, 32);
  assert_int_equal(two, 2 * one);
  const int robot = colliders("sarrus: 1\ninclude: [{file: robot.urdf, contact: {parts: 32}}]\n",
                              "convex parts, hollows of up to");
  assert_int_equal(robot, one);
  const int open = colliders(
      "sarrus: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1], contact: {hull: open.obj, parts: "
      "4}}\n",
      "its hull stands for it");
  assert_int_equal(open, 1);
}

static void wrong_parts_are_refused(void** state) {
  (void)state;
  static const char* const CASES[][2] = {
      {"{hull: cup.obj, parts: 2.5}", "parts must be a whole number up to 32, but is 2.5"},
      {"{hull: cup.obj, parts: 33}", "parts must be a whole number up to 32, but is 33"},
      {"{hull: cup.obj, parts: -1}", "parts"},
      {"{box: [1, 1, 1], parts: 3}", "'parts' is for hulls of mesh files"},
      {"{mesh: cup.obj, parts: 3}", "'parts' is for hulls of mesh files"},
      {"{plane: z, parts: 3}", "'parts' is for meshes"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[300];
    SarError err;
    snprintf(text, sizeof text,
             "sarrus: 1\nbodies:\n  b: {sphere: 1, mass: 1}\nground: {contact: %s}\n", CASES[i][0]);
    assert_null(load(text, SAR_BAD_MODEL, &err));
    if (!strstr(err.items[0].text, CASES[i][1])) fail_msg("'%s'", err.items[0].text);
    assert_int_equal(err.items[0].line, 4);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_falls_into_a_cup),
      cmocka_unit_test(what_was_chosen_is_said_once),
      cmocka_unit_test(wrong_parts_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
