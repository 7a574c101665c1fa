// Builders: nodes simplified while they are made.
//
// Under SAR_EXACT constants are folded and the two operands of + and * put into one order; that,
// and what the comments call exact, leaves every bit of every value. SAR_TIDY drops what vanishes
// and pulls signs and neighbouring numbers out. Under SAR_ALGEBRA a term is seen as
// number * rest and a sum as rest + number, with signs outside of products:
//   0 x = 0, x + 0 = x, x - x = 0, 2 x + x = 3 x, (-x) y = -(x y), 2 (3 x) = 6 x, (x + 1) + 2 = x +
//     3,
//   x / x = 1, sin(-x) = -sin x, k sin² x + k cos² x = k
// Each rule looks at two levels, so that a builder costs O(1).
#include "symbolic/rules.h"

// Rules call one another on what they take apart. What was built exactly may be nested to any depth
// in a form that a rule takes apart level by level, so they stop looking after a few.
typedef SarNode Rule(SarGraph* g, SarNode x, SarNode y);

enum { LEVELS = 12 };

static SarNode bounded(SarGraph* g, Rule* rule, SarNode x, SarNode y) {
  if (x < 0 || y < 0) return SAR_NONE;
  const SarRules rules = g->rules;
  if (g->level >= LEVELS) g->rules = SAR_EXACT;
  g->level++;
  const SarNode n = rule(g, x, y);
  g->level--;
  g->rules = rules;
  return n;
}

SarNode sar_sym_add(SarGraph* g, SarNode x, SarNode y) { return bounded(g, sar_rule_add, x, y); }
SarNode sar_sym_sub(SarGraph* g, SarNode x, SarNode y) {
  return bounded(g, sar_rule_subtract, x, y);
}
SarNode sar_sym_mul(SarGraph* g, SarNode x, SarNode y) {
  return bounded(g, sar_rule_multiply, x, y);
}
SarNode sar_sym_div(SarGraph* g, SarNode x, SarNode y) { return bounded(g, sar_rule_divide, x, y); }
SarNode sar_sym_neg(SarGraph* g, SarNode x) { return bounded(g, sar_rule_negate, x, x); }

SarNode sar_sym_square(SarGraph* g, SarNode x) { return sar_sym_mul(g, x, x); }

SarNode sar_sym_pow(SarGraph* g, SarNode x, SarNode y) {
  if (x < 0 || y < 0) return SAR_NONE;
  if (is_number(g, x) && is_number(g, y)) return sar_fold(g, SAR_OP_POW, x, y);
  if (is_value(g, y, 1)) return x;                     // exact
  if (is_value(g, y, 2)) return sar_sym_square(g, x);  // exact: as kernels.def computes it
  if (is_value(g, y, 3)) return sar_sym_mul(g, sar_sym_square(g, x), x);
  if (algebra(g) && is_value(g, y, 0)) return sar_sym_number(g, 1);
  return make2(g, SAR_OP_POW, x, y);
}

// ---- functions ----------------------------------------------------------------------------------

SarNode sar_sym_select(SarGraph* g, SarNode condition, SarNode yes, SarNode no) {
  if (condition < 0 || yes < 0 || no < 0) return SAR_NONE;
  if (is_number(g, condition)) return value_of(g, condition) != 0 ? yes : no;
  if (yes == no) return yes;
  // 0 and -0 are two nodes, but equal numbers
  if (algebra(g) && is_number(g, yes) && is_value(g, no, value_of(g, yes))) return yes;
  return sar_graph_node(g, SAR_OP_SELECT, 3, condition, yes, no);
}

// functions of -x that are even or odd
static SarNode call_of_negative(SarGraph* g, SarOp op, SarNode x) {
  switch (op) {
    case SAR_OP_COS:
    case SAR_OP_COSH:
    case SAR_OP_ABS: return sar_sym_call(g, op, x, SAR_NONE);
    case SAR_OP_SIN:
    case SAR_OP_TAN:
    case SAR_OP_ASIN:
    case SAR_OP_ATAN:
    case SAR_OP_SINH:
    case SAR_OP_TANH:
    case SAR_OP_ASINH:
    case SAR_OP_ATANH:
    case SAR_OP_CBRT:
    case SAR_OP_SIGN: return sar_sym_neg(g, sar_sym_call(g, op, x, SAR_NONE));
    default: return make1(g, op, sar_sym_neg(g, x));
  }
}

static bool is_minus(const SarGraph* g, SarNode x) {
  return op_of(g, x) == SAR_OP_NEG || (op_of(g, x) == SAR_OP_MUL && is_number(g, arg_of(g, x, 1)) &&
                                       value_of(g, arg_of(g, x, 1)) < 0);
}

static SarNode call_unary(SarGraph* g, SarOp op, SarNode x) {
  if (x < 0) return SAR_NONE;
  if (is_number(g, x)) return sar_sym_number(g, sar_op_apply(op, value_of(g, x), 0));
  if (algebra(g) && is_minus(g, x)) return call_of_negative(g, op, sar_sym_neg(g, x));
  return make1(g, op, x);
}

SarNode sar_sym_call(SarGraph* g, SarOp op, SarNode x, SarNode y) {
  switch (op) {
    case SAR_OP_NEG: return sar_sym_neg(g, x);
    case SAR_OP_ADD: return sar_sym_add(g, x, y);
    case SAR_OP_SUB: return sar_sym_sub(g, x, y);
    case SAR_OP_MUL: return sar_sym_mul(g, x, y);
    case SAR_OP_DIV: return sar_sym_div(g, x, y);
    case SAR_OP_POW: return sar_sym_pow(g, x, y);
    default: break;
  }
  const int arity = sar_op_arity(op);
  if (arity == 1) return call_unary(g, op, x);
  if (arity != 2 || x < 0 || y < 0) return SAR_NONE;
  if (is_number(g, x) && is_number(g, y))
    return sar_sym_number(g, sar_op_apply(op, value_of(g, x), value_of(g, y)));
  return make2(g, op, x, y);
}

SarNode sar_sym_sqrt(SarGraph* g, SarNode x) { return sar_sym_call(g, SAR_OP_SQRT, x, SAR_NONE); }
SarNode sar_sym_sin(SarGraph* g, SarNode x) { return sar_sym_call(g, SAR_OP_SIN, x, SAR_NONE); }
SarNode sar_sym_cos(SarGraph* g, SarNode x) { return sar_sym_call(g, SAR_OP_COS, x, SAR_NONE); }

SarNode sar_graph_rebuild(SarGraph* g, const SarNodeData* like, const SarNode* arg) {
  const SarOp op = (SarOp)like->op;
  if (op == SAR_OP_SELECT) return sar_sym_select(g, arg[0], arg[1], arg[2]);
  if (is_table(op)) return sar_graph_table(g, op, arg[0], like->table);
  return sar_sym_call(g, op, arg[0], arg[1]);
}
