// Broad phase of collision detection: which solids are near enough to each other to be looked at.
#pragma once
#include "collide/collide.h"

#include <stdbool.h>
#include <stddef.h>

// Two solids may touch if they are on different bodies, one of them is not a surface (planes,
// triangles and heights do not touch each other), and each is in a group that the other touches.
typedef struct SarBroadItem {
  int body;  // -1: ground
  unsigned group, with;
  bool surface;
} SarBroadItem;

typedef struct SarBroadPair {
  int a, b;  // a < b
} SarBroadPair;

// True: the pair is left out. Asked of pairs whose boxes overlap only.
typedef bool (*SarBroadSkip)(const void* context, int a, int b);

typedef struct SarBroad SarBroad;

// Bytes for n solids; sar_broad_init makes the state in that memory (aligned to 8 bytes). What it
// keeps from call to call is an order that speeds the next one up; the pairs found do not depend on
// it.
size_t sar_broad_bytes(int n);
SarBroad* sar_broad_init(void* memory, int n);

// Pairs whose boxes overlap or touch, rising by (a, b). Returns how many there are: when more than
// `most`, only `most` are in `pair`, and which ones depends on nothing but the boxes. A box without
// end in some direction is fine; one with NaN touches nothing. skip Nullable.
int sar_broad_pairs(SarBroad* broad, const SarBroadItem* item, const SarBounds* bounds,
                    SarBroadSkip skip, const void* context, SarBroadPair* pair, int most);
