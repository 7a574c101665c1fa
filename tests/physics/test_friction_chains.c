// Dry friction in long chains: 10 to 100 joints that stick or slide, each by what all others do. Random ones, straight or
// bent, at rest or moving, in a plane or not, by every implicit formulation at 1 ms against impulses at 0.1 ms. What
// switches joint by joint does not end on these (20 joints let go at once); interior points do, in a bounded number of
// rounds.
//
// Bounds, after 60 ms: the rule at 1 ms is off by (v h)^2 of angles and each change from sliding to sticking adds (a h) h: 1.7e-4
// rad and 4e-3 rad/s are the worst of 24 chains; 1e-3 and 2e-2 here.
#include "support/random_model.h"
#include "support/run.h"

#include "model/sim.h"

static const char* const METHODS[] = {"hybrid", "topological", "recursive", "global"};
#ifdef SARRUS_TEST_SANITIZED
enum { CHAINS = 6, LONGEST = 24 };
#else
enum { CHAINS = 6, LONGEST = 100 };
#endif
static const int MOST_ITERATIONS = 120;  // 20, and 100 rounds of friction

static void add_joint(ModelText* t, Rng* r, int i, const char* axis, double F, double bend,
                      double speed) {
  char from[16];
  snprintf(from, sizeof from, i ? "b%d" : "ground", i - 1);
  model_add(t,
            "  j%d: {revolute: [%s, b%d], at: [%.3f, 0, 0], axis: %s, friction: %.5g, "
            "position: %.4f, speed: %.4f",
            i, from, i, 0.2 * i, axis, F, bend * rng_uniform(r, -1, 1),
            speed * rng_uniform(r, -1, 1));
  if (rng_int(r, 4) == 0) model_add(t, ", damping: %.4f", rng_uniform(r, 0, 0.05));
  model_add(t, "}\n");
}

static SarModel* random_chain(Rng* r, ModelText* t, int n) {
  const bool planar = rng_int(r, 2), same = rng_int(r, 2);
  const double F = pow(10, rng_uniform(r, -3, 0.5));
  const double bend = rng_int(r, 3) ? rng_uniform(r, 0, 0.5) : 0;
  const double speed = rng_int(r, 2) ? rng_uniform(r, 0, 20) / n : 0;
  t->used = 0;
  model_add(t, "sarrus: 1\nbodies:\n");
  for (int i = 0; i < n; i++)
    model_add(t, "  b%d: {box: [0.2, 0.05, 0.05], at: [%.3f, 0, 0], mass: %.4f}\n", i,
              0.2 * i + 0.1, same ? 0.5 : rng_uniform(r, 0.2, 2));
  model_add(t, "joints:\n");
  for (int i = 0; i < n; i++)
    add_joint(t, r, i, planar || rng_int(r, 2) ? "y" : "z",
              same ? F : F * pow(10, rng_uniform(r, -1, 1)), bend, speed);
  return model_parse(t->text, NULL);
}

static void expect_like(const Run* a, const Run* b, unsigned long long seed) {
  const char* name = a->s->formulation->name;
  for (int i = 0; i < a->m->nv; i++)
    if (!(fabs(a->d->q[i] - b->d->q[i]) <= 1e-3) || !(fabs(a->d->v[i] - b->d->v[i]) <= 2e-2))
      fail_msg("seed %llu, %d joints, %s: joint %d at %.6g with %.6g, not %.6g with %.6g", seed,
               a->m->nv, name, i, a->d->q[i], a->d->v[i], b->d->q[i], b->d->v[i]);
  if (sar_stats(a->s).iterations_max > MOST_ITERATIONS)
    fail_msg("seed %llu, %s: %d iterations in a step", seed, name, sar_stats(a->s).iterations_max);
  for (int i = 0; i < a->m->nwork; i++)
    if (a->m->work[i].kind == SAR_WORK_DISSIPATION && !(a->d->work[i] <= 0))
      fail_msg("seed %llu, %s: friction has put in %g J", seed, name, a->d->work[i]);
}

static void chains_move_as_by_impulses(void** state) {
  (void)state;
  static ModelText t;
  const uint64_t first = test_seed(5000);
  for (int i = 0; i < test_effort(CHAINS); i++) {
    const unsigned long long seed = first + (uint64_t)i;
    Rng r = rng_seed(seed);
    const int n = 10 + rng_int(&r, LONGEST - 9);
    const Rng from = r;
    const SarSimOptions fine = run_options("impulse", 1e-4);
    Run b = run_open(random_chain(&r, &t, n), &fine);
    run_advance(&b, 0.06);
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++) {
      r = from;
      const SarSimOptions o = run_options(METHODS[k], 1e-3);
      Run a = run_open(random_chain(&r, &t, n), &o);
      if (sar_advance(a.s, 0.06) != SAR_OK)
        fail_msg("seed %llu, %d joints, %s: %s", seed, n, METHODS[k], sar_sim_trouble(a.s));
      expect_like(&a, &b, seed);
      run_close(&a);
    }
    run_close(&b);
  }
}

// The example of five links, with a hundred: all of it lets go at once. Energy is lost to friction and nothing else.
static void a_hundred_links_let_go(void** state) {
  (void)state;
  skip_if_sanitized();
  const SarParameter n = {"n", 100};
  const SarLoadOptions load = {.parameters = &n, .parameter_count = 1};
  for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++) {
    const SarSimOptions o = run_options(METHODS[k], 1e-3);
    Run a = run_open(model_file("chain.yaml", &load), &o);
    run_advance(&a, 0.05);
    SarEnergy e;
    EXPECT_OK(sar_energy(a.d, &e));
    EXPECT_NEAR(e.error, 0, 1e-5 * e.kinetic);
    run_close(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_move_as_by_impulses),
      cmocka_unit_test(a_hundred_links_let_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
