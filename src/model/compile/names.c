// Who is called what: messages about items, maps of all names, duplicates (lookup.c looks names
// up).
#include "base/print.h"
#include "model/compile/parts.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- messages -------------------------------------------------------------------------------

bool sar_compile_sound(const Compile* c) {
  return c->err->errors == c->errors_before && !c->spec->lost;
}

static SarLoc place_of(const Compile* c, Item item, SarLoc loc) {
  if (loc.line == 0 && item.loc.line != 0) loc = item.loc;
  if (!loc.file) loc.file = c->spec->file;
  return loc;
}

void sar_complain(Compile* c, Item item, SarLoc loc, const char* hint, const char* format, ...) {
  char text[sizeof c->err->items[0].text];
  va_list args;
  va_start(args, format);
  sar_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sar_report(c->err, place_of(c, item, loc), hint, "%s '%s': %s", item.kind, item.name, text);
}

void sar_remark(Compile* c, Item item, SarLoc loc, const char* hint, const char* format, ...) {
  char text[sizeof c->err->items[0].text];
  va_list args;
  va_start(args, format);
  sar_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sar_warn(c->err, place_of(c, item, loc), hint, "%s '%s': %s", item.kind, item.name, text);
}

// ---- filling the maps -----------------------------------------------------------------------

void sar_report_twice(Compile* c, Item item, SarLoc first) {
  char hint[256];
  bool elsewhere = first.file && item.loc.file && !sar_loc_same_file(first, item.loc);
  if (elsewhere)
    sar_snprintf(hint, sizeof hint, "the first one is in %.*s, line %d",
                 (int)strcspn(first.file, (char[]){SAR_COPY_MARK, 0}), first.file, first.line);
  else
    sar_snprintf(hint, sizeof hint, "the first one is in line %d", first.line);
  sar_complain(c, item, item.loc, first.line ? hint : "", "there are two of this name");
}

static bool add_name(Compile* c, NameMap* map, Item item, int index, SarLoc first_loc) {
  int first = sar_names_find(map, item.name);
  if (first < 0) return sar_names_add(&c->arena, map, item.name, index);
  sar_report_twice(c, item, first_loc);
  return true;
}

static const char* text_or(const char* text, const char* otherwise) {
  return text ? text : otherwise;
}

static bool name_bodies(Compile* c) {
  const SarSpec* s = c->spec;
  c->nbody = s->bodies.count;
  c->body = SAR_ARENA_ARRAY(&c->arena, BodyPart, c->nbody + 1);
  if (!c->body) return false;
  for (int i = 0; i < c->nbody; i++) {
    const SpecBody* b = &s->bodies.items[i];
    Item item = {"body", text_or(b->name.text, ""), b->name.loc};
    c->body[i] = (BodyPart){.spec = b,
                            .item = item,
                            .X_GU = x_identity(),
                            .placed_by = -1,
                            .root = i,
                            .fixed_by = -1,
                            .tree = i,
                            .number = i};
    if (strcmp(item.name, "ground") == 0)
      sar_complain(c, item, item.loc, "choose another name; ground needs no entry",
                   "'ground' is the fixed frame");
    int first = sar_names_find(&c->body_names, item.name);
    SarLoc first_loc = first >= 0 ? c->body[first].item.loc : item.loc;
    if (!add_name(c, &c->body_names, item, i, first_loc)) return false;
  }
  return true;
}

bool sar_joints_room(Compile* c, int more) {
  static const char* const own[] = {"free",
                                    "planar"};  // cartesian ones have as many as planar ones
  for (int k = 0; k < 2; k++) {
    const SarJointKind* kind = sar_joint_kind_find(own[k]);
    if (!c->own_laws[kind->nv]) c->own_laws[kind->nv] = sar_laws_new(c, kind, 1);
    if (!c->own_laws[kind->nv]) return false;
  }
  return sar_list_room(&c->arena, (void**)&c->joint, c->njoint, &c->joint_capacity, more,
                       sizeof *c->joint);
}

