// Contact reduction: contacts with about the same normal, of which some remain.
#pragma once
#include "collide/collide.h"

#include <stdbool.h>

enum { SAR_BUNDLES = 8, SAR_BUNDLE_KEPT = 9, SAR_CLOSED_KEPT = 32 };

typedef struct SarBundle {
  V3 normal, u, v;
  bool used[SAR_BUNDLE_KEPT];
  SarTouch touch[SAR_BUNDLE_KEPT];  // the deepest, then by direction
} SarBundle;

typedef struct SarBundles {
  SarBundle bundle[SAR_BUNDLES];
  int count;
  double near;                       // contacts nearer to each other are one [m]
  SarTouch closed[SAR_CLOSED_KEPT];  // those that touch and stay
  int nclosed;
} SarBundles;

// stays: it is not one of a flat place, where the outermost ones do.
void sar_bundles_add(SarBundles* s, const SarTouch* t, bool stays);
// At most `most` of those that remain, each with an id of its own; returns how many.
int sar_bundles_collect(const SarBundles* s, SarTouch* out, int most);
