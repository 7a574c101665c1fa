// sarrus generate --derivatives: the code compiles without a warning with every compiler there is,
// and what it computes agrees with the library's derivatives, on models with every joint and force,
// on loops and on random trees; by parameters, with differences.
#include "support/program.h"
#include "support/random_loops.h"
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
  // by two compilers in turn; tools/run-generated takes both for all
  const char* compiler = number % 2 ? "clang" : "gcc";
  if (test_takes(number++, 4)) build_and_test(compiler, "-O0", model);
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

// A joint that shifts beside one that turns: rows of the same inner coordinates in two frames.
static void branches_agree(void** state) {
  (void)state;
  write_file("branch.yaml",
             "sarrus: 1\nbodies:\n"
             "  a: {mass: 1, inertia: [0.1, 0.1, 0.1], com: [0.3, 0, 0]}\n"
             "  b: {mass: 2, inertia: [0.2, 0.2, 0.2], at: [1, 0.2, 0], com: [0.1, 0.2, 0]}\n"
             "  c: {mass: 3, inertia: [0.3, 0.3, 0.3], at: [0.5, -0.2, 0], com: [-0.1, 0.2, 0]}\n"
             "joints:\n"
             "  A: {revolute: [ground, a]}\n"
             "  B: {revolute: [a, b], at: [1, 0.2, 0]}\n"
             "  C: {prismatic: [a, c], at: [0.5, -0.2, 0], axis: [1, 2, 0]}\n");
  compare("@branch.yaml", "");
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

// Closed loops, independent rows and redundant ones, by both methods: the equations are the same.
static void loops_agree(void** state) {
  (void)state;
  compare("examples/double_fourbar.yaml", "");
  compare("examples/double_fourbar.yaml", "--method embedding");
  compare("examples/fourbar_row.yaml", "--integrator euler");
  compare("examples/iftomm_a04_bricard.yaml", "--integrator euler");
  compare("examples/dc_motor.yaml", "");
  compare("examples/puma_cart.yaml", "--method embedding");
  compare("papers/003/five_link.yaml", "--method embedding");
}

// Numbers for parameters are extrapolated differences between models.
static void parameters_agree(void** state) {
  (void)state;
  compare("examples/cart_pole.yaml", "--keep L,m");
  compare("examples/actuator_lag.yaml", "--keep T,Kp,Kd");
  compare("examples/quarter_car.yaml", "--keep body_mass,k");
  compare("examples/iftomm_a05_governor.yaml", "--keep arm,k --integrator euler");
  compare("examples/iftomm_a03_andrews.yaml", "--keep xa,yb --integrator euler");
  compare("examples/puma_cart.yaml", "--keep reach");
}

// Of every family of loops, redundant rows and singular starts among them; some have no equations
// in symbols.
static void random_loops_agree(void** state) {
  (void)state;
  static ModelText t;
  const int trials = test_effort(4);
  for (int trial = 0; trial < trials; trial++) {
    Rng r = rng_seed(test_seed(9300 + (uint64_t)trial));
    loops_random(&t, &r, (LoopFamily)(trial % LOOPS_FAMILIES), 2 + rng_int(&r, 4));
    write_file("loops.yaml", t.text);
    const Result* made =
        sarrus("generate @loops.yaml -o @c --name m --force --derivatives --integrator euler");
    if (made->status == 2) continue;
    if (made->status == 3) continue;  // drives that contradict each other
    assert_int_equal(made->status, 0);
    if (test_takes((size_t)trial, 4)) build_and_test("gcc", "-O0", t.text);
  }
}

static void what_has_none_is_refused(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus("generate examples/double_fourbar.yaml -o @no --derivatives --method hybrid"), 2);
  expect_has(r->err, "derivatives are not of method 'hybrid' (take --method lagrange)");
  r = expect_status_of(sarrus("generate examples/double_fourbar.yaml -o @no --derivatives "
                              "--method embedding --single"),
                       2);
  expect_has(r->err, "derivatives where there are constraints are of double precision");
  r = expect_status_of(sarrus("generate examples/cart_pole.yaml -o @no --derivatives --keep x"), 2);
  expect_has(r->err, "there is no parameter 'x'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_agree),       cmocka_unit_test(branches_agree),
      cmocka_unit_test(humanoid_agrees),    cmocka_unit_test(random_trees_agree),
      cmocka_unit_test(loops_agree),        cmocka_unit_test(parameters_agree),
      cmocka_unit_test(random_loops_agree), cmocka_unit_test(what_has_none_is_refused),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
