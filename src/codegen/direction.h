// Directions that derivatives over symbols are taken along: forward mode by sar_sym_forward(...,
// sar_direction_rate, &d).
#pragma once
#include "model/model.h"
#include "symbolic/symbolic.h"

enum { SYM_DIRECTION = 4 };  // symbols of a quaternion

typedef struct SymDirection {
  SarGraph* g;
  SarNode symbol[SYM_DIRECTION];  // those that change, and how
  SarNode rate[SYM_DIRECTION];
  int symbols;
} SymDirection;

SarNode sar_direction_rate(void* direction, SarNode symbol);
SymDirection sar_direction_symbol(SarGraph* g, SarNode symbol);
// Displacement k of a joint whose coordinates are q: along its speed k.
SymDirection sar_direction_q(SarGraph* g, const SarModel* m, const SarNode* q, int joint, int k);
