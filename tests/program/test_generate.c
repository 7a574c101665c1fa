// sarrus generate: what it writes compiles without a warning and passes its own test; what it
// refuses is named, and nothing is written. tools/run-generated does the same for all examples,
// with two compilers.
#include "support/generated.h"
#include "support/random.h"

#include <unistd.h>

static bool is_there(const char* name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  return access(path, F_OK) == 0;
}

static void code_passes_its_own_test(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  const char* const cases[][3] = {
      {"examples/pendulum.yaml", "--integrator euler", "pendulum"},
      {"examples/nonlinear_spring.yaml", "--method crba --integrator semi-implicit",
       "nonlinear_spring"},
      {"tests/reference/tree/arm7.urdf", "", "arm7"},
      {"examples/double_fourbar.yaml", "", "double_fourbar"},
      {"tests/models/every_joint.yaml", "--single", "every_joint"},
      {"examples/rover.yaml", "", "rover"},
      {"examples/iltis_steer_sine.yaml", "", "iltis_steer_sine"},
      {"examples/quarter_car.yaml", "--integrator trapezoidal", "quarter_car"},
      {"examples/iltis.yaml", "--method hybrid", "iltis"},
      {"examples/crank_rocker.yaml", "--method embedding", "crank_rocker"},
      {"examples/coin.yaml", "--derivatives", "coin"},
      {"examples/wheel_set.yaml", "", "wheel_set"},
      {"tests/models/reference/F_spatial_slider_crank.yaml",
       "--method embedding --integrator euler", "F_spatial_slider_crank"},
      // one rotation of a ball joint is independent, two are not
      {"tests/models/reference/F_RSSR.yaml", "--method embedding", "F_RSSR"},
      {"papers/003/stewart.yaml", "--method embedding --single", "stewart"},
      {"papers/003/five_link.yaml", "--method embedding --integrator semi-implicit", "five_link"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char arguments[300];
    snprintf(arguments, sizeof arguments, "generate %s %s -o @%s", cases[i][0], cases[i][1],
             cases[i][2]);
    expect_status_of(sarrus(arguments), 0);
    // the text is the same in every build: only one of them compiles all of it
    if (test_takes(i, 4)) build_and_test(cases[i][2], cases[i][2]);
  }
}

// Over the first second code and interpreter are less than 1e-12 of the largest coordinate apart,
// by every method and integrator: trees and loops, motors, what is stiff, quaternions. Of all
// examples tools/run-generated tells the same.
static void runs_agree_over_a_second(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  static const char* const cases[][3] = {
      {"tests/reference/tree/arm7.urdf", "--method aba", "arm7"},
      {"examples/puma_floating.yaml", "--method crba", "puma_floating"},
      {"examples/iftomm_a05_governor.yaml", "--method aba", "iftomm_a05_governor"},
      {"examples/coin.yaml", "--method lagrange", "coin"},
      {"examples/excavator.yaml", "--method lagrange", "excavator"},
      {"examples/dc_motor.yaml", "--method lagrange --integrator semi-implicit", "dc_motor"},
      {"examples/crank_rocker.yaml", "--method embedding --integrator euler", "crank_rocker"},
      {"tests/models/reference/K_five_link.yaml", "--method embedding", "K_five_link"},
      {"examples/quarter_car.yaml", "--method hybrid", "quarter_car"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[300], line[300] = "";
    double apart = (double)NAN, seconds = 0;
    if (!test_takes(i, 3)) continue;
    snprintf(text, sizeof text, "generate %s %s -o @second%zu", cases[i][0], cases[i][1], i);
    expect_status_of(sarrus(text), 0);
    snprintf(text, sizeof text, "second%zu", i);
    build_and_test(text, cases[i][2]);
    snprintf(text, sizeof text, "%s/second%zu/log", program_folder, i);
    FILE* f = fopen(text, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
      const char *over = strstr(line, ": over "), *difference = strstr(line, "difference ");
      if (!over || !difference) continue;
      seconds = strtod(over + 7, NULL);
      apart = strtod(difference + 11, NULL);
    }
    fclose(f);
    print_message("%s: %.1e over %g s\n", cases[i][2], apart, seconds);
    EXPECT_AT_MOST(apart, 1e-12);
    EXPECT_NEAR(seconds, 1, 1e-9);
  }
}

static void refused_models_leave_no_file(void** state) {
  (void)state;
  const Result* r = expect_status_of(sarrus("generate examples/stack.yaml -o @stack"), 2);
  expect_has(r->err, "solids that touch");
  assert_false(is_there("stack"));
  r = expect_status_of(sarrus("generate examples/double_fourbar.yaml --method aba -o @no"), 2);
  expect_has(r->err, "--method lagrange");
  assert_false(is_there("no"));
  r = expect_status_of(sarrus("generate examples/coin.yaml --method embedding -o @no"), 2);
  expect_has(r->err, "'roll' rolls without slip");
  r = expect_status_of(sarrus("generate examples/double_fourbar.yaml --single -o @no"), 2);
  expect_has(r->err, "too few digits for constraints");
  assert_false(is_there("no"));
  r = expect_status_of(
      sarrus("generate examples/pendulum.yaml --method hybrid --integrator rk4 -o @no"), 2);
  expect_has(r->err, "--integrator trapezoidal");
  r = expect_status_of(sarrus("generate examples/pendulum.yaml --method hybrid --single -o @no"),
                       2);
  expect_has(r->err, "double precision");
  r = expect_status_of(sarrus("generate examples/stick_slip.yaml --method hybrid -o @no"), 2);
  expect_has(r->err, "'floor' has dry friction");
  assert_false(is_there("no"));
}

static void files_are_not_replaced(void** state) {
  (void)state;
  expect_status_of(sarrus("generate examples/pendulum.yaml -o @twice"), 0);
  expect_has(expect_status_of(sarrus("generate examples/pendulum.yaml -o @twice"), 2)->err,
             "there is such a file");
  expect_status_of(sarrus("generate examples/pendulum.yaml -o @twice --force"), 0);
}

// Kinks in time within steps and at their ends, once and periodic: each is landed on as the
// interpreter does, whose numbers the test of the generated code holds.
static void steps_land_on_kinks_in_time(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  write_file(
      "kinks.yaml",
      "sarrus: 1\nbodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1]}, b: {mass: 0.5, inertia: "
      "[0.1, 0.1, 0.1]}}\njoints:\n  base: {revolute: [ground, a], axis: y}\n"
      "  tip: {revolute: [a, b], at: [0.3, 0, 0], axis: y}\nforces:\n"
      "  f: {joint_force: base, value: \"(t < 0.0537 ? 3 : -1) + (mod(t, 0.0313) < 0.011 ? 1 : "
      "0)\"}\n  g: {joint_force: tip, value: \"t < 0.2 ? 0 : 0.5\"}\n");
  const char* const how[] = {"--integrator euler", "--integrator semi-implicit", "--integrator rk4",
                             "--method hybrid"};
  for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
    char arguments[300], folder[20];
    snprintf(folder, sizeof folder, "kinks%zu", i);
    snprintf(arguments, sizeof arguments, "generate @kinks.yaml %s -o @%s", how[i], folder);
    expect_status_of(sarrus(arguments), 0);
    build_and_test(folder, "kinks");
    char text[400];
    snprintf(text, sizeof text, "grep -q ' steps: ' %s/%s/log", program_folder, folder);
    assert_int_equal(system(text), 0);  // a run was compared
  }
}

// Hinges with springs, dampers and laws about three axes, numbers at random: explicit and implicit
// steps, derivatives and lanes.
static void deformable_hinges_have_code(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  static const char form[] =
      "sarrus: 1\nparameters: {k: %.17g}\nbodies:\n"
      "  a: {mass: 1, inertia: [0.1, 0.2, 0.25], at: [0.3, %.17g, 0]}\n"
      "  b: {mass: 0.7, inertia: [0.1, 0.05, 0.08], at: [0.6, 0.1, %.17g]}\n"
      "joints:\n  s: {spherical: [ground, a], at: [0, 0, 0]}\n"
      "  t: {spherical: [a, b], at: [0.5, 0, 0]}\nforces:\n"
      "  h: {deformable_hinge: [ground, a], frame: {rpy: [0, 0, %.17g]}, stiffness: [9, 8, k], "
      "damping: [0.1, 0.1, 0.2], law_y: 2*sin(ry) + 0.3*wy}\n"
      "  g: {deformable_hinge: [a, b], frame: {rpy: [0.2, %.17g, 0.3]}, stiffness: ['3 + "
      "0.1*sin(t)', 2, k], preload: [%.17g, 0.1, 0], law_x: 0.2*rx^3 + 0.1*wx, law_z: 'rz > 0.1 ? "
      "3*(rz - 0.1) : 0'}\n"
      "outputs: [joints, {force: h}, {force: g}]\n";
  static const char* const how[] = {"--method aba --lanes 4",
                                    "--method crba --keep k --derivatives", "--method hybrid"};
  Rng r = rng_seed(test_seed(93));
  for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
    char text[2000], arguments[300], folder[20];
    snprintf(text, sizeof text, form, rng_uniform(&r, 3, 9), rng_uniform(&r, -0.2, 0.2),
             rng_uniform(&r, -0.2, 0.2), rng_uniform(&r, -1, 1), rng_uniform(&r, -1, 1),
             rng_uniform(&r, -0.5, 0.5));
    write_file("hinges.yaml", text);
    snprintf(folder, sizeof folder, "hinges%zu", i);
    snprintf(arguments, sizeof arguments, "generate @hinges.yaml %s -o @%s", how[i], folder);
    expect_status_of(sarrus(arguments), 0);
    if (test_takes(i, 2)) build_and_test(folder, "hinges");
  }
}

