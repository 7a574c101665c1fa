// Source FMUs (sarrus export --source): they compile without a warning and without anything of
// ours, and go where the program goes with the same equations and steps.
#include "support/fmu.h"
#include "support/generated.h"

#include <math.h>

typedef struct Case {
  const char *model, *formulation, *end;
} Case;

static const Case CASES[] = {{"examples/pendulum.yaml", "aba", "1"},
                             {"examples/heavy_top.yaml", "aba", "0.1"},
                             {"examples/actuator_lag.yaml", "aba", "0.5"},
                             {"tests/models/fmi_input.yaml", "aba", "0.5"},
                             {"examples/sampled_servo.yaml", "aba", "0.1"},
                             {"examples/double_fourbar.yaml", "lagrange", "0.5"},
                             {"examples/puma_payload.yaml", "lagrange", "2.1"}};

// What both versions have, by their names; FMI 3 has one more argument for values.
typedef struct Calls {
  int (*get2)(void*, const unsigned*, size_t, double*);
  int (*set2)(void*, const unsigned*, size_t, const double*);
  int (*step2)(void*, double, double, int);
  Fmi3GetFloat64* get3;
  Fmi3SetFloat64* set3;
  Fmi3DoStep* step3;
} Calls;

static double read_one(const Calls* g, void* c, unsigned vr) {
  double value;
  assert_int_equal(g->get3 ? (int)g->get3(c, &vr, 1, &value, 1) : g->get2(c, &vr, 1, &value), 0);
  return value;
}

static void advance(const Calls* g, void* c, double from, double to) {
  bool event, terminate, early;
  double reached = to;
  if (g->step3)
    assert_int_equal(g->step3(c, from, to - from, false, &event, &terminate, &early, &reached), 0);
  else
    assert_int_equal(g->step2(c, from, to - from, 0), 0);
  assert_true(reached == to);
}

static void begin(Fmu* f, int version, Calls* g, void** c) {
  memset(g, 0, sizeof *g);
  if (version == 3) {
    *c = fmu_make3(f, false);
    FMU_FUNCTION(f, Fmi3EnterInitializationMode, fmi3EnterInitializationMode);
    FMU_FUNCTION(f, Fmi3Plain, fmi3ExitInitializationMode);
    FMU_FUNCTION(f, Fmi3GetFloat64, fmi3GetFloat64);
    FMU_FUNCTION(f, Fmi3SetFloat64, fmi3SetFloat64);
    FMU_FUNCTION(f, Fmi3DoStep, fmi3DoStep);
    g->get3 = fmi3GetFloat64, g->set3 = fmi3SetFloat64, g->step3 = fmi3DoStep;
    assert_int_equal(fmi3EnterInitializationMode(*c, false, 0, 0, false, 0), 0);
    assert_int_equal(fmi3ExitInitializationMode(*c), 0);
    return;
  }
  *c = fmu_make2(f, false);
  FMU_FUNCTION(f, Fmi2SetupExperiment, fmi2SetupExperiment);
  FMU_FUNCTION(f, Fmi2Plain, fmi2EnterInitializationMode);
  FMU_FUNCTION(f, Fmi2Plain, fmi2ExitInitializationMode);
  fmu_find(f, "fmi2GetReal", (void*)&g->get2, sizeof g->get2);
  fmu_find(f, "fmi2SetReal", (void*)&g->set2, sizeof g->set2);
  fmu_find(f, "fmi2DoStep", (void*)&g->step2, sizeof g->step2);
  assert_int_equal(fmi2SetupExperiment(*c, 0, 0, 0, 0, 0), 0);
  assert_int_equal(fmi2EnterInitializationMode(*c), 0);
  assert_int_equal(fmi2ExitInitializationMode(*c), 0);
}

static void end(Fmu* f, int version, void* c) {
  if (version == 3) {
    FMU_FUNCTION(f, Fmi3FreeInstance, fmi3FreeInstance);
    fmi3FreeInstance(c);
  } else {
    FMU_FUNCTION(f, Fmi2FreeInstance, fmi2FreeInstance);
    fmi2FreeInstance(c);
  }
  fmu_close(f);
}

