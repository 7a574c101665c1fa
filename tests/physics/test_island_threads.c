// Islands of contact over threads: states of scenes of many islands, small heaps that fall, towers,
// a robot's arm among them, are the same bits with 1 to 4 threads, at every look; and a copy goes
// on with another number of them.
#include "support/alloc_count.h"
#include "support/random_bodies.h"
#include "support/run.h"

enum { SCENES = 2, GROUPS = 16, LOOKS = 4, MOST = 4 };

static void add_scene(ModelText* t, Rng* r) {
  int n = 0;
  t->used = 0;
  model_add(t, "sarrus: 1\ngravity: [0, 0, -9.81]\nground: {contact: {plane: z}}\n");
  model_add(t, "contact: {materials: {default: {friction: %.3g, restitution: %.3g}}}\nbodies:\n",
            rng_uniform(r, 0.2, 1), rng_int(r, 2) ? 0 : rng_uniform(r, 0, 0.5));
  for (int g = 0; g < GROUPS; g++)
    for (int k = 0, bodies = 1 + rng_int(r, 6); k < bodies; k++) {
      const Quat q = g % 2 ? rng_quat(r) : (Quat){1, 0, 0, 0};
      const int shape = g % 2 ? rng_int(r, BODY_SHAPES) : BODY_BOX;
      model_add(t, "  b%d: {shapes: [", n++);
      body_add_shape(t, r, shape, 0.1, v3_zero());
      model_add(t,
                "], density: 800, at: [%.6g, %.6g, %.6g], quat: [%.6g, %.6g, %.6g, %.6g], "
                "contact: true}\n",
                2 * (g % 4) + rng_uniform(r, -0.02, 0.02),
                2 * (g / 4) + rng_uniform(r, -0.02, 0.02), 0.12 + 0.2 * k, q.w, q.x, q.y, q.z);
    }
  model_add(t,
            "  arm: {at: [0.5, 0, 1], box: [1, 0.05, 0.05], mass: 1, contact: true}\n"
            "joints:\n  pivot: {revolute: [ground, arm], at: [0, 0, 1], axis: y}\n");
}

static void threads_change_no_bit(void** state) {
  (void)state;
  static ModelText t;
  for (int i = 0; i < test_effort(SCENES); i++) {
    Rng r = rng_seed(test_seed(2000) + (uint64_t)i);
    uint64_t hash[LOOKS] = {0};
    add_scene(&t, &r);
    for (int threads = 1; threads <= MOST; threads++) {
      SarSimOptions o = run_options("impulse", 4e-3);
      o.threads = threads;
      Run run = run_open(model_parse(t.text, NULL), &o);
      for (int k = 0; k < LOOKS; k++) {
        run_advance(&run, 0.1 * (k + 1));
        const uint64_t now = sar_state_hash(run.d);
        if (threads == 1) hash[k] = now;
        if (now != hash[k])
          fail_msg("scene %d, %d threads: departs by %g s", i, threads, 0.1 * (k + 1));
      }
      run_close(&run);
    }
  }
}

// The number of threads is no part of the state.
static void a_copy_goes_on_with_others(void** state) {
  (void)state;
  static ModelText t;
  Rng r = rng_seed(test_seed(2050));
  SarData* copy;
  SarSim* again;
  SarError err;
  add_scene(&t, &r);
  SarSimOptions o = run_options("impulse", 4e-3);
  Run run = run_open(model_parse(t.text, NULL), &o);
  run_advance(&run, 0.2);
  sar_error_init(&err);
  o.threads = 3;
  EXPECT_OK_OR(sar_data_new(run.m, &copy, &err), &err);
  EXPECT_OK(sar_data_copy(copy, run.d));
  EXPECT_OK_OR(sar_sim_new(run.m, copy, &o, &again, &err), &err);
  run_advance(&run, 0.4);
  EXPECT_OK(sar_advance(again, 0.4));
  assert_true(sar_state_hash(copy) == sar_state_hash(run.d));
  sar_sim_free(again);
  sar_data_free(copy);
  run_close(&run);
}

// Steps take no memory, and where there is none for threads nothing is left behind.
static void steps_take_no_memory(void** state) {
  (void)state;
  static ModelText t;
  Rng r = rng_seed(test_seed(2060));
  SarError err;
  add_scene(&t, &r);
  SarSimOptions o = run_options("impulse", 4e-3);
  o.threads = 3;
  Run run = run_open(model_parse(t.text, NULL), &o);
  run_advance(&run, 0.1);
  alloc_count_reset();
  run_advance(&run, 0.2);
  assert_int_equal(alloc_count(), 0);
  sar_sim_free(run.s);
  run.s = NULL;
  SarStatus st = SAR_NO_MEMORY;
  for (int n = 1; st != SAR_OK && n < 50; n++) {
    SarSim* s;
    sar_error_init(&err);
    alloc_count_reset();
    alloc_fail_at(n);
    st = sar_sim_new(run.m, run.d, &o, &s, &err);
    const bool failed = alloc_has_failed();
    alloc_fail_at(0);
    sar_sim_free(s);
    if (st != SAR_OK) assert_int_equal(st, SAR_NO_MEMORY);
    if (!failed) assert_int_equal(st, SAR_OK);
  }
  assert_int_equal(st, SAR_OK);
  run_close(&run);
}

static void wrong_numbers_are_refused(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies: {b: {box: [1, 1, 1], mass: 1, contact: true}}\n"
      "ground: {contact: {plane: z}}\n");
  SarData* d;
  SarSim* s;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  SarSimOptions o = run_options("impulse", 1e-3);
  o.threads = -1;
  assert_int_equal(sar_sim_new(m, d, &o, &s, &err), SAR_BAD_ARGUMENT);
  assert_non_null(strstr(err.items[0].text, "threads is -1"));
  sar_data_free(d);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_change_no_bit),
      cmocka_unit_test(a_copy_goes_on_with_others),
      cmocka_unit_test(steps_take_no_memory),
      cmocka_unit_test(wrong_numbers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
