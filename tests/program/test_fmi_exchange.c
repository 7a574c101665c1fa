// FMUs of ours for model exchange: an integrator of the test's own (Runge-Kutta of order 4, events
// by bisection) comes to where a reference run of the program ends; derivatives along directions
// are those of differences.
#include "support/fmu.h"

#include <math.h>

enum { MOST = 200 };

typedef struct Exchange {
  Fmu fmu;
  Fmi3Instance c;
  Fmi3SetTime* set_time;
  Fmi3SetStates* set_states;
  Fmi3GetNumbers *get_states, *rates, *indicators;
  Fmi3GetFloat64* get;
  Fmi3SetFloat64* set;
  Fmi3CompletedIntegratorStep* completed;
  Fmi3Plain *to_events, *to_time;
  Fmi3UpdateDiscreteStates* update;
  size_t nx, nz;
  double t, next;  // next: time event
  int events;
  double x[MOST];
} Exchange;

static void open_exchange(Exchange* e, const char* model, const char* options) {
  char arguments[400];
  snprintf(arguments, sizeof arguments, "export %s %s --me -o @me.fmu", model, options);
  expect_status_of(sarrus(arguments), 0);
  fmu_open(&e->fmu, "me.fmu");
  FMU_FUNCTION(&e->fmu, Fmi3SetTime, fmi3SetTime);
  FMU_FUNCTION(&e->fmu, Fmi3SetStates, fmi3SetContinuousStates);
  FMU_FUNCTION(&e->fmu, Fmi3GetNumbers, fmi3GetContinuousStates);
  FMU_FUNCTION(&e->fmu, Fmi3GetNumbers, fmi3GetContinuousStateDerivatives);
  FMU_FUNCTION(&e->fmu, Fmi3GetNumbers, fmi3GetEventIndicators);
  FMU_FUNCTION(&e->fmu, Fmi3GetFloat64, fmi3GetFloat64);
  FMU_FUNCTION(&e->fmu, Fmi3SetFloat64, fmi3SetFloat64);
  FMU_FUNCTION(&e->fmu, Fmi3CompletedIntegratorStep, fmi3CompletedIntegratorStep);
  FMU_FUNCTION(&e->fmu, Fmi3Plain, fmi3EnterEventMode);
  FMU_FUNCTION(&e->fmu, Fmi3Plain, fmi3EnterContinuousTimeMode);
  FMU_FUNCTION(&e->fmu, Fmi3UpdateDiscreteStates, fmi3UpdateDiscreteStates);
  FMU_FUNCTION(&e->fmu, Fmi3GetCount, fmi3GetNumberOfContinuousStates);
  FMU_FUNCTION(&e->fmu, Fmi3GetCount, fmi3GetNumberOfEventIndicators);
  e->set_time = fmi3SetTime, e->set_states = fmi3SetContinuousStates;
  e->get_states = fmi3GetContinuousStates, e->rates = fmi3GetContinuousStateDerivatives;
  e->indicators = fmi3GetEventIndicators, e->get = fmi3GetFloat64, e->set = fmi3SetFloat64;
  e->completed = fmi3CompletedIntegratorStep;
  e->to_events = fmi3EnterEventMode, e->to_time = fmi3EnterContinuousTimeMode;
  e->update = fmi3UpdateDiscreteStates;
  e->c = fmu_make3(&e->fmu, true);
  assert_int_equal(fmi3GetNumberOfContinuousStates(e->c, &e->nx), 0);
  assert_int_equal(fmi3GetNumberOfEventIndicators(e->c, &e->nz), 0);
  assert_true(e->nx <= MOST && e->nz <= MOST);
  assert_int_equal(e->nz, e->fmu.indicators);
}

static void close_exchange(Exchange* e) {
  FMU_FUNCTION(&e->fmu, Fmi3FreeInstance, fmi3FreeInstance);
  fmi3FreeInstance(e->c);
  fmu_close(&e->fmu);
}

static void in_event_mode(Exchange* e) {
  bool again, terminate, nominals, values, next;
  assert_int_equal(e->update(e->c, &again, &terminate, &nominals, &values, &next, &e->next), 0);
  assert_false(again);
  assert_int_equal(e->get_states(e->c, e->x, e->nx), 0);
  assert_int_equal(e->to_time(e->c), 0);
}

