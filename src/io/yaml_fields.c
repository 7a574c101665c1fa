// Mappings by tables of keys, and the messages about them.
#include "base/print.h"
#include "io/yaml_read.h"

#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_KEYS = 96 };  // of one table, for the messages

void sar_yaml_report(YamlReader* r, SarLoc loc, const char* hint, const char* format, ...) {
  char text[sizeof((SarDiag*)0)->text];
  va_list args;
  va_start(args, format);
  sar_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  bool item = r->item[0] != '\0';
  sar_report(r->err, loc, hint, "%.120s%s%.40s%s%s", r->item, item ? ": " : "",
             r->key ? r->key : "", r->key ? ": " : "", text);
}

void sar_yaml_expected(YamlReader* r, const YamlNode* n, const char* what, const char* hint) {
  sar_yaml_wrong(r, n);
  if (n->reported) {
    r->passed_over++;
    return;
  }
  if (n->kind == YAML_TEXT && !sar_yaml_is_null(n))
    sar_yaml_report(r, n->loc, hint, "expected %s, found '%.60s'", what, n->text);
  else if (n->kind == YAML_LIST)
    sar_yaml_report(r, n->loc, hint, "expected %s, found a list of %d", what, n->count);
  else
    sar_yaml_report(r, n->loc, hint, "expected %s, found %s", what, sar_yaml_kind_text(n));
}

const char* sar_yaml_hint(char* hint, size_t size, const char* key, const char* const* names,
                          int count) {
  const char* colon = strchr(key, ':');
  if (colon) {
    sar_snprintf(hint, size, "write '%.*s: %s', with a space after the colon", (int)(colon - key),
                 key, colon + 1);
    return hint;
  }
  return sar_text_offer(hint, size, key, names, count);
}

static void report_unknown(YamlReader* r, const YamlNode* key, const YamlField* fields, int count) {
  const char* names[MAX_KEYS];
  char hint[sizeof((SarDiag*)0)->hint];
  if (count > MAX_KEYS) count = MAX_KEYS;
  for (int i = 0; i < count; i++) names[i] = fields[i].name;
  sar_yaml_hint(hint, sizeof hint, key->text, names, count);
  const char* outer = r->key;
  r->key = NULL;
  sar_yaml_report(r, key->loc, hint, "no key '%.60s'", key->text);
  sar_yaml_wrong(r, key);
  r->key = outer;
}

static int find_field(const YamlField* fields, int count, const char* name) {
  int k = 0;
  while (k < count && strcmp(fields[k].name, name) != 0) k++;
  return k < count ? k : -1;
}

// The key that was meant by one that is not in the table: near to it, and not given beside it; -1:
// none.
static int meant_field(const YamlNode* map, const char* key, const YamlField* fields, int count) {
  const char* names[MAX_KEYS];
  if (count > MAX_KEYS) count = MAX_KEYS;
  for (int i = 0; i < count; i++) names[i] = fields[i].name;
  const char* near = strchr(key, ':') ? NULL : sar_text_meant(key, names, count);
  return near && sar_yaml_find_key(map, near) < 0 ? find_field(fields, count, near) : -1;
}

// The field of a key; one that is not in the table is read as what it looks like. -1: none.
static int field_of(YamlReader* r, const YamlNode* map, const YamlNode* key,
                    const YamlField* fields, int count) {
  if (key == r->kind_key) return r->kind ? find_field(fields, count, r->kind) : -1;
  const int k = find_field(fields, count, key->text);
  if (k >= 0) return k;
  report_unknown(r, key, fields, count);
  return meant_field(map, key->text, fields, count);
}

bool sar_yaml_field(YamlReader* r, const YamlNode* map, const YamlPair* pair,
                    const YamlField* fields, int count, void* item) {
  const char* outer = r->key;
  const int k = field_of(r, map, pair->key, fields, count);
  if (k < 0) return false;
  r->key = fields[k].name;
  if (pair->value->reported)
    r->passed_over++;
  else
    fields[k].read(r, pair->value, (char*)item + fields[k].offset);
  r->key = outer;
  return true;
}

void sar_yaml_fields(YamlReader* r, const YamlNode* n, const YamlField* fields, int count,
                     void* item) {
  if (sar_yaml_is_null(n)) return;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "a mapping {key: value, ...}", "");
    return;
  }
  for (int i = 0; i < n->count; i++) {
    const YamlTrial trial = sar_yaml_try(r);
    if (sar_yaml_field(r, n, &n->pairs[i], fields, count, item))
      sar_yaml_tried(r, trial, n->pairs[i].key, n->pairs[i].value);
  }
}

YamlScope sar_yaml_enter(YamlReader* r) {
  YamlScope outer = {r->item, r->key};
  bool named = outer.item[0] != '\0';
  const char* both = sar_arena_printf(r->arena, "%s%s%s", outer.item, named ? ": " : "", outer.key);
  if (both) r->item = both;
  r->key = NULL;
  return outer;
}

void sar_yaml_leave(YamlReader* r, YamlScope outer) {
  r->item = outer.item;
  r->key = outer.key;
}

void sar_yaml_inner_fields(YamlReader* r, const YamlNode* n, const YamlField* fields, int count,
                           void* item) {
  YamlScope outer = sar_yaml_enter(r);
  sar_yaml_fields(r, n, fields, count, item);
  sar_yaml_leave(r, outer);
}

// ---- sections ------------------------------------------------------------------------------

