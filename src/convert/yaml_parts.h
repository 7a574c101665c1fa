// The parts of the YAML writer.
#pragma once
#include "convert/yaml_item.h"

const char* sar_yaml_points(Convert* c, const SpecFrame* frames, int count);
const char* sar_yaml_shapes_text(Convert* c, const SpecBody* b);  // "": none
const char* sar_yaml_touch_text(Convert* c, const SpecTouch* t);  // "": nothing touches
const char* sar_yaml_rows(Convert* c, const SpecNum* numbers, int count, int columns);
void sar_yaml_put_heights(YamlItem* item, const SpecHeights* h);
void sar_yaml_put_attributes(YamlItem* item, SarForm form, const SpecValue* values);
void sar_yaml_write_joints(Convert* c);
void sar_yaml_write_elements(Convert* c);  // forces and constraints
void sar_yaml_write_contact(Convert* c);
void sar_yaml_write_outputs(Convert* c);
void sar_yaml_write_roads(Convert* c);
void sar_yaml_write_inputs(Convert* c);
void sar_yaml_write_keys(Convert* c);
