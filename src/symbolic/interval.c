// Interval arithmetic (interval.h). Sums, products and monotonic functions are
// taken at the ends; sine and cosine at the ends and where they turn; what is
// not known is all reals.
#include "symbolic/interval.h"

#include "symbolic/graph.h"

#include <math.h>

#define PI 3.14159265358979323846

static const SarInterval ALL = {-(double)INFINITY, (double)INFINITY};

// Functions of the C library are right to a few units in the last place: two
// steps outwards.
static SarInterval outwards(double lo, double hi) {
  if (isnan(lo) || isnan(hi)) return ALL;
  for (int i = 0; i < 2; i++) {
    lo = nextafter(lo, -(double)INFINITY);
    hi = nextafter(hi, (double)INFINITY);
  }
  return (SarInterval){lo, hi};
}

static SarInterval hull4(double a, double b, double c, double d) {
  return outwards(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d)));
}

static bool holds_zero(SarInterval x) { return x.lo <= 0 && x.hi >= 0; }

// 0 times infinity is 0 at an end that is reached
static double times(double x, double y) { return x == 0 || y == 0 ? 0 : x * y; }

static SarInterval product(SarInterval x, SarInterval y, bool same) {
  if (!same)
    return hull4(times(x.lo, y.lo), times(x.lo, y.hi), times(x.hi, y.lo), times(x.hi, y.hi));
  const double a = times(x.lo, x.lo), b = times(x.hi, x.hi);
  const SarInterval square = outwards(holds_zero(x) ? 0 : fmin(a, b), fmax(a, b));
  return (SarInterval){fmax(square.lo, 0), square.hi};
}

static SarInterval quotient(SarInterval x, SarInterval y, bool* defined) {
  if (holds_zero(y)) {
    *defined = false;
    return ALL;
  }
  return hull4(x.lo / y.lo, x.lo / y.hi, x.hi / y.lo, x.hi / y.hi);
}

// cos: 1 at 2 n pi, -1 at (2 n + 1) pi
static SarInterval cosine(SarInterval x) {
  if (!(x.hi - x.lo < 2 * PI) || fabs(x.lo) > 1e6 || fabs(x.hi) > 1e6) return (SarInterval){-1, 1};
  const double slack = 1e-9;
  SarInterval y = outwards(fmin(cos(x.lo), cos(x.hi)), fmax(cos(x.lo), cos(x.hi)));
  if (floor((x.hi + slack) / (2 * PI)) >= ceil((x.lo - slack) / (2 * PI))) y.hi = 1;
  if (floor((x.hi + slack - PI) / (2 * PI)) >= ceil((x.lo - slack - PI) / (2 * PI))) y.lo = -1;
  return (SarInterval){fmax(y.lo, -1), fmin(y.hi, 1)};
}

static SarInterval sine(SarInterval x) {
  SarInterval turned = outwards(x.lo - PI / 2, x.hi - PI / 2);
  return cosine(turned);
}

static SarInterval power(SarInterval x, SarInterval y, bool* defined) {
  if (y.lo == y.hi && y.lo == rint(y.lo) && y.lo >= 0) {
    const SarInterval p =
        outwards(fmin(pow(x.lo, y.lo), pow(x.hi, y.lo)), fmax(pow(x.lo, y.lo), pow(x.hi, y.lo)));
    const bool even = fmod(y.lo, 2) == 0;
    return even && holds_zero(x) ? (SarInterval){0, p.hi} : p;
  }
  if (x.lo <= 0) {
    *defined = false;
    return ALL;
  }
  return hull4(pow(x.lo, y.lo), pow(x.lo, y.hi), pow(x.hi, y.lo), pow(x.hi, y.hi));
}

// What rises everywhere where it is defined, and from where to where that is.
static bool rises(SarOp op, double* from, double* to) {
  *from = -(double)INFINITY, *to = (double)INFINITY;
  switch (op) {
    case SAR_OP_SQRT: *from = 0; return true;
    case SAR_OP_LOG:
    case SAR_OP_LOG10: *from = 4.9e-324; return true;  // 0 is outside
    case SAR_OP_ACOSH: *from = 1; return true;
    case SAR_OP_ASIN: *from = -1, *to = 1; return true;
    case SAR_OP_ATANH: *from = nextafter(-1, 0), *to = nextafter(1, 0); return true;
    case SAR_OP_ATAN:
    case SAR_OP_SINH:
    case SAR_OP_TANH:
    case SAR_OP_ASINH:
    case SAR_OP_EXP:
    case SAR_OP_CBRT:
    case SAR_OP_SIGN:
    case SAR_OP_FLOOR:
    case SAR_OP_CEIL: return true;
    default: return false;
  }
}

