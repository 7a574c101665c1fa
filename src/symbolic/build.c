// Builders: nodes simplified while they are made.
//
// Under SAR_EXACT constants are folded and the two operands of + and * put into one order; that, and
// what the comments call exact, leaves every bit of every value. SAR_TIDY drops what vanishes and
// pulls signs and neighbouring numbers out. Under SAR_ALGEBRA a term is seen as
// number * rest and a sum as rest + number, with signs outside of products:
//   0 x = 0, x + 0 = x, x - x = 0, 2 x + x = 3 x, (-x) y = -(x y), 2 (3 x) = 6 x, (x + 1) + 2 = x + 3,
//   x / x = 1, sin(-x) = -sin x, k sin² x + k cos² x = k
// Each rule looks at two levels, so that a builder costs O(1).
#include "symbolic/graph.h"

#include <math.h>

static bool algebra(const SarGraph* g) { return g->rules != SAR_EXACT; }

// May roundings change?
static bool regroups(const SarGraph* g) { return g->rules == SAR_ALGEBRA; }

static SarNode arg_of(const SarGraph* g, SarNode n, int i) { return node_of(g, n)->arg[i]; }

static SarNode make1(SarGraph* g, SarOp op, SarNode x) {
  return sar_graph_node(g, op, 1, x, SAR_NONE, SAR_NONE);
}

static SarNode make2(SarGraph* g, SarOp op, SarNode x, SarNode y) {
  return sar_graph_node(g, op, 2, x, y, SAR_NONE);
}

static void swap(SarNode* x, SarNode* y) {
  const SarNode z = *x;
  *x = *y;
  *y = z;
}

// ---- numbers --------------------------------------------------------------------------------------

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

static SarNode fold(SarGraph* g, SarOp op, SarNode x, SarNode y) {
  SarNode n;
  if (fraction(g, op, x, y, &n)) return n;
  return sar_sym_number(g, sar_op_apply(op, value_of(g, x), value_of(g, y)));
}

static SarNode minus_number(SarGraph* g, SarNode x) {
  int64_t num, den;
  if (sar_node_is_fraction(g, x) && sar_node_rational(g, x, &num, &den))
    return sar_sym_rational(g, -num, den);
  return sar_sym_number(g, -value_of(g, x));
}

// ---- terms: number * rest ---------------------------------------------------------------------------

typedef struct Term {
  SarNode number;  // SAR_NONE: 1
  bool minus;
  SarNode rest;
} Term;

