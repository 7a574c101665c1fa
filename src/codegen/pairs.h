// Symmetric positive definite systems over symbols, unknowns eliminated two at a time.
//
// An L E L' factorisation has a quotient in each step, for which the next one waits: with few
// unknowns and a full matrix a processor does little else. Of two rows P at a time there is one
// quotient, which the products with the adjugate do not wait for:
//
//   A_ij <- A_ij - (1/det P) (A_iP adj(P) A_Pj)
//
// A block of two loses no more than its condition number; blocks of three would lose its square.
#pragma once
#include "codegen/spatial.h"

// Is every entry there?
bool sar_pairs_fit(const SarGraph* g, int n, const SarNode* A);
// x <- A^-1 x. A: n n, symmetric, is used up.
void sar_pairs_solve(SarGraph* g, int n, SarNode* A, SarNode* x);
