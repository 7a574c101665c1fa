// Parameters: overrides, order, values. They may use one another in any order, but not in a circle.
#include "base/print.h"
#include "model/compile/parts.h"
#include "model/order.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Item parameter_item(const Symbol* s) {
  return (Item){"parameter", s->spec->name.text ? s->spec->name.text : "", s->spec->name.loc};
}

// Overrides go first: an overridden parameter's own expression is not looked at.
static bool* mark_overrides(Compile* c) {
  bool* overridden = SAR_ARENA_ARRAY(&c->arena, bool, c->nsymbol + 1);
  if (!overridden) return NULL;
  for (int i = 0; i < c->override_count; i++) {
    const SarParameter* p = &c->overrides[i];
    char hint[128];
    SarLoc loc = {c->spec->file, 0, 0};
    int k = p->name ? sar_names_find(&c->symbol_names, p->name) : -1;
    Item item = {"parameter", p->name ? p->name : "", loc};
    if (k < 0 || c->symbol[k].kind != SYMBOL_PARAMETER) {
      sar_complain(c, item, loc,
                   sar_suggest_symbol(c, item.name, SYMBOL_PARAMETER, NULL, hint, sizeof hint),
                   "the model has no such parameter to set");
      continue;
    }
    if (!isfinite(p->value))
      sar_complain(c, item, loc, "", "the value to set must be a finite number");
    overridden[k] = true;
    c->symbol[k].value = p->value;
  }
  return overridden;
}

typedef struct Collect {
  const Compile* c;
  SymbolKind kind;
  int count;
  int* to;  // NULL: only count
} Collect;

static void collect_name(void* context, const char* name, SarLoc loc) {
  Collect* k = context;
  (void)loc;
  int i = sar_names_find(&k->c->symbol_names, name);
  if (i < 0 || k->c->symbol[i].kind != k->kind) return;
  if (k->to) k->to[k->count] = i;
  k->count++;
}

static void report_circle(void* context, const int* nodes, int count) {
  Compile* c = context;
  char text[256];
  int n = 0;
  for (int i = 0; i <= count && n < (int)sizeof text - 1; i++) {
    const Symbol* s = &c->symbol[nodes[i % count]];
    n += sar_snprintf(text + n, sizeof text - (size_t)n, "%s%s", i ? " -> " : "",
                      s->spec->name.text);
  }
  for (int i = 0; i < count; i++) c->symbol[nodes[i]].value = WRONG;
  const Symbol* first = &c->symbol[nodes[0]];
  Item item = {first->kind == SYMBOL_PARAMETER ? "parameter" : "variable", first->spec->name.text,
               first->spec->name.loc};
  sar_complain(c, item, item.loc, "break the circle: give one of them a number",
               "is defined by itself: %s", text);
}

int* sar_symbol_order(Compile* c, SymbolKind kind, const bool* skip) {
  SarNeeds needs = {.count = c->nsymbol};
  int* first = SAR_ARENA_ARRAY(&c->arena, int, c->nsymbol + 1);
  int* order = SAR_ARENA_ARRAY(&c->arena, int, c->nsymbol + 1);
  if (!first || !order) return NULL;
  Collect collect = {c, kind, 0, NULL};
  for (int pass = 0; pass < 2; pass++) {
    collect.count = 0;
    for (int i = 0; i < c->nsymbol; i++) {
      const Symbol* s = &c->symbol[i];
      first[i] = collect.count;
      bool counts = s->kind == kind && s->spec->value.expr && !(skip && skip[i]);
      if (counts) sar_expr_visit_names(s->spec->value.expr, collect_name, &collect);
    }
    first[c->nsymbol] = collect.count;
    if (pass == 0) collect.to = SAR_ARENA_ARRAY(&c->arena, int, collect.count + 1);
    if (!collect.to) return NULL;
  }
  needs.first = first;
  needs.to = collect.to;
  return sar_order(&c->arena, &needs, report_circle, c, order) ? order : NULL;
}

bool sar_compile_parameters(Compile* c) {
  bool* overridden = mark_overrides(c);
  if (!overridden) return false;
  int* order = sar_symbol_order(c, SYMBOL_PARAMETER, overridden);
  if (!order) return false;
  for (int k = 0; k < c->nsymbol; k++) {
    Symbol* s = &c->symbol[order[k]];
    bool circular = isnan(s->value);
    const bool constant = s->kind == SYMBOL_PARAMETER || s->kind == SYMBOL_INPUT;
    if (!constant || overridden[order[k]] || circular) continue;
    Item item = parameter_item(s);
    if (s->kind == SYMBOL_INPUT) item.kind = "input";
    s->value = sar_number(c, s->spec->value, item, "value", EVEN_INFINITE, 0);
  }
  return true;
}
