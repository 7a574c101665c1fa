// Airfoil tables in C81 format: what is read, and what is said about files that are none.
#include "support/test.h"

#include "base/arena.h"
#include "io/c81.h"

#include <stdio.h>

typedef struct C81Fixture {
  SarArena arena;
  SarError err;
  SarC81 c81;
  bool read;
} C81Fixture;

static void read_text(C81Fixture* f, const char* text, size_t n) {
  sar_arena_init(&f->arena);
  sar_error_init(&f->err);
  f->read = sar_c81_read(&f->arena, text, n, "foil.c81", &f->c81, &f->err);
}

static size_t example(char* text, size_t size) {
  FILE* f = fopen(SARRUS_SOURCE_DIR "/examples/naca0012.c81", "rb");
  assert_non_null(f);
  const size_t n = fread(text, 1, size, f);
  fclose(f);
  assert_true(n > 1000 && n < size);
  return n;
}

static void the_example_has_what_is_in_it(void** state) {
  (void)state;
  static char text[1 << 16];
  C81Fixture f;
  read_text(&f, text, example(text, sizeof text));
  assert_true(f.read);
  assert_int_equal(f.err.errors, 0);
  const SarC81Table *cl = &f.c81.table[SAR_C81_LIFT], *cd = &f.c81.table[SAR_C81_DRAG],
                    *cm = &f.c81.table[SAR_C81_MOMENT];
  assert_int_equal(cl->angles, 39);
  assert_int_equal(cl->machs, 11);
  assert_int_equal(cd->angles, 65);
  assert_int_equal(cm->angles, 47);
  assert_int_equal(cm->machs, 9);
  EXPECT_NEAR(cl->angle[1], -172.5, 0);
  EXPECT_NEAR(cl->mach[10], 1, 0);
  EXPECT_NEAR(cl->value[1 * 11 + 10], 0.78, 0);  // on a continued line
  EXPECT_NEAR(cl->value[9 * 11 + 3], -1.055, 0);
  sar_arena_free(&f.arena);
}

// Two Mach numbers and two angles in each table; numbers that touch.
static const char GOOD[] =
    "SMALL                          2 2 2 2 1 3\n"
    "            0.    0.9\n"
    "-180.00-1.2345 2.3456\n"
    "180.000      3 4e0\n"
    "            0.    0.9\n"
    "-180.00   0.01   0.02\n"
    "180.000   0.03   0.04\n"
    "            0.\n"
    "-180.00    -.1\n"
    "     0.     0.\n"
    "180.000     .1\n";

static void numbers_may_touch(void** state) {
  (void)state;
  C81Fixture f;
  read_text(&f, GOOD, sizeof GOOD - 1);
  if (!f.read) fail_msg("%s", f.err.items[0].text);
  const double cl[] = {-1.2345, 2.3456, 3, 4};
  EXPECT_ARRAY_NEAR(f.c81.table[SAR_C81_LIFT].value, cl, 4, 0);
  const double cm[] = {-0.1, 0, 0.1};
  EXPECT_ARRAY_NEAR(f.c81.table[SAR_C81_MOMENT].value, cm, 3, 0);
  assert_int_equal(f.err.count, 0);
  sar_arena_free(&f.arena);
}

// One change of the good text, the place and a part of what is said about it.
static void mistakes_have_a_place(void** state) {
  (void)state;
  static const struct {
    const char *from, *to;
    int line, column;
    const char* says;
  } cases[] = {
      {"2 2 2 2 1 3", "2 2 2", 1, 37, "a number is missing"},
      {" 2 2 2 2 1 3", " 0 2 2 2 1 3", 1, 31, "cannot be 0"},
      {" 2 2 2 2 1 3", " 2 1 2 2 1 3", 1, 33, "cannot be 1"},
      {" 2 2 2 2 1 3", "x2 2 2 2 1 3", 1, 31, "no number"},
      {"0.9\n-180.00-1", "0.0\n-180.00-1", 2, 15, "must rise"},
      {"    0.9\n-180.00-1", "   -0.9\n-180.00-1", 2, 15, "negative"},
      {"2.3456", "2.34x6", 3, 16, "no number"},
      {"2.3456", "   nan", 3, 19, "no number"},
      {"180.000      3", "180.000       ", 4, 8, "missing"},
      {"180.000      3", "-180.00      3", 4, 1, "must rise"},
      {"180.000   0.03", "180.001   0.03", 7, 1, "180.001"},
      {"180.000     .1\n", "", 11, 1, "ends within"},
      {"180.000     .1\n", "180.000     .1\n\n more", 13, 1, "more"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    const char* at = strstr(GOOD, cases[i].from);
    assert_non_null(at);
    const int n = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - GOOD), GOOD, cases[i].to,
                           at + strlen(cases[i].from));
    C81Fixture f;
    read_text(&f, text, (size_t)n);
    assert_false(f.read);
    assert_int_equal(f.err.errors, 1);
    const SarDiag* m = &f.err.items[0];
    if (m->line != cases[i].line || m->column != cases[i].column || !strstr(m->text, cases[i].says))
      fail_msg("case %d: %d:%d: %s", (int)i, m->line, m->column, m->text);
    sar_arena_free(&f.arena);
  }
}

static void short_tables_are_warned_of(void** state) {
  (void)state;
  char text[1024];
  snprintf(text, sizeof text, "%s", GOOD);
  memcpy(strstr(text, "-180.00-1"), " -90.00", 7);
  C81Fixture f;
  read_text(&f, text, strlen(text));
  assert_true(f.read);
  assert_int_equal(f.err.errors, 0);
  assert_int_equal(f.err.count, 1);
  assert_non_null(strstr(f.err.items[0].text, "lift is tabulated from -90 to 180 degrees"));
  sar_arena_free(&f.arena);
}

// Every beginning of the good text but the whole is refused, none is read beyond its end.
static void what_ends_early_is_refused(void** state) {
  (void)state;
  for (size_t n = 0; n + 2 < sizeof GOOD - 1; n++) {
    C81Fixture f;
    read_text(&f, GOOD, n);
    // the last number may lose digits of its own
    if (n < sizeof GOOD - 4) assert_false(f.read);
    sar_arena_free(&f.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_example_has_what_is_in_it), cmocka_unit_test(numbers_may_touch),
      cmocka_unit_test(mistakes_have_a_place),         cmocka_unit_test(short_tables_are_warned_of),
      cmocka_unit_test(what_ends_early_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
