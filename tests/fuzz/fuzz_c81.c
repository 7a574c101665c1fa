// libFuzzer target: any bytes as an airfoil table in C81 format. Checks: no crash, leak or hang, a
// message exactly when there is no table, and tables that are sorted and finite.
#include "io/c81.h"

#include <math.h>
#include <stdint.h>

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

static void require_sound(const SarC81Table* t) {
  require(t->angles >= 2 && t->angles <= SAR_C81_MOST);
  require(t->machs >= 1 && t->machs <= SAR_C81_MOST);
  for (int i = 1; i < t->angles; i++) require(t->angle[i] > t->angle[i - 1]);
  for (int i = 1; i < t->machs; i++) require(t->mach[i] > t->mach[i - 1]);
  for (int i = 0; i < t->angles * t->machs; i++) require(isfinite(t->value[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  SarError err;
  SarArena arena;
  SarC81 tables;
  sar_error_init(&err);
  sar_arena_init(&arena);
  const bool read = sar_c81_read(&arena, (const char*)data, size, "fuzz.c81", &tables, &err);
  require(read == (err.errors == 0));
  for (int k = 0; read && k < SAR_C81_TABLES; k++) require_sound(&tables.table[k]);
  sar_arena_free(&arena);
  return 0;
}
