// A copy of the data is a copy of the run: it continues bit for bit, wherever it was taken, by
// every formulation with every integrator that goes with it, on models of every kind: in a new
// simulation, in one that was made before, after rewinding, through a file, and in another process.
//
// Cases are drawn at random from the whole product, one in eight in another process;
// SARRUS_TEST_EFFORT=100 runs all of it.
#include "support/model_file.h"
#include "support/random_model.h"

#include "model/sim.h"

#include <unistd.h>

static const struct {
  const char *file, *coordinates;
} MODELS[] = {
    {"pendulum.yaml", NULL},  // trees
    {"double_pendulum.yaml", NULL},
    {"reference/E_floating_chain4.yaml", NULL},  // quaternions
    {"pd_arm.yaml", NULL},                       // expressions
    {"quarter_car.yaml", NULL},
    {"nonlinear_spring.yaml", NULL},
    {"double_fourbar.yaml", NULL},  // loops
    {"double_fourbar.yaml", "absolute"},
    {"crank_rocker.yaml", NULL},
    {"puma_pinned.yaml", NULL},
    {"reference/F_RSSR.yaml", NULL},
    {"reference/F_spatial_slider_crank.yaml", "absolute"},
    {"iftomm_a04_bricard.yaml", NULL},  // redundant
    {"reference/S_stacked_parallelograms.yaml", NULL},
    {"reference/J_stewart.yaml", NULL},
    {"iftomm_a05_governor.yaml", "absolute"},  // stiff
    {"acrobat.yaml", NULL},                    // events
    {"chain.yaml", NULL},                      // dry friction
    {"gripper.yaml", NULL},                    // motors, limits, contact
    {"dominoes.yaml", NULL},                   // contact
    {"reference/P_oblique_bounce.yaml", NULL},
    {"rover.yaml", NULL},
    {"puma_rotor.yaml", NULL},  // states of elements
    {"states.yaml", NULL},      // states of the user's own
    {"states.yaml", "absolute"},
};
enum { MODEL_COUNT = sizeof MODELS / sizeof *MODELS, STEPS = 200, USUAL_CASES = 60 };

typedef struct Case {
  int model;
  const SarFormulation* formulation;
  const SarIntegrator* integrator;
  int adaptive;
} Case;

static SarModel* load(int model) {
  SarLoadOptions o = {.coordinates = MODELS[model].coordinates};
  return model_file(MODELS[model].file, &o);
}

static SarSimOptions options_of(const Case* c) {
  SarSimOptions o = sar_sim_options();
  o.formulation = c->formulation->name;
  o.integrator = c->integrator->name;
  o.adaptive = c->adaptive;
  o.rtol = 1e-6;
  o.atol = 1e-8;
  return o;
}

static SarData* new_data(const SarModel* m) {
  SarError err;
  SarData* d;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  return d;
}

static const char* text_of(const Case* c) {
  static char text[200];
  snprintf(text, sizeof text, "%s%s %s %s %s", MODELS[c->model].file,
           MODELS[c->model].coordinates ? " absolute" : "", c->formulation->name,
           c->integrator->name, c->adaptive ? "adaptive" : "fixed");
  return text;
}

// ---- continuing ---------------------------------------------------------------------------------

// Where a run is after each of so many steps; ends where a step fails.
typedef struct Trace {
  int count;
  SarStatus status;
  unsigned long long hash[STEPS + 1];
} Trace;

static void look(SarSim* s, double* columns) {
  SarEnergy e;
  if (columns) sar_outputs(s, columns);
  sar_energy(s->d, &e);
}

// columns Nullable: nobody looks at the run on its way.
static Trace follow(SarSim* s, double* columns) {
  Trace t = {.hash = {sar_state_hash(s->d)}};
  for (t.status = SAR_OK; t.count < STEPS && t.status == SAR_OK;) {
    if (columns) look(s, columns);
    t.status = sar_step(s);
    t.hash[++t.count] = sar_state_hash(s->d);
  }
  return t;
}

static int departed;  // how many of those that were compared

// All that depart are told, not the first alone: the whole product takes a while.
static void expect_same(const Trace* a, const Trace* b, const Case* c, uint64_t seed,
                        const char* how) {
  for (int k = 0; k <= a->count && k <= b->count; k++)
    if (a->hash[k] != b->hash[k]) {
      print_error("%s: %s departs after %d steps (seed %llu)\n", text_of(c), how, k,
                  (unsigned long long)seed);
      departed++;
      return;
    }
  if (a->count == b->count && a->status == b->status) return;
  print_error("%s: %s ends after %d steps with status %d, not %d with %d (seed %llu)\n", text_of(c),
              how, b->count, b->status, a->count, a->status, (unsigned long long)seed);
  departed++;
}

