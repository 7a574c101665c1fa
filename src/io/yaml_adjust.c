// The section `adjust`: {JOINT: {position: ..., damping: ...}}, other values for joints that are there
// already, most often those of an included robot. JOINT may hold * and ?; a later entry wins.
//
// It is applied when the whole file has been read, so the place of the section does not matter. The
// values are expressions in this file's names.
#include "io/yaml_read.h"

#include "base/text.h"

#include <string.h>

// The joint itself, or all that move: a pattern passes over joints without coordinates.
static bool is_meant(const SpecJoint* joint, const char* pattern, bool wild) {
  if (!wild) return strcmp(joint->name.text, pattern) == 0;
  return joint->kind->nv > 0 && sar_text_matches(joint->name.text, pattern);
}

static void report_nobody(YamlReader* r, const YamlNode* key) {
  int count = r->spec->joints.count;
  const char** names = SAR_ARENA_ARRAY(r->arena, const char*, count + 1);
  char hint[sizeof((SarDiag*)0)->hint];
  if (!names) return;
  for (int j = 0; j < count; j++) names[j] = r->spec->joints.items[j].name.text;
  sar_text_offer(hint, sizeof hint, key->text, names, count);
  sar_report(r->err, key->loc, hint, "adjust: there is no joint '%.60s'", key->text);
}

static void adjust(YamlReader* r, const YamlPair* pair) {
  const char* pattern = pair->key->text;
  bool wild = strpbrk(pattern, "*?") != NULL, any = false;
  int errors = sar_yaml_errors(r);
  // once for the messages, then once for each joint
  SpecJoint trial = {0};
  sar_yaml_joint_values(r, pair->value, &trial);
  if (sar_yaml_errors(r) > errors) return;
  for (int j = 0; j < r->spec->joints.count; j++) {
    SpecJoint* joint = &r->spec->joints.items[j];
    if (!is_meant(joint, pattern, wild)) continue;
    sar_yaml_joint_values(r, pair->value, joint);
    any = true;
  }
  if (!any) report_nobody(r, pair->key);
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
  for (int i = 0; i < n->count; i++) {
    const YamlPair* pair = &n->pairs[i];
    const char* item = sar_arena_printf(r->arena, "adjust '%.60s'", pair->key->text);
    if (!item) break;
    int errors = sar_yaml_errors(r);
    r->item = item;
    adjust(r, pair);
    if (sar_yaml_errors(r) > errors) sar_yaml_wrong(r, pair->key, pair->value);
  }
  r->item = outer;
}
