// The section `modal_bodies`: {name: {nodes: {...}, modes: [...]}}.
//
//   nodes: {tip: {at: [2, 0, 0], mass: 0.1, inertia: [0, 1e-3, 1e-3]}, mid: [1, 0, 0]}
//   modes:
//     - {frequency: 4.4, damping: 0.01, shape: {tip: [0, 0, 1, 0, -0.69, 0], mid: [0, 0, 0.34]}}
//
// Its numbers are known when the file is read: expressions of parameters.
#include "io/fem.h"
#include "io/yaml_read.h"
#include "model/modal_basis.h"
#include "model/modal_lumps.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// What is read of one body until all of it is there.
typedef struct Modal {
  SpecModal spec;
  const YamlNode *nodes, *modes, *stiffness, *bend, *damping, *use, *attach;
  SpecName file;
} Modal;

static void keep_node(YamlReader* r, const YamlNode* n, void* into) {
  (void)r;
  *(const YamlNode**)into = n;
}

// ---- numbers ------------------------------------------------------------------------------------------

static bool read_number(YamlReader* r, const YamlNode* n, double* x) {
  if (n->kind != YAML_TEXT) {
    sar_yaml_expected(r, n, "a number", "");
    return false;
  }
  if (!sar_yaml_constant(r, n, n->index, x)) return false;
  if (isfinite(*x)) return true;
  sar_yaml_report(r, n->loc, "", "expected a finite number, found %g", *x);
  return false;
}

// least ... most numbers; those that are not there are 0. Returns how many there are, -1 after a report.
static int read_list(YamlReader* r, const YamlNode* n, int least, int most, const char* what,
                     double* x) {
  for (int i = 0; i < most; i++) x[i] = 0;
  if (n->kind != YAML_LIST || n->count < least || n->count > most) {
    sar_yaml_expected(r, n, what, "");
    return -1;
  }
  for (int i = 0; i < n->count; i++)
    if (!read_number(r, n->items[i], &x[i])) return -1;
  return n->count;
}

// ---- nodes --------------------------------------------------------------------------------------------

typedef struct NodeItem {
  double at[3], mass, com[3], inertia[6], rpy[3];
  bool placed;
} NodeItem;

static void read_at(YamlReader* r, const YamlNode* n, void* into) {
  NodeItem* x = into;
  x->placed = true;
  read_list(r, n, 3, 3, "[x, y, z]", x->at);
}
static void read_three(YamlReader* r, const YamlNode* n, void* into) {
  read_list(r, n, 3, 3, "three numbers", into);
}
static void read_inertia(YamlReader* r, const YamlNode* n, void* into) {
  const int count =
      read_list(r, n, 3, 6, "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]", into);
  if (count == 4 || count == 5)
    sar_yaml_expected(r, n, "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]", "");
}
static void read_one(YamlReader* r, const YamlNode* n, void* into) { read_number(r, n, into); }

