// The key `contact` of a body, or of the ground: which solids others touch.
//
//   contact: true                        the shapes that give the body its mass
//   contact: steel                       these, of that material
//   contact: {material: steel, group: crates, parts: 16}
//   contact: {sphere: 0.05, at: [0, 0, 1]}       a solid of its own
//   contact: [{sphere: 0.05}, {plane: z}]        several
//   contact: {material: steel, solids: [...]}    with a material for all
#include "io/yaml_read.h"

#include <stddef.h>
#include <string.h>

// One name or a list of names.
static void read_groups(YamlReader* r, const YamlNode* n, void* into) {
  SpecNames* groups = into;
  const bool several = n->kind == YAML_LIST;
  for (int i = 0; i < (several ? n->count : 1); i++) {
    SpecName* name = SAR_LIST_ADD(r->arena, groups);
    if (name) sar_yaml_name(r, several ? n->items[i] : n, name);
  }
}

static void read_plane(YamlReader* r, const YamlNode* n, void* into) {
  SpecSolid* solid = into;
  solid->kind = SPEC_SOLID_PLANE;
  sar_yaml_axis(r, n, &solid->normal);
}

static const char* const kinds[] = {"sphere", "box",  "capsule", "cylinder", "plane",
                                    "convex", "hull", "mesh",    "heights"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const YamlField solid_fields[] = {
    {"sphere", offsetof(SpecSolid, shape), sar_yaml_shape},
    {"box", offsetof(SpecSolid, shape), sar_yaml_shape},
    {"capsule", offsetof(SpecSolid, shape), sar_yaml_shape},
    {"cylinder", offsetof(SpecSolid, shape), sar_yaml_shape},
    {"plane", 0, read_plane},
    {"convex", offsetof(SpecSolid, shape), sar_yaml_shape},
    {"hull", offsetof(SpecSolid, shape), sar_yaml_shape},
    {"mesh", offsetof(SpecSolid, shape), sar_yaml_shape},
    {"heights", 0, sar_yaml_heights},
    // what is no kind
    YAML_POSE_FIELDS(SpecSolid, shape.pose),
    {"scale", offsetof(SpecSolid, shape.mesh), sar_yaml_scale},
    {"parts", offsetof(SpecSolid, shape.mesh), sar_yaml_parts},
    {"x", offsetof(SpecSolid, heights.x), sar_yaml_grid},
    {"y", offsetof(SpecSolid, heights.y), sar_yaml_grid},
    {"name", offsetof(SpecSolid, name), sar_yaml_name},
    {"material", offsetof(SpecSolid, material), sar_yaml_name},
    {"group", offsetof(SpecSolid, groups), read_groups},
};
enum { SOLID_FIELDS = sizeof solid_fields / sizeof *solid_fields };

static void read_solid(YamlReader* r, const YamlNode* n, SpecTouch* touch) {
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "a solid, as in {sphere: 0.1, at: [0, 0, 1]}", "");
    return;
  }
  if (sar_yaml_kind(r, n, "solid that touches", kinds, KINDS, solid_fields + KINDS,
                    SOLID_FIELDS - KINDS) < 0)
    return;
  SpecSolid* solid = SAR_LIST_ADD(r->arena, &touch->solids);
  if (!solid) return;
  solid->loc = n->loc;
  const int errors = sar_yaml_errors(r);
  YAML_FIELDS(r, n, solid_fields, solid);
  if (sar_yaml_errors(r) == errors) sar_yaml_check_solid(r, n, solid);
}

static void add_solid(YamlReader* r, const YamlNode* n, SpecTouch* touch) {
  const YamlTrial trial = sar_yaml_try(r);
  read_solid(r, n, touch);
  sar_yaml_tried(r, trial, n, n);
}

static void read_solids(YamlReader* r, const YamlNode* n, void* into) {
  SpecTouch* touch = into;
  touch->shapes = false;
  if (n->kind != YAML_LIST) {
    sar_yaml_expected(r, n, "a list of solids [{sphere: 0.1}, ...]", "");
    return;
  }
  YamlScope outer = sar_yaml_enter(r);
  for (int i = 0; i < n->count; i++) add_solid(r, n->items[i], touch);
  sar_yaml_leave(r, outer);
}

// Does the mapping describe one solid?
static bool is_solid(const YamlNode* n) {
  for (int i = 0; i < n->count; i++)
    for (int k = 0; k < KINDS; k++)
      if (strcmp(n->pairs[i].key->text, kinds[k]) == 0) return true;
  return false;
}

static void read_parts(YamlReader* r, const YamlNode* n, void* into) {
  SpecNum** parts = into;
  *parts = SAR_ARENA_NEW(r->arena, SpecNum);
  if (*parts) sar_yaml_num(r, n, *parts);
}

static void read_mapping(YamlReader* r, const YamlNode* n, SpecTouch* touch) {
  static const YamlField fields[] = {
      {"material", offsetof(SpecTouch, material), sar_yaml_name},
      {"group", offsetof(SpecTouch, groups), read_groups},
      {"parts", offsetof(SpecTouch, parts), read_parts},
      {"solids", 0, read_solids},
  };
  YamlScope outer = sar_yaml_enter(r);
  if (is_solid(n)) {
    add_solid(r, n, touch);
  } else {
    touch->shapes = true;
    YAML_FIELDS(r, n, fields, touch);
  }
  sar_yaml_leave(r, outer);
}

void sar_yaml_touch(YamlReader* r, const YamlNode* n, void* into) {
  SpecTouch* touch = into;
  touch->loc = n->loc;
  if (n->kind == YAML_LIST) {
    read_solids(r, n, touch);
  } else if (n->kind == YAML_MAP) {
    read_mapping(r, n, touch);
  } else if (sar_yaml_is_null(n)) {
    sar_yaml_expected(r, n, "true, a material, a solid or a list of solids", "");
  } else if (strcmp(n->text, "false") != 0) {
    touch->shapes = true;
    if (strcmp(n->text, "true") != 0) sar_yaml_name(r, n, &touch->material);
  }
}
