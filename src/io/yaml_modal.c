// The section `modal_bodies`: {name: {nodes: {...}, modes: [...]}}.
//
//   nodes: {tip: {at: [2, 0, 0], mass: 0.1, inertia: [0, 1e-3, 1e-3]}, mid: [1, 0, 0]}
//   modes:
//     - {frequency: 4.4, damping: 0.01, shape: {tip: [0, 0, 1, 0, -0.69, 0], mid: [0, 0, 0.34]}}
//
// Its numbers are known when the file is read: expressions of parameters.
#include "io/fem.h"
#include "io/modal_hdf5.h"
#include "io/yaml_modal.h"
#include "model/modal_basis.h"
#include "model/modal_lumps.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// One ratio for all modes that have none of their own, or one each.
static void read_damping(YamlReader* r, const YamlNode* n, SarModalShape* s) {
  double one = 0;
  if (n->kind == YAML_LIST) {
    sar_yaml_some(r, n, s->modes, s->modes, "one ratio for all modes, or one each", s->damping);
    return;
  }
  if (!sar_yaml_finite(r, n, &one)) return;
  for (int i = 0; i < s->modes; i++)
    if (s->damping[i] == 0) s->damping[i] = one;
}

static int read_use(YamlReader* r, const YamlNode* n, int modes) {
  double x = 0;
  if (!sar_yaml_finite(r, n, &x)) return modes;
  if (x >= 1 && x <= modes && x == floor(x)) return (int)x;
  sar_yaml_report(r, n->loc, "", "expected a whole number from 1 to %d, found %g", modes, x);
  return modes;
}

// ---- bodies -------------------------------------------------------------------------------------

static bool has_size(YamlReader* r, const YamlNode* at, const YamlModal* b) {
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

// ---- files --------------------------------------------------------------------------------------

static void read_text(YamlReader* r, YamlModal* b, const char* text, size_t size) {
  SarReading* reading = r->source->reading;
  const char** names = NULL;
  if (size + 1024 > reading->bytes_left) {
    sar_yaml_report(r, b->file.loc, "", "the files are larger than %d MiB in all",
                    SAR_MAX_INCLUDED >> 20);
    return;
  }
  reading->bytes_left -= size + 1024;
  const bool read =
      sar_is_hdf5(text, size)
          ? sar_modal_hdf5_read(r->arena, text, size, b->file.text, &b->spec.shape, &names, r->err)
          : sar_fem_read(r->arena, text, size, b->file.text, &b->spec.shape, &names, r->err);
  if (!read) return;
  const int nodes = b->spec.shape->nodes;
  b->spec.node = SAR_ARENA_ARRAY(r->arena, SpecName, nodes);
  for (int k = 0; b->spec.node && k < nodes; k++)
    b->spec.node[k] = (SpecName){names[k], b->file.loc};
}

// From a text of the options, if the model is one from memory, else from a file.
static void read_file(YamlReader* r, YamlModal* b) {
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

// ---- few points of mass for many nodes ----------------------------------------------------------

static bool find_attached(YamlReader* r, const YamlModal* b, bool* keep) {
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
      sar_yaml_report(r, n->loc, "as under 'nodes', or by its label in the file",
                      "there is no node '%.40s'", n->text);
      return false;
    }
    keep[k] = true;
  }
  return true;
}

// Keeps the nodes that `attach` names, and puts the masses of all into as few points as say the
// same.
static void read_attach(YamlReader* r, YamlModal* b) {
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
static void finish(YamlReader* r, SarLoc loc, YamlModal* b, const double* frequency) {
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

static void read_all(YamlReader* r, const YamlNode* at, YamlModal* b) {
  SpecModal* spec = &b->spec;
  if (b->file.text) {
    if (b->nodes || b->modes || b->stiffness || b->bend)
      sar_yaml_report(r, b->file.loc, "leave them out, or the file",
                      "a body from a file has no nodes, modes or stiffness here");
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
  sar_yaml_modal_shape(r, b, frequency);
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
      YAML_POSE_FIELDS(YamlModal, spec.body.pose),
      {"in", offsetof(YamlModal, spec.body.in), sar_yaml_name},
      {"position", offsetof(YamlModal, spec.position), read_values},
      {"speed", offsetof(YamlModal, spec.speed), read_values},
      {"radius", offsetof(YamlModal, spec.radius), sar_yaml_num},
      {"nodes", offsetof(YamlModal, nodes), sar_yaml_keep},
      {"modes", offsetof(YamlModal, modes), sar_yaml_keep},
      {"stiffness", offsetof(YamlModal, stiffness), sar_yaml_keep},
      {"bend", offsetof(YamlModal, bend), sar_yaml_keep},
      {"damping", offsetof(YamlModal, damping), sar_yaml_keep},
      {"use", offsetof(YamlModal, use), sar_yaml_keep},
      {"file", offsetof(YamlModal, file), sar_yaml_name},
      {"attach", offsetof(YamlModal, attach), sar_yaml_keep},
  };
  SpecModal* spec = SAR_LIST_ADD(r->arena, &r->spec->modals);
  if (!spec) return;
  const int errors = sar_yaml_errors(r);
  YamlModal b = {.spec = {.body = {.name = name}}};
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
