// Equations with parameters as symbols against the interpreter: at random
// states, and with other values of the parameters than those the equations were
// found with, against a model compiled with these.
#include "support/alloc_count.h"
#include "support/test.h"

#include "codegen/equations.h"
#include "codegen/slots.h"
#include "dynamics/constraints.h"
#include "dynamics/tree.h"
#include "io/reader.h"
#include "model/compile.h"
#include "model/data.h"

#include <math.h>

enum { ALL = 31, MOST = 64 };

typedef struct Bench {
  SarSpec spec;
  SarModel *m, *other;  // as it is, and with other values of the parameters
  SarData* d;           // of the other
  SarArena arena;
  SarError err;
  SarEquations e;
  double parameter[MOST];  // of the other
} Bench;

static void begin(Bench* b, const char* path, const SarEquationsOptions* o) {
  *b = (Bench){0};
  sar_error_init(&b->err);
  sar_arena_init(&b->arena);
  sar_spec_init(&b->spec);
  EXPECT_OK_OR(sar_spec_load(path, o->load, &b->spec, &b->err), &b->err);
  EXPECT_OK_OR(sar_compile(&b->spec, o->load, &b->m, &b->err), &b->err);
  EXPECT_OK_OR(sar_equations_make(&b->e, &b->spec, b->m, o, &b->arena, &b->err), &b->err);
}

static void end(Bench* b) {
  sar_data_free(b->d);
  sar_model_free(b->other);
  sar_model_free(b->m);
  sar_arena_free(&b->arena);
  sar_spec_free(&b->spec);
}

// Parameters that are symbols get other values, up to half as large or twice;
// gravity is no parameter of the file.
static void change_parameters(Bench* b, Rng* r) {
  SarParameter set[MOST];
  int n = 0;
  double gravity = 1;
  for (int i = 0; i < b->e.parameters; i++) {
    const bool is_gravity = b->e.parameter[i] == b->e.gravity;
    b->parameter[i] = b->e.value[i];
    // what has a name of its own instead holds for the values as they are
    if (!b->e.lifted.kept[i] || b->e.lifted.numbers > 0) continue;
    b->parameter[i] *= rng_uniform(r, 0.6, 1.5);
    if (is_gravity)
      gravity = b->parameter[i] / b->e.value[i];
    else
      set[n++] = (SarParameter){b->e.parameter[i], b->parameter[i]};
  }
  const SarLoadOptions o = {.parameters = set, .parameter_count = n};
  EXPECT_OK_OR(sar_compile(&b->spec, &o, &b->other, &b->err), &b->err);
  b->other->gravity = v3_scale(gravity, b->other->gravity);
  EXPECT_OK(sar_data_new(b->other, &b->d, NULL));
}

static void disturb(Bench* b, Rng* r) {
  const SarModel* m = b->other;
  for (int k = 0; k < m->nbody; k++) {
    double xi[SAR_JOINT_MAX_NV], q[SAR_JOINT_MAX_NQ], *at = &b->d->q[m->joint_qadr[k]];
    for (int i = 0; i < SAR_JOINT_MAX_NV; i++) xi[i] = rng_uniform(r, -0.7, 0.7);
    sar_joint_retract(m->joint_kind[k], &m->joint_param[k * SAR_JOINT_MAX_PARAM], at, xi, q);
    for (int i = 0; i < m->joint_nq[k]; i++) at[i] = q[i];
  }
  for (int i = 0; i < m->nv; i++) b->d->v[i] = rng_uniform(r, -1, 1);
  b->d->t = rng_uniform(r, 0, 2);
}

// t, q, v, ..., then parameters, then numbers with names
static int slot_of(void* context, const char* name) {
  const Bench* b = context;
  const int state = sar_symbols_slot(b->m, name), first = sar_symbols_slots(b->m);
  for (int i = 0; i < b->e.parameters; i++)
    if (strcmp(name, b->e.parameter[i]) == 0) return first + i;
  for (int i = 0; i < b->e.lifted.numbers; i++)
    if (strcmp(name, b->e.lifted.number[i].name) == 0) return first + b->e.parameters + i;
  return state;
}

