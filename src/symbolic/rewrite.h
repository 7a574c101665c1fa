// An expression in another graph, with other leaves.
#pragma once
#include "symbolic/symbolic.h"

// out[i] in graph `to` is y[i] of graph `from`; leaf gives the node of `to` for
// a symbol or number of `from`, SAR_NONE: the same. Built by the rules of `to`.
// False when memory ran out or `to` is full.
bool sar_sym_translate(SarGraph* from, int n, const SarNode* y, SarGraph* to, SarReplace* leaf,
                       void* context, SarNode* out);
