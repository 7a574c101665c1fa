// The nodes of expressions. Private to src/expr.
//
// Nodes are immutable, up to the mark of the pass that looked at them last. They are built either as
// written (the parser: a tree) or in a graph (all else: equal nodes are one). Passes over a graph meet
// each node once: those that build remember what they made of it (SarMemo), those that only look
// mark it. Depth is bounded, and with it recursion.
#pragma once
#include "expr/expr.h"
#include "symbolic/op.h"

#include <stdbool.h>
#include <stdint.h>

struct SarExpr {
  SarOp op;
  int num;                    // arguments
  int depth;                  // levels below and including this node
  unsigned mark;              // of the last pass that looked at it (SarExprGraph.walk)
  uint64_t hash;              // of what it says, not of where it is: equal in every run
  const SarExprGraph* owner;  // NULL: as written
  SarLoc loc;
  union {
    double value;
    const char* name;
  };
  SarExpr* arg[];
};

// ---- building: NULL when memory ran out, when an argument is NULL, or when a bound is passed ----
// Arguments are nodes of the same graph, or as written in a graph made for that.
SarExpr* sar_tree_number(SarExprGraph* g, SarLoc loc, double value);
SarExpr* sar_tree_name(SarExprGraph* g, SarLoc loc, const char* name);  // keeps the pointer
// op(arg...); a number when all arguments are numbers.
SarExpr* sar_tree_make(SarExprGraph* g, SarOp op, SarLoc loc, int num, SarExpr* const* arg);
// The same with the identities of algebra (0 x = 0, x + 0 = x, x^1 = x, ...). For derivatives only:
// a factor 0 hides an infinity.
SarExpr* sar_tree_simplify(SarExprGraph* g, SarOp op, SarLoc loc, int num, SarExpr* const* arg);
bool sar_tree_equal(const SarExpr* x, const SarExpr* y);  // of one graph
bool sar_tree_is(const SarExpr* e, double value);         // the number `value`

// Every name for which replace gives a tree is replaced, and the result simplified. NULL from
// replace: the name stays. For rules, which are short: recurses plainly.
typedef SarExpr* SarTreeReplace(void* context, const char* name);
SarExpr* sar_tree_substitute(SarExprGraph* g, SarExpr* e, SarTreeReplace* replace, void* context);

// ---- the graph ----------------------------------------------------------------------------------
SarExprGraph sar_graph_as_written(SarArena* arena);  // for trees: nothing is shared
bool sar_graph_shares(const SarExprGraph* g);
// The node equal to the draft, which becomes one of the graph if there is none yet.
SarExpr* sar_tree_intern(SarExprGraph* g, SarExpr* draft);
SarExpr* sar_graph_enter(SarExprGraph* g, const SarExpr* e);  // a tree as written, or a node of g

// ---- remembering: node -> what a pass made of it ------------------------------------------------
typedef struct SarMemo {
  const SarExpr** node;
  void** found;
  int count, capacity;
} SarMemo;
void* sar_memo_find(const SarMemo* m, const SarExpr* node);                    // NULL: not seen yet
void sar_memo_add(SarArena* a, SarMemo* m, const SarExpr* node, void* found);  // or replaces

// ---- the function table -------------------------------------------------------------------------
typedef enum SarFunctionKind {
  SAR_KIND_UNARY,
  SAR_KIND_BINARY,
  SAR_KIND_DEFINED,
  SAR_KIND_VARIADIC,
  SAR_KIND_BLOCK
} SarFunctionKind;

typedef struct SarFunction {
  SarOp op;
  SarFunctionKind kind;
  const char* name;        // "" for operators
  const char* parameters;  // as documented: "x, lo, hi"
  const char* rule;        // derivative in x, y, dx, dy; for a defined function: its definition
  const char* doc;
} SarFunction;

const SarFunction* sar_function_of(SarOp op);  // NULL for numbers, names and internal operations
const SarFunction* sar_function_find(const char* name);             // Nullable: no such function
SarExpr* sar_function_rule(SarExprGraph* g, const SarFunction* f);  // `rule`, read once per graph

// Names of the arguments in `rule`.
enum { SAR_MAX_PARAMETERS = 5 };
typedef struct SarParameters {
  int num;
  char name[SAR_MAX_PARAMETERS][8];
} SarParameters;
SarParameters sar_function_parameters(const SarFunction* f);
int sar_parameters_find(const SarParameters* p, const char* name);  // -1: not a parameter

// ---- checks and messages ------------------------------------------------------------------------
// A table's points must be numbers with rising x. False when not, after a report that says which
// (err Nullable).
bool sar_table_check(const SarExpr* table, SarError* err);
static inline bool sar_op_is_table(SarOp op) {
  return op == SAR_OP_TABLE || op == SAR_OP_SLOPE || op == SAR_OP_SPLINE ||
         op == SAR_OP_SPLINE_SLOPE;
}
// Does a call keep states (blocks.c)? And does one of these take so many arguments?
bool sar_op_is_block(SarOp op);
bool sar_block_takes(SarOp op, int num);
void sar_block_refuse(const SarExpr* call, SarError* err);  // where none may stand
// x, y, y'' of the points of a spline, (num - 1) / 2 of them; NULL: no memory.
double* sar_spline_knots(SarArena* a, const SarExpr* spline);
// The same for every table in a tree.
bool sar_tables_check(const SarExpr* e, SarError* err);
// Reports an unknown name with the best hint there is.
void sar_report_unknown(SarError* err, SarLoc loc, const char* name, const char* const* known,
                        int known_count);
