// The symbolic graph: values of random expressions, identities, derivatives, tapes, bounds.
#include "support/symbolic_fixture.h"

typedef struct World {
  SarArena arena;
  SarGraph* g;
} World;

static int setup(void** state) {
  static World w;
  sar_arena_init(&w.arena);
  w.g = sar_graph_new(&w.arena);
  *state = &w;
  return 0;
}

static int teardown(void** state) {
  World* w = *state;
  sar_arena_free(&w->arena);
  return 0;
}

static void draw_slots(Rng* r, double* slots) {
  for (int i = 0; i < SYMBOLS; i++) slots[i] = rng_uniform(r, -2, 2);
}

// ---- values -------------------------------------------------------------------------------------

// Built exactly, a graph has the bits of the program it was built from: also of infinities and NaN.
static void exact_graphs_keep_every_bit(void** state) {
  World* w = *state;
  for (int trial = 0; trial < test_effort(3000); trial++) {
    const uint64_t seed = test_seed(1) + (uint64_t)trial;
    Rng r = rng_seed(seed);
    double slots[SYMBOLS];
    const Draft d = draw(&r, 1 + rng_int(&r, MOST_LINES), trial % 2);
    sar_graph_rules(w->g, SAR_EXACT);
    const SarNode y = build(w->g, &d);
    for (int k = 0; k < 3; k++) {
      draw_slots(&r, slots);
      if (k == 2) slots[rng_int(&r, SYMBOLS)] = 0;
      if (!equal_bits(value_at(w->g, y, slots), compute(&d, slots)))
        fail_msg("seed %llu: %a is not %a", (unsigned long long)seed, value_at(w->g, y, slots),
                 compute(&d, slots));
    }
  }
}

// Identities of algebra change roundings, no more. Values and slopes are a few units, the chains 40
// lines: 1e-9 is far above what roundings add up to, and far below any wrong term.
static void algebra_changes_roundings_only(void** state) {
  World* w = *state;
  int far = 0;
  const int trials = test_effort(3000);
  for (int trial = 0; trial < trials; trial++) {
    const uint64_t seed = test_seed(100000) + (uint64_t)trial;
    Rng r = rng_seed(seed);
    double slots[SYMBOLS];
    const Draft d = draw(&r, 1 + rng_int(&r, 40), true);
    const SarNode y = build(w->g, &d);
    draw_slots(&r, slots);
    const double value = value_at(w->g, y, slots), expected = compute(&d, slots);
    far += fabs(expected) > 1e6;
    if (fabs(expected) < 1e6 && !(fabs(value - expected) <= 1e-9 * (1 + fabs(expected))))
      fail_msg("seed %llu: %.17g is not %.17g", (unsigned long long)seed, value, expected);
  }
  assert_true(far < trials / 10);
}

static SarNode doubled(void* context, SarNode symbol) {
  World* w = context;
  return strcmp(sar_node_name(w->g, symbol), "x") == 0
             ? sar_sym_mul(w->g, sar_sym_number(w->g, 2), symbol)
             : SAR_NONE;
}

static void substitution_and_copies(void** state) {
  World* w = *state;
  SarArena other;
  sar_arena_init(&other);
  SarGraph* h = sar_graph_new(&other);
  for (int trial = 0; trial < test_effort(500); trial++) {
    Rng r = rng_seed(test_seed(7) + (uint64_t)trial);
    double slots[SYMBOLS];
    const Draft d = draw(&r, 30, false);
    sar_graph_rules(w->g, SAR_EXACT);
    sar_graph_rules(h, SAR_EXACT);
    const SarNode y = build(w->g, &d);
    SarNode twice, copy;
    assert_true(sar_sym_substitute(w->g, 1, &y, doubled, w, &twice));
    assert_true(sar_sym_copy(w->g, 1, &y, h, &copy));
    draw_slots(&r, slots);
    assert_true(equal_bits(value_at(h, copy, slots), compute(&d, slots)));
    const double before = value_at(w->g, twice, slots);
    slots[0] *= 2;
    assert_true(equal_bits(before, compute(&d, slots)));
  }
  sar_arena_free(&other);
}

// ---- identities ---------------------------------------------------------------------------------

