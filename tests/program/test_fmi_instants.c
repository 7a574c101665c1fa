// Model exchange: outputs and rates follow from time, states, inputs and discrete states alone, for
// every kind of model: whenever an importer tells of its steps, an instance that was led through
// many of them and one that is put where they ended say the same. What expressions take from the
// last step of a run is that of the instant, against closed forms.
#include "support/fmu_exchange.h"

#include "model/model.h"

#include <glob.h>

// ---- the same anywhere --------------------------------------------------------------------------

// Gates and samples have states of their own, which depend on what was passed.
static bool has_no_discrete_states(const char* model) {
  SarModel* m = NULL;
  SarError err;
  sar_error_init(&err);
  const bool has = sar_model_load(model, NULL, &m, &err) == SAR_OK && m->ngate + m->ndiscrete == 0;
  sar_model_free(m);
  return has;
}

static void event_at(Exchange* e) {
  assert_int_equal(e->to_events(e->c), 0);
  in_event_mode(e);
}

static void put(Exchange* e, double t, const double* x) {
  assert_int_equal(e->set_time(e->c, t), 0);
  assert_int_equal(e->set_states(e->c, x, e->nx), 0);
}

// Steps of an importer that goes about near the start, in event mode at the end.
static void wander(Exchange* e, Rng* r, double end, int steps) {
  for (int n = 1; n <= steps; n++) {
    double x[MOST];
    bool event, terminate;
    e->t = end * n / steps;
    for (size_t i = 0; i < e->nx; i++) x[i] = e->x[i] + 5e-4 * rng_uniform(r, -1, 1);
    put(e, e->t, x);
    assert_int_equal(e->completed(e->c, true, &event, &terminate), 0);
    if (event || e->t >= e->next || n == steps)
      event_at(e);
    else
      memcpy(e->x, x, sizeof x);
  }
}

// Outputs, states and their rates; the largest difference.
static double differ(Exchange* a, Exchange* b, const char** where) {
  double worst = 0;
  *where = "";
  for (int k = 0; k < a->fmu.variables; k++) {
    const FmuVariable* v = &a->fmu.variable[k];
    if (strcmp(v->causality, "output") != 0 && strcmp(v->causality, "local") != 0) continue;
    const double x = read_one(a, v->reference), y = read_one(b, v->reference);
    const double off = fabs(x - y) / fmax(1, fabs(x));
    if (off > worst || isnan(off)) worst = isnan(off) ? (double)INFINITY : off, *where = v->name;
  }
  return worst;
}

// Of @me.fmu, which was made from the model.
static void expect_no_memory(const char* model, uint64_t seed, double bound) {
  static Exchange a, b;
  const char* where;
  Rng r = rng_seed(test_seed(seed));
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
  attach_exchange(&a), attach_exchange(&b);
  begin(&a), begin(&b);
  wander(&a, &r, 0.05, 20);
  put(&b, a.t, a.x);
  event_at(&b);
  const double worst = differ(&a, &b, &where);
  if (worst > bound) print_error("%s: %s\n", model, where);
  EXPECT_AT_MOST(worst, bound);
  close_exchange(&a), close_exchange(&b);
}

static bool is_offered(const char* model) {
  char arguments[400];
  snprintf(arguments, sizeof arguments, "export %s --me -o @me.fmu", model);
  const Result* r = sarrus(arguments);
  if (r->status != 0) expect_has(r->err, "not for model exchange");
  return r->status == 0;
}

// The same bits but where iterations settle: seen 0.
static void models_have_no_memory(void** state) {
  (void)state;
  glob_t g;
  size_t taken = 0;
  assert_int_equal(glob("examples/*.yaml", 0, NULL, &g), 0);
  assert_int_equal(glob("tests/models/*.yaml", GLOB_APPEND, NULL, &g), 0);
  for (size_t i = 0; i < g.gl_pathc; i++) {
    const char* model = g.gl_pathv[i];
    if (!test_takes(i, 5) || !has_no_discrete_states(model) || !is_offered(model)) continue;
    expect_no_memory(model, 41 + i, 1e-12);
    taken++;
  }
  globfree(&g);
  assert_true(taken >= 8);
}

static void replace(char* text, size_t size, const char* old, const char* with) {
  char* at = strstr(text, old);
  assert_non_null(at);
  const size_t n = strlen(old), k = strlen(with);
  assert_true(strlen(text) + k < size);
  memmove(at + k, at + n, strlen(at + n) + 1);
  memcpy(at, with, k);
}

