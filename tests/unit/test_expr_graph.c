// Expressions that use one another, as variables do: each of N definitions uses others further down
// more than once, so written out in full they have 2^N parts and more. In the graph they stay as
// large as their text, and so do derivatives, kinks and programs; values are those of evaluating
// one definition after the other, bit for bit.
#include "support/expr_fixture.h"

enum { LEVELS = 48, TEXT = 256 };

typedef struct Family {
  Fixture* f;
  char text[LEVELS][TEXT];  // level i uses p(i+1) ... ; the last ones are of x and t
  SarNode whole[LEVELS];
  Rng rng;
} Family;

static SarNode definition(void* context, SarNode symbol) {
  const Family* family = context;
  const char* name = sar_node_name(family->f->graph, symbol);
  return name[0] == 'p' ? family->whole[atoi(name + 1)] : SAR_NONE;
}

// Operations that keep values in -2 .. 2, so that no trial ends in NaN and hides the others.
static void draw(Family* family, int i) {
  static const char* const forms[] = {"sin(%s*%s)",           "0.5*%s + 0.5*%s",
                                      "cos(%s) - cos(%s)",    "max(%s, 0.3*%s)",
                                      "%s > 0.1 ? %s : -0.2", "clamp(%s + 0.1, -1, 1)*tanh(%s)",
                                      "abs(%s) - abs(%s)",    "tanh(%s/(2 + sin(%s)))",
                                      "min(%s, %s) + 0.01*t", "0.5*hypot(%s, 1)*%s/2"};
  char one[16], other[16];
  const int below = LEVELS - 1 - i;
  snprintf(one, sizeof one, "p%d", i + 1);
  snprintf(other, sizeof other, "p%d", i + 1 + rng_int(&family->rng, below < 2 ? 1 : 2));
  snprintf(family->text[i], TEXT, forms[rng_int(&family->rng, 10)], one, other);
}

static void make(Family* family, Fixture* f, uint64_t seed) {
  *family = (Family){.f = f, .rng = rng_seed(seed)};
  sar_arena_free(&f->arena);
  f->graph = sar_graph_new(&f->arena);
  sar_graph_rules(f->graph, SAR_EXACT);
  snprintf(family->text[LEVELS - 1], TEXT, "sin(x) + 0.3*t");
  for (int i = LEVELS - 2; i >= 0; i--) draw(family, i);
  for (int i = LEVELS - 1; i >= 0; i--) {
    const SarNode text = enter(f, parse(f, family->text[i]));
    assert_true(sar_sym_substitute(f->graph, 1, &text, definition, family, &family->whole[i]));
  }
}

// ---- values -------------------------------------------------------------------------------------

typedef struct Levels {
  double x, t, p[LEVELS];
} Levels;

static bool level_value(void* context, const char* name, double* value) {
  const Levels* l = context;
  *value = name[0] == 'x' ? l->x : name[0] == 't' ? l->t : l->p[atoi(name + 1)];
  return true;
}

static double one_by_one(const Family* family, double x, double t) {
  Levels l = {.x = x, .t = t};
  for (int i = LEVELS - 1; i >= 0; i--)
    assert_true(sar_expr_constant(parse(family->f, family->text[i]), level_value, &l, NULL, 0,
                                  &l.p[i], &family->f->err));
  return l.p[0];
}

static double at(Fixture* f, SarNode e, double x, double t) {
  f->slots[0] = x;
  f->slots[3] = t;
  return run_node(f, e);
}

static void values_are_those_of_the_text(void** state) {
  Fixture* f = *state;
  static Family family;
  for (int trial = 0; trial < test_effort(100); trial++) {
    const uint64_t seed = test_seed(1) + (uint64_t)trial;
    make(&family, f, seed);
    const double x = rng_uniform(&family.rng, -2, 2), t = rng_uniform(&family.rng, 0, 3);
    if (!same_bits(at(f, family.whole[0], x, t), one_by_one(&family, x, t)))
      fail_msg("seed %llu: %a is not %a", (unsigned long long)seed, at(f, family.whole[0], x, t),
               one_by_one(&family, x, t));
  }
}

// ---- size ---------------------------------------------------------------------------------------

