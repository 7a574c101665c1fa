// The list `outputs`: words for whole groups, mappings for single items.
#include "io/yaml_read.h"

#include "base/text.h"

#include <stddef.h>
#include <string.h>

typedef struct Word {
  const char* name;
  unsigned value;
} Word;

static const Word groups[] = {
    {"energy", SPEC_OUT_ENERGY},      {"momentum", SPEC_OUT_MOMENTUM},
    {"joints", SPEC_OUT_JOINT},       {"bodies", SPEC_OUT_BODY},
    {"reactions", SPEC_OUT_REACTION}, {"forces", SPEC_OUT_FORCE},
    {"work", SPEC_OUT_WORK},          {"constraints", SPEC_OUT_CONSTRAINT},
    {"contacts", SPEC_OUT_CONTACT},   {"states", SPEC_OUT_STATE},
};
static const Word parts[] = {
    {"position", SPEC_WITH_POSITION},
    {"velocity", SPEC_WITH_VELOCITY},
    {"acceleration", SPEC_WITH_ACCELERATION},
    {"orientation", SPEC_WITH_ORIENTATION},
    {"omega", SPEC_WITH_OMEGA},
    {"motor", SPEC_WITH_MOTOR},
    {"limit", SPEC_WITH_LIMIT},
    {"friction", SPEC_WITH_FRICTION},
};
static const Word singles[] = {
    {"joint", SPEC_OUT_JOINT},       {"body", SPEC_OUT_BODY},
    {"point", SPEC_OUT_POINT},       {"omega", SPEC_OUT_BODY},
    {"value", SPEC_OUT_EXPR},        {"force", SPEC_OUT_FORCE},
    {"reaction", SPEC_OUT_REACTION}, {"constraint", SPEC_OUT_CONSTRAINT},
    {"contact", SPEC_OUT_CONTACT},   {"state", SPEC_OUT_STATE},
};
enum {
  GROUPS = sizeof groups / sizeof *groups,
  PARTS = sizeof parts / sizeof *parts,
  SINGLES = sizeof singles / sizeof *singles,
  MOST = (GROUPS + PARTS) + SINGLES  // names of any of them
};

static const Word* find_word(const Word* words, int count, const char* name) {
  for (int i = 0; i < count; i++)
    if (strcmp(words[i].name, name) == 0) return &words[i];
  return NULL;
}

static const Word* read_word(YamlReader* r, const YamlNode* n, const char* what, const Word* words,
                             int count) {
  const char* names[MOST];
  char hint[128];
  if (n->kind != YAML_TEXT || sar_yaml_is_null(n)) {
    sar_yaml_expected(r, n, what, "");
    return NULL;
  }
  const Word* found = find_word(words, count, n->text);
  for (int i = 0; i < count; i++) names[i] = words[i].name;
  if (!found)
    sar_yaml_expected(r, n, what, sar_text_suggest(hint, sizeof hint, n->text, names, count));
  return found;
}

static void read_with(YamlReader* r, const YamlNode* n, void* into) {
  static const char what[] =
      "position, velocity, acceleration, orientation, omega, motor, limit or friction";
  SpecOutput* out = into;
  bool several = n->kind == YAML_LIST;
  for (int i = 0; i < (several ? n->count : 1); i++) {
    const Word* word = read_word(r, several ? n->items[i] : n, what, parts, PARTS);
    if (word) out->with |= word->value;
  }
}

// A body, or two that touch each other.
static void read_touching(YamlReader* r, const YamlNode* n, SpecOutput* out) {
  if (n->kind == YAML_LIST && n->count == 2) {
    sar_yaml_name(r, n->items[0], &out->target);
    sar_yaml_name(r, n->items[1], &out->other);
  } else if (n->kind == YAML_TEXT) {
    sar_yaml_name(r, n, &out->target);
  } else {
    sar_yaml_expected(r, n, "a body, or two bodies [a, b] that touch each other", "");
  }
}

static void read_target(YamlReader* r, const YamlNode* n, void* into) {
  SpecOutput* out = into;
  const Word* kind = find_word(singles, SINGLES, r->key);
  if (out->loc.line) return;  // a second kind: reported already
  out->loc = n->loc;
  out->kind = (SpecOutputKind)kind->value;
  if (strcmp(r->key, "omega") == 0) out->with |= SPEC_WITH_OMEGA;
  if (out->kind == SPEC_OUT_POINT)
    sar_yaml_point(r, n, &out->target, out->point.c);
  else if (out->kind == SPEC_OUT_EXPR)
    sar_yaml_num(r, n, &out->expr);
  else if (out->kind == SPEC_OUT_CONTACT)
    read_touching(r, n, out);
  else
    sar_yaml_name(r, n, &out->target);
}

static void read_single(YamlReader* r, const YamlNode* n) {
  YamlField fields[SINGLES + 2];
  const char* kinds[SINGLES];
  for (int i = 0; i < SINGLES; i++) {
    kinds[i] = singles[i].name;
    fields[i] = (YamlField){singles[i].name, 0, read_target};
  }
  fields[SINGLES] = (YamlField){"with", 0, read_with};
  fields[SINGLES + 1] = (YamlField){"name", offsetof(SpecOutput, label), sar_yaml_name};
  const char* misspelt;
  int pair = sar_yaml_kind(r, n, "output", kinds, SINGLES, &fields[SINGLES], 2, &misspelt);
  if (pair < 0) return;
  SpecOutput* out = SAR_LIST_ADD(r->arena, &r->spec->outputs);
  if (!out) return;
  YAML_FIELDS(r, n, fields, out);
  if (out->kind == SPEC_OUT_EXPR && !out->label.text)
    sar_yaml_report(r, n->loc, "as in {value: elbow.q / deg, name: elbow_deg}",
                    "a value needs a 'name' for its column");
}

static void read_group(YamlReader* r, const YamlNode* n) {
  static const char what[] =
      "energy, momentum, work, joints, bodies, reactions, forces, constraints, contacts, states or "
      "{KIND: NAME}";
  const Word* group = read_word(r, n, what, groups, GROUPS);
  SpecOutput* out = group ? SAR_LIST_ADD(r->arena, &r->spec->outputs) : NULL;
  if (!out) return;
  out->kind = (SpecOutputKind)group->value;
  out->loc = n->loc;
  if (out->kind != SPEC_OUT_ENERGY && out->kind != SPEC_OUT_MOMENTUM && out->kind != SPEC_OUT_WORK)
    out->target = (SpecName){"all", n->loc};
}

void sar_yaml_outputs(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  if (sar_yaml_is_null(n)) return;
  if (n->kind != YAML_LIST) {
    sar_yaml_expected(r, n, "a list, as in [energy, joints, {body: arm}]", "");
    return;
  }
  YamlScope outer = sar_yaml_enter(r);
  for (int i = 0; i < n->count; i++) {
    const YamlNode* item = n->items[i];
    int errors = sar_yaml_errors(r);
    if (item->kind == YAML_MAP)
      read_single(r, item);
    else
      read_group(r, item);
    if (sar_yaml_errors(r) > errors) sar_yaml_wrong(r, item, item);
  }
  sar_yaml_leave(r, outer);
}
