// The sections of elements, `forces` and `constraints`: {name: {KIND: target, attribute: value,
// ...}}. The kinds and the types of their attributes come from the registries.
#include "base/print.h"
#include "io/yaml_read.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MAX_KINDS = 64, MAX_NAMED = 16 };

// ---- attributes by type: each fills a SpecValue --------------------------------------------

static void read_word(YamlReader* r, const YamlNode* n, SpecValue* v) {
  sar_yaml_name(r, n, &v->name);
}

static void read_number(YamlReader* r, const YamlNode* n, SpecValue* v) {
  v->numbers = SAR_ARENA_NEW(r->arena, SpecNum);
  if (!v->numbers) return;
  v->count = 1;
  sar_yaml_num(r, n, v->numbers);
}

static void read_list(YamlReader* r, const YamlNode* n, int count, SpecValue* v) {
  v->numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, count);
  if (v->numbers && sar_yaml_numbers(r, n, count, v->numbers)) v->count = count;
}

static void read_three(YamlReader* r, const YamlNode* n, YamlRead* read, SpecValue* v) {
  SpecVec3 c = {0};
  read(r, n, &c);
  v->numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, 3);
  if (!v->numbers || !c.c[0].expr) return;
  memcpy(v->numbers, c.c, sizeof c.c);
  v->count = 3;
}

static void read_direction(YamlReader* r, const YamlNode* n, SpecValue* v) {
  read_three(r, n, sar_yaml_axis, v);
}

// a direction may be a word: axis: -y
static void read_vector(YamlReader* r, const YamlNode* n, SpecValue* v) {
  read_three(r, n, strcmp(r->key, "axis") == 0 ? sar_yaml_axis : sar_yaml_vec3, v);
}

static void read_vector6(YamlReader* r, const YamlNode* n, SpecValue* v) { read_list(r, n, 6, v); }

static void read_point(YamlReader* r, const YamlNode* n, SpecValue* v) {
  SpecNum c[3] = {0};
  if (!sar_yaml_point(r, n, &v->name, c) || n->kind != YAML_LIST) return;
  v->numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, 3);
  if (!v->numbers) return;
  v->count = 3;
  memcpy(v->numbers, c, sizeof c);
}

static void read_frame(YamlReader* r, const YamlNode* n, SpecValue* v) {
  sar_yaml_pose(r, n, &v->pose);
}

// `columns` numbers of every row, one row after the other
static void read_rows(YamlReader* r, const YamlNode* n, int columns, SpecValue* v) {
  v->numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, (size_t)n->count * (size_t)columns);
  if (!v->numbers) return;
  v->count = n->count * columns;
  for (int i = 0; i < n->count; i++)
    sar_yaml_numbers(r, n->items[i], columns, &v->numbers[i * columns]);
}

void sar_yaml_table(YamlReader* r, const YamlNode* n, SpecValue* v) {
  if (n->kind == YAML_LIST && n->count >= 2)
    read_rows(r, n, 2, v);
  else
    sar_yaml_expected(r, n, "a table of at least two rows [[x, y], [x, y], ...]", "");
}

// a number for all of the span, or a table
static void read_span(YamlReader* r, const YamlNode* n, SpecValue* v) {
  if (n->kind == YAML_LIST)
    sar_yaml_table(r, n, v);
  else
    read_number(r, n, v);
}

static void read_matrix(YamlReader* r, const YamlNode* n, SpecValue* v) {
  if (n->kind == YAML_LIST && n->count == 6 && n->items[0]->kind == YAML_LIST)
    read_rows(r, n, 6, v);
  else if (n->kind == YAML_LIST && n->count == 6)
    read_list(r, n, 6, v);
  else
    sar_yaml_expected(r, n, "6 numbers (the diagonal) or 6 rows of 6", "");
}

static void read_any(YamlReader* r, const YamlNode* n, SpecValue* v) {
  if (n->kind == YAML_LIST && n->count >= 1)
    read_list(r, n, n->count, v);
  else
    sar_yaml_expected(r, n, "a list of numbers [a, b, ...]", "");
}

