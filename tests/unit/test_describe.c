// The description of a model.
#include "support/test.h"
#include "support/model_file.h"

#include "output/describe.h"

#define LINK "{box: [1, 1, 1], mass: 1}"

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
  const SarDescribeFreedom freedom = {.rank = 80, .redundant = "nobody"};
  describe(model_text(text), (SarDescribeOptions){.freedom = &freedom}, &l);
  expect_line(&l, "40 that close loops");
  expect_line(&l, "2 degrees of freedom");  // and the last coupler hangs loose
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
      cmocka_unit_test(tree_is_drawn),
      cmocka_unit_test(long_chains_are_shortened),
      cmocka_unit_test(rows_of_like_loops_are_shortened),
      cmocka_unit_test(no_line_is_too_wide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
