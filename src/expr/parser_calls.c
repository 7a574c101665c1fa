// Calls of functions in expressions: which one, with how many arguments, with points of tables that
// rise.
#include "expr/parser.h"

#include "base/print.h"
#include "base/text.h"

#include <string.h>

static void unknown_function(SarParser* p, SarLoc loc, const char* name) {
  const char* names[SAR_OP_COUNT];
  int count = 0;
  SarFunctionDoc f;
  while (count < SAR_OP_COUNT && sar_expr_function(count, &f)) names[count++] = f.name;
  char hint[128];
  if (!sar_text_suggest(hint, sizeof hint, name, names, count)[0])
    sar_snprintf(hint, sizeof hint, "a product is written %.60s*(...)", name);
  sar_report(p->err, loc, hint, "unknown function '%s'", name);
  p->wrong = true;
}

// Of tables whose points are written as numbers; others are checked when their values are known.
static bool has_rising_points(SarParser* p, const SarExpr* table) {
  double* point = SAR_ARENA_ARRAY(p->arena, double, table->num);
  for (int i = 1; point && i < table->num; i++) {
    if (table->arg[i]->op != SAR_OP_NUMBER) return true;
    point[i - 1] = table->arg[i]->value;
  }
  return point && sar_table_check(table, point, p->err);
}

static bool arity_fits(const SarFunction* f, int num) {
  if (f->op == SAR_OP_MIN || f->op == SAR_OP_MAX) return num >= 2;
  if (sar_op_is_table(f->op)) return num == 2 || (num >= 5 && num % 2 == 1);
  if (f->op == SAR_OP_SELECT)
    return strcmp(f->name, "if") == 0 ? num == 3 : num >= 3 && num % 2 == 1;
  if (f->kind == SAR_KIND_BLOCK) return sar_block_takes(f->op, num);
  return num == sar_function_parameters(f).num;
}

SarExpr* sar_parser_call(SarParser* p, SarLoc loc, const char* name, const SarExprList* args) {
  const SarFunction* f = sar_function_find(name);
  if (!f) {
    unknown_function(p, loc, name);
  } else if (!arity_fits(f, args->count)) {
    char hint[128];
    sar_snprintf(hint, sizeof hint, "write %s(%s)", name, f->parameters);
    sar_report(p->err, loc, hint, "%s does not take %d argument%s", name, args->count,
               args->count == 1 ? "" : "s");
    p->wrong = true;
  } else if (f->kind == SAR_KIND_BINARY) {
    // min(x, y, z) = min(min(x, y), z)
    SarExpr* e = args->items[0];
    for (int i = 1; e && i < args->count; i++)
      e = sar_parser_build(p, f->op, loc, 2, (SarExpr*[]){e, args->items[i]});
    return e;
  } else {
    SarExpr* e = sar_parser_build(p, f->op, loc, args->count, args->items);
    if (e && sar_op_is_table(e->op) && !has_rising_points(p, e)) p->wrong = true;
    return e;
  }
  return sar_tree_number(p->arena, loc, 0);  // a stand-in, so that reading goes on
}
