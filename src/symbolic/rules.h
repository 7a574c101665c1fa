// What the rules of the builders share (build.c): numbers, terms, and one rule for each operation.
#pragma once
#include "symbolic/graph.h"

static inline bool algebra(const SarGraph* g) { return g->rules != SAR_EXACT; }

// May roundings change?
static inline bool regroups(const SarGraph* g) { return g->rules == SAR_ALGEBRA; }

static inline SarNode arg_of(const SarGraph* g, SarNode n, int i) { return node_of(g, n)->arg[i]; }

static inline SarNode make1(SarGraph* g, SarOp op, SarNode x) {
  return sar_graph_node(g, op, 1, x, SAR_NONE, SAR_NONE);
}

static inline SarNode make2(SarGraph* g, SarOp op, SarNode x, SarNode y) {
  return sar_graph_node(g, op, 2, x, y, SAR_NONE);
}

static inline void swap(SarNode* x, SarNode* y) {
  const SarNode z = *x;
  *x = *y;
  *y = z;
}

// ---- rules_terms.c: numbers, and number * rest --------------------------------------------------
SarNode sar_fold(SarGraph* g, SarOp op, SarNode x, SarNode y);
SarNode sar_minus_number(SarGraph* g, SarNode x);

typedef struct Term {
  SarNode number;  // SAR_NONE: 1
  bool minus;
  SarNode rest;
} Term;

Term sar_term_of(const SarGraph* g, SarNode n);
SarNode sar_number_of_term(SarGraph* g, Term t);
// The operands of + and * in one order.
SarNode sar_ordered(SarGraph* g, SarOp op, SarNode x, SarNode y);

// ---- rules_sums.c: rest + number; rules_products.c: number * rest, sign outside -----------------
SarNode sar_rule_add(SarGraph* g, SarNode x, SarNode y);
SarNode sar_rule_subtract(SarGraph* g, SarNode x, SarNode y);
SarNode sar_rule_negate(SarGraph* g, SarNode x, SarNode unused);
SarNode sar_rule_multiply(SarGraph* g, SarNode x, SarNode y);
SarNode sar_rule_divide(SarGraph* g, SarNode x, SarNode y);
