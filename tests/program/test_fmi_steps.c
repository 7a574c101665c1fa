// FMUs of ours for co-simulation: bit for bit what `sarrus run` gives with the same steps, through
// the importer and through a driver of its own; states that are kept and come back; several
// instances; a reset; parameters; events.
#include "support/fmu.h"

#include "fmi/import_parts.h"

#include <glob.h>
#include <math.h>

typedef struct Case {
  const char *model, *options, *end, *output;
} Case;

// A tree, quaternions, loops, stiff, events, contact, friction, a rotor, samples, inputs, a car.
static const Case CASES[] = {
    {"examples/pendulum.yaml", "", "1", "0.01"},
    {"examples/heavy_top.yaml", "--integrator rk4 --step 0.001", "0.2", "0.004"},
    {"examples/acrobat.yaml", "", "0.3", "0.01"},
    {"examples/double_fourbar.yaml", "--formulation hybrid --step 0.002", "0.5", "0.01"},
    {"examples/flexible_arm.yaml", "", "0.02", "0.002"},
    {"tests/models/fmi_events.yaml", "", "2", "0.05"},
    {"examples/gripper.yaml", "--step 0.002", "0.5", "0.02"},
    {"examples/stack.yaml", "--step 0.002", "0.4", "0.02"},
    {"examples/stick_slip.yaml", "", "1", "0.02"},
    {"examples/puma_rotor.yaml", "--step 0.001 --fixed", "0.02", "0.002"},
    {"examples/sampled_servo.yaml", "", "0.5", "0.01"},
    {"examples/iltis.yaml", "", "0.1", "0.01"},
};
enum { COUNT = sizeof CASES / sizeof *CASES };

static SarTable run_case(const Case* c) {
  char arguments[500];
  snprintf(arguments, sizeof arguments,
           "run %s %s --end %s --output-step %s --digits 17 -q -o @rows.csv", c->model, c->options,
           c->end, c->output);
  expect_status_of(sarrus(arguments), 0);
  return read_table("rows.csv");
}

static void export_case(const Case* c, int version, const char* kinds) {
  char arguments[500];
  snprintf(arguments, sizeof arguments, "export %s %s --fmi %d %s -o @case.fmu", c->model,
           c->options, version, kinds);
  expect_status_of(sarrus(arguments), 0);
}

static void print_line(void* context, const char* text) {
  (void)context;
  print_error("FMU: %s\n", text);
}

static void expect_row(const SarTable* t, size_t row, const SarImportVariable* output,
                       const double* value, int n, const char* model) {
  const double* wanted = &sar_table_values(t)[row * (size_t)sar_table_columns(t)];
  for (int i = 0; i < n; i++) {
    const int column = sar_table_find(t, output[i].name);
    assert_true(column >= 0);
    if (memcmp(&wanted[column], &value[i], sizeof(double)) == 0) continue;
    if (wanted[column] == 0 && value[i] == 0) continue;  // a file has no -0
    print_error("%s, row %zu: %s is %.17g, not %.17g\n", model, row, output[i].name, value[i],
                wanted[column]);
    fail();
  }
}

// Through the operations of the importer.
static void follow(SarImported* fmu, const SarTable* t, const char* model) {
  const SarImportDescription* d = sar_import_description(fmu);
  unsigned vr[SAR_IMPORT_MOST];
  double value[SAR_IMPORT_MOST];
  const int columns = sar_table_columns(t);
  for (int i = 0; i < d->outputs; i++) vr[i] = d->output[i].reference;
  assert_true(fmu->ops->enter(fmu, 0) && fmu->ops->leave(fmu));
  for (size_t k = 0; k < sar_table_rows(t); k++) {
    const double now = sar_table_values(t)[k * (size_t)columns];
    const double before = k > 0 ? sar_table_values(t)[(k - 1) * (size_t)columns] : 0;
    if (k > 0) assert_true(fmu->ops->step(fmu, before, now - before));
    assert_true(fmu->ops->get(fmu, vr, d->outputs, value));
    expect_row(t, k, d->output, value, d->outputs, model);
  }
}

