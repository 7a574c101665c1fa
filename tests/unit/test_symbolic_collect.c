// Simplification for reading: the same values in another form, known forms,
// bounds.
#include "support/symbolic_fixture.h"

#include "symbolic/collect.h"

// Values of random expressions stay what they are, up to rounding.
static void values_stay(void** state) {
  (void)state;
  int shorter = 0, compared = 0;
  for (int trial = 0; trial < test_effort(1000); trial++) {
    const uint64_t seed = test_seed(31) + (uint64_t)trial;
    Rng r = rng_seed(seed);
    SarArena a;
    sar_arena_init(&a);
    SarGraph* g = sar_graph_new(&a);
    const Draft d = draw(&r, 1 + rng_int(&r, 18), true);
    const SarNode y = build(g, &d);
    SarNode collected;
    assert_true(sar_sym_collect(g, 1, &y, 0, NULL, NULL, NULL, &collected));
    for (int k = 0; k < 3; k++) {
      double slots[SYMBOLS];
      for (int i = 0; i < SYMBOLS; i++) slots[i] = rng_uniform(&r, -2, 2);
      const double value = value_at(g, collected, slots), expected = compute(&d, slots);
      // powers up to the 16th of values of a few units: sums of large terms
      // that cancel
      if (fabs(expected) > 1e3) continue;
      compared++;
      if (!(fabs(value - expected) <= 1e-7 * (1 + fabs(expected))))
        fail_msg("seed %llu: %.17g is not %.17g", (unsigned long long)seed, value, expected);
    }
    SarOpCount before, after;
    assert_true(sar_sym_count(g, 1, &y, &before) && sar_sym_count(g, 1, &collected, &after));
    shorter += after.add + after.mul < before.add + before.mul;
    sar_arena_free(&a);
  }
  assert_true(compared > test_effort(1000));
  assert_true(shorter > 0 || compared < 100);
}

static void known_forms(void** state) {
  (void)state;
  SarArena a;
  sar_arena_init(&a);
  SarGraph* g = sar_graph_new(&a);
  const SarNode x = sar_sym_symbol(g, "x"), y = sar_sym_symbol(g, "y"), z = sar_sym_symbol(g, "z"),
                sx = sar_sym_sin(g, x), cx = sar_sym_cos(g, x), sy = sar_sym_sin(g, y),
                cy = sar_sym_cos(g, y), one = sar_sym_number(g, 1);
#define MUL(p, q) sar_sym_mul(g, (p), (q))
#define ADD(p, q) sar_sym_add(g, (p), (q))
#define SUB(p, q) sar_sym_sub(g, (p), (q))
  const struct {
    SarNode node;
    const char* text;
  } cases[] = {
      {MUL(ADD(x, y), SUB(x, y)), "x^2 - y^2"},
      {SUB(MUL(z, ADD(x, y)), MUL(z, x)), "y*z"},
      {ADD(MUL(sx, cy), MUL(cx, sy)), "sin(x + y)"},
      {SUB(MUL(sx, cy), MUL(cx, sy)), "sin(x - y)"},
      {SUB(MUL(cx, cy), MUL(sx, sy)), "cos(x + y)"},
      {ADD(MUL(MUL(z, cx), cy), MUL(sx, MUL(sy, z))), "z*cos(x - y)"},
      {ADD(MUL(MUL(z, sx), sx), MUL(cx, MUL(cx, z))), "z"},
      {SUB(one, MUL(sx, sx)), "cos(x)^2"},
      {sar_sym_div(g, MUL(x, MUL(y, z)), MUL(z, y)), "x"},
      {sar_sym_div(g, ADD(MUL(x, y), x), x), "y + 1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SarNode out;
    assert_true(sar_sym_collect(g, 1, &cases[i].node, 0, NULL, NULL, NULL, &out));
    assert_string_equal(
        sar_sym_print(&a, g, out, &(SarPrinter){.style = SAR_PRINT_TEXT, .flat = true}),
        cases[i].text);
  }
  sar_arena_free(&a);
}

// (x + y)(x + y)... a hundred times would have a hundred terms and large
// numbers: it stays as it is.
static void large_ones_stay(void** state) {
  (void)state;
  SarArena a;
  sar_arena_init(&a);
  SarGraph* g = sar_graph_new(&a);
  SarNode p = sar_sym_number(g, 1), out;
  for (int i = 0; i < 40; i++) {
    char name[16];
    snprintf(name, sizeof name, "a%d", i);
    const SarNode s = sar_sym_add(g, sar_sym_symbol(g, name), sar_sym_symbol(g, "b"));
    p = sar_sym_mul(g, p, s);
  }
  assert_true(sar_sym_collect(g, 1, &p, 0, NULL, NULL, NULL, &out));
  SarOpCount count;
  assert_true(sar_sym_count(g, 1, &out, &count));
  assert_true(count.add + count.mul < 3000);
  sar_arena_free(&a);
}

static bool at_once(void* context) {
  ++*(int*)context;
  return true;
}

static void can_be_stopped(void** state) {
  (void)state;
  SarArena a;
  int asked = 0;
  sar_arena_init(&a);
  SarGraph* g = sar_graph_new(&a);
  const SarNode x = sar_sym_symbol(g, "x");
  SarNode out;
  assert_false(sar_sym_collect(g, 1, &x, 0, NULL, at_once, &asked, &out));
  assert_int_equal(asked, 1);
  sar_arena_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_stay),
      cmocka_unit_test(known_forms),
      cmocka_unit_test(large_ones_stay),
      cmocka_unit_test(can_be_stopped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
