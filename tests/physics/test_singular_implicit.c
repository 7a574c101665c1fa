// Implicit steps through singular positions: random members of the family of random_singular.h, random steps, rows and
// schemes of the Newmark family.
//
// Right branch and energy within the order of the method, or status 4 with a joint named; never a wrong result
// with status 0, and never more iterations than allowed. How many may end with status 4 is bounded too: it is a
// share that was measured (hybrid: 700 members, recursive: 250), with room for other seeds.
#include "support/singular_run.h"

enum { ITERATIONS = 20 };  // default of max_iterations

typedef struct Tally {
  int passed, refused, iterations;
  double energy;  // largest, over its bound
} Tally;

static void run_member(const SarFormulation* f, uint64_t seed, Tally* tally) {
  static SingularMember p;
  SingularRun run;
  Rng r = rng_seed(seed * 77 + 5);
  singular_random(seed, &p);
  if (!singular_draw_run(&r, &p, f, &run)) return;
  const SingularOutcome o = singular_run(&p, &run);
  if (o.verdict == SINGULAR_WRONG)
    fail_msg(
        "%s, seed %llu, %s of %d links, %s, h = %g, %s: energy %g of %g, apart %g, late %g; %s",
        f->name, (unsigned long long)seed, SINGULAR_NAME[p.motion.kind], p.motion.links,
        run.integrator->name, run.step, run.absolute ? "absolute" : "relative", o.energy, o.bound,
        o.apart, o.late, o.said);
  tally->passed += o.verdict == SINGULAR_PASSED;
  tally->refused += o.verdict == SINGULAR_REFUSED;
  if (o.iterations > tally->iterations) tally->iterations = o.iterations;
  if (o.verdict == SINGULAR_PASSED) tally->energy = fmax(tally->energy, o.energy / o.bound);
}

static void check(const char* name, int members, double refused) {
  const SarFormulation* f = NULL;
  for (int i = 0; sar_formulation(i); i++)
    if (strcmp(sar_formulation(i)->name, name) == 0) f = sar_formulation(i);
  assert_non_null(f);
  Tally t = {0};
  const uint64_t first = test_seed(1);
  const int n = test_effort(members);
  for (int k = 0; k < n; k++) run_member(f, first + (uint64_t)k, &t);
  print_message(
      "%s: %d passed, %d with status 4, energy at most %.2f of its bound, %d iterations\n", name,
      t.passed, t.refused, t.energy, t.iterations);
  assert_in_range(t.iterations, 1, ITERATIONS);
  EXPECT_AT_MOST(t.refused, refused * n + 2);
}

static void hybrid_passes(void** state) {
  (void)state;
  check("hybrid", 80, 0.02);
}

// Fixed-point iteration in absolute coordinates of spatial models, all rows redundant with others, ends more
// often; planar ones and relative coordinates pass.
static void recursive_passes(void** state) {
  (void)state;
  check("recursive", 40, 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hybrid_passes),
                                     cmocka_unit_test(recursive_passes)};
  return cmocka_run_group_tests_name("implicit steps through singular positions", tests, NULL,
                                     NULL);
}
