// What every test includes first: cmocka with the headers it needs before it, and the checks of
// near.h.
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random.h"

// How often to repeat a random trial: n times, a tenth of it in the sanitized build, which is about
// ten times slower.
static inline int test_effort(int n) {
#ifdef SARRUS_TEST_SANITIZED
  return n >= 10 ? n / 10 : 1;
#else
  return n;
#endif
}