static Term term_of(const SarGraph* g, SarNode n) {
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

static SarNode number_of(SarGraph* g, Term t) {
  const SarNode n = t.number < 0 ? sar_sym_number(g, 1) : t.number;
  return n >= 0 && t.minus ? minus_number(g, n) : n;
}

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

// ---- sums: rest + number ----------------------------------------------------------------------------

static bool ends_in_number(const SarGraph* g, SarNode n) {
  return op_of(g, n) == SAR_OP_ADD && is_number(g, arg_of(g, n, 1));
}

static SarNode ordered(SarGraph* g, SarOp op, SarNode x, SarNode y) {
  if (is_number(g, x) || (!is_number(g, y) && x > y)) swap(&x, &y);
  return make2(g, op, x, y);
}

// x + y where neither has a sign, is a number, or ends in one
static SarNode add_terms(SarGraph* g, SarNode x, SarNode y) {
  SarNode sum;
  const Term s = term_of(g, x), t = term_of(g, y);
  if (x == y) return sar_sym_mul(g, x, sar_sym_number(g, 2));
  if (!regroups(g)) return ordered(g, SAR_OP_ADD, x, y);
  if (s.rest == t.rest)
    return sar_sym_mul(g, sar_sym_add(g, number_of(g, s), number_of(g, t)), s.rest);
  if (is_circle(g, x, y, &sum)) return sum;
  if (op_of(g, x) == SAR_OP_SUB && arg_of(g, x, 1) == y) return arg_of(g, x, 0);  // (u - y) + y
  if (op_of(g, y) == SAR_OP_SUB && arg_of(g, y, 1) == x) return arg_of(g, y, 0);  // x + (u - x)
  return ordered(g, SAR_OP_ADD, x, y);
}

static SarNode add_rule(SarGraph* g, SarNode x, SarNode y) {
  if (is_number(g, x)) swap(&x, &y);
  if (is_number(g, y)) {
    if (is_number(g, x)) return fold(g, SAR_OP_ADD, x, y);
    // exact for -0 only: -0 + 0 = 0
    if (value_of(g, y) == 0 && (algebra(g) || signbit(value_of(g, y)))) return x;
    if (algebra(g) && ends_in_number(g, x))
      return sar_sym_add(g, arg_of(g, x, 0), fold(g, SAR_OP_ADD, arg_of(g, x, 1), y));
    if (algebra(g) && op_of(g, x) == SAR_OP_SUB && is_number(g, arg_of(g, x, 0)))
      return sar_sym_sub(g, fold(g, SAR_OP_ADD, arg_of(g, x, 0), y), arg_of(g, x, 1));
    return make2(g, SAR_OP_ADD, x, y);
  }
  if (op_of(g, y) == SAR_OP_NEG) return sar_sym_sub(g, x, arg_of(g, y, 0));  // exact
  if (op_of(g, x) == SAR_OP_NEG) return sar_sym_sub(g, y, arg_of(g, x, 0));  // exact
  if (!algebra(g)) return ordered(g, SAR_OP_ADD, x, y);
  if (ends_in_number(g, x))
    return sar_sym_add(g, sar_sym_add(g, arg_of(g, x, 0), y), arg_of(g, x, 1));
  if (ends_in_number(g, y))
    return sar_sym_add(g, sar_sym_add(g, x, arg_of(g, y, 0)), arg_of(g, y, 1));
  return add_terms(g, x, y);
}

// x - y where neither is a number or has a sign
static SarNode subtract_terms(SarGraph* g, SarNode x, SarNode y) {
  const Term s = term_of(g, x), t = term_of(g, y);
  if (x == y) return sar_sym_number(g, 0);
  if (!regroups(g)) return make2(g, SAR_OP_SUB, x, y);
  if (s.rest == t.rest)
    return sar_sym_mul(g, sar_sym_sub(g, number_of(g, s), number_of(g, t)), s.rest);
  if (op_of(g, x) == SAR_OP_ADD && arg_of(g, x, 0) == y) return arg_of(g, x, 1);  // (y + u) - y
  if (op_of(g, x) == SAR_OP_ADD && arg_of(g, x, 1) == y) return arg_of(g, x, 0);
  if (op_of(g, y) == SAR_OP_ADD && arg_of(g, y, 0) == x) return sar_sym_neg(g, arg_of(g, y, 1));
  if (op_of(g, y) == SAR_OP_ADD && arg_of(g, y, 1) == x) return sar_sym_neg(g, arg_of(g, y, 0));
  if (op_of(g, y) == SAR_OP_SUB && arg_of(g, y, 0) == x) return arg_of(g, y, 1);  // x - (x - u)
  // x - (-3 y) = x + 3 y
  if (t.number >= 0 && value_of(g, t.number) < 0)
    return sar_sym_add(g, x, sar_sym_mul(g, minus_number(g, t.number), t.rest));
  return make2(g, SAR_OP_SUB, x, y);
}

static SarNode subtract_rule(SarGraph* g, SarNode x, SarNode y) {
  if (is_number(g, y)) {
    if (is_number(g, x)) return fold(g, SAR_OP_SUB, x, y);
    return sar_sym_add(g, x, minus_number(g, y));  // exact: x - c = x + (-c)
  }
  if (op_of(g, y) == SAR_OP_NEG) return sar_sym_add(g, x, arg_of(g, y, 0));  // exact
  if (!algebra(g)) return make2(g, SAR_OP_SUB, x, y);
  if (is_value(g, x, 0)) return sar_sym_neg(g, y);
  if (op_of(g, x) == SAR_OP_NEG) return sar_sym_neg(g, sar_sym_add(g, arg_of(g, x, 0), y));
  if (regroups(g) && ends_in_number(g, y))
    return sar_sym_sub(g, sar_sym_sub(g, x, arg_of(g, y, 1)), arg_of(g, y, 0));
  if (is_number(g, x)) {
    if (regroups(g) && op_of(g, y) == SAR_OP_SUB && is_number(g, arg_of(g, y, 0)))  // c - (d - u)
      return sar_sym_add(g, arg_of(g, y, 1), fold(g, SAR_OP_SUB, x, arg_of(g, y, 0)));
    return make2(g, SAR_OP_SUB, x, y);
  }
  if (ends_in_number(g, x))
    return sar_sym_add(g, sar_sym_sub(g, arg_of(g, x, 0), y), arg_of(g, x, 1));
  return subtract_terms(g, x, y);
}

static SarNode negate_rule(SarGraph* g, SarNode x, SarNode unused) {
  (void)unused;
  if (is_number(g, x)) return minus_number(g, x);
  if (op_of(g, x) == SAR_OP_NEG) return arg_of(g, x, 0);  // exact
  if (algebra(g)) {
    if (op_of(g, x) == SAR_OP_SUB) return sar_sym_sub(g, arg_of(g, x, 1), arg_of(g, x, 0));
    if (ends_in_number(g, x))
      return sar_sym_sub(g, minus_number(g, arg_of(g, x, 1)), arg_of(g, x, 0));
    if (op_of(g, x) == SAR_OP_MUL && is_number(g, arg_of(g, x, 1)))
      return sar_sym_mul(g, minus_number(g, arg_of(g, x, 1)), arg_of(g, x, 0));
  }
  return make1(g, SAR_OP_NEG, x);
}

// ---- products: number * rest, sign outside --------------------------------------------------------------

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
  const Term s = term_of(g, x), t = term_of(g, y);
  if (!regroups(g)) return ordered(g, SAR_OP_MUL, x, y);
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
  return ordered(g, SAR_OP_MUL, x, y);
}

