// Roads.
#include "convert/yaml_parts.h"

static const char* feature_text(Convert* c, const SpecFeature* f) {
  YamlItem item = {.c = c};
  if (f->ramp[0].expr) sar_yaml_put(&item, "ramp", sar_yaml_list(c, f->ramp, 2));
  if (f->smooth[0].expr) sar_yaml_put(&item, "smooth", sar_yaml_list(c, f->smooth, 2));
  if (f->bump[0].expr) sar_yaml_put(&item, "bump", sar_yaml_list(c, f->bump, 2));
  sar_yaml_put_number(&item, "step", f->step);
  sar_yaml_put_number(&item, "width", f->width);
  sar_yaml_put_number(&item, "height", f->height);
  sar_yaml_put_name(&item, "side", f->side);
  return sar_yaml_braces(&item);
}

static void write_road(Convert* c, const SpecRoad* r) {
  YamlItem item = {.c = c, .name = r->name.text};
  SarTextOut features = {.arena = &c->arena};
  for (int i = 0; i < r->features.count; i++)
    sar_text_addf(&features, "%s%s", i ? ", " : "[", feature_text(c, &r->features.items[i]));
  if (features.text) sar_text_add(&features, "]");
  sar_yaml_put(&item, "features", features.text);
  if (r->table.count)
    sar_yaml_put(&item, "table", sar_yaml_rows(c, r->table.numbers, r->table.count, 2));
  sar_yaml_put_name(&item, "interpolation", r->interpolation);
  sar_yaml_put_number(&item, "height", r->height);
  if (r->grid.kind == SPEC_SOLID_HEIGHTS) sar_yaml_put_heights(&item, &r->grid.heights);
  sar_yaml_put_name(&item, "field", r->field);
  sar_yaml_end(&item);
}

void sar_yaml_write_roads(Convert* c) {
  if (c->spec->roads.count) sar_text_add(&c->out, "\nroads:\n");
  for (int i = 0; i < c->spec->roads.count; i++) write_road(c, &c->spec->roads.items[i]);
}
