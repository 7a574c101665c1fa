// Numbers, exact as long as 64 bits hold their fractions, and terms: number * rest.
#include "symbolic/rules.h"

// Fractions with whole numbers or fractions stay fractions, if 64 bits hold them.
static bool fraction(SarGraph* g, SarOp op, SarNode x, SarNode y, SarNode* result) {
  int64_t a, b, c, d, p, q, r;
  if (!regroups(g) || (!sar_node_is_fraction(g, x) && !sar_node_is_fraction(g, y))) return false;
  if (!sar_node_rational(g, x, &a, &b) || !sar_node_rational(g, y, &c, &d)) return false;
  bool overflow;
  switch (op) {
    case SAR_OP_ADD:
      overflow = __builtin_mul_overflow(a, d, &p) || __builtin_mul_overflow(c, b, &q) ||
                 __builtin_add_overflow(p, q, &p) || __builtin_mul_overflow(b, d, &r);
      break;
    case SAR_OP_SUB:
      overflow = __builtin_mul_overflow(a, d, &p) || __builtin_mul_overflow(c, b, &q) ||
                 __builtin_sub_overflow(p, q, &p) || __builtin_mul_overflow(b, d, &r);
      break;
    case SAR_OP_MUL:
      overflow = __builtin_mul_overflow(a, c, &p) || __builtin_mul_overflow(b, d, &r);
      break;
    case SAR_OP_DIV:
      overflow = __builtin_mul_overflow(a, d, &p) || __builtin_mul_overflow(b, c, &r) || r == 0;
      break;
    default: return false;
  }
  if (overflow) return false;
  *result = sar_sym_rational(g, p, r);
  return true;
}

SarNode sar_fold(SarGraph* g, SarOp op, SarNode x, SarNode y) {
  SarNode n;
  if (fraction(g, op, x, y, &n)) return n;
  return sar_sym_number(g, sar_op_apply(op, value_of(g, x), value_of(g, y)));
}

SarNode sar_minus_number(SarGraph* g, SarNode x) {
  int64_t num, den;
  if (sar_node_is_fraction(g, x) && sar_node_rational(g, x, &num, &den))
    return sar_sym_rational(g, -num, den);
  return sar_sym_number(g, -value_of(g, x));
}

Term sar_term_of(const SarGraph* g, SarNode n) {
  Term t = {SAR_NONE, false, n};
  if (op_of(g, t.rest) == SAR_OP_NEG) {
    t.minus = true;
    t.rest = arg_of(g, t.rest, 0);
  }
  if (op_of(g, t.rest) == SAR_OP_MUL && is_number(g, arg_of(g, t.rest, 1))) {
    t.number = arg_of(g, t.rest, 1);
    t.rest = arg_of(g, t.rest, 0);
  }
  return t;
}

SarNode sar_number_of_term(SarGraph* g, Term t) {
  const SarNode n = t.number < 0 ? sar_sym_number(g, 1) : t.number;
  return n >= 0 && t.minus ? sar_minus_number(g, n) : n;
}

SarNode sar_ordered(SarGraph* g, SarOp op, SarNode x, SarNode y) {
  if (is_number(g, x) || (!is_number(g, y) && x > y)) swap(&x, &y);
  return make2(g, op, x, y);
}
