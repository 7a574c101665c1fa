// Gates by known times in generated code: forces that come and go, joints that take hold where they
// are, constraints that close and impacts, against the interpreter. Every generated folder has a
// test with the interpreter's numbers after a run, which goes over all the times here.
#include "support/generated.h"
#include "support/random.h"

static double moment(Rng* r, int place) { return 0.02 * place + rng_uniform(r, 0.002, 0.018); }

// A double pendulum under forces, each with its times; one begins after the end, one holds from
// before the start.
static void write_forces(const char* name, Rng* r) {
  char text[2000];
  snprintf(text, sizeof text,
           "sarrus: 1\n"
           "bodies: {a: {rod: [[0, 0, 0], [0.4, 0, 0]], mass: 0.6},\n"
           "  b: {rod: [[0.4, 0, 0], [0.9, 0, 0.1]], mass: 0.4, points: {tip: [0.5, 0, 0.1]}}}\n"
           "joints: {A: {revolute: [ground, a], at: [0, 0, 0], axis: y, damping: 0.05},\n"
           "  B: {universal: [a, b], at: [0.4, 0, 0], axis: y, axis2: z, speed: [0.5, -1]}}\n"
           "forces:\n"
           "  push: {force: b.tip, value: [1, '3*sin(9*t)', 4], from: %.17g, until: %.17g}\n"
           "  turn: {torque: a, value: [0, 2, 0], frame: body, until: %.17g}\n"
           "  spring: {spring_damper: [ground, b.tip], stiffness: 30, damping: 0.4, length: 0.5, "
           "from: %.17g}\n"
           "  never: {torque: b, value: [0, 50, 0], from: 0.12, until: 0.2}\n"
           "  always: {torque: b, value: [0, 0.3, 0], from: -1}\n"
           "simulation: {end: 0.1}\noutputs: [joints, {force: push}, {force: spring}]\n",
           moment(r, 0), moment(r, 2), moment(r, 1), moment(r, 3));
  write_file(name, text);
}

// A pendulum takes a body that flies, lets it go, and takes it again in another way; a drive that
// is counted from where it is found, a rod that holds a distance, and a motion that ends.
static void write_joints(const char* name, Rng* r) {
  static const char* const kinds[] = {"fixed", "spherical", "revolute", "cylindrical"};
  const int first = rng_int(r, 4), second = rng_int(r, 4);
  double at[6];
  char text[3000];
  for (int i = 0; i < 6; i++) at[i] = moment(r, i < 5 ? i : 1);
  snprintf(text, sizeof text,
           "sarrus: 1\n"
           "bodies: {a: {rod: [[0, 0, 0], [0.5, 0, 0]], mass: 0.6, points: {tip: [0.5, 0, 0]}},\n"
           "  ball: {at: [0.7, 0.1, 0.2], box: [0.1, 0.2, 0.3], mass: 0.8, velocity: [-1, 0.5, 2], "
           "angular_velocity: [1, -2, 3]},\n"
           "  c: {rod: [[0, 1, 0], [0.3, 1, 0.2]], mass: 0.5, points: {tip: [0.3, 0, 0.2]}}}\n"
           "joints:\n  A: {revolute: [ground, a], at: [0, 0, 0], axis: y, speed: 1, damping: 0.1}\n"
           "  C: {revolute: [ground, c], at: [0, 1, 0], axis: [0, 1, 0.3], speed: -0.7}\n"
           "  grasp: {%s: [a, ball], at: a.tip, from: %.17g, until: %.17g, hold: current}\n"
           "  again: {%s: [c, ball], at: c.tip, from: %.17g, hold: current}\n"
           "constraints:\n"
           "  turned: {motion: A, value: 2*t + 3*t^2, from: %.17g, until: %.17g, hold: current}\n"
           "  rope: {rod: [a.tip, c.tip], from: %.17g, until: %.17g, hold: current}\n"
           "  begun: {motion: C, value: -0.7*t, until: %.17g}\n"
           "simulation: {end: 0.1}\noutputs: [joints, {point: ball}]\n",
           kinds[first], at[0], at[2], kinds[second], at[3], at[3], at[4], at[1], at[2], at[5]);
  write_file(name, text);
}

// A run to the end was compared: over 0.1 s.
static void test_folder(const char* model, const char* how, const char* folder) {
  char arguments[300];
  snprintf(arguments, sizeof arguments, "generate @%s %s -o @%s", model, how, folder);
  expect_status_of(sarrus(arguments), 0);
  build_and_test(folder, folder);
  snprintf(arguments, sizeof arguments, "grep -q 'over 0.1 s,' %s/%s/log", program_folder, folder);
  assert_int_equal(system(arguments), 0);
}

static void forces_come_and_go(void** state) {
  (void)state;
  static const char* const how[] = {"--integrator euler", "--integrator rk4",
                                    "--method crba --integrator semi-implicit",
                                    "--method lagrange"};
  if (!has_compiler()) skip();
  Rng r = rng_seed(test_seed(81));
  for (int trial = 0; trial < 4; trial++) {
    char name[40], folder[40];
    if (!test_takes((size_t)trial, 4)) continue;
    snprintf(name, sizeof name, "forces%d.yaml", trial);
    snprintf(folder, sizeof folder, "forces%d", trial);
    write_forces(name, &r);
    test_folder(name, how[trial], folder);
  }
}

