// sarrus generate --lanes: every lane computes, bit for bit, what the code of one instance
// computes, on random trees of all joints, with every function of expressions, with constraints, in
// steps that fail; with and without wide vectors.
#include "support/program.h"
#include "support/random_loops.h"
#include "support/random_model.h"

#include <unistd.h>

static bool has_compiler(void) { return system("cc --version >/dev/null 2>&1") == 0; }

// Vectors of this machine where it is one that has them; bits do not depend on it.
#define WIDE "-march=native -fno-tree-vectorize"
static const char* const FLAGS[] = {"", WIDE, "-DSARRUS_PLAIN_LANES"};

static void compile_and_compare(const char* flags, const char* what) {
  char command[1200];
  snprintf(command, sizeof command,
           "cd %s/c && cc -std=c11 -O1 -ffp-contract=off -Wall -Wextra -Wno-psabi -Wconversion "
           "-pedantic -Werror -c m.c && cc -std=c11 -O1 -ffp-contract=off -Wall -Wextra -Wno-psabi "
           "-Wconversion -pedantic -Werror %s -o test m_lanes.c m_lanes_test.c m.o -lm && ./test "
           ">log 2>&1",
           program_folder, flags);
  if (system(command) == 0) return;
  fail_msg("%s: %s", what, command);
}

static void compare(const char* model, const char* options, int lanes, const char* flags) {
  static size_t number;  // the text is the same in every build: only one of them compiles all of it
  char line[400];
  snprintf(line, sizeof line, "generate %s -o @c --name m --force --lanes %d %s", model, lanes,
           options);
  expect_status_of(sarrus(line), 0);
  if (test_takes(number++, 4)) compile_and_compare(flags, model);
}

static void examples_agree(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  compare("tests/reference/tree/arm7.urdf", "", 4, WIDE);
  compare("examples/double_fourbar.yaml", "", 8, "");
  compare("tests/models/states.yaml", "--integrator euler", 4, "");
  compare("tests/models/every_joint.yaml", "--method crba --integrator semi-implicit", 4, "");
}

// Trees of all joints that move, with springs, dampers and dry friction.
static void random_trees_agree(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  static ModelText t;
  const int trials = test_effort(3);
  for (int trial = 0; trial < trials; trial++) {
    Rng r = rng_seed(test_seed(7300 + (uint64_t)trial));
    model_random_tree(&t, &r, 2 + rng_int(&r, 5));
    write_file("tree.yaml", t.text);
    compare("@tree.yaml", trial % 2 ? "--integrator semi-implicit" : "", trial % 2 ? 8 : 4,
            trial % 2 ? "" : WIDE);
  }
}

// Loops by the embedding technique: lanes 1 and 2 begin open, one of them so far that it may never
// close, and need Newton's method where others have polynomials, or other numbers of its steps.
static void closed_loops_agree(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  compare("examples/double_fourbar.yaml", "--method embedding", 4, WIDE);
  compare("examples/landing_gear.yaml", "--method embedding --integrator semi-implicit", 4, "");
  compare("examples/iftomm_a03_andrews.yaml", "--method embedding --integrator euler", 8, "");
  compare("papers/003/stewart.yaml", "--method embedding --integrator euler", 4, WIDE);
  compare("papers/003/five_link.yaml", "--method embedding --integrator euler", 4, WIDE);
}

static void random_loops_agree(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  static ModelText t;
  const int trials = test_effort(3);
  for (int trial = 0; trial < trials; trial++) {
    Rng r = rng_seed(test_seed(7500 + (uint64_t)trial));
    loops_random(&t, &r, (LoopFamily)(trial % LOOPS_FAMILIES), 2 + rng_int(&r, 4));
    write_file("loops.yaml", t.text);
    const Result* made = sarrus(
        "generate @loops.yaml -o @c --name m --force --lanes 4 --method embedding --integrator "
        "semi-implicit");
    // no equations in symbols, or drives that contradict each other
    if (made->status == 2 || made->status == 3) continue;
    assert_int_equal(made->status, 0);
    if (test_takes((size_t)trial, 4)) compile_and_compare(WIDE, t.text);
  }
}