static void identities(void** state) {
  World* w = *state;
  SarGraph* g = w->g;
  const SarNode x = sar_sym_symbol(g, "x"), y = sar_sym_symbol(g, "y"), zero = sar_sym_number(g, 0),
                one = sar_sym_number(g, 1), two = sar_sym_number(g, 2),
                three = sar_sym_number(g, 3);
  const SarNode s = sar_sym_sin(g, x), c = sar_sym_cos(g, x), minus_x = sar_sym_neg(g, x);
#define IS(a, b) assert_int_equal(a, b)
  IS(sar_sym_add(g, x, y), sar_sym_add(g, y, x));
  IS(sar_sym_mul(g, x, y), sar_sym_mul(g, y, x));
  IS(sar_sym_mul(g, x, zero), zero);
  IS(sar_sym_mul(g, x, one), x);
  IS(sar_sym_add(g, zero, x), x);
  IS(sar_sym_sub(g, x, x), zero);
  IS(sar_sym_div(g, x, x), one);
  IS(sar_sym_div(g, sar_sym_mul(g, x, y), y), x);
  IS(sar_sym_add(g, x, x), sar_sym_mul(g, two, x));
  IS(sar_sym_add(g, sar_sym_mul(g, two, x), x), sar_sym_mul(g, x, three));
  IS(sar_sym_sub(g, sar_sym_mul(g, three, x), sar_sym_mul(g, two, x)), x);
  IS(sar_sym_mul(g, minus_x, y), sar_sym_neg(g, sar_sym_mul(g, x, y)));
  IS(sar_sym_mul(g, minus_x, minus_x), sar_sym_square(g, x));
  IS(sar_sym_neg(g, minus_x), x);
  IS(sar_sym_add(g, x, minus_x), zero);
  IS(sar_sym_sub(g, y, minus_x), sar_sym_add(g, x, y));
  IS(sar_sym_neg(g, sar_sym_sub(g, x, y)), sar_sym_sub(g, y, x));
  IS(sar_sym_add(g, sar_sym_sub(g, x, y), y), x);
  IS(sar_sym_sub(g, sar_sym_add(g, x, y), x), y);
  IS(sar_sym_add(g, sar_sym_add(g, x, one), two), sar_sym_add(g, x, three));
  IS(sar_sym_sin(g, minus_x), sar_sym_neg(g, s));
  IS(sar_sym_cos(g, minus_x), c);
  IS(sar_sym_add(g, sar_sym_square(g, s), sar_sym_square(g, c)), one);
  IS(sar_sym_add(g, sar_sym_mul(g, sar_sym_mul(g, y, s), s),
                 sar_sym_mul(g, sar_sym_mul(g, y, c), c)),
     y);
  IS(sar_sym_pow(g, x, two), sar_sym_square(g, x));
  IS(sar_sym_select(g, x, y, y), y);
}

static void fractions(void** state) {
  World* w = *state;
  SarGraph* g = w->g;
  int64_t num, den;
  const SarNode third = sar_sym_rational(g, 2, 6), x = sar_sym_symbol(g, "x");
  assert_true(sar_node_rational(g, third, &num, &den) && num == 1 && den == 3);
  assert_int_equal(third, sar_sym_rational(g, -1, -3));
  assert_int_equal(sar_sym_mul(g, third, sar_sym_number(g, 3)), sar_sym_number(g, 1));
  assert_int_equal(sar_sym_add(g, third, sar_sym_rational(g, 1, 6)), sar_sym_rational(g, 1, 2));
  assert_int_equal(sar_sym_div(g, x, sar_sym_rational(g, 1, 2)),
                   sar_sym_mul(g, x, sar_sym_number(g, 2)));
  assert_true(sar_node_rational(g, sar_sym_number(g, -7), &num, &den) && num == -7 && den == 1);
  assert_false(sar_node_rational(g, sar_sym_number(g, 0.1), &num, &den));
  // what 64 bits do not hold is rounded, not wrong
  SarNode n = third;
  for (int i = 0; i < 60; i++) n = sar_sym_mul(g, n, third);
  double value;
  assert_true(sar_node_is_number(g, n, &value));
  EXPECT_NEAR(value * pow(3, 61), 1, 1e-13);
}

// ---- derivatives --------------------------------------------------------------------------------

// Differences of order h^4 by Richardson's extrapolation.
static double slope_by_differences(const Draft* d, const double* at, int symbol, double h) {
  double p[SYMBOLS], by[2];
  for (int k = 0; k < 2; k++) {
    const double step = k ? 2 * h : h;
    memcpy(p, at, sizeof p);
    p[symbol] = at[symbol] + step;
    const double after = compute(d, p);
    p[symbol] = at[symbol] - step;
    by[k] = (after - compute(d, p)) / (2 * step);
  }
  return (4 * by[0] - by[1]) / 3;
}

