// `keys`: named starts.
//   home: {positions: {elbow: 30 deg, base: [0, 0, 1, 1, 0, 0, 0]}, speeds: {elbow: 1}, inputs:
//   {motor: 2}, states: {x: 1}}
#include "io/yaml_read.h"

#include <stddef.h>

static void read_values(YamlReader* r, const YamlNode* n, SpecKey* key, SpecKeyPart part) {
  if (sar_yaml_is_null(n)) return;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "a mapping {name: value, ...}", "");
    return;
  }
  for (int i = 0; i < n->count; i++) {
    SpecKeyValue* v = SAR_LIST_ADD(r->arena, &key->values[part]);
    if (!v) return;
    const int errors = sar_yaml_errors(r);
    sar_yaml_name(r, n->pairs[i].key, &v->of);
    sar_yaml_dofs(r, n->pairs[i].value, &v->value);
    if (sar_yaml_errors(r) > errors) v->value.count = 0;
  }
}

static void read_positions(YamlReader* r, const YamlNode* n, void* key) {
  read_values(r, n, key, SPEC_KEY_POSITIONS);
}
static void read_speeds(YamlReader* r, const YamlNode* n, void* key) {
  read_values(r, n, key, SPEC_KEY_SPEEDS);
}
static void read_inputs(YamlReader* r, const YamlNode* n, void* key) {
  read_values(r, n, key, SPEC_KEY_INPUTS);
}
static void read_states(YamlReader* r, const YamlNode* n, void* key) {
  read_values(r, n, key, SPEC_KEY_STATES);
}

static void read_key(YamlReader* r, SpecName name, const YamlNode* n) {
  static const YamlField fields[] = {{"positions", 0, read_positions},
                                     {"speeds", 0, read_speeds},
                                     {"inputs", 0, read_inputs},
                                     {"states", 0, read_states}};
  SpecKey* key = SAR_LIST_ADD(r->arena, &r->spec->keys);
  if (!key) return;
  key->name = name;
  YAML_FIELDS(r, n, fields, key);
}

void sar_yaml_keys(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "key", read_key);
}