static SarImported* open_case(void) {
  char path[300];
  SarError err;
  SarImported* fmu;
  sar_error_init(&err);
  snprintf(path, sizeof path, "%s/case.fmu", program_folder);
  EXPECT_OK_OR(sar_import_open(path, print_line, NULL, &fmu, &err), &err);
  return fmu;
}

static void co_simulation_has_the_bits_of_a_run(void** state) {
  (void)state;
  for (int i = 0; i < COUNT; i++) {
    if (!test_takes((size_t)i, 4)) continue;
    SarTable t = run_case(&CASES[i]);
    for (int version = 2; version <= 3; version++) {
      export_case(&CASES[i], version, "--cs");
      SarImported* fmu = open_case();
      assert_int_equal(sar_import_description(fmu)->outputs, sar_table_columns(&t) - 1);
      follow(fmu, &t, CASES[i].model);
      // and once more after a reset
      assert_true(fmu->ops->reset(fmu));
      follow(fmu, &t, CASES[i].model);
      sar_import_close(fmu);
    }
    sar_table_clear(&t);
  }
}

// Any of the examples, by the methods of their files: others with every seed.
static void examples_at_random_have_the_bits_of_a_run(void** state) {
  (void)state;
  glob_t all;
  assert_int_equal(glob("examples/*.yaml", 0, NULL, &all), 0);
  Rng r = rng_seed(test_seed(2026));
  for (int i = 0; i < test_effort(5); i++) {
    const Case c = {all.gl_pathv[rng_int(&r, (int)all.gl_pathc)], "", "0.012", "0.004"};
    SarTable t = run_case(&c);
    if (sar_table_columns(&t) <= SAR_IMPORT_MOST) {
      export_case(&c, 2 + rng_int(&r, 2), "--cs");
      SarImported* fmu = open_case();
      follow(fmu, &t, c.model);
      sar_import_close(fmu);
    }
    sar_table_clear(&t);
  }
  globfree(&all);
}

// ---- the driver ---------------------------------------------------------------------------------

typedef struct Driver {
  Fmi3DoStep* step;
  Fmi3GetFloat64* get;
  Fmi3SetFloat64* set;
  Fmi3Plain *leave, *reset;
  Fmi3EnterInitializationMode* enter;
  Fmi3FreeInstance* end;
} Driver;

static Driver driver_of(Fmu* f) {
  FMU_FUNCTION(f, Fmi3DoStep, fmi3DoStep);
  FMU_FUNCTION(f, Fmi3GetFloat64, fmi3GetFloat64);
  FMU_FUNCTION(f, Fmi3SetFloat64, fmi3SetFloat64);
  FMU_FUNCTION(f, Fmi3Plain, fmi3ExitInitializationMode);
  FMU_FUNCTION(f, Fmi3Plain, fmi3Reset);
  FMU_FUNCTION(f, Fmi3EnterInitializationMode, fmi3EnterInitializationMode);
  FMU_FUNCTION(f, Fmi3FreeInstance, fmi3FreeInstance);
  return (Driver){fmi3DoStep,      fmi3GetFloat64,
                  fmi3SetFloat64,  fmi3ExitInitializationMode,
                  fmi3Reset,       fmi3EnterInitializationMode,
                  fmi3FreeInstance};
}

static void advance(const Driver* g, Fmi3Instance c, double from, double to) {
  bool event, terminate, early;
  double reached;
  assert_int_equal(g->step(c, from, to - from, false, &event, &terminate, &early, &reached), 0);
  assert_false(early);
  EXPECT_NEAR(reached, to, 1e-15 * fmax(1, to));  // from + (to - from) is `to` up to 2 from
}

static void begin(const Driver* g, Fmi3Instance c) {
  assert_int_equal(g->enter(c, false, 0, 0, false, 0), 0);
  assert_int_equal(g->leave(c), 0);
}

static double read_one(const Driver* g, Fmi3Instance c, unsigned vr) {
  double value;
  assert_int_equal(g->get(c, &vr, 1, &value, 1), 0);
  return value;
}

static void write_one(const Driver* g, Fmi3Instance c, unsigned vr, double value) {
  assert_int_equal(g->set(c, &vr, 1, &value, 1), 0);
}

