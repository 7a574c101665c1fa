// Sums: x + 0 = x, x - x = 0, 2 x + x = 3 x, (x + 1) + 2 = x + 3, k sin² x + k cos² x = k
// (build.c).
#include "symbolic/rules.h"

#include <math.h>

// k trig², in any of the ways it is built: t t, k (t t)
static bool is_square(const SarGraph* g, SarNode n, SarOp trig, SarNode* k, SarNode* angle) {
  if (op_of(g, n) != SAR_OP_MUL) return false;
  const SarNode x = arg_of(g, n, 0), y = arg_of(g, n, 1);
  if (x == y && op_of(g, x) == trig) {
    *k = SAR_NONE;
    *angle = arg_of(g, x, 0);
    return true;
  }
  for (int i = 0; i < 2; i++) {
    const SarNode factor = i ? x : y, square = i ? y : x;
    if (op_of(g, square) != SAR_OP_MUL || arg_of(g, square, 0) != arg_of(g, square, 1)) continue;
    const SarNode t = arg_of(g, square, 0);
    if (op_of(g, t) != trig) continue;
    *k = factor;
    *angle = arg_of(g, t, 0);
    return true;
  }
  return false;
}

// k sin² + k cos² = k
static bool is_circle(SarGraph* g, SarNode x, SarNode y, SarNode* sum) {
  SarNode k, angle, other_k, other_angle;
  if (op_of(g, x) != SAR_OP_MUL || op_of(g, y) != SAR_OP_MUL) return false;
  const bool found = (is_square(g, x, SAR_OP_SIN, &k, &angle) &&
                      is_square(g, y, SAR_OP_COS, &other_k, &other_angle)) ||
                     (is_square(g, x, SAR_OP_COS, &k, &angle) &&
                      is_square(g, y, SAR_OP_SIN, &other_k, &other_angle));
  if (!found || k != other_k || angle != other_angle) return false;
  *sum = k < 0 ? sar_sym_number(g, 1) : k;
  return true;
}

static bool ends_in_number(const SarGraph* g, SarNode n) {
  return op_of(g, n) == SAR_OP_ADD && is_number(g, arg_of(g, n, 1));
}

// x + y where neither has a sign, is a number, or ends in one
static SarNode add_terms(SarGraph* g, SarNode x, SarNode y) {
  SarNode sum;
  const Term s = sar_term_of(g, x), t = sar_term_of(g, y);
  if (x == y) return sar_sym_mul(g, x, sar_sym_number(g, 2));
  if (!regroups(g)) return sar_ordered(g, SAR_OP_ADD, x, y);
  if (s.rest == t.rest)
    return sar_sym_mul(g, sar_sym_add(g, sar_number_of_term(g, s), sar_number_of_term(g, t)),
                       s.rest);
  if (is_circle(g, x, y, &sum)) return sum;
  if (op_of(g, x) == SAR_OP_SUB && arg_of(g, x, 1) == y) return arg_of(g, x, 0);  // (u - y) + y
  if (op_of(g, y) == SAR_OP_SUB && arg_of(g, y, 1) == x) return arg_of(g, y, 0);  // x + (u - x)
  return sar_ordered(g, SAR_OP_ADD, x, y);
}

static bool are_opposite(const SarGraph* g, SarNode x, SarNode y) {  // a - b and b - a
  return op_of(g, x) == SAR_OP_SUB && op_of(g, y) == SAR_OP_SUB &&
         arg_of(g, x, 0) == arg_of(g, y, 1) && arg_of(g, x, 1) == arg_of(g, y, 0);
}

SarNode sar_rule_add(SarGraph* g, SarNode x, SarNode y) {
  if (is_number(g, x)) swap(&x, &y);
  if (is_number(g, y)) {
    if (is_number(g, x)) return sar_fold(g, SAR_OP_ADD, x, y);
    // exact for -0 only: -0 + 0 = 0
    if (value_of(g, y) == 0 && (algebra(g) || signbit(value_of(g, y)))) return x;
    if (algebra(g) && ends_in_number(g, x))
      return sar_sym_add(g, arg_of(g, x, 0), sar_fold(g, SAR_OP_ADD, arg_of(g, x, 1), y));
    if (algebra(g) && op_of(g, x) == SAR_OP_SUB && is_number(g, arg_of(g, x, 0)))
      return sar_sym_sub(g, sar_fold(g, SAR_OP_ADD, arg_of(g, x, 0), y), arg_of(g, x, 1));
    return make2(g, SAR_OP_ADD, x, y);
  }
  if (op_of(g, y) == SAR_OP_NEG) return sar_sym_sub(g, x, arg_of(g, y, 0));  // exact
  if (op_of(g, x) == SAR_OP_NEG) return sar_sym_sub(g, y, arg_of(g, x, 0));  // exact
  if (!algebra(g)) return sar_ordered(g, SAR_OP_ADD, x, y);
  if (regroups(g) && are_opposite(g, x, y)) return sar_sym_number(g, 0);
  if (ends_in_number(g, x))
    return sar_sym_add(g, sar_sym_add(g, arg_of(g, x, 0), y), arg_of(g, x, 1));
  if (ends_in_number(g, y))
    return sar_sym_add(g, sar_sym_add(g, x, arg_of(g, y, 0)), arg_of(g, y, 1));
  return add_terms(g, x, y);
}