static void follow(const Fmu* f, const Calls* g, void* c, const SarTable* t, const char* model) {
  const size_t columns = (size_t)sar_table_columns(t);
  double worst = 0;
  for (size_t k = 0; k < sar_table_rows(t); k++) {
    const double* row = &sar_table_values(t)[k * columns];
    if (k > 0) advance(g, c, row[-(long)columns], row[0]);
    for (int i = 0; i < f->variables; i++) {
      const FmuVariable* v = &f->variable[i];
      if (strcmp(v->causality, "output") != 0) continue;
      const double wanted = row[sar_table_find(t, v->name)];
      worst = fmax(worst, fabs(read_one(g, c, v->reference) - wanted) / fmax(1, fabs(wanted)));
    }
  }
  print_message("%s: %.2g\n", model, worst);
  EXPECT_AT_MOST(worst, 1e-11);  // rounding: the generated code adds in another order
}

static void sources_go_where_the_program_goes(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const Case* k = &CASES[i];
    if (!test_takes(i, 3)) continue;
    char arguments[500];
    snprintf(arguments, sizeof arguments,
             "run %s --formulation %s --integrator rk4 --step 0.001 --fixed --end %s "
             "--output-step 0.005 --digits 17 -q -o @rows.csv",
             k->model, k->formulation, k->end);
    expect_status_of(sarrus(arguments), 0);
    SarTable t = read_table("rows.csv");
    const int version = 2 + (int)(i % 2);
    Fmu f;
    Calls g;
    void* c;
    snprintf(arguments, sizeof arguments, "export %s --source --fmi %d --step 0.001 -o @s.fmu",
             k->model, version);
    expect_status_of(sarrus(arguments), 0);
    fmu_open(&f, "s.fmu");
    begin(&f, version, &g, &c);
    follow(&f, &g, c, &t, k->model);
    end(&f, version, c);
    sar_table_clear(&t);
  }
}

// Inputs act, states come back with their bits, wrong calls get a message.
static void states_and_inputs(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  expect_status_of(sarrus("export tests/models/fmi_input.yaml --source --step 0.001 -o @s.fmu"), 0);
  Fmu f;
  Calls g;
  void *c, *kept = NULL;
  fmu_open(&f, "s.fmu");
  begin(&f, 3, &g, &c);
  FMU_FUNCTION(&f, Fmi3GetState, fmi3GetFMUState);
  FMU_FUNCTION(&f, Fmi3SetState, fmi3SetFMUState);
  FMU_FUNCTION(&f, Fmi3GetState, fmi3FreeFMUState);
  const unsigned u = fmu_reference(&f, "push"), x = fmu_reference(&f, "slide.q");
  const double F = 2;
  assert_int_equal(g.set3(c, &u, 1, &F, 1), 0);
  advance(&g, c, 0, 0.3);
  assert_int_equal(fmi3GetFMUState(c, &kept), 0);
  advance(&g, c, 0.3, 0.5);
  const double at = read_one(&g, c, x);
  EXPECT_NEAR(at, F / 25 * (1 - cos(sqrt(12.5) * 0.5)), 1e-10);
  assert_int_equal(fmi3SetFMUState(c, kept), 0);
  advance(&g, c, 0.3, 0.5);
  assert_true(read_one(&g, c, x) == at);
  fmi3FreeFMUState(c, &kept);
  const unsigned none = 1000;
  double value;
  assert_int_equal(g.get3(c, &none, 1, &value, 1), FMI3_ERROR);
  expect_has(f.said, "no variable with this reference");
  end(&f, 3, c);
  const Result* r = expect_status_of(sarrus("export examples/stack.yaml --source -o @no.fmu"), 2);
  expect_has(r->err, "solids that touch");
  expect_has(
      expect_status_of(sarrus("export examples/pendulum.yaml --source --me -o @n.fmu"), 2)->err,
      "--source");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sources_go_where_the_program_goes),
      cmocka_unit_test(states_and_inputs),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
