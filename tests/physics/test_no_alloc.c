// No allocation in a step: 1000 steps of every integrator and formulation on every model at hand,
// outputs included. And a set-up in which any one allocation fails leaves nothing behind.
#include "support/alloc_count.h"
#include "support/random_model.h"
#include "support/test.h"

#include "model/sim.h"

#include <glob.h>

enum { STEPS = 1000, MAX_COLUMNS = 1024 };

// Steps the model; false when the pair does not run it (closed loops).
static bool step_without_heap(const SarModel* m, const char* formulation, const SarIntegrator* i,
                              const char* name) {
  static double values[MAX_COLUMNS];
  SarError err;
  SarData* d;
  SarSim* s;
  SarSimOptions o = sar_sim_options();
  sar_error_init(&err);
  o.formulation = formulation;
  o.integrator = i->name;
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  SarStatus st = sar_sim_new(m, d, &o, &s, &err);
  if (st == SAR_NOT_OFFERED) {
    sar_data_free(d);
    return false;
  }
  EXPECT_OK_OR(st, &err);
  assert_true(sar_model_count(m, SAR_ITEM_OUTPUT) <= MAX_COLUMNS);
  alloc_count_reset();
  for (int n = 0; n < test_effort(STEPS) && st == SAR_OK; n++) {
    st = sar_step(s);
    if (st == SAR_OK && n % 10 == 0) st = sar_outputs(s, values);
  }
  long count = alloc_count();
  if (st != SAR_OK || count != 0)
    print_error("%s, %s, %s: %s, %ld allocations\n", name, formulation, i->name, sar_sim_trouble(s),
                count);
  assert_int_equal(st, SAR_OK);
  assert_int_equal(count, 0);
  assert_true(sar_stats(s).scratch_peak <= sar_stats(s).scratch_bytes);
  sar_sim_free(s);
  sar_data_free(d);
  return true;
}

static int step_all_ways(const SarModel* m, const char* name) {
  int runs = 0;
  for (int f = 0; sar_formulation(f); f++)
    for (int i = 0; sar_integrator(i); i++)
      if (sar_integrator(i)->step)
        runs += step_without_heap(m, sar_formulation(f)->name, sar_integrator(i), name);
  return runs;
}

static int step_files(const char* pattern) {
  glob_t files;
  int runs = 0;
  assert_int_equal(glob(pattern, 0, NULL, &files), 0);
  for (size_t k = 0; k < files.gl_pathc; k++) {
    SarError err;
    SarModel* m;
    sar_error_init(&err);
    EXPECT_OK_OR(sar_model_load(files.gl_pathv[k], NULL, &m, &err), &err);
    runs += step_all_ways(m, files.gl_pathv[k]);
    sar_model_free(m);
  }
  globfree(&files);
  return runs;
}

static void steps_of_the_examples(void** state) {
  (void)state;
  assert_true(step_files(SARRUS_SOURCE_DIR "/examples/*.yaml") > 0);
}

static void steps_of_the_reference_models(void** state) {
  (void)state;
  assert_true(step_files(SARRUS_SOURCE_DIR "/tests/models/reference/*.yaml") > 0);
}

static void steps_of_random_models(void** state) {
  (void)state;
  Rng r = rng_seed(11);
  ModelText text;
  SarError err;
  SarModel* m;
  sar_error_init(&err);
  model_random(&text, &r, 27);
  EXPECT_OK_OR(sar_model_parse(text.text, text.used, "yaml", "random", NULL, &m, &err), &err);
  assert_true(step_all_ways(m, "random") > 0);
  sar_model_free(m);
}

static void set_up_survives_any_failure(void** state) {
  (void)state;
  Rng r = rng_seed(12);
  ModelText text;
  SarError err;
  SarModel* m;
  sar_error_init(&err);
  model_random(&text, &r, 9);
  EXPECT_OK_OR(sar_model_parse(text.text, text.used, "yaml", "random", NULL, &m, &err), &err);
  for (int i = 0; sar_integrator(i); i++) {
    // SUNDIALS checks few of its own allocations
    if (!sar_integrator(i)->step || !strcmp(sar_integrator(i)->name, "cvode")) continue;
    SarSimOptions o = sar_sim_options();
    o.integrator = sar_integrator(i)->name;
    for (int n = 1;; n++) {
      SarData* d = NULL;
      SarSim* s = NULL;
      sar_error_init(&err);
      alloc_count_reset();
      alloc_fail_at(n);
      SarStatus st = sar_data_new(m, &d, &err);
      if (st == SAR_OK) st = sar_sim_new(m, d, &o, &s, &err);
      int failed = alloc_has_failed();
      alloc_fail_at(0);
      assert_int_equal(st, failed ? SAR_NO_MEMORY : SAR_OK);
      if (failed) assert_null(s);
      sar_sim_free(s);
      sar_data_free(d);
      assert_int_equal(alloc_count_live(), 0);
      if (!failed) break;
    }
  }
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_of_the_examples),
      cmocka_unit_test(steps_of_the_reference_models),
      cmocka_unit_test(steps_of_random_models),
      cmocka_unit_test(set_up_survives_any_failure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
