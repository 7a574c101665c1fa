// The section `contact`: materials, pairs of them, what does not touch, and how many contacts there
// is room for.
#include "io/yaml_read.h"

#include <stddef.h>

#define NUM(name) \
  { #name, offsetof(SpecMaterial, name), sar_yaml_num }

static void read_material(YamlReader* r, SpecName name, const YamlNode* n) {
  static const YamlField fields[] = {NUM(friction), NUM(restitution), NUM(rolling),
                                     NUM(spinning), NUM(stiffness),   NUM(damping)};
  SpecMaterial* material = SAR_LIST_ADD(r->arena, &r->spec->contact.materials);
  if (!material) return;
  material->name = name;
  material->loc = n->loc;
  YAML_FIELDS(r, n, fields, material);
}

static void read_materials(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "material", read_material);
}

static void read_two(YamlReader* r, const YamlNode* n, void* into) {
  SpecName* of = into;
  if (n->kind != YAML_LIST || n->count != 2) {
    sar_yaml_expected(r, n, "the two materials, as in [steel, rubber]", "");
    return;
  }
  for (int i = 0; i < 2; i++) sar_yaml_name(r, n->items[i], &of[i]);
}

static void read_pair(YamlReader* r, const YamlNode* n) {
  static const YamlField fields[] = {{"materials", offsetof(SpecMaterial, of), read_two},
                                     NUM(friction),
                                     NUM(restitution),
                                     NUM(rolling),
                                     NUM(spinning),
                                     NUM(stiffness),
                                     NUM(damping)};
  SpecMaterial* pair = SAR_LIST_ADD(r->arena, &r->spec->contact.pairs);
  if (!pair) return;
  const YamlTrial trial = sar_yaml_try(r);
  pair->loc = n->loc;
  YAML_FIELDS(r, n, fields, pair);
  if (sar_yaml_errors(r) == trial.errors && !pair->of[0].text)
    sar_yaml_report(r, n->loc, "as in {materials: [steel, rubber], friction: 0.7}",
                    "'materials' is missing");
  sar_yaml_tried(r, trial, n, n);
}
#undef NUM

static void read_pairs(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  if (n->kind != YAML_LIST) {
    sar_yaml_expected(r, n, "a list [{materials: [steel, rubber], friction: 0.7}, ...]", "");
    return;
  }
  YamlScope outer = sar_yaml_enter(r);
  for (int i = 0; i < n->count; i++) read_pair(r, n->items[i]);
  sar_yaml_leave(r, outer);
}

// [[arm, crates], [fingers]]: one name alone stands for both.
static void read_ignore(YamlReader* r, const YamlNode* n, void* into) {
  SpecContact* contact = into;
  static const char what[] = "a list of two groups or bodies, as in [[arm, crates], [fingers]]";
  if (n->kind != YAML_LIST) {
    sar_yaml_expected(r, n, what, "");
    return;
  }
  for (int i = 0; i < n->count; i++) {
    const YamlNode* two = n->items[i];
    if (two->kind != YAML_LIST || two->count < 1 || two->count > 2) {
      sar_yaml_expected(r, two, what, "");
      continue;
    }
    SpecIgnore* ignore = SAR_LIST_ADD(r->arena, &contact->ignore);
    if (!ignore) return;
    for (int k = 0; k < 2; k++)
      sar_yaml_name(r, two->items[k < two->count ? k : 0], &ignore->of[k]);
  }
}

void sar_yaml_contact(YamlReader* r, const YamlNode* n, void* into) {
  static const YamlField fields[] = {
      {"max_contacts", offsetof(SpecContact, max_contacts), sar_yaml_num},
      {"materials", 0, read_materials},
      {"pairs", 0, read_pairs},
      {"ignore", 0, read_ignore},
      {"overlapping", offsetof(SpecContact, overlapping), sar_yaml_name},
  };
  YAML_INNER_FIELDS(r, n, fields, into);
}
