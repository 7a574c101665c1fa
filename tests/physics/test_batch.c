// Batches: every instance is, bit for bit, the run that it is alone, whatever the threads; one that
// fails leaves the others alone; advancing allocates nothing.
#include "support/alloc_count.h"
#include "support/model_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INSTANCES = 9 };

static const char* const MODELS[] = {"double_pendulum.yaml", "double_fourbar.yaml", "pd_arm.yaml",
                                     "heavy_top.yaml", "stack.yaml"};

// An own state and own inputs for each instance, from its number; the loops stay closed.
static void disturb(SarData* d, int i) {
  const SarModel* m = sar_data_model(d);
  const bool tree = sar_model_count(m, SAR_ITEM_CONSTRAINT) == 0;
  for (int k = 0; tree && k < sar_model_nv(m); k++) sar_v(d)[k] += 0.01 * i * (k + 1);
  for (int k = 0; k < sar_model_count(m, SAR_ITEM_INPUT); k++) sar_inputs(d)[k] += 0.1 * i;
  sar_tau(d)[0] = 0.1 * i;
}

static unsigned long long alone(const SarModel* m, const SarSimOptions* o, int i, double end) {
  SarData* d;
  SarSim* s;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_sim_new(m, d, o, &s, NULL));
  disturb(d, i);
  EXPECT_OK(sar_advance(s, end / 2));
  EXPECT_OK(sar_advance(s, end));
  const unsigned long long hash = sar_state_hash(d);
  sar_sim_free(s);
  sar_data_free(d);
  return hash;
}

static void instances_are_single_runs(void** state) {
  (void)state;
  for (size_t k = 0; k < sizeof MODELS / sizeof *MODELS; k++) {
    if (!test_takes(k, 2)) continue;
    SarModel* m = model_file(MODELS[k], NULL);
    const SarModel* models[INSTANCES];
    const double end = 0.1;
    for (int i = 0; i < INSTANCES; i++) models[i] = m;
    SarBatchOptions o = sar_batch_options();
    SarBatchReport report;
    for (o.threads = 1; o.threads <= 3; o.threads++) {
      SarBatch* b;
      SarError err;
      sar_error_init(&err);
      EXPECT_OK_OR(sar_batch_new(models, INSTANCES, &o, &b, &err), &err);
      EXPECT_OK(sar_batch_report(b, &report));
      assert_int_equal(report.threads, o.threads);
      for (int i = 0; i < INSTANCES; i++) disturb(sar_batch_data(b, i), i);
      EXPECT_OK(sar_batch_advance(b, end / 2));
      alloc_count_reset();
      EXPECT_OK(sar_batch_advance(b, end));
      assert_int_equal(alloc_count(), 0);
      for (int i = 0; i < INSTANCES; i++)
        assert_true(sar_state_hash(sar_batch_data(b, i)) == alone(m, NULL, i, end));
      sar_batch_free(b);
    }
    sar_model_free(m);
  }
}

