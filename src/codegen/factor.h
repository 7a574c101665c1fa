// Symmetric positive definite systems of few unknowns over symbols: D = L E L', no roots.
#pragma once
#include "codegen/spatial.h"

enum { SYM_FACTOR_MAX = 6 };

typedef struct SymFactor {
  int n;
  SarNode L[SYM_FACTOR_MAX][SYM_FACTOR_MAX];  // lower triangle of D, then of L (ones not stored)
  SarNode inverse[SYM_FACTOR_MAX];            // 1 / E
} SymFactor;

void sar_factor(SarGraph* g, SymFactor* D);
void sar_factor_solve(SarGraph* g, const SymFactor* D, SarNode* x);
