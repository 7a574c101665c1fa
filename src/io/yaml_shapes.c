// Shapes: the solids that give a body its mass and inertia.
#include "io/yaml_read.h"

#include <stddef.h>
#include <string.h>

static void read_span(YamlReader* r, const YamlNode* n, SpecShape* shape) {
  if (n->kind != YAML_LIST || n->count != 2) {
    sar_yaml_expected(r, n, "the two ends [[x, y, z], [x, y, z]]", "");
    return;
  }
  sar_yaml_vec3(r, n->items[0], &shape->from);
  sar_yaml_vec3(r, n->items[1], &shape->to);
}

// cylinder, capsule and tube: radius, inner radius, and a length or two ends
static void read_round(YamlReader* r, const YamlNode* n, SpecShape* shape) {
  static const YamlField fields[] = {
      {"radius", offsetof(SpecShape, size[0]), sar_yaml_num},
      {"length", offsetof(SpecShape, size[1]), sar_yaml_num},
      {"from", offsetof(SpecShape, from), sar_yaml_vec3},
      {"to", offsetof(SpecShape, to), sar_yaml_vec3},
      {"inner", offsetof(SpecShape, size[2]), sar_yaml_num},  // only of a tube
  };
  bool tube = shape->kind == SPEC_TUBE;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, tube ? "{radius, inner, length}" : "{radius, length}", "");
    return;
  }
  int before = sar_yaml_errors(r);
  sar_yaml_inner_fields(r, n, fields, tube ? 5 : 4, shape);
  if (sar_yaml_errors(r) > before) return;
  bool length = shape->size[1].expr, from = shape->from.c[0].expr, to = shape->to.c[0].expr;
  if (!shape->size[0].expr) sar_yaml_report(r, n->loc, "as in {radius: 1}", "it has no radius");
  if (tube && !shape->size[2].expr)
    sar_yaml_report(r, n->loc, "as in {inner: 0.1}", "it has no inner radius");
  if (length == (from && to) || from != to)
    sar_yaml_report(r, n->loc, "", "expected a length, or both ends from and to");
}

static void read_shape(YamlReader* r, const YamlNode* n, SpecShape* shape) {
  switch (shape->kind) {
    case SPEC_ROD: read_span(r, n, shape); break;
    case SPEC_BOX:
    case SPEC_ELLIPSOID: sar_yaml_numbers(r, n, 3, shape->size); break;
    case SPEC_SPHERE: sar_yaml_num(r, n, &shape->size[0]); break;
    case SPEC_CYLINDER:
    case SPEC_CAPSULE:
    case SPEC_TUBE: read_round(r, n, shape); break;
    case SPEC_CONVEX:
    case SPEC_HULL:
    case SPEC_MESH: sar_yaml_mesh(r, n, shape); break;
    case SPEC_SHAPE_KINDS: break;
  }
}

static const char* const names[SPEC_SHAPE_KINDS] = {
    [SPEC_ROD] = "rod",       [SPEC_BOX] = "box",         [SPEC_CYLINDER] = "cylinder",
    [SPEC_SPHERE] = "sphere", [SPEC_CAPSULE] = "capsule", [SPEC_ELLIPSOID] = "ellipsoid",
    [SPEC_TUBE] = "tube",     [SPEC_CONVEX] = "convex",   [SPEC_HULL] = "hull",
    [SPEC_MESH] = "mesh",
};

// Tables of keys say what to fill and how; which of the shapes it is, the key itself tells.
static SpecShapeKind kind_of_key(const char* key) {
  int k = 0;
  while (k < SPEC_SHAPE_KINDS - 1 && strcmp(names[k], key) != 0) k++;
  return (SpecShapeKind)k;
}

static void add_shape(YamlReader* r, const YamlNode* n, void* into) {
  SpecBody* body = into;
  SpecShape* shape = SAR_LIST_ADD(r->arena, &body->shapes);
  if (!shape) return;
  shape->kind = kind_of_key(r->key);
  shape->loc = n->loc;
  read_shape(r, n, shape);
}

void sar_yaml_shape(YamlReader* r, const YamlNode* n, void* into) {
  SpecShape* shape = into;
  shape->kind = kind_of_key(r->key);
  shape->loc = n->loc;
  read_shape(r, n, shape);
}

static void shape_keys(YamlField* fields, YamlRead* read) {
  for (int k = 0; k < SPEC_SHAPE_KINDS; k++) fields[k] = (YamlField){names[k], 0, read};
}

void sar_yaml_shape_fields(YamlField* fields) { shape_keys(fields, add_shape); }

void sar_yaml_shapes(YamlReader* r, const YamlNode* n, void* into) {
  static const YamlField own[] = {
      YAML_POSE_FIELDS(SpecShape, pose),
      {"mass", offsetof(SpecShape, mass), sar_yaml_num},
      {"density", offsetof(SpecShape, density), sar_yaml_num},
      {"scale", offsetof(SpecShape, mesh), sar_yaml_scale},
  };
  enum { OWN = sizeof own / sizeof *own };
  SpecBody* body = into;
  YamlField fields[SPEC_SHAPE_KINDS + OWN];
  if (n->kind != YAML_LIST) {
    sar_yaml_expected(r, n, "a list of shapes [{box: [...]}, ...]", "");
    return;
  }
  shape_keys(fields, sar_yaml_shape);
  memcpy(fields + SPEC_SHAPE_KINDS, own, sizeof own);
  YamlScope outer = sar_yaml_enter(r);
  for (int i = 0; i < n->count; i++) {
    const YamlNode* item = n->items[i];
    if (item->kind != YAML_MAP) {
      sar_yaml_expected(r, item, "a shape, as in {box: [0.1, 0.1, 0.1], mass: 1}", "");
      continue;
    }
    if (sar_yaml_kind(r, item, "shape", names, SPEC_SHAPE_KINDS, own, OWN) < 0) continue;
    SpecShape* shape = SAR_LIST_ADD(r->arena, &body->shapes);
    if (!shape) break;
    const int errors = sar_yaml_errors(r);
    YAML_FIELDS(r, item, fields, shape);
    if (sar_yaml_errors(r) == errors) sar_yaml_check_shape(r, shape);
  }
  sar_yaml_leave(r, outer);
}