static void joints_take_hold_and_let_go(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  Rng r = rng_seed(test_seed(82));
  const int trials = test_effort(3);
  for (int trial = 0; trial < trials; trial++) {
    char name[40], folder[40];
    snprintf(name, sizeof name, "joints%d.yaml", trial);
    snprintf(folder, sizeof folder, "joints%d", trial);
    write_joints(name, &r);
    test_folder(name, "", folder);
  }
}

// The last row of the interpreter's results, from its second column on.
static int read_last(const char* name, double* x, int most) {
  char path[256], line[2000], last[2000] = "";
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  FILE* file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) strcpy(last, line);
  fclose(file);
  int n = 0;
  char* at = strchr(last, ',');
  for (; at && n < most; at = strchr(at + 1, ',')) x[n++] = atof(at + 1);
  return n;
}

// All 8 s of the two robots that take and leave things: where the box and the hand end.
static void robots_pick_up_and_put_down(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  static const char* const robot[][3] = {{"puma_payload", "box_x", "box"},
                                         {"puma_pinned", "hand_pin_x", "hand.pin"}};
  for (int i = 0; i < 2; i++) {
    char text[1500], source[4096] = "", path[300];
    const char* name = robot[i][0];
    snprintf(text, sizeof text,
             "sed 's/^outputs:.*/outputs: [{point: %s}]/' examples/%s.yaml >%s/%s.yaml",
             robot[i][2], name, program_folder, name);
    assert_int_equal(system(text), 0);
    snprintf(text, sizeof text, "generate @%s.yaml -o @%s", name, name);
    expect_status_of(sarrus(text), 0);
    build_and_test(name, name);
    snprintf(source, sizeof source,
             "#include \"%s.h\"\n#include <stdio.h>\n"
             "int main(void) {\n  %s_state s;\n  %s_inputs u;\n  %s_outputs y;\n"
             "  %s_start(&s);\n  %s_default_inputs(&u);\n"
             "  for (int i = 0; i < 8000; i++)\n    if (%s_step(&s, &u, 1e-3)) return 1;\n"
             "  %s_output_values(&s, &u, &y);\n"
             "  for (int i = 0; i < 3; i++) printf(\",%%.17g\", (&y.%s)[i]);\n  return 0;\n}\n",
             name, name, name, name, name, name, name, name, robot[i][1]);
    snprintf(path, sizeof path, "%s/run.c", name);
    write_file(path, source);
    snprintf(text, sizeof text, "cd %s/%s && cc -O1 -w -o run run.c %s.c -lm && ./run >end",
             program_folder, name, name);
    assert_int_equal(system(text), 0);
    snprintf(text, sizeof text,
             "run @%s.yaml -f lagrange -i rk4 --fixed --step 1e-3 --end 8 -o @%s.csv", name, name);
    expect_status_of(sarrus(text), 0);
    double ours[3], theirs[3];
    snprintf(path, sizeof path, "%s/end", name);
    assert_int_equal(read_last(path, ours, 3), 3);
    snprintf(path, sizeof path, "%s.csv", name);
    assert_int_equal(read_last(path, theirs, 3), 3);
    // columns have 12 digits
    for (int k = 0; k < 3; k++) EXPECT_NEAR(ours[k], theirs[k], 2e-12);
  }
}

static void what_cannot_be_is_named(void** state) {
  (void)state;
  write_file("condition.yaml",
             "sarrus: 1\nbodies: {a: {rod: [[0, 0, 0], [0.4, 0, 0]], mass: 0.6}}\n"
             "joints: {A: {revolute: [ground, a], at: [0, 0, 0], axis: y}}\n"
             "forces: {jet: {torque: a, value: [0, 1, 0], active: a.z > -0.1}}\n");
  const char* const bad[][2] = {
      {"@condition.yaml", "'jet' is switched by a condition"},
      {"examples/puma_pinned.yaml --lanes 4", "'pin' is switched on and off during the run"},
      {"examples/puma_pinned.yaml --single", "too few digits"},
      {"examples/puma_pinned.yaml --method embedding", "by method 'lagrange'"},
      {"examples/puma_pinned.yaml --method hybrid", "'pin' is switched on and off"},
      {"examples/puma_pinned.yaml --derivatives", "without derivatives"},
      {"examples/puma_pinned.yaml --keep g", "without --keep"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char arguments[200];
    snprintf(arguments, sizeof arguments, "generate %s -o @no", bad[i][0]);
    expect_has(expect_status_of(sarrus(arguments), 2)->err, bad[i][1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_come_and_go),
      cmocka_unit_test(joints_take_hold_and_let_go),
      cmocka_unit_test(robots_pick_up_and_put_down),
      cmocka_unit_test(what_cannot_be_is_named),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
