// Is the energy explained? The last look at a whole run (analysis/run_audit.c) against what nobody
// has to believe: a passive mechanism, of springs, dampers, dry friction and limits, never has more
// energy than it began with.
//
// Springs that swing within a step of impulses and dampers of h c / m up to 1e4, in both kinds of
// coordinates: the work of dampers explains where the energy went (formulations/impulse/dampers.h).
// Stiff chains at limits and forces that tie trees far apart are known to gain: whoever gains ends
// with a sentence about it, or with SAR_NOT_EXPLAINED, and whoever gains more than all it had with
// the latter or another failure. Who does not gain does not fail for its audit.
#include "support/random_model.h"
#include "support/run.h"

#include <math.h>

enum { MASSES = 6, FAR_APART = 160 };

// ---- passive mechanisms -------------------------------------------------------------------------

static void add_slides(Rng* r, int n, ModelText* t) {
  model_add(t, "sarrus: 1\ngravity: [0, 0, 0]\nbodies:\n");
  for (int i = 0; i < n; i++)
    model_add(t, "  m%d: {mass: %.17g, inertia: [1, 1, 1], at: [%d, 0, 0]}\n", i,
              pow(10, rng_uniform(r, -0.5, 0.5)), i);
  model_add(t, "joints:\n");
  for (int i = 0; i < n; i++) {
    model_add(t, "  j%d: {prismatic: [ground, m%d], axis: x, speed: %.17g", i, i,
              rng_uniform(r, -1, 1));
    if (rng_int(r, 3) == 0) model_add(t, ", friction: %.17g", pow(10, rng_uniform(r, -2, 1)));
    if (rng_int(r, 2)) model_add(t, ", lower: -0.05, upper: 0.05");
    model_add(t, "}\n");
  }
}

static void add_ties(Rng* r, int n, ModelText* t) {
  model_add(t, "forces:\n");
  for (int k = 0; k < 2 * n; k++) {
    const int a = rng_int(r, n), b = (a + 1 + rng_int(r, n - 1)) % n;
    model_add(t,
              "  t%d: {spring_damper: [m%d, m%d], stiffness: %.17g, damping: %.17g, length: %d}\n",
              k, a, b, rng_int(r, 3) ? pow(10, rng_uniform(r, 1, 8)) : 0,
              rng_int(r, 2) ? pow(10, rng_uniform(r, 0, 6)) : 0, abs(a - b));
  }
}

static void add_row(int n, char name, double y, ModelText* t) {
  for (int i = 0; i < n; i++)
    model_add(t, " %c%d: {sphere: 0.3, mass: 1, at: [%d, %g, 0]}\n", name, i, i, y);
}

static void add_hinges(Rng* r, int n, char name, ModelText* t) {
  for (int i = 0; i < n; i++) {
    char base[16];
    snprintf(base, sizeof base, i ? "%c%d" : "ground", name, i - 1);
    model_add(t, " j%c%d: {revolute: [%s, %c%d], axis: z, speed: %.2f}\n", name, i, base, name, i,
              i % 20 ? 0 : rng_uniform(r, -0.1, 0.1));
  }
}

// Two chains whose tips are tied: so many coordinates lie between that the force is taken as it
// was.
static void add_far_apart(Rng* r, ModelText* t) {
  const int n = FAR_APART;
  model_add(t, "sarrus: 1\ngravity: [0, 0, 0]\nbodies:\n");
  add_row(n, 'a', 0, t);
  add_row(n, 'b', 1, t);
  model_add(t, "joints:\n");
  add_hinges(r, n, 'a', t);
  add_hinges(r, n, 'b', t);
  model_add(t, "forces:\n  tie: {spring_damper: [a%d, b%d], stiffness: %.17g, damping: %.17g}\n",
            n - 1, n - 1, pow(10, rng_uniform(r, 3, 8)), pow(10, rng_uniform(r, 1, 6)));
}

// ---- the laws -----------------------------------------------------------------------------------

typedef struct Passive {
  double start, gain;  // total energy at the first row; the most above it
  bool begun;
} Passive;

static SarStatus watch(void* context, const SarData* d) {
  Passive* p = context;
  SarEnergy e;
  if (sar_energy((SarData*)d, &e) != SAR_OK) return SAR_OK;
  if (!p->begun) p->begun = true, p->start = e.total;
  p->gain = fmax(p->gain, e.total - p->start);
  return SAR_OK;
}

typedef struct Counts {
  int runs, told, failed;
  double off;  // the largest audit, over what moved
} Counts;

