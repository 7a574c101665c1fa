// sar_choose on models where the choice does not hang on the clock: by accuracy, by stability, by
// deadlines that nothing meets.
#include "support/alloc_count.h"
#include "support/model_file.h"
#include "support/test.h"

#include "model/sim.h"

typedef struct Chosen {
  SarModel* m;
  SarData* d;
  SarSimOptions o;
  SarChoice c;
  SarError err;
} Chosen;

static SarStatus choose(Chosen* x, const char* file, double step, double deadline,
                        double accuracy) {
  x->m = model_file(file, NULL);
  x->o.step = step;
  sar_error_init(&x->err);
  EXPECT_OK_OR(sar_data_new(x->m, &x->d, &x->err), &x->err);
  return sar_choose(x->m, x->d, deadline, accuracy, &x->o, &x->c, &x->err);
}

static void done(Chosen* x) {
  sar_data_free(x->d);
  sar_model_free(x->m);
}

static const SarTrial* winner(const Chosen* x) { return &x->c.trial[x->c.chosen]; }

static const SarTrial* trial_of(const Chosen* x, const char* formulation, const char* integrator) {
  for (int i = 0; i < x->c.count; i++)
    if (strcmp(x->c.trial[i].formulation, formulation) == 0 &&
        strcmp(x->c.trial[i].integrator, integrator) == 0)
      return &x->c.trial[i];
  return NULL;
}

// What was chosen runs.
static void run_on(Chosen* x) {
  SarSim* s;
  EXPECT_OK_OR(sar_sim_new(x->m, x->d, &x->o, &s, &x->err), &x->err);
  for (int k = 0; k < 20; k++) EXPECT_OK(sar_step(s));
  assert_false(s->adaptive);
  EXPECT_NEAR(sar_time(x->d), 20 * x->o.step, 1e-12);
  sar_sim_free(s);
}

// The governor's dampers limit explicit steps to 0.05 ms: at 1 ms none of them is stable.
static void stiff_models_get_an_implicit_method(void** state) {
  (void)state;
  Chosen x = {.o = sar_sim_options()};
  EXPECT_OK_OR(choose(&x, "reference/I_governor_stiff.yaml", 1e-3, 0, 0), &x.err);
  assert_true(sar_integrator_find(x.o.integrator)->implicit);
  assert_true(winner(&x)->error <= 1e-3);
  assert_true(trial_of(&x, "aba", "rk4")->error > 1);
  assert_non_null(strstr(x.c.reason, "follows the motion where "));
  run_on(&x);
  done(&x);
}

// A smooth tree: all get through, those of order one are not accurate enough, and the data are left
// alone.
static void a_tree_gets_what_is_accurate(void** state) {
  (void)state;
  Chosen x = {.o = sar_sim_options()};
  EXPECT_OK_OR(choose(&x, "reference/C_spatial_double_pendulum.yaml", 1e-3, 0, 0), &x.err);
  for (int i = 0; i < x.c.count; i++) EXPECT_OK(x.c.trial[i].status);
  assert_null(trial_of(&x, "lagrange", "rk4"));
  assert_string_not_equal(x.o.integrator, "semi-implicit");
  assert_true(winner(&x)->error <= 1e-3);
  assert_true(sar_time(x.d) == 0);
  run_on(&x);
  done(&x);
}

// Folds at every half turn: nothing that would end there is tried. At 1e-7 of the motion only the
// method of order four is accurate enough (1e-8; those of order two have 2e-4).
static void loops_with_singular_positions(void** state) {
  (void)state;
  const double accuracy[] = {0, 1e-7};
  for (int k = 0; k < 2; k++) {
    Chosen x = {.o = sar_sim_options()};
    EXPECT_OK_OR(choose(&x, "reference/A_double_fourbar.yaml", 1e-2, 0, accuracy[k]), &x.err);
    for (int i = 0; i < x.c.count; i++)
      assert_true(sar_formulation_find(x.c.trial[i].formulation)->can & SAR_CAN_RANK_CHANGE);
    if (k == 1) assert_string_equal(x.o.integrator, "rk4");
    run_on(&x);
    done(&x);
  }
}

