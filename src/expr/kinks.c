// Kinks: where an expression, or its slope, jumps.
//
// A kink is u = v, for example a < b: a = b. When u is a chain of invertible operations on time and
// v a number, the equation is solved here by undoing the operations from the outside in, which
// gives the time without a rounding error of a root finder; mod, sin and cos give a family of
// times, one per period. Otherwise the kink is the switching function u - v.
#include "expr/kink_set.h"
#include "expr/tree.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define NEVER ((double)NAN)  // not a time

typedef struct Collector {
  SarExprGraph* graph;
  const char* time;
  SarKinkSet found;
  SarMemo seen;  // nodes whose kinks have been collected: all of them, or jumps only
  int branches;  // solutions tried for the kink at hand
} Collector;

enum { MAX_BRANCHES = 8 };  // of nested abs, each of which doubles the solutions

// Arguments of the defined function whose definition is being looked at.
typedef struct Frame {
  SarParameters parameters;
  SarExpr* arg[SAR_MAX_PARAMETERS];
} Frame;

static SarExpr* minus(Collector* k, SarExpr* u, SarExpr* v) {
  SarExpr* negative = sar_tree_simplify(k->graph, SAR_OP_NEG, v->loc, 1, &v);
  return sar_tree_simplify(k->graph, SAR_OP_SUM, u->loc, 2, (SarExpr*[]){u, negative});
}

// ---- times --------------------------------------------------------------------------------------

static void add_time(Collector* k, SarLoc loc, double time, double period) {
  if (!isfinite(time)) return;
  SarKink kink = {.is_time = period == 0, .time = time, .period = period};
  if (period > 0) {
    // the phase within one period, and sin(pi (t - time) / period) for those who follow switching
    // functions
    kink.time = time - period * floor(time / period);
    SarExpr* t = sar_tree_name(k->graph, loc, k->time);
    SarExpr* start = sar_tree_number(k->graph, loc, kink.time);
    SarExpr* rate = sar_tree_number(k->graph, loc, PI / period);
    if (!t || !start || !rate) return;
    SarExpr* phase =
        sar_tree_simplify(k->graph, SAR_OP_MUL, loc, 2, (SarExpr*[]){rate, minus(k, t, start)});
    kink.g = sar_tree_simplify(k->graph, SAR_OP_SIN, loc, 1, &phase);
    if (!kink.g) return;
  }
  sar_kink_add(&k->found, kink);
}

static bool is_number(const SarExpr* e) { return e->op == SAR_OP_NUMBER; }

// Adds the times where u = v + n period, n whole (period 0: just v). False when u is no chain that
// can be undone.
static bool solve(Collector* k, const SarExpr* u, double v, double period);

// c1 + x + c2 = v
static bool solve_sum(Collector* k, const SarExpr* u, double v, double period) {
  const SarExpr* x = NULL;
  for (int i = 0; i < u->num; i++) {
    if (is_number(u->arg[i]))
      v -= u->arg[i]->value;
    else if (x)
      return false;
    else
      x = u->arg[i];
  }
  return x && solve(k, x, v, period);
}

static bool solve_product(Collector* k, const SarExpr* u, double v, double period) {
  const SarExpr *x = u->arg[0], *y = u->arg[1];
  if (u->op == SAR_OP_DIV) {
    if (!is_number(y) || y->value == 0) return false;
    return solve(k, x, v * y->value, period * fabs(y->value));
  }
  const SarExpr* factor = is_number(x) ? x : y;
  if (!is_number(factor) || factor->value == 0) return false;
  return solve(k, factor == x ? y : x, v / factor->value, period / fabs(factor->value));
}

// sin x = v: x = asin v, pi - asin v (mod 2 pi). Where it only touches (|v| = 1) nothing switches.
static bool solve_wave(Collector* k, const SarExpr* u, double v, double period) {
  if (period != 0) return false;
  double first = u->op == SAR_OP_SIN ? asin(v) : acos(v);
  double second = u->op == SAR_OP_SIN ? PI - first : -first;
  const SarExpr* x = u->arg[0];
  if (fabs(v) >= 1) return solve(k, x, NEVER, 2 * PI);  // no time, but is x solvable?
  if (v == 0) return solve(k, x, first, PI);
  return solve(k, x, first, 2 * PI) && solve(k, x, second, 2 * PI);
}