static bool name_joints(Compile* c) {
  const SarSpec* s = c->spec;
  c->njoint = c->njoint_spec = s->joints.count;
  c->njoint = 0;
  if (!sar_joints_room(c, c->njoint_spec)) return false;
  c->njoint = c->njoint_spec;
  for (int i = 0; i < c->njoint; i++) {
    const SpecJoint* j = &s->joints.items[i];
    Item item = {"joint", text_or(j->name.text, ""), j->name.loc};
    c->joint[i] = (JointPart){.spec = j,
                              .kind = j->kind,
                              .item = item,
                              .X_UF = {x_identity(), x_identity()},
                              .mimic = -1,
                              .tree = i,
                              .cut = -1,
                              .number = i};
    int first = sar_names_find(&c->joint_names, item.name);
    SarLoc first_loc = first >= 0 ? c->joint[first].item.loc : item.loc;
    if (!add_name(c, &c->joint_names, item, i, first_loc)) return false;
  }
  return true;
}

static bool name_forces(Compile* c) {
  const SarSpec* s = c->spec;
  for (int i = 0; i < s->forces.count; i++) {
    SpecName name = s->forces.items[i].name;
    Item item = {"force", text_or(name.text, ""), name.loc};
    int first = sar_names_find(&c->force_names, item.name);
    SarLoc first_loc = first >= 0 ? s->forces.items[first].name.loc : item.loc;
    if (!add_name(c, &c->force_names, item, i, first_loc)) return false;
  }
  return true;
}

static bool name_airfoils(Compile* c) {
  const SarSpec* s = c->spec;
  for (int i = 0; i < s->airfoils.count; i++) {
    SpecName name = s->airfoils.items[i].name;
    Item item = {"airfoil", text_or(name.text, ""), name.loc};
    int first = sar_names_find(&c->airfoil_names, item.name);
    SarLoc first_loc = first >= 0 ? s->airfoils.items[first].name.loc : item.loc;
    if (!add_name(c, &c->airfoil_names, item, i, first_loc)) return false;
  }
  return true;
}

static bool name_roads(Compile* c) {
  const SarSpec* s = c->spec;
  for (int i = 0; i < s->roads.count; i++) {
    SpecName name = s->roads.items[i].name;
    Item item = {"road", text_or(name.text, ""), name.loc};
    int first = sar_names_find(&c->road_names, item.name);
    SarLoc first_loc = first >= 0 ? s->roads.items[first].name.loc : item.loc;
    if (!add_name(c, &c->road_names, item, i, first_loc)) return false;
  }
  return true;
}

static bool name_constraints(Compile* c) {
  const SarSpec* s = c->spec;
  for (int i = 0; i < s->constraints.count; i++) {
    SpecName name = s->constraints.items[i].name;
    Item item = {"constraint", text_or(name.text, ""), name.loc};
    int first = sar_names_find(&c->constraint_names, item.name);
    SarLoc first_loc = first >= 0 ? s->constraints.items[first].name.loc : item.loc;
    if (!add_name(c, &c->constraint_names, item, i, first_loc)) return false;
  }
  return true;
}

static const char* const SYMBOL_TEXT[] = {"parameter", "variable", "input", "state", "signal"};
_Static_assert(sizeof SYMBOL_TEXT / sizeof *SYMBOL_TEXT == SYMBOL_DISCRETE + 1,
               "one for each kind");

static bool name_symbol(Compile* c, const SpecParameter* p, SymbolKind kind) {
  Item item = {SYMBOL_TEXT[kind], text_or(p->name.text, ""), p->name.loc};
  int index = c->nsymbol++;
  c->symbol[index] = (Symbol){.spec = p,
                              .kind = kind,
                              .slot = -1,
                              .expanded = SAR_NONE,
                              .constant = kind == SYMBOL_PARAMETER};
  if (sar_expr_is_reserved(item.name) || strcmp(item.name, "t") == 0)
    sar_complain(c, item, item.loc, "choose another name",
                 "the name has a meaning of its own in expressions");
  int first = sar_names_find(&c->symbol_names, item.name);
  SarLoc first_loc = first >= 0 ? c->symbol[first].spec->name.loc : item.loc;
  return add_name(c, &c->symbol_names, item, index, first_loc);
}