static void continue_with(const SarModel* m, SarData* d, const Case* c, const Trace* wanted,
                          double* columns, uint64_t seed, const char* how) {
  SarError err;
  SarSim* s;
  const SarSimOptions o = options_of(c);
  sar_error_init(&err);
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &s, &err), &err);
  const Trace t = follow(s, columns);
  expect_same(wanted, &t, c, seed, how);
  sar_sim_free(s);
}

static const char* file_name(char* buf, size_t size, const char* what) {
  snprintf(buf, size, "%s/tests/copy_restore_%ld.%s", SARRUS_BINARY_DIR, (long)getpid(), what);
  return buf;
}

// ---- another process ----------------------------------------------------------------------------

static const char* program;  // this one

// Continues a file in this process: what another one is started for.
static int continue_file(char** word) {
  Case c = {.model = atoi(word[0]),
            .formulation = sar_formulation_find(word[1]),
            .integrator = sar_integrator_find(word[2]),
            .adaptive = atoi(word[3])};
  SarModel* m = load(c.model);
  SarData* d = new_data(m);
  SarSim* s;
  const SarSimOptions o = options_of(&c);
  FILE* f = fopen(word[5], "wb");
  if (!f || sar_data_load(d, word[4], NULL) != SAR_OK || sar_sim_new(m, d, &o, &s, NULL) != SAR_OK)
    return 1;
  const Trace t = follow(s, NULL);
  const bool good = fwrite(&t, sizeof t, 1, f) == 1;
  fclose(f);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return good ? 0 : 1;
}

static void continue_elsewhere(const Case* c, const char* state, const Trace* wanted,
                               uint64_t seed) {
  char command[2000], result[600];
  Trace t;
  file_name(result, sizeof result, "trace");
  snprintf(command, sizeof command, "'%s' continue %d %s %s %d '%s' '%s'", program, c->model,
           c->formulation->name, c->integrator->name, c->adaptive, state, result);
  assert_int_equal(system(command), 0);
  FILE* f = fopen(result, "rb");
  assert_non_null(f);
  assert_int_equal(fread(&t, sizeof t, 1, f), 1);
  fclose(f);
  remove(result);
  expect_same(wanted, &t, c, seed, "another process");
}

// ---- one case -----------------------------------------------------------------------------------

static void through_a_file(const SarModel* m, const SarData* saved, const Case* c,
                           const Trace* wanted, uint64_t seed, SarSim* earlier, bool elsewhere) {
  char path[600];
  SarError err;
  SarData* d = new_data(m);
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_save(saved, file_name(path, sizeof path, "state"), &err), &err);
  EXPECT_OK_OR(sar_data_load(d, path, &err), &err);
  // nothing has looked at what was loaded yet: caches that a step reads before it fills them would
  // show
  EXPECT_OK(sar_data_copy(earlier->d, d));
  const Trace t = follow(earlier, NULL);
  expect_same(wanted, &t, c, seed, "a file, copied to a simulation made before,");
  continue_with(m, d, c, wanted, NULL, seed, "a file");
  if (elsewhere) continue_elsewhere(c, path, wanted, seed);
  remove(path);
  sar_data_free(d);
}

// False: this formulation does not take the model.
static bool check(const Case* c, const SarModel* m, uint64_t seed, bool elsewhere) {
  Rng r = rng_seed(seed);
  const SarSimOptions o = options_of(c);
  SarData *d = new_data(m), *saved = new_data(m), *other = new_data(m);
  SarSim *s, *earlier;
  const bool offered = sar_sim_new(m, d, &o, &s, NULL) == SAR_OK;
  if (offered) {
    EXPECT_OK(sar_sim_new(m, other, &o, &earlier, NULL));
    for (int k = 1 + rng_int(&r, 60); k > 0; k--)
      if (sar_step(s) != SAR_OK) break;
    for (int k = rng_int(&r, 6); k > 0; k--)
      if (sar_step(earlier) != SAR_OK) break;
    double* columns = calloc((size_t)m->nchannel + 1, sizeof *columns);
    EXPECT_OK(sar_data_copy(saved, d));
    const Trace wanted = follow(s, NULL);
    EXPECT_OK(sar_data_copy(d, saved));
    const SarStats before = sar_stats(s);
    EXPECT_OK(sar_warm_up(s));
    const SarStats after = sar_stats(s);
    assert_memory_equal(&before, &after, sizeof before);
    Trace t = follow(s, NULL);
    // what a first step begins with is there before it now, and after it if it fails
    t.hash[0] = wanted.hash[0];
    if (t.count == 1 && t.status != SAR_OK) t.hash[1] = wanted.hash[1];
    expect_same(&wanted, &t, c, seed, "rewinding, warmed up,");
    EXPECT_OK(sar_data_copy(other, saved));
    t = follow(earlier, NULL);
    expect_same(&wanted, &t, c, seed, "a simulation made before");
    EXPECT_OK(sar_data_copy(other, saved));
    continue_with(m, other, c, &wanted, columns, seed, "a new simulation, looked at,");
    through_a_file(m, saved, c, &wanted, seed, earlier, elsewhere);
    free(columns);
    sar_sim_free(s);
    sar_sim_free(earlier);
  }
  sar_data_free(d);
  sar_data_free(saved);
  sar_data_free(other);
  return offered;
}