// A step goes on from the one before; where the state or an input was changed by hand it begins
// anew, as from a state without a past.
static void implicit_steps_notice_changes(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  expect_status_of(
      sarrus("generate examples/double_fourbar.yaml --method hybrid -o @changes --name "
             "f"),
      0);
  write_file("changes/main.c",
             "#include \"f.h\"\n#include <string.h>\n"
             "static int differ(const f_state* a, const f_state* b) {\n"
             "  return memcmp(a->q, b->q, sizeof a->q) || memcmp(a->v, b->v, sizeof a->v);\n}\n"
             "int main(void) {\n"
             "  f_state a, b;\n  f_inputs u;\n  f_start(&a);\n  f_default_inputs(&u);\n"
             "  for (int i = 0; i < 5; i++)\n    if (f_step(&a, &u, 0.01)) return 1;\n"
             "  b = a;\n  memset(&b.memory, 0, sizeof b.memory);\n  f_state c = a;\n"
             "  u.tau[0] += 1e-3;\n"
             "  if (f_step(&a, &u, 0.01) || f_step(&b, &u, 0.01)) return 2;\n"
             "  if (differ(&a, &b)) return 3;\n"  // an input was changed
             "  u.tau[0] -= 1e-3;\n  b = c;\n  memset(&b.memory, 0, sizeof b.memory);\n"
             "  a = c;\n  a.v[0] += 1e-9, b.v[0] += 1e-9;\n"
             "  if (f_step(&a, &u, 0.01) || f_step(&b, &u, 0.01)) return 4;\n"
             "  if (differ(&a, &b)) return 5;\n"  // the state was
             "  return 0;\n}\n");
  char command[600];
  snprintf(command, sizeof command,
           "cd %s/changes && cc -std=c11 -O1 -o main main.c f.c -lm && ./main", program_folder);
  assert_int_equal(system(command), 0);
}

