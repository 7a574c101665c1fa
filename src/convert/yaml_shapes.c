// Shapes, and what touches.
#include "convert/yaml_parts.h"

#include <string.h>

static const char* const NAMES[SPEC_SHAPE_KINDS] = {
    [SPEC_ROD] = "rod",       [SPEC_BOX] = "box",         [SPEC_CYLINDER] = "cylinder",
    [SPEC_SPHERE] = "sphere", [SPEC_CAPSULE] = "capsule", [SPEC_ELLIPSOID] = "ellipsoid",
    [SPEC_TUBE] = "tube",     [SPEC_CONVEX] = "convex",   [SPEC_HULL] = "hull",
    [SPEC_MESH] = "mesh",
};

static const char* points_text(Convert* c, const SpecMesh* mesh) {
  SarTextOut t = {.arena = &c->arena};
  sar_text_add(&t, "[");
  for (int i = 0; i + 2 < mesh->npoint; i += 3)
    sar_text_addf(&t, "%s%s", i ? ", " : "", sar_yaml_list(c, &mesh->points[i], 3));
  sar_text_add(&t, "]");
  return t.text ? t.text : "";
}

static const char* mesh_text(Convert* c, const SpecMesh* mesh) {
  if (!mesh->file.text) return points_text(c, mesh);
  return sar_yaml_scalar(c, sar_target_file(c, mesh->file));
}

static const char* round_text(Convert* c, const SpecShape* s) {
  YamlItem item = {.c = c};
  sar_yaml_put_number(&item, "radius", s->size[0]);
  sar_yaml_put_number(&item, "length", s->size[1]);
  sar_yaml_put_vec3(&item, "from", s->from);
  sar_yaml_put_vec3(&item, "to", s->to);
  if (s->kind == SPEC_TUBE) sar_yaml_put_number(&item, "inner", s->size[2]);
  return sar_yaml_braces(&item);
}

static const char* shape_text(Convert* c, const SpecShape* s) {
  switch (s->kind) {
    case SPEC_ROD:
      return sar_arena_printf(&c->arena, "[%s, %s]", sar_yaml_list(c, s->from.c, 3),
                              sar_yaml_list(c, s->to.c, 3));
    case SPEC_BOX:
    case SPEC_ELLIPSOID: return sar_yaml_list(c, s->size, 3);
    case SPEC_SPHERE: return sar_yaml_number(c, s->size[0]);
    case SPEC_CYLINDER:
    case SPEC_CAPSULE:
    case SPEC_TUBE: return round_text(c, s);
    default: return s->mesh ? mesh_text(c, s->mesh) : "";
  }
}

static void put_shape(YamlItem* item, const SpecShape* s) {
  Convert* c = item->c;
  sar_yaml_put(item, NAMES[s->kind], shape_text(c, s));
  if (s->mesh && s->mesh->scale[0].expr)
    sar_yaml_put(item, "scale", sar_yaml_list(c, s->mesh->scale, 3));
  sar_yaml_put_pose(item, s->pose);
  sar_yaml_put_number(item, "mass", s->mass);
  sar_yaml_put_number(item, "density", s->density);
}

// Entries of a list, one beside the other.
static const char* listed(Convert* c, const char* const* texts, int count) {
  SarTextOut t = {.arena = &c->arena};
  sar_text_add(&t, "[");
  for (int i = 0; i < count; i++) sar_text_addf(&t, "%s%s", i ? ", " : "", texts[i]);
  sar_text_add(&t, "]");
  return t.text ? t.text : "";
}

const char* sar_yaml_shapes_text(Convert* c, const SpecBody* b) {
  const int n = b->shapes.count;
  const char** texts = SAR_ARENA_ARRAY(&c->arena, const char*, n + 1);
  if (!n || !texts) return "";
  for (int i = 0; i < n; i++) {
    YamlItem item = {.c = c};
    put_shape(&item, &b->shapes.items[i]);
    texts[i] = sar_yaml_braces(&item);
  }
  return listed(c, texts, n);
}

// ---- what touches ----------------------------------------------------------------------------

static void put_groups(YamlItem* item, const SpecNames* groups) {
  if (groups->count == 1) sar_yaml_put_name(item, "group", groups->items[0]);
  if (groups->count > 1)
    sar_yaml_put(item, "group", sar_yaml_names(item->c, groups->items, groups->count));
}