// Names that are given stay.
static void what_is_named_is_not_chosen(void** state) {
  (void)state;
  Chosen x = {.o = sar_sim_options()};
  x.o.formulation = "hybrid";
  x.o.integrator = "hht";
  EXPECT_OK_OR(choose(&x, "reference/A_double_fourbar.yaml", 1e-2, 0, 0), &x.err);
  assert_int_equal(x.c.count, 1);
  assert_string_equal(x.o.formulation, "hybrid");
  assert_string_equal(x.o.integrator, "hht");
  done(&x);

  Chosen z = {.o = sar_sim_options()};
  z.o.formulation = "topological";  // ends where the bars fold
  z.o.integrator = "trapezoidal";
  EXPECT_STATUS(choose(&z, "reference/A_double_fourbar.yaml", 1e-2, 0, 0), SAR_NOT_CONVERGED);
  assert_int_equal(z.c.trial[0].status, SAR_SINGULAR);
  assert_non_null(strstr(z.err.items[0].text, "topological with trapezoidal does not get through"));
  done(&z);

  Chosen y = {.o = sar_sim_options()};
  y.o.integrator = "cvode";  // has no fixed steps, or is not in this build
  EXPECT_STATUS(choose(&y, "reference/A_double_fourbar.yaml", 1e-2, 0, 0), SAR_NOT_OFFERED);
  assert_true(y.err.errors > 0);
  done(&y);
}

// No computer makes a step in a picosecond.
static void a_deadline_that_nothing_meets_is_refused(void** state) {
  (void)state;
  Chosen x = {.o = sar_sim_options()};
  EXPECT_STATUS(choose(&x, "reference/A_double_fourbar.yaml", 1e-2, 1e-12, 0), SAR_NOT_OFFERED);
  assert_int_equal(x.err.count, 1);
  assert_non_null(strstr(x.err.items[0].text, "within 1e-06 us: the fastest, "));
  assert_non_null(strstr(x.err.items[0].text, " us at worst"));
  assert_true(x.o.formulation == NULL && x.c.chosen < 0);
  done(&x);

  // and in a minute all do
  Chosen y = {.o = sar_sim_options()};
  EXPECT_OK_OR(choose(&y, "reference/A_double_fourbar.yaml", 1e-2, 60, 0), &y.err);
  done(&y);

  Chosen z = {.o = sar_sim_options()};
  EXPECT_STATUS(choose(&z, "reference/A_double_fourbar.yaml", 1e-2, -1, (double)NAN),
                SAR_BAD_ARGUMENT);
  assert_int_equal(z.err.count, 2);
  done(&z);
}

// From the middle of a run, with what the run has lost by then not put down to the trials.
static void a_trial_begins_where_the_data_are(void** state) {
  (void)state;
  Chosen x = {.o = sar_sim_options()};
  x.o.formulation = "lagrange";
  x.o.integrator = "semi-implicit";
  EXPECT_OK_OR(choose(&x, "reference/A_double_fourbar.yaml", 1e-2, 0, 0), &x.err);
  run_on(&x);
  const unsigned long long before = sar_state_hash(x.d);
  x.o = sar_sim_options();
  x.o.step = 1e-2;
  EXPECT_OK_OR(sar_choose(x.m, x.d, 0, 0, &x.o, &x.c, &x.err), &x.err);
  assert_true(sar_state_hash(x.d) == before);
  assert_true(trial_of(&x, "lagrange", "rk4")->error < 1e-5);
  done(&x);
}

// Whichever allocation is refused: a status, and nothing kept.
static void refused_memory_leaks_nothing(void** state) {
  (void)state;
  Chosen x = {.m = model_file("pendulum.yaml", NULL)};
  sar_error_init(&x.err);
  EXPECT_OK_OR(sar_data_new(x.m, &x.d, &x.err), &x.err);
  bool refused = true;
  for (long n = 1; refused; n++) {
    x.o = sar_sim_options();
    x.o.formulation = "aba";
    alloc_count_reset();
    alloc_fail_at(n);
    const SarStatus st = sar_choose(x.m, x.d, 0, 0, &x.o, &x.c, &x.err);
    refused = alloc_has_failed();
    const long kept = alloc_count_live();
    alloc_fail_at(0);
    assert_int_equal(kept, 0);
    assert_int_equal(st, refused ? SAR_NO_MEMORY : SAR_OK);
    assert_true(n < 1000);
  }
  done(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiff_models_get_an_implicit_method),
      cmocka_unit_test(a_tree_gets_what_is_accurate),
      cmocka_unit_test(loops_with_singular_positions),
      cmocka_unit_test(what_is_named_is_not_chosen),
      cmocka_unit_test(a_deadline_that_nothing_meets_is_refused),
      cmocka_unit_test(a_trial_begins_where_the_data_are),
      cmocka_unit_test(refused_memory_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
