// Batches: every instance is, bit for bit, the run that it is alone, whatever the threads; one that fails leaves the
// others alone; advancing allocates nothing.
#include "support/alloc_count.h"
#include "support/model_file.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instances_are_single_runs),
      cmocka_unit_test(parameters_are_own),
      cmocka_unit_test(other_topologies_are_refused),
      cmocka_unit_test(one_failure_is_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