// All pairings that go together, fixed and adaptive: case number n of a model; false past the last.
static bool find_case(int n, int model, Case* out) {
  for (int f = 0; sar_formulation(f); f++)
    for (int i = 0; sar_integrator(i); i++)
      for (int adaptive = 0; adaptive < 2; adaptive++) {
        const SarFormulation* formulation = sar_formulation(f);
        const SarIntegrator* integrator = sar_integrator(i);
        const bool built = !integrator->missing;
        const bool steps = sar_shape_is_implicit(formulation->shape);
        if (!built || integrator->keeps_history || !sar_goes_with(formulation, integrator) ||
            !(adaptive ? integrator->can_adapt && (!steps || formulation->implicit.error)
                       : integrator->can_fix))
          continue;
        *out = (Case){model, formulation, integrator, adaptive};
        if (n-- == 0) return true;
      }
  return false;
}

static void continues_like_the_original(void** state) {
  (void)state;
  Case c;
  int pairings = 0, offered = 0, tried = 0;
  while (find_case(pairings, 0, &c)) pairings++;
  const int all = pairings * MODEL_COUNT, wanted = test_effort(USUAL_CASES);
  Rng r = rng_seed(test_seed(41));
  for (int model = 0; model < MODEL_COUNT; model++) {
    SarModel* m = load(model);
    for (int n = 0; n < pairings; n++) {
      const uint64_t seed = test_seed((uint64_t)(model * pairings + n));
      if (rng_int(&r, all) >= wanted) continue;
      assert_true(find_case(n, model, &c));
      tried++;
      offered += check(&c, m, seed, wanted >= all || seed % 8 == 0);
    }
    sar_model_free(m);
  }
  print_message("%d of %d pairings x models tried, %d offered, %d departed within %d steps\n",
                tried, all, offered, departed, STEPS);
  assert_int_equal(departed, 0);
}

// ---- resets and accounts ------------------------------------------------------------------------

static SarModel* random_model(uint64_t seed) {
  Rng r = rng_seed(seed);
  ModelText text;
  model_random(&text, &r, 18);
  return model_parse(text.text, NULL);
}

// What a new simulation does first, it does after a reset.
static void reset_begins_again(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(22));
  for (int k = test_effort(20); k > 0; k--) {
    Case c;
    const int model = rng_int(&r, MODEL_COUNT);
    SarModel* m = load(model);
    if (!find_case(rng_int(&r, 60), model, &c)) continue;
    const SarSimOptions o = options_of(&c);
    SarData* d = new_data(m);
    SarSim* s;
    if (sar_sim_new(m, d, &o, &s, NULL) == SAR_OK) {
      Trace first = follow(s, NULL);
      sar_data_reset(d);
      const Trace again = follow(s, NULL);
      first.hash[0] = again.hash[0];  // what belongs to nobody yet
      expect_same(&first, &again, &c, test_seed(22), "a reset");
      sar_sim_free(s);
    }
    sar_data_free(d);
    sar_model_free(m);
  }
  assert_int_equal(departed, 0);
}