static const double CLOSED = 0.05;  // of what moved: of 1200 random ones the worst was 0.028

// Rounding of energies counts where nothing moves.
static void check_passive(const char* text, const char* coordinates, double step, double end,
                          unsigned long long seed, Counts* n) {
  const SarLoadOptions load = {.coordinates = coordinates};
  SarSimOptions sim = sar_sim_options();
  SarRunOptions o = sar_run_options();
  Passive p = {0};
  SarError err;
  SarModel* m = model_parse(text, &load);
  SarRun* run = NULL;
  sim.formulation = "impulse";
  sim.step = step;
  o.sim = &sim;
  o.end = end;
  o.output_step = 2 * step;
  o.keep_rows = false;
  o.context = &p;
  o.on_state = watch;
  sar_error_init(&err);
  const SarStatus st = sar_run(m, &o, &run, &err);
  assert_non_null(run);
  const SarRunReport* r = sar_run_report(run);
  const double rounding = 1e-9 * (fabs(p.start) + r->energy_scale);
  const bool gains = p.gain > 0.11 * r->energy_scale + rounding;
  const bool all = p.gain > fabs(p.start) + r->energy_scale, none = p.gain <= rounding;
  n->runs++;
  n->told += r->unexplained[0] != 0;
  n->failed += st != SAR_OK;
  n->off = fmax(n->off, r->energy_error_max / (r->energy_scale + 1e-300));
  if ((st == SAR_OK && ((gains && !r->unexplained[0]) || all)) ||
      (st != SAR_OK && !r->trouble[0]) || (st == SAR_NOT_EXPLAINED && none))
    fail_msg("seed %llu, %s, h = %g: gains %.3g J of %.3g, '%s', status %d '%s'\n%s", seed,
             coordinates, step, p.gain, r->energy_scale, r->unexplained, st, r->trouble, text);
  sar_run_free(run);
  sar_model_free(m);
}

static void who_gains_says_so(void** state) {
  (void)state;
  static ModelText t;
  Counts n = {0};
  const uint64_t first = test_seed(8100);
  for (int i = 0; i < test_effort(120); i++) {
    Rng r = rng_seed(first + (uint64_t)i);
    const int masses = 2 + rng_int(&r, MASSES - 1);
    t.used = 0;
    add_slides(&r, masses, &t);
    add_ties(&r, masses, &t);
    const double step = pow(10, rng_uniform(&r, -4, -2));
    check_passive(t.text, i % 2 ? "absolute" : "relative", step, 60 * step, first + (uint64_t)i,
                  &n);
  }
  print_message("%d passive runs of strong springs and dampers: audits off by %.2g of what moved\n",
                n.runs, n.off);
  assert_true(n.told == 0 && n.failed == 0 && n.off < CLOSED);
  for (int i = 0; i < test_effort_slow(5); i++) {
    Rng r = rng_seed(first + 5000 + (uint64_t)i);
    t.used = 0;
    add_far_apart(&r, &t);
    check_passive(t.text, "relative", 0.01, 0.2, first + 5000 + (uint64_t)i, &n);
  }
  print_message("%d passive runs by impulses: %d told of energy, %d failed\n", n.runs, n.told,
                n.failed);
}

// A top by Euler's rule at 1 ms has 6e8 J after 2 s; its rows are kept.
static void energy_from_nowhere_is_a_failure(void** state) {
  (void)state;
  SarModel* m = model_file("heavy_top.yaml", NULL);
  SarSimOptions sim = sar_sim_options();
  SarRunOptions o = sar_run_options();
  SarError err;
  SarRun* run = NULL;
  sim.formulation = "aba";
  sim.integrator = "euler";
  sim.adaptive = 0;
  sim.step = 1e-3;
  o.sim = &sim;
  sar_error_init(&err);
  assert_int_equal(sar_run(m, &o, &run, &err), SAR_NOT_EXPLAINED);
  const SarRunReport* r = sar_run_report(run);
  assert_int_equal(r->status, SAR_NOT_EXPLAINED);
  assert_true(r->energy_gain_max > 0.5 * r->energy_scale);
  assert_non_null(strstr(r->trouble, "J came from nowhere"));
  assert_non_null(strstr(r->unexplained, "more than work explains"));
  assert_true(r->end_time == r->end_wanted && sar_table_rows(sar_run_table(run)) > 100);
  sar_run_free(run);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(who_gains_says_so),
                                     cmocka_unit_test(energy_from_nowhere_is_a_failure)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
