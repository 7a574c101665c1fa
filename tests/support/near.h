// Checks that say what they saw: both values, their difference and the bound.
#pragma once
#include "sarrus/sarrus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>

#include <cmocka.h>

// |value - expected| <= tol; NaN fails.
#define EXPECT_NEAR(value, expected, tol) \
  expect_near((value), (expected), (tol), #value, -1, __FILE__, __LINE__)
// The same for each of n numbers, one bound for all.
#define EXPECT_ARRAY_NEAR(values, expected, n, tol) \
  expect_array_near((values), (expected), (n), (tol), #values, __FILE__, __LINE__)
// value <= bound; NaN fails.
#define EXPECT_AT_MOST(value, bound) expect_at_most((value), (bound), #value, __FILE__, __LINE__)
// A call that must return SAR_OK.
#define EXPECT_OK(call) expect_status((call), SAR_OK, NULL, #call, __FILE__, __LINE__)
// The same, printing the collected messages if it does not.
#define EXPECT_OK_OR(call, err) expect_status((call), SAR_OK, (err), #call, __FILE__, __LINE__)
// A call that must return a certain status.
#define EXPECT_STATUS(call, status) expect_status((call), (status), NULL, #call, __FILE__, __LINE__)

static inline void expect_near(double value, double expected, double tol, const char* text,
                               int index, const char* file, int line) {
  double difference = value - expected;
  if (fabs(difference) <= tol) return;
  if (index >= 0) print_error("[%d] of ", index);
  print_error("%s\n   is       %.17g\n   expected %.17g\n   difference %.3g, tolerance %.3g\n",
              text, value, expected, difference, tol);
  _fail(file, line);
}

static inline void expect_array_near(const double* values, const double* expected, int n,
                                     double tol, const char* text, const char* file, int line) {
  for (int i = 0; i < n; i++) expect_near(values[i], expected[i], tol, text, i, file, line);
}

static inline void expect_at_most(double value, double bound, const char* text, const char* file,
                                  int line) {
  if (value <= bound) return;
  print_error("%s\n   is       %.17g\n   at most  %.17g\n", text, value, bound);
  _fail(file, line);
}

static inline void expect_status(SarStatus status, SarStatus expected, const SarError* err,
                                 const char* text, const char* file, int line) {
  if (status == expected) return;
  print_error("%s\n   is       %d (%s)\n   expected %d (%s)\n", text, status,
              sar_status_text(status), expected, sar_status_text(expected));
  char message[1024];
  for (int i = 0; err && i < err->count; i++)
    print_error("   %s\n", sar_error_format(err, i, message, sizeof message));
  _fail(file, line);
}
