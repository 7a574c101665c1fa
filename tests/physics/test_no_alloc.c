// No allocation in a step, outputs included: 1000 steps of every formulation with every integrator
// in both kinds of coordinates on a driven mechanism with loops, and of the fast formulations on
// every model at hand; there the dense ones, a step of which costs as much as a hundred others,
// take fewer. And a set-up in which any one allocation fails leaves nothing behind.
#include "support/alloc_count.h"
#include "support/model_file.h"
#include "support/random_model.h"

#include "model/sim.h"

#include <glob.h>

enum { STEPS = 1000, MAX_COLUMNS = 1024 };

// Those of open trees step 1000 times on every model; the others do so on one mechanism below.
static int steps_of(const SarModel* m, const char* formulation) {
  if (!strcmp(formulation, "aba") || !strcmp(formulation, "crba")) return test_effort(STEPS);
  return m->nv < 30 ? 10 : 3;
}

static bool has_dry_friction(const SarModel* m) {
  for (int i = 0; i < m->nv; i++)
    if (m->dof_friction[i] > 0) return true;
  return false;
}

// Implicit steps may fail near singular positions of a loop, or where smoothed friction turns
// round: other tests' business.
static bool may_stop(const SarModel* m, SarStatus st) {
  return (m->nrow > 0 || has_dry_friction(m)) &&
         (st == SAR_NOT_CONVERGED || st == SAR_STEP_TOO_SMALL || st == SAR_SINGULAR);
}

// A step that explicit methods survive: 1e-4 s, or what the fastest eigenvalue at the start allows.
static double step_for(const SarModel* m) {
  const double usual = m->sim.step > 0 ? fmin(m->sim.step, 1e-4) : 1e-4;
  SarLinearization* l = NULL;
  SarData* d;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  double fastest = 0;
  if (sar_linearize(d, NULL, &l, &err) == SAR_OK) {
    const SarLinearizationReport* r = sar_linearization_report(l);
    for (int i = 0; i < r->nx; i++) fastest = fmax(fastest, hypot(r->pole_re[i], r->pole_im[i]));
  }
  sar_linearization_free(l);
  sar_data_free(d);
  return fastest * usual > 0.5 ? 0.5 / fastest : usual;  // within what `adams` is stable for
}

// Steps the model (0: as often as it costs); false when the pair does not run it.
static bool step_without_heap(const SarModel* m, const char* formulation, const SarIntegrator* i,
                              const char* name, int wanted, double step) {
  static double values[MAX_COLUMNS];
  SarError err;
  SarData* d;
  SarSim* s;
  SarSimOptions o = sar_sim_options();
  sar_error_init(&err);
  o.formulation = formulation;
  o.integrator = i->name;
  o.step = step;
  if (!strcmp(name, "heap")) o.step = 1e-3;
  o.max_step = 0.1;  // at rest, steps would grow until the clock cannot tell them apart
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  SarStatus st = sar_sim_new(m, d, &o, &s, &err);
  if (st == SAR_NOT_OFFERED) {
    sar_data_free(d);
    return false;
  }
  EXPECT_OK_OR(st, &err);
  assert_true(sar_model_count(m, SAR_ITEM_OUTPUT) <= MAX_COLUMNS);
  const int steps = wanted > 0 ? wanted : steps_of(m, formulation);
  alloc_count_reset();
  for (int n = 0; n < steps && st == SAR_OK; n++) {
    st = sar_step(s);
    if (st == SAR_OK && n % 10 == 0) st = sar_outputs(s, values);
  }
  long count = alloc_count();
  if (may_stop(m, st)) st = SAR_OK;
  if (st != SAR_OK || count != 0)
    print_error("%s, %s, %s: %s, %ld allocations\n", name, formulation, i->name, sar_sim_trouble(s),
                count);
  assert_int_equal(st, SAR_OK);
  assert_int_equal(count, 0);
  if (!strcmp(name, "heap") && steps >= STEPS) assert_true(sar_stats(s).contacts_missed > 0);
  assert_true(sar_stats(s).scratch_peak <= sar_stats(s).scratch_bytes);
  sar_sim_free(s);
  sar_data_free(d);
  return true;
}