// {name: number, ...} for the names of attr->choices, in their order; 0 for one with ? that is left
// out
static void read_named(YamlReader* r, const YamlNode* n, const SarAttr* attr, SpecValue* v) {
  YamlField field[MAX_NAMED];
  bool needed[MAX_NAMED];
  int count = 0;
  for (const char* c = attr->choices; *c && count < MAX_NAMED; count++) {
    size_t length = strcspn(c, " ");
    needed[count] = c[length - 1] != '?';
    const char* name = sar_arena_strndup(r->arena, c, needed[count] ? length : length - 1);
    if (!name) return;
    field[count] = (YamlField){name, (size_t)count * sizeof(SpecNum), sar_yaml_num};
    c += length + strspn(c + length, " ");
  }
  int errors = sar_yaml_errors(r);
  v->numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, count);
  if (!v->numbers) return;
  sar_yaml_inner_fields(r, n, field, count, v->numbers);
  if (sar_yaml_errors(r) != errors) return;
  v->count = count;
  for (int i = 0; i < count; i++) {
    if (v->numbers[i].expr) continue;
    if (needed[i]) {
      char hint[160];
      sar_snprintf(hint, sizeof hint, "it takes %s", attr->choices);
      sar_yaml_report(r, n->loc, hint, "'%s' is missing", field[i].name);
    }
    v->numbers[i] = (SpecNum){sar_expr_number(r->arena, 0), n->loc};
  }
}

typedef void ReadAttr(YamlReader* r, const YamlNode* n, SpecValue* v);
static ReadAttr* const read_attr[] = {
    [SAR_ATTR_BODY] = read_word,
    [SAR_ATTR_JOINT] = read_word,
    [SAR_ATTR_POINT] = read_point,
    [SAR_ATTR_FRAME] = read_frame,
    [SAR_ATTR_NUMBER] = read_number,
    [SAR_ATTR_SCALAR] = read_number,
    [SAR_ATTR_VECTOR] = read_vector,
    [SAR_ATTR_LAW] = read_number,
    [SAR_ATTR_TABLE] = sar_yaml_table,
    [SAR_ATTR_MATRIX6] = read_matrix,
    [SAR_ATTR_VECTOR6] = read_vector6,
    [SAR_ATTR_CHOICE] = read_word,
    [SAR_ATTR_DIRECTION] = read_direction,
    [SAR_ATTR_MOTION] = read_number,
    [SAR_ATTR_CURVE] = read_number,
    [SAR_ATTR_LIST] = read_any,
    [SAR_ATTR_NAMED] = NULL,
    [SAR_ATTR_ROAD] = read_word,
    [SAR_ATTR_SPAN] = read_span,
    [SAR_ATTR_AIRFOIL] = read_word,
    [SAR_ATTR_FORCE] = read_word,
};

static void check_choice(YamlReader* r, const SarAttr* attr, const SpecName* word) {
  size_t n = word->text ? strlen(word->text) : 0;
  char choices[120] = "";
  size_t used = 0;
  for (const char* c = attr->choices; n && c && *c && used < sizeof choices;) {
    size_t length = strcspn(c, " ");
    if (length == n && strncmp(c, word->text, n) == 0) return;
    used += (size_t)sar_snprintf(choices + used, sizeof choices - used, "%s%.*s",
                                 used ? " or " : "", (int)length, c);
    c += length + strspn(c + length, " ");
  }
  if (n) sar_yaml_report(r, word->loc, "", "expected %s, found '%.60s'", choices, word->text);
}

static void read_value(YamlReader* r, const YamlNode* n, const SarAttr* attr, SpecValue* v) {
  v->loc = n->loc;
  v->given = true;
  if (attr->type == SAR_ATTR_NAMED)
    read_named(r, n, attr, v);
  else
    read_attr[attr->type](r, n, v);
  if (attr->type == SAR_ATTR_CHOICE) check_choice(r, attr, &v->name);
}

// ---- elements ------------------------------------------------------------------------------

typedef struct Element {
  SarForm form;
  SpecValue* values;
  SpecGate* gate;
  int gate_keys;  // forces have no `hold`
} Element;

static void read_gate(YamlReader* r, const YamlNode* n, void* into) {
  const Element* e = into;
  for (int i = 0; i < e->gate_keys; i++) {
    const YamlField* f = &sar_yaml_gate_fields[i];
    if (strcmp(f->name, r->key) == 0) f->read(r, n, (char*)e->gate + f->offset);
  }
}

static void read_targets(YamlReader* r, const YamlNode* n, void* into) {
  const Element* e = into;
  const SarForm* form = &e->form;
  if (strcmp(form->name, r->key) != 0) return;  // a second kind: reported already
  if (form->targets == 1) {
    read_value(r, n, &form->attr[0], &e->values[0]);
    return;
  }
  if (n->kind != YAML_LIST || n->count != form->targets) {
    char what[160];
    int used = sar_snprintf(what, sizeof what, "a list [%s", form->attr[0].name);
    for (int i = 1; i < form->targets && used < 120; i++)
      used += sar_snprintf(what + used, sizeof what - (size_t)used, ", %.20s", form->attr[i].name);
    sar_snprintf(what + used, sizeof what - (size_t)used, "]");
    sar_yaml_expected(r, n, what, "");
    return;
  }
  for (int i = 0; i < form->targets; i++) read_value(r, n->items[i], &form->attr[i], &e->values[i]);
}

