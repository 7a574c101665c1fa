// FMUs of ours for model exchange: an integrator of the test's own (Runge-Kutta of order 4, events
// by bisection) comes to where a reference run of the program ends; derivatives along directions
// are those of differences.
#include "support/fmu_exchange.h"

typedef struct Case {
  const char *model, *options, *end;
  double step, bound;
  int events;     // at the least
  double silent;  // Exchange.silent
} Case;

// Bounds: what RK4 leaves at these steps, some times of what was seen (1e-11, 3e-10, 1e-9, 1e-9,
// 3e-12, 1e-10).
static const Case CASES[] = {
    {"examples/pendulum.yaml", "", "1", 1e-3, 1e-9, 0, 0},
    {"examples/heavy_top.yaml", "", "0.2", 1e-4, 1e-7, 0, 0},
    {"examples/acrobat.yaml", "", "0.2", 1e-3, 1e-7, 0, 0},
    {"examples/double_fourbar.yaml", "--formulation lagrange", "0.5", 1e-3, 1e-7, 0, 0},
    {"tests/models/fmi_events.yaml", "", "2", 1e-3, 1e-8, 4, 0},
    {"examples/actuator_lag.yaml", "", "0.5", 2e-4, 1e-8, 0, 0},
    {"examples/rover.yaml", "", "0.1", 1e-3, 1e-6, 0, 0},
    {"examples/sampled_servo.yaml", "", "0.4", 5e-4, 1e-7, 10, 0},
    // with a reference whose loads of 1e5 N have 1e-10 of them
    {"examples/puma_rotor.yaml", "", "0.2", 2e-4, 1e-5, 1, 0},
    {"examples/puma_rotor.yaml", "", "0.2", 2e-4, 1e-5, 1, 0.01}};
enum { COUNT = sizeof CASES / sizeof *CASES };

static void an_integrator_comes_to_the_same_end(void** state) {
  (void)state;
  for (int i = 0; i < COUNT; i++) {
    const Case* c = &CASES[i];
    if (!test_takes((size_t)i, 3)) continue;
    char arguments[400];
    snprintf(arguments, sizeof arguments,
             "run %s --reference --end %s --output-step %s --digits 17 -q -o @rows.csv", c->model,
             c->end, c->end);
    expect_status_of(sarrus(arguments), 0);
    SarTable t = read_table("rows.csv");
    static Exchange e;
    memset(&e, 0, sizeof e);
    open_exchange(&e, c->model, c->options);
    begin(&e);
    e.silent = c->silent;
    advance(&e, atof(c->end), c->step);
    assert_true(e.events >= c->events);
    const double* row =
        &sar_table_values(&t)[(sar_table_rows(&t) - 1) * (size_t)sar_table_columns(&t)];
    double worst = 0;
    const char* where = "";
    for (int k = 0; k < e.fmu.variables; k++) {
      const FmuVariable* v = &e.fmu.variable[k];
      if (strcmp(v->causality, "output") != 0) continue;
      const double wanted = row[sar_table_find(&t, v->name)], got = read_one(&e, v->reference);
      const double off = fabs(got - wanted) / fmax(1, fabs(wanted));
      if (off > worst) worst = off, where = v->name;
    }
    print_message("%s: off by %.2g (%s), %d events\n", c->model, worst, where, e.events);
    EXPECT_AT_MOST(worst, c->bound);
    close_exchange(&e);
    sar_table_clear(&t);
  }
}

// ---- derivatives --------------------------------------------------------------------------------

static unsigned list(const Exchange* e, const char* causality, const char* begins, unsigned* vr) {
  unsigned n = 0;
  for (int k = 0; k < e->fmu.variables; k++) {
    const FmuVariable* v = &e->fmu.variable[k];
    if (strcmp(v->causality, causality) != 0 || strncmp(v->name, begins, strlen(begins)) != 0)
      continue;
    if (strcmp(causality, "output") == 0 &&
        (strstr(v->name, "energy") || strstr(v->name, ".power") || strstr(v->name, "momentum")))
      continue;
    vr[n++] = v->reference;
  }
  return n;
}

// Rates, then outputs and inputs, at x + by * seed.
static void values_at(Exchange* e, const double* x, const unsigned* input, unsigned inputs,
                      const double* seed, double by, const unsigned* unknown, unsigned unknowns,
                      double* out) {
  double y[MOST], u[MOST];
  for (size_t i = 0; i < e->nx; i++) y[i] = x[i] + by * seed[i];
  for (unsigned i = 0; i < inputs; i++) u[i] = 0.3 + by * seed[e->nx + i];
  assert_int_equal(e->set_states(e->c, y, e->nx), 0);
  assert_int_equal(e->set(e->c, input, inputs, u, inputs), 0);
  assert_int_equal(e->get(e->c, unknown, unknowns, out, unknowns), 0);
}

