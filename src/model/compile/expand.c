// Variables put in: an expression in what it measures, the inputs and time alone.
//
// Variables are expanded one after the other in the order of their needs (compile/expressions.c),
// each from those before it, and the graph shares what is equal: the whole costs as much as the
// text of the variables, however often they use one another.
#include "model/compile/parts.h"

#include <string.h>

typedef struct Expansion {
  Compile* c;
  bool missing;  // a variable has no expansion
} Expansion;

static SarNode definition(void* context, SarNode symbol) {
  Expansion* x = context;
  int i = sar_names_find(&x->c->symbol_names, sar_node_name(x->c->graph, symbol));
  if (i < 0 || x->c->symbol[i].kind != SYMBOL_VARIABLE) return SAR_NONE;
  if (x->c->symbol[i].expanded < 0) x->missing = true;
  return x->c->symbol[i].expanded;
}

SarNode sar_expanded(Compile* c, SarNode bound) {
  Expansion x = {c, false};
  SarNode e;
  return sar_sym_substitute(c->graph, 1, &bound, definition, &x, &e) && !x.missing ? e : SAR_NONE;
}

SarNode sar_written_out(Compile* c, SarNode bound, Item item, SarLoc loc, const char* key) {
  const SarNode e = sar_expanded(c, bound);
  if (e < 0 && !c->arena.failed)
    sar_complain(c, item, loc, "let fewer variables be defined by one another",
                 "%s, with the variables it uses put in, has more than %d parts", key,
                 SAR_SYM_MAX_NODES);
  return e;
}

// ---- places -----------------------------------------------------------------------------------

typedef struct Search {
  Compile* c;
  const char* name;
  SarLoc found;
  IntList variables;  // met on the way; each is looked into once
  int number;
} Search;

static void look(void* context, const char* name, SarLoc loc) {
  Search* s = context;
  if (s->found.line) return;
  if (strcmp(name, s->name) == 0) s->found = loc;
  int i = sar_names_find(&s->c->symbol_names, name);
  if (i < 0 || s->c->symbol[i].kind != SYMBOL_VARIABLE || s->c->symbol[i].looked == s->number)
    return;
  s->c->symbol[i].looked = s->number;
  int* place = SAR_LIST_ADD(&s->c->arena, &s->variables);
  if (place) *place = i;
}

SarLoc sar_place_of_name(Compile* c, SpecNum n, const char* name) {
  Search s = {.c = c, .name = name, .number = ++c->searches};
  sar_expr_visit_names(n.expr, look, &s);
  for (int i = 0; i < s.variables.count && !s.found.line; i++) {
    const SpecNum value = c->symbol[s.variables.items[i]].spec->value;
    if (value.expr) sar_expr_visit_names(value.expr, look, &s);
  }
  return s.found.line ? s.found : n.loc;
}
