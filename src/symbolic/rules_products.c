// Products and quotients: 0 x = 0, (-x) y = -(x y), 2 (3 x) = 6 x, x / x = 1, (u / y) y = u
// (build.c).
#include "symbolic/rules.h"

// y trig * trig = y trig²: so that squares meet
static bool is_trig_again(const SarGraph* g, SarNode product, SarNode t, SarNode* other) {
  const SarOp op = op_of(g, t);
  if ((op != SAR_OP_SIN && op != SAR_OP_COS) || op_of(g, product) != SAR_OP_MUL) return false;
  const SarNode x = arg_of(g, product, 0), y = arg_of(g, product, 1);
  if (x == y || (x != t && y != t)) return false;
  *other = x == t ? y : x;
  return true;
}

// neither has a sign or is a number
static SarNode multiply_terms(SarGraph* g, SarNode x, SarNode y) {
  const Term s = sar_term_of(g, x), t = sar_term_of(g, y);
  if (!regroups(g)) return sar_ordered(g, SAR_OP_MUL, x, y);
  if (s.number >= 0 || t.number >= 0) {
    const SarNode one = sar_sym_number(g, 1);
    const SarNode number =
        sar_sym_mul(g, s.number < 0 ? one : s.number, t.number < 0 ? one : t.number);
    return sar_sym_mul(g, number, sar_sym_mul(g, s.rest, t.rest));
  }
  if (op_of(g, x) == SAR_OP_DIV && arg_of(g, x, 1) == y) return arg_of(g, x, 0);  // (u / y) y
  if (op_of(g, y) == SAR_OP_DIV && arg_of(g, y, 1) == x) return arg_of(g, y, 0);
  SarNode other;
  if (is_trig_again(g, x, y, &other)) return sar_sym_mul(g, other, sar_sym_square(g, y));
  if (is_trig_again(g, y, x, &other)) return sar_sym_mul(g, other, sar_sym_square(g, x));
  return sar_ordered(g, SAR_OP_MUL, x, y);
}

SarNode sar_rule_multiply(SarGraph* g, SarNode x, SarNode y) {
  if (is_number(g, x)) swap(&x, &y);
  if (is_number(g, y)) {
    if (is_number(g, x)) return sar_fold(g, SAR_OP_MUL, x, y);
    if (is_value(g, y, 1)) return x;  // exact
    if (!algebra(g)) return make2(g, SAR_OP_MUL, x, y);
    if (is_value(g, y, 0)) return sar_sym_number(g, 0);
    if (is_value(g, y, -1)) return sar_sym_neg(g, x);
    if (op_of(g, x) == SAR_OP_NEG) return sar_sym_mul(g, arg_of(g, x, 0), sar_minus_number(g, y));
    if (op_of(g, x) == SAR_OP_MUL && is_number(g, arg_of(g, x, 1)))
      return sar_sym_mul(g, arg_of(g, x, 0), sar_fold(g, SAR_OP_MUL, y, arg_of(g, x, 1)));
    return make2(g, SAR_OP_MUL, x, y);
  }
  if (!algebra(g)) return sar_ordered(g, SAR_OP_MUL, x, y);
  if (op_of(g, x) == SAR_OP_NEG) return sar_sym_neg(g, sar_sym_mul(g, arg_of(g, x, 0), y));
  if (op_of(g, y) == SAR_OP_NEG) return sar_sym_neg(g, sar_sym_mul(g, x, arg_of(g, y, 0)));
  return multiply_terms(g, x, y);
}

SarNode sar_rule_divide(SarGraph* g, SarNode x, SarNode y) {
  if (is_number(g, x) && is_number(g, y)) return sar_fold(g, SAR_OP_DIV, x, y);
  if (is_value(g, y, 1)) return x;  // exact
  if (!algebra(g)) return make2(g, SAR_OP_DIV, x, y);
  if (is_value(g, x, 0)) return x;
  if (is_value(g, y, -1)) return sar_sym_neg(g, x);
  if (x == y) return sar_sym_number(g, 1);
  if (op_of(g, x) == SAR_OP_NEG) return sar_sym_neg(g, sar_sym_div(g, arg_of(g, x, 0), y));
  if (op_of(g, y) == SAR_OP_NEG) return sar_sym_neg(g, sar_sym_div(g, x, arg_of(g, y, 0)));
  if (!regroups(g)) return make2(g, SAR_OP_DIV, x, y);
  if (is_number(g, y) && sar_node_is_fraction(g, y))
    return sar_sym_mul(g, x, sar_fold(g, SAR_OP_DIV, sar_sym_number(g, 1), y));
  if (op_of(g, x) == SAR_OP_MUL && arg_of(g, x, 0) == y) return arg_of(g, x, 1);
  if (op_of(g, x) == SAR_OP_MUL && arg_of(g, x, 1) == y) return arg_of(g, x, 0);
  return make2(g, SAR_OP_DIV, x, y);
}
