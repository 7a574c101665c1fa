// sar_warm_up: the run that follows is the same to the bit, by every formulation with every
// integrator with fixed steps, to rounding where the host sets another state in between; the first
// step of explicit ones takes one evaluation less; events of the step that is taken back are none.
#include "support/model_file.h"
#include "support/random_model.h"

#include "model/sim.h"

static const char* const MODELS[] = {
    "quarter_car.yaml", "double_fourbar.yaml", "iftomm_a04_bricard.yaml", "states.yaml",
    "puma_rotor.yaml",  "acrobat.yaml",        "hydraulic_lift.yaml",     "sampled_servo.yaml"};
enum { MODEL_COUNT = sizeof MODELS / sizeof *MODELS, STEPS = 8, MOST = 100 };

typedef struct Way {
  const SarFormulation* formulation;
  const SarIntegrator* integrator;
} Way;

// What a host may do between warming up and the first step.
typedef enum Touch { NOTHING, SPEED, TIME, LOOK, COPY, TOUCHES } Touch;

static void touch(SarSim* s, Touch how) {
  double* columns = calloc((size_t)s->m->nchannel + 1, sizeof *columns);
  SarData* other;
  if (how == SPEED && s->m->nv > 0) sar_v(s->d)[0] += 0.25;
  if (how == TIME) sar_set_time(s->d, 0.375);
  if (how == LOOK) sar_outputs(s, columns);
  if (how == COPY) {
    EXPECT_OK(sar_data_new(s->m, &other, NULL));
    EXPECT_OK(sar_data_copy(other, s->d));
    EXPECT_OK(sar_data_copy(s->d, other));
    sar_data_free(other);
  }
  free(columns);
}

// Hashes after each step, positions and speeds after the last one, evaluations of the first.
typedef struct Trace {
  int count;  // steps that went; -1: the formulation does not take the model
  unsigned long long hash[STEPS];
  double q[MOST], v[MOST];
  long calls;
} Trace;

static Trace follow(const SarModel* m, const Way* way, bool warm, Touch how) {
  SarSimOptions o = sar_sim_options();
  Trace t = {.count = -1};
  SarData* d;
  SarSim* s;
  o.formulation = way->formulation->name;
  o.integrator = way->integrator->name;
  o.step = 1e-3;
  o.adaptive = 0;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  if (sar_sim_new(m, d, &o, &s, NULL) != SAR_OK) {
    sar_data_free(d);
    return t;
  }
  if (warm) {
    EXPECT_OK(sar_warm_up(s));
    assert_int_equal(sar_stats(s).steps, 0);
    assert_int_equal(sar_stats(s).calls, 0);
    assert_int_equal(sar_event_count(s), 0);
  }
  touch(s, how);
  for (t.count = 0; t.count < STEPS && sar_step(s) == SAR_OK;) {
    t.hash[t.count++] = sar_state_hash(d);
    if (t.count == 1) t.calls = sar_stats(s).calls;
  }
  for (int i = 0; i < m->nq && i < MOST; i++) t.q[i] = d->q[i];
  for (int i = 0; i < m->nv && i < MOST; i++) t.v[i] = d->v[i];
  sar_sim_free(s);
  sar_data_free(d);
  return t;
}

static bool is_near(const double* a, const double* b) {
  double most = 0, off = 0;
  for (int i = 0; i < MOST; i++) {
    most = fmax(most, fabs(a[i]));
    off = fmax(off, fabs(a[i] - b[i]));
  }
  return off <= 1e-10 * (1 + most);
}