// Steps of ida are the same whatever the formulation.
static bool is_repetition(const char* formulation, const char* integrator) {
  return !strcmp(integrator, "ida") && strcmp(formulation, "aba") != 0 &&
         strcmp(formulation, "lagrange") != 0;
}

static int step_all_ways(const SarModel* m, const char* name, int steps) {
  const double step = step_for(m);
  int runs = 0;
  for (int f = 0; sar_formulation(f); f++)
    for (int i = 0; sar_integrator(i); i++)
      if (!sar_integrator(i)->missing &&
          !is_repetition(sar_formulation(f)->name, sar_integrator(i)->name))
        runs +=
            step_without_heap(m, sar_formulation(f)->name, sar_integrator(i), name, steps, step);
  return runs;
}

static int step_files(const char* pattern, int every) {
  glob_t files;
  int runs = 0;
  assert_int_equal(glob(pattern, 0, NULL, &files), 0);
  for (size_t k = 0; k < files.gl_pathc; k++) {
    SarError err;
    SarModel* m;
    if (k % (size_t)every != 0) continue;
    sar_error_init(&err);
    EXPECT_OK_OR(sar_model_load(files.gl_pathv[k], NULL, &m, &err), &err);
    runs += step_all_ways(m, files.gl_pathv[k], 0);
    sar_model_free(m);
  }
  globfree(&files);
  return runs;
}

static void steps_of_the_examples(void** state) {
  (void)state;
  assert_true(step_files(SARRUS_SOURCE_DIR "/examples/*.yaml", test_effort(10) < 10 ? 4 : 1) > 0);
}

static void steps_of_the_reference_models(void** state) {
  (void)state;
  if (test_effort(10) < 10) skip();  // minutes; the examples have all kinds
  const int every = test_effort_slow(5) < 5 ? 3 : 1;
  assert_true(step_files(SARRUS_SOURCE_DIR "/tests/models/reference/*.yaml", every) > 0);
}

static void steps_of_random_models(void** state) {
  (void)state;
  Rng r = rng_seed(11);
  ModelText text;
  model_random(&text, &r, 27);
  SarModel* m = model_parse(text.text, NULL);
  assert_true(step_all_ways(m, "random", 0) > 0);
  sar_model_free(m);
}

// A crank with a drive, a coupler and a rocker, geared to a wheel; a rod to a loose bob. Then with
// one hinge twice (redundant), a tenth of the steps.
static const char MECHANISM[] =
    "sarrus: 1\nplanar: xy\ngravity: [0, -9.81, 0]\nbodies:\n"
    "  crank: {rod: [[0, 0, 0], [0, 1, 0]], mass: 1, points: {tip: [0, 1, 0]}}\n"
    "  coupler: {rod: [[0, 1, 0], [2, 1.5, 0]], mass: 2}\n"
    "  rocker: {rod: [[2, 1.5, 0], [2, 0, 0]], mass: 1}\n"
    "  wheel: {sphere: 0.1, mass: 1, at: [3, 0, 0]}\n"
    "  bob: {sphere: 0.1, mass: 1, at: [0, 2, 0]}\n"
    "joints:\n"
    "  A: {revolute: [ground, crank], at: [0, 0, 0]}\n"
    "  B: {revolute: [crank, coupler], at: [0, 1, 0], damping: 0.1}\n"
    "  C: {revolute: [coupler, rocker], at: [2, 1.5, 0]}\n"
    "  D: {revolute: [ground, rocker], at: [2, 0, 0]}\n"
    "  W: {revolute: [ground, wheel], at: [3, 0, 0], stiffness: 5}\n%s"
    "constraints:\n"
    "  drive: {motion: A, value: \"0.3*sin(3*t)\"}\n"
    "  g: {gear: [D, W], ratio: -2}\n"
    "  r: {rod: [crank.tip, bob]}\n"
    "outputs: [energy, joints, reactions, work]\n";

