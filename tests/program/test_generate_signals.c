// Discrete-time states in generated code: sampled controllers, delays, noise and relays do at their
// instants what the interpreter does there. Every generated folder has a test with the
// interpreter's numbers after a run.
#include "support/generated.h"
#include "support/random.h"

// An arm on a flexible shaft, or a four-bar, under everything that samples, delays or switches;
// periods and offsets at random, steps of expressions on instants, a relay that another switches.
static void write_model(const char* name, Rng* r, bool loop) {
  static const char tree[] =
      "bodies: {rotor: {mass: 0.5, inertia: [8e-3, 8e-3, 8e-3]},\n"
      "  arm: {rod: [[0, 0, 0], [0.4, 0, 0]], mass: 0.6}}\n"
      "joints:\n  motor: {revolute: [ground, rotor], at: [0, 0, 0], axis: y, damping: 0.1, force: "
      "drive}\n"
      "  shaft: {revolute: [rotor, arm], at: [0, 0, 0], axis: y, stiffness: 40, damping: 0.05}\n";
  static const char fourbar[] =
      "bodies: {a: {rod: [[0, 0, 0], [0, 0, 1]], mass: 1}, b: {rod: [[0, 0, 1], [1.5, 0, 1.4]], "
      "mass: 1},\n"
      "  c: {rod: [[1.2, 0, 0], [1.5, 0, 1.4]], mass: 1}}\n"
      "joints:\n  motor: {revolute: [ground, a], at: [0, 0, 0], axis: y, damping: 0.4, force: "
      "drive}\n"
      "  p: {revolute: [a, b], at: [0, 0, 1], axis: y}\n  s: {revolute: [b, c], at: [1.5, 0, 1.4], "
      "axis: y}\n"
      "  t: {revolute: [ground, c], at: [1.2, 0, 0], axis: y}\n";
  char text[3000];
  const double period = 1e-3 * (3 + rng_int(r, 9));
  snprintf(
      text, sizeof text,
      "sarrus: 1\n%s"
      "signals:\n"
      "  target: {sample: 't < %.17g ? 0 : 0.4', period: %.17g}\n"
      "  wanted: {sampled_pid: target - motor.q, period: %.17g, offset: %.17g, kp: 4, ki: 8, kd: "
      "0.05, lower: -6, upper: 6}\n"
      "  before: {unit_delay: wanted, period: %.17g, offset: %.17g}\n"
      "  late: {delay: motor.q, time: %.17g, samples: 7}\n"
      "  rough: {noise: 0.05, period: %.17g, seed: %d}\n"
      "  smooth: {transfer_function: rough + late, numerator: [0.2], denominator: [1, -0.8], "
      "period: %.17g}\n"
      "  far: {relay: motor.q, on: 0.05, off: 0.02}\n"
      "  both: {relay: 'far + (t < %.17g ? 0 : 0.5)', on: 1.2, off: 0.2, high: 0.3}\n"
      "  drive: {saturation: wanted + 0.2*before + smooth - both - 0.5*far, lower: -5, upper: 5}\n"
      "gravity: [0, 0, -1]\nsimulation: {end: 0.6}\n"
      "outputs: [joints, signals]\n",
      loop ? fourbar : tree, 17 * period, period, period, 0.3 * period, 2 * period, 0.3 * period,
      7 * period, 0.5 * period, 1 + rng_int(r, 100), period, 40 * period);
  write_file(name, text);
}

static void instants_are_those_of_the_interpreter(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  static const char* const how[][2] = {
      {"--integrator euler", "--method lagrange --integrator rk4"},
      {"--integrator rk4", "--method embedding --integrator rk4"},
      {"--integrator semi-implicit", "--method lagrange --integrator euler"},
      {"--method hybrid", "--method hybrid"}};
  Rng r = rng_seed(test_seed(71));
  for (int trial = 0; trial < 8; trial++) {
    if (!test_takes((size_t)trial, 4)) continue;
    const bool loop = trial % 2 == 1;
    char name[40], folder[40], arguments[300];
    snprintf(name, sizeof name, "signals%d.yaml", trial);
    snprintf(folder, sizeof folder, "signals%d", trial);
    write_model(name, &r, loop);
    snprintf(arguments, sizeof arguments, "generate @%s %s -o @%s", name, how[trial / 2][loop],
             folder);
    expect_status_of(sarrus(arguments), 0);
    build_and_test(folder, folder);
    snprintf(arguments, sizeof arguments, "grep -q ' steps: ' %s/%s/log", program_folder, folder);
    assert_int_equal(system(arguments), 0);  // a run was compared
  }
}

static void what_cannot_be_is_named(void** state) {
  (void)state;
  const char* const bad[][2] = {{"--single", "signal 'wanted.error'"},
                                {"--lanes 4", "for one instance"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char arguments[200];
    snprintf(arguments, sizeof arguments, "generate examples/sampled_servo.yaml %s -o @no",
             bad[i][0]);
    expect_has(expect_status_of(sarrus(arguments), 2)->err, bad[i][1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instants_are_those_of_the_interpreter),
      cmocka_unit_test(what_cannot_be_is_named),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