static void energy_account_travels_along(void** state) {
  (void)state;
  SarModel* m = random_model(23);
  SarData *d = new_data(m), *copy = new_data(m);
  SarSim* s;
  SarEnergy a, b;
  EXPECT_OK(sar_sim_new(m, d, NULL, &s, NULL));
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

// A method leaves nothing in the data that another one would meet: here dry friction, F = 4 N on 2
// kg.
static void methods_do_not_meet(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies: {m: {box: [1, 1, 1], mass: 2}}\n"
      "joints: {s: {prismatic: [ground, m], axis: x, speed: 1, friction: 4}}\n");
  SarData* d = new_data(m);
  SarSim *aba, *impulse;
  SarSimOptions o = sar_sim_options();
  o.formulation = "aba";
  EXPECT_OK(sar_sim_new(m, d, &o, &aba, NULL));
  o.formulation = "impulse";
  EXPECT_OK(sar_sim_new(m, d, &o, &impulse, NULL));
  EXPECT_OK(sar_forward_dynamics(d));
  EXPECT_NEAR(sar_a(d)[0], -2, 1e-9);
  EXPECT_OK(sar_advance(aba, 0.1));
  EXPECT_NEAR(sar_v(d)[0], 0.8, 1e-9);
  EXPECT_OK(sar_advance(impulse, 0.2));
  EXPECT_NEAR(sar_v(d)[0], 0.6, 1e-9);
  sar_sim_free(impulse);
  EXPECT_OK(sar_advance(aba, 0.3));
  EXPECT_NEAR(sar_v(d)[0], 0.4, 1e-9);
  sar_sim_free(aba);
  sar_data_free(d);
  sar_model_free(m);
}

// ---- what is refused ----------------------------------------------------------------------------

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

static void write_bytes(const char* path, const unsigned char* x, size_t n) {
  FILE* f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(x, 1, n, f), n);
  fclose(f);
}

static void expect_refused(SarData* d, const char* path, SarStatus status, const char* word) {
  SarError err;
  const unsigned long long before = sar_state_hash(d);
  sar_error_init(&err);
  EXPECT_STATUS(sar_data_load(d, path, &err), status);
  assert_int_equal(err.errors, 1);
  if (!strstr(err.items[0].text, word)) fail_msg("'%s' does not say '%s'", err.items[0].text, word);
  assert_true(sar_state_hash(d) == before);
}

// Every length that a torn file can have, a change of any byte, other versions and models.
static void files_are_whole_or_refused(void** state) {
  (void)state;
  static unsigned char bytes[1 << 16];
  char path[600];
  SarModel *m = model_file("double_fourbar.yaml", NULL), *heavier;
  const SarLoadOptions other = {.coordinates = "absolute"};
  SarData* d = new_data(m);
  SarSim* s;
  EXPECT_OK(sar_sim_new(m, d, NULL, &s, NULL));
  EXPECT_OK(sar_advance(s, 0.1));
  EXPECT_OK(sar_data_save(d, file_name(path, sizeof path, "state"), NULL));
  FILE* f = fopen(path, "rb");
  const size_t n = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  for (size_t k = 16; k < n; k += 7) {
    write_bytes(path, bytes, k);
    expect_refused(d, path, SAR_NO_FILE, "damaged");
  }
  for (size_t k = 24; k < n; k += 11) {
    bytes[k] ^= 1;
    write_bytes(path, bytes, n);
    expect_refused(d, path, SAR_NO_FILE, "damaged");
    bytes[k] ^= 1;
  }
  bytes[16]++;
  write_bytes(path, bytes, n);
  expect_refused(d, path, SAR_BAD_ARGUMENT, "version");
  bytes[16]--;
  bytes[0]++;
  write_bytes(path, bytes, n);
  expect_refused(d, path, SAR_NO_FILE, "no saved state");
  bytes[0]--;
  write_bytes(path, bytes, n);
  heavier = model_file("double_fourbar.yaml", &other);
  SarData* stranger = new_data(heavier);
  expect_refused(stranger, path, SAR_BAD_ARGUMENT, "another model");
  EXPECT_OK(sar_data_load(d, path, NULL));
  EXPECT_STATUS(sar_data_save(d, "/no/such/folder/x", NULL), SAR_NO_FILE);
  EXPECT_STATUS(sar_data_save(NULL, path, NULL), SAR_BAD_ARGUMENT);
  EXPECT_STATUS(sar_data_load(d, NULL, NULL), SAR_BAD_ARGUMENT);
  remove(path);
  sar_sim_free(s);
  sar_data_free(d);
  sar_data_free(stranger);
  sar_model_free(m);
  sar_model_free(heavier);
}

int main(int argc, char** argv) {
  program = argv[0];
  if (argc == 8 && strcmp(argv[1], "continue") == 0) return continue_file(argv + 2);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(continues_like_the_original),
      cmocka_unit_test(reset_begins_again),
      cmocka_unit_test(energy_account_travels_along),
      cmocka_unit_test(methods_do_not_meet),
      cmocka_unit_test(copies_only_between_data_of_one_model),
      cmocka_unit_test(files_are_whole_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
