// The section `roads`: {name: {features: [...], table: [[x, z], ...], height: expression, field:
// ground}}.
#include "io/yaml_read.h"

#include <stddef.h>
#include <string.h>

static void read_pair(YamlReader* r, const YamlNode* n, void* into) {
  sar_yaml_numbers(r, n, 2, into);
}

static void read_side(YamlReader* r, const YamlNode* n, void* into) {
  SpecName* side = into;
  sar_yaml_name(r, n, side);
  if (!side->text) return;
  if (strcmp(side->text, "left") && strcmp(side->text, "right") && strcmp(side->text, "both"))
    sar_yaml_expected(r, n, "left, right or both", "left is where y > 0");
}

// Each feature is one of ramp, smooth, bump and step, with its height.
static void check_feature(YamlReader* r, const YamlNode* n, const SpecFeature* f) {
  int kinds = 0;
  for (int i = 0; i < n->count; i++) {
    const char* key = n->pairs[i].key->text;
    kinds += !strcmp(key, "ramp") || !strcmp(key, "smooth") || !strcmp(key, "bump") ||
             !strcmp(key, "step");
  }
  if (kinds != 1)
    sar_yaml_report(r, n->loc, "as in {ramp: [5, 15], height: 1}",
                    "a feature has one of ramp, smooth, bump and step");
  if (!f->height.expr) sar_yaml_report(r, n->loc, "", "'height' is missing");
  if (f->width.expr && !f->step.expr) sar_yaml_report(r, f->width.loc, "", "'width' is for a step");
}

static void read_feature(YamlReader* r, const YamlNode* n, SpecFeature* f) {
  static const YamlField fields[] = {
      {"ramp", offsetof(SpecFeature, ramp), read_pair},
      {"smooth", offsetof(SpecFeature, smooth), read_pair},
      {"bump", offsetof(SpecFeature, bump), read_pair},
      {"step", offsetof(SpecFeature, step), sar_yaml_num},
      {"width", offsetof(SpecFeature, width), sar_yaml_num},
      {"height", offsetof(SpecFeature, height), sar_yaml_num},
      {"side", offsetof(SpecFeature, side), read_side},
  };
  f->loc = n->loc;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "a mapping, as in {ramp: [5, 15], height: 1}", "");
    return;
  }
  int errors = sar_yaml_errors(r);
  YAML_INNER_FIELDS(r, n, fields, f);
  if (sar_yaml_errors(r) == errors) check_feature(r, n, f);
}

static void read_features(YamlReader* r, const YamlNode* n, void* into) {
  SpecRoad* road = into;
  if (n->kind != YAML_LIST) {
    sar_yaml_expected(r, n, "a list of features [{ramp: [5, 15], height: 1}, ...]", "");
    return;
  }
  for (int i = 0; i < n->count; i++) {
    SpecFeature* f = SAR_LIST_ADD(r->arena, &road->features);
    if (f) read_feature(r, n->items[i], f);
  }
}

static void read_table(YamlReader* r, const YamlNode* n, void* into) {
  SpecValue* v = into;
  v->loc = n->loc;
  v->given = true;
  sar_yaml_table(r, n, v);
}

static void read_interpolation(YamlReader* r, const YamlNode* n, void* into) {
  SpecName* word = into;
  sar_yaml_name(r, n, word);
  if (word->text && strcmp(word->text, "linear") && strcmp(word->text, "cubic"))
    sar_yaml_expected(r, n, "linear or cubic", "");
}

static void read_road(YamlReader* r, SpecName name, const YamlNode* n) {
  static const YamlField fields[] = {
      {"features", 0, read_features},
      {"table", offsetof(SpecRoad, table), read_table},
      {"interpolation", offsetof(SpecRoad, interpolation), read_interpolation},
      {"height", offsetof(SpecRoad, height), sar_yaml_num},
      {"heights", offsetof(SpecRoad, grid), sar_yaml_heights},
      {"x", offsetof(SpecRoad, grid.heights.x), sar_yaml_grid},
      {"y", offsetof(SpecRoad, grid.heights.y), sar_yaml_grid},
      {"field", offsetof(SpecRoad, field), sar_yaml_name},
  };
  SpecRoad* road = SAR_LIST_ADD(r->arena, &r->spec->roads);
  if (!road) return;
  road->name = name;
  YAML_FIELDS(r, n, fields, road);
  road->grid.loc = n->loc;
  sar_yaml_check_solid(r, n, &road->grid);
  if (road->grid.kind == SPEC_SOLID_HEIGHTS && road->field.text)
    sar_yaml_report(r, road->field.loc, "leave one of them out",
                    "a road has heights of its own or the 'field' of the ground");
}

void sar_yaml_roads(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "road", read_road);
}
