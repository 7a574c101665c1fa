// The section `adjust`: {JOINT: {position: ..., damping: ...}}, other values for joints that are
// there already, most often those of an included robot. JOINT may hold * and ?; a later entry wins.
//
// It is applied when the whole file has been read, so the place of the section does not matter. The
// values are expressions in this file's names.
#include "io/yaml_read.h"

#include "base/print.h"
#include "base/text.h"
#include "model/names.h"

#include <string.h>

// Names of all joints: an entry with a plain name need not look at them all.
static bool name_joints(YamlReader* r, SarArena* arena, NameMap* names) {
  for (int j = 0; j < r->spec->joints.count; j++) {
    const char* name = r->spec->joints.items[j].name.text;
    if (name && sar_names_find(names, name) < 0 && !sar_names_add(arena, names, name, j))
      return false;
  }
  return true;
}

// Messages beyond those that are kept are counted only, without a suggestion.
static void report_nobody(YamlReader* r, const YamlNode* key) {
  if (r->err->count == SAR_MAX_DIAGS) {
    sar_report(r->err, key->loc, "", "adjust: there is no joint '%.60s'", key->text);
    return;
  }
  int count = r->spec->joints.count;
  const char** names = SAR_ARENA_ARRAY(r->arena, const char*, count + 1);
  char hint[sizeof((SarDiag*)0)->hint];
  if (!names) return;
  for (int j = 0; j < count; j++) names[j] = r->spec->joints.items[j].name.text;
  sar_text_offer(hint, sizeof hint, key->text, names, count);
  sar_report(r->err, key->loc, hint, "adjust: there is no joint '%.60s'", key->text);
}

// Gives a joint its values, or with a pattern all that move: it passes over joints without
// coordinates.
static bool apply(YamlReader* r, const YamlPair* pair, const NameMap* names) {
  const char* pattern = pair->key->text;
  SpecJoint* items = r->spec->joints.items;
  bool any = false;
  if (!strpbrk(pattern, "*?")) {
    const int j = sar_names_find(names, pattern);
    if (j >= 0) sar_yaml_joint_values(r, pair->value, &items[j]);
    return j >= 0;
  }
  for (int j = 0; j < r->spec->joints.count; j++) {
    if (items[j].kind->nv == 0 || !sar_text_matches(items[j].name.text, pattern)) continue;
    sar_yaml_joint_values(r, pair->value, &items[j]);
    any = true;
  }
  return any;
}

static void adjust(YamlReader* r, const YamlPair* pair, const NameMap* names) {
  int errors = sar_yaml_errors(r);
  // once for the messages, then once for each joint
  SpecJoint trial = {0};
  sar_yaml_joint_values(r, pair->value, &trial);
  SarError* err = r->err;
  if (sar_yaml_errors(r) > errors) r->err = SAR_ARENA_NEW(r->arena, SarError);  // told already
  const bool any = !r->err || apply(r, pair, names);
  r->err = err;
  if (!any && !(r->spec->lost & SPEC_LOST_JOINTS)) report_nobody(r, pair->key);
}

void sar_yaml_adjust(YamlReader* r, const YamlNode* n) {
  if (sar_yaml_is_null(n)) return;
  if (n->kind != YAML_MAP) {
    r->key = "adjust";
    sar_yaml_expected(r, n, "a mapping {joint: {position: ..., ...}, ...}", "");
    r->key = NULL;
    return;
  }
  const char* outer = r->item;
  SarArena arena;
  NameMap names = {0};
  sar_arena_beside(&arena, r->arena);
  if (!name_joints(r, &arena, &names)) r->arena->failed = 1;
  for (int i = 0; i < n->count && !arena.failed; i++) {
    const YamlPair* pair = &n->pairs[i];
    char item[96];
    sar_snprintf(item, sizeof item, "adjust '%.60s'", pair->key->text);
    const YamlTrial trial = sar_yaml_try(r);
    r->item = item;
    adjust(r, pair, &names);
    sar_yaml_tried(r, trial, pair->key, pair->value);
  }
  r->item = outer;
  sar_arena_free(&arena);
}
