// The section `bodies`.
#include "io/yaml_read.h"

#include <stddef.h>
#include <string.h>

static void read_points(YamlReader* r, const YamlNode* n, void* into) {
  SpecBody* body = into;
  body->frames.items = sar_yaml_frames(r, n, &body->frames.count);
  body->frames.capacity = body->frames.count;
}

// Two elements of a symmetric matrix: the same text, or the same number.
static bool same(const YamlNode* a, const YamlNode* b, SpecNum x, SpecNum y) {
  double u, v;
  if (a->kind != YAML_TEXT || b->kind != YAML_TEXT || !x.expr || !y.expr) return true;
  if (sar_expr_is_number(x.expr, &u) && sar_expr_is_number(y.expr, &v)) return u == v;
  return strcmp(a->text, b->text) == 0;
}

static void read_inertia_matrix(YamlReader* r, const YamlNode* n, SpecNum out[6]) {
  static const int slot[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  SpecNum m[3][3] = {0};
  for (int i = 0; i < 3; i++)
    if (!sar_yaml_numbers(r, n->items[i], 3, m[i])) return;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      out[slot[i][j]] = m[i][j];
      const YamlNode *a = n->items[i]->items[j], *b = n->items[j]->items[i];
      if (!same(a, b, m[i][j], m[j][i]))
        sar_yaml_report(r, b->loc, "[Ixx, Iyy, Izz, Ixy, Ixz, Iyz] says each of them once",
                        "the matrix must be symmetric: '%.40s' here, '%.40s' across the diagonal",
                        b->text, a->text);
    }
}

static void read_inertia(YamlReader* r, const YamlNode* n, void* into) {
  SpecBody* body = into;
  body->inertia_set = true;
  if (n->kind == YAML_LIST && n->count == 3 && n->items[0]->kind == YAML_LIST) {
    read_inertia_matrix(r, n, body->inertia);
  } else if (n->kind == YAML_LIST && (n->count == 3 || n->count == 6)) {
    sar_yaml_numbers(r, n, n->count, body->inertia);
    for (int i = n->count; i < 6; i++)
      body->inertia[i] = (SpecNum){sar_expr_number(r->arena, 0), n->loc};
  } else {
    sar_yaml_expected(r, n, "[Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or a 3x3 matrix", "");
  }
}

static const YamlField own[] = {
    YAML_POSE_FIELDS(SpecBody, pose),
    {"in", offsetof(SpecBody, in), sar_yaml_name},
    {"mass", offsetof(SpecBody, mass), sar_yaml_num},
    {"com", offsetof(SpecBody, com), sar_yaml_vec3},
    {"inertia", 0, read_inertia},
    {"density", offsetof(SpecBody, density), sar_yaml_num},
    {"shapes", 0, sar_yaml_shapes},
    {"contact", offsetof(SpecBody, touch), sar_yaml_touch},
    {"points", 0, read_points},
    {"velocity", offsetof(SpecBody, velocity), sar_yaml_rare_vec3},
    {"angular_velocity", offsetof(SpecBody, angular_velocity), sar_yaml_rare_vec3},
    {"along", offsetof(SpecBody, along), sar_yaml_rare_vec3},
};
enum { OWN = sizeof own / sizeof *own };

static void read_body(YamlReader* r, SpecName name, const YamlNode* n) {
  YamlField fields[OWN + SPEC_SHAPE_KINDS];
  memcpy(fields, own, sizeof own);
  sar_yaml_shape_fields(fields + OWN);
  if (strcmp(name.text, "ground") == 0) {
    sar_report(r->err, name.loc, "its points go under the top-level key 'points'",
               "'ground' is the fixed frame, it cannot be a body");
    return;
  }
  SpecBody* body = SAR_LIST_ADD(r->arena, &r->spec->bodies);
  if (!body) return;
  int errors = sar_yaml_errors(r);
  body->name = name;
  YAML_FIELDS(r, n, fields, body);
  body->wrong = body->touch.unknown = sar_yaml_errors(r) > errors;
}

void sar_yaml_bodies(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  if (n->kind == YAML_MAP && !SAR_LIST_ROOM(r->arena, &r->spec->bodies, n->count)) return;
  sar_yaml_section(r, n, "body", read_body);
}