static void directions_are_derivatives(void** state) {
  (void)state;
  static const char* const models[] = {"tests/models/fmi_input.yaml", "examples/heavy_top.yaml",
                                       "examples/acrobat.yaml", "examples/double_fourbar.yaml",
                                       "examples/actuator_lag.yaml"};
  static Exchange e;
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    if (!test_takes(m, 3)) continue;
    memset(&e, 0, sizeof e);
    open_exchange(&e, models[m], "");
    begin(&e);
    advance(&e, 0.05, 1e-3);  // it moves
    FMU_FUNCTION(&e.fmu, Fmi3GetDerivative, fmi3GetDirectionalDerivative);
    unsigned known[2 * MOST], unknown[3 * MOST];
    double seed[2 * MOST], exact[3 * MOST], low[3 * MOST], high[3 * MOST];
    unsigned knowns = list(&e, "local", "states.", known);
    assert_int_equal(knowns, e.nx);
    const unsigned inputs = list(&e, "input", "", known + knowns);
    unsigned unknowns = list(&e, "local", "der(", unknown);
    assert_int_equal(unknowns, e.nx);
    if (m != 3) unknowns += list(&e, "output", "", unknown + unknowns);
    Rng r = rng_seed(test_seed(77 + m));
    for (int trial = 0; trial < test_effort(6); trial++) {
      const double step = 1e-6;
      for (unsigned i = 0; i < knowns + inputs; i++) seed[i] = rng_uniform(&r, -1, 1);
      values_at(&e, e.x, known + knowns, inputs, seed, 0, unknown, unknowns, exact);
      e.fmu.said[0] = 0;
      const Fmi3Status told = fmi3GetDirectionalDerivative(
          e.c, unknown, unknowns, known, knowns + inputs, seed, knowns + inputs, exact, unknowns);
      if (told != FMI3_OK) print_error("%s: %s", models[m], e.fmu.said);
      assert_int_equal(told, FMI3_OK);
      values_at(&e, e.x, known + knowns, inputs, seed, step, unknown, unknowns, high);
      values_at(&e, e.x, known + knowns, inputs, seed, -step, unknown, unknowns, low);
      double scale = 1;
      for (unsigned i = 0; i < unknowns; i++) scale = fmax(scale, fabs(exact[i]));
      for (unsigned i = 0; i < unknowns; i++)  // differences of 1e-6: 1e-9 of the values and h^2
        EXPECT_NEAR((high[i] - low[i]) / (2 * step), exact[i], 1e-6 * scale);
    }
    close_exchange(&e);
  }
}

// Both versions of the interface give the same bits, and a state in the middle comes back with
// them.
static void versions_and_states_agree(void** state) {
  (void)state;
  static Exchange e;
  Fmu f;
  memset(&e, 0, sizeof e);
  open_exchange(&e, "examples/acrobat.yaml", "");
  expect_status_of(sarrus("export examples/acrobat.yaml --fmi 2 --me -o @me2.fmu"), 0);
  fmu_open(&f, "me2.fmu");
  Fmi2Component c = fmu_make2(&f, true);
  FMU_FUNCTION(&f, Fmi2SetupExperiment, fmi2SetupExperiment);
  FMU_FUNCTION(&f, Fmi2Plain, fmi2EnterInitializationMode);
  FMU_FUNCTION(&f, Fmi2Plain, fmi2ExitInitializationMode);
  FMU_FUNCTION(&f, Fmi2NewDiscreteStates, fmi2NewDiscreteStates);
  FMU_FUNCTION(&f, Fmi2Plain, fmi2EnterContinuousTimeMode);
  FMU_FUNCTION(&f, Fmi2SetStates, fmi2SetContinuousStates);
  FMU_FUNCTION(&f, Fmi2GetNumbers, fmi2GetDerivatives);
  FMU_FUNCTION(&f, Fmi2SetTime, fmi2SetTime);
  FMU_FUNCTION(&f, Fmi2FreeInstance, fmi2FreeInstance);
  Fmi2EventInfo info;
  assert_int_equal(fmi2SetupExperiment(c, 0, 0, 0, 0, 0), 0);
  assert_int_equal(fmi2EnterInitializationMode(c), 0);
  assert_int_equal(fmi2ExitInitializationMode(c), 0);
  assert_int_equal(fmi2NewDiscreteStates(c, &info), 0);
  assert_int_equal(fmi2EnterContinuousTimeMode(c), 0);
  begin(&e);
  double two[MOST], three[MOST], kept[MOST];
  FMU_FUNCTION(&e.fmu, Fmi3GetState, fmi3GetFMUState);
  FMU_FUNCTION(&e.fmu, Fmi3SetState, fmi3SetFMUState);
  FMU_FUNCTION(&e.fmu, Fmi3GetState, fmi3FreeFMUState);
  Fmi3State saved = NULL;
  for (int k = 0; k < 5; k++) {
    rates_at(&e, e.t, e.x, three);
    assert_int_equal(fmi2SetTime(c, e.t), 0);
    assert_int_equal(fmi2SetContinuousStates(c, e.x, e.nx), 0);
    assert_int_equal(fmi2GetDerivatives(c, two, e.nx), 0);
    assert_memory_equal(two, three, e.nx * sizeof *two);
    if (k == 3) assert_int_equal(fmi3GetFMUState(e.c, &saved), 0);
    if (k == 3) memcpy(kept, three, sizeof kept);
    advance(&e, e.t + 0.01, 1e-3);
  }
  assert_int_equal(fmi3SetFMUState(e.c, saved), 0);
  assert_int_equal(e.rates(e.c, three, e.nx), 0);
  assert_memory_equal(kept, three, e.nx * sizeof *two);
  fmi3FreeFMUState(e.c, &saved);
  assert_int_equal(fmi2GetDerivatives(c, two, e.nx + 1), FMI2_ERROR);
  expect_has(f.said, "numbers, not");
  fmi2FreeInstance(c);
  fmu_close(&f);
  close_exchange(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_integrator_comes_to_the_same_end),
      cmocka_unit_test(directions_are_derivatives),
      cmocka_unit_test(versions_and_states_agree),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
