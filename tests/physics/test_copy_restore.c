// A copy of the data is a copy of the run: it continues bit for bit, wherever it was taken.
#include "support/model_file.h"
#include "support/random_model.h"

#include "model/sim.h"

static SarModel* random_model(uint64_t seed) {
  Rng r = rng_seed(seed);
  ModelText text;
  model_random(&text, &r, 18);
  return model_parse(text.text, NULL);
}

static SarSim* new_sim(const SarModel* m, SarData* d, const SarIntegrator* i) {
  SarError err;
  SarSim* s;
  SarSimOptions o = sar_sim_options();
  o.integrator = i->name;
  o.step = 2e-3;
  o.rtol = 1e-6;
  o.atol = 1e-8;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &s, &err), &err);
  return s;
}

static SarData* new_data(const SarModel* m) {
  SarError err;
  SarData* d;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  return d;
}

// Runs on, goes back to the copy and repeats; and a second simulation continues the copy.
static void continues_like_the_original(void** state) {
  (void)state;
  SarModel* m = random_model(21);
  for (int k = 0; sar_integrator(k); k++) {
    const SarIntegrator* i = sar_integrator(k);
    if (!i->step) continue;
    SarData *d = new_data(m), *saved = new_data(m), *other = new_data(m), *first = new_data(m);
    SarSim* s = new_sim(m, d, i);
    for (int n = 0; n < 37; n++) EXPECT_OK(sar_step(s));
    EXPECT_OK(sar_advance(s, sar_time(d) + 3.3e-3));  // off the grid of fixed steps
    EXPECT_OK(sar_data_copy(saved, d));
    EXPECT_OK(sar_data_copy(other, d));
    for (int n = 0; n < 50; n++) EXPECT_OK(sar_step(s));
    EXPECT_OK(sar_data_copy(first, d));

    EXPECT_OK(sar_data_copy(d, saved));
    for (int n = 0; n < 50; n++) EXPECT_OK(sar_step(s));
    SarSim* second = new_sim(m, other, i);
    for (int n = 0; n < 50; n++) EXPECT_OK(sar_step(second));
    if (!i->keeps_history) assert_true(sar_state_hash(d) == sar_state_hash(first));
    assert_true(sar_state_hash(d) == sar_state_hash(other));
    sar_sim_free(second);
    sar_sim_free(s);
    sar_data_free(d);
    sar_data_free(saved);
    sar_data_free(other);
    sar_data_free(first);
  }
  sar_model_free(m);
}

static void reset_begins_again(void** state) {
  (void)state;
  SarModel* m = random_model(22);
  for (int k = 0; sar_integrator(k); k++) {
    if (!sar_integrator(k)->step) continue;
    SarData* d = new_data(m);
    SarSim* s = new_sim(m, d, sar_integrator(k));
    unsigned long long hash[2];
    for (int turn = 0; turn < 2; turn++) {
      sar_data_reset(d);
      for (int n = 0; n < 30; n++) EXPECT_OK(sar_step(s));
      hash[turn] = sar_state_hash(d);
    }
    assert_true(hash[0] == hash[1]);
    sar_sim_free(s);
    sar_data_free(d);
  }
  sar_model_free(m);
}

static void energy_account_travels_along(void** state) {
  (void)state;
  SarModel* m = random_model(23);
  SarData *d = new_data(m), *copy = new_data(m);
  SarSim* s = new_sim(m, d, sar_integrator_find("dopri5"));
  SarEnergy a, b;
  EXPECT_OK(sar_advance(s, 0.2));
  EXPECT_OK(sar_data_copy(copy, d));
  EXPECT_OK(sar_energy(d, &a));
  EXPECT_OK(sar_energy(copy, &b));
  assert_true(a.error == b.error && a.work == b.work && fabs(a.work) > 1e-3);
  sar_sim_free(s);
  sar_data_free(d);
  sar_data_free(copy);
  sar_model_free(m);
}

static void copies_only_between_data_of_one_model(void** state) {
  (void)state;
  SarModel *m = random_model(24), *other = random_model(25);
  SarData *a = new_data(m), *b = new_data(other);
  EXPECT_STATUS(sar_data_copy(a, b), SAR_BAD_ARGUMENT);
  sar_data_free(a);
  sar_data_free(b);
  sar_model_free(m);
  sar_model_free(other);
}

// Contacts and their impulses are state: those of a copy are the original's.
static void contacts_travel_along(void** state) {
  (void)state;
  SarModel* m = model_file("dominoes.yaml", NULL);
  SarData *d = new_data(m), *other = new_data(m);
  SarSim *s, *second;
  EXPECT_OK(sar_sim_new(m, d, NULL, &s, NULL));
  EXPECT_OK(sar_advance(s, 0.5));
  EXPECT_OK(sar_data_copy(other, d));
  assert_true(sar_contact_count(d) > 0);
  assert_int_equal(sar_contact_count(other), sar_contact_count(d));
  EXPECT_OK(sar_sim_new(m, other, NULL, &second, NULL));
  for (int n = 0; n < 200; n++) {
    EXPECT_OK(sar_step(s));
    EXPECT_OK(sar_step(second));
    assert_true(sar_state_hash(d) == sar_state_hash(other));
  }
  sar_sim_free(s);
  sar_sim_free(second);
  sar_data_free(d);
  sar_data_free(other);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(continues_like_the_original),
      cmocka_unit_test(contacts_travel_along),
      cmocka_unit_test(reset_begins_again),
      cmocka_unit_test(energy_account_travels_along),
      cmocka_unit_test(copies_only_between_data_of_one_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
