// Names in expressions: visiting them, and replacing them by values, other names or expressions.
#include "expr/tree.h"

#include "base/text.h"

void sar_expr_visit_names(const SarExpr* e, SarExprVisitor* visit, void* context) {
  if (e->op == SAR_OP_SYMBOL) visit(context, e->name, e->loc);
  for (int i = 0; i < e->num; i++) sar_expr_visit_names(e->arg[i], visit, context);
}

static void visit_unmarked(unsigned walk, SarExpr* e, SarExprVisitor* visit, void* context) {
  if (e->mark == walk) return;
  e->mark = walk;
  if (e->op == SAR_OP_SYMBOL) visit(context, e->name, e->loc);
  for (int i = 0; i < e->num; i++) visit_unmarked(walk, e->arg[i], visit, context);
}

void sar_expr_visit_graph(SarExprGraph* g, const SarExpr* e, SarExprVisitor* visit, void* context) {
  visit_unmarked(++g->walk, (SarExpr*)e, visit, context);
}

SarExpr* sar_tree_substitute(SarExprGraph* g, SarExpr* e, SarTreeReplace* replace, void* context) {
  if (e->op == SAR_OP_NUMBER) return e;
  if (e->op == SAR_OP_SYMBOL) {
    SarExpr* r = replace(context, e->name);
    return r ? r : e;
  }
  SarExpr** arg = SAR_ARENA_ARRAY(g->arena, SarExpr*, e->num);
  if (!arg) return NULL;
  for (int i = 0; i < e->num; i++) arg[i] = sar_tree_substitute(g, e->arg[i], replace, context);
  return sar_tree_simplify(g, e->op, e->loc, e->num, arg);
}

// a choice whose first conditions are known keeps only what can still happen
static SarExpr* make_select(SarExprGraph* g, const SarExpr* e, SarExpr** arg) {
  int n = 0;
  for (int i = 0; i < e->num; i += 2) {
    bool last = i + 1 == e->num;
    if (!last && sar_tree_is(arg[i], 0)) continue;
    bool sure = !last && arg[i]->op == SAR_OP_NUMBER;
    if (last || sure) {
      arg[n++] = last ? arg[i] : arg[i + 1];
      break;
    }
    arg[n++] = arg[i];
    arg[n++] = arg[i + 1];
  }
  return n == 1 ? arg[0] : sar_tree_make(g, e->op, e->loc, n, arg);
}

// One pass that rebuilds an expression in a graph: names by `put`, what is above them from below.
typedef struct Rebuild {
  SarExprGraph* graph;
  SarExpr* (*put)(const struct Rebuild* r, const SarExpr* name);
  SarExprLookup* lookup;
  SarExprReplace* replace;
  void* context;
  SarMemo seen;
} Rebuild;

static SarExpr* rebuild(Rebuild* r, const SarExpr* e) {
  if (e->op == SAR_OP_NUMBER) return (SarExpr*)e;
  if (e->op == SAR_OP_SYMBOL) return r->put(r, e);
  SarExpr* done = sar_memo_find(&r->seen, e);
  if (done) return done;
  SarExpr** arg = SAR_ARENA_ARRAY(r->graph->arena, SarExpr*, e->num);
  if (!arg) return NULL;
  bool same = e->owner == r->graph;
  for (int i = 0; i < e->num; i++) {
    arg[i] = rebuild(r, e->arg[i]);
    if (!arg[i]) return NULL;
    same = same && arg[i] == e->arg[i];
  }
  if (same)
    done = (SarExpr*)e;
  else if (e->op == SAR_OP_SELECT)
    done = make_select(r->graph, e, arg);
  else
    done = sar_tree_make(r->graph, e->op, e->loc, e->num, arg);
  if (done) sar_memo_add(r->graph->arena, &r->seen, e, done);
  return done;
}

static SarExpr* keep_name(const Rebuild* r, const SarExpr* e) {
  return e->owner == r->graph ? (SarExpr*)e : sar_tree_name(r->graph, e->loc, e->name);
}

static SarExpr* put_value(const Rebuild* r, const SarExpr* e) {
  double value;
  if (!r->lookup || !r->lookup(r->context, e->name, &value)) return keep_name(r, e);
  return sar_tree_number(r->graph, e->loc, value);
}

static SarExpr* put_replacement(const Rebuild* r, const SarExpr* e) {
  const SarExpr* other = r->replace(r->context, e->name);
  return other ? sar_graph_enter(r->graph, other) : keep_name(r, e);
}

SarExpr* sar_expr_bind(SarExprGraph* g, const SarExpr* e, SarExprLookup* lookup, void* context) {
  return rebuild(&(Rebuild){.graph = g, .put = put_value, .lookup = lookup, .context = context}, e);
}

