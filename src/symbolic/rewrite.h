// An expression in another graph, with other things in place of some of its nodes.
#pragma once
#include "symbolic/symbolic.h"

// out[i] in graph `to` is y[i] of graph `from`; other gives the node of `to` that stands for a node
// of `from`, SAR_NONE: the same operation on the same arguments. Built by the rules of `to`. False
// when memory ran out or `to` is full.
bool sar_sym_translate(SarGraph* from, int n, const SarNode* y, SarGraph* to, SarReplace* other,
                       void* context, SarNode* out);

// As sar_sym_forward, but rate is asked for all nodes, and what it gives of one that is no symbol
// goes before the rule of its operation.
bool sar_sym_forward_nodes(SarGraph* g, int n, const SarNode* y, SarRate* rate, void* context,
                           SarNode* dy);
