// Impacts at joint limits beside stiff springs and dampers: no run gains energy unsaid, whatever
// the step. Random chains with springs of any stiffness, dampers, limits with restitution from 0 to
// 1, steps of 0.1 to 10 ms.
//
// Bound: of the energy of motion at the start and what gravity can give, 2 in 100. Springs whose
// swing is far shorter than the step turn their joint round in every step; where such joints turn
// about different axes the rule may still gain, in 1 of 2400 of these chains (seeds 0 to 3), which
// the audit says of each.
#include "support/random_model.h"
#include "support/run.h"

#include "model/sim.h"

enum { CHAINS = 80, BODIES = 4 };

static void add_values(ModelText* t, Rng* r) {
  if (rng_int(r, 3) == 0) model_add(t, ", friction: %.17g", pow(10, rng_uniform(r, -2, 1)));
  if (rng_int(r, 2)) model_add(t, ", damping: %.17g", pow(10, rng_uniform(r, -3, 4)));
  if (rng_int(r, 2)) model_add(t, ", stiffness: %.17g", pow(10, rng_uniform(r, 0, 7)));
  if (rng_int(r, 3)) {
    model_add(t, ", lower: %.17g, upper: %.17g", -rng_uniform(r, 0.01, 1), rng_uniform(r, 0.01, 1));
    model_add(t, ", restitution: %.17g", rng_uniform(r, 0, 1));
  }
  if (rng_int(r, 2)) model_add(t, ", speed: %.3f", rng_uniform(r, -5, 5));
}

static SarModel* random_chain(Rng* r, ModelText* t) {
  const int n = 1 + rng_int(r, BODIES);
  t->used = 0;
  model_add(t, "sarrus: 1\nbodies:\n");
  for (int i = 0; i < n; i++)
    model_add(t, "  b%d: {box: [0.3, 0.1, 0.1], at: [%.3f, 0, 0], mass: %.17g}\n", i,
              0.3 * i + 0.15, rng_uniform(r, 0.2, 3));
  model_add(t, "joints:\n");
  for (int i = 0; i < n; i++) {
    char from[16];
    snprintf(from, sizeof from, i ? "b%d" : "ground", i - 1);
    model_add(t, "  j%d: {%s: [%s, b%d], at: [%.3f, 0, 0], axis: %s", i,
              rng_int(r, 5) == 0 ? "prismatic" : "revolute", from, i, 0.3 * i,
              rng_int(r, 2) ? "y" : "z");
    add_values(t, r);
    model_add(t, "}\n");
  }
  return model_parse(t->text, NULL);
}

static void no_run_gains_energy_unsaid(void** state) {
  (void)state;
  static ModelText t;
  const uint64_t first = test_seed(6400);
  int gains = 0;
  for (int i = 0; i < test_effort(CHAINS); i++) {
    const unsigned long long seed = first + (uint64_t)i;
    Rng r = rng_seed(seed);
    SarModel* m = random_chain(&r, &t);
    SarSimOptions o = sar_sim_options();
    o.formulation = "impulse";
    o.step = pow(10, rng_uniform(&r, -4, -2));
    Run a = run_open(m, &o);
    SarEnergy e;
    EXPECT_OK(sar_energy(a.d, &e));
    const double start = e.total;
    double mass = 0, most = 0, size = 0, unexplained = 0;
    for (int b = 0; b < m->nbody; b++) mass += m->body_inertia[b].m;
    size = e.kinetic + mass * 9.81 * 0.3 * m->nbody;
    for (int n = 1; n <= 50; n++) {
      if (sar_advance(a.s, 0.02 * n) != SAR_OK) break;
      EXPECT_OK(sar_energy(a.d, &e));
      most = fmax(most, e.total - start);
      unexplained = fmax(unexplained, fabs(e.error));
    }
    gains += !(most <= 0.02 * size);
    if (!(most <= 0.01 * size) && !(unexplained >= 0.5 * most))
      fail_msg("seed %llu, h = %.3g: gains %.3g of %.3g J, and the audit says %.3g J\n%s", seed,
               o.step, most, size, unexplained, t.text);
    run_close(&a);
  }
  if (gains > 1 + test_effort(CHAINS) / 1000)
    fail_msg("%d of %d gain more than 2 in 100", gains, test_effort(CHAINS));
}

// Those of 2400 that gain most: the report of a whole run says so.
static void those_that_gain_are_told(void** state) {
  (void)state;
  static ModelText t;
  static const unsigned long long SEED[] = {2006701, 5000059, 5000302};
  for (size_t i = 0; i < sizeof SEED / sizeof *SEED; i++) {
    Rng r = rng_seed(SEED[i]);
    SarModel* m = random_chain(&r, &t);
    SarSimOptions sim = sar_sim_options();
    SarRunOptions o = sar_run_options();
    SarRun* run = NULL;
    SarError err;
    sim.formulation = "impulse";
    sim.step = pow(10, rng_uniform(&r, -4, -2));
    o.sim = &sim;
    o.end = 1;
    o.output_step = 0.02;
    o.keep_rows = false;
    sar_error_init(&err);
    EXPECT_OK_OR(sar_run(m, &o, &run, &err), &err);
    const SarRunReport* p = sar_run_report(run);
    print_message("seed %llu gains %.3g J: %s\n", SEED[i], p->energy_gain_max, p->unexplained);
    if (p->energy_gain_max > 0.1 * p->energy_scale && !p->unexplained[0])
      fail_msg("seed %llu gains %.3g J without a word", SEED[i], p->energy_gain_max);
    sar_run_free(run);
    sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_run_gains_energy_unsaid),
                                     cmocka_unit_test(those_that_gain_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
