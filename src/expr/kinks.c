// Kinks: where an expression, or its slope, jumps.
//
// A kink is u = v, for example a < b: a = b. When u is a chain of invertible operations on time and
// v a number, the equation is solved here by undoing the operations from the outside in, which
// gives the time without a rounding error of a root finder; mod, sin and cos give a family of
// times, one per period. Otherwise the kink is the switching function u - v.
#include "expr/kink_set.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define NEVER ((double)NAN)  // not a time

typedef struct Collector {
  SarGraph* g;
  const char* time;
  SarKinkSet found;
  int branches;  // solutions tried for the kink at hand
  int level;     // of operations undone
} Collector;

enum { MAX_BRANCHES = 8 };  // of nested abs, each of which doubles the solutions

static SarOp op_of(const Collector* k, SarNode n) { return sar_node_op(k->g, n); }
static SarNode arg_of(const Collector* k, SarNode n, int i) { return sar_node_arg(k->g, n, i); }
static bool is_number(const Collector* k, SarNode n) { return sar_node_is_number(k->g, n, NULL); }

static double value_of(const Collector* k, SarNode n) {
  double value = NEVER;
  sar_node_is_number(k->g, n, &value);
  return value;
}

// ---- times --------------------------------------------------------------------------------------

static void add_time(Collector* k, double time, double period) {
  if (!isfinite(time)) return;
  SarKink kink = {.is_time = period == 0, .time = time, .period = period, .g = SAR_NONE};
  if (period > 0) {
    // the phase within one period, and sin(pi (t - time) / period) for those who follow switching
    // functions
    kink.time = time - period * floor(time / period);
    const SarNode t = sar_sym_symbol(k->g, k->time);
    const SarNode since = sar_sym_sub(k->g, t, sar_sym_number(k->g, kink.time));
    kink.g = sar_sym_sin(k->g, sar_sym_mul(k->g, sar_sym_number(k->g, PI / period), since));
    if (kink.g < 0) return;
  }
  sar_kink_add(&k->found, kink);
}

// Adds the times where u = v + n period, n whole (period 0: just v). False when u is no chain that
// can be undone.
static bool solve(Collector* k, SarNode u, double v, double period);

// The operand that is no number, and the number; false when both vary.
static bool one_varies(const Collector* k, SarNode u, SarNode* x, SarNode* number) {
  const bool first = is_number(k, arg_of(k, u, 0));
  *x = arg_of(k, u, first ? 1 : 0);
  *number = arg_of(k, u, first ? 0 : 1);
  return is_number(k, *number);
}

static bool solve_sum(Collector* k, SarNode u, double v, double period) {
  SarNode x, c;
  if (!one_varies(k, u, &x, &c)) return false;
  if (op_of(k, u) == SAR_OP_ADD) return solve(k, x, v - value_of(k, c), period);
  return solve(k, x, value_of(k, c) - v, period);  // c - x; x - c is x + (-c)
}

static bool solve_product(Collector* k, SarNode u, double v, double period) {
  SarNode x, c;
  if (!one_varies(k, u, &x, &c) || value_of(k, c) == 0) return false;
  const double factor = value_of(k, c);
  if (op_of(k, u) == SAR_OP_MUL) return solve(k, x, v / factor, period / fabs(factor));
  return x == arg_of(k, u, 0) && solve(k, x, v * factor, period * fabs(factor));
}

// sin x = v: x = asin v, pi - asin v (mod 2 pi). Where it only touches (|v| = 1) nothing switches.
static bool solve_wave(Collector* k, SarNode u, double v, double period) {
  if (period != 0) return false;
  const double first = op_of(k, u) == SAR_OP_SIN ? asin(v) : acos(v);
  const double second = op_of(k, u) == SAR_OP_SIN ? PI - first : -first;
  const SarNode x = arg_of(k, u, 0);
  if (fabs(v) >= 1) return solve(k, x, NEVER, 2 * PI);  // no time, but is x solvable?
  if (v == 0) return solve(k, x, first, PI);
  return solve(k, x, first, 2 * PI) && solve(k, x, second, 2 * PI);
}

