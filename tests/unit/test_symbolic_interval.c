// Interval arithmetic: values of random expressions lie within their bounds;
// domains are noticed.
#include "support/symbolic_fixture.h"

#include "symbolic/interval.h"

static SarInterval range_of(void* context, const char* name) {
  const SarInterval* ranges = context;
  return ranges[slot_of_symbol(NULL, name)];
}

static void values_lie_within(void** state) {
  (void)state;
  int bounded = 0;
  const int trials = test_effort(2000);
  for (int trial = 0; trial < trials; trial++) {
    const uint64_t seed = test_seed(77) + (uint64_t)trial;
    Rng r = rng_seed(seed);
    SarArena a;
    SarInterval ranges[SYMBOLS], bounds;
    bool defined;
    sar_arena_init(&a);
    SarGraph* g = sar_graph_new(&a);
    sar_graph_rules(g, trial % 2 ? SAR_EXACT : SAR_ALGEBRA);
    const Draft d = draw(&r, 1 + rng_int(&r, 15), trial % 4 < 2);
    const SarNode y = build(g, &d);
    for (int i = 0; i < SYMBOLS; i++) {
      ranges[i].lo = rng_uniform(&r, -2, 2);
      ranges[i].hi = ranges[i].lo + rng_uniform(&r, 0, 1);
    }
    assert_true(sar_sym_interval(g, 1, &y, range_of, ranges, &bounds, &defined));
    bounded += defined && isfinite(bounds.lo) && isfinite(bounds.hi);
    for (int k = 0; k < 10; k++) {
      double slots[SYMBOLS];
      for (int i = 0; i < SYMBOLS; i++) slots[i] = rng_uniform(&r, ranges[i].lo, ranges[i].hi);
      const double value = value_at(g, y, slots);
      if (!defined && !isfinite(value)) continue;
      if (!(value >= bounds.lo && value <= bounds.hi))
        fail_msg("seed %llu: %.17g is not in %.17g .. %.17g", (unsigned long long)seed, value,
                 bounds.lo, bounds.hi);
    }
    sar_arena_free(&a);
  }
  assert_true(bounded > trials / 3);
}

static void domains(void** state) {
  (void)state;
  SarArena a;
  sar_arena_init(&a);
  SarGraph* g = sar_graph_new(&a);
  const SarNode x = sar_sym_symbol(g, "x"), one = sar_sym_number(g, 1);
  const struct {
    SarNode node;
    double lo, hi;
    bool defined;
  } cases[] = {
      {sar_sym_div(g, one, x), 0.5, 2, true},
      {sar_sym_div(g, one, x), -1, 1, false},
      {sar_sym_sqrt(g, x), 0, 4, true},
      {sar_sym_sqrt(g, x), -1, 4, false},
      {sar_sym_call(g, SAR_OP_ACOS, x, SAR_NONE), -1, 1, true},
      {sar_sym_call(g, SAR_OP_ACOS, x, SAR_NONE), -1, 1.1, false},
      {sar_sym_sqrt(g, sar_sym_add(g, sar_sym_square(g, x), one)), -9, 9, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SarInterval ranges[SYMBOLS] = {{cases[i].lo, cases[i].hi}}, out;
    bool defined;
    assert_true(sar_sym_interval(g, 1, &cases[i].node, range_of, ranges, &out, &defined));
    assert_int_equal(defined, cases[i].defined);
  }
  sar_arena_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_lie_within),
                                     cmocka_unit_test(domains)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