// max(x, c) = v: x = v, unless v < c is never reached
static bool solve_limit(Collector* k, const SarExpr* u, double v, double period) {
  const SarExpr *x = u->arg[0], *c = u->arg[1];
  if (is_number(x)) {
    x = u->arg[1];
    c = u->arg[0];
  }
  if (period != 0 || !is_number(c)) return false;
  bool reached = u->op == SAR_OP_MAX ? v >= c->value : v <= c->value;
  return solve(k, x, reached ? v : NEVER, 0);
}

static bool solve(Collector* k, const SarExpr* u, double v, double period) {
  switch (u->op) {
    case SAR_OP_SYMBOL:
      if (strcmp(u->name, k->time) != 0) return false;
      add_time(k, u->loc, v, period);
      return true;
    case SAR_OP_NEG: return solve(k, u->arg[0], -v, period);
    case SAR_OP_SUM: return solve_sum(k, u, v, period);
    case SAR_OP_MUL:
    case SAR_OP_DIV: return solve_product(k, u, v, period);
    case SAR_OP_ABS:
      if (period != 0 || ++k->branches > MAX_BRANCHES) return false;
      if (v < 0) v = NEVER;
      return solve(k, u->arg[0], v, 0) && solve(k, u->arg[0], -v, 0);
    case SAR_OP_MOD: {
      const SarExpr* p = u->arg[1];
      if (period != 0 || !is_number(p) || !(p->value > 0)) return false;
      return solve(k, u->arg[0], v >= 0 && v < p->value ? v : NEVER, p->value);
    }
    case SAR_OP_MIN:
    case SAR_OP_MAX: return solve_limit(k, u, v, period);
    case SAR_OP_SIN:
    case SAR_OP_COS: return solve_wave(k, u, v, period);
    default: return false;
  }
}

// ---- collecting ---------------------------------------------------------------------------------

static SarExpr* put_in(void* context, const char* name) {
  const Frame* frame = context;
  int i = sar_parameters_find(&frame->parameters, name);
  return i >= 0 ? frame->arg[i] : NULL;
}

static SarExpr* opened(Collector* k, SarExpr* e, const Frame* frame) {
  return frame ? sar_tree_substitute(k->graph, e, put_in, (void*)frame) : e;
}

// the kink u = v
static void meet(Collector* k, SarExpr* u, SarExpr* v, const Frame* frame) {
  u = opened(k, u, frame);
  v = opened(k, v, frame);
  if (!u || !v || (is_number(u) && is_number(v))) return;
  k->branches = 0;
  if (is_number(v) && solve(k, u, v->value, 0)) return;
  if (is_number(u) && solve(k, v, u->value, 0)) return;
  SarExpr* g = minus(k, u, v);
  if (g && !is_number(g)) sar_kink_add(&k->found, (SarKink){.g = g});
}

static void meet_number(Collector* k, SarExpr* u, double v, const Frame* frame) {
  SarExpr* number = sar_tree_number(k->graph, u->loc, v);
  if (number) meet(k, u, number, frame);
}

// u = n period: only for time, since a quantity that counts through many periods would stop every
// step
static void meet_periods(Collector* k, SarExpr* u, double period, const Frame* frame) {
  u = opened(k, u, frame);
  if (u && period > 0) solve(k, u, 0, period);
}

static bool is_truth(const SarExpr* e) {
  switch (e->op) {
    case SAR_OP_LT:
    case SAR_OP_LE:
    case SAR_OP_GT:
    case SAR_OP_GE:
    case SAR_OP_EQ:
    case SAR_OP_NE:
    case SAR_OP_AND:
    case SAR_OP_OR:
    case SAR_OP_NOT:
    case SAR_OP_STEP:
    case SAR_OP_PULSE: return true;
    default: return is_number(e);
  }
}

static void collect(Collector* k, SarExpr* e, const Frame* frame, bool jumps_only);

