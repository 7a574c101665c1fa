// Inside of a graph. Private to src/symbolic.
#pragma once
#include "symbolic/symbolic.h"

typedef struct SarNodeData {
  unsigned short op;
  unsigned short num;  // arguments
  SarNode arg[3];
  union {
    double value;      // of a number
    const char* name;  // of a symbol
    int table;         // of a table: its points
  };
} SarNodeData;

typedef struct SarRational {
  int64_t num, den;  // den > 1, lowest terms
} SarRational;

typedef struct SarPoints {
  int count, width;  // points; doubles of each: 2, or 3 of splines
  const double* at;
} SarPoints;

struct SarGraph {
  SarArena* arena;
  SAR_LIST(SarNodeData) nodes;
  SAR_LIST(SarRational) rationals;  // number nodes that are fractions: arg[0] is the index
  SAR_LIST(SarPoints) tables;
  int* bucket;  // unique table, open addressing; -1 = empty
  int capacity;
  int* mark;  // by node: number of the pass that met it last, and the place it gave it
  int* place;
  int marks, walk;
  int max_nodes;
  SarRules rules;
  int level;  // of builders that call one another
  bool refused;
};

static inline const SarNodeData* node_of(const SarGraph* g, SarNode n) {
  return &g->nodes.items[n];
}
static inline SarOp op_of(const SarGraph* g, SarNode n) { return (SarOp)g->nodes.items[n].op; }
static inline bool is_number(const SarGraph* g, SarNode n) {
  return g->nodes.items[n].op == SAR_OP_NUMBER;
}
static inline double value_of(const SarGraph* g, SarNode n) { return g->nodes.items[n].value; }
static inline bool is_value(const SarGraph* g, SarNode n, double value) {
  return is_number(g, n) && value_of(g, n) == value;
}
static inline bool is_table(SarOp op) {
  return op == SAR_OP_TABLE || op == SAR_OP_SLOPE || op == SAR_OP_SPLINE ||
         op == SAR_OP_SPLINE_SLOPE;
}

// The node that says the same as the draft, made if there is none yet.
SarNode sar_graph_intern(SarGraph* g, SarNodeData draft);
// Node of an operation with these arguments, not simplified.
SarNode sar_graph_node(SarGraph* g, SarOp op, int num, SarNode x, SarNode y, SarNode z);
// The same table of another argument.
SarNode sar_graph_table(SarGraph* g, SarOp op, SarNode x, int table);
// Index of points (copied, or those equal to them); -1: no memory.
int sar_graph_points(SarGraph* g, int count, int width, const double* at);
// The same operation on other arguments, by the builder of the operation.
SarNode sar_graph_rebuild(SarGraph* g, const SarNodeData* like, const SarNode* arg);
bool sar_node_is_fraction(const SarGraph* g, SarNode n);  // a number that is a SarRational
