// Interval arithmetic over a graph: where values can lie when symbols vary in
// ranges, and whether the expression is defined everywhere there (Moore 1966).
// Bounds are rounded outwards; they hold, but are not the narrowest: x - x of a
// node that algebra did not simplify is seen as two quantities.
#pragma once
#include "symbolic/symbolic.h"

typedef struct SarInterval {
  double lo, hi;  // lo <= hi; all reals: -inf, inf
} SarInterval;

// The range of a symbol.
typedef SarInterval SarRange(void* context, const char* name);
// out[i] holds all values of y[i] that are numbers. *defined: all of them are,
// and finite, so that no denominator is 0, no argument of sqrt, log, acos, ...
// outside of its domain; false also where this cannot be shown. False: no
// memory.
bool sar_sym_interval(SarGraph* g, int n, const SarNode* y, SarRange* range, void* context,
                      SarInterval* out, bool* defined);