static void steps_of_a_mechanism(void** state) {
  (void)state;
  static const char* const again[] = {"", "  E: {revolute: [ground, rocker], at: [2, 0, 0]}\n"};
  static const char* const coordinates[] = {"relative", "absolute"};
  int runs = 0;
  for (int k = 0; k < 4; k++) {
    char text[2048];
    const SarLoadOptions o = {.coordinates = coordinates[k / 2]};
    snprintf(text, sizeof text, MECHANISM, again[k % 2]);
    SarModel* m = model_parse(text, &o);
    runs += step_all_ways(m, coordinates[k / 2], test_effort(k % 2 ? STEPS / 10 : STEPS));
    sar_model_free(m);
  }
  print_message("%d pairs of formulation and integrator\n", runs);
}

// A heap of all solids falls on hills, beside a motor at its stop, with room for fewer contacts
// than there are: neither a contact, nor the first one, nor the one too many takes memory.
static const char HEAP[] =
    "sarrus: 1\nbodies:\n"
    "  ball: {sphere: 0.1, mass: 1, at: [0, 0, 0.15], contact: m}\n"
    "  box: {box: [0.2, 0.2, 0.2], mass: 1, at: [0.05, 0, 0.4], contact: m}\n"
    "  pill: {capsule: {radius: 0.1, length: 0.2}, mass: 1, at: [0, 0.05, 0.75], contact: m}\n"
    "  drum: {cylinder: {radius: 0.1, length: 0.2}, mass: 1, at: [0.02, 0, 1.1], contact: m}\n"
    "  stone: {shapes: [{hull: [[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0], [0, -0.1, 0], [0, 0, "
    "0.1],\n"
    "    [0, 0, -0.1], [0.06, 0.06, 0.06]]}], mass: 1, at: [0, 0, 1.4], contact: m}\n"
    "  arm: {cylinder: {radius: 0.02, from: [1, 0, 1], to: [1.3, 0, 1]}, mass: 1}\n"
    "joints: {J: {revolute: [ground, arm], at: [1, 0, 1], axis: y, upper: 0.2, friction: 0.1,\n"
    "  motor: {speed: 1, effort: 5}}}\n"
    "ground: {contact: [{heights: 0.05*sin(5*x)*cos(5*y), x: [-2, 2, 41], y: [-2, 2, 41],\n"
    "  material: m}]}\n"
    "contact: {max_contacts: 6, materials: {m: {restitution: 0.3, rolling: 0.001, spinning: "
    "0.001}}}\n"
    "outputs: [energy, contacts, work]\n";

static void steps_of_a_heap(void** state) {
  (void)state;
  static const char* const coordinates[] = {"relative", "absolute"};
  for (int k = 0; k < 2; k++) {
    const SarLoadOptions o = {.coordinates = coordinates[k]};
    SarModel* m = model_parse(HEAP, &o);
    const int runs = step_all_ways(m, "heap", test_effort(STEPS));
    print_message("%s: %d formulations\n", coordinates[k], runs);
    assert_in_range(runs, 1, 100);
    sar_model_free(m);
  }
}

static void set_up_survives_any_failure(void** state) {
  (void)state;
  Rng r = rng_seed(12);
  ModelText text;
  model_random(&text, &r, 9);
  SarModel* m = model_parse(text.text, NULL);
  for (int i = 0; sar_integrator(i); i++) {
    // SUNDIALS checks few of its own allocations
    const char* name = sar_integrator(i)->name;
    if (!sar_integrator(i)->step || !strcmp(name, "cvode") || !strcmp(name, "ida")) continue;
    SarSimOptions o = sar_sim_options();
    o.integrator = name;
    for (int n = 1;; n++) {
      SarData* d = NULL;
      SarSim* s = NULL;
      SarError err;
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
      cmocka_unit_test(steps_of_the_examples),  cmocka_unit_test(steps_of_the_reference_models),
      cmocka_unit_test(steps_of_random_models), cmocka_unit_test(steps_of_a_mechanism),
      cmocka_unit_test(steps_of_a_heap),        cmocka_unit_test(set_up_survives_any_failure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