static double* values(Bench* b, int n, const SarNode* node) {
  SarTape tape;
  const int first = sar_symbols_slots(b->m);
  assert_true(sar_tape_build(&b->arena, b->e.g, n, node, slot_of, b, &tape));
  double* slot =
      SAR_ARENA_ARRAY(&b->arena, double, first + b->e.parameters + b->e.lifted.numbers + 1);
  double* scratch = SAR_ARENA_ARRAY(&b->arena, double, tape.registers + 1);
  double* out = SAR_ARENA_ARRAY(&b->arena, double, n + 1);
  sar_symbols_load(b->other, b->d, slot);
  for (int i = 0; i < b->e.parameters; i++) slot[first + i] = b->parameter[i];
  for (int i = 0; i < b->e.lifted.numbers; i++)
    slot[first + b->e.parameters + i] = b->e.lifted.number[i].value;
  sar_tape_eval(&tape, slot, scratch, out);
  return out;
}

// Bound: rounding of both, of fits and of decimals that look like what a person
// wrote (1e-11 at most).
static void expect_same(Bench* b, const char* what, int n, const SarNode* node,
                        const double* wanted) {
  const double* found = values(b, n, node);
  double size = 1;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(wanted[i]));
  for (int i = 0; i < n; i++)
    if (!(fabs(found[i] - wanted[i]) <= 1e-12 * size))
      fail_msg("%s[%d] is %.17g, by the interpreter %.17g", what, i, found[i], wanted[i]);
}

static void compare(Bench* b) {
  const SarModel* m = b->other;
  SarData* d = b->d;
  double* M = SAR_ARENA_ARRAY(&b->arena, double, m->nv * m->nv + 1);
  double* h = SAR_ARENA_ARRAY(&b->arena, double, m->nv + 1);
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  sar_crba_dense(m, d, M);
  sar_rnea(m, d, NULL, h);
  for (int i = 0; i < m->nv; i++) h[i] -= d->tau[i];
  expect_same(b, "M", m->nv * m->nv, b->e.mass, M);
  expect_same(b, "h", m->nv, b->e.bias, h);
  if (m->nrow == 0) return;
  sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
  expect_same(b, "phi", m->nrow, b->e.Phi, d->Phi);
  expect_same(b, "J", m->nrow_dof, b->e.J, d->Psi);
  expect_same(b, "gamma", m->nrow, b->e.gamma, d->gamma);
}

static const char* const MODELS[] = {"examples/pendulum.yaml",
                                     "examples/double_pendulum.yaml",
                                     "examples/cart_pole.yaml",
                                     "examples/spring_mass.yaml",
                                     "examples/nonlinear_spring.yaml",
                                     "examples/quarter_car.yaml",
                                     "examples/dc_motor.yaml",
                                     "examples/heavy_top.yaml",
                                     "examples/pd_arm.yaml",
                                     "examples/crank_rocker.yaml",
                                     "examples/double_fourbar.yaml",
                                     "examples/fourbar_row.yaml",
                                     "examples/kepler.yaml",
                                     "examples/drive_train.yaml",
                                     "examples/iftomm_a03_andrews.yaml"};

static void agree_with_the_interpreter(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
    Rng r = rng_seed(test_seed(600 + i));
    for (int as_built = 0; as_built < 2; as_built++) {
      Bench b;
      begin(&b, MODELS[i], &(SarEquationsOptions){.parts = ALL, .as_built = as_built});
      change_parameters(&b, &r);
      for (int trial = 0; trial < 3; trial++) {
        disturb(&b, &r);
        compare(&b);
      }
      end(&b);
    }
  }
}

// What --set gives is a number, what the structure depends on too; others are
// symbols.
static void parameters_are_symbols(void** state) {
  (void)state;
  Bench b;
  const SarParameter set = {"L", 2};
  const SarLoadOptions load = {.parameters = &set, .parameter_count = 1};
  begin(&b, "examples/pendulum.yaml", &(SarEquationsOptions){.parts = ALL, .load = &load});
  assert_int_equal(b.e.parameters, 2);  // m, g
  assert_string_equal(b.e.parameter[0], "m");
  assert_true(b.e.lifted.kept[0] && b.e.lifted.kept[1] && b.e.lifted.numbers == 0);
  const SarNode mass =
      sar_sym_mul(b.e.g, sar_sym_rational(b.e.g, 4, 3), sar_sym_symbol(b.e.g, "m"));
  assert_int_equal(b.e.mass[0], mass);
  end(&b);
}