static void read_attribute(YamlReader* r, const YamlNode* n, void* into) {
  const Element* e = into;
  for (int i = e->form.targets; i < e->form.nattr; i++)
    if (strcmp(e->form.attr[i].name, r->key) == 0)
      read_value(r, n, &e->form.attr[i], &e->values[i]);
}

void sar_yaml_attributes(YamlReader* r, const YamlNode* n, SarForm form, SpecValue* values) {
  YamlField table[SAR_MAX_ATTR];
  Element e = {.form = form, .values = values};
  for (int i = 0; i < form.nattr; i++) table[i] = (YamlField){form.attr[i].name, 0, read_attribute};
  sar_yaml_inner_fields(r, n, table, form.nattr, &e);
}

// The kinds that an element of a section may have.
typedef struct Kinds {
  const char *what, *example;
  int count;
  const char* name[MAX_KINDS];
} Kinds;

// Index of the kind; -1 after a report: without it the other keys have no meaning.
static int read_kind(YamlReader* r, const YamlNode* n, const Kinds* kinds) {
  if (n->kind == YAML_MAP)
    return sar_yaml_kind(r, n, kinds->what, kinds->name, kinds->count, NULL, 0);
  sar_yaml_expected(r, n, kinds->example, "");
  return -1;
}

static void read_element(YamlReader* r, const YamlNode* n, const Kinds* kinds, Element* e) {
  YamlField table[MAX_KINDS + SAR_MAX_ATTR + YAML_GATE_KEYS];
  int count = 0;
  // this kind's attributes first: they are what a hint should offer
  for (int i = e->form.targets; i < e->form.nattr; i++)
    table[count++] = (YamlField){e->form.attr[i].name, 0, read_attribute};
  for (int i = 0; i < e->gate_keys; i++)
    table[count++] = (YamlField){sar_yaml_gate_fields[i].name, 0, read_gate};
  for (int k = 0; k < kinds->count; k++)
    table[count++] = (YamlField){kinds->name[k], 0, read_targets};
  sar_yaml_fields(r, n, table, count, e);
}

// ---- forces --------------------------------------------------------------------------------

static void read_force(YamlReader* r, SpecName name, const YamlNode* n) {
  Kinds kinds = {"force", "a mapping, as in {force: body, value: [0, 0, 1]}", 0, {0}};
  for (const SarForceKind* k; kinds.count < MAX_KINDS && (k = sar_force_kind(kinds.count));)
    kinds.name[kinds.count++] = k->name;
  SpecForce* force = SAR_LIST_ADD(r->arena, &r->spec->forces);
  if (!force) return;
  force->name = name;
  force->kind = sar_force_kind(0);  // until the kind is known: outputs may refer to it
  int kind = read_kind(r, n, &kinds);
  if (kind < 0) return;
  force->kind = sar_force_kind(kind);
  read_element(
      r, n, &kinds,
      &(Element){sar_force_form(force->kind), force->values, &force->gate, YAML_GATE_KEYS - 1});
}

void sar_yaml_forces(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  if (n->kind == YAML_MAP && !SAR_LIST_ROOM(r->arena, &r->spec->forces, n->count)) return;
  sar_yaml_section(r, n, "force", read_force);
}

// ---- constraints ---------------------------------------------------------------------------

static void read_constraint(YamlReader* r, SpecName name, const YamlNode* n) {
  Kinds kinds = {"constraint", "a mapping, as in {motion: joint, value: 2*t}", 0, {0}};
  for (const SarConstraintKind* k;
       kinds.count < MAX_KINDS && (k = sar_constraint_kind(kinds.count));)
    kinds.name[kinds.count++] = k->name;
  SpecConstraint* item = SAR_LIST_ADD(r->arena, &r->spec->constraints);
  if (!item) return;
  item->name = name;
  item->kind = sar_constraint_kind(0);  // until the kind is known, as above
  int kind = read_kind(r, n, &kinds);
  if (kind < 0) return;
  item->kind = sar_constraint_kind(kind);
  read_element(
      r, n, &kinds,
      &(Element){sar_constraint_form(item->kind), item->values, &item->gate, YAML_GATE_KEYS});
}

void sar_yaml_constraints(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  if (n->kind == YAML_MAP && !SAR_LIST_ROOM(r->arena, &r->spec->constraints, n->count)) return;
  sar_yaml_section(r, n, "constraint", read_constraint);
}