// Parts of all that is made: definitions, two derivatives, kinks. A node has about 100 bytes.
static void everything_stays_small(void** state) {
  Fixture* f = *state;
  static Family family;
  for (int trial = 0; trial < test_effort(100); trial++) {
    const uint64_t seed = test_seed(1000) + (uint64_t)trial;
    SarKink* kinks;
    make(&family, f, seed);
    const int text = sar_graph_count(f->graph);
    const SarNode d = derivative(f, family.whole[0], "x"), dd = derivative(f, d, "x");
    const int n = sar_expr_kinks(f->graph, family.whole[0], "t", &kinks);
    if (text > 10 * LEVELS || dd < 0 || sar_graph_count(f->graph) > 200 * LEVELS ||
        n > 4 * LEVELS || f->arena.total > 8u << 20)
      fail_msg("seed %llu: %d nodes of text, %d in all, %d kinks, %zu bytes",
               (unsigned long long)seed, text, sar_graph_count(f->graph), n, f->arena.total);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < i; k++)
        assert_true(kinks[i].is_time != kinks[k].is_time || kinks[i].g != kinks[k].g ||
                    kinks[i].time != kinks[k].time);
  }
}

// Where nothing switches near, the derivative is the limit of differences.
static void derivatives_hold(void** state) {
  Fixture* f = *state;
  static Family family;
  int checked = 0;
  for (int trial = 0; trial < test_effort(200); trial++) {
    const uint64_t seed = test_seed(2000) + (uint64_t)trial;
    make(&family, f, seed);
    const SarNode d = derivative(f, family.whole[0], "x");
    const double x = rng_uniform(&family.rng, -1, 1), t = rng_uniform(&family.rng, 0, 3), h = 1e-6;
    const double slope = at(f, d, x, t), left = at(f, d, x - h, t), right = at(f, d, x + h, t);
    const double scale = 1 + fabs(slope);
    if (fabs(left - slope) > 1e-3 * scale || fabs(right - slope) > 1e-3 * scale)
      continue;  // a kink
    const double ratio =
        (at(f, family.whole[0], x + h, t) - at(f, family.whole[0], x - h, t)) / (2 * h);
    // where a branch jumps within the step the difference is no derivative
    if (fabs(ratio) > 1e4) continue;
    checked++;
    if (fabs(ratio - slope) > 1e-3 * scale)
      fail_msg("seed %llu: slope %g, difference %g", (unsigned long long)seed, slope, ratio);
  }
  assert_true(checked > test_effort(200) / 2);
}

// ---- sharing ------------------------------------------------------------------------------------

static void equal_texts_are_one_node(void** state) {
  Fixture* f = *state;
  const char* const same[][2] = {{"sin(x) + y*2", "sin( x )+(y*2)"},
                                 {"table(x, 0, 1, 2, 3)", "table(x, 0, 1, 1 + 1, 3)"},
                                 {"clamp(x, 0, y) ^ 2", "clamp(x,0,y)^2"},
                                 {"x < 1 ? y : z", "if(x < 1, y, z)"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    assert_int_equal(enter(f, parse(f, same[i][0])), enter(f, parse(f, same[i][1])));
  assert_int_not_equal(enter(f, parse(f, "x*y")), enter(f, parse(f, "x*z")));
  const double zero = 0;
  assert_int_not_equal(enter(f, sar_expr_number(&f->arena, zero)),
                       enter(f, sar_expr_number(&f->arena, -zero)));
}

// Nesting has no bound, the number of nodes has, and passing it is no lack of memory.
static void size_is_bounded(void** state) {
  Fixture* f = *state;
  static Family family;
  family = (Family){.f = f};
  const SarNode step = enter(f, parse(f, "sin(p1) + 1"));
  family.whole[1] = enter(f, parse(f, "x"));
  sar_graph_bound(f->graph, 10000);
  int levels = 0;
  while (sar_sym_substitute(f->graph, 1, &step, definition, &family, &family.whole[1])) levels++;
  assert_true(sar_graph_refused(f->graph) && !f->arena.failed);
  assert_true(levels > 4000);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(values_are_those_of_the_text), TEST(everything_stays_small), TEST(derivatives_hold),
      TEST(equal_texts_are_one_node),     TEST(size_is_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