// States of rotors and wakes.
static void rotors_have_no_memory(void** state) {
  (void)state;
  static const char* const inflow[] = {"none",
                                       "pitt_peters",
                                       "uniform, memory: 0.1",
                                       "coleman, memory: 0.1",
                                       "drees, memory: 0.1",
                                       "white_blake, memory: 0.1",
                                       "howlett, memory: 0.1",
                                       "payne, memory: 0.1",
                                       "glauert, memory: 0.1"};
  static const char* const lift[] = {"lift: steady", "lift: quasi_steady", "lift: unsteady"};
  static char text[1 << 15];
  char command[400], path[200], inflow_text[80];
  snprintf(command, sizeof command, "cp examples/naca0012.c81 %s/", program_folder);
  snprintf(path, sizeof path, "%s/rotor.yaml", program_folder);
  assert_int_equal(system(command), 0);
  for (size_t i = 0; i < 9; i++) {
    if (!test_takes(i, 3)) continue;
    read_all("examples/puma_rotor.yaml", text, sizeof text);
    snprintf(inflow_text, sizeof inflow_text, "inflow: %s", inflow[i]);
    replace(text, sizeof text, "inflow: uniform, memory: 0.12374", inflow_text);
    replace(text, sizeof text, "lift: steady", lift[i % 3]);
    write_file("rotor.yaml", text);
    assert_true(is_offered(path));
    expect_no_memory(path, 7 + i, 1e-12);
  }
}

// ---- what is of steps ---------------------------------------------------------------------------

static void columns_of_steps_are_left_out(void** state) {
  (void)state;
  Fmu f;
  expect_has(expect_status_of(sarrus("export examples/puma_rotor.yaml --me -o @me.fmu"), 0)->out,
             "left out: they are of the steps of a run");
  fmu_open(&f, "me.fmu");
  assert_true(fmu_find_variable(&f, "rotor.thrust") >= 0);
  assert_true(fmu_find_variable(&f, "energy.total") >= 0);
  assert_int_equal(fmu_find_variable(&f, "rotor.thrust_0"), -1);
  assert_int_equal(fmu_find_variable(&f, "rotor.flap_1c"), -1);
  assert_int_equal(fmu_find_variable(&f, "rotor.work"), -1);
  assert_int_equal(fmu_find_variable(&f, "energy.error"), -1);
  fmu_close(&f);
  expect_status_of(sarrus("export examples/puma_rotor.yaml --cs -o @cs.fmu"), 0);
  fmu_open(&f, "cs.fmu");
  assert_true(fmu_find_variable(&f, "rotor.thrust_0") >= 0);
  fmu_close(&f);
}

static const char BALL[] =
    "sarrus: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {ball: {mass: %.17g, inertia: [1, 1, 1]}}\n"
    "joints: {slide: {prismatic: [ground, ball], axis: x, position: 0.7}}\n"
    "forces:\n"
    "  spring: {joint_force: slide, value: -%.17g*slide.q}\n"
    "  more: {joint_force: slide, value: %s%s}\n"
    "outputs: [{joint: slide, with: [position, velocity, acceleration]},\n"
    "  {value: \"%s\", name: seen}]\n";

static void write_ball(double mass, double stiffness, const char* more, const char* options,
                       const char* seen) {
  char text[2000];
  snprintf(text, sizeof text, BALL, mass, stiffness, more, options, seen);
  write_file("ball.yaml", text);
}

static void open_ball(Exchange* e) {
  char path[200];
  snprintf(path, sizeof path, "%s/ball.yaml", program_folder);
  memset(e, 0, sizeof *e);
  open_exchange(e, path, "");
  begin(e);
}

