// Values that must be known while a file is read: how often a part is repeated, and what stands
// behind a `$`. They are expressions of indices and of this file's parameters, which may be
// replaced from outside: by the host program (--set), else by the file that includes this one, in
// whose names the value is then meant.
#include "base/print.h"
#include "base/text.h"
#include "io/yaml_read.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 64, DEEPEST = 64 };

int sar_yaml_find_key(const YamlNode* map, const char* key) {
  for (int i = 0; map && map->kind == YAML_MAP && i < map->count; i++)
    if (strcmp(map->pairs[i].key->text, key) == 0) return i;
  return -1;
}

int sar_yaml_find_meant(const YamlNode* map, const char* key) {
  int at = sar_yaml_find_key(map, key);
  for (int i = 0; at < 0 && map->kind == YAML_MAP && i < map->count; i++)
    if (sar_text_meant(map->pairs[i].key->text, &key, 1)) at = i;
  return at;
}

// One evaluation within others: a parameter's value may need another parameter's.
typedef struct Constant {
  YamlReader* reader;
  const YamlIndex* scope;
  int depth;
  bool wrong;  // what is wrong has been reported
} Constant;

static bool evaluate(Constant* c, const char* text, size_t size, SarLoc loc, double* value);

static bool evaluate_node(Constant* c, const YamlNode* n, double* value) {
  if (n->kind == YAML_TEXT && !n->reported)
    return evaluate(c, n->text, (size_t)n->count, n->loc, value);
  return false;  // the reader of the parameter says so
}

// The value that the host program sets; names have the prefixes of all files around.
static bool find_set(const YamlReader* r, const char* name, double* value) {
  const SarLoadOptions* o = r->source->reading->options;
  char full[512];
  sar_snprintf(full, sizeof full, "%s", name);
  for (const YamlGiven* g = r->source->given; g; g = g->reader->source->given) {
    char inner[sizeof full];
    memcpy(inner, full, sizeof inner);
    sar_snprintf(full, sizeof full, "%.200s%.300s", g->prefix, inner);
  }
  bool found = false;
  for (int i = 0; o && i < o->parameter_count; i++)
    if (o->parameters[i].name && strcmp(o->parameters[i].name, full) == 0) {
      *value = o->parameters[i].value;
      found = true;
    }
  return found;
}

// A parameter that is known; *value as found, or c->wrong.
static bool find_parameter(Constant* c, const char* name, double* value) {
  YamlReader* r = c->reader;
  const YamlGiven* given = r->source->given;
  const int own = sar_yaml_find_key(r->parameters, name);
  const int from = given ? sar_yaml_find_key(given->parameters, name) : -1;
  if (own < 0) return false;
  if (find_set(r, name, value)) return true;
  const YamlNode* n =
      from >= 0 ? given->parameters->pairs[from].value : r->parameters->pairs[own].value;
  Constant inner = {from >= 0 ? given->reader : r, n->index, c->depth + 1, false};
  if (c->depth >= DEEPEST || !evaluate_node(&inner, n, value)) c->wrong = true, *value = 0;
  return true;
}

static bool find(void* context, const char* name, double* value) {
  Constant* c = context;
  for (const YamlIndex* i = c->scope; i; i = i->outer)
    if (strcmp(i->name, name) == 0) {
      *value = i->value;
      return true;
    }
  return find_parameter(c, name, value);
}

static int names_of(const Constant* c, const char* names[MOST_NAMES]) {
  const YamlNode* p = c->reader->parameters;
  int count = 0;
  for (const YamlIndex* i = c->scope; i && count < MOST_NAMES; i = i->outer)
    names[count++] = i->name;
  for (int i = 0; p && p->kind == YAML_MAP && i < p->count && count < MOST_NAMES; i++)
    names[count++] = p->pairs[i].key->text;
  return count;
}

// Errors within the value of a parameter are the compiler's to report, as they are without copies.
static bool evaluate(Constant* c, const char* text, size_t size, SarLoc loc, double* value) {
  SarError* err = c->depth ? NULL : c->reader->err;
  const char* names[MOST_NAMES];
  SarArena scratch;
  sar_arena_init(&scratch);
  const SarExpr* e = sar_expr_parse(&scratch, text, size, loc, err);
  bool good =
      e && sar_expr_constant(e, find, c, names, names_of(c, names), value, err) && !c->wrong;
  if (scratch.failed) c->reader->arena->failed = 1;
  if (c->wrong && !c->depth)
    sar_report(err, loc, "give the parameters numbers; 'parameters' of this file count, no others",
               "the value of '%.60s' must be known while the file is read", text);
  sar_arena_free(&scratch);
  return good;
}

bool sar_yaml_constant_text(YamlReader* r, const char* text, size_t size, SarLoc loc,
                            const YamlIndex* scope, double* value) {
  Constant c = {r, scope, 0, false};
  return evaluate(&c, text, size, loc, value);
}

bool sar_yaml_constant(YamlReader* r, const YamlNode* n, const YamlIndex* scope, double* value) {
  if (n->kind != YAML_TEXT || sar_yaml_is_null(n) || n->reported) {
    sar_yaml_expected(r, n, "a number or an expression", "");
    return false;
  }
  return sar_yaml_constant_text(r, n->text, (size_t)n->count, n->loc, scope, value);
}