// jumps of the value itself
static void collect_jumps(Collector* k, SarExpr* e, const Frame* frame) {
  switch (e->op) {
    // == and != hold at single points of a continuous quantity and follow the jumps of a
    // whole-numbered one
    case SAR_OP_LT:
    case SAR_OP_LE:
    case SAR_OP_GT:
    case SAR_OP_GE: meet(k, e->arg[0], e->arg[1], frame); break;
    case SAR_OP_SIGN: meet_number(k, e->arg[0], 0, frame); break;
    case SAR_OP_FLOOR:
    case SAR_OP_CEIL: meet_periods(k, e->arg[0], 1, frame); break;
    case SAR_OP_MOD: {
      SarExpr* period = opened(k, e->arg[1], frame);
      if (period && is_number(period)) meet_periods(k, e->arg[0], fabs(period->value), frame);
      break;
    }
    case SAR_OP_SLOPE:
      for (int i = 1; i < e->num; i += 2) meet(k, e->arg[0], e->arg[i], frame);
      break;
    case SAR_OP_SELECT:
      for (int i = 0; i + 1 < e->num; i += 2)
        if (!is_truth(e->arg[i])) meet_number(k, e->arg[i], 0, frame);
      break;
    default: break;
  }
}

// jumps of the slope
static void collect_corners(Collector* k, SarExpr* e, const Frame* frame) {
  switch (e->op) {
    case SAR_OP_ABS: meet_number(k, e->arg[0], 0, frame); break;
    case SAR_OP_MIN:
    case SAR_OP_MAX: meet(k, e->arg[0], e->arg[1], frame); break;
    case SAR_OP_TABLE:
      for (int i = 1; i < e->num; i += 2) meet(k, e->arg[0], e->arg[i], frame);
      break;
    default: break;
  }
}

// what a comparison compares matters only where it jumps: abs(x) < 1 switches at x = 1 and -1, not
// at 0
static bool compares(const SarExpr* e, int arg) {
  if (e->op == SAR_OP_SELECT) return arg % 2 == 0 && arg + 1 < e->num;
  return is_truth(e);
}

// what has been collected at a node: two addresses to tell apart
static const char all_kinks, only_jumps;

// Outside of definitions a node is looked at once, at most once more when its corners matter too.
static bool is_done(Collector* k, const SarExpr* e, bool jumps_only) {
  const void* seen = sar_memo_find(&k->seen, e);
  if (seen == &all_kinks || (seen && jumps_only)) return true;
  sar_memo_add(k->graph->arena, &k->seen, e, (void*)(jumps_only ? &only_jumps : &all_kinks));
  return false;
}

// the definition of a function, with the arguments put in where a kink is found
static void collect_defined(Collector* k, const SarFunction* f, SarExpr* e, const Frame* frame,
                            bool jumps_only) {
  Frame inner = {.parameters = sar_function_parameters(f)};
  for (int i = 0; i < e->num; i++) {
    inner.arg[i] = opened(k, e->arg[i], frame);
    if (!inner.arg[i]) return;
  }
  SarExpr* definition = sar_function_rule(k->graph, f);
  if (definition) collect(k, definition, &inner, jumps_only);
}

static void collect(Collector* k, SarExpr* e, const Frame* frame, bool jumps_only) {
  if (!frame && e->num && is_done(k, e, jumps_only)) return;
  collect_jumps(k, e, frame);
  if (!jumps_only) collect_corners(k, e, frame);
  for (int i = 0; i < e->num; i++) collect(k, e->arg[i], frame, jumps_only || compares(e, i));
  const SarFunction* f = e->num ? sar_function_of(e->op) : NULL;
  if (f && f->kind == SAR_KIND_DEFINED) collect_defined(k, f, e, frame, jumps_only);
}

int sar_expr_kinks(SarExprGraph* g, const SarExpr* e, const char* time, SarKink** kinks) {
  Collector k = {.graph = g, .time = time, .found.arena = g->arena};
  SarExpr* entered = sar_graph_enter(g, e);
  if (entered) collect(&k, entered, NULL, false);
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

const SarExpr* sar_expr_truth(SarExprGraph* g, const SarExpr* e) {
  if (is_truth(e)) return e;
  SarExpr* zero = sar_tree_number(g, e->loc, 0);
  return zero ? sar_tree_make(g, SAR_OP_GT, e->loc, 2, (SarExpr*[]){sar_graph_enter(g, e), zero})
              : NULL;
}