// A rollout is what a host program would do period by period; what did not get there is NaN.
static void rollouts_are_advances(void** state) {
  (void)state;
  enum { PERIODS = 7 };
  SarModel* m = model_file("pd_arm.yaml", NULL);
  const SarModel* models[INSTANCES];
  const int nq = sar_model_nq(m), nv = sar_model_nv(m), ny = sar_model_count(m, SAR_ITEM_OUTPUT);
  double u[INSTANCES * PERIODS], tau[INSTANCES * PERIODS * 2], y[40];
  double* rows = malloc(sizeof *rows * (size_t)(INSTANCES * PERIODS * (nq + nv + ny)));
  assert_true(nv == 2 && ny <= 40);
  for (int i = 0; i < INSTANCES; i++) models[i] = m;
  for (int i = 0; i < INSTANCES * PERIODS; i++) u[i] = 0.1 * (i % 11);
  for (int i = 0; i < INSTANCES * PERIODS * 2; i++) tau[i] = 0.3 * (i % 5);
  SarRollout r = {.periods = PERIODS, .period = 0.01, .inputs = u, .tau = tau, .q = rows};
  r.v = r.q + INSTANCES * PERIODS * nq;
  r.outputs = r.v + INSTANCES * PERIODS * nv;
  SarBatchOptions o = sar_batch_options();
  o.threads = 2;
  SarBatch *b, *by_hand;
  EXPECT_OK(sar_batch_new(models, INSTANCES, &o, &b, NULL));
  EXPECT_OK(sar_batch_new(models, INSTANCES, &o, &by_hand, NULL));
  alloc_count_reset();
  EXPECT_OK(sar_batch_rollout(b, &r));
  assert_int_equal(alloc_count(), 0);
  for (int k = 0; k < PERIODS; k++) {
    for (int i = 0; i < INSTANCES; i++) {
      sar_inputs(sar_batch_data(by_hand, i))[0] = u[i * PERIODS + k];
      memcpy(sar_tau(sar_batch_data(by_hand, i)), tau + (i * PERIODS + k) * nv,
             (size_t)nv * sizeof *tau);
    }
    EXPECT_OK(sar_batch_advance(by_hand, (k + 1) * 0.01));
    for (int i = 0; i < INSTANCES; i++) {
      const SarData* d = sar_batch_data(by_hand, i);
      const int row = i * PERIODS + k;
      assert_memory_equal(r.q + row * nq, sar_get_q(d), (size_t)nq * sizeof *y);
      assert_memory_equal(r.v + row * nv, sar_get_v(d), (size_t)nv * sizeof *y);
      EXPECT_OK(sar_batch_outputs(by_hand, i, y));
      assert_memory_equal(r.outputs + row * ny, y, (size_t)ny * sizeof *y);
    }
  }
  r.period = 0;
  assert_int_equal(sar_batch_rollout(b, &r), SAR_BAD_ARGUMENT);
  r.period = 0.01;
  sar_v(sar_batch_data(b, 1))[0] = 1e300;  // this one fails, and no other
  assert_true(sar_batch_rollout(b, &r) != SAR_OK);
  assert_true(isnan(r.q[(2 * PERIODS - 1) * nq]) && isfinite(r.q[(3 * PERIODS - 1) * nq]));
  free(rows);
  sar_batch_free(b), sar_batch_free(by_hand), sar_model_free(m);
}

// Parameters that differ: alike models, each with its own motion.
static void parameters_are_own(void** state) {
  (void)state;
  const SarModel* models[INSTANCES];
  SarModel* made[INSTANCES];
  SarBatch* b;
  for (int i = 0; i < INSTANCES; i++) {
    const SarParameter L = {"L", 0.5 + 0.1 * i};
    const SarLoadOptions o = {.parameters = &L, .parameter_count = 1};
    models[i] = made[i] = model_file("pendulum.yaml", &o);
  }
  EXPECT_OK(sar_batch_new(models, INSTANCES, NULL, &b, NULL));
  EXPECT_OK(sar_batch_advance(b, 0.2));
  double* columns = malloc(sizeof *columns * (size_t)sar_model_count(models[0], SAR_ITEM_OUTPUT));
  const int x = sar_model_find(models[0], SAR_ITEM_OUTPUT, "rod.tip.x");
  for (int i = 0; i < INSTANCES; i++) {
    SarSim* s;
    SarData* d;
    EXPECT_OK(sar_data_new(models[i], &d, NULL));
    EXPECT_OK(sar_sim_new(models[i], d, NULL, &s, NULL));
    EXPECT_OK(sar_advance(s, 0.2));
    EXPECT_OK(sar_batch_outputs(b, i, columns));
    const double of_batch = columns[x];
    EXPECT_OK(sar_outputs(s, columns));
    assert_true(of_batch == columns[x]);
    sar_sim_free(s);
    sar_data_free(d);
  }
  free(columns);
  sar_batch_free(b);
  for (int i = 0; i < INSTANCES; i++) sar_model_free(made[i]);
}

static void other_topologies_are_refused(void** state) {
  (void)state;
  const SarParameter n = {"n", 7};
  const SarLoadOptions o = {.parameters = &n, .parameter_count = 1};
  SarModel *short_one = model_file("chain.yaml", NULL), *long_one = model_file("chain.yaml", &o);
  const SarModel* models[2] = {short_one, long_one};
  SarBatch* b;
  SarError err;
  sar_error_init(&err);
  assert_false(sar_model_is_like(short_one, long_one));
  assert_true(sar_model_is_like(short_one, short_one));
  EXPECT_STATUS(sar_batch_new(models, 2, NULL, &b, &err), SAR_BAD_ARGUMENT);
  assert_null(b);
  assert_non_null(strstr(err.items[0].text, "instance 1"));
  sar_model_free(short_one);
  sar_model_free(long_one);
}

