// Symbolic derivative. The rule of every function stands in functions.def in the language itself,
// in its arguments x, y and their derivatives dx, dy; here it is read, and the arguments are put
// in. A function defined in the language is differentiated by its definition. So each argument of a
// call is differentiated once, however often the rule uses it.
#include "expr/tree.h"

#include "base/spline.h"

#include <string.h>

typedef struct Derivative {
  SarExprGraph* graph;
  const char* name;   // Nullable: only `rate` decides
  SarExprRate* rate;  // Nullable
  void* context;
  SarMemo seen;
} Derivative;

static SarExpr* derive(Derivative* d, SarExpr* e);

// A call f(x, y, ...): its arguments and their derivatives, by the names of the rule.
typedef struct Call {
  SarParameters parameters;
  SarExpr* arg[SAR_MAX_PARAMETERS];
  SarExpr* rate[SAR_MAX_PARAMETERS];
  SarExprGraph* graph;
} Call;

// x -> argument, dx -> its derivative
static SarExpr* put_in(void* context, const char* name) {
  const Call* c = context;
  int i = sar_parameters_find(&c->parameters, name);
  if (i >= 0) return c->arg[i];
  i = name[0] == 'd' ? sar_parameters_find(&c->parameters, name + 1) : -1;
  return i >= 0 ? c->rate[i] : NULL;
}

// derivative of a parameter inside a definition: the name dx, or 0 where the argument is constant
static SarExpr* parameter_rate(void* context, const char* name) {
  const Call* c = context;
  int i = sar_parameters_find(&c->parameters, name);
  if (i < 0 || sar_tree_is(c->rate[i], 0)) return NULL;
  char* rate = sar_arena_printf(c->graph->arena, "d%s", name);
  return rate ? sar_tree_name(c->graph, c->arg[i]->loc, rate) : NULL;
}

static SarExpr* derive_call(Derivative* d, SarExpr* e) {
  const SarFunction* f = sar_function_of(e->op);
  Call c = {.parameters = sar_function_parameters(f), .graph = d->graph};
  bool constant = true;
  for (int i = 0; i < e->num; i++) {
    c.arg[i] = e->arg[i];
    c.rate[i] = derive(d, e->arg[i]);
    if (!c.rate[i]) return NULL;
    constant = constant && sar_tree_is(c.rate[i], 0);
  }
  if (constant) return sar_tree_number(d->graph, e->loc, 0);
  SarExpr* rule = sar_function_rule(d->graph, f);
  if (rule && f->kind == SAR_KIND_DEFINED)
    rule = derive(&(Derivative){.graph = d->graph, .rate = parameter_rate, .context = &c}, rule);
  return rule ? sar_tree_substitute(d->graph, rule, put_in, &c) : NULL;
}

// the same choices among the derivatives
static SarExpr* derive_select(Derivative* d, SarExpr* e) {
  SarExpr** arg = SAR_ARENA_ARRAY(d->graph->arena, SarExpr*, e->num);
  if (!arg) return NULL;
  for (int i = 0; i < e->num; i++) {
    bool condition = i % 2 == 0 && i + 1 < e->num;
    arg[i] = condition ? e->arg[i] : derive(d, e->arg[i]);
  }
  return sar_tree_simplify(d->graph, SAR_OP_SELECT, e->loc, e->num, arg);
}

static SarExpr* derive_sum(Derivative* d, SarExpr* e) {
  SarExpr** arg = SAR_ARENA_ARRAY(d->graph->arena, SarExpr*, e->num);
  if (!arg) return NULL;
  for (int i = 0; i < e->num; i++) arg[i] = derive(d, e->arg[i]);
  return sar_tree_simplify(d->graph, SAR_OP_SUM, e->loc, e->num, arg);
}

// slope(x) dx; the points are constants
static SarExpr* derive_table(Derivative* d, SarExpr* e) {
  SarExpr* rate = derive(d, e->arg[0]);
  if (!rate || sar_tree_is(rate, 0)) return rate;
  SarExpr* slope = sar_tree_make(d->graph, SAR_OP_SLOPE, e->loc, e->num, e->arg);
  return sar_tree_simplify(d->graph, SAR_OP_MUL, e->loc, 2, (SarExpr*[]){slope, rate});
}

// spline' = its slope, slope' = the table of y'', which is straight between the points
static SarExpr* derive_spline(Derivative* d, SarExpr* e) {
  SarExpr* rate = derive(d, e->arg[0]);
  if (!rate || sar_tree_is(rate, 0)) return rate;
  SarExpr* slope = NULL;
  if (e->op == SAR_OP_SPLINE) {
    slope = sar_tree_make(d->graph, SAR_OP_SPLINE_SLOPE, e->loc, e->num, e->arg);
  } else {
    if (!sar_table_check(e, NULL))
      return sar_tree_number(d->graph, e->loc, 0);  // reported by who compiles it
    const double* knot = sar_spline_knots(d->graph->arena, e);
    SarExpr** arg = SAR_ARENA_ARRAY(d->graph->arena, SarExpr*, e->num);
    if (!knot || !arg) return NULL;
    for (int i = 0; i < e->num; i++) arg[i] = e->arg[i];
    for (int i = 2; i < e->num; i += 2)
      arg[i] = sar_tree_number(d->graph, e->loc, knot[SPLINE_KNOT * (i / 2 - 1) + SPLINE_BEND]);
    slope = sar_tree_make(d->graph, SAR_OP_TABLE, e->loc, e->num, arg);
  }
  return sar_tree_simplify(d->graph, SAR_OP_MUL, e->loc, 2, (SarExpr*[]){slope, rate});
}

static SarExpr* derive_name(Derivative* d, const SarExpr* e) {
  if (d->name && strcmp(e->name, d->name) == 0) return sar_tree_number(d->graph, e->loc, 1);
  SarExpr* rate = d->rate ? d->rate(d->context, e->name) : NULL;
  return rate ? sar_graph_enter(d->graph, rate) : sar_tree_number(d->graph, e->loc, 0);
}

static SarExpr* derive(Derivative* d, SarExpr* e) {
  if (e->op == SAR_OP_NUMBER || e->op == SAR_OP_SLOPE ||
      sar_op_is_block(e->op))  // who compiles it says so
    return sar_tree_number(d->graph, e->loc, 0);
  if (e->op == SAR_OP_SYMBOL) return derive_name(d, e);
  SarExpr* derivative = sar_memo_find(&d->seen, e);
  if (derivative) return derivative;
  switch (e->op) {
    case SAR_OP_SUM: derivative = derive_sum(d, e); break;
    case SAR_OP_SELECT: derivative = derive_select(d, e); break;
    case SAR_OP_TABLE: derivative = derive_table(d, e); break;
    case SAR_OP_SPLINE:
    case SAR_OP_SPLINE_SLOPE: derivative = derive_spline(d, e); break;
    default: derivative = derive_call(d, e);
  }
  if (derivative) sar_memo_add(d->graph->arena, &d->seen, e, derivative);
  return derivative;
}

SarExpr* sar_expr_derivative(SarExprGraph* g, const SarExpr* e, const char* name, SarExprRate* rate,
                             void* context) {
  SarExpr* entered = sar_graph_enter(g, e);
  if (!entered) return NULL;
  return derive(&(Derivative){.graph = g, .name = name, .rate = rate, .context = context}, entered);
}