static void set_node(const NodeItem* x, SarModalShape* s, int k) {
  const double *a = x->rpy, *J = x->inertia;
  const M3 R = m3_mul(m3_mul(m3_rot_z(cos(a[2]), sin(a[2])), m3_rot_y(cos(a[1]), sin(a[1]))),
                      m3_rot_x(cos(a[0]), sin(a[0])));
  const V3 com = v3_load(x->com);
  const S3 at = s3_scale(x->mass, s3_of_point(com));
  s->X[k] = (Xform){R, v3_load(x->at)};
  s->inertia[k] =
      (Inertia){.I = {.xx = J[0] + at.xx,
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
    sar_yaml_report(r, n->loc, "", "the mass of a node is negative: %g", x->mass);
  if (J[0] < 0 || J[1] < 0 || J[2] < 0)
    sar_yaml_report(r, n->loc, "", "a moment of inertia of a node is negative");
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

// ---- modes --------------------------------------------------------------------------------------------

// The node that a key names; -1 after a report.
static int find_node(YamlReader* r, const Modal* b, const YamlNode* key) {
  const int k = sar_yaml_find_key(b->nodes, key->text);
  if (k >= 0) return k;
  sar_yaml_report(r, key->loc, "as under 'nodes'", "there is no node '%.40s'", key->text);
  return -1;
}

static void read_shape(YamlReader* r, const Modal* b, const YamlNode* n, int mode) {
  SarModalShape* s = b->spec.shape;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "{node: [ux, uy, uz, rx, ry, rz], ...}", "");
    return;
  }
  for (int i = 0; i < n->count; i++) {
    double x[6];
    const int k = find_node(r, b, n->pairs[i].key);
    if (k < 0) continue;
    const int count = read_list(r, n->pairs[i].value, 3, 6,
                                "[ux, uy, uz] or [ux, uy, uz, rx, ry, rz]", x);
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

static void read_mode(YamlReader* r, const Modal* b, const YamlNode* n, int i, double* frequency) {
  static const YamlField fields[] = {
      {"frequency", offsetof(ModeItem, frequency), read_one},
      {"stiffness", offsetof(ModeItem, stiffness), read_one},
      {"damping", offsetof(ModeItem, damping), read_one},
      {"shape", offsetof(ModeItem, shape), keep_node},
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
    sar_yaml_report(r, n->loc, "", "frequency or stiffness of a mode is negative");
}

// A full matrix, where modes are not orthogonal.
static void read_stiffness(YamlReader* r, const Modal* b) {
  SarModalShape* s = b->spec.shape;
  const int n = s->modes;
  if (b->stiffness->kind != YAML_LIST || b->stiffness->count != n) {
    sar_yaml_expected(r, b->stiffness, "as many rows as there are modes", "");
    return;
  }
  for (int i = 0; i < n; i++)
    if (read_list(r, b->stiffness->items[i], n, n, "as many numbers as there are modes",
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
static void read_bend(YamlReader* r, const Modal* b) {
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
      if (read_list(r, rows->items[i], 5, 5, "[i, j, x, y, z]", x) < 0) return;
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

// One ratio for all modes that have none of their own, or one each.
static void read_damping(YamlReader* r, const YamlNode* n, SarModalShape* s) {
  double one = 0;
  if (n->kind == YAML_LIST) {
    read_list(r, n, s->modes, s->modes, "one ratio for all modes, or one each", s->damping);
    return;
  }
  if (!read_number(r, n, &one)) return;
  for (int i = 0; i < s->modes; i++)
    if (s->damping[i] == 0) s->damping[i] = one;
}

static int read_use(YamlReader* r, const YamlNode* n, int modes) {
  double x = 0;
  if (!read_number(r, n, &x)) return modes;
  if (x >= 1 && x <= modes && x == floor(x)) return (int)x;
  sar_yaml_report(r, n->loc, "", "expected a whole number from 1 to %d, found %g", modes, x);
  return modes;
}

// ---- bodies -------------------------------------------------------------------------------------------

static bool has_size(YamlReader* r, const YamlNode* at, const Modal* b) {
  if (!b->nodes || b->nodes->kind != YAML_MAP || b->nodes->count == 0) {
    sar_yaml_report(r, b->nodes ? b->nodes->loc : at->loc, "as in nodes: {tip: [1, 0, 0]}",
                    "a modal body needs 'nodes'");
    return false;
  }
  if (!b->modes || b->modes->kind != YAML_LIST || b->modes->count == 0) {
    sar_yaml_report(r, b->modes ? b->modes->loc : at->loc,
                    "as in modes: [{frequency: 5, shape: {tip: [0, 0, 1]}}]",
                    "a modal body needs a list of 'modes'");
    return false;
  }
  if (b->modes->count > SAR_MOST_MODES || b->nodes->count > SAR_MOST_NODES) {
    sar_yaml_report(r, at->loc, "", "a modal body has at most %d modes and %d nodes",
                    SAR_MOST_MODES, SAR_MOST_NODES);
    return false;
  }
  return true;
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

// ---- files ---------------------------------------------------------------------------------------------

static void read_text(YamlReader* r, Modal* b, const char* text, size_t size) {
  SarReading* reading = r->source->reading;
  const char** names = NULL;
  if (size + 1024 > reading->bytes_left) {
    sar_yaml_report(r, b->file.loc, "", "the files are larger than %d MiB in all",
                    SAR_MAX_INCLUDED >> 20);
    return;
  }
  reading->bytes_left -= size + 1024;
  if (!sar_fem_read(r->arena, text, size, b->file.text, &b->spec.shape, &names, r->err)) return;
  const int nodes = b->spec.shape->nodes;
  b->spec.node = SAR_ARENA_ARRAY(r->arena, SpecName, nodes);
  for (int k = 0; b->spec.node && k < nodes; k++)
    b->spec.node[k] = (SpecName){names[k], b->file.loc};
}

// From a text of the options, if the model is one from memory, else from a file.
static void read_file(YamlReader* r, Modal* b) {
  const SarTextFile* memory = sar_yaml_find_text(r, &b->file);
  if (memory) {
    read_text(r, b, memory->size ? memory->text : "", memory->size);
    return;
  }
  SarFileText file;
  const char* path = sar_yaml_find_file(r, &b->file, false);
  if (!path) return;
  sar_note_file(r->source->reading->options, path);
  const SarStatus st =
      sar_file_open_in(r->arena->budget, path, SAR_MAX_FILE, true, b->file.loc, &file, r->err);
  if (st == SAR_NO_MEMORY) r->arena->failed = 1;
  if (st == SAR_OK) read_text(r, b, file.text, file.size);
  sar_file_close(&file);
}

// ---- few points of mass for many nodes -------------------------------------------------------------------

static bool find_attached(YamlReader* r, const Modal* b, bool* keep) {
  const int nodes = b->spec.shape->nodes;
  if (b->attach->kind != YAML_LIST) {
    sar_yaml_expected(r, b->attach, "a list of nodes that stay bodies", "");
    return false;
  }
  for (int i = 0; i < b->attach->count; i++) {
    const YamlNode* n = b->attach->items[i];
    int k = 0;
    if (n->kind != YAML_TEXT) {
      sar_yaml_expected(r, n, "the name of a node", "");
      return false;
    }
    while (k < nodes && strcmp(b->spec.node[k].text, n->text) != 0) k++;
    if (k == nodes) {
      sar_yaml_report(r, n->loc, "", "there is no node '%.40s'", n->text);
      return false;
    }
    keep[k] = true;
  }
  return true;
}

// Keeps the nodes that `attach` names, and puts the masses of all into as few points as say the same.
static void read_attach(YamlReader* r, Modal* b) {
  SpecModal* spec = &b->spec;
  bool* keep = SAR_ARENA_ARRAY(r->arena, bool, spec->shape->nodes);
  int lumps = 0, at = 0;
  if (spec->shape->bend) {
    sar_yaml_report(r, b->attach->loc, "leave out 'attach': all nodes stay bodies then",
                    "'attach' does not go with 'bend'");
    return;
  }
  if (!keep || !find_attached(r, b, keep)) return;
  SarModalShape* shape = sar_modal_lumps(r->arena, spec->shape, keep, &lumps);
  SpecName* names = SAR_ARENA_ARRAY(r->arena, SpecName, shape ? shape->nodes + 1 : 1);
  if (!shape || !names) return;
  for (int k = 0; k < spec->shape->nodes; k++)
    if (keep[k]) names[at++] = spec->node[k];
  for (int k = 0; k < lumps; k++)
    names[at++] = (SpecName){sar_arena_printf(r->arena, "mass%d", k + 1), b->attach->loc};
  spec->shape = shape;
  spec->node = names;
}

// Made orthogonal, with as many modes as are wanted.
static void finish(YamlReader* r, SarLoc loc, Modal* b, const double* frequency) {
  const int modes = b->spec.shape->modes, errors = sar_yaml_errors(r);
  if (b->damping) read_damping(r, b->damping, b->spec.shape);
  const int keep = b->use ? read_use(r, b->use, modes) : modes;
  if (sar_yaml_errors(r) != errors) return;
  const char* wrong = sar_modal_orthogonal(r->arena, b->spec.shape, frequency, keep);
  if (wrong)
    sar_yaml_report(r, loc, "nodes that modes move have 'mass'", "the modes %s", wrong);
  else if (b->attach && !r->arena->failed)
    read_attach(r, b);
}

static void read_all(YamlReader* r, const YamlNode* at, Modal* b) {
  SpecModal* spec = &b->spec;
  if (b->file.text) {
    if (b->nodes || b->modes || b->stiffness || b->bend)
      sar_yaml_report(r, b->file.loc, "", "a body from a file has no nodes, modes or stiffness here");
    else
      read_file(r, b);
    if (spec->shape && !r->arena->failed) finish(r, b->file.loc, b, NULL);
    return;
  }
  if (!has_size(r, at, b)) return;
  const int nodes = b->nodes->count, modes = b->modes->count, errors = sar_yaml_errors(r);
  double* frequency = SAR_ARENA_ARRAY(r->arena, double, modes);
  spec->shape = sar_modal_shape_new(r->arena, nodes, modes, b->bend != NULL);
  spec->node = SAR_ARENA_ARRAY(r->arena, SpecName, nodes);
  if (r->arena->failed) return;
  for (int k = 0; k < nodes; k++) {
    const YamlPair* p = &b->nodes->pairs[k];
    spec->node[k] = (SpecName){p->key->text, p->key->loc};
    if (is_node_name(r, p->key)) read_node(r, p->value, spec->shape, k);
  }
  for (int i = 0; i < modes; i++) read_mode(r, b, b->modes->items[i], i, frequency);
  if (b->stiffness) read_stiffness(r, b);
  if (b->bend) read_bend(r, b);
  if (sar_yaml_errors(r) == errors) finish(r, b->modes->loc, b, frequency);
}

// One number for all modes, or one each.
static void read_values(YamlReader* r, const YamlNode* n, void* into) {
  SpecDofs* dofs = into;
  const bool one = n->kind == YAML_TEXT;
  if (!one && (n->kind != YAML_LIST || n->count == 0)) {
    sar_yaml_expected(r, n, "a number, or a list of one for each mode", "");
    return;
  }
  *dofs = (SpecDofs){SAR_ARENA_ARRAY(r->arena, SpecNum, one ? 1 : n->count), one ? 1 : n->count,
                     n->loc};
  for (int i = 0; dofs->c && i < dofs->count; i++)
    sar_yaml_num(r, one ? n : n->items[i], &dofs->c[i]);
}

static void check_values(YamlReader* r, const SpecDofs* dofs, int modes, const char* key) {
  if (dofs->count > 1 && dofs->count != modes)
    sar_yaml_report(r, dofs->loc, "give one number for all modes, or one for each",
                    "'%s' has %d values, but the body has %d modes", key, dofs->count, modes);
}

static void read_modal(YamlReader* r, SpecName name, const YamlNode* n) {
  static const YamlField fields[] = {
      YAML_POSE_FIELDS(Modal, spec.body.pose),
      {"in", offsetof(Modal, spec.body.in), sar_yaml_name},
      {"position", offsetof(Modal, spec.position), read_values},
      {"speed", offsetof(Modal, spec.speed), read_values},
      {"radius", offsetof(Modal, spec.radius), sar_yaml_num},
      {"nodes", offsetof(Modal, nodes), keep_node},
      {"modes", offsetof(Modal, modes), keep_node},
      {"stiffness", offsetof(Modal, stiffness), keep_node},
      {"bend", offsetof(Modal, bend), keep_node},
      {"damping", offsetof(Modal, damping), keep_node},
      {"use", offsetof(Modal, use), keep_node},
      {"file", offsetof(Modal, file), sar_yaml_name},
      {"attach", offsetof(Modal, attach), keep_node},
  };
  SpecModal* spec = SAR_LIST_ADD(r->arena, &r->spec->modals);
  if (!spec) return;
  const int errors = sar_yaml_errors(r);
  Modal b = {.spec = {.body = {.name = name}}};
  YAML_FIELDS(r, n, fields, &b);
  r->key = NULL;
  if (sar_yaml_errors(r) == errors) read_all(r, n, &b);
  if (sar_yaml_errors(r) == errors && b.spec.shape) {
    check_values(r, &b.spec.position, b.spec.shape->modes, "position");
    check_values(r, &b.spec.speed, b.spec.shape->modes, "speed");
  }
  *spec = b.spec;
  // bodies that others may refer to are not there
  if (sar_yaml_errors(r) != errors || !spec->shape) {
    spec->wrong = true;
    sar_yaml_lose(r, SPEC_LOST_BODIES | SPEC_LOST_JOINTS);
  }
}

void sar_yaml_modals(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "modal body", read_modal);
}