// max(x, c) = v: x = v, unless v < c is never reached
static bool solve_limit(Collector* k, SarNode u, double v, double period) {
  SarNode x, c;
  if (period != 0 || !one_varies(k, u, &x, &c)) return false;
  const bool reached = op_of(k, u) == SAR_OP_MAX ? v >= value_of(k, c) : v <= value_of(k, c);
  return solve(k, x, reached ? v : NEVER, 0);
}

static bool solve_modulo(Collector* k, SarNode u, double v, double period) {
  const double p = value_of(k, arg_of(k, u, 1));
  if (period != 0 || !(p > 0)) return false;
  return solve(k, arg_of(k, u, 0), v >= 0 && v < p ? v : NEVER, p);
}

static bool solve_once(Collector* k, SarNode u, double v, double period) {
  switch (op_of(k, u)) {
    case SAR_OP_SYMBOL:
      if (strcmp(sar_node_name(k->g, u), k->time) != 0) return false;
      add_time(k, v, period);
      return true;
    case SAR_OP_NEG: return solve(k, arg_of(k, u, 0), -v, period);
    case SAR_OP_ADD:
    case SAR_OP_SUB: return solve_sum(k, u, v, period);
    case SAR_OP_MUL:
    case SAR_OP_DIV: return solve_product(k, u, v, period);
    case SAR_OP_ABS:
      if (period != 0 || ++k->branches > MAX_BRANCHES) return false;
      if (v < 0) v = NEVER;
      return solve(k, arg_of(k, u, 0), v, 0) && solve(k, arg_of(k, u, 0), -v, 0);
    case SAR_OP_MOD: return solve_modulo(k, u, v, period);
    case SAR_OP_MIN:
    case SAR_OP_MAX: return solve_limit(k, u, v, period);
    case SAR_OP_SIN:
    case SAR_OP_COS: return solve_wave(k, u, v, period);
    default: return false;
  }
}

// Graphs may be deep: beyond this nobody expects a time in closed form.
enum { MAX_LEVELS = 1000 };

static bool solve(Collector* k, SarNode u, double v, double period) {
  if (k->level >= MAX_LEVELS) return false;
  k->level++;
  const bool solved = solve_once(k, u, v, period);
  k->level--;
  return solved;
}

// ---- collecting ---------------------------------------------------------------------------------

// the kink u = v
static void meet(Collector* k, SarNode u, SarNode v) {
  if (u < 0 || v < 0 || (is_number(k, u) && is_number(k, v))) return;
  k->branches = 0;
  if (is_number(k, v) && solve(k, u, value_of(k, v), 0)) return;
  if (is_number(k, u) && solve(k, v, value_of(k, u), 0)) return;
  const SarNode g = sar_sym_sub(k->g, u, v);
  if (g >= 0 && !is_number(k, g)) sar_kink_add(&k->found, (SarKink){.g = g});
}

static void meet_number(Collector* k, SarNode u, double v) { meet(k, u, sar_sym_number(k->g, v)); }

static void meet_points(Collector* k, SarNode table) {
  const double* at;
  const int count = sar_node_points(k->g, table, &at);
  for (int i = 0; i < count; i++) meet_number(k, arg_of(k, table, 0), at[2 * i]);
}

// u = n period: only for time, since a quantity that counts through many periods would stop every
// step
static void meet_periods(Collector* k, SarNode u, double period) {
  if (period > 0) solve(k, u, 0, period);
}

static bool is_truth(const SarGraph* g, SarNode n) {
  switch (sar_node_op(g, n)) {
    case SAR_OP_LT:
    case SAR_OP_LE:
    case SAR_OP_GT:
    case SAR_OP_GE:
    case SAR_OP_EQ:
    case SAR_OP_NE:
    case SAR_OP_AND:
    case SAR_OP_OR:
    case SAR_OP_NOT: return true;
    default: return sar_node_is_number(g, n, NULL);
  }
}