// Steps of random lengths on two instances by turns are those of each on its own.
static void instances_do_not_meet(void** state) {
  (void)state;
  static const Case servo = {"examples/sampled_servo.yaml", "", "", ""};
  Fmu f;
  export_case(&servo, 3, "--cs");
  fmu_open(&f, "case.fmu");
  const Driver g = driver_of(&f);
  Fmi3Instance c[3] = {fmu_make3(&f, false), fmu_make3(&f, false), fmu_make3(&f, false)};
  double t[3] = {0};
  for (int i = 0; i < 3; i++) begin(&g, c[i]);
  Rng r = rng_seed(test_seed(31));
  double at[40];
  for (int k = 0; k < 40; k++) at[k] = (k > 0 ? at[k - 1] : 0) + rng_uniform(&r, 0.001, 0.02);
  // the first two by turns, one ahead of the other; the third afterwards
  for (int k = 0; k < 42; k++)
    for (int i = 0; i < 2; i++) {
      const int mine = k - 2 * i;
      if (mine < 0 || mine >= 40) continue;
      advance(&g, c[i], t[i], at[mine]);
      t[i] = at[mine];
    }
  for (int k = 0; k < 40; k++) advance(&g, c[2], k > 0 ? at[k - 1] : 0, at[k]);
  for (int i = 0; i < f.variables; i++) {
    const double x = read_one(&g, c[0], f.variable[i].reference);
    assert_true(read_one(&g, c[1], f.variable[i].reference) == x);
    assert_true(read_one(&g, c[2], f.variable[i].reference) == x);
  }
  for (int i = 0; i < 3; i++) g.end(c[i]);
  fmu_close(&f);
}

static void expect_alike(const Fmu* f, const Driver* g, Fmi3Instance a, Fmi3Instance b) {
  for (int i = 0; i < f->variables; i++) {
    const double x = read_one(g, a, f->variable[i].reference);
    const double y = read_one(g, b, f->variable[i].reference);
    if (memcmp(&x, &y, sizeof x) != 0)
      print_error("%s, %s: %.17g and %.17g\n", f->identifier, f->variable[i].name, x, y);
    assert_memory_equal(&x, &y, sizeof x);
  }
}

// Back to a state in the middle, in the same instance and, through bytes, in another one: both go
// on with the same bits.
static void states_continue_bit_for_bit(void** state) {
  (void)state;
  for (int i = 0; i < COUNT; i++) {
    if (!test_takes((size_t)i, 4)) continue;
    Fmu f;
    export_case(&CASES[i], 3, "--cs");
    fmu_open(&f, "case.fmu");
    const Driver g = driver_of(&f);
    FMU_FUNCTION(&f, Fmi3GetState, fmi3GetFMUState);
    FMU_FUNCTION(&f, Fmi3SetState, fmi3SetFMUState);
    FMU_FUNCTION(&f, Fmi3GetState, fmi3FreeFMUState);
    FMU_FUNCTION(&f, Fmi3StateSize, fmi3SerializedFMUStateSize);
    FMU_FUNCTION(&f, Fmi3Serialize, fmi3SerializeFMUState);
    FMU_FUNCTION(&f, Fmi3Deserialize, fmi3DeserializeFMUState);
    Fmi3Instance whole = fmu_make3(&f, false), other = fmu_make3(&f, false);
    const double h = atof(CASES[i].output);
    Fmi3State kept = NULL, again = NULL;
    begin(&g, whole);
    for (int k = 0; k < 3; k++) advance(&g, whole, k * h, (k + 1) * h);
    assert_int_equal(fmi3GetFMUState(whole, &kept), 0);
    size_t size;
    assert_int_equal(fmi3SerializedFMUStateSize(whole, kept, &size), 0);
    uint8_t* bytes = malloc(size);
    assert_int_equal(fmi3SerializeFMUState(whole, kept, bytes, size), 0);
    assert_int_equal(fmi3DeserializeFMUState(other, bytes, size, &again), 0);
    for (int k = 3; k < 5; k++) advance(&g, whole, k * h, (k + 1) * h);
    // another instance, which has not even been initialised, from bytes
    assert_int_equal(fmi3SetFMUState(other, again), 0);
    for (int k = 3; k < 5; k++) advance(&g, other, k * h, (k + 1) * h);
    expect_alike(&f, &g, whole, other);
    // and the same instance from its own
    assert_int_equal(fmi3SetFMUState(other, again), 0);
    for (int k = 3; k < 5; k++) advance(&g, other, k * h, (k + 1) * h);
    expect_alike(&f, &g, whole, other);
    // bytes that are cut short or changed are refused
    Fmi3State bad = NULL;
    assert_int_equal(fmi3DeserializeFMUState(other, bytes, size - 1, &bad), FMI3_ERROR);
    bytes[size / 2] ^= 1;
    bytes[size - 9] ^= 64;
    assert_int_equal(fmi3DeserializeFMUState(other, bytes, size, &bad), FMI3_ERROR);
    assert_null(bad);
    free(bytes);
    fmi3FreeFMUState(whole, &kept);
    fmi3FreeFMUState(other, &again);
    assert_null(kept);
    g.end(whole);
    g.end(other);
    fmu_close(&f);
  }
}