// A state that is not finite stops its instance alone, which stays where it was.
static void one_failure_is_one(void** state) {
  (void)state;
  SarModel* m = model_file("double_pendulum.yaml", NULL);
  const SarModel* models[3] = {m, m, m};
  SarBatch* b;
  SarBatchReport report;
  EXPECT_OK(sar_batch_new(models, 3, NULL, &b, NULL));
  EXPECT_OK(sar_batch_advance(b, 0.1));
  sar_tau(sar_batch_data(b, 1))[0] = (double)INFINITY;
  assert_true(sar_batch_advance(b, 0.2) != SAR_OK);
  assert_true(sar_batch_advance(b, 0.3) != SAR_OK);
  EXPECT_STATUS(sar_batch_status(b, 0), SAR_OK);
  assert_true(sar_batch_status(b, 1) != SAR_OK);
  EXPECT_STATUS(sar_batch_status(b, 2), SAR_OK);
  assert_int_equal(sar_batch_trouble(b, 0)[0], 0);
  assert_true(sar_batch_trouble(b, 1)[0] != 0);
  EXPECT_NEAR(sar_time(sar_batch_data(b, 1)), 0.1, 1e-12);
  EXPECT_NEAR(sar_time(sar_batch_data(b, 2)), 0.3, 1e-12);
  EXPECT_OK(sar_batch_report(b, &report));
  assert_int_equal(report.failed, 1);
  sar_batch_free(b);
  sar_model_free(m);
}

// ---- generated code -----------------------------------------------------------------------------

// Compiled code goes to a folder of this test.
static char cache[64];
static int begin_cache(void** state) {
  (void)state;
  strcpy(cache, "/tmp/sarrus-batch-XXXXXX");
  if (!mkdtemp(cache)) return -1;
  unsetenv("SARRUS_GENERATED");
  return setenv("SARRUS_CACHE", cache, 1);
}
static int end_cache(void** state) {
  (void)state;
  char command[100];
  snprintf(command, sizeof command, "rm -rf '%s'", cache);
  return system(command);
}

static const char* const LANE_MODELS[] = {"double_pendulum.yaml", "double_fourbar.yaml",
                                          "heavy_top.yaml", "kepler.yaml"};

static SarBatch* lane_batch(const SarModel* m, const SarSimOptions* sim, int lanes, int threads) {
  const SarModel* models[INSTANCES];
  for (int i = 0; i < INSTANCES; i++) models[i] = m;
  SarBatchOptions o = sar_batch_options();
  SarBatch* b;
  SarBatchReport report;
  o.sim = sim;
  o.threads = threads;
  o.generated = lanes >= 0;
  o.lanes = lanes > 0 ? lanes : 0;
  EXPECT_OK(sar_batch_new(models, INSTANCES, &o, &b, NULL));
  EXPECT_OK(sar_batch_report(b, &report));
  if (lanes > 0) assert_string_equal(report.why, "");
  assert_int_equal(report.lanes, lanes > 0 ? lanes : 0);
  for (int i = 0; i < INSTANCES; i++) disturb(sar_batch_data(b, i), i);
  return b;
}

// Every bit of the coordinates.
static void expect_same(SarBatch* a, SarBatch* b, const SarModel* m, double bound) {
  for (int i = 0; i < INSTANCES; i++) {
    const SarData *x = sar_batch_data(a, i), *y = sar_batch_data(b, i);
    assert_true(sar_time(x) == sar_time(y));
    for (int k = 0; k < sar_model_nq(m); k++) EXPECT_NEAR(sar_get_q(x)[k], sar_get_q(y)[k], bound);
    for (int k = 0; k < sar_model_nv(m); k++)
      EXPECT_NEAR(sar_get_v(x)[k], sar_get_v(y)[k], 10 * bound);
  }
}