// jumps of the value itself
static void collect_jumps(Collector* k, SarNode n) {
  const SarNode x = arg_of(k, n, 0), y = arg_of(k, n, 1);
  switch (op_of(k, n)) {
    // == and != hold at single points of a continuous quantity and follow the jumps of a
    // whole-numbered one
    case SAR_OP_LT:
    case SAR_OP_LE:
    case SAR_OP_GT:
    case SAR_OP_GE: meet(k, x, y); break;
    case SAR_OP_SIGN: meet_number(k, x, 0); break;
    case SAR_OP_FLOOR:
    case SAR_OP_CEIL: meet_periods(k, x, 1); break;
    case SAR_OP_MOD:
      if (is_number(k, y)) meet_periods(k, x, fabs(value_of(k, y)));
      break;
    case SAR_OP_SLOPE: meet_points(k, n); break;
    case SAR_OP_SELECT:
      if (!is_truth(k->g, x)) meet_number(k, x, 0);
      break;
    default: break;
  }
}

// jumps of the slope
static void collect_corners(Collector* k, SarNode n) {
  switch (op_of(k, n)) {
    case SAR_OP_ABS: meet_number(k, arg_of(k, n, 0), 0); break;
    case SAR_OP_MIN:
    case SAR_OP_MAX: meet(k, arg_of(k, n, 0), arg_of(k, n, 1)); break;
    case SAR_OP_TABLE: meet_points(k, n); break;
    default: break;
  }
}

// what a comparison compares matters only where it jumps: abs(x) < 1 switches at x = 1 and -1, not
// at 0
static bool compares(const SarGraph* g, SarNode n, int arg) {
  return sar_node_op(g, n) == SAR_OP_SELECT ? arg == 0 : is_truth(g, n);
}

enum { NOTHING, JUMPS, CORNERS_TOO };

// Users come before what they use: backwards through the order of evaluation.
static void collect(Collector* k, const SarOrder* order, char* wanted) {
  wanted[order->output[0]] = CORNERS_TOO;
  for (int i = order->count - 1; i >= 0; i--) {
    const SarOrderItem* item = &order->item[i];
    collect_jumps(k, item->node);
    if (wanted[i] == CORNERS_TOO) collect_corners(k, item->node);
    for (int a = 0; a < 3 && item->arg[a] >= 0; a++) {
      const char want = compares(k->g, item->node, a) ? JUMPS : wanted[i];
      if (want > wanted[item->arg[a]]) wanted[item->arg[a]] = want;
    }
  }
}

int sar_expr_kinks(SarGraph* g, SarNode n, const char* time, SarKink** kinks) {
  Collector k = {.g = g, .time = time, .found.arena = sar_graph_arena(g)};
  SarArena scratch;
  SarOrder order;
  const SarRules rules = sar_graph_rules(g, SAR_EXACT);
  sar_arena_beside(&scratch, sar_graph_arena(g));
  if (sar_sym_order(&scratch, g, 1, &n, &order)) {
    char* wanted = SAR_ARENA_ARRAY(&scratch, char, order.count);
    if (wanted) collect(&k, &order, wanted);
  }
  sar_arena_end(&scratch, sar_graph_arena(g));
  sar_graph_rules(g, rules);
  *kinks = k.found.kinks.items;
  return k.found.kinks.count;
}

bool sar_kink_next(const SarKink* kink, double t, double* next) {
  if (kink->period == 0) {
    *next = kink->time;
    return kink->is_time && kink->time > t;
  }
  double n = floor((t - kink->time) / kink->period) + 1;
  *next = kink->time + n * kink->period;
  if (*next <= t) *next = kink->time + (n + 1) * kink->period;  // t was that time, up to rounding
  return *next > t;
}

SarNode sar_expr_truth(SarGraph* g, SarNode n) {
  return n < 0 || is_truth(g, n) ? n : sar_sym_call(g, SAR_OP_GT, n, sar_sym_number(g, 0));
}
