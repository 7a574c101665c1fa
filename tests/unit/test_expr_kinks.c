// Kinks: which are found, which times are solved exactly, and the sequence of periodic ones.
#include "support/expr_fixture.h"

static int kinks_of(Fixture* f, const char* text, SarKink** kinks) {
  return sar_expr_kinks(f->graph, enter(f, parse(f, text)), "t", kinks);
}

// kinks at certain times, once: exact to the bit where the text gives the time, else to rounding
static void times(void** state) {
  Fixture* f = *state;
  const struct {
    const char* text;
    int count;
    double time[4];
    double tolerance;
  } cases[] = {
      {"t < 0.1 ? 1 : 2", 1, {0.1}, 0},
      {"step(t - 0.1)", 1, {0.1}, 0},
      {"0.3 > t", 1, {0.3}, 0},
      {"piecewise(t < 0.1, 1, t < 0.7, 2, 3)", 2, {0.7, 0.1}, 0},
      {"pulse(t, 0.1, 0.7)", 2, {0.1, 0.7}, 0},
      {"table(t, 0.1, 1, 0.2, 5, 0.7, 9)", 3, {0.1, 0.2, 0.7}, 0},
      {"abs(2*t - 1)", 1, {0.5}, 0},
      {"max(t, 0.3)", 1, {0.3}, 0},
      {"min(t/3, 2)", 1, {6}, 0},
      {"clamp(t, 0.1, 0.7)", 2, {0.1, 0.7}, 0},
      {"ramp(t, 0.1, 0.7)", 2, {0.1, 0.7}, 2e-16},
      {"smoothstep(t, 0.1, 0, 0.7, 5)", 2, {0.1, 0.7}, 2e-16},
      {"quintic(t, 0.1, x, 0.7, y)", 2, {0.1, 0.7}, 2e-16},
      {"sin(x)*(t > 3) + (3 < t)", 1, {3}, 0},  // found twice, listed once
      {"abs(t - 2) < 0.5", 2, {2.5, 1.5}, 0},   // not at 2: the comparison does not notice it
      {"not (t < 1 and -t > -2)", 2, {1, 2}, 0},
      {"x + sin(t)", 0, {0}, 0},
      {"abs(3) + (1 < 2)", 0, {0}, 0},
      {"sin(t) > 2", 0, {0}, 0},
      {"t % 2 > 3", 0, {0}, 0},  // apart from the jumps of % itself, checked below
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    SarKink* kinks;
    int n = kinks_of(f, cases[i].text, &kinks), once = 0;
    for (int k = 0; k < n; k++) {
      if (kinks[k].period > 0) continue;
      assert_true(kinks[k].is_time);
      assert_int_equal(kinks[k].g, SAR_NONE);
      bool found = false;
      for (int j = 0; j < cases[i].count; j++)
        found = found || fabs(kinks[k].time - cases[i].time[j]) <= cases[i].tolerance;
      if (!found) fail_msg("%s: no kink expected at %.17g", cases[i].text, kinks[k].time);
      once++;
    }
    if (once != cases[i].count)
      fail_msg("%s: %d kinks, expected %d", cases[i].text, once, cases[i].count);
  }
}

