// Building trees as written: nodes, and folding of constants.
#include "expr/tree.h"

#include <string.h>

// A node with room for its arguments.
static SarExpr* draft(SarArena* a, SarOp op, SarLoc loc, int num, SarExpr* const* arg) {
  int depth = 0;
  for (int i = 0; i < num; i++) {
    if (!arg[i]) return NULL;
    if (arg[i]->depth > depth) depth = arg[i]->depth;
  }
  SarExpr* e = sar_arena_push_small(a, sizeof *e + (size_t)num * sizeof e->arg[0]);
  if (!e) return NULL;
  e->op = op;
  e->num = num;
  e->depth = depth + 1;
  e->loc = loc;
  if (num > 0) memcpy(e->arg, arg, (size_t)num * sizeof e->arg[0]);
  return e;
}

SarExpr* sar_tree_number(SarArena* a, SarLoc loc, double value) {
  SarExpr* e = draft(a, SAR_OP_NUMBER, loc, 0, NULL);
  if (e) e->value = value;
  return e;
}

SarExpr* sar_tree_name(SarArena* a, SarLoc loc, const char* name) {
  SarExpr* e = draft(a, SAR_OP_SYMBOL, loc, 0, NULL);
  if (e) e->name = name;
  return e;
}

// ---- folding ------------------------------------------------------------------------------------

static double sum_of(const SarExpr* e) {
  double s = e->arg[0]->value;
  for (int i = 1; i < e->num; i++) s += e->arg[i]->value;
  return s;
}

// choices, tables and functions that have a definition: by a graph of their own
static bool fold_by_graph(SarArena* a, const SarExpr* e, double* value) {
  SarArena scratch;
  sar_arena_beside(&scratch, a);
  SarGraph* g = sar_graph_new(&scratch);
  const SarNode n = g ? sar_expr_enter(g, e, NULL, NULL, NULL) : SAR_NONE;
  const bool done = n >= 0 && sar_node_is_number(g, n, value);
  sar_arena_end(&scratch, a);
  return done;
}

SarExpr* sar_tree_make(SarArena* a, SarOp op, SarLoc loc, int num, SarExpr* const* arg) {
  double value;
  SarExpr* e = draft(a, op, loc, num, arg);
  if (!e) return NULL;
  for (int i = 0; i < num; i++)
    if (arg[i]->op != SAR_OP_NUMBER) return e;
  if (op == SAR_OP_SUM)
    value = sum_of(e);
  else if (sar_op_arity(op))
    value = sar_op_apply(op, arg[0]->value, arg[num - 1]->value);
  else if (sar_op_is_block(op) || !fold_by_graph(a, e, &value))
    return e;  // what is ill-formed stays, and is reported by who needs its value
  return sar_tree_number(a, loc, value);
}

// ---- looking ------------------------------------------------------------------------------------

SarExpr* sar_expr_number(SarArena* a, double value) {
  return sar_tree_number(a, (SarLoc){0}, value);
}

bool sar_expr_is_number(const SarExpr* e, double* value) {
  if (!e || e->op != SAR_OP_NUMBER) return false;
  if (value) *value = e->value;
  return true;
}

SarLoc sar_expr_loc(const SarExpr* e) { return e->loc; }