// What formulations have seen of the state where it was warmed up stays with them when another is
// set: that is rounding.
static void compare(const SarModel* m, const char* name, const Way* way, Touch how, int* checked) {
  const Trace cold = follow(m, way, false, how);
  if (cold.count < 0) return;
  const Trace warm = follow(m, way, true, how);
  const bool kept = how != SPEED && how != TIME;
  const bool same = warm.count == cold.count &&
                    memcmp(cold.hash, warm.hash, (size_t)cold.count * sizeof *cold.hash) == 0;
  if (!(kept ? same
             : warm.count == cold.count && is_near(cold.q, warm.q) && is_near(cold.v, warm.v)))
    fail_msg("%s by %s, %s: another run after warming up (%d; %d and %d steps)", name,
             way->formulation->name, way->integrator->name, (int)how, cold.count, warm.count);
  const bool anew = way->formulation->shape == SAR_SHAPE_ACCEL && m->ngate == 0;
  if (cold.count > 0 && kept && how != COPY && anew) assert_int_equal(warm.calls, cold.calls - 1);
  ++*checked;
}

static bool find_way(Rng* r, Way* out) {
  int formulations = 0, integrators = 0;
  while (sar_formulation(formulations)) formulations++;
  while (sar_integrator(integrators)) integrators++;
  *out = (Way){sar_formulation(rng_int(r, formulations)), sar_integrator(rng_int(r, integrators))};
  return !out->integrator->missing && !out->integrator->keeps_history && out->integrator->can_fix &&
         sar_goes_with(out->formulation, out->integrator);
}

static void the_run_is_the_same_to_the_bit(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(1301));
  int checked = 0;
  for (int k = test_effort(60); k > 0;) {
    Way way;
    if (!find_way(&r, &way)) continue;
    const bool random = rng_int(&r, 2) == 0;
    const char* name = random ? "a random model" : MODELS[rng_int(&r, MODEL_COUNT)];
    ModelText text;
    if (random) model_random(&text, &r, 12);
    SarModel* m = random ? model_parse(text.text, NULL) : model_file(name, NULL);
    compare(m, name, &way, (Touch)rng_int(&r, TOUCHES), &checked);
    sar_model_free(m);
    k--;
  }
  print_message("%d runs\n", checked);
  assert_true(checked > 0);
}

// A latch that closes in the first step.
static void events_that_are_taken_back_are_none(void** state) {
  (void)state;
  SarError err;
  SarData* d;
  SarSim* s;
  SarModel* m = model_parse(
      "sarrus: 1\nbodies: {a: {mass: 1}}\n"
      "joints: {slide: {prismatic: [ground, a], axis: z}}\n"
      "forces: {push: {joint_force: slide, value: 3, from: 0.5e-3}}\n"
      "simulation: {formulation: aba, integrator: rk4, step: 1e-3}\n",
      NULL);
  sar_error_init(&err);
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK_OR(sar_sim_new(m, d, NULL, &s, &err), &err);
  EXPECT_OK(sar_warm_up(s));
  assert_int_equal(sar_event_count(s), 0);
  EXPECT_OK(sar_step(s));
  EXPECT_OK(sar_step(s));
  assert_int_equal(sar_event_count(s), 1);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

// Adams methods: three evaluations for the first step and two for one after a kink (PEC mode), one
// for all others.
static void adams_begins_with_two_evaluations(void** state) {
  (void)state;
  SarData* d;
  SarSim* s;
  SarModel* m = model_parse(
      "sarrus: 1\nbodies: {a: {mass: 1}}\n"
      "joints: {slide: {prismatic: [ground, a], axis: z}}\n"
      "forces: {push: {joint_force: slide, value: 't < 5e-3 ? t : 5e-3 - 7*t'}}\n"
      "simulation: {formulation: aba, integrator: adams, step: 1e-3}\n",
      NULL);
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_sim_new(m, d, NULL, &s, NULL));
  EXPECT_OK(sar_warm_up(s));
  for (int k = 1; k <= 10; k++) {
    const long before = sar_stats(s).calls;
    EXPECT_OK(sar_step(s));
    assert_int_equal(sar_stats(s).calls - before, k == 6 ? 2 : 1);
  }
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_run_is_the_same_to_the_bit),
      cmocka_unit_test(events_that_are_taken_back_are_none),
      cmocka_unit_test(adams_begins_with_two_evaluations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
