// Nodes and modes of a modal body, as numbers.
#include "io/yaml_modal.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

void sar_yaml_keep(YamlReader* r, const YamlNode* n, void* into) {
  (void)r;
  *(const YamlNode**)into = n;
}

// ---- numbers ------------------------------------------------------------------------------------

bool sar_yaml_finite(YamlReader* r, const YamlNode* n, double* x) {
  if (n->kind != YAML_TEXT) {
    sar_yaml_expected(r, n, "a number", "");
    return false;
  }
  if (!sar_yaml_constant(r, n, n->index, x)) return false;
  if (isfinite(*x)) return true;
  sar_yaml_report(r, n->loc, "", "expected a finite number, found %g", *x);
  return false;
}

int sar_yaml_some(YamlReader* r, const YamlNode* n, int least, int most, const char* what,
                  double* x) {
  for (int i = 0; i < most; i++) x[i] = 0;
  if (n->kind != YAML_LIST || n->count < least || n->count > most) {
    sar_yaml_expected(r, n, what, "");
    return -1;
  }
  for (int i = 0; i < n->count; i++)
    if (!sar_yaml_finite(r, n->items[i], &x[i])) return -1;
  return n->count;
}

// ---- nodes --------------------------------------------------------------------------------------

typedef struct NodeItem {
  double at[3], mass, com[3], inertia[6], rpy[3];
  bool placed;
} NodeItem;

static void read_at(YamlReader* r, const YamlNode* n, void* into) {
  NodeItem* x = into;
  x->placed = true;
  sar_yaml_some(r, n, 3, 3, "[x, y, z]", x->at);
}
static void read_three(YamlReader* r, const YamlNode* n, void* into) {
  sar_yaml_some(r, n, 3, 3, "three numbers", into);
}
static void read_inertia(YamlReader* r, const YamlNode* n, void* into) {
  const int count =
      sar_yaml_some(r, n, 3, 6, "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]", into);
  if (count == 4 || count == 5)
    sar_yaml_expected(r, n, "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]", "");
}
static void read_one(YamlReader* r, const YamlNode* n, void* into) { sar_yaml_finite(r, n, into); }

static void set_node(const NodeItem* x, SarModalShape* s, int k) {
  const double *a = x->rpy, *J = x->inertia;
  const M3 R = m3_mul(m3_mul(m3_rot_z(cos(a[2]), sin(a[2])), m3_rot_y(cos(a[1]), sin(a[1]))),
                      m3_rot_x(cos(a[0]), sin(a[0])));
  const V3 com = v3_load(x->com);
  const S3 at = s3_scale(x->mass, s3_of_point(com));
  s->X[k] = (Xform){R, v3_load(x->at)};
  s->inertia[k] = (Inertia){.I = {.xx = J[0] + at.xx,
                                  .yy = J[1] + at.yy,
                                  .zz = J[2] + at.zz,
                                  .xy = J[3] + at.xy,
                                  .xz = J[4] + at.xz,
                                  .yz = J[5] + at.yz},
                            .h = v3_scale(x->mass, com),
                            .m = x->mass};
}

static void check_node(YamlReader* r, const YamlNode* n, const NodeItem* x) {
  const double* J = x->inertia;
  if (!x->placed)
    sar_yaml_report(r, n->loc, "its place in the frame of the body", "a node needs 'at'");
  if (x->mass < 0)
    sar_yaml_report(r, n->loc, "", "expected a mass of at least 0, found %g", x->mass);
  if (J[0] < 0 || J[1] < 0 || J[2] < 0)
    sar_yaml_report(r, n->loc, "", "expected moments of inertia of at least 0");
  const double slack = 1e-6 * (J[0] + J[1] + J[2]);
  if (J[0] + J[1] < J[2] - slack || J[1] + J[2] < J[0] - slack || J[2] + J[0] < J[1] - slack)
    sar_yaml_report(r, n->loc, "none of them is larger than the sum of the other two",
                    "no body has the moments of inertia %g, %g, %g of this node", J[0], J[1], J[2]);
}

static void read_node(YamlReader* r, const YamlNode* n, SarModalShape* s, int k) {
  static const YamlField fields[] = {
      {"at", 0, read_at},
      {"rpy", offsetof(NodeItem, rpy), read_three},
      {"mass", offsetof(NodeItem, mass), read_one},
      {"com", offsetof(NodeItem, com), read_three},
      {"inertia", offsetof(NodeItem, inertia), read_inertia},
  };
  NodeItem x = {.mass = 0};
  const int errors = sar_yaml_errors(r);
  if (n->kind == YAML_LIST)
    read_at(r, n, &x);
  else
    YAML_INNER_FIELDS(r, n, fields, &x);
  if (sar_yaml_errors(r) == errors) check_node(r, n, &x);
  set_node(&x, s, k);
}

// ---- modes --------------------------------------------------------------------------------------

// The node that a key names; -1 after a report.
static int find_node(YamlReader* r, const YamlModal* b, const YamlNode* key) {
  const int k = sar_yaml_find_key(b->nodes, key->text);
  if (k >= 0) return k;
  sar_yaml_report(r, key->loc, "as under 'nodes'", "there is no node '%.40s'", key->text);
  return -1;
}

static void read_shape(YamlReader* r, const YamlModal* b, const YamlNode* n, int mode) {
  SarModalShape* s = b->spec.shape;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "{node: [ux, uy, uz, rx, ry, rz], ...}", "");
    return;
  }
  for (int i = 0; i < n->count; i++) {
    double x[6];
    const int k = find_node(r, b, n->pairs[i].key);
    if (k < 0) continue;
    const int count =
        sar_yaml_some(r, n->pairs[i].value, 3, 6, "[ux, uy, uz] or [ux, uy, uz, rx, ry, rz]", x);
    if (count == 3 || count == 6)
      s->mode[k * s->modes + mode] = (Motion){v3_load(x + 3), v3_load(x)};
    else if (count > 0)
      sar_yaml_expected(r, n->pairs[i].value, "[ux, uy, uz] or [ux, uy, uz, rx, ry, rz]", "");
  }
}

