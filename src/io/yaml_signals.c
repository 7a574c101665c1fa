// The sections `signals` and `hydraulics`: {name: {KIND: input, key: value, ...}}. The kinds and
// their keys come from the registries; what a block is made of goes into the spec at once
// (model/signal_kind.h). Nodes of a hydraulic circuit are balanced when the file is read to its
// end.
#include "io/yaml_read.h"
#include "model/signal_kind.h"

#include <stddef.h>
#include <string.h>

enum { MAX_KINDS = 64 };

static void read_one(YamlReader* r, const YamlNode* n, SpecSignalValue* v) {
  v->numbers = SAR_ARENA_NEW(r->arena, SpecNum);
  if (!v->numbers) return;
  sar_yaml_num(r, n, v->numbers);
  v->count = v->columns = 1;
}

static void read_list(YamlReader* r, const YamlNode* n, SpecSignalValue* v) {
  if (n->kind != YAML_LIST || n->count == 0) {
    sar_yaml_expected(r, n, "a list [a, b, ...]", "");
    return;
  }
  SpecNum* numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, n->count);
  if (!numbers || !sar_yaml_numbers(r, n, n->count, numbers)) return;
  v->numbers = numbers;
  v->count = v->columns = n->count;
}

static void read_rows(YamlReader* r, const YamlNode* n, SpecSignalValue* v) {
  const int columns = n->kind == YAML_LIST && n->count > 0 ? n->items[0]->count : 0;
  if (columns == 0 || n->items[0]->kind != YAML_LIST) {
    sar_yaml_expected(r, n, "rows of numbers [[a, b, ...], ...]", "");
    return;
  }
  SpecNum* numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, (size_t)n->count * (size_t)columns);
  bool whole = numbers != NULL;
  for (int i = 0; numbers && i < n->count; i++)
    whole = sar_yaml_numbers(r, n->items[i], columns, &numbers[i * columns]) && whole;
  if (!whole) return;
  v->numbers = numbers;
  v->count = n->count * columns;
  v->columns = columns;
}

static void read_key(YamlReader* r, const YamlNode* n, void* into) {
  SpecSignal* s = into;
  for (int i = 0; i < s->kind->nkey; i++) {
    if (strcmp(s->kind->key[i].name, r->key) != 0) continue;
    SpecSignalValue* v = &s->value[i];
    v->loc = n->loc;
    switch (s->kind->key[i].type) {
      case SAR_SIGNAL_NUMBER: read_one(r, n, v); break;
      case SAR_SIGNAL_LIST: read_list(r, n, v); break;
      case SAR_SIGNAL_ROWS: read_rows(r, n, v); break;
    }
  }
}

// A section: what its items are called, and their kinds.
typedef struct Section {
  const char *what, *example;
  const SarSignalKind* (*kind)(int index);
} Section;

static int kind_of(YamlReader* r, const YamlNode* n, const Section* of) {
  const char* names[MAX_KINDS];
  int count = 0;
  for (; count < MAX_KINDS && of->kind(count); count++) names[count] = of->kind(count)->name;
  if (n->kind == YAML_MAP) return sar_yaml_kind(r, n, of->what, names, count, NULL, 0);
  sar_yaml_expected(r, n, of->example, "");
  return -1;
}

// Keys that are missing; false after a report.
static bool is_whole(YamlReader* r, const YamlNode* n, const SpecSignal* s) {
  bool whole = true;
  for (int i = 0; i < s->kind->nkey; i++) {
    const SarSignalKey* key = &s->kind->key[i];
    if (key->def || s->value[i].numbers || sar_yaml_find_key(n, key->name) >= 0) continue;
    sar_yaml_report(r, n->loc, key->doc, "'%s' is missing", key->name);
    whole = false;
  }
  return whole;
}

static void read_block(YamlReader* r, SpecName name, const YamlNode* n, const Section* of) {
  YamlField table[MAX_KINDS + SAR_SIGNAL_KEYS];
  SpecSignal s = {.name = name, .what = of->what};
  const int errors = sar_yaml_errors(r);
  const int kind = kind_of(r, n, of);
  if (strcmp(name.text, "t") == 0 || sar_expr_is_reserved(name.text))
    sar_report(r->err, name.loc, "choose another name",
               "'%s' has a meaning of its own in expressions", name.text);
  if (kind >= 0) {
    int count = 0;
    s.kind = of->kind(kind);
    for (int i = 0; i < s.kind->nkey; i++)
      table[count++] = (YamlField){s.kind->key[i].name, 0, read_key};
    for (int k = 0; of->kind(k) && k < MAX_KINDS; k++)
      if (k != kind && sar_yaml_find_key(n, of->kind(k)->name) < 0)
        table[count++] = (YamlField){of->kind(k)->name, 0, read_key};
    sar_yaml_fields(r, n, table, count, &s);
  }
  const bool whole = kind >= 0 && is_whole(r, n, &s);
  if (!whole || sar_yaml_errors(r) != errors) {
    sar_yaml_lose(r, SPEC_LOST_VALUES);
    return;
  }
  if (!sar_signal_expand(r->spec, &s, r->err)) r->arena->failed = 1;
  if (sar_yaml_errors(r) != errors) sar_yaml_lose(r, SPEC_LOST_VALUES);
}

static void read_signal(YamlReader* r, SpecName name, const YamlNode* n) {
  static const Section of = {"signal", "a mapping, as in {filter: elbow.q, T: 0.1}",
                             sar_signal_kind};
  read_block(r, name, n, &of);
}

void sar_yaml_signals(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "signal", read_signal);
}

// ---- hydraulics ---------------------------------------------------------------------------------

static void read_fluid(YamlReader* r, const YamlNode* n) {
#define NUM(name) \
  { #name, offsetof(SpecFluid, name), sar_yaml_num }
  static const YamlField fields[] = {
      NUM(density), NUM(bulk_modulus), NUM(pressure), NUM(viscosity),
      NUM(air),     NUM(air_index),    NUM(vapour),
  };
#undef NUM
  YAML_FIELDS(r, n, fields, &r->spec->fluid);
}

static void read_hydraulic(YamlReader* r, SpecName name, const YamlNode* n) {
  static const Section of = {"hydraulic element", "a mapping, as in {volume: 1e-4}",
                             sar_hydraulic_kind};
  if (strcmp(name.text, "fluid") != 0) read_block(r, name, n, &of);
}

// What is said about the fluid comes first: elements use it.
void sar_yaml_hydraulics(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  const int fluid = n->kind == YAML_MAP ? sar_yaml_find_key(n, "fluid") : -1;
  if (fluid >= 0) {
    YamlScope outer = sar_yaml_enter(r);
    r->item = "fluid";
    read_fluid(r, n->pairs[fluid].value);
    sar_yaml_leave(r, outer);
  }
  sar_yaml_section(r, n, "hydraulic element", read_hydraulic);
}
