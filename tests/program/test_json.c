// --json is an object on the standard output in every case: every command, wrong options, models
// that are not there, wrong, or cannot be run, and numerics that fail; with the exit status that
// the process has.
#include "support/json_check.h"
#include "support/program.h"

// One object, or a list of them.
static bool is_document(const char* text) {
  return (text[0] == '{' || text[0] == '[') && json_is_valid(text);
}

static void expect_object(const char* arguments, int status) {
  const Result* r = expect_status_of(sarrus(arguments), status);
  if (!is_document(r->out)) fail_msg("sarrus %s: no object:\n%s", arguments, r->out);
  expect_lacks(r->out, "nan");
  if (json_value(r->out, "exit_status", 0) != status && r->out[0] == '{')
    fail_msg("sarrus %s: status %d, but it says\n%s", arguments, status, r->out);
}

static const char* const COMMANDS[] = {"run",     "compare", "kinematics", "static", "modes",
                                       "inverse", "info",    "check",      "plot"};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

static void every_failure_is_an_object(void** state) {
  (void)state;
  char line[200];
  write_file("wrong.yaml",
             "sarrus: 1\nbodies: {a: {mass: -1}}\njoints: {j: {revolute: [ground, b]}}\n");
  for (int i = 0; i < COMMAND_COUNT; i++) {
    snprintf(line, sizeof line, "%s --json --no-such-option x", COMMANDS[i]);
    expect_object(line, 2);
    snprintf(line, sizeof line, "%s --json", COMMANDS[i]);
    expect_object(line, 2);
    snprintf(line, sizeof line, "%s @no_such_file.yaml --json", COMMANDS[i]);
    expect_object(line, 2);
    if (strcmp(COMMANDS[i], "plot") == 0) continue;  // reads results
    snprintf(line, sizeof line, "%s --json @wrong.yaml", COMMANDS[i]);
    expect_object(line, 3);
  }
  expect_object("no-such-command --json", 2);
  expect_object("run --json --step -1 @wrong.yaml", 2);
  expect_object("run --json --set x @wrong.yaml", 2);
  expect_object("list no-such-list --json", 2);
  expect_has(sarrus("list no-such-list")->err, "signals, hydraulics, outputs, shapes, functions");
}

static void numerics_that_fail_say_so(void** state) {
  (void)state;
  write_file("far.yaml",
             "sarrus: 1\ngravity: [0, 1e300, 0]\nbodies: {b: {sphere: 1, mass: 1e6}}\n"
             "joints: {j: {prismatic: [ground, b], axis: y}}\noutputs: [energy]\n");
  expect_object("run --json -q -i trapezoidal @far.yaml", 4);
  write_file("fine.yaml",
             "sarrus: 1\nbodies: {b: {sphere: 1, mass: 1}}\n"
             "joints: {j: {revolute: [ground, b], axis: y}}\n");
  expect_object("run --json -q @fine.yaml", 0);
  expect_object("check --json @fine.yaml", 0);
}

// What commands print when all went well, on examples that suit them.
static const char* const DONE[] = {
    "run --quiet %s/double_fourbar.yaml --end 0.1",
    "rt %s/pendulum.yaml --rehearse --end 0.1",
    "compare %s/pendulum.yaml --end 0.1",
    "sweep %s/pendulum.yaml --vary L=0.5,1 --end 0.1 --out @sweep.csv",
    "optimize %s/pendulum.yaml --minimize 'final(hinge.q)' --over L=0.5:2 --end 0.3",
    "kinematics %s/crank_rocker.yaml",
    "inverse %s/crank_rocker.yaml",
    "loops %s/double_fourbar.yaml",
    "static %s/pendulum.yaml",
    "modes %s/pendulum.yaml",
    "linearize %s/cart_pole.yaml",
    "reduce %s/flexible_arm.yaml",
    "equations %s/pendulum.yaml",
    "generate %s/pendulum.yaml --out @generated",
    "export %s/pendulum.yaml --out @pendulum.fmu",
    "convert %s/pendulum.yaml @pendulum.urdf",
    "info %s/gripper.yaml",
    "check %s/pendulum.yaml",
};

static void every_command_prints_a_document(void** state) {
  (void)state;
  char path[400], line[800];
  snprintf(path, sizeof path, "%s/examples", SARRUS_SOURCE_DIR);
  for (size_t i = 0; i < sizeof DONE / sizeof *DONE; i++) {
    const int n = (int)(strstr(DONE[i], "%s") - DONE[i]);
    snprintf(line, sizeof line, "%.*s%s%s --json", n, DONE[i], path, DONE[i] + n + 2);
    const Result* r = expect_status_of(sarrus(line), 0);
    if (!is_document(r->out)) fail_msg("sarrus %s: no document:\n%s", line, r->out);
  }
  const Result* r = expect_status_of(sarrus("list --json"), 0);
  assert_true(is_document(r->out));
  r = expect_status_of(sarrus("help --json"), 0);
  assert_true(is_document(r->out));
}

// `boxes` of 0.1 m on one another, the upper half `ratio` times as heavy.
static void write_stack(const char* name, int boxes, double ratio) {
  static char text[8000];
  size_t used = (size_t)snprintf(text, sizeof text, "sarrus: 1\nbodies:\n");
  for (int i = 0; i < boxes; i++)
    used +=
        (size_t)snprintf(text + used, sizeof text - used,
                         "  b%d: {box: [0.1, 0.1, 0.1], mass: %g, at: [0, 0, %g], contact: a}\n", i,
                         2 * i >= boxes ? ratio : 1, 0.1 * i + 0.05);
  snprintf(text + used, sizeof text - used,
           "ground: {contact: [{plane: z, material: a}]}\n"
           "contact: {materials: {a: {friction: 0.5, restitution: 0}}}\n"
           "simulation: {end: 0.5, step: 0.005}\n");
  write_file(name, text);
}

// What sweeps leave undone is said, with the bodies, in the text as in the object; what settles is
// not.
static void sweeps_at_their_cap_are_a_warning(void** state) {
  (void)state;
  write_stack("hard.yaml", 4, 1000);
  write_stack("easy.yaml", 2, 1);
  const Result* r = expect_status_of(sarrus("run --json -q @hard.yaml --max-iterations 3"), 0);
  expect_has(r->out, "sweeps at their cap in ");
  expect_has(r->out, "first at t = ");
  expect_has(r->out, " and 'b");
  r = expect_status_of(sarrus("run -q @hard.yaml --max-iterations 3"), 0);
  expect_has(r->out, "warning      sweeps at their cap in ");
  r = expect_status_of(sarrus("run --json -q @easy.yaml"), 0);
  expect_lacks(r->out, "sweeps at their cap");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failure_is_an_object),
      cmocka_unit_test(numerics_that_fail_say_so),
      cmocka_unit_test(every_command_prints_a_document),
      cmocka_unit_test(sweeps_at_their_cap_are_a_warning),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