typedef struct ModeItem {
  double frequency, stiffness, damping;
  const YamlNode* shape;
} ModeItem;

static void read_mode(YamlReader* r, const YamlModal* b, const YamlNode* n, int i,
                      double* frequency) {
  static const YamlField fields[] = {
      {"frequency", offsetof(ModeItem, frequency), read_one},
      {"stiffness", offsetof(ModeItem, stiffness), read_one},
      {"damping", offsetof(ModeItem, damping), read_one},
      {"shape", offsetof(ModeItem, shape), sar_yaml_keep},
  };
  SarModalShape* s = b->spec.shape;
  const int errors = sar_yaml_errors(r);
  ModeItem x = {(double)NAN, (double)NAN, 0, NULL};
  YAML_INNER_FIELDS(r, n, fields, &x);
  if (x.shape)
    read_shape(r, b, x.shape, i);
  else if (sar_yaml_errors(r) == errors)
    sar_yaml_report(r, n->loc, "shape: {node: [ux, uy, uz, rx, ry, rz], ...}",
                    "a mode needs a 'shape'");
  frequency[i] = x.frequency;
  s->damping[i] = x.damping;
  s->stiffness[i * s->modes + i] = b->stiffness ? 0 : x.stiffness;
  if (sar_yaml_errors(r) != errors || b->stiffness) return;
  if (isnan(x.stiffness) == isnan(x.frequency))
    sar_yaml_report(r, n->loc, "frequency [Hz], or stiffness of its coordinate",
                    "a mode has one of 'frequency' and 'stiffness'");
  else if (x.stiffness < 0 || x.frequency < 0)
    sar_yaml_report(r, n->loc, "", "expected a frequency or stiffness of at least 0");
}

// A full matrix, where modes are not orthogonal.
static void read_stiffness(YamlReader* r, const YamlModal* b) {
  SarModalShape* s = b->spec.shape;
  const int n = s->modes;
  if (b->stiffness->kind != YAML_LIST || b->stiffness->count != n) {
    sar_yaml_expected(r, b->stiffness, "as many rows as there are modes", "");
    return;
  }
  for (int i = 0; i < n; i++)
    if (sar_yaml_some(r, b->stiffness->items[i], n, n, "as many numbers as there are modes",
                      &s->stiffness[i * n]) < 0)
      return;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double *a = &s->stiffness[i * n + j], *c = &s->stiffness[j * n + i];
      if (fabs(*a - *c) > 1e-6 * (fabs(*a) + fabs(*c)) &&
          fabs(*a - *c) > 1e-9 * sqrt(fabs(s->stiffness[i * n + i] * s->stiffness[j * n + j]))) {
        sar_yaml_report(r, b->stiffness->items[i]->loc, "",
                        "the matrix of stiffness must be symmetric: %g and %g", *a, *c);
        return;
      }
      *a = *c = 0.5 * (*a + *c);
    }
}

// {tip: [[i, j, x, y, z], ...]}: modes from 1
static void read_bend(YamlReader* r, const YamlModal* b) {
  SarModalShape* s = b->spec.shape;
  const YamlNode* n = b->bend;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "{node: [[i, j, x, y, z], ...]}", "");
    return;
  }
  for (int p = 0; p < n->count; p++) {
    const YamlNode* rows = n->pairs[p].value;
    const int k = find_node(r, b, n->pairs[p].key);
    if (k < 0) continue;
    if (rows->kind != YAML_LIST) {
      sar_yaml_expected(r, rows, "[[i, j, x, y, z], ...]", "");
      continue;
    }
    for (int i = 0; i < rows->count; i++) {
      double x[5];
      if (sar_yaml_some(r, rows->items[i], 5, 5, "[i, j, x, y, z]", x) < 0) return;
      if (!(x[0] >= 1 && x[0] <= s->modes && x[1] >= 1 && x[1] <= s->modes) ||
          x[0] != floor(x[0]) || x[1] != floor(x[1])) {
        sar_yaml_report(r, rows->items[i]->loc, "modes count from 1",
                        "there are no modes %g and %g", x[0], x[1]);
        return;
      }
      s->bend[k * sar_pairs(s->modes) + sar_pair((int)x[0] - 1, (int)x[1] - 1)] = v3_load(x + 2);
    }
  }
}

// It follows the name of the body, so it may begin with a digit.
static bool is_node_name(YamlReader* r, const YamlNode* key) {
  const char* t = key->text;
  while (isalnum((unsigned char)*t) || *t == '_') t++;
  if (*t == '\0' && t > key->text && strncmp(key->text, "mode", 4) != 0) return true;
  sar_yaml_report(r, key->loc, "letters, digits and '_', not beginning with 'mode'",
                  "'%.40s' cannot be the name of a node", key->text);
  return false;
}

void sar_yaml_modal_shape(YamlReader* r, YamlModal* b, double* frequency) {
  SpecModal* spec = &b->spec;
  for (int k = 0; k < spec->shape->nodes; k++) {
    const YamlPair* p = &b->nodes->pairs[k];
    spec->node[k] = (SpecName){p->key->text, p->key->loc};
    if (is_node_name(r, p->key)) read_node(r, p->value, spec->shape, k);
  }
  for (int i = 0; i < spec->shape->modes; i++) read_mode(r, b, b->modes->items[i], i, frequency);
  if (b->stiffness) read_stiffness(r, b);
  if (b->bend) read_bend(r, b);
}
