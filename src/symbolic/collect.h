// Simplification for reading, as against that for speed: products are
// multiplied out, like terms collected, squares and products of sines and
// cosines of sums drawn together:
//
//   a (b + c) = a b + a c      sin² + cos² = 1      sin a cos b + cos a sin b =
//   sin(a + b)
//
// A polynomial that would have more than SAR_COLLECT_MOST terms stays as it was
// built, as do outputs that collecting makes longer. Nodes are not shared
// across outputs on purpose: each is read by itself.
#pragma once
#include "symbolic/symbolic.h"

enum { SAR_COLLECT_MOST = 200 };

// Four symbols whose squares add up to 1, as those of a unit quaternion.
typedef struct SarUnit {
  SarNode of[4];
} SarUnit;

// out[i] is y[i] in another form. stop is asked now and then and ends the work;
// Nullable. False when memory ran out, the graph is full, or the work was
// stopped.
typedef bool SarStop(void* context);
bool sar_sym_collect(SarGraph* g, int n, const SarNode* y, int units, const SarUnit* unit,
                     SarStop* stop, void* context, SarNode* out);
