// What every test includes first: cmocka with the headers it needs before it, and the checks of
// near.h.
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#ifndef SARRUS_TEST_PUBLIC  // tests/public see the public header only
#include "support/random.h"
#endif

// How often to repeat a random trial: n times, a tenth of it in the sanitized build, which is about
// ten times slower. SARRUS_TEST_EFFORT multiplies both: 0.1 for a quick look, 100 for a long night.
static inline int test_effort(int n) {
  const char* wish = getenv("SARRUS_TEST_EFFORT");
  double wanted = n * (wish ? strtod(wish, NULL) : 1);
#ifdef SARRUS_TEST_SANITIZED
  wanted /= 10;
#endif
  return wanted >= 1e9 ? 1000000000 : wanted >= 1 ? (int)wanted : 1;
}

// The same of families whose members take a second: a fifth of them with the usual effort or less,
// all of them with more (`make soak`).
static inline int test_effort_slow(int n) {
  const char* wish = getenv("SARRUS_TEST_EFFORT");
  return wish && strtod(wish, NULL) > 1 ? test_effort(n) : (test_effort(n) + 4) / 5;
}

// Seed of random trials: `usual`, so that a run can be repeated; SARRUS_TEST_SEED shifts it, so
// that a long run sees other members of the family. What fails must print the seed it had.
static inline uint64_t test_seed(uint64_t usual) {
  const char* shift = getenv("SARRUS_TEST_SEED");
  return usual + (shift ? strtoull(shift, NULL, 10) * 1000003u : 0);
}

// Is case i of a list that shows one thing in several examples to be run? All of them with the
// usual effort; with less of it, and under the sanitizers, which look at the code and not at the
// numbers, every `most`-th at the least.
static inline bool test_takes(size_t i, int most) {
  const double share = test_effort(1000) / 1000.0;
  const int every = share >= 1 ? 1 : 1 / share < most ? (int)(1 / share + 0.5) : most;
  return i % (size_t)every == 0;
}

// Of what is covered elsewhere with less: only with half the usual effort or more, and without
// sanitizers.
static inline void skip_if_spared(void) {
  if (test_effort(1000) < 500) skip();
}

// What a program takes of memory and time under the sanitizers is not its own.
static inline void skip_if_sanitized(void) {
#ifdef SARRUS_TEST_SANITIZED
  skip();
#endif
}