// Forward and reverse mode agree with each other to rounding and with differences to their order.
static void derivatives(void** state) {
  World* w = *state;
  int checked = 0;
  const int trials = test_effort(2000);
  for (int trial = 0; trial < trials; trial++) {
    const uint64_t seed = test_seed(500000) + (uint64_t)trial;
    Rng r = rng_seed(seed);
    double at[SYMBOLS], forward[SYMBOLS], reverse[SYMBOLS];
    const Draft d = draw(&r, 1 + rng_int(&r, 20), true);
    const SarNode y = build(w->g, &d);
    SarNode symbol[SYMBOLS], by_forward[SYMBOLS], by_reverse[SYMBOLS];
    for (int i = 0; i < SYMBOLS; i++) {
      symbol[i] = sar_sym_symbol(w->g, symbol_names[i]);
      by_forward[i] = sar_sym_diff(w->g, y, symbol[i]);
    }
    assert_true(sar_sym_reverse(w->g, 1, &y, NULL, SYMBOLS, symbol, by_reverse));
    draw_slots(&r, at);
    evaluate(w->g, SYMBOLS, by_forward, at, forward);
    evaluate(w->g, SYMBOLS, by_reverse, at, reverse);
    for (int i = 0; i < SYMBOLS; i++) {
      const double fine = slope_by_differences(&d, at, i, 1e-4),
                   coarse = slope_by_differences(&d, at, i, 2e-4), scale = 1 + fabs(fine);
      if (!(fabs(forward[i] - reverse[i]) <= 1e-9 * (1 + fabs(forward[i]))))
        fail_msg("seed %llu: forward %.15g, reverse %.15g", (unsigned long long)seed, forward[i],
                 reverse[i]);
      // where differences agree with each other they are right
      if (!(fabs(fine - coarse) < 1e-8 * scale)) continue;
      checked++;
      if (!(fabs(forward[i] - fine) <= 1e-6 * scale))
        fail_msg("seed %llu: derivative %.15g, difference %.15g", (unsigned long long)seed,
                 forward[i], fine);
    }
  }
  assert_true(checked > 2 * trials);
}

static void jacobians(void** state) {
  World* w = *state;
  SarGraph* g = w->g;
  Rng r = rng_seed(test_seed(3));
  SarNode y[6], symbol[SYMBOLS], wide[2 * SYMBOLS], tall[6 * SYMBOLS];
  for (int i = 0; i < 6; i++) {
    const Draft d = draw(&r, 12, true);
    y[i] = build(g, &d);
  }
  for (int i = 0; i < SYMBOLS; i++) symbol[i] = sar_sym_symbol(g, symbol_names[i]);
  assert_true(sar_sym_jacobian(g, 6, y, SYMBOLS, symbol, tall));
  assert_true(sar_sym_jacobian(g, 2, y, SYMBOLS, symbol, wide));
  double at[SYMBOLS];
  draw_slots(&r, at);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < SYMBOLS; k++) {
      const double value = value_at(g, sar_sym_diff(g, y[i], symbol[k]), at);
      EXPECT_NEAR(value_at(g, tall[i * SYMBOLS + k], at), value, 1e-10 * (1 + fabs(value)));
      if (i < 2)
        EXPECT_NEAR(value_at(g, wide[i * SYMBOLS + k], at), value, 1e-10 * (1 + fabs(value)));
    }
}

// A gradient costs a few times its function, however many symbols there are.
static void reverse_mode_is_cheap(void** state) {
  World* w = *state;
  SarGraph* g = w->g;
  enum { MANY = 200 };
  SarNode symbol[MANY], gradient[MANY], y = sar_sym_number(g, 0);
  for (int i = 0; i < MANY; i++) {
    char name[16];
    snprintf(name, sizeof name, "p%d", i);
    symbol[i] = sar_sym_symbol(g, name);
    y = sar_sym_sin(g, sar_sym_add(g, sar_sym_mul(g, y, symbol[i]), symbol[i]));
  }
  SarOpCount f, df;
  assert_true(sar_sym_count(g, 1, &y, &f));
  assert_true(sar_sym_reverse(g, 1, &y, NULL, MANY, symbol, gradient));
  assert_true(sar_sym_count(g, MANY, gradient, &df));
  const int plain = f.add + f.mul + f.trig, all = df.add + df.mul + df.div + df.trig + df.other;
  if (all > 5 * plain) fail_msg("%d operations for the gradient of %d", all, plain);
}