static SarInterval function(SarOp op, SarInterval x, SarInterval y, bool* defined) {
  double from, to;
  if (rises(op, &from, &to)) {
    if (x.lo < from || x.hi > to) *defined = false;
    return outwards(sar_op_apply(op, fmin(fmax(x.lo, from), to), 0),
                    sar_op_apply(op, fmin(fmax(x.hi, from), to), 0));
  }
  switch (op) {
    case SAR_OP_COS: return cosine(x);
    case SAR_OP_SIN: return sine(x);
    case SAR_OP_ACOS:
      if (x.lo < -1 || x.hi > 1) *defined = false;
      return outwards(acos(fmin(x.hi, 1)), acos(fmax(x.lo, -1)));
    case SAR_OP_POW: return power(x, y, defined);
    case SAR_OP_MIN: return (SarInterval){fmin(x.lo, y.lo), fmin(x.hi, y.hi)};
    case SAR_OP_MAX: return (SarInterval){fmax(x.lo, y.lo), fmax(x.hi, y.hi)};
    case SAR_OP_ABS:
      return (SarInterval){holds_zero(x) ? 0 : fmin(fabs(x.lo), fabs(x.hi)),
                           fmax(fabs(x.lo), fabs(x.hi))};
    case SAR_OP_MOD:
      if (holds_zero(y)) *defined = false;
      return ALL;
    case SAR_OP_ATAN2: return outwards(-PI, PI);
    case SAR_OP_NOT:
    case SAR_OP_LT:
    case SAR_OP_LE:
    case SAR_OP_GT:
    case SAR_OP_GE:
    case SAR_OP_EQ:
    case SAR_OP_NE:
    case SAR_OP_AND:
    case SAR_OP_OR: return (SarInterval){0, 1};
    default: return ALL;
  }
}

static SarInterval evaluate(const SarGraph* g, const SarOrderItem* item, const SarInterval* v,
                            bool* defined) {
  const SarOp op = op_of(g, item->node);
  const SarInterval x = item->arg[0] >= 0 ? v[item->arg[0]] : ALL,
                    y = item->arg[1] >= 0 ? v[item->arg[1]] : ALL;
  switch (op) {
    case SAR_OP_NUMBER:
      return isnan(value_of(g, item->node))
                 ? ALL
                 : (SarInterval){value_of(g, item->node), value_of(g, item->node)};
    case SAR_OP_NEG: return (SarInterval){-x.hi, -x.lo};
    case SAR_OP_ADD: return outwards(x.lo + y.lo, x.hi + y.hi);
    case SAR_OP_SUB: return outwards(x.lo - y.hi, x.hi - y.lo);
    case SAR_OP_MUL: return product(x, y, item->arg[0] == item->arg[1]);
    case SAR_OP_DIV: return quotient(x, y, defined);
    case SAR_OP_SELECT: {
      const SarInterval z = v[item->arg[2]];
      if (!holds_zero(x)) return y;
      return x.lo == 0 && x.hi == 0 ? z : (SarInterval){fmin(y.lo, z.lo), fmax(y.hi, z.hi)};
    }
    default: return function(op, x, y, defined);
  }
}

bool sar_sym_interval(SarGraph* g, int n, const SarNode* y, SarRange* range, void* context,
                      SarInterval* out, bool* defined) {
  SarArena scratch;
  SarOrder order;
  sar_arena_beside(&scratch, g->arena);
  SarInterval* v = NULL;
  if (sar_sym_order(&scratch, g, n, y, &order))
    v = SAR_ARENA_ARRAY(&scratch, SarInterval, order.count + 1);
  *defined = true;
  for (int i = 0; v && i < order.count; i++) {
    v[i] = op_of(g, order.item[i].node) == SAR_OP_SYMBOL
               ? range(context, node_of(g, order.item[i].node)->name)
               : evaluate(g, &order.item[i], v, defined);
    if (isinf(v[i].lo) || isinf(v[i].hi)) *defined = false;
  }
  for (int i = 0; v && i < n; i++) out[i] = v[order.output[i]];
  const bool done = v != NULL;
  sar_arena_end(&scratch, g->arena);
  return done;
}
