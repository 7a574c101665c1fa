// Polynomials of the flow over symbols: the coefficients of the variable that one gives, and its
// root.
#pragma once
#include "codegen/spatial.h"
#include "codegen/twins.h"
#include "loops/loops.h"

// Variables and known quantities of a block where the run begins, at a closed position q.
void sar_polynomial_start(const SarModel* m, const SarLoopBlock* k, const double* q,
                          const SarLoopFlow* f, double* x);
// Known quantities and terms of a block's copies in an order that twins share. False: no memory.
bool sar_polynomials_sort(SarArena* arena, SarLoopBlock* k);
// Of the polynomials that give variable v the shortest whose leading coefficient is not small at
// the start. NULL: none.
const SarLoopElement* sar_polynomial_choose(const SarLoopBlock* k, int v, const double* x);
// The root nearest to `near`: closed form up to degree 2, else a fixed number of safeguarded steps.
// x: the other variables and the known quantities, `count` in all. twins: Nullable, coefficients
// are numbers of one of them.
SarNode sar_polynomial_root(SarGraph* g, const SarLoopElement* e, int count, const SarNode* x,
                            SarNode near, SarTwins* twins);