// A force -s a adds s to the mass: x = 0.7 cos w t, w^2 = k/(m + s).
static void accelerations_are_of_the_instant(void** state) {
  (void)state;
  static Exchange e;
  Rng r = rng_seed(test_seed(3));
  for (int trial = 0; trial < test_effort(8); trial++) {
    const double m = rng_uniform(&r, 1, 5), k = rng_uniform(&r, 10, 90);
    const double s = m * rng_uniform(&r, -0.6, 0.8), w = sqrt(k / (m + s)), end = 0.6;
    char more[80], path[200];
    snprintf(more, sizeof more, "-1*(%.17g)*slide.a", s);
    write_ball(m, k, more, "", "2*slide.a");
    open_ball(&e);
    e.silent = rng_uniform(&r, 0, 0.1);
    advance(&e, end, 5e-4);  // w h < 8e-3: the method leaves 1e-9
    const double x = 0.7 * cos(w * end);
    EXPECT_NEAR(read_one(&e, fmu_reference(&e.fmu, "slide.q")), x, 1e-8);
    EXPECT_NEAR(read_one(&e, fmu_reference(&e.fmu, "slide.a")), -w * w * x, 1e-6);
    EXPECT_NEAR(read_one(&e, fmu_reference(&e.fmu, "seen")), -2 * w * w * x, 2e-6);
    // nothing is known of their derivatives
    FMU_FUNCTION(&e.fmu, Fmi3GetDerivative, fmi3GetDirectionalDerivative);
    const unsigned known = fmu_reference(&e.fmu, "states.slide.q");
    const unsigned unknown = fmu_reference(&e.fmu, "der(states.slide.v)");
    const double seed = 1;
    double out;
    e.fmu.said[0] = 0;
    assert_int_equal(fmi3GetDirectionalDerivative(e.c, &unknown, 1, &known, 1, &seed, 1, &out, 1),
                     FMI3_ERROR);
    expect_has(e.fmu.said, "quantities of the last step");
    close_exchange(&e);
    snprintf(path, sizeof path, "%s/ball.yaml", program_folder);
    expect_no_memory(path, 5 + (uint64_t)trial, 1e-11);
  }
}

// A push that begins where the acceleration has come to a share of its amplitude: the moment is
// acos(-share)/w. Before the first step it is 0, as in a run.
static void conditions_are_of_the_instant(void** state) {
  (void)state;
  static Exchange e;
  Rng r = rng_seed(test_seed(9));
  for (int trial = 0; trial < test_effort(8); trial++) {
    const double m = rng_uniform(&r, 1, 5), k = rng_uniform(&r, 10, 90);
    const double share = rng_uniform(&r, 0.2, 0.9), w = sqrt(k / m);
    const double at = acos(-share) / w, end = at + 0.2, push = rng_uniform(&r, 1, 9);
    char more[40], options[80];
    snprintf(more, sizeof more, "%.17g", push);
    snprintf(options, sizeof options, ", from: slide.a > %.17g", 0.7 * w * w * share);
    write_ball(m, k, more, options, "slide.q");
    open_ball(&e);
    e.silent = rng_uniform(&r, 0, 0.1);
    advance(&e, end, 5e-4);
    // x'' = -w^2 (x - push/k) from there on
    const double x0 = -0.7 * share - push / k, v0 = -0.7 * w * sin(w * at), h = w * (end - at);
    EXPECT_NEAR(read_one(&e, fmu_reference(&e.fmu, "slide.q")),
                push / k + x0 * cos(h) + v0 / w * sin(h), 1e-8);
    assert_true(e.events >= 1);
    close_exchange(&e);
  }
}

static void loops_and_accounts_are_told(void** state) {
  (void)state;
  static Exchange e;
  write_ball(1, 10, "-1.5*slide.a", "", "slide.q");
  memset(&e, 0, sizeof e);
  char path[200];
  snprintf(path, sizeof path, "%s/ball.yaml", program_folder);
  open_exchange(&e, path, "");
  FMU_FUNCTION(&e.fmu, Fmi3EnterInitializationMode, fmi3EnterInitializationMode);
  FMU_FUNCTION(&e.fmu, Fmi3Plain, fmi3ExitInitializationMode);
  assert_int_equal(fmi3EnterInitializationMode(e.c, true, 1e-9, 0, false, 0), 0);
  assert_int_equal(fmi3ExitInitializationMode(e.c), 0);
  bool flag[5];
  assert_int_equal(e.update(e.c, &flag[0], &flag[1], &flag[2], &flag[3], &flag[4], &e.next),
                   FMI3_ERROR);
  expect_has(e.fmu.said, "algebraic loop");
  close_exchange(&e);
  write_ball(1, 10, "0.1*spring.work", "", "slide.q");
  expect_has(expect_status_of(sarrus("export @ball.yaml --me -o @me.fmu"), 2)->err,
             "expressions use what steps have summed up");
  expect_status_of(sarrus("export @ball.yaml --cs -o @cs.fmu"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_have_no_memory),
      cmocka_unit_test(rotors_have_no_memory),
      cmocka_unit_test(columns_of_steps_are_left_out),
      cmocka_unit_test(accelerations_are_of_the_instant),
      cmocka_unit_test(conditions_are_of_the_instant),
      cmocka_unit_test(loops_and_accounts_are_told),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