// f = sum of products of powers, found again from samples.
static void fits_find_sums_of_products(void** state) {
  (void)state;
  enum { SAMPLES = 190, N = 3 };
  static double x[SAMPLES * N], f[SAMPLES];
  static SarFit fit;
  Rng r = rng_seed(test_seed(5));
  for (int trial = 0; trial < test_effort(50); trial++) {
    SarArena a;
    SarFitTerm term[3] = {{0}};
    sar_arena_init(&a);
    for (int k = 0; k < 3; k++) {
      term[k].coefficient = rng_uniform(&r, 0.1, 3);
      for (int j = 0; j < N; j++) term[k].power[j] = rng_int(&r, 4) - 1;
      term[k].power[k] = 2 - k % 2;  // no two alike, and none that depends on nothing
    }
    for (int i = 0; i < SAMPLES; i++) {
      f[i] = 0;
      for (int j = 0; j < N; j++) x[i * N + j] = rng_uniform(&r, 0.5, 1.5) * (j + 1);
      for (int k = 0; k < 3; k++)
        f[i] += term[k].coefficient * pow(x[i * N], term[k].power[0]) *
                pow(x[i * N + 1], term[k].power[1]) * pow(x[i * N + 2], term[k].power[2]);
    }
    assert_true(sar_fit_products(&a, SAMPLES, N, x, f, &fit));
    assert_true(fit.count <= 3);
    for (int i = 0; i < SAMPLES; i++) f[i] = cos(x[i * N]) + x[i * N + 1];
    assert_false(sar_fit_products(&a, SAMPLES, N, x, f, &fit));
    sar_arena_free(&a);
  }
}

// Without memory there are no equations; none with a parameter less.
static void any_allocation_may_fail(void** state) {
  (void)state;
  const SarEquationsOptions o = {.parts = ALL};
  int failures = 0;
  for (long n = 1; n < 5000; n += 7) {
    Bench b = {0};
    sar_error_init(&b.err);
    sar_arena_init(&b.arena);
    sar_spec_init(&b.spec);
    EXPECT_OK(sar_spec_load("examples/pendulum.yaml", NULL, &b.spec, &b.err));
    EXPECT_OK(sar_compile(&b.spec, NULL, &b.m, &b.err));
    alloc_count_reset();
    alloc_fail_at(n);
    const SarStatus st = sar_equations_make(&b.e, &b.spec, b.m, &o, &b.arena, &b.err);
    const bool refused = alloc_has_failed();
    alloc_fail_at(0);
    if (st == SAR_OK)
      assert_true(b.e.lifted.kept[0] && b.e.lifted.kept[1] && b.e.lifted.kept[2]);
    else
      assert_int_equal(st, SAR_NO_MEMORY);
    failures += st != SAR_OK;
    end(&b);
    if (!refused) break;
  }
  assert_true(failures > 10);
}

static bool at_once(void* context) {
  (void)context;
  return true;
}

static void can_be_stopped(void** state) {
  (void)state;
  SarArena arena;
  SarSpec spec;
  SarModel* m = NULL;
  SarError err;
  SarEquations e;
  sar_error_init(&err);
  sar_arena_init(&arena);
  sar_spec_init(&spec);
  EXPECT_OK_OR(sar_spec_load("examples/pendulum.yaml", NULL, &spec, &err), &err);
  EXPECT_OK_OR(sar_compile(&spec, NULL, &m, &err), &err);
  const SarEquationsOptions o = {.parts = ALL, .stop = at_once};
  assert_int_equal(sar_equations_make(&e, &spec, m, &o, &arena, &err), SAR_STOPPED);
  sar_model_free(m);
  sar_arena_free(&arena);
  sar_spec_free(&spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agree_with_the_interpreter),
      cmocka_unit_test(parameters_are_symbols),
      cmocka_unit_test(fits_find_sums_of_products),
      cmocka_unit_test(any_allocation_may_fail),
      cmocka_unit_test(can_be_stopped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