void sar_yaml_put_heights(YamlItem* item, const SpecHeights* h) {
  Convert* c = item->c;
  SarTextOut t = {.arena = &c->arena};
  if (h->numbers) {
    sar_text_add(&t, "[");
    for (int row = 0; row < h->rows; row++)
      sar_text_addf(&t, "%s%s", row ? ", " : "",
                    sar_yaml_list(c, &h->numbers[(size_t)row * (size_t)h->columns], h->columns));
    sar_text_add(&t, "]");
  }
  sar_yaml_put(item, "heights", h->numbers ? t.text : sar_yaml_number(c, h->height));
  sar_yaml_put(item, "x", sar_yaml_list(c, h->x, h->x[2].expr ? 3 : 2));
  sar_yaml_put(item, "y", sar_yaml_list(c, h->y, h->y[2].expr ? 3 : 2));
}

static const char* solid_text(Convert* c, const SpecSolid* s) {
  YamlItem item = {.c = c};
  if (s->kind == SPEC_SOLID_PLANE) sar_yaml_put(&item, "plane", sar_yaml_direction(c, s->normal));
  if (s->kind == SPEC_SOLID_HEIGHTS) sar_yaml_put_heights(&item, &s->heights);
  if (s->kind == SPEC_SOLID_SHAPE)
    put_shape(&item, &s->shape);
  else
    sar_yaml_put_pose(&item, s->shape.pose);
  sar_yaml_put_name(&item, "name", s->name);
  sar_yaml_put_name(&item, "material", s->material);
  put_groups(&item, &s->groups);
  return sar_yaml_braces(&item);
}

const char* sar_yaml_touch_text(Convert* c, const SpecTouch* t) {
  const int n = t->solids.count;
  const char** texts = SAR_ARENA_ARRAY(&c->arena, const char*, n + 1);
  if ((!n && !t->shapes) || !texts) return "";
  for (int i = 0; i < n; i++) texts[i] = solid_text(c, &t->solids.items[i]);
  const char* solids = n ? listed(c, texts, n) : "";
  if (!t->material.text && !t->groups.count) return n ? solids : "true";
  YamlItem item = {.c = c};
  sar_yaml_put_name(&item, "material", t->material);
  put_groups(&item, &t->groups);
  sar_yaml_put(&item, "solids", solids);
  return sar_yaml_braces(&item);
}

// ---- how it touches --------------------------------------------------------------------------

static void put_material(YamlItem* item, const SpecMaterial* m) {
  sar_yaml_put_number(item, "friction", m->friction);
  sar_yaml_put_number(item, "restitution", m->restitution);
  sar_yaml_put_number(item, "rolling", m->rolling);
  sar_yaml_put_number(item, "spinning", m->spinning);
  sar_yaml_put_number(item, "stiffness", m->stiffness);
  sar_yaml_put_number(item, "damping", m->damping);
}

static void write_rules(Convert* c, const SpecContact* k) {
  for (int i = 0; i < k->materials.count; i++) {
    YamlItem item = {.c = c};
    put_material(&item, &k->materials.items[i]);
    sar_text_addf(&c->out, "%s    %s: %s\n", i ? "" : "  materials:\n",
                  sar_yaml_key(c, k->materials.items[i].name.text), sar_yaml_braces(&item));
  }
  for (int i = 0; i < k->pairs.count; i++) {
    YamlItem item = {.c = c};
    sar_yaml_put(&item, "materials", sar_yaml_names(c, k->pairs.items[i].of, 2));
    put_material(&item, &k->pairs.items[i]);
    sar_text_addf(&c->out, "%s    - %s\n", i ? "" : "  pairs:\n", sar_yaml_braces(&item));
  }
  for (int i = 0; i < k->ignore.count; i++)
    sar_text_addf(&c->out, "%s    - %s\n", i ? "" : "  ignore:\n",
                  sar_yaml_names(c, k->ignore.items[i].of, 2));
}

void sar_yaml_write_contact(Convert* c) {
  const SpecContact* k = &c->spec->contact;
  const char* ground = sar_yaml_touch_text(c, &c->spec->ground_touch);
  if (ground[0]) sar_text_addf(&c->out, "\nground: {contact: %s}\n", ground);
  if (!k->materials.count && !k->pairs.count && !k->ignore.count && !k->max_contacts.expr &&
      !k->overlapping.text)
    return;
  sar_text_add(&c->out, "\ncontact:\n");
  if (k->max_contacts.expr)
    sar_text_addf(&c->out, "  max_contacts: %s\n", sar_yaml_number(c, k->max_contacts));
  if (k->overlapping.text) sar_text_addf(&c->out, "  overlapping: %s\n", k->overlapping.text);
  write_rules(c, k);
}
