// Phi, Psi and gamma of every kind of constraint of the file, in random trees, against finite
// differences; and what each kind demands, by hand.
#include "support/constraint_check.h"
#include "support/random_model.h"

// The example of each kind between b5 and b2 of the tree below, or its first joints.
static void add_constraint(ModelText* t, int kind) {
  const ExampleNames names = model_names(5, 2, 0, 2, 3);
  char name[16];
  snprintf(name, sizeof name, "c%d", kind);
  model_add_example(t, name, sar_constraint_kind(kind)->example, &names);
}

// A tree of six bodies whose first joints turn (j0, j2) and slide (j1, j3), then two of any kind.
static SarModel* tree_with(const char* constraints, uint64_t seed) {
  static const char* const first[] = {"revolute", "prismatic", "screw", "prismatic"};
  static ModelText t;
  Rng r = rng_seed(seed);
  t.used = 0;
  model_add(&t, "bodies:\n");
  for (int k = 0; k < 6; k++) model_add(&t, "  b%d: {sphere: 0.1, mass: 1}\n", k);
  model_add(&t, "joints:\n");
  for (int k = 0; k < 6; k++)
    model_add_joint(&t, &r, k, k < 4 ? sar_joint_kind_find(first[k]) : model_moving_kind(&r));
  model_add(&t, "%s", constraints);
  return model_text(t.text);
}

static void every_kind_against_differences(void** state) {
  (void)state;
  for (int k = 0; sar_constraint_kind(k); k++) {
    ModelText t = {.used = 0};
    model_add(&t, "constraints:\n");
    add_constraint(&t, k);
    for (int trial = 0; trial < test_effort(20); trial++) {
      SarModel* m = tree_with(t.text, (uint64_t)trial);
      assert_int_equal(m->nconstraint, 1);
      assert_string_equal(m->constraint[0].kind->name, sar_constraint_kind(k)->name);
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
  for (int k = 0; sar_constraint_kind(k); k++) add_constraint(&t, k);
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