SarExpr* sar_expr_put_values(SarArena* a, const SarExpr* e, SarExprLookup* lookup, void* context) {
  SarExprGraph g = sar_graph_as_written(a);
  return sar_expr_bind(&g, e, lookup, context);
}

SarExpr* sar_expr_replace(SarExprGraph* g, const SarExpr* e, SarExprReplace* replace,
                          void* context) {
  return rebuild(
      &(Rebuild){.graph = g, .put = put_replacement, .replace = replace, .context = context}, e);
}

SarExpr* sar_graph_enter(SarExprGraph* g, const SarExpr* e) {
  if (e->owner == g || !sar_graph_shares(g)) return (SarExpr*)e;
  return rebuild(&(Rebuild){.graph = g, .put = put_value}, e);
}

static SarExpr* renamed(SarExprGraph* g, const SarExpr* e, SarExprRename* new_name, void* context) {
  if (e->op == SAR_OP_NUMBER) return (SarExpr*)e;
  if (e->op == SAR_OP_SYMBOL) {
    const char* name = new_name(context, e->name);
    return name ? sar_tree_name(g, e->loc, name) : NULL;
  }
  SarExpr** arg = SAR_ARENA_ARRAY(g->arena, SarExpr*, e->num);
  if (!arg) return NULL;
  for (int i = 0; i < e->num; i++) {
    arg[i] = renamed(g, e->arg[i], new_name, context);
    if (!arg[i]) return NULL;
  }
  return sar_tree_make(g, e->op, e->loc, e->num, arg);
}

SarExpr* sar_expr_rename(SarArena* a, const SarExpr* e, SarExprRename* new_name, void* context) {
  SarExprGraph g = sar_graph_as_written(a);
  return renamed(&g, e, new_name, context);
}

SarExpr* sar_expr_difference(SarArena* a, const SarExpr* x, const SarExpr* y) {
  SarExprGraph g = sar_graph_as_written(a);
  SarExpr* minus = sar_tree_make(&g, SAR_OP_NEG, y->loc, 1, (SarExpr*[]){(SarExpr*)y});
  if (!minus) return NULL;
  return sar_tree_make(&g, SAR_OP_SUM, x->loc, 2, (SarExpr*[]){(SarExpr*)x, minus});
}

SarExpr* sar_expr_residual(SarArena* a, const SarExpr* e) {
  return e->op == SAR_OP_EQ ? sar_expr_difference(a, e->arg[0], e->arg[1]) : NULL;
}

typedef struct Tables {
  SarExprGraph* graph;
  SarExprFindTable* find;
  void* context;
  const char* const* known;
  int known_count;
  SarError* err;
} Tables;

static bool is_named_table(const SarExpr* e) {
  return sar_op_is_table(e->op) && e->num == 2 && e->arg[1]->op == SAR_OP_SYMBOL;
}

static bool has_named_table(const SarExpr* e) {
  if (is_named_table(e)) return true;
  for (int i = 0; i < e->num; i++)
    if (has_named_table(e->arg[i])) return true;
  return false;
}

static SarExpr* put_tables(Tables* t, const SarExpr* e) {
  SarExpr* const* points = NULL;
  int count = e->num;
  if (!has_named_table(e)) return (SarExpr*)e;
  const bool named = is_named_table(e);
  if (named && !t->find(t->context, e->arg[1]->name, &points, &count)) {
    char hint[128];
    sar_text_suggest(hint, sizeof hint, e->arg[1]->name, t->known, t->known_count);
    sar_report(t->err, e->arg[1]->loc, hint[0] ? hint : "give its points under `tables`",
               "there is no table '%s'", e->arg[1]->name);
    return NULL;
  }
  if (named && count == 0) return NULL;  // it is wrong, which has been reported
  SarExpr** arg = SAR_ARENA_ARRAY(t->graph->arena, SarExpr*, named ? count + 1 : count);
  if (!arg) return NULL;
  for (int i = 0; i < (named ? 1 : count); i++) {
    arg[i] = put_tables(t, e->arg[i]);
    if (!arg[i]) return NULL;
  }
  for (int i = 0; named && i < count; i++) arg[i + 1] = points[i];
  return sar_tree_make(t->graph, e->op, e->loc, named ? count + 1 : count, arg);
}

SarExpr* sar_expr_put_tables(SarArena* a, const SarExpr* e, SarExprFindTable* find, void* context,
                             const char* const* known, int known_count, SarError* err) {
  SarExprGraph g = sar_graph_as_written(a);
  Tables tables = {&g, find, context, known, known_count, err};
  return put_tables(&tables, e);
}
