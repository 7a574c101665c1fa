// How often a part is repeated, and by which index.
#include "io/yaml_repeat.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static void keep(YamlReader* r, const YamlNode* n, void* into) {
  (void)r;
  *(const YamlNode**)into = n;
}

// Names that mean something else where the copies' expressions stand.
static bool is_local(const char* name) {
  const SarForceKind* f;
  const SarConstraintKind* c;
  for (int k = 0; (f = sar_force_kind(k)); k++)
    for (int i = 0; i < SAR_LAW_LOCALS && f->local[i]; i++)
      if (strcmp(f->local[i], name) == 0) return true;
  for (int k = 0; (c = sar_constraint_kind(k)); k++)
    for (int i = 0; i < SAR_LAW_LOCALS && c->local[i]; i++)
      if (strcmp(c->local[i], name) == 0) return true;
  return strcmp(name, "t") == 0 || strcmp(name, "x") == 0 || strcmp(name, "y") == 0 ||
         strcmp(name, "z") == 0 || sar_expr_is_reserved(name);
}

static bool is_good_index(YamlReader* r, const SpecName* as, const YamlIndex* scope) {
  const YamlNode name = {
      .kind = YAML_TEXT, .loc = as->loc, .text = as->text, .count = (int)strlen(as->text)};
  if (!sar_yaml_check_name(r, &name, "index")) return false;
  const char* what = NULL;
  if (is_local(as->text)) what = "has a meaning of its own in expressions";
  if (sar_yaml_find_key(r->parameters, as->text) >= 0) what = "is a parameter already";
  for (const YamlIndex* i = scope; i; i = i->outer)
    if (strcmp(i->name, as->text) == 0) what = "is the index around this one already";
  if (what)
    sar_report(r->err, as->loc, "choose another name, as in {n: 5, as: k}",
               "repeat: the index '%s' %s", as->text, what);
  return !what;
}

bool sar_yaml_read_loop(YamlReader* r, const YamlNode* n, const YamlIndex* scope, YamlLoop* loop) {
  static const YamlField fields[] = {
      {"n", offsetof(YamlLoop, count), keep},
      {"as", offsetof(YamlLoop, as), sar_yaml_name},
      {"from", offsetof(YamlLoop, from), keep},
      {"ends", offsetof(YamlLoop, ends), keep},
  };
  const int errors = sar_yaml_errors(r);
  *loop = (YamlLoop){.loc = n->loc, .as = {"i", n->loc}};
  YamlScope outer = {r->item, r->key};
  r->item = "repeat", r->key = NULL;
  if (n->kind == YAML_MAP)
    YAML_FIELDS(r, n, fields, loop);
  else
    sar_yaml_expected(r, n, "how often, as in {n: 5, as: i}", "");
  if (sar_yaml_errors(r) == errors && !loop->count)
    sar_yaml_report(r, n->loc, "as in {n: 5, as: i}", "'n', the number of copies, is missing");
  sar_yaml_leave(r, outer);
  return sar_yaml_errors(r) == errors && is_good_index(r, &loop->as, scope);
}

bool sar_yaml_whole(YamlReader* r, const YamlNode* n, const char* key, const YamlIndex* scope,
                    double least, double* value) {
  YamlScope outer = {r->item, r->key};
  r->item = "repeat", r->key = key;
  bool good = sar_yaml_constant(r, n, scope, value);
  if (good && !(fabs(*value) <= 1e15 && *value >= least && *value == floor(*value))) {
    sar_yaml_report(r, n->loc, "", "expected a whole number%s, found %g",
                    least == 0 ? ", 0 or more" : "", *value);
    good = false;
  }
  sar_yaml_leave(r, outer);
  return good;
}

int sar_yaml_may_copy(const YamlReader* r, int size) {
  const SarReading* reading = r->source->reading;
  return reading->copies_left > 0 && size <= reading->copied_left;
}

bool sar_yaml_count_copies(YamlReader* r, const YamlLoop* loop, const YamlIndex* scope, int size,
                           int* n) {
  const SarReading* reading = r->source->reading;
  double count;
  if (!sar_yaml_whole(r, loop->count, "n", scope, 0, &count)) return false;
  if (count > reading->copies_left || count * size > reading->copied_left) {
    sar_report(
        r->err, loop->count->loc, "make fewer, or smaller ones",
        "repeat: n: %.0f copies of %d values each: a model has room for %d copies and %d values in "
        "them",
        count, size, SAR_MAX_COPIES, SAR_MAX_COPIED);
    return false;
  }
  *n = (int)count;
  return true;
}