// Parameters: before the run they are --set; a tunable one changes in the middle, and the run goes
// on from where it is. A reset brings the file's back.
static void parameters_are_set_and_tuned(void** state) {
  (void)state;
  static const Case plain = {"examples/pendulum.yaml", "", "0.5", "0.1"};
  static const Case longer = {"examples/pendulum.yaml", "--set L=1.5", "0.5", "0.1"};
  Fmu f;
  export_case(&plain, 3, "--cs");
  fmu_open(&f, "case.fmu");
  const Driver g = driver_of(&f);
  const unsigned L = fmu_reference(&f, "L"), q = fmu_reference(&f, "hinge.q");
  Fmi3Instance c = fmu_make3(&f, false);
  for (int round = 0; round < 3; round++) {
    const Case* of = round == 1 ? &longer : &plain;
    SarTable t = run_case(of);
    if (round == 1) write_one(&g, c, L, 1.5);
    begin(&g, c);
    for (size_t k = 1; k < sar_table_rows(&t); k++) {
      const double* row = &sar_table_values(&t)[k * (size_t)sar_table_columns(&t)];
      advance(&g, c, row[-sar_table_columns(&t)], row[0]);
      assert_true(read_one(&g, c, q) == row[sar_table_find(&t, "hinge.q")]);
    }
    sar_table_clear(&t);
    assert_int_equal(g.reset(c), 0);
    assert_true(read_one(&g, c, L) == 1);
  }
  // energy of a pendulum that becomes longer on its way: kinetic energy is that of the new length
  // at the same speed
  begin(&g, c);
  advance(&g, c, 0, 0.3);
  const double v = read_one(&g, c, fmu_reference(&f, "hinge.v")), angle = read_one(&g, c, q);
  const double before = read_one(&g, c, fmu_reference(&f, "energy.kinetic"));
  write_one(&g, c, L, 2);
  assert_true(read_one(&g, c, q) == angle);
  assert_true(read_one(&g, c, fmu_reference(&f, "hinge.v")) == v);
  EXPECT_NEAR(read_one(&g, c, fmu_reference(&f, "energy.kinetic")), 4 * before, 1e-12 * before);
  advance(&g, c, 0.3, 0.4);
  g.end(c);
  fmu_close(&f);
}

// Inputs and start values: a mass on a spring pushed by an input, against x = F/k (1 - cos w t) +
// x0 cos w t.
static void inputs_and_start_values_act(void** state) {
  (void)state;
  static const Case driven = {"tests/models/fmi_input.yaml", "--rtol 1e-11 --atol 1e-12", "", ""};
  Fmu f;
  export_case(&driven, 3, "--cs");
  fmu_open(&f, "case.fmu");
  const Driver g = driver_of(&f);
  const unsigned u = fmu_reference(&f, "push"), x = fmu_reference(&f, "slide.q");
  Rng r = rng_seed(test_seed(5));
  Fmi3Instance c = fmu_make3(&f, false);
  for (int trial = 0; trial < test_effort(20); trial++) {
    const double F = rng_uniform(&r, -3, 3), x0 = rng_uniform(&r, -1, 1);
    const double end = rng_uniform(&r, 0.1, 2), w = sqrt(25 / 2.0);
    write_one(&g, c, fmu_reference(&f, "states.slide.q"), x0);
    write_one(&g, c, u, F);
    begin(&g, c);
    assert_true(read_one(&g, c, x) == x0);
    advance(&g, c, 0, end / 3);
    advance(&g, c, end / 3, end);
    const double wanted = F / 25 * (1 - cos(w * end)) + x0 * cos(w * end);
    EXPECT_NEAR(read_one(&g, c, x), wanted, 1e-9);
    assert_true(read_one(&g, c, u) == F);
    g.reset(c);
  }
  double nan = (double)NAN;
  assert_int_equal(g.set(c, &u, 1, &nan, 1), FMI3_ERROR);
  expect_has(f.said, "no number");
  g.end(c);
  fmu_close(&f);
}

