// Equations of the embedding technique, made from those of the model (equations.h).
#pragma once
#include "codegen/equations.h"
#include "symbolic/collect.h"

typedef struct SarCollecting {
  SarGraph* g;
  SarArena* arena;
  const SarEquationsOptions* o;
  int units;
  const SarUnit* unit;
} SarCollecting;

enum { SAR_EMBED_MOST = 4 };  // unknowns of a loop whose inverse is written out

// Loops that are too large, drives that follow states: SAR_NOT_OFFERED after a report of all.
SarStatus sar_equations_check_loops(const SarModel* m, const SarEquationsOptions* o, SarError* err);
// Lines of B, C and Bdot; of the solution. False: no memory, or stopped.
bool sar_equations_embed(SarEquations* e, const SarCollecting* c);
bool sar_equations_solve(SarEquations* e, const SarCollecting* c);

// A node collected for reading, and a line with it. False and SAR_NONE: no memory, or stopped.
SarNode sar_equations_collect(const SarCollecting* c, SarNode node);
bool sar_equations_add_line(SarEquations* e, const SarCollecting* c, SarLineKind kind, int i, int k,
                            SarNode value);
