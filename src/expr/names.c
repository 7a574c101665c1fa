// Names in a tree: visiting them, and replacing them by values, other names or trees.
#include "expr/tree.h"

#include "base/text.h"

void sar_expr_visit_names(const SarExpr* e, SarExprVisitor* visit, void* context) {
  if (e->op == SAR_OP_NAME) visit(context, e->name, e->loc);
  for (int i = 0; i < e->num; i++) sar_expr_visit_names(e->arg[i], visit, context);
}

SarExpr* sar_tree_substitute(SarArena* a, SarExpr* e, SarTreeReplace* replace, void* context) {
  if (e->op == SAR_OP_NUMBER) return e;
  if (e->op == SAR_OP_NAME) {
    SarExpr* r = replace(context, e->name);
    return r ? r : e;
  }
  SarExpr** arg = SAR_ARENA_ARRAY(a, SarExpr*, e->num);
  if (!arg) return NULL;
  for (int i = 0; i < e->num; i++) arg[i] = sar_tree_substitute(a, e->arg[i], replace, context);
  return sar_tree_simplify(a, e->op, e->loc, e->num, arg);
}

// a choice whose first conditions are known keeps only what can still happen
static SarExpr* bind_select(SarArena* a, const SarExpr* e, SarExpr** arg) {
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
  return n == 1 ? arg[0] : sar_tree_make(a, e->op, e->loc, n, arg);
}

typedef struct Binding {
  SarArena* arena;
  SarExprLookup* lookup;
  void* context;
  SarMemo seen;
} Binding;

static SarExpr* bind(Binding* b, SarExpr* e) {
  double value;
  if (e->op == SAR_OP_NUMBER) return e;
  if (e->op == SAR_OP_NAME)
    return b->lookup(b->context, e->name, &value) ? sar_tree_number(b->arena, e->loc, value) : e;
  SarExpr* bound = sar_memo_find(&b->seen, e);
  if (bound) return bound;
  SarExpr** arg = SAR_ARENA_ARRAY(b->arena, SarExpr*, e->num);
  if (!arg) return NULL;
  bool same = true;
  for (int i = 0; i < e->num; i++) {
    arg[i] = bind(b, e->arg[i]);
    if (!arg[i]) return NULL;
    same = same && arg[i] == e->arg[i];
  }
  if (same)
    bound = e;
  else if (e->op == SAR_OP_SELECT)
    bound = bind_select(b->arena, e, arg);
  else
    bound = sar_tree_make(b->arena, e->op, e->loc, e->num, arg);
  if (bound) sar_memo_add(b->arena, &b->seen, e, bound);
  return bound;
}

SarExpr* sar_expr_bind(SarArena* a, const SarExpr* e, SarExprLookup* lookup, void* context) {
  return bind(&(Binding){.arena = a, .lookup = lookup, .context = context}, (SarExpr*)e);
}

SarExpr* sar_expr_rename(SarArena* a, const SarExpr* e, SarExprRename* new_name, void* context) {
  if (e->op == SAR_OP_NUMBER) return (SarExpr*)e;
  if (e->op == SAR_OP_NAME) {
    const char* name = new_name(context, e->name);
    return name ? sar_tree_name(a, e->loc, name) : NULL;
  }
  SarExpr** arg = SAR_ARENA_ARRAY(a, SarExpr*, e->num);
  if (!arg) return NULL;
  for (int i = 0; i < e->num; i++) {
    arg[i] = sar_expr_rename(a, e->arg[i], new_name, context);
    if (!arg[i]) return NULL;
  }
  return sar_tree_make(a, e->op, e->loc, e->num, arg);
}

SarExpr* sar_expr_replace(SarArena* a, const SarExpr* e, SarExprReplace* replace, void* context) {
  if (e->op == SAR_OP_NUMBER) return (SarExpr*)e;
  if (e->op == SAR_OP_NAME) {
    const SarExpr* tree = replace(context, e->name);
    return (SarExpr*)(tree ? tree : e);
  }
  SarExpr** arg = SAR_ARENA_ARRAY(a, SarExpr*, e->num);
  if (!arg) return NULL;
  for (int i = 0; i < e->num; i++) {
    arg[i] = sar_expr_replace(a, e->arg[i], replace, context);
    if (!arg[i]) return NULL;
  }
  return sar_tree_make(a, e->op, e->loc, e->num, arg);
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
  return sar_op_is_table(e->op) && e->num == 2 && e->arg[1]->op == SAR_OP_NAME;
}

static bool has_named_table(const SarExpr* e) {
  if (is_named_table(e)) return true;
  for (int i = 0; i < e->num; i++)
    if (has_named_table(e->arg[i])) return true;
  return false;
}

static SarExpr* put_tables(const Tables* t, const SarExpr* e) {
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
  const Tables tables = {a, find, context, known, known_count, err};
  return put_tables(&tables, e);
}
