// First derivatives of accelerations where constraints are on, or where parameters stay symbols,
// over symbols.
//
//   M a + Psi' lambda = f,   Psi a = gamma                           at a state, and with
//   top = f - M a - Psi' lambda,   bottom = gamma - Psi a      their changes for a and lambda held:
//
//   [M Psi'; Psi 0] [da; dlambda] = [dtop; dbottom]                  a bordered system (KKT matrix)
//
// as in dynamics/derivatives.c: also along directions that open a loop, every column is the
// derivative of these equations. With numbers for parameters f - M a is inverse dynamics, whose
// derivatives are columns of the tree (slopes.h); with parameters as symbols M and f are what they
// were found to be (keep.c), and are differentiated forward. a and lambda are symbols acc[0], ...,
// lam[0], ...
#pragma once
#include "codegen/slopes.h"

// Beside what the tree knows: parameters that are kept.
enum { SYM_ALONG_PARAMETER = SYM_ALONGS, SYM_WAYS };

typedef struct SymBordered {
  const SarModel* m;
  SarArena* arena;
  SarGraph* g;
  int parameters;
  const char* const* parameter;
  const SarNode *mass, *rest, *Psi, *gamma, *z_rate;  // mass: NULL where there is a tree
  const SymSlopes* tree;                              // Nullable
  // By way: rows of as many entries as it has columns; the tree's own part of `top` is not in it.
  SarNode *top[SYM_WAYS], *bottom[SYM_WAYS], *rate[SYM_WAYS];
} SymBordered;

int sar_bordered_columns(const SymBordered* b, int way);
// s: with terms of the equations; tree: Nullable, its slopes are in g too. False: no memory.
bool sar_bordered_make(SymBordered* b, const SarSymbols* s, const SymSlopes* tree, int parameters,
                       const char* const* parameter);