// In natural order of the names, so that nothing depends on the order in the file.
static bool name_symbol_list(Compile* c, const SpecParameter* list, int n, SymbolKind kind) {
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, n + 1);
  if (!named) return false;
  for (int i = 0; i < n; i++) named[i] = (Named){text_or(list[i].name.text, ""), i};
  sar_sort_named(named, n);
  for (int i = 0; i < n; i++)
    if (!name_symbol(c, &list[named[i].index], kind)) return false;
  return true;
}

// A state's symbol is its rate, the first member of the SpecState.
static bool name_states(Compile* c) {
  const SarSpec* s = c->spec;
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, s->states.count + 1);
  if (!named) return false;
  for (int i = 0; i < s->states.count; i++)
    named[i] = (Named){text_or(s->states.items[i].rate.name.text, ""), i};
  sar_sort_named(named, s->states.count);
  for (int i = 0; i < s->states.count; i++)
    if (!name_symbol(c, &s->states.items[named[i].index].rate, SYMBOL_STATE)) return false;
  return true;
}

static bool name_discrete(Compile* c) {
  const SarSpec* s = c->spec;
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, s->discrete.count + 1);
  if (!named) return false;
  for (int i = 0; i < s->discrete.count; i++)
    named[i] = (Named){text_or(s->discrete.items[i].next.name.text, ""), i};
  sar_sort_named(named, s->discrete.count);
  for (int i = 0; i < s->discrete.count; i++)
    if (!name_symbol(c, &s->discrete.items[named[i].index].next, SYMBOL_DISCRETE)) return false;
  return true;
}

static bool name_symbols(Compile* c) {
  const SarSpec* s = c->spec;
  int n = s->parameters.count + s->variables.count + s->inputs.count + s->states.count +
          s->discrete.count;
  c->symbol = SAR_ARENA_ARRAY(&c->arena, Symbol, n + 1);
  return c->symbol &&
         name_symbol_list(c, s->parameters.items, s->parameters.count, SYMBOL_PARAMETER) &&
         name_symbol_list(c, s->variables.items, s->variables.count, SYMBOL_VARIABLE) &&
         name_symbol_list(c, s->inputs.items, s->inputs.count, SYMBOL_INPUT) && name_states(c) &&
         name_discrete(c);
}

bool sar_compile_names(Compile* c) {
  if (sar_intern(c, "") != 0 || c->arena.failed) return false;  // offset 0: no name
  return name_symbols(c) && name_bodies(c) && name_joints(c) && name_forces(c) &&
         name_constraints(c) && name_roads(c) && name_airfoils(c);
}

// ---- text and order -------------------------------------------------------------------------

int sar_intern(Compile* c, const char* text) {
  int at = sar_names_find(&c->texts, text);
  if (at >= 0) return at;
  at = c->text.count;
  for (const char* p = text;; p++) {
    char* slot = SAR_LIST_ADD(&c->arena, &c->text);
    if (!slot) return 0;
    *slot = *p;
    if (!*p) break;
  }
  char* copy = sar_arena_strdup(&c->arena, text);
  return copy && sar_names_add(&c->arena, &c->texts, copy, at) ? at : 0;
}

static int by_name(const void* pa, const void* pb) {
  const Named *a = pa, *b = pb;
  int order = sar_text_compare_natural(a->name, b->name);
  return order ? order : (a->index > b->index) - (a->index < b->index);
}

void sar_sort_named(Named* named, int n) {
  if (n > 1) qsort(named, (size_t)n, sizeof *named, by_name);
}
