// Text that grows in an arena.
#pragma once
#include "base/arena.h"

typedef struct SarTextOut {
  SarArena* arena;
  char* text;  // ends with 0; NULL: nothing yet, or memory ran out (arena->failed)
  size_t size, room;
} SarTextOut;

void sar_text_add(SarTextOut* t, const char* s);
void sar_text_addf(SarTextOut* t, const char* format, ...) __attribute__((format(printf, 2, 3)));
