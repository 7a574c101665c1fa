// Functions of the user's own in a model: from a shared object by --functions, and from the program
// by SarLoadOptions.
#include "support/program.h"
#include "support/run.h"

#include <math.h>

// ---- in the program -----------------------------------------------------------------------------

#define ARM                                                                                \
  "sarrus: 1\nbodies: {arm: {rod: [[0, 0, 0], [0.8, 0, 0]], mass: 4}}\n"                   \
  "joints: {j: {revolute: [ground, arm], axis: [0, -1, 0], force: u}}\noutputs: [joints, " \
  "signals]\n"                                                                             \
  "simulation: {end: 2}\nsignals:\n"

// kp e + kd (e - e before) / period
static int pd(void* context, double t, const double* in, double* state, double* out) {
  const double period = *(const double*)context, before = state[1] > 0 ? state[0] : in[0];
  if (t > 1e6) return 1;
  state[0] = in[0], state[1] = 1;
  out[0] = 90 * in[0] + 8 * (in[0] - before) / period;
  out[1] = before;
  return 0;
}

static SarModel* load(const char* text, const SarUserFunction* f, int count, SarError* err) {
  const SarLoadOptions o = {.functions = f, .function_count = count};
  SarModel* m;
  sar_error_init(err);
  sar_model_parse(text, strlen(text), "yaml", "model", &o, &m, err);
  return m;
}

static void a_function_is_a_block(void** state) {
  (void)state;
  static const double period = 0.004;
  const SarUserFunction f = {"pd", 1, 2, 2, pd, (void*)&period};
  static const char* const text[] = {
      ARM "  u: {call: [0.5 - j.q], function: pd, states: 2, outputs: 2, period: 0.004}\n", ARM
      "  u: {sample: 90*(0.5 - j.q) + 8*(0.5 - j.q - before)/0.004, period: 0.004}\n"
      "  before: {unit_delay: 0.5 - j.q, period: 0.004, start: 0.5}\n"};
  static const char* const method[][2] = {
      {"aba", "rk4"}, {"hybrid", "trapezoidal"}, {"aba", "dopri5"}};
  for (int k = 0; k < 3; k++) {
    double at[2];
    for (int i = 0; i < 2; i++) {
      SarError err;
      SarSimOptions o = sar_sim_options();
      o.formulation = method[k][0], o.integrator = method[k][1], o.step = 0.001;
      Run r = run_open(load(text[i], &f, 1, &err), &o);
      run_advance(&r, 1.5);
      at[i] = run_output(&r, "j.q");
      if (i == 0) assert_true(fabs(run_output(&r, "u.out2") - (0.5 - at[0])) < 1e-2);
      run_close(&r);
    }
    EXPECT_NEAR(at[0], at[1], 1e-12);
  }
}

// What it keeps is state: a copy in the middle goes on alike, through states in another order of
// calls.
static void states_are_copied(void** state) {
  (void)state;
  static const double period = 0.004;
  const SarUserFunction f = {"pd", -1, -1, -1, pd, (void*)&period};
  SarError err;
  SarModel* m = load(
      ARM
      "  u: {call: [0.5 - v], function: pd, states: 2, outputs: 2, period: 0.004}\n"
      "  v: {call: [j.q, w.out2], function: mean, period: 0.002}\n"
      "  w: {call: [j.q], function: pd, states: 2, outputs: 2, period: 0.004, offset: 0.001}\n",
      &f, 1, &err);
  assert_non_null(m);
  SarSimOptions o = sar_sim_options();
  o.step = 0.001, o.formulation = "hybrid";
  Run r = run_open(m, &o);
  run_with_copy(&r, &o, 0.333, 0.8, "three functions");
  run_close(&r);
}

static int fails_late(void* context, double t, const double* in, double* state, double* out) {
  (void)context, (void)in, (void)state;
  out[0] = 0;
  return t > 0.5;
}

static void a_failure_ends_the_run(void** state) {
  (void)state;
  const SarUserFunction f = {"late", -1, 0, 1, fails_late, NULL};
  SarError err;
  SarModel* m = load(ARM "  u: {call: [t], function: late, period: 0.01}\n", &f, 1, &err);
  SarSimOptions o = sar_sim_options();
  o.step = 0.001;
  Run r = run_open(m, &o);
  assert_int_equal(sar_advance(r.s, 1), SAR_NOT_FINITE);
  EXPECT_NEAR(sar_time(r.d), 0.51, 0.011);
  assert_non_null(strstr(sar_sim_trouble(r.s), "'u"));
  run_close(&r);
}

static void wrong_models_are_told(void** state) {
  (void)state;
  const SarUserFunction f = {"pd", 1, 2, 2, pd, NULL};
  static const char* const wrong[][2] = {
      {ARM "  u: {call: [t], function: nothing, period: 0.01}\n", "there is no function 'nothing'"},
      {ARM "  u: {call: [t, 2], function: pd, states: 2, outputs: 2, period: 0.01}\n",
       "function 'pd' has 1 inputs, here are 2"},
      {ARM "  u: {call: [t], function: pd, period: 0.01}\n",
       "function 'pd' has 2 states, here are 0"},
      {ARM "  u: {call: [t], function: pd, states: 99, period: 0.01}\n",
       "states must be a whole number from 0 to 12"},
      {ARM "  u: {call: [t], function: 3, period: 0.01}\n", "expected a name"},
      {ARM "  u: {call: [u], function: mean, period: 0.01}\n", "needs its own value"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    SarError err;
    assert_null(load(wrong[i][0], &f, 1, &err));
    bool told = false;
    for (int k = 0; k < err.count; k++) told = told || strstr(err.items[k].text, wrong[i][1]);
    if (!told) fail_msg("not told: %s", wrong[i][1]);
  }
}

// ---- by the command line ------------------------------------------------------------------------

static bool make_library(void) {
  char command[1024];
  snprintf(command, sizeof command,
           "cc -shared -fPIC -I%s/include -o %s/pd.so %s/examples/functions/pd.c 2>/dev/null",
           SARRUS_SOURCE_DIR, program_folder, SARRUS_SOURCE_DIR);
  return system(command) == 0;
}

static void a_shared_object_brings_functions(void** state) {
  (void)state;
  if (!make_library()) skip();
  const Result* r =
      expect_status_of(sarrus("run examples/functions/arm.yaml --functions @pd.so --json"), 0);
  EXPECT_AT_MOST(json_value(r->out, "energy_error_max", 0), 1e-6);
  r = expect_status_of(sarrus("run examples/functions/arm.yaml"), 3);
  expect_has(r->err, "there is no function 'pid'");
  expect_has(r->err, "--functions");
  write_file("empty.so", "this is no library");
  expect_status_of(sarrus("run examples/functions/arm.yaml --functions @empty.so"), 2);
  expect_status_of(sarrus("run examples/functions/arm.yaml --functions @not_there.so"), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_function_is_a_block),
      cmocka_unit_test(states_are_copied),
      cmocka_unit_test(a_failure_ends_the_run),
      cmocka_unit_test(wrong_models_are_told),
      cmocka_unit_test(a_shared_object_brings_functions),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