static SarNode multiply_rule(SarGraph* g, SarNode x, SarNode y) {
  if (is_number(g, x)) swap(&x, &y);
  if (is_number(g, y)) {
    if (is_number(g, x)) return fold(g, SAR_OP_MUL, x, y);
    if (is_value(g, y, 1)) return x;  // exact
    if (!algebra(g)) return make2(g, SAR_OP_MUL, x, y);
    if (is_value(g, y, 0)) return sar_sym_number(g, 0);
    if (is_value(g, y, -1)) return sar_sym_neg(g, x);
    if (op_of(g, x) == SAR_OP_NEG) return sar_sym_mul(g, arg_of(g, x, 0), minus_number(g, y));
    if (op_of(g, x) == SAR_OP_MUL && is_number(g, arg_of(g, x, 1)))
      return sar_sym_mul(g, arg_of(g, x, 0), fold(g, SAR_OP_MUL, y, arg_of(g, x, 1)));
    return make2(g, SAR_OP_MUL, x, y);
  }
  if (!algebra(g)) return ordered(g, SAR_OP_MUL, x, y);
  if (op_of(g, x) == SAR_OP_NEG) return sar_sym_neg(g, sar_sym_mul(g, arg_of(g, x, 0), y));
  if (op_of(g, y) == SAR_OP_NEG) return sar_sym_neg(g, sar_sym_mul(g, x, arg_of(g, y, 0)));
  return multiply_terms(g, x, y);
}

SarNode sar_sym_square(SarGraph* g, SarNode x) { return sar_sym_mul(g, x, x); }

static SarNode divide_rule(SarGraph* g, SarNode x, SarNode y) {
  if (is_number(g, x) && is_number(g, y)) return fold(g, SAR_OP_DIV, x, y);
  if (is_value(g, y, 1)) return x;  // exact
  if (!algebra(g)) return make2(g, SAR_OP_DIV, x, y);
  if (is_value(g, x, 0)) return x;
  if (is_value(g, y, -1)) return sar_sym_neg(g, x);
  if (x == y) return sar_sym_number(g, 1);
  if (op_of(g, x) == SAR_OP_NEG) return sar_sym_neg(g, sar_sym_div(g, arg_of(g, x, 0), y));
  if (op_of(g, y) == SAR_OP_NEG) return sar_sym_neg(g, sar_sym_div(g, x, arg_of(g, y, 0)));
  if (!regroups(g)) return make2(g, SAR_OP_DIV, x, y);
  if (is_number(g, y) && sar_node_is_fraction(g, y))
    return sar_sym_mul(g, x, fold(g, SAR_OP_DIV, sar_sym_number(g, 1), y));
  if (op_of(g, x) == SAR_OP_MUL && arg_of(g, x, 0) == y) return arg_of(g, x, 1);
  if (op_of(g, x) == SAR_OP_MUL && arg_of(g, x, 1) == y) return arg_of(g, x, 0);
  return make2(g, SAR_OP_DIV, x, y);
}

// Rules call one another on what they take apart. What was built exactly may be nested to any depth in
// a form that a rule takes apart level by level, so they stop looking after a few.
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

SarNode sar_sym_add(SarGraph* g, SarNode x, SarNode y) { return bounded(g, add_rule, x, y); }
SarNode sar_sym_sub(SarGraph* g, SarNode x, SarNode y) { return bounded(g, subtract_rule, x, y); }
SarNode sar_sym_mul(SarGraph* g, SarNode x, SarNode y) { return bounded(g, multiply_rule, x, y); }
SarNode sar_sym_div(SarGraph* g, SarNode x, SarNode y) { return bounded(g, divide_rule, x, y); }
SarNode sar_sym_neg(SarGraph* g, SarNode x) { return bounded(g, negate_rule, x, x); }

SarNode sar_sym_pow(SarGraph* g, SarNode x, SarNode y) {
  if (x < 0 || y < 0) return SAR_NONE;
  if (is_number(g, x) && is_number(g, y)) return fold(g, SAR_OP_POW, x, y);
  if (is_value(g, y, 1)) return x;                     // exact
  if (is_value(g, y, 2)) return sar_sym_square(g, x);  // exact: as kernels.def computes it
  if (is_value(g, y, 3)) return sar_sym_mul(g, sar_sym_square(g, x), x);
  if (algebra(g) && is_value(g, y, 0)) return sar_sym_number(g, 1);
  return make2(g, SAR_OP_POW, x, y);
}

// ---- functions --------------------------------------------------------------------------------------

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
