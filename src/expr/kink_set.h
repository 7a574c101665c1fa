// Kinks, each once. Private to src/expr.
#pragma once
#include "expr/expr.h"

typedef struct SarKinkSet {
  SarArena* arena;
  SAR_LIST(SarKink) kinks;
  int* bucket;  // hash table of indices into kinks, -1 = empty
  int capacity;
} SarKinkSet;

void sar_kink_add(SarKinkSet* set, SarKink kink);  // unless an equal one is there