// Functions and operators of expressions, and tables, of a coordinate that moves through their
// kinks.
static void functions_agree(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  static const char* const laws[] = {
      "sin(j.q) + cos(3*j.q)",
      "sin(1e7*(1 + t)) * cos(2e6*t)",
      "tan(0.3*j.q)",
      "asin(tanh(j.q)) + acos(tanh(j.v))",
      "atan(j.q) + atan2(j.q, j.v)",
      "sinh(j.q/9) - cosh(j.v/9)",
      "asinh(j.q) + atanh(tanh(j.v)/2)",
      "acosh(1 + j.q^2)",
      "exp(-j.q^2) + log(1 + j.v^2) + log10(2 + j.q^2)",
      "sqrt(abs(j.q)) + cbrt(j.v)",
      "hypot(j.q, j.v) + (1 + j.q^2)^0.3 + j.q^3",
      "sign(j.v) + floor(9*j.q) + ceil(9*j.v) + mod(j.q, 0.3)",
      "min(j.q, j.v, 0.1) + max(j.q, -j.v)",
      "(j.q > 0.05 and j.v < 0.2) + (j.q <= 0 or j.v >= 0.1) + (not (j.q == 0.01))",
      "j.q != 0.02 ? j.v : 2 * j.q",
      "clamp(9*j.q, -0.3, 0.2) + deadzone(j.q, 0.1)",
      "table(j.q, -1, 0, 0, 0.5, 0.1, 2, 1, 1)",
      "spline(j.q, -1, 0, 0, 0.5, 0.1, 2, 1, 1)",
  };
  static ModelText t;
  t.used = 0;
  model_add(&t,
            "sarrus: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1], com: [0.1, 0, 0]}\n"
            "joints:\n  j: {revolute: [ground, b], axis: y, position: -0.1, speed: 2}\nforces:\n");
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
    model_add(&t, "  f%zu: {joint_force: j, value: \"0.01*(%s)\"}\n", i, laws[i]);
  write_file("laws.yaml", t.text);
  compare("@laws.yaml", "", 4, "");
}

// Without the vector types of GCC lanes are a loop; a step that fails leaves its lane as it was.
static void failures_and_other_compilers(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  expect_status_of(
      sarrus("generate examples/double_pendulum.yaml -o @c --name m --force --lanes 4"), 0);
  write_file(
      "c/m_lanes_test.c",
      "#include \"m_lanes.h\"\n#include <math.h>\n#include <string.h>\n"
      "int main(void) {\n  static m_lanes_state s;\n  static m_lanes_inputs u;\n"
      "  m_state one, x;\n  m_inputs v;\n  m_start(&one);\n  m_default_inputs(&v);\n"
      "  for (int l = 0; l < 4; l++) m_lanes_set(&s, l, &one), m_lanes_set_inputs(&u, l, &v);\n"
      "  u.tau[0][2] = (double)INFINITY;\n"
      "  if (m_lanes_step(&s, &u, 1e-3) != 4) return 1;\n"
      "  m_lanes_get(&s, 2, &x);\n  if (memcmp(&x, &one, sizeof x) != 0) return 2;\n"
      "  m_step(&one, &v, 1e-3);\n  m_lanes_get(&s, 3, &x);\n"
      "  return memcmp(&x, &one, sizeof x) ? 3 : 0;\n}\n");
  for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++)
    compile_and_compare(FLAGS[i], "one lane fails");
}

static void bad_requests_are_told(void** state) {
  (void)state;
  const Result* r = sarrus("generate examples/pendulum.yaml -o @x --lanes 3");
  expect_has(expect_status_of(r, 2)->err, "expected 1, 4 or 8");
  r = sarrus("generate examples/pendulum.yaml -o @x --lanes 4 --single");
  expect_has(expect_status_of(r, 2)->err, "double precision");
  expect_status_of(sarrus("generate examples/pendulum.yaml -o @one --lanes 1"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_agree),        cmocka_unit_test(random_trees_agree),
      cmocka_unit_test(functions_agree),       cmocka_unit_test(failures_and_other_compilers),
      cmocka_unit_test(bad_requests_are_told), cmocka_unit_test(closed_loops_agree),
      cmocka_unit_test(random_loops_agree),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