// ---- tapes and bounds ---------------------------------------------------------------------------

// What is shared is computed once, and long chains need few registers.
static void tapes_are_small(void** state) {
  World* w = *state;
  SarGraph* g = w->g;
  SarNode x = sar_sym_symbol(g, "x"), y = x;
  for (int i = 0; i < 100; i++) y = sar_sym_mul(g, sar_sym_sin(g, y), sar_sym_cos(g, y));
  SarTape tape;
  assert_true(sar_tape_build(&w->arena, g, 1, &y, slot_of_symbol, NULL, &tape));
  assert_true(tape.registers <= 3);
  const SarNode both[] = {y, sar_sym_diff(g, y, x), x, sar_sym_number(g, 3), y};
  assert_true(sar_tape_build(&w->arena, g, 5, both, slot_of_symbol, NULL, &tape));
  assert_true(tape.count < 1000 && tape.registers < 300);
  double slots[SYMBOLS] = {0.3}, scratch[300], results[5];
  sar_tape_eval(&tape, slots, scratch, results);
  assert_true(results[2] == 0.3 && results[3] == 3 && results[4] == results[0]);
  assert_false(sar_tape_build(&w->arena, g, 1, (SarNode[]){sar_sym_symbol(g, "stranger")},
                              slot_of_symbol, NULL, &tape));
}

// A chain of a million levels: no pass recurses.
static void depth_is_no_matter(void** state) {
  World* w = *state;
  SarGraph* g = w->g;
  const int levels = test_effort(300000);
  SarNode x = sar_sym_symbol(g, "x"), y = x, dy;
  for (int i = 0; i < levels; i++) y = sar_sym_sin(g, sar_sym_add(g, y, x));
  dy = sar_sym_diff(g, y, x);
  assert_true(dy >= 0);
  const double slots[SYMBOLS] = {0.5};
  assert_true(isfinite(value_at(g, y, slots)) && isfinite(value_at(g, dy, slots)));
  assert_null(sar_sym_print(&w->arena, g, y, &(SarPrinter){.style = SAR_PRINT_TEXT}));
}

// What was built exactly may be nested in forms that algebra takes apart: it stops after a few
// levels.
static void exact_chains_do_not_nest_rules(void** state) {
  World* w = *state;
  SarGraph* g = w->g;
  const int levels = test_effort(300000);
  const SarNode one = sar_sym_number(g, 1), x = sar_sym_symbol(g, "x");
  SarNode sum = x, difference = x, product = x;
  sar_graph_rules(g, SAR_EXACT);
  for (int i = 0; i < levels; i++) {
    sum = sar_sym_add(g, sum, one);
    difference = sar_sym_sub(g, one, difference);
    product = sar_sym_mul(g, sar_sym_number(g, 1.0001), sar_sym_neg(g, product));
  }
  sar_graph_rules(g, SAR_ALGEBRA);
  assert_true(sar_sym_add(g, sum, one) >= 0);
  assert_true(sar_sym_sub(g, one, difference) >= 0);
  assert_true(sar_sym_neg(g, sar_sym_mul(g, product, sar_sym_number(g, 3))) >= 0);
}

static void nodes_are_bounded(void** state) {
  World* w = *state;
  SarGraph* g = w->g;
  sar_graph_bound(g, 100);
  SarNode y = sar_sym_symbol(g, "x");
  for (int i = 0; i < 200; i++) y = sar_sym_sin(g, y);
  assert_int_equal(y, SAR_NONE);
  assert_true(sar_graph_refused(g) && sar_graph_count(g) == 100 && !w->arena.failed);
  assert_int_equal(sar_sym_diff(g, 50, 0), SAR_NONE);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(exact_graphs_keep_every_bit),
      TEST(algebra_changes_roundings_only),
      TEST(substitution_and_copies),
      TEST(identities),
      TEST(fractions),
      TEST(derivatives),
      TEST(jacobians),
      TEST(reverse_mode_is_cheap),
      TEST(tapes_are_small),
      TEST(depth_is_no_matter),
      TEST(exact_chains_do_not_nest_rules),
      TEST(nodes_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
