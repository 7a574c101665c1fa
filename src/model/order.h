// Order of things that need one another: parameters, variables, places of bodies.
#pragma once
#include "base/arena.h"

#include <stdbool.h>

// Node i needs to[first[i] .. first[i + 1]).
typedef struct SarNeeds {
  int count;
  const int* first;  // count + 1
  const int* to;
} SarNeeds;

// Called once for every circle that is found: nodes[0] needs nodes[1] ... needs nodes[0].
typedef void SarCircle(void* context, const int* nodes, int count);

// order[count]: every node after all it needs, otherwise as early as its own number. A need that
// closes a circle is reported and then ignored. False: no memory.
bool sar_order(SarArena* a, const SarNeeds* needs, SarCircle* circle, void* context, int* order);
