// sarrus static --solve: parameters for which an equilibrium is what it should be, against closed
// forms.
#include "support/program.h"

#include <math.h>

static const double g = 9.81;

// One corner of a car: the strut and the tyre are springs along z whose free lengths carry the
// load.
static const char car[] =
    "sarrus: 1\nparameters: {m: 400, w: 40, k: 22000, kt: 190000, strut: 0.5, tyre: 0.3, c: 1500}\n"
    "bodies:\n  wheel: {at: [0, 0, 0.3], mass: w}\n  body: {at: [0, 0, 0.8], mass: m}\n"
    "joints:\n  hop: {prismatic: [ground, wheel], axis: z}\n"
    "  bounce: {prismatic: [ground, body], axis: z}\n"
    "forces:\n  s: {spring_damper: [wheel, body], stiffness: k, length: strut, damping: c}\n"
    "  t: {spring_damper: [[ground, [0, 0, 0]], wheel], stiffness: kt, length: tyre}\n";

// An arm on a hinge, 2 kg at 0.5 m and a counterweight at 0.2 m on the other side, with a torsion
// spring.
static const char arm[] =
    "sarrus: 1\nparameters: {counter: 1, k: 80, rest: 0, c: 1, other: 3}\n"
    "bodies:\n  arm: {mass: 2, inertia: [0.1, 0.1, 0.1], com: [0.5, 0, 0]}\n"
    "  weight: {mass: counter, inertia: [0.01, 0.01, 0.01], at: [-0.2, 0, 0]}\n"
    "joints:\n  hinge: {revolute: [ground, arm], at: [0, 0, 0], axis: -y}\n"
    "  held: {fixed: [arm, weight]}\n"
    "forces:\n  spring: {torsion: [ground, arm], axis: [0, -1, 0], stiffness: k, rest: rest, "
    "damping: c}\n";

// The value that JSON has for a parameter.
static double solved(const Result* r, const char* name) {
  char key[80];
  snprintf(key, sizeof key, "\"parameter\": \"%s\"", name);
  const char* at = strstr(r->out, key);
  if (!at) fail_msg("no %s in %s", key, r->out);
  const char* value = strstr(at, "\"value\":");
  assert_non_null(value);
  return strtod(value + 8, NULL);
}

static void the_position_of_the_file_becomes_the_rest(void** state) {
  (void)state;
  write_file("car.yaml", car);
  const Result* r = expect_status_of(sarrus("static @car.yaml --solve strut,tyre --json"), 0);
  EXPECT_NEAR(solved(r, "strut"), 0.5 + 400 * g / 22000, 1e-9);
  EXPECT_NEAR(solved(r, "tyre"), 0.3 + 440 * g / 190000, 1e-9);
  expect_has(r->out, "\"stability\": \"stable\"");
  expect_has(r->out, "\"solution_unique\": true");
  r = expect_status_of(sarrus("static @car.yaml --solve strut,tyre"), 0);
  expect_has(r->out, "solved       strut = 0.678363636");
  expect_has(r->out, "so that      the position of the file is an equilibrium");
  // a mass as well as a length: the counterweight that balances the arm
  write_file("arm.yaml", arm);
  r = expect_status_of(sarrus("static @arm.yaml --solve counter --json"), 0);
  EXPECT_NEAR(solved(r, "counter"), 2 * 0.5 / 0.2, 1e-9);
  // loops carry what they carry: only the free direction counts
  r = expect_status_of(sarrus("static @arm.yaml --coordinates absolute --solve counter --json"), 0);
  EXPECT_NEAR(solved(r, "counter"), 5, 1e-8);
}

static void conditions_hold_where_it_rests(void** state) {
  (void)state;
  const double M = (2 * 0.5 - 1 * 0.2) * g;  // turns the arm down
  const Result* r = sarrus("static @arm.yaml --solve k --to 'hinge.q = -0.1' --json");
  expect_status_of(r, 0);
  EXPECT_NEAR(solved(r, "k"), M * cos(0.1) / 0.1, 1e-6);
  r = sarrus("static @arm.yaml --solve k --to 'hinge.q = -6 deg'");
  expect_status_of(r, 0);
  expect_has(r->out, "so that      hinge.q = -6 deg");
  // two of them, one of a force: torque = k (q - rest)
  r = sarrus(
      "static @arm.yaml --solve k,rest --to 'hinge.q = -0.1' --to 'spring.energy = 0.2' --json");
  expect_status_of(r, 0);
  const double T = M * cos(0.1), k = T * T / (2 * 0.2);
  EXPECT_NEAR(solved(r, "k"), k, 1e-5 * k);
  EXPECT_NEAR(solved(r, "rest"), -0.1 + T / k, 1e-6);
  // the free length for a ride height
  r = sarrus("static @car.yaml --solve strut --to 'bounce.q = 0.02' --json");
  expect_status_of(r, 0);
  const double wheel = -440 * g / 190000;
  EXPECT_NEAR(solved(r, "strut"), 0.5 + 0.02 - wheel + 400 * g / 22000, 1e-8);
}