// ---- events -------------------------------------------------------------------------------------

static double asked_at;
static int looked;

static void look(void* environment, double t, bool set_requested, bool get_allowed,
                 bool step_finished, bool can_return_early, bool* return_early,
                 double* return_time) {
  (void)environment, (void)set_requested;
  assert_true(get_allowed && step_finished && can_return_early);
  looked++;
  *return_early = t >= asked_at;
  *return_time = t;
}

// A step ends early where something is switched, at the instant of the event, and where the
// importer asks for it; what comes out in the end is what it is without.
static void steps_end_early(void** state) {
  (void)state;
  static const Case events = {"tests/models/fmi_events.yaml", "", "2", "2"};
  char resources[300];
  Fmu f;
  export_case(&events, 3, "--cs");
  fmu_open(&f, "case.fmu");
  const Driver g = driver_of(&f);
  FMU_FUNCTION(&f, Fmi3InstantiateCoSimulation, fmi3InstantiateCoSimulation);
  FMU_FUNCTION(&f, Fmi3Plain, fmi3EnterStepMode);
  FMU_FUNCTION(&f, Fmi3Plain, fmi3EnterEventMode);
  FMU_FUNCTION(&f, Fmi3UpdateDiscreteStates, fmi3UpdateDiscreteStates);
  snprintf(resources, sizeof resources, "%s/resources/", f.folder);
  for (int asks = 0; asks < 2; asks++) {
    Fmi3Instance c = fmi3InstantiateCoSimulation("x", f.token, resources, false, true, true, true,
                                                 NULL, 0, &f, fmu_log3, asks ? look : NULL);
    Fmi3Instance plain = fmu_make3(&f, false);
    assert_non_null(c);
    begin(&g, c);
    begin(&g, plain);
    assert_int_equal(fmi3EnterStepMode(c), 0);
    double t = 0;
    int early_ends = 0, switched = 0;
    asked_at = 0.25;
    while (t < 2) {
      bool event, terminate, early, again, nominals, values, next;
      double reached, when;
      assert_int_equal(g.step(c, t, 2 - t, false, &event, &terminate, &early, &reached), 0);
      assert_true(reached > t && (early ? reached < 2 : reached == 2));
      t = reached;
      early_ends += early;
      if (asks && early && !event) asked_at = (double)INFINITY;
      if (!event) continue;
      switched++;
      assert_int_equal(fmi3EnterEventMode(c), 0);
      assert_int_equal(
          fmi3UpdateDiscreteStates(c, &again, &terminate, &nominals, &values, &next, &when), 0);
      assert_int_equal(fmi3EnterStepMode(c), 0);
    }
    assert_int_equal(switched, 3);
    assert_int_equal(early_ends, asks ? 4 : 3);
    assert_true(!asks || looked > 10);
    advance(&g, plain, 0, 2);
    // the pieces are of other lengths than the whole: to the tolerance
    const unsigned q = fmu_reference(&f, "slide.q");
    EXPECT_NEAR(read_one(&g, c, q), read_one(&g, plain, q), 1e-7);
    g.end(c);
    g.end(plain);
  }
  expect_has(f.said, "switched on");
  fmu_close(&f);
}

// ---- what cannot be -----------------------------------------------------------------------------

