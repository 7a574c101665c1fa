// Names in expressions: visiting them, and replacing them by values, other names or expressions.
#include "expr/tree.h"

#include "base/text.h"

void sar_expr_visit_names(const SarExpr* e, SarExprVisitor* visit, void* context) {
  if (e->op == SAR_OP_SYMBOL) visit(context, e->name, e->loc);
  for (int i = 0; i < e->num; i++) sar_expr_visit_names(e->arg[i], visit, context);
}

// One pass that builds a tree again with something else in place of names.
typedef struct Rebuild {
  SarArena* arena;
  SarExpr* (*put)(const struct Rebuild* r, const SarExpr* name);
  SarExprLookup* lookup;
  SarExprReplace* replace;
  SarExprRename* rename;
  void* context;
} Rebuild;

// a choice whose first conditions are known keeps only what can still happen
static SarExpr* make_select(SarArena* a, const SarExpr* e, SarExpr** arg) {
  int n = 0;
  for (int i = 0; i < e->num; i += 2) {
    const bool last = i + 1 == e->num;
    if (!last && arg[i]->op == SAR_OP_NUMBER && arg[i]->value == 0) continue;
    const bool sure = !last && arg[i]->op == SAR_OP_NUMBER;
    if (last || sure) {
      arg[n++] = last ? arg[i] : arg[i + 1];
      break;
    }
    arg[n++] = arg[i];
    arg[n++] = arg[i + 1];
  }
  return n == 1 ? arg[0] : sar_tree_make(a, e->op, e->loc, n, arg);
}

static SarExpr* rebuild(const Rebuild* r, const SarExpr* e) {
  if (e->op == SAR_OP_NUMBER) return (SarExpr*)e;
  if (e->op == SAR_OP_SYMBOL) return r->put(r, e);
  SarExpr** arg = SAR_ARENA_ARRAY(r->arena, SarExpr*, e->num);
  if (!arg) return NULL;
  for (int i = 0; i < e->num; i++) {
    arg[i] = rebuild(r, e->arg[i]);
    if (!arg[i]) return NULL;
  }
  return e->op == SAR_OP_SELECT ? make_select(r->arena, e, arg)
                                : sar_tree_make(r->arena, e->op, e->loc, e->num, arg);
}

static SarExpr* put_value(const Rebuild* r, const SarExpr* e) {
  double value;
  if (!r->lookup(r->context, e->name, &value)) return (SarExpr*)e;
  return sar_tree_number(r->arena, e->loc, value);
}

static SarExpr* put_tree(const Rebuild* r, const SarExpr* e) {
  const SarExpr* other = r->replace(r->context, e->name);
  return (SarExpr*)(other ? other : e);
}

static SarExpr* put_name(const Rebuild* r, const SarExpr* e) {
  const char* name = r->rename(r->context, e->name);
  return name ? sar_tree_name(r->arena, e->loc, name) : NULL;
}

SarExpr* sar_expr_put_values(SarArena* a, const SarExpr* e, SarExprLookup* lookup, void* context) {
  return rebuild(&(Rebuild){.arena = a, .put = put_value, .lookup = lookup, .context = context}, e);
}

SarExpr* sar_expr_replace(SarArena* a, const SarExpr* e, SarExprReplace* replace, void* context) {
  return rebuild(&(Rebuild){.arena = a, .put = put_tree, .replace = replace, .context = context},
                 e);
}

SarExpr* sar_expr_rename(SarArena* a, const SarExpr* e, SarExprRename* rename, void* context) {
  return rebuild(&(Rebuild){.arena = a, .put = put_name, .rename = rename, .context = context}, e);
}

SarExpr* sar_expr_difference(SarArena* a, const SarExpr* x, const SarExpr* y) {
  SarExpr* minus = sar_tree_make(a, SAR_OP_NEG, y->loc, 1, (SarExpr*[]){(SarExpr*)y});
  if (!minus) return NULL;
  return sar_tree_make(a, SAR_OP_SUM, x->loc, 2, (SarExpr*[]){(SarExpr*)x, minus});
}

SarExpr* sar_expr_residual(SarArena* a, const SarExpr* e) {
  return e->op == SAR_OP_EQ ? sar_expr_difference(a, e->arg[0], e->arg[1]) : NULL;
}

typedef struct Tables {
  SarArena* arena;
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
  SarExpr** arg = SAR_ARENA_ARRAY(t->arena, SarExpr*, named ? count + 1 : count);
  if (!arg) return NULL;
  for (int i = 0; i < (named ? 1 : count); i++) {
    arg[i] = put_tables(t, e->arg[i]);
    if (!arg[i]) return NULL;
  }
  for (int i = 0; named && i < count; i++) arg[i + 1] = points[i];
  return sar_tree_make(t->arena, e->op, e->loc, named ? count + 1 : count, arg);
}

SarExpr* sar_expr_put_tables(SarArena* a, const SarExpr* e, SarExprFindTable* find, void* context,
                             const char* const* known, int known_count, SarError* err) {
  Tables tables = {a, find, context, known, known_count, err};
  return put_tables(&tables, e);
}

const char* sar_expr_name(const SarExpr* e) { return e->op == SAR_OP_SYMBOL ? e->name : NULL; }
