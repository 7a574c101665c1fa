// Building expressions: nodes, and folding of constants.
#include "expr/tree.h"

#include "base/spline.h"

#include "symbolic/kernels.h"

#include <string.h>

// ---- nodes ----------------------------------------------------------------------------------------

// One more node would pass a bound.
static bool is_full(SarExprGraph* g, int depth) {
  if (depth < SAR_EXPR_MAX_NESTING && g->count < SAR_EXPR_MAX_NODES) return false;
  g->refused = true;
  return true;
}

// A node that is not shared yet, with room for its arguments.
static SarExpr* draft(SarExprGraph* g, SarOp op, SarLoc loc, int num, SarExpr* const* arg) {
  int depth = 0;
  for (int i = 0; i < num; i++) {
    if (!arg[i]) return NULL;
    if (arg[i]->depth > depth) depth = arg[i]->depth;
  }
  if (is_full(g, depth)) return NULL;
  SarExpr* e = sar_arena_push_small(g->arena, sizeof *e + (size_t)num * sizeof e->arg[0]);
  if (!e) return NULL;
  e->op = op;
  e->num = num;
  e->depth = depth + 1;
  e->loc = loc;
  if (num > 0) memcpy(e->arg, arg, (size_t)num * sizeof e->arg[0]);
  return e;
}

SarExpr* sar_tree_number(SarExprGraph* g, SarLoc loc, double value) {
  SarExpr* e = draft(g, SAR_OP_NUMBER, loc, 0, NULL);
  if (e) e->value = value;
  return e ? sar_tree_intern(g, e) : NULL;
}

SarExpr* sar_tree_name(SarExprGraph* g, SarLoc loc, const char* name) {
  SarExpr* e = draft(g, SAR_OP_SYMBOL, loc, 0, NULL);
  if (e) e->name = name;
  return e ? sar_tree_intern(g, e) : NULL;
}

// ---- folding ------------------------------------------------------------------------------------

static double select_value(const SarExpr* e) {
  int i = 0;
  while (i + 2 < e->num && e->arg[i]->value == 0) i += 2;
  return i + 2 < e->num ? e->arg[i + 1]->value : e->arg[e->num - 1]->value;
}

static double table_value(const SarExpr* e) {
  double x = e->arg[0]->value;
  SarExpr* const* point = e->arg + 1;  // x1 y1 x2 y2 ...
  int last = e->num - 3;               // of the last point's x
  bool slope = e->op == SAR_OP_SLOPE;
  if (slope ? x < point[0]->value : x <= point[0]->value) return slope ? 0 : point[1]->value;
  if (x >= point[last]->value) return slope ? 0 : point[last + 1]->value;
  int i = 0;
  while (i + 2 < last && x >= point[i + 2]->value) i += 2;
  double x0 = point[i]->value, y0 = point[i + 1]->value;
  double x1 = point[i + 2]->value, y1 = point[i + 3]->value;
  if (slope) return isnan(x) ? x : (y1 - y0) / (x1 - x0);
  return segment(x, x0, y0, x1, y1);
}

double* sar_spline_knots(SarArena* a, const SarExpr* spline) {
  const int n = (spline->num - 1) / 2;
  double* knot = SAR_ARENA_ARRAY(a, double, SPLINE_KNOT* n);
  double* work = SAR_ARENA_ARRAY(a, double, n);
  if (!knot || !work) return NULL;
  for (int i = 0; i < n; i++) {
    knot[SPLINE_KNOT * i + SPLINE_X] = spline->arg[2 * i + 1]->value;
    knot[SPLINE_KNOT * i + SPLINE_Y] = spline->arg[2 * i + 2]->value;
  }
  sar_spline_bend(knot, n, work);
  return knot;
}

static bool spline_value(SarArena* a, const SarExpr* e, double* value) {
  const double* knot = sar_spline_knots(a, e);
  if (!knot) return false;
  const SarSplinePoint p = sar_spline_at(knot, (e->num - 1) / 2, e->arg[0]->value);
  *value = e->op == SAR_OP_SPLINE ? p.y : p.slope;
  return true;
}

static double sum_value(const SarExpr* e) {
  double s = e->arg[0]->value;
  for (int i = 1; i < e->num; i++) s += e->arg[i]->value;
  return s;
}

typedef struct Arguments {
  SarParameters parameters;
  const SarExpr* call;
} Arguments;

static bool argument_value(void* context, const char* name, double* value) {
  const Arguments* args = context;
  int i = sar_parameters_find(&args->parameters, name);
  if (i < 0) return false;
  *value = args->call->arg[i]->value;
  return true;
}

// the definition with the arguments put in is one number
static SarExpr* fold_defined(SarExprGraph* g, const SarFunction* f, SarExpr* call) {
  Arguments args = {sar_function_parameters(f), call};
  SarExpr* body = sar_function_rule(g, f);
  return body ? sar_expr_bind(g, body, argument_value, &args) : NULL;
}

// a call whose arguments are all numbers
static SarExpr* fold(SarExprGraph* g, SarExpr* e) {
  double value = 0;
  switch (e->op) {
    case SAR_OP_SUM: value = sum_value(e); break;
    case SAR_OP_SELECT: value = select_value(e); break;
    case SAR_OP_TABLE:
    case SAR_OP_SLOPE:
      // an ill-formed one stays, and is reported by who needs its value
      if (!sar_table_check(e, NULL)) return sar_tree_intern(g, e);
      value = table_value(e);
      break;
    case SAR_OP_SPLINE:
    case SAR_OP_SPLINE_SLOPE:
      if (!sar_table_check(e, NULL)) return sar_tree_intern(g, e);
      if (!spline_value(g->arena, e, &value)) return NULL;
      break;
    default: {
      const SarFunction* f = sar_function_of(e->op);
      if (f && f->kind == SAR_KIND_DEFINED) {
        SarExpr* n = fold_defined(g, f, e);
        if (!n) return NULL;
        value = n->value;
      } else {
        value = sar_op_apply(e->op, e->arg[0]->value, e->arg[e->num - 1]->value);
      }
    }
  }
  return sar_tree_number(g, e->loc, value);
}

SarExpr* sar_tree_make(SarExprGraph* g, SarOp op, SarLoc loc, int num, SarExpr* const* arg) {
  SarExpr* e = draft(g, op, loc, num, arg);
  if (!e) return NULL;
  for (int i = 0; i < num; i++)
    if (arg[i]->op != SAR_OP_NUMBER) return sar_tree_intern(g, e);
  if (sar_op_is_block(op)) return sar_tree_intern(g, e);
  return fold(g, e);
}

// ---- looking ------------------------------------------------------------------------------------

bool sar_tree_is(const SarExpr* e, double value) {
  return e && e->op == SAR_OP_NUMBER && e->value == value;
}

// 0 and -0 are two nodes, but equal numbers
bool sar_tree_equal(const SarExpr* x, const SarExpr* y) {
  return x == y || (x->op == SAR_OP_NUMBER && sar_tree_is(y, x->value));
}

SarExpr* sar_expr_number(SarArena* a, double value) {
  SarExprGraph g = sar_graph_as_written(a);
  return sar_tree_number(&g, (SarLoc){0}, value);
}

bool sar_expr_is_number(const SarExpr* e, double* value) {
  if (!e || e->op != SAR_OP_NUMBER) return false;
  if (value) *value = e->value;
  return true;
}

SarLoc sar_expr_loc(const SarExpr* e) { return e->loc; }
