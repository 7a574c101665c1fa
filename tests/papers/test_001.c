// The table of paper 001: every method of it runs, also the one that fails there, and all need the
// same number of evaluations, for they solve the same problem.
#include "support/program.h"

// Our figure in a row and column; NaN if there is none.
static double ours(const char* json, const char* row, const char* column) {
  char key[200];
  snprintf(key, sizeof key, "\"row\": \"%s\",\n    \"column\": \"%s\"", row, column);
  const char* at = strstr(json, key);
  return at ? json_value(at, "ours", 0) : (double)NAN;
}

static void calls_are_within_five_percent(void** state) {
  (void)state;
  static const char* const rows[] = {"Zero Eigenvalue",
                                     "Coordinate partitioning",
                                     "QR",
                                     "SVD",
                                     "PUTD",
                                     "QTZ",
                                     "Schur",
                                     "Udwadia-Kalaba",
                                     "Udwadia-Phohomsiri",
                                     "de Falco et al. (1)",
                                     "de Falco et al. (2)"};
  const Result* r = expect_status_of(sarrus("papers 001 --once --json"), 0);
  double low = 1e300, high = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double calls = ours(r->out, rows[i], "function calls");
    assert_true(calls > 100);
    assert_true(ours(r->out, rows[i], "CPU time [s]") > 0);
    low = fmin(low, calls), high = fmax(high, calls);
  }
  EXPECT_AT_MOST(high / low, 1.05);
  const char* const keys[] = {"paper", "table", "row", "column", "theirs", "ours", "note"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\": ", keys[i]);
    expect_has(r->out, key);
  }
}

// What a method costs in units of the decomposition it is named after is measured, not judged:
// machines are busy.
static void every_method_is_timed_beside_its_decomposition(void** state) {
  (void)state;
  static const char* const methods[] = {
      "partition", "zero-eigenvalue", "qr",     "svd",    "putd",          "qtz",
      "schur",     "udwadia-kalaba",  "falco1", "falco2", "lagrange-dense"};
  const Result* r = expect_status_of(sarrus("papers 001 --once --json"), 0);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    assert_true(ours(r->out, methods[i], "of LAPACK") > 0);
}

static void other_papers_are_not_there(void** state) {
  (void)state;
  expect_has(expect_status_of(sarrus("papers 999"), 2)->err, "no tables of paper '999'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_are_within_five_percent),
      cmocka_unit_test(every_method_is_timed_beside_its_decomposition),
      cmocka_unit_test(other_papers_are_not_there),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
