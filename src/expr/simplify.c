// Identities of algebra applied while building. Used for derivatives, where most terms vanish: d(3
// x)/dx = 0 x + 3 1. Not used for what a person wrote: 0 * x = 0 is wrong when x is infinite.
#include "expr/tree.h"

static SarExpr* negate(SarExprGraph* g, SarLoc loc, SarExpr* x) {
  return x->op == SAR_OP_NEG ? x->arg[0] : sar_tree_make(g, SAR_OP_NEG, loc, 1, &x);
}

// numbers are added up into one term at the end, zeros dropped
static SarExpr* simplify_sum(SarExprGraph* g, SarLoc loc, int num, SarExpr* const* arg) {
  SarExpr** term = SAR_ARENA_ARRAY(g->arena, SarExpr*, num + 1);
  if (!term) return NULL;
  int n = 0;
  double constant = 0;
  for (int i = 0; i < num; i++) {
    if (arg[i]->op == SAR_OP_NUMBER)
      constant += arg[i]->value;
    else
      term[n++] = arg[i];
  }
  if (constant != 0 || n == 0) {
    term[n] = sar_tree_number(g, loc, constant);
    n++;
  }
  return n == 1 ? term[0] : sar_tree_make(g, SAR_OP_SUM, loc, n, term);
}

// signs and numbers move to the front: (-x) y = -(x y),   x 3 = 3 x,   2 (3 x) = 6 x
static SarExpr* simplify_mul(SarExprGraph* g, SarLoc loc, SarExpr* x, SarExpr* y) {
  if (sar_tree_is(x, 0) || sar_tree_is(y, 0)) return sar_tree_number(g, loc, 0);
  if (sar_tree_is(x, 1)) return y;
  if (sar_tree_is(y, 1)) return x;
  if (sar_tree_is(x, -1)) return negate(g, loc, y);
  if (sar_tree_is(y, -1)) return negate(g, loc, x);
  if (y->op == SAR_OP_NUMBER && x->op != SAR_OP_NUMBER) return simplify_mul(g, loc, y, x);
  if (x->op == SAR_OP_NEG || y->op == SAR_OP_NEG) {
    SarExpr* product = x->op == SAR_OP_NEG ? simplify_mul(g, loc, x->arg[0], y)
                                           : simplify_mul(g, loc, x, y->arg[0]);
    return product ? negate(g, loc, product) : NULL;
  }
  if (x->op == SAR_OP_NUMBER && y->op == SAR_OP_MUL && y->arg[0]->op == SAR_OP_NUMBER) {
    SarExpr* factor = sar_tree_number(g, loc, x->value * y->arg[0]->value);
    return factor ? simplify_mul(g, loc, factor, y->arg[1]) : NULL;
  }
  return sar_tree_make(g, SAR_OP_MUL, loc, 2, (SarExpr*[]){x, y});
}

static SarExpr* simplify_div(SarExprGraph* g, SarLoc loc, SarExpr* x, SarExpr* y) {
  if (sar_tree_is(x, 0)) return x;
  if (sar_tree_is(y, 1)) return x;
  if (x->op == SAR_OP_NEG) {
    SarExpr* quotient = simplify_div(g, loc, x->arg[0], y);
    return quotient ? negate(g, loc, quotient) : NULL;
  }
  return sar_tree_make(g, SAR_OP_DIV, loc, 2, (SarExpr*[]){x, y});
}

// known conditions decide; equal numbers need no choice
static SarExpr* simplify_select(SarExprGraph* g, SarLoc loc, int num, SarExpr* const* arg) {
  SarExpr** kept = SAR_ARENA_ARRAY(g->arena, SarExpr*, num);
  if (!kept) return NULL;
  int n = 0;
  SarExpr* otherwise = arg[num - 1];
  for (int i = 0; i + 1 < num; i += 2) {
    if (sar_tree_is(arg[i], 0)) continue;
    if (arg[i]->op == SAR_OP_NUMBER) {
      otherwise = arg[i + 1];
      break;
    }
    kept[n++] = arg[i];
    kept[n++] = arg[i + 1];
  }
  while (n > 0 && sar_tree_equal(kept[n - 1], otherwise)) n -= 2;
  kept[n++] = otherwise;
  return n == 1 ? kept[0] : sar_tree_make(g, SAR_OP_SELECT, loc, n, kept);
}

SarExpr* sar_tree_simplify(SarExprGraph* g, SarOp op, SarLoc loc, int num, SarExpr* const* arg) {
  for (int i = 0; i < num; i++)
    if (!arg[i]) return NULL;
  switch (op) {
    case SAR_OP_SUM: return simplify_sum(g, loc, num, arg);
    case SAR_OP_NEG: return negate(g, loc, arg[0]);
    case SAR_OP_MUL: return simplify_mul(g, loc, arg[0], arg[1]);
    case SAR_OP_DIV: return simplify_div(g, loc, arg[0], arg[1]);
    case SAR_OP_SELECT: return simplify_select(g, loc, num, arg);
    case SAR_OP_POW:
      if (sar_tree_is(arg[1], 1)) return arg[0];
      if (sar_tree_is(arg[1], 0)) return sar_tree_number(g, loc, 1);
      break;
    default: break;
  }
  return sar_tree_make(g, op, loc, num, arg);
}
