// Values of constant expressions, and the check of tables that every use of a value needs.
#include "expr/tree.h"

#include <math.h>

// points are arg[1..num): x1 y1 x2 y2 ...
bool sar_table_check(const SarExpr* table, SarError* err) {
  bool good = true;
  if (table->num < 5) {
    sar_report(err, table->loc,
               "write table(x, x1, y1, x2, y2, ...), or the name of one of `tables`",
               "a table needs points");
    return false;
  }
  for (int i = 1; i < table->num; i++) {
    const SarExpr* p = table->arg[i];
    if (p->op != SAR_OP_NUMBER) {
      sar_report(err, p->loc, "use numbers and parameters there; only the first argument may vary",
                 "table: point %d is not a constant", (i + 1) / 2);
      return false;
    }
    if (i % 2 == 0) continue;  // any y will do
    if (!isfinite(p->value) || (i > 1 && !(p->value > table->arg[i - 2]->value))) {
      sar_report(err, p->loc, "order the points by x: table(x, x1, y1, x2, y2, ...)",
                 "table: x of point %d is %g and does not rise", (i + 1) / 2, p->value);
      good = false;
    }
  }
  return good;
}

bool sar_tables_check(const SarExpr* e, SarError* err) {
  bool good = !sar_op_is_table(e->op);
  if (!good) good = sar_table_check(e, err);
  for (int i = 0; i < e->num; i++) good = sar_tables_check(e->arg[i], err) && good;
  return good;
}

typedef struct Names {
  SarExprLookup* lookup;
  void* context;
  const char* const* known;
  int known_count, unknown;
  SarError* err;
} Names;

static void check_name(void* context, const char* name, SarLoc loc) {
  Names* n = context;
  double value;
  if (n->lookup && n->lookup(n->context, name, &value)) return;
  n->unknown++;
  sar_report_unknown(n->err, loc, name, n->known, n->known_count);
}

bool sar_expr_constant(const SarExpr* e, SarExprLookup* lookup, void* context,
                       const char* const* known, int known_count, double* value, SarError* err) {
  if (sar_expr_is_number(e, value)) return true;
  Names names = {lookup, context, known, known_count, 0, err};
  sar_expr_visit_names(e, check_name, &names);
  if (names.unknown) return false;
  // all names are known, so binding leaves one number, unless a table is ill-formed
  SarArena scratch;
  sar_arena_init(&scratch);
  SarExprGraph g = sar_expr_graph(&scratch);
  const SarExpr* bound = lookup ? sar_expr_bind(&g, e, lookup, context) : e;
  bool done = sar_expr_is_number(bound, value);
  const SarExpr* block = bound ? sar_expr_find_block(bound) : NULL;
  if (block)
    sar_block_refuse(block, err);
  else if (!done && (!bound || sar_tables_check(bound, err)))
    sar_report(err, e->loc, "", "out of memory");
  sar_arena_free(&scratch);
  return done;
}