// x - y where neither is a number or has a sign
static SarNode subtract_terms(SarGraph* g, SarNode x, SarNode y) {
  const Term s = sar_term_of(g, x), t = sar_term_of(g, y);
  if (x == y) return sar_sym_number(g, 0);
  if (!regroups(g)) return make2(g, SAR_OP_SUB, x, y);
  if (s.rest == t.rest)
    return sar_sym_mul(g, sar_sym_sub(g, sar_number_of_term(g, s), sar_number_of_term(g, t)),
                       s.rest);
  if (op_of(g, x) == SAR_OP_ADD && arg_of(g, x, 0) == y) return arg_of(g, x, 1);  // (y + u) - y
  if (op_of(g, x) == SAR_OP_ADD && arg_of(g, x, 1) == y) return arg_of(g, x, 0);
  if (op_of(g, y) == SAR_OP_ADD && arg_of(g, y, 0) == x) return sar_sym_neg(g, arg_of(g, y, 1));
  if (op_of(g, y) == SAR_OP_ADD && arg_of(g, y, 1) == x) return sar_sym_neg(g, arg_of(g, y, 0));
  if (op_of(g, y) == SAR_OP_SUB && arg_of(g, y, 0) == x) return arg_of(g, y, 1);  // x - (x - u)
  // x - (-3 y) = x + 3 y
  if (t.number >= 0 && value_of(g, t.number) < 0)
    return sar_sym_add(g, x, sar_sym_mul(g, sar_minus_number(g, t.number), t.rest));
  return make2(g, SAR_OP_SUB, x, y);
}

SarNode sar_rule_subtract(SarGraph* g, SarNode x, SarNode y) {
  if (is_number(g, y)) {
    if (is_number(g, x)) return sar_fold(g, SAR_OP_SUB, x, y);
    return sar_sym_add(g, x, sar_minus_number(g, y));  // exact: x - c = x + (-c)
  }
  if (op_of(g, y) == SAR_OP_NEG) return sar_sym_add(g, x, arg_of(g, y, 0));  // exact
  if (!algebra(g)) return make2(g, SAR_OP_SUB, x, y);
  if (is_value(g, x, 0)) return sar_sym_neg(g, y);
  if (op_of(g, x) == SAR_OP_NEG) return sar_sym_neg(g, sar_sym_add(g, arg_of(g, x, 0), y));
  if (regroups(g) && ends_in_number(g, y))
    return sar_sym_sub(g, sar_sym_sub(g, x, arg_of(g, y, 1)), arg_of(g, y, 0));
  if (is_number(g, x)) {
    if (regroups(g) && op_of(g, y) == SAR_OP_SUB && is_number(g, arg_of(g, y, 0)))  // c - (d - u)
      return sar_sym_add(g, arg_of(g, y, 1), sar_fold(g, SAR_OP_SUB, x, arg_of(g, y, 0)));
    return make2(g, SAR_OP_SUB, x, y);
  }
  if (ends_in_number(g, x))
    return sar_sym_add(g, sar_sym_sub(g, arg_of(g, x, 0), y), arg_of(g, x, 1));
  return subtract_terms(g, x, y);
}

SarNode sar_rule_negate(SarGraph* g, SarNode x, SarNode unused) {
  (void)unused;
  if (is_number(g, x)) return sar_minus_number(g, x);
  if (op_of(g, x) == SAR_OP_NEG) return arg_of(g, x, 0);  // exact
  if (algebra(g)) {
    if (op_of(g, x) == SAR_OP_SUB) return sar_sym_sub(g, arg_of(g, x, 1), arg_of(g, x, 0));
    if (ends_in_number(g, x))
      return sar_sym_sub(g, sar_minus_number(g, arg_of(g, x, 1)), arg_of(g, x, 0));
    if (op_of(g, x) == SAR_OP_MUL && is_number(g, arg_of(g, x, 1)))
      return sar_sym_mul(g, sar_minus_number(g, arg_of(g, x, 1)), arg_of(g, x, 0));
  }
  return make1(g, SAR_OP_NEG, x);
}
