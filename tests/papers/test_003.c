// The tables of paper 003: figures of the bases, and what the methods leave of the constraints.
#include "support/program.h"

#include <unistd.h>

static double entry(const char* json, const char* row, const char* column, const char* which) {
  char key[200];
  snprintf(key, sizeof key, "\"row\": \"%s\",\n    \"column\": \"%s\"", row, column);
  const char* at = strstr(json, key);
  if (!at) fail_msg("no '%s' of %s", column, row);
  return json_value(at, which, 0);
}

#ifdef SARRUS_HAVE_FLINT
static void bases_are_the_papers(void** state) {
  (void)state;
  static const char* const link[] = {"cb", "sb", "ca", "sa"};
  static const char* const gear[] = {"sB", "cB", "sD", "cD", "sA", "cA", "sF", "cF"};
  char row[48];
  const Result* r = expect_status_of(sarrus("papers 003 --table 2 --once --json"), 0);
  for (int i = 0; i < 4; i++) {
    snprintf(row, sizeof row, "link 1, %s", link[i]);
    EXPECT_NEAR(entry(r->out, row, "degree", "ours"), entry(r->out, row, "degree", "theirs"), 0);
    EXPECT_NEAR(entry(r->out, row, "terms", "ours"), entry(r->out, row, "terms", "theirs"), 0);
  }
  r = expect_status_of(sarrus("papers 003 --table 4 --once --json"), 0);
  for (int i = 0; i < 8; i++) {
    static const char* const column[] = {"degree", "terms", "digits"};
    snprintf(row, sizeof row, "landing gear, %s", gear[i]);
    for (int k = 0; k < 3; k++)
      EXPECT_NEAR(entry(r->out, row, column[k], "ours"), entry(r->out, row, column[k], "theirs"),
                  0);
  }
}
#endif

static bool begin_cache(void) {
  char folder[300];
  if (system("cc --version >/dev/null 2>&1") != 0) return false;
  snprintf(folder, sizeof folder, "%s/cache", program_folder);
  setenv("SARRUS_CACHE", folder, 1);
  return true;
}

// Stabilised ones violate constraints as in the paper, to a factor of five (its start height is not
// printed); embedding to rounding, or to the square of Newton's tolerance. Generated C closes loops
// to rounding.
static void violations_are_the_papers(void** state) {
  (void)state;
#ifndef SARRUS_TEST_SANITIZED
  skip_if_spared();  // a compiler works on generated C for ten seconds
#endif
  const bool compiles = begin_cache();
  const Result* r = expect_status_of(sarrus("papers 003 --table 1 --once --json"), 0);
  for (int i = 0; i < 2; i++) {
    const char* row = i ? "penalty" : "Baumgarte";
    const double ratio = entry(r->out, row, "peak violation", "ours") /
                         entry(r->out, row, "peak violation", "theirs");
    print_message("%s: %.2f times theirs\n", row, ratio);
    assert_true(ratio > 0.2 && ratio < 5);
  }
  EXPECT_AT_MOST(entry(r->out, "Groebner basis", "peak violation", "ours"), 2e-12);
  EXPECT_AT_MOST(entry(r->out, "single Newton, 1e-6", "peak violation", "ours"), 1e-12);
  if (!compiles) return;
  EXPECT_AT_MOST(entry(r->out, "C: Groebner basis", "peak violation", "ours"), 1e-13);
  EXPECT_AT_MOST(entry(r->out, "C: separate Newton", "peak violation", "ours"), 1e-13);
}

static void generated_code_closes_the_five_link(void** state) {
  (void)state;
  skip_if_spared();
  if (!begin_cache()) skip();
  const Result* r = expect_status_of(sarrus("papers 003 --table 3 --once --json"), 0);
  static const char* const row[] = {"C: block (Groebner)", "C: separate Newton",
                                    "C: single Newton"};
  for (int i = 0; i < 3; i++) {
    EXPECT_AT_MOST(entry(r->out, row[i], "peak violation", "ours"), 1e-13);
    assert_true(entry(r->out, row[i], "dynamic [ms/s]", "ours") > 0);
    assert_true(entry(r->out, row[i], "kinematic [ms/s]", "ours") > 0);
  }
}

// A mechanism with one freedom goes one way: expected is what the run under the force shows there,
// between rows.
static void figures_are_drawn(void** state) {
  (void)state;
  if (system("gnuplot --version >/dev/null 2>&1") != 0) skip();
  char text[400];
  snprintf(text, sizeof text, "papers 003 --table 2 --once --json --pictures %s", program_folder);
  const Result* r = expect_status_of(sarrus(text), 0);
  EXPECT_NEAR(entry(r->out, "z = 50 mm", "x [mm]", "ours"), -6.0467, 1e-3);
  EXPECT_NEAR(entry(r->out, "z = -100 mm", "y [mm]", "ours"), -14.0249, 1e-3);
  EXPECT_NEAR(entry(r->out, "(b) pushed", "highest z [mm]", "ours"), 95.38, 0.01);
  for (int i = 4; i <= 5; i++) {
    snprintf(text, sizeof text, "%s/003_figure_%d.png", program_folder, i);
    assert_int_equal(access(text, R_OK), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
#ifdef SARRUS_HAVE_FLINT
      cmocka_unit_test(bases_are_the_papers),
#endif
      cmocka_unit_test(violations_are_the_papers),
      cmocka_unit_test(generated_code_closes_the_five_link),
#ifdef SARRUS_HAVE_FLINT
      cmocka_unit_test(figures_are_drawn),
#endif
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
