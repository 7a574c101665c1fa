// sarrus generate --derivatives: the code compiles without a warning with every compiler there is, and what
// it computes agrees with the library's derivatives, on models with every joint and force and on random trees.
#include "support/program.h"
#include "support/random_model.h"

#include <unistd.h>

static bool has(const char* compiler) {
  char command[80];
  snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", compiler);
  return system(command) == 0;
}

static void build_and_test(const char* compiler, const char* flags, const char* model) {
  char command[1024];
  if (!has(compiler)) return;
  snprintf(command, sizeof command,
           "cd %s/c && %s -std=c11 %s -Wall -Wextra -Wconversion -pedantic -Werror -o test m.c "
           "m_test.c -lm && ./test >log 2>&1 && grep -q derivatives log",
           program_folder, compiler, flags);
  if (system(command) == 0) return;
  fail_msg("%s: %s", model, command);
}

static void compare(const char* model, const char* options) {
  static size_t number;  // the text is the same in every build: only one of them compiles all of it
  char line[400];
  snprintf(line, sizeof line, "generate %s -o @c --name m --force --derivatives %s", model,
           options);
  expect_status_of(sarrus(line), 0);
  if (!test_takes(number++, 4)) return;
  build_and_test("gcc", "-O0", model);
  build_and_test("clang", "-O0", model);
}

static void models_agree(void** state) {
  (void)state;
  compare("tests/models/every_joint.yaml", "");
  compare("tests/models/states.yaml", "--integrator euler");
  compare("tests/reference/tree/arm7.urdf", "--method crba");
  compare("examples/puma_floating.yaml", "");
  compare("examples/rover.yaml", "");
  compare("examples/kepler.yaml", "");
  compare("examples/pendulum.yaml", "--single");
}

// Many branches, wide rows.
static void humanoid_agrees(void** state) {
  (void)state;
  expect_status_of(sarrus("generate tests/reference/tree/humanoid36.urdf -o @c --name m --force "
                          "--derivatives --integrator euler"),
                   0);
  if (test_takes(1, 2)) build_and_test("gcc", "-O0", "humanoid36");
}

// Trees of all joints that move, with springs, dampers and dry friction.
static void random_trees_agree(void** state) {
  (void)state;
  static ModelText t;
  const int trials = test_effort(4);
  for (int trial = 0; trial < trials; trial++) {
    Rng r = rng_seed(test_seed(9100 + (uint64_t)trial));
    model_random_tree(&t, &r, 2 + rng_int(&r, 6));
    write_file("tree.yaml", t.text);
    compare("@tree.yaml", "--integrator euler");
  }
}

static void constraints_are_refused(void** state) {
  (void)state;
  const Result* r =
      expect_status_of(sarrus("generate examples/double_fourbar.yaml -o @no --derivatives"), 2);
  expect_has(r->err, "open trees");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_agree),
      cmocka_unit_test(humanoid_agrees),
      cmocka_unit_test(random_trees_agree),
      cmocka_unit_test(constraints_are_refused),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
