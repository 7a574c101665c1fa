// Sparse symmetric positive definite systems over symbols: G = L E L' in an order that fills in
// little (minimum degree). Entries that are the number 0 are no entries.
#pragma once
#include "codegen/spatial.h"

typedef struct SymSparse {
  int n;
  SarNode* L;        // n n, by rows of the order of elimination: E below the diagonal unused
  SarNode* inverse;  // n: 1 / E
  int* order;        // order[k]: unknown that is eliminated as number k
} SymSparse;

// G: n n. False: no memory.
bool sar_sparse_factor(SarArena* arena, SarGraph* g, int n, const SarNode* G, SymSparse* out);
void sar_sparse_solve(SarArena* arena, SarGraph* g, const SymSparse* F, SarNode* x);
