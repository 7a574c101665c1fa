// Phi, Psi and gamma of every kind of constraint of the file, in random trees, against finite
// differences; and what each kind demands, by hand.
#include "support/constraint_check.h"
#include "support/random_model.h"

// One constraint of each kind; a kind without a line here fails the test. j0 and j2 turn, j1 and j3
// slide; `closing` closes a loop.
static const char* constraint_text(const char* kind) {
  static const struct {
    const char *kind, *text;
  } all[] = {
      {"motion", "{motion: j0, value: \"0.3*sin(2*t) + t^2\"}"},
      {"coordinate", "{coordinate: [b4, [0.1, 0.2, 0.3]], axis: [1, 2, 2], value: cos(t)}"},
      {"rod", "{rod: [[b4, [0.3, 0, 0.1]], [b5, [0, 0.4, 0]]], length: 1 + 0.1*sin(3*t)}"},
      {"on_line", "{on_line: [[b5, [0, 0.1, 0]], [b3, [0.2, 0, 0]]], axis: [1, 1, 0], in: b3}"},
      {"on_plane", "{on_plane: [[b5, [0, 0.1, 0]], [b2, [0.2, 0, 0]]], axis: [1, 1, 0]}"},
      {"on_curve",
       "{on_curve: [[b5, [0, 0.1, 0]], [b2, [0.2, 0, 0]]], axis: x, axis2: y, curve: "
       "0.3*sin(2*x)}"},
      {"gear", "{gear: [j0, j2], ratio: -1.5, offset: 0.2}"},
      {"rack", "{rack: [j0, j3], radius: 0.2}"},
      {"screw_coupling", "{screw_coupling: [j2, j1], pitch: 0.01}"},
      {"rolling",
       "{rolling: [[b5, [0, 0.1, 0]], [b2, [0.2, 0, 0]]], radius: 0.3, axis: [1, 1, 0], in: b5}"},
      {"wheel_set",
       "{wheel_set: [[b4, [0, 0.2, 0]], [b5, [0, -0.3, 0]]], radius: 0.3, axis: [0.5, 1, 0], "
       "normal: [0.1, 0, 1]}"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i].kind, kind) == 0) return all[i].text;
  fail_msg("no test of the constraint '%s'", kind);
  return NULL;
}

// A tree of six bodies whose first joints are j0 .. j3 of constraint_text, then two of any kind.
static SarModel* tree_with(const char* constraints, uint64_t seed) {
  static const char* const first[] = {"revolute", "prismatic", "screw", "prismatic"};
  static ModelText t;
  Rng r = rng_seed(seed);
  t.used = 0;
  model_add(&t, "bodies:\n");
  for (int k = 0; k < 6; k++) model_add(&t, "  b%d: {sphere: 0.1, mass: 1}\n", k);
  model_add(&t, "joints:\n");
  for (int k = 0; k < 6; k++) {
    const SarJointKind* kind = k < 4 ? sar_joint_kind_find(first[k]) : NULL;
    while (!kind || kind->nv == 0) kind = sar_joint_kind(rng_int(&r, 9));
    model_add_joint(&t, &r, k, kind);
  }
  model_add(&t, "%s", constraints);
  return model_text(t.text);
}

static void every_kind_against_differences(void** state) {
  (void)state;
  char text[512];
  for (int k = 0; sar_constraint_kind(k); k++) {
    const char* name = sar_constraint_kind(k)->name;
    snprintf(text, sizeof text, "constraints:\n  c: %s\n", constraint_text(name));
    for (int trial = 0; trial < test_effort(20); trial++) {
      SarModel* m = tree_with(text, (uint64_t)trial);
      assert_int_equal(m->nconstraint, 1);
      assert_string_equal(m->constraint[0].kind->name, name);
      check_constraints(m, (uint64_t)trial);
      sar_model_free(m);
    }
  }
}

// all of them in one model, with a loop and a follower: rows keep apart
static void all_kinds_together(void** state) {
  (void)state;
  ModelText t = {.used = 0};
  model_add(&t, "  closing: {universal: [b3, b5], at: [0.1, 0.2, 0], axis: x, axis2: z}\n");
  model_add(&t, "constraints:\n");
  for (int k = 0; sar_constraint_kind(k); k++)
    model_add(&t, "  c%d: %s\n", k, constraint_text(sar_constraint_kind(k)->name));
  for (int trial = 0; trial < test_effort(20); trial++) {
    SarModel* m = tree_with(t.text, (uint64_t)trial);
    assert_int_equal(m->ncut, 1);
    check_constraints(m, (uint64_t)trial);
    sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_against_differences),
      cmocka_unit_test(all_kinds_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
