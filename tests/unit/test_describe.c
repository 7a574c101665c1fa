// The description of a model, and the count of degrees of freedom in it.
#include "support/test.h"
#include "support/model_file.h"

#include "model/describe.h"
#include "model/mobility.h"

// ---- degrees of freedom ---------------------------------------------------------------------

static SarMobility mobility_of(const char* text) {
  SarModel* m = model_text(text);
  SarMobility out;
  assert_true(sar_mobility(m, &out));
  sar_model_free(m);
  return out;
}

#define LINK "{box: [1, 1, 1], mass: 1}"

static void planar_four_bar_has_one(void** state) {
  (void)state;
  SarMobility m = mobility_of("bodies: {a: " LINK ", b: " LINK ", c: " LINK
                              "}\n"
                              "joints:\n"
                              "  A: {revolute: [ground, a], at: [0, 0, 0]}\n"
                              "  B: {revolute: [a, b], at: [0.3, 1, 0]}\n"
                              "  C: {revolute: [b, c], at: [1.5, 1.2, 0]}\n"
                              "  D: {revolute: [c, ground], at: [2, 0, 0]}\n");
  assert_int_equal(m.freedoms, 1);
  assert_int_equal(m.constraints, 5);
  assert_int_equal(m.redundant, 3);  // the three that keep it in its plane
}

// Sarrus 1853: two legs of three parallel hinges each, across one another, hold a plate that can only
// rise straight. Counting alone (five coordinates, five equations) would hold it still.
static void sarrus_linkage_has_one(void** state) {
  (void)state;
  SarMobility m =
      mobility_of("bodies: {a1: " LINK ", a2: " LINK ", plate: " LINK ", b1: " LINK ", b2: " LINK
                  "}\n"
                  "joints:\n"
                  "  A1: {revolute: [ground, a1], at: [1, 0, 0], axis: y}\n"
                  "  A2: {revolute: [a1, a2], at: [1.7, 0, 0.7], axis: y}\n"
                  "  A3: {revolute: [a2, plate], at: [1, 0, 1.4], axis: y}\n"
                  "  B1: {revolute: [ground, b1], at: [0, 1, 0], axis: x}\n"
                  "  B2: {revolute: [b1, b2], at: [0, 1.7, 0.7], axis: x}\n"
                  "  B3: {revolute: [b2, plate], at: [0, 1, 1.4], axis: x}\n");
  assert_int_equal(m.freedoms, 1);
  assert_int_equal(m.constraints, 5);
  assert_int_equal(m.redundant, 1);
}

static void spatial_loops_have_what_theory_says(void** state) {
  (void)state;
  // RSSR: the coupler may spin about its own line, so two
  SarMobility m = mobility_of("bodies: {crank: " LINK ", coupler: " LINK ", rocker: " LINK
                              "}\n"
                              "joints:\n"
                              "  R1: {revolute: [ground, crank], at: [0, 0, 0], axis: z}\n"
                              "  S1: {spherical: [crank, coupler], at: [0.2, 0.1, 0]}\n"
                              "  S2: {spherical: [coupler, rocker], at: [1, 0.3, 0.8]}\n"
                              "  R2: {revolute: [ground, rocker], at: [1, 0, 0], axis: x}\n");
  assert_int_equal(m.freedoms, 2);
  assert_int_equal(m.redundant, 0);
}

static void followers_take_freedoms(void** state) {
  (void)state;
  SarMobility m = mobility_of(
      "bodies: {a: " LINK ", b: " LINK
      "}\n"
      "joints: {x: {revolute: [ground, a]}, y: {revolute: [ground, b], mimic: {joint: x}}}\n");
  assert_int_equal(m.freedoms, 1);
  assert_int_equal(m.constraints, 1);
}

// ---- text -----------------------------------------------------------------------------------

typedef struct Lines {
  char text[65536];
  int size, count, widest;
} Lines;

static void take_line(void* context, const char* line) {
  Lines* l = context;
  int width = 0;
  for (const char* p = line; *p; p++) width += ((unsigned char)*p & 0xC0) != 0x80;
  if (width > l->widest) l->widest = width;
  l->count++;
  l->size += snprintf(l->text + l->size, sizeof l->text - (size_t)l->size, "%s\n", line);
  assert_true(l->size < (int)sizeof l->text);
}

static void describe(SarModel* m, SarDescribeOptions o, Lines* l) {
  memset(l, 0, sizeof *l);
  sar_describe(m, &o, take_line, l);
  sar_model_free(m);
}

static void expect_line(const Lines* l, const char* part) {
  if (!strstr(l->text, part)) fail_msg("no '%s' in\n%s", part, l->text);
}

