// In which order scalars and loops over families compute a graph (families.h): scalars of stage 0,
// loops of stage 0, scalars that need their results, and so on. What one leaves for others is kept
// in an array l.
#pragma once
#include "codegen/families.h"

enum { SAR_STAGES_MOST = 6 };

typedef struct SarStages {
  SarMatch match;
  int outputs;
  const SarNode* output;
  int last;    // stage
  int room;    // of l
  int* tuple;  // tuples in an order in which they can be computed
  // by node
  bool* needed;      // as a scalar
  int *from, *lane;  // the packed tuple that makes it, and its lane; -1: a scalar makes it
  int* level;        // the stage whose scalars may use it
  int* place;        // in l, of a scalar that is kept; -1: it is not
  SarNode*
      equal;  // the first that is the same with numbers for the symbols of twins; it has the place
  // by tuple
  bool *wanted, *kept;
  int* stage;
  int* at;  // in l, of the first lane; -1: nowhere
} SarStages;

// False: no memory, no order, or not worth a loop.
bool sar_stages_plan(SarArena* arena, const SarFamilies* f, int outputs, const SarNode* output,
                     SarStages* out);
static inline int sar_stages_lanes(const SarStages* s, int tuple) {
  return s->match.f->list.items[s->match.tuple.items[tuple].family].lanes;
}