static void begin(Exchange* e) {
  FMU_FUNCTION(&e->fmu, Fmi3EnterInitializationMode, fmi3EnterInitializationMode);
  FMU_FUNCTION(&e->fmu, Fmi3Plain, fmi3ExitInitializationMode);
  assert_int_equal(fmi3EnterInitializationMode(e->c, true, 1e-9, 0, false, 0), 0);
  assert_int_equal(fmi3ExitInitializationMode(e->c), 0);
  e->t = 0;
  in_event_mode(e);
}

static void rates_at(Exchange* e, double t, const double* x, double* dx) {
  assert_int_equal(e->set_time(e->c, t), 0);
  assert_int_equal(e->set_states(e->c, x, e->nx), 0);
  assert_int_equal(e->rates(e->c, dx, e->nx), 0);
}

// The classical method from (t, x) over h.
static void rk4(Exchange* e, double h, double* out) {
  static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
  double k[MOST] = {0}, y[MOST], sum[MOST] = {0};
  for (int s = 0; s < 4; s++) {
    for (size_t i = 0; i < e->nx; i++) y[i] = e->x[i] + h * node[s] * k[i];
    rates_at(e, e->t + h * node[s], y, k);
    for (size_t i = 0; i < e->nx; i++) sum[i] += weight[s] * k[i];
  }
  for (size_t i = 0; i < e->nx; i++) out[i] = e->x[i] + h * sum[i];
  assert_int_equal(e->set_time(e->c, e->t + h), 0);
  assert_int_equal(e->set_states(e->c, out, e->nx), 0);
}

static bool changes(const Exchange* e, const double* a, const double* b) {
  for (size_t i = 0; i < e->nz; i++)
    if ((a[i] > 0) != (b[i] > 0)) return true;
  return false;
}

static void advance(Exchange* e, double end, double longest) {
  double before[MOST], after[MOST], x[MOST];
  while (e->t < end) {
    double h = fmin(longest, fmin(end, e->next) - e->t);
    const bool timed = h > 0 && e->t + h >= e->next - 1e-14;
    assert_int_equal(e->set_time(e->c, e->t), 0);
    assert_int_equal(e->set_states(e->c, e->x, e->nx), 0);
    assert_int_equal(e->indicators(e->c, before, e->nz), 0);
    rk4(e, h, x);
    assert_int_equal(e->indicators(e->c, after, e->nz), 0);
    bool crossed = changes(e, before, after);
    if (crossed) {  // the earliest change is between low and high
      double low = 0, high = h;
      while (high - low > 1e-13) {
        rk4(e, (low + high) / 2, x);
        assert_int_equal(e->indicators(e->c, after, e->nz), 0);
        *(changes(e, before, after) ? &high : &low) = (low + high) / 2;
      }
      h = high;
      rk4(e, h, x);
    }
    e->t = timed && !crossed ? e->next : e->t + h;
    assert_int_equal(e->set_time(e->c, e->t), 0);
    memcpy(e->x, x, e->nx * sizeof *x);
    bool event, terminate;
    assert_int_equal(e->completed(e->c, true, &event, &terminate), 0);
    if (!event && !crossed && !timed) continue;
    e->events++;
    assert_int_equal(e->to_events(e->c), 0);
    in_event_mode(e);
  }
}

static double read_one(Exchange* e, unsigned vr) {
  double value;
  assert_int_equal(e->get(e->c, &vr, 1, &value, 1), 0);
  return value;
}

typedef struct Case {
  const char *model, *options, *end;
  double step, bound;
  int events;  // at the least
} Case;

// Bounds: what RK4 leaves at these steps, some times of what was seen (1e-11, 3e-10, 1e-9, 1e-9,
// 3e-12, 1e-10).
static const Case CASES[] = {
    {"examples/pendulum.yaml", "", "1", 1e-3, 1e-9, 0},
    {"examples/heavy_top.yaml", "", "0.2", 1e-4, 1e-7, 0},
    {"examples/acrobat.yaml", "", "0.2", 1e-3, 1e-7, 0},
    {"examples/double_fourbar.yaml", "--formulation lagrange", "0.5", 1e-3, 1e-7, 0},
    {"tests/models/fmi_events.yaml", "", "2", 1e-3, 1e-8, 4},
    {"examples/actuator_lag.yaml", "", "0.5", 2e-4, 1e-8, 0},
    {"examples/rover.yaml", "", "0.1", 1e-3, 1e-6, 0},
    {"examples/sampled_servo.yaml", "", "0.4", 5e-4, 1e-7, 10}};
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