// Names are what expressions can refer to.
bool sar_yaml_check_name(YamlReader* r, const YamlNode* key, const char* what) {
  bool good = isalpha((unsigned char)key->text[0]) || key->text[0] == '_';
  char better[64] = "";
  // in quotes any name is one, as URDF and MJCF have them; `$` is for indices
  const bool plain =
      key->quoted && key->count > 0 && !sar_has_controls(key->text) && !strchr(key->text, '$');
  bool ascii = true;  // letters of other alphabets would be lost
  for (int i = 0; i < key->count; i++) {
    unsigned char c = (unsigned char)key->text[i];
    bool fits = c < 128 && (isalnum(c) || c == '_');
    if (!fits) good = false;
    if (c >= 128) ascii = false;
    if (i < 60) better[i] = fits ? (char)c : '_';
  }
  if (good || plain) return true;
  char hint[96];
  if (ascii)
    sar_snprintf(hint, sizeof hint, "write '%s%s', or put it in quotes",
                 isdigit((unsigned char)better[0]) ? "_" : "", better);
  else
    sar_snprintf(hint, sizeof hint, "put it in quotes");
  sar_report(r->err, key->loc, key->count ? hint : "",
             "'%.60s' cannot be the name of a %s: expected letters, digits and '_', not beginning "
             "with a digit",
             key->text, what);
  return false;
}

// Names that are lost with a section.
static unsigned lost_with(const char* what) {
  static const struct {
    const char* what;
    unsigned names;
  } table[] = {{"body", SPEC_LOST_BODIES},
               {"joint", SPEC_LOST_JOINTS},
               {"force", SPEC_LOST_FORCES},
               {"constraint", SPEC_LOST_CONSTRAINTS},
               {"road", SPEC_LOST_ROADS},
               {"parameter", SPEC_LOST_PARAMETERS},
               {"variable", SPEC_LOST_VALUES},
               {"input", SPEC_LOST_VALUES},
               {"state", SPEC_LOST_VALUES},
               {"signal", SPEC_LOST_VALUES},
               {"hydraulic element", SPEC_LOST_VALUES | SPEC_LOST_FORCES},
               {"airfoil", SPEC_LOST_AIRFOILS}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].what, what) == 0) return table[i].names;
  return SPEC_LOST_NAMES;
}

void sar_yaml_section(YamlReader* r, const YamlNode* n, const char* what, YamlReadItem* read) {
  if (sar_yaml_is_null(n)) return;
  if (n->kind != YAML_MAP) {
    sar_yaml_lose(r, lost_with(what));
    sar_yaml_expected(r, n, "a mapping {name: ..., name: ...}", "");
    return;
  }
  YamlScope outer = {r->item, r->key};
  r->key = NULL;
  for (int i = 0; i < n->count; i++) {
    const YamlPair* pair = &n->pairs[i];
    char item[96];  // for messages until the next one
    sar_snprintf(item, sizeof item, "%.30s '%.60s'", what, pair->key->text);
    const YamlTrial trial = sar_yaml_try(r);
    sar_yaml_check_name(r, pair->key, what);
    r->item = item;
    sar_budget_doing(r->arena->budget, "reading", pair->key->loc);
    read(r, (SpecName){pair->key->text, pair->key->loc}, pair->value);
    sar_yaml_tried(r, trial, pair->key, pair->value);
  }
  sar_yaml_leave(r, outer);
}

static int index_of(const char* word, const char* const* names, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], word) == 0) return i;
  return -1;
}

// The key that was meant to be the kind: one that looks like it, else the first that is unknown.
static const YamlNode* meant_as_kind(const YamlNode* map, const char* const* names, int count,
                                     const YamlField* others, int other_count) {
  const YamlNode* first = NULL;
  for (int i = 0; i < map->count; i++) {
    const YamlNode* key = map->pairs[i].key;
    int k = 0;
    while (k < other_count && strcmp(others[k].name, key->text) != 0) k++;
    if (k < other_count) continue;
    if (sar_text_nearest(key->text, names, count)) return key;
    if (!first) first = key;
  }
  return first;
}

int sar_yaml_kind(YamlReader* r, const YamlNode* map, const char* what, const char* const* names,
                  int count, const YamlField* others, int other_count) {
  int found = -1;
  for (int i = 0; i < map->count; i++) {
    const YamlNode* key = map->pairs[i].key;
    if (index_of(key->text, names, count) < 0) continue;
    if (found >= 0)
      sar_yaml_report(r, key->loc, "keep one of them", "'%s' and '%s' are two kinds of %s",
                      map->pairs[found].key->text, key->text, what);
    else
      found = i;
  }
  if (found >= 0) return index_of(map->pairs[found].key->text, names, count);
  const YamlNode* meant = meant_as_kind(map, names, count, others, other_count);
  char hint[sizeof((SarDiag*)0)->hint];
  sar_yaml_hint(hint, sizeof hint, meant ? meant->text : "", names, count);
  if (meant)
    sar_yaml_report(r, meant->loc, hint, "'%.60s' is no kind of %s", meant->text, what);
  else
    sar_yaml_report(r, map->loc, hint, "no key says what kind of %s this is", what);
  r->kind_key = meant;
  r->kind = meant ? sar_text_meant(meant->text, names, count) : NULL;
  sar_yaml_wrong(r, r->kind ? meant : map);
  return r->kind ? index_of(r->kind, names, count) : -1;
}
