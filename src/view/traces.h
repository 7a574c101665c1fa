// Points of a mechanism whose paths are worth drawing.
#pragma once
#include "base/arena.h"
#include "model/model.h"

typedef struct SarTrace {
  const char* name;
  int body;  // of the tree; -1: ground
  V3 point;  // in B
} SarTrace;

typedef SAR_LIST(SarTrace) SarTraceList;

// A named point, or the mass centre of a body. False: there is none of this name; a list without
// room (arena->failed) is left as it was.
bool sar_trace_named(const SarModel* m, SarArena* arena, const char* name, SarTraceList* out);
// What one would look at first: the points that the model puts out, else few bodies at the ends of
// chains. At most `most`.
void sar_trace_usual(const SarModel* m, SarArena* arena, int most, SarTraceList* out);
