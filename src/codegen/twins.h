// Twins: branches of the tree that are alike but for their numbers (the legs of a platform, the
// links of a suspension), with the pairs of points that join them to the same body.
//
// Numbers that differ from twin to twin enter the equations as symbols k1[0], k1[1], ..., so that
// the equations of twins have one structure, whatever zeros and signs their numbers have; who
// writes the equations down puts the numbers back.
#pragma once
#include "model/model.h"
#include "symbolic/symbolic.h"

typedef enum SarTwinField {  // of a body
  SAR_TWIN_ROTATION,         // of X_PF
  SAR_TWIN_OFFSET,
  SAR_TWIN_INERTIA,  // I, h, m
  // of a pair
  SAR_TWIN_POINT,  // of a, of b
  // of a term
  SAR_TWIN_DIRECTION,  // x, y, w
  SAR_TWIN_FIELDS
} SarTwinField;

enum {
  SAR_TWIN_KNOWN = 1 << 16,
  SAR_TWIN_COEFFICIENT = 1 << 17,
  SAR_TWIN_SHARE = 1 << 18
};  // kinds of other numbers

typedef struct SarTwinGroup {
  int members, bodies, pairs;
  int *body,
      *pair;  // the first body of each member, in whose order the others stand; members pairs
} SarTwinGroup;

typedef struct SarTwinPlace {
  int group, member, at;  // at: which of the member's; group -1: it has no twins
} SarTwinPlace;

typedef struct SarTwins {
  const SarModel* m;
  SarArena* arena;
  SAR_LIST(SarTwinGroup) group;
  SarTwinPlace *body, *pair;  // nbody, npair
  SAR_LIST(double) number;    // of the symbols
} SarTwins;

// NULL: no memory.
SarTwins* sar_twins_none(SarArena* arena, const SarModel* m);  // as if nothing were alike
SarTwins* sar_twins_find(SarArena* arena, const SarModel* m);
// A number of a model with twins: values of all members, the own one at `member`.
SarNode sar_twins_number(SarTwins* t, SarGraph* g, int kind, int members, const double* value,
                         int member);
// A number of one member whatever the others have.
SarNode sar_twins_own_number(SarTwins* t, SarGraph* g, int kind, double value);
// out[i] in graph `to` is x[i] of graph `from` with numbers for our symbols.
bool sar_twins_put_numbers(const SarTwins* t, SarGraph* from, int n, const SarNode* x, SarGraph* to,
                           SarNode* out);
// Is the symbol one of ours?
bool sar_twins_value(const SarTwins* t, const char* name, double* value);
