// Trees into the graph. Sums become chains from left to right, choices chains of selections, and
// functions that are defined in the language are opened: their definition is entered with nodes in
// place of its parameters. Depth of trees is bounded by the parser, and with it recursion.
#include "expr/tree.h"

#include <math.h>
#include <string.h>

typedef struct Enter {
  SarGraph* g;
  SarExprLookup* lookup;
  void* context;
  SarError* err;
  SarArena definitions;  // parsed when they are met
  const SarExpr* of[SAR_OP_COUNT];
} Enter;

// Arguments of the defined function whose definition is being entered.
typedef struct Frame {
  SarParameters parameters;
  SarNode arg[SAR_MAX_PARAMETERS];
} Frame;

static SarNode enter(Enter* c, const SarExpr* e, const Frame* frame);

static SarNode enter_name(Enter* c, const SarExpr* e, const Frame* frame) {
  double value;
  const int i = frame ? sar_parameters_find(&frame->parameters, e->name) : -1;
  if (i >= 0) return frame->arg[i];
  if (c->lookup && c->lookup(c->context, e->name, &value)) return sar_sym_number(c->g, value);
  return sar_sym_symbol(c->g, e->name);
}

static SarNode enter_sum(Enter* c, const SarExpr* e, const Frame* frame) {
  SarNode sum = enter(c, e->arg[0], frame);
  for (int i = 1; i < e->num; i++) {
    const SarExpr* term = e->arg[i];
    const bool minus = term->op == SAR_OP_NEG;
    const SarNode x = enter(c, minus ? term->arg[0] : term, frame);
    sum = minus ? sar_sym_sub(c->g, sum, x) : sar_sym_add(c->g, sum, x);
  }
  return sum;
}

// from the last choice to the first: c1 ? v1 : (c2 ? v2 : v)
static SarNode enter_select(Enter* c, const SarExpr* e, const Frame* frame) {
  SarNode chosen = enter(c, e->arg[e->num - 1], frame);
  for (int i = e->num - 3; i >= 0; i -= 2) {
    const SarNode condition = enter(c, e->arg[i], frame);
    const SarNode value = enter(c, e->arg[i + 1], frame);
    chosen = sar_sym_select(c->g, condition, value, chosen);
  }
  return chosen;
}

// ---- tables -------------------------------------------------------------------------------------

bool sar_table_check(const SarExpr* table, const double* point, SarError* err) {
  bool good = true;
  if (table->num < 5) {
    sar_report(err, table->loc,
               "write table(x, x1, y1, x2, y2, ...), or the name of one of `tables`",
               "a table needs points");
    return false;
  }
  for (int i = 0; i + 1 < table->num; i += 2) {  // any y will do
    if (isfinite(point[i]) && (i == 0 || point[i] > point[i - 2])) continue;
    sar_report(err, table->arg[i + 1]->loc, "order the points by x: table(x, x1, y1, x2, y2, ...)",
               "table: x of point %d is %g and does not rise", i / 2 + 1, point[i]);
    good = false;
  }
  return good;
}

static bool read_points(Enter* c, const SarExpr* e, const Frame* frame, double* point) {
  for (int i = 0; i + 1 < e->num; i++) {
    const SarNode n = enter(c, e->arg[i + 1], frame);
    if (n < 0) return false;
    if (!sar_node_is_number(c->g, n, &point[i])) {
      sar_report(c->err, e->arg[i + 1]->loc,
                 "use numbers and parameters there; only the first argument may vary",
                 "table: point %d is not a constant", i / 2 + 1);
      return false;
    }
  }
  return sar_table_check(e, point, c->err);
}

static SarNode enter_table(Enter* c, const SarExpr* e, const Frame* frame) {
  SarArena scratch;
  SarNode n = SAR_NONE;
  const SarNode x = enter(c, e->arg[0], frame);
  sar_arena_beside(&scratch, sar_graph_arena(c->g));
  double* point = SAR_ARENA_ARRAY(&scratch, double, e->num);
  if (point && read_points(c, e, frame, point))
    n = sar_sym_table(c->g, e->op, x, (e->num - 1) / 2, point);
  sar_arena_end(&scratch, sar_graph_arena(c->g));
  return n;
}

// ---- calls --------------------------------------------------------------------------------------

static SarNode enter_defined(Enter* c, const SarFunction* f, const SarExpr* e, const Frame* frame) {
  Frame inner = {.parameters = sar_function_parameters(f)};
  for (int i = 0; i < e->num; i++) inner.arg[i] = enter(c, e->arg[i], frame);
  if (!c->of[f->op])
    c->of[f->op] =
        sar_expr_parse(&c->definitions, f->definition, strlen(f->definition), (SarLoc){0}, NULL);
  return c->of[f->op] ? enter(c, c->of[f->op], &inner) : SAR_NONE;
}

static SarNode enter(Enter* c, const SarExpr* e, const Frame* frame) {
  switch (e->op) {
    case SAR_OP_NUMBER: return sar_sym_number(c->g, e->value);
    case SAR_OP_SYMBOL: return enter_name(c, e, frame);
    case SAR_OP_SUM: return enter_sum(c, e, frame);
    case SAR_OP_SELECT: return enter_select(c, e, frame);
    case SAR_OP_TABLE:
    case SAR_OP_SPLINE: return enter_table(c, e, frame);
    default: break;
  }
  const SarFunction* f = sar_function_of(e->op);
  if (f->kind == SAR_KIND_BLOCK) {
    sar_block_refuse(e, c->err);
    return SAR_NONE;
  }
  if (f->kind == SAR_KIND_DEFINED) return enter_defined(c, f, e, frame);
  const SarNode x = enter(c, e->arg[0], frame);
  return sar_sym_call(c->g, e->op, x, e->num > 1 ? enter(c, e->arg[1], frame) : SAR_NONE);
}

SarNode sar_expr_enter(SarGraph* g, const SarExpr* e, SarExprLookup* lookup, void* context,
                       SarError* err) {
  Enter c = {.g = g, .lookup = lookup, .context = context, .err = err};
  const SarRules rules = sar_graph_rules(g, SAR_EXACT);
  sar_arena_beside(&c.definitions, sar_graph_arena(g));
  const SarNode n = enter(&c, e, NULL);
  sar_arena_end(&c.definitions, sar_graph_arena(g));
  sar_graph_rules(g, rules);
  return n;
}