static void wrong_calls_get_a_message(void** state) {
  (void)state;
  char resources[300];
  Fmu f;
  export_case(&CASES[0], 3, "--cs");
  fmu_open(&f, "case.fmu");
  const Driver g = driver_of(&f);
  FMU_FUNCTION(&f, Fmi3InstantiateCoSimulation, fmi3InstantiateCoSimulation);
  FMU_FUNCTION(&f, Fmi3InstantiateModelExchange, fmi3InstantiateModelExchange);
  snprintf(resources, sizeof resources, "%s/resources/", f.folder);
  assert_null(fmi3InstantiateCoSimulation("x", "{other}", resources, false, false, false, false,
                                          NULL, 0, &f, fmu_log3, NULL));
  expect_has(f.said, "the token '{other}' is not that of this FMU");
  assert_null(fmi3InstantiateModelExchange("x", f.token, resources, false, false, &f, fmu_log3));
  expect_has(f.said, "for co-simulation alone");
  assert_null(fmi3InstantiateCoSimulation("x", f.token, "/nowhere", false, false, false, false,
                                          NULL, 0, &f, fmu_log3, NULL));
  Fmi3Instance c = fmu_make3(&f, false);
  unsigned vr = 100000, q = fmu_reference(&f, "hinge.q");
  double x = 0;
  bool event, terminate, early;
  assert_int_equal(g.get(c, &vr, 1, &x, 1), FMI3_ERROR);
  expect_has(f.said, "no variable with the reference 100000");
  assert_int_equal(g.get(c, &q, 1, &x, 1), FMI3_ERROR);
  expect_has(f.said, "not known before initialisation");
  assert_int_equal(g.get(c, &q, 1, &x, 2), FMI3_ERROR);
  assert_int_equal(g.set(c, &q, 1, &x, 1), FMI3_ERROR);
  expect_has(f.said, "cannot be set");
  assert_int_equal(g.step(c, 0, 1, false, &event, &terminate, &early, &x), FMI3_ERROR);
  begin(&g, c);
  assert_int_equal(g.step(c, 0.5, 1, false, &event, &terminate, &early, &x), FMI3_ERROR);
  expect_has(f.said, "a step begins at t = 0.5");
  assert_int_equal(g.step(c, 0, -1, false, &event, &terminate, &early, &x), FMI3_ERROR);
  advance(&g, c, 0, 0.1);
  assert_int_equal(g.get(NULL, &q, 1, &x, 1), FMI3_ERROR);
  g.end(NULL);
  g.end(c);
  // nothing but the functions of FMI is to be seen
  assert_null(dlsym(f.library, "sar_model_load_sized"));
  assert_null(dlsym(f.library, "sar_fmu_new"));
  fmu_close(&f);
}

static void exports_are_refused_with_a_reason(void** state) {
  (void)state;
  const Result* r = expect_status_of(sarrus("export examples/stack.yaml --me -o @no.fmu"), 2);
  expect_has(r->err, "act by impulses");
  r = expect_status_of(sarrus("export examples/pendulum.yaml --fmi 1 -o @no.fmu"), 2);
  expect_has(r->err, "expected 2 or 3");
  r = expect_status_of(sarrus("export examples/pendulum.yaml"), 2);
  expect_has(r->err, "--out");
  r = expect_status_of(sarrus("export examples/nothing.yaml -o @no.fmu"), 2);
  char path[300];
  snprintf(path, sizeof path, "%s/no.fmu", program_folder);
  assert_null(fopen(path, "r"));
  // the same model gives the same bytes
  char command[600];
  expect_status_of(sarrus("export examples/iltis.yaml -o @a.fmu"), 0);
  expect_status_of(sarrus("export examples/iltis.yaml -o @b.fmu"), 0);
  snprintf(command, sizeof command, "cmp %s/a.fmu %s/b.fmu", program_folder, program_folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(co_simulation_has_the_bits_of_a_run),
      cmocka_unit_test(examples_at_random_have_the_bits_of_a_run),
      cmocka_unit_test(instances_do_not_meet),
      cmocka_unit_test(states_continue_bit_for_bit),
      cmocka_unit_test(parameters_are_set_and_tuned),
      cmocka_unit_test(inputs_and_start_values_act),
      cmocka_unit_test(steps_end_early),
      cmocka_unit_test(wrong_calls_get_a_message),
      cmocka_unit_test(exports_are_refused_with_a_reason),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
