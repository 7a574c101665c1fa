// One entry of a YAML section: its keys and values, on one line where they fit, else a line each.
#pragma once
#include "convert/convert.h"

typedef struct YamlItem {
  Convert* c;
  const char* name;  // NULL: an entry of a list
  SAR_LIST(const char*) parts;
} YamlItem;

// A scalar as YAML has it: plain where it can be, else quoted.
const char* sar_yaml_scalar(Convert* c, const char* text);
const char* sar_yaml_key(Convert* c,
                         const char* name);  // of a section: quoted where it is no plain name
const char* sar_yaml_number(Convert* c, SpecNum n);
const char* sar_yaml_list(Convert* c, const SpecNum* n, int count);  // [a, b, c]
const char* sar_yaml_direction(Convert* c, SpecVec3 v);              // x, -y or [a, b, c]
const char* sar_yaml_names(Convert* c, const SpecName* names, int count);
bool sar_yaml_is_zero(SpecVec3 v);

// One `key: value`; value NULL or "": left out.
void sar_yaml_put(YamlItem* item, const char* key, const char* value);
void sar_yaml_put_number(YamlItem* item, const char* key, SpecNum n);
void sar_yaml_put_name(YamlItem* item, const char* key, SpecName n);
void sar_yaml_put_vec3(YamlItem* item, const char* key, SpecVec3 v);
void sar_yaml_put_dofs(YamlItem* item, const char* key, SpecDofs d);
void sar_yaml_put_pose(YamlItem* item, SpecPose p);  // at, and one of rpy quat axes euler
void sar_yaml_put_gate(YamlItem* item, const SpecGate* g);
const char* sar_yaml_braces(const YamlItem* item);  // {a: 1, b: 2}
void sar_yaml_end(const YamlItem* item);            // writes it, two columns in
