// An arena that every test gets empty: set-up and teardown for cmocka_unit_test_setup_teardown.
#pragma once
#include "base/arena.h"
#include "support/test.h"

static SarArena arena;

static inline int arena_setup(void** state) {
  (void)state;
  sar_arena_init(&arena);
  return 0;
}

static inline int arena_teardown(void** state) {
  (void)state;
  sar_arena_free(&arena);
  return 0;
}