static void tree_is_drawn(void** state) {
  (void)state;
  Lines l;
  const char* text = "bodies: {a: " LINK ", b: " LINK ", c: " LINK ", d: " LINK
                     "}\n"
                     "joints:\n"
                     "  j1: {revolute: [ground, a], stiffness: 1, damping: 2}\n"
                     "  j2: {prismatic: [a, b], force: t}\n"
                     "  j3: {revolute: [c, a]}\n"
                     "  j4: {revolute: [b, d]}\n";
  describe(model_text(text), (SarDescribeOptions){.ascii = true}, &l);
  expect_line(&l, "4 degrees of freedom");
  expect_line(&l, "`- a     j1     revolute   1 kg         spring, damper\n");
  expect_line(&l, "   +- b  j2     prismatic  1 kg         driven\n");
  expect_line(&l, "   |  d  j4     revolute   1 kg\n");
  expect_line(&l, "   `- c  j3     revolute   1 kg         turned round\n");
  expect_line(&l, "host program, losses in j1, drive of j2");
  describe(model_text(text), (SarDescribeOptions){0}, &l);
  expect_line(&l, "   └─ c  j3");
}

static void long_chain(char* text, size_t size, int n, int odd) {
  int at = snprintf(text, size, "bodies:\n");
  for (int i = 1; i <= n; i++)
    at += snprintf(text + at, size - (size_t)at, "  b%d: {box: [1, 1, 1], mass: 1}\n", i);
  at += snprintf(text + at, size - (size_t)at, "joints:\n  j1: {revolute: [ground, b1]}\n");
  for (int i = 2; i <= n; i++)
    at += snprintf(text + at, size - (size_t)at, "  j%d: {%s: [b%d, b%d]}\n", i,
                   i == odd ? "prismatic" : "revolute", i - 1, i);
}

static void long_chains_are_shortened(void** state) {
  (void)state;
  char text[16000];
  Lines l;
  long_chain(text, sizeof text, 100, 0);
  describe(model_text(text), (SarDescribeOptions){0}, &l);
  expect_line(&l, "96 more revolute joints in a chain: b4 … b99");
  expect_line(&l, "   b100  j100");
  assert_in_range(l.count, 10, 20);
  describe(model_text(text), (SarDescribeOptions){.full = true}, &l);
  assert_in_range(l.count, 105, 115);
  // what differs is never hidden
  long_chain(text, sizeof text, 100, 50);
  describe(model_text(text), (SarDescribeOptions){0}, &l);
  expect_line(&l, "j50    prismatic");
  expect_line(&l, "b4 … b48");
}

static void rows_of_like_loops_are_shortened(void** state) {
  (void)state;
  enum { N = 40 };
  char text[16000];
  Lines l;
  int at = snprintf(text, sizeof text, "bodies:\n");
  for (int i = 0; i <= N; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, "  r%d: " LINK "\n  c%d: " LINK "\n", i, i);
  at += snprintf(text + at, sizeof text - (size_t)at, "joints:\n");
  for (int i = 0; i <= N; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  A%d: {revolute: [ground, r%d], at: [%d, 0, 0]}\n"
                   "  B%d: {revolute: [r%d, c%d], at: [%d, 1, 0]}\n",
                   i, i, i, i, i, i, i);
  for (int i = 0; i < N; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  C%d: {revolute: [c%d, r%d], at: [%d, 1, 0]}\n", i, i, i + 1, i + 1);
  describe(model_text(text), (SarDescribeOptions){0}, &l);
  expect_line(&l, "40 that close loops");
  expect_line(&l,
              "2 degrees of freedom at the design position");  // and the last coupler hangs loose
  expect_line(&l, "more branches like these: r");
  expect_line(&l, "loop C39");
  assert_in_range(l.count, 20, 40);
  assert_in_range(l.widest, 20, 100);
  describe(model_text(text), (SarDescribeOptions){.full = true}, &l);
  for (int i = 0; i < N; i++) {  // every cut is named
    char name[16];
    snprintf(name, sizeof name, "  C%d ", i);
    expect_line(&l, name);
  }
}

static void no_line_is_too_wide(void** state) {
  (void)state;
  Lines l;
  static const char* const name = "a_name_that_is_much_longer_than_anyone_would_want_to_type_twice";
  char text[16000];
  // a comb: every body of the spine has two children, so the indentation grows with every tooth
  int at = snprintf(text, sizeof text, "bodies:\n");
  for (int i = 0; i < 60; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, "  %s%d: " LINK "\n", name, i);
  at += snprintf(text + at, sizeof text - (size_t)at, "joints:\n  j0: {revolute: [ground, %s0]}\n",
                 name);
  for (int i = 1; i < 60; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, "  j%d: {revolute: [%s%d, %s%d]}\n", i,
                   name, (i - 1) / 2 * 2, name, i);
  for (int width = 60; width <= 120; width += 20) {
    describe(model_text(text), (SarDescribeOptions){.width = width, .full = true}, &l);
    assert_in_range(l.widest, 40, (uintmax_t)width);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planar_four_bar_has_one),
      cmocka_unit_test(sarrus_linkage_has_one),
      cmocka_unit_test(spatial_loops_have_what_theory_says),
      cmocka_unit_test(followers_take_freedoms),
      cmocka_unit_test(tree_is_drawn),
      cmocka_unit_test(long_chains_are_shortened),
      cmocka_unit_test(rows_of_like_loops_are_shortened),
      cmocka_unit_test(no_line_is_too_wide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
