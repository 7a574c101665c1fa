// Implicit steps through singular positions: random members of the family of random_singular.h, random steps, rows and
// schemes of the Newmark family.
//
// Right branch and energy within the order of the method, or status 4 with a joint named; never a wrong result
// with status 0, and never more iterations than allowed. How many may end with status 4 is bounded too: it is a
// share that was measured (hybrid: 700 members, recursive: 250), with room for other seeds.
#include "support/singular_run.h"

enum { ITERATIONS = 20 };  // default of max_iterations

static void check(const char* name, int members, double refused) {
  const SarFormulation* f = NULL;
  for (int i = 0; sar_formulation(i); i++)
    if (strcmp(sar_formulation(i)->name, name) == 0) f = sar_formulation(i);
  assert_non_null(f);
  SingularTally t = {0};
  const uint64_t first = test_seed(1);
  const int n = test_effort(members);
  for (int k = 0; k < n; k++) singular_count(f, first + (uint64_t)k, -1, &t);
  singular_print(name, &t);
  assert_int_equal(t.count[SINGULAR_WRONG], 0);
  assert_in_range(t.iterations, 1, ITERATIONS);
  EXPECT_AT_MOST(t.count[SINGULAR_REFUSED], refused * n + 2);
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