static void what_has_no_influence_is_named(void** state) {
  (void)state;
  const Result* r = sarrus("static @car.yaml --solve strut,c,tyre");
  expect_status_of(r, 0);
  expect_has(r->out, "c = 1500 (was 1500): has no influence");
  // strut and k have one effect between them
  r = sarrus("static @arm.yaml --solve k,rest --to 'hinge.q = -0.1' --json");
  expect_status_of(r, 0);
  expect_has(r->out, "\"solution_unique\": false");
  const double T = (2 * 0.5 - 0.2) * g * cos(0.1);
  EXPECT_NEAR(solved(r, "k") * (solved(r, "rest") + 0.1), T, 1e-6);
}

static void what_cannot_be_is_status_4(void** state) {
  (void)state;
  const Result* r = sarrus("static @arm.yaml --solve c --to 'hinge.q = -0.1'");
  expect_status_of(r, 4);
  expect_has(r->err, "no c found: 'hinge.q = -0.1' is off by");
  expect_has(r->err, "nothing that is to be solved for changes that");
  r = sarrus("static @arm.yaml --solve k --to 'hinge.q = -0.1' --to 'hinge.q = -0.2'");
  expect_status_of(r, 4);
  expect_has(r->err, "more conditions than parameters");
  r = sarrus("static @car.yaml --solve strut --json");  // nothing carries the wheel then
  expect_status_of(r, 4);
  expect_has(r->err, "for which the position of the file is an equilibrium");
  // a spring that only turns down cannot hold it up
  r = expect_status_of(sarrus("static @arm.yaml --solve k --to 'hinge.q = 0.3'"), 4);
  expect_has(r->err, "is off by");
}

// All forces grow with the mass of a pendulum, and with its length: neither decides where it rests.
static void parameters_that_run_to_nothing_are_named(void** state) {
  (void)state;
  static const char* const NAME[] = {"m", "L"};
  for (int i = 0; i < 2; i++) {
    char command[128], words[128];
    snprintf(command, sizeof command, "static examples/pendulum.yaml --solve %s", NAME[i]);
    snprintf(
        words, sizeof words,
        "no %s found for which the position of the file is an equilibrium: '%s' would have to be 0",
        NAME[i], NAME[i]);
    const Result* r = sarrus(command);
    expect_status_of(r, 4);
    expect_has(r->err, words);
    expect_has(r->err, "solve for another parameter, or say by --to where it shall rest");
  }
  const Result* r = sarrus("static examples/pendulum.yaml --solve m --to 'hinge.q = 0.3'");
  expect_status_of(r, 4);
  expect_has(r->err, "nothing that is to be solved for changes that: solve for another parameter");
}

static void questions_that_make_no_sense_are_refused(void** state) {
  (void)state;
  const Result* r = expect_status_of(sarrus("static @arm.yaml --to 'hinge.q = 1'"), 2);
  expect_has(r->err, "name the parameters to solve for, by --solve");
  r = expect_status_of(sarrus("static @arm.yaml --solve k --to 'hinge.q'"), 2);
  expect_has(r->err, "expected an equation like 'hinge.q = 0.1'");
  expect_status_of(sarrus("static @arm.yaml --solve k --to 'hinge.q == 1'"), 2);
  expect_status_of(sarrus("static @arm.yaml --solve k,,rest"), 2);
  expect_status_of(sarrus("static @arm.yaml --solve k,k"), 2);
  r = expect_status_of(sarrus("static @arm.yaml --solve counte"), 3);
  expect_has(r->err, "counter");  // did you mean
  r = expect_status_of(sarrus("static @arm.yaml --solve k --to 'hing.q = 1'"), 3);
  expect_has(r->err, "hinge");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_position_of_the_file_becomes_the_rest),
      cmocka_unit_test(conditions_hold_where_it_rests),
      cmocka_unit_test(what_has_no_influence_is_named),
      cmocka_unit_test(what_cannot_be_is_status_4),
      cmocka_unit_test(parameters_that_run_to_nothing_are_named),
      cmocka_unit_test(questions_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