static void names_become_identifiers(void** state) {
  (void)state;
  write_file("2 odd-name.yaml",
             "sarrus: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, "
             "1]}}\njoints:\n  double: {revolute: [ground, a], axis: z}\n"
             "  float: {revolute: [a, b], at: [1, 0, 0], axis: y}\n");
  expect_status_of(sarrus("generate '@2 odd-name.yaml' -o @odd"), 0);
  assert_true(is_there("odd/m2_odd_name.h"));
  if (has_compiler()) build_and_test("odd", "m2_odd_name");
}

// The same bits whether twins are lanes of vectors or turns of a loop.
static void twins_are_alike_in_vectors_and_loops(void** state) {
  (void)state;
  static const char* const models[] = {"papers/003/stewart.yaml", "papers/003/five_link.yaml",
                                       "examples/double_fourbar.yaml"};
  if (!has_compiler()) skip();
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    char command[1024];
    if (!test_takes(i, 3)) continue;
    snprintf(command, sizeof command, "generate %s -o @twins%zu --name f --method embedding",
             models[i], i);
    expect_status_of(sarrus(command), 0);
    snprintf(command, sizeof command, "twins%zu/main.c", i);
    write_file(command,
               "#include \"f.h\"\n#include <stdio.h>\n"
               "int main(void) {\n  f_state s;\n  f_inputs u;\n  f_start(&s);\n"
               "  f_default_inputs(&u);\n  for (int i = 0; i < 50; i++)\n"
               "    if (f_step(&s, &u, 1e-3)) return 1;\n"
               "  for (int i = 0; i < f_NQ; i++) printf(\"%a\\n\", s.q[i]);\n"
               "  for (int i = 0; i < f_NV; i++) printf(\"%a\\n\", s.v[i]);\n  return 0;\n}\n");
    snprintf(
        command, sizeof command,
        "cd %s/twins%zu && cc -std=c11 -O1 -ffp-contract=off -Wno-psabi f.c main.c -lm -o a && cc "
        "-std=c11 -O1 -ffp-contract=off -Wall -Wextra -Wconversion -pedantic -Werror "
        "-DSARRUS_PLAIN_LANES f.c main.c -lm -o b && ./a >a.txt && ./b >b.txt && cmp a.txt b.txt",
        program_folder, i);
    if (system(command) == 0) continue;
    print_error("%s\n", command);
    fail();
  }
}

static void bad_requests_are_explained(void** state) {
  (void)state;
  expect_has(expect_status_of(sarrus("generate examples/pendulum.yaml"), 2)->err, "--out");
  expect_has(
      expect_status_of(sarrus("generate examples/pendulum.yaml -o @x --method magic"), 2)->err,
      "aba, crba, lagrange");
  expect_has(
      expect_status_of(sarrus("generate examples/pendulum.yaml -o @x --integrator magic"), 2)->err,
      "semi-implicit");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(twins_are_alike_in_vectors_and_loops),
      cmocka_unit_test(code_passes_its_own_test),
      cmocka_unit_test(runs_agree_over_a_second),
      cmocka_unit_test(refused_models_leave_no_file),
      cmocka_unit_test(files_are_not_replaced),
      cmocka_unit_test(names_become_identifiers),
      cmocka_unit_test(bad_requests_are_explained),
      cmocka_unit_test(implicit_steps_notice_changes),
      cmocka_unit_test(deformable_hinges_have_code),
      cmocka_unit_test(steps_land_on_kinks_in_time),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