// Lanes of any width give the bits of one, and the interpreter's motion to rounding; also where the
// end of an advance is no whole number of steps.
static void lanes_agree(void** state) {
  (void)state;
  for (size_t k = 0; k < sizeof LANE_MODELS / sizeof *LANE_MODELS; k++) {
    if (!test_takes(k, 2)) continue;
    SarModel* m = model_file(LANE_MODELS[k], NULL);
    SarSimOptions sim = sar_sim_options();
    sim.integrator = k % 2 ? "semi-implicit" : "rk4";
    sim.formulation = sar_model_count(m, SAR_ITEM_CONSTRAINT) > 0 ? "lagrange" : "aba";
    sim.adaptive = SAR_STEPS_FIXED;
    sim.step = 1e-3;
    SarBatch* one = lane_batch(m, &sim, 1, 1);
    SarBatch* four = lane_batch(m, &sim, 4, 2);
    SarBatch* eight = lane_batch(m, &sim, 8, 1);
    SarBatch* interpreter = lane_batch(m, &sim, -1, 1);
    SarBatch* const all[] = {one, four, eight, interpreter};
    for (size_t i = 0; i < 4; i++) {
      EXPECT_OK(sar_batch_advance(all[i], 0.1));
      alloc_count_reset();
      EXPECT_OK(sar_batch_advance(all[i], 0.1955));
      assert_int_equal(alloc_count(), 0);
    }
    expect_same(one, four, m, 0);
    expect_same(one, eight, m, 0);
    expect_same(one, interpreter, m, 1e-10);
    for (size_t i = 0; i < 4; i++) sar_batch_free(all[i]);
    sar_model_free(m);
  }
}

// ---- parameters of their own --------------------------------------------------------------------

static const struct {
  const char *file, *parameter[2];
  double value[2], step;  // nearest to the file's; how much more every instance has
} OWN[] = {
    {"double_pendulum.yaml", {"L1", "L2"}, {0.9, 0.8}, 0.07},
    {"cart_pole.yaml", {"L", "m"}, {0.7, 0.2}, 0.05},
    {"fourbar_sizes.yaml", {"m", "h"}, {0.8, 0.9}, 0.06},
};
enum { OWNS = sizeof OWN / sizeof *OWN };

typedef struct OwnModels {
  SarModel* made[INSTANCES];
  const SarModel* models[INSTANCES];
  double value[INSTANCES][2];
  char path[512];
} OwnModels;

static void make_own(int k, OwnModels* o) {
  model_path(o->path, sizeof o->path, OWN[k].file);
  for (int i = 0; i < INSTANCES; i++) {
    SarParameter given[2];
    for (int p = 0; p < 2; p++) {
      o->value[i][p] = OWN[k].value[p] + OWN[k].step * i * (p ? -0.3 : 1);
      given[p] = (SarParameter){OWN[k].parameter[p], o->value[i][p]};
    }
    const SarLoadOptions load = {.parameters = given, .parameter_count = 2};
    o->models[i] = o->made[i] = model_file(OWN[k].file, &load);
  }
}

static SarBatch* own_batch(int k, const OwnModels* own, int lanes, int named,
                           SarBatchReport* report) {
  SarBatchOptions o = sar_batch_options();
  SarSimOptions sim = sar_sim_options();
  SarBatch* b;
  SarError err;
  sar_error_init(&err);
  sim.integrator = "rk4";
  sim.formulation = sar_model_count(own->models[0], SAR_ITEM_CONSTRAINT) > 0 ? "lagrange" : "crba";
  sim.adaptive = SAR_STEPS_FIXED;
  sim.step = 1e-3;
  o.sim = &sim;
  o.threads = 2;
  o.generated = lanes > 0;
  o.lanes = lanes;
  if (named > 0) {
    o.file = own->path;
    o.parameters = OWN[k].parameter;
    o.parameter_count = named;
    o.parameter_values = &own->value[0][0];
  }
  EXPECT_OK_OR(sar_batch_new(own->models, INSTANCES, &o, &b, &err), &err);
  EXPECT_OK(sar_batch_report(b, report));
  for (int i = 0; i < INSTANCES; i++) disturb(sar_batch_data(b, i), i);
  return b;
}

// Models that differ in parameters: lanes of any width have the bits of one, and the interpreter's
// motion.
static void lanes_have_own_parameters(void** state) {
  (void)state;
  for (int k = 0; k < OWNS; k++) {
    OwnModels own;
    SarBatchReport report;
    make_own(k, &own);
    const int lanes[] = {0, 1, 4, 8};
    SarBatch* all[4];
    for (int i = 0; i < 4; i++) {
      all[i] = own_batch(k, &own, lanes[i], 2, &report);
      if (report.lanes != lanes[i]) fail_msg("%s: %s", OWN[k].file, report.why);
      EXPECT_OK(sar_batch_advance(all[i], 0.1));
      EXPECT_OK(sar_batch_advance(all[i], 0.1955));
    }
    expect_same(all[1], all[2], own.models[0], 0);
    expect_same(all[1], all[3], own.models[0], 0);
    expect_same(all[1], all[0], own.models[0], 1e-10);
    // two instances that have other parameters move otherwise
    assert_true(sar_get_v(sar_batch_data(all[1], 0))[0] != sar_get_v(sar_batch_data(all[1], 1))[0]);
    for (int i = 0; i < 4; i++) sar_batch_free(all[i]);
    for (int i = 0; i < INSTANCES; i++) sar_model_free(own.made[i]);
  }
}