// a switching function changes its sign where the expression switches
static void switching_functions(void** state) {
  Fixture* f = *state;
  const struct {
    const char *text, *g;
  } cases[] = {
      {"x < 1 ? 2 : 3", "x - 1"},
      {"x > y ? 2 : 3", "x - y"},
      {"abs(x*y)", "x*y"},
      {"min(x, y)", "x - y"},
      {"sign(x)", "x"},
      {"step(x - y)", "x - y"},
      {"if(x, 1, 2)", "x"},
      {"2*t < t + 1", "t - 1"},
      {"sqrt(t) > 2", "sqrt(t) - 2"},
      {"deadzone(x, 0.1) + 0*t", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    SarKink* kinks;
    int n = kinks_of(f, cases[i].text, &kinks);
    assert_int_equal(n, cases[i].g ? 1 : 2);
    for (int k = 0; k < n; k++)
      assert_true(!kinks[k].is_time && kinks[k].g >= 0 && kinks[k].period == 0);
    if (!cases[i].g) continue;
    const double samples[][4] = {{0.3, 0.8, 0, 0.2}, {1.7, -2, 0, 9}, {-4, 5, 0, 3}};
    for (int s = 0; s < 3; s++) {
      memcpy(f->slots, samples[s], sizeof f->slots);
      double g = run_node(f, kinks[0].g), expected = value_of(f, cases[i].g);
      assert_true((g > 0) == (expected > 0) && (g < 0) == (expected < 0));
    }
  }
}

static void what_is_no_kink(void** state) {
  Fixture* f = *state;
  SarKink* kinks;
  assert_int_equal(kinks_of(f, "sin(x)*t^2 + hypot(x, y)", &kinks), 0);
  assert_int_equal(kinks_of(f, "floor(x) + x % 0.5", &kinks),
                   0);  // counts through: would stop every step
  assert_int_equal(kinks_of(f, "x == 1", &kinks), 0);
}

static void periodic(void** state) {
  Fixture* f = *state;
  const struct {
    const char* text;
    int count;
    double phase[3], period;
  } cases[] = {
      {"t % 0.5", 1, {0}, 0.5},
      {"t % 0.5 < 0.125", 2, {0, 0.125}, 0.5},
      {"floor(4*t)", 1, {0}, 0.25},
      {"ceil(t - 0.25)", 1, {0.25}, 1},
      {"sign(sin(2*pi*t))", 1, {0}, 0.5},
      {"sin(pi*t) > 0.5", 2, {1.0 / 6, 5.0 / 6}, 2},
      {"cos(pi*t) > 0.5", 2, {1.0 / 3, 5.0 / 3}, 2},
      {"abs(sin(pi*t))", 1, {0}, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    SarKink* kinks;
    assert_int_equal(kinks_of(f, cases[i].text, &kinks), cases[i].count);
    for (int k = 0; k < cases[i].count; k++) {
      assert_false(kinks[k].is_time);
      EXPECT_NEAR(kinks[k].period, cases[i].period, 1e-15);
      double off = 1;
      for (int j = 0; j < cases[i].count; j++)
        off = fmin(off, fabs(kinks[k].time - cases[i].phase[j]));
      EXPECT_AT_MOST(off, 1e-15);
      // the switching function passes through 0 at the same times
      for (int n = 0; n < 4; n++) {
        double g[2];
        for (int side = 0; side < 2; side++) {
          f->slots[3] = kinks[k].time + n * kinks[k].period + (side ? 1e-6 : -1e-6);
          g[side] = run_node(f, kinks[k].g);
        }
        assert_true(g[0] * g[1] < 0);
      }
    }
  }
}

static void next_time(void** state) {
  (void)state;
  double next;
  SarKink once = {.is_time = true, .time = 2};
  assert_true(sar_kink_next(&once, 1.9, &next) && next == 2);
  assert_false(sar_kink_next(&once, 2, &next));
  SarKink never = {0};
  assert_false(sar_kink_next(&never, -1, &next));
  // 0.1 is no binary fraction: a million periods must neither stick nor skip
  SarKink often = {.time = 0.03, .period = 0.1};
  double t = -0.05;
  for (int n = 0; n < 1000000; n++) {
    assert_true(sar_kink_next(&often, t, &next));
    assert_true(next == 0.03 + n * 0.1);
    t = next;
  }
}

// each abs doubles the solutions: a deep nest must not take 2^90 steps
static void nested_abs(void** state) {
  Fixture* f = *state;
  SarKink* kinks;
  char text[2048] = "t";
  for (int i = 0; i < 90; i++) {
    char inner[2048];
    memcpy(inner, text, sizeof text);
    assert_true(snprintf(text, sizeof text, "abs(%s - 1)", inner) < (int)sizeof text);
  }
  assert_true(kinks_of(f, text, &kinks) >= 90);
  assert_int_equal(kinks_of(f, "abs(abs(t) - 3) > 1", &kinks), 4);  // -4 -2 2 4
  for (int i = 0; i < 4; i++) assert_true(kinks[i].is_time);
}

// however many there are, in whatever order, each is found once
static void many(void** state) {
  Fixture* f = *state;
  enum { N = 2000 };
  char text[SAR_EXPR_MAX_LENGTH], again[SAR_EXPR_MAX_LENGTH];
  int n = snprintf(text, sizeof text, "table(t");
  for (int i = 0; i < N; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, ", %d, %d", i, i % 2);
  snprintf(text + n, sizeof text - (size_t)n, ")");
  SarKink* kinks;
  assert_int_equal(kinks_of(f, text, &kinks), N);
  for (int i = 0; i < N; i++) assert_true(kinks[i].is_time && kinks[i].time == i);
  assert_true(snprintf(again, sizeof again, "%s + %s", text, text) < (int)sizeof again);
  assert_int_equal(kinks_of(f, again, &kinks), N);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(times),    TEST(switching_functions), TEST(what_is_no_kink),
      TEST(periodic), TEST(next_time),           TEST(nested_abs),
      TEST(many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
