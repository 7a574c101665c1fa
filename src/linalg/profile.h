// Order of the unknowns of a sparse symmetric matrix that keeps its envelope (envelope.h) small.
#pragma once
#include "base/arena.h"

#include <stdbool.h>

// The matrix is full on groups of unknowns: group g is member[adr[g] .. adr[g + 1]).
typedef struct SarGroups {
  int n, ngroup;
  const int *adr, *member;
} SarGroups;

// place (n): where each unknown goes, the best of a few orders: as they come, Cuthill and McKee's,
// and both reversed. Returns false when memory ran out.
bool sar_profile_order(const SarGroups* g, SarArena* scratch, int* place);