// Values that are not those of a model, or parameters that are not named, give no code.
static void wrong_values_are_found_out(void** state) {
  (void)state;
  OwnModels own;
  SarBatchReport report;
  make_own(0, &own);
  SarBatch* b = own_batch(0, &own, 4, 0, &report);
  assert_int_equal(report.lanes, 0);
  assert_non_null(strstr(report.why, "not named"));
  sar_batch_free(b);
  own.value[7][1] += 0.01;
  b = own_batch(0, &own, 4, 2, &report);
  assert_int_equal(report.lanes, 0);
  assert_non_null(strstr(report.why, "instance 7"));
  EXPECT_OK(sar_batch_advance(b, 0.05));
  sar_batch_free(b);
  for (int i = 0; i < INSTANCES; i++) sar_model_free(own.made[i]);
}

// What generated code cannot do: the interpreter goes on, and says what it finds.
static void lanes_hand_over(void** state) {
  (void)state;
  SarModel* m = model_file("double_pendulum.yaml", NULL);
  SarSimOptions sim = sar_sim_options();
  SarBatchReport report;
  sim.formulation = "aba";
  sim.integrator = "rk4";
  sim.step = 1e-3;
  SarBatch *b = lane_batch(m, &sim, 4, 1), *other = lane_batch(m, &sim, 4, 1);
  sar_tau(sar_batch_data(b, 5))[0] = (double)INFINITY;
  assert_true(sar_batch_advance(b, 0.05) != SAR_OK);
  EXPECT_OK(sar_batch_advance(other, 0.05));
  EXPECT_OK(sar_batch_report(b, &report));
  assert_int_equal(report.failed, 1);
  assert_int_equal(report.handed, 1);
  assert_true(sar_batch_status(b, 5) != SAR_OK && sar_batch_trouble(b, 5)[0]);
  for (int i = 0; i < INSTANCES; i++)
    if (i != 5)
      assert_true(sar_get_q(sar_batch_data(b, i))[0] == sar_get_q(sar_batch_data(other, i))[0]);
  // times of their own: each lane for itself
  sar_set_time(sar_batch_data(other, 2), 0.01);
  EXPECT_OK(sar_batch_advance(other, 0.06));
  for (int i = 0; i < INSTANCES; i++) assert_true(sar_time(sar_batch_data(other, i)) == 0.06);
  sar_batch_free(b);
  sar_batch_free(other);
  sar_model_free(m);
}

static void what_has_no_code_is_interpreted(void** state) {
  (void)state;
  static const char* const cases[][2] = {{"stack.yaml", "the integrator is none of"},
                                         {"pendulum.yaml", "adaptive"}};
  for (size_t i = 0; i < 2; i++) {
    SarModel* m = model_file(cases[i][0], NULL);
    SarBatch* b = lane_batch(m, NULL, 0, 1);
    SarBatchReport report;
    EXPECT_OK(sar_batch_report(b, &report));
    if (!strstr(report.why, cases[i][1])) fail_msg("%s: %s", cases[i][0], report.why);
    EXPECT_OK(sar_batch_advance(b, 0.02));
    sar_batch_free(b);
    sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instances_are_single_runs),
      cmocka_unit_test(rollouts_are_advances),
      cmocka_unit_test(parameters_are_own),
      cmocka_unit_test(other_topologies_are_refused),
      cmocka_unit_test(one_failure_is_one),
      cmocka_unit_test(lanes_agree),
      cmocka_unit_test(lanes_have_own_parameters),
      cmocka_unit_test(wrong_values_are_found_out),
      cmocka_unit_test(lanes_hand_over),
      cmocka_unit_test(what_has_no_code_is_interpreted),
  };
  return cmocka_run_group_tests(tests, begin_cache, end_cache);
}
