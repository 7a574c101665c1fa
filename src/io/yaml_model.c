// The top level of a model file.
#include "io/reader.h"
#include "io/yaml_read.h"
#include "model/signal_kind.h"

#include <stddef.h>
#include <string.h>

static void read_version(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  if (n->kind == YAML_TEXT && strcmp(n->text, "1") == 0) return;
  sar_yaml_expected(r, n, "1, the version of this format", "");
}

// ---- named values --------------------------------------------------------------------------

static void check_value_name(YamlReader* r, SpecName name) {
  if (strcmp(name.text, "t") == 0 || sar_expr_is_reserved(name.text))
    sar_report(r->err, name.loc, "choose another name",
               "'%s' has a meaning of its own in expressions", name.text);
}

static void add_value(YamlReader* r, SpecName name, const YamlNode* n, SpecParameter* value) {
  if (!value) return;
  check_value_name(r, name);
  value->name = name;
  sar_yaml_num(r, n, &value->value);
}

static void read_parameter(YamlReader* r, SpecName name, const YamlNode* n) {
  add_value(r, name, n, SAR_LIST_ADD(r->arena, &r->spec->parameters));
}

static void read_variable(YamlReader* r, SpecName name, const YamlNode* n) {
  add_value(r, name, n, SAR_LIST_ADD(r->arena, &r->spec->variables));
}

static void read_input(YamlReader* r, SpecName name, const YamlNode* n) {
  SpecParameter* value = SAR_LIST_ADD(r->arena, &r->spec->inputs);
  if (n->kind != YAML_MAP) {
    add_value(r, name, n, value);
  } else if (value) {
    check_value_name(r, name);
    value->name = name;
    sar_yaml_input(r, n, value);
  }
}

static void read_state(YamlReader* r, SpecName name, const YamlNode* n) {
  static const YamlField fields[] = {
      {"rate", offsetof(SpecState, rate.value), sar_yaml_num},
      {"start", offsetof(SpecState, start), sar_yaml_num},
  };
  SpecState* state = SAR_LIST_ADD(r->arena, &r->spec->states);
  if (!state) return;
  state->rate.name = name;
  check_value_name(r, name);
  YAML_FIELDS(r, n, fields, state);
  if (n->kind == YAML_MAP && !state->rate.value.expr)
    sar_yaml_report(r, n->loc, "as in {rate: (target - x)/T, start: 0}", "a state needs a 'rate'");
}

static void read_parameters(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "parameter", read_parameter);
}

static void read_variables(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "variable", read_variable);
}

static void read_inputs(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "input", read_input);
}

static void read_states(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "state", read_state);
}

static void read_points(YamlReader* r, const YamlNode* n, void* into) {
  SarSpec* spec = into;
  // points of included files may be there already
  int count = 0;
  const SpecFrame* frames = sar_yaml_frames(r, n, &count);
  for (int i = 0; i < count; i++) {
    SpecFrame* frame = SAR_LIST_ADD(r->arena, &spec->ground_frames);
    if (frame) *frame = frames[i];
  }
}

static void read_ground(YamlReader* r, const YamlNode* n, void* into) {
  static const YamlField fields[] = {{"contact", 0, sar_yaml_touch}};
  YAML_INNER_FIELDS(r, n, fields, into);
}

static void keep_adjust(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  const YamlNode** slot = SAR_LIST_ADD(r->arena, &r->adjust);
  if (slot) *slot = n;
}

static void read_simulation(YamlReader* r, const YamlNode* n, void* into) {
#define NUM(name) \
  { #name, offsetof(SpecSimulation, name), sar_yaml_num }
  static const YamlField fields[] = {
      NUM(end),
      NUM(step),
      NUM(output_step),
      {"formulation", offsetof(SpecSimulation, formulation), sar_yaml_name},
      {"integrator", offsetof(SpecSimulation, integrator), sar_yaml_name},
      {"coordinates", offsetof(SpecSimulation, coordinates), sar_yaml_name},
      NUM(rtol),
      NUM(atol),
      NUM(max_step),
      NUM(newton_tolerance),
      {"kinematics", offsetof(SpecSimulation, kinematics), sar_yaml_name},
      {"adaptive", offsetof(SpecSimulation, adaptive), sar_yaml_bool},
  };
#undef NUM
  SpecSimulation* simulation = into;
  simulation->loc = n->loc;
  YAML_INNER_FIELDS(r, n, fields, simulation);
}

// Read with the keys around them; here only if the word is misspelt.
static void pass_parts(YamlReader* r, const YamlNode* n, void* into) {
  (void)r, (void)n, (void)into;
}

static const YamlField top[] = {
    {"sarrus", 0, read_version},
    {"name", offsetof(SarSpec, name), sar_yaml_name},
    {"parameters", 0, read_parameters},
    {"gravity", offsetof(SarSpec, gravity), sar_yaml_gravity},
    {"planar", offsetof(SarSpec, planar), sar_yaml_name},
    {"include", 0, sar_yaml_include},
    {"inputs", 0, read_inputs},
    {"variables", 0, read_variables},
    {"states", 0, read_states},
    {"signals", 0, sar_yaml_signals},
    {"hydraulics", 0, sar_yaml_hydraulics},
    {"points", 0, read_points},
    {"bodies", 0, sar_yaml_bodies},
    {"joints", 0, sar_yaml_joints},
    {"forces", 0, sar_yaml_forces},
    {"constraints", 0, sar_yaml_constraints},
    {"roads", 0, sar_yaml_roads},
    {"air", 0, sar_yaml_air},
    {"airfoils", 0, sar_yaml_airfoils},
    {"beams", 0, sar_yaml_beams},
    {"modal_bodies", 0, sar_yaml_modals},
    {"ground", offsetof(SarSpec, ground_touch), read_ground},
    {"contact", offsetof(SarSpec, contact), sar_yaml_contact},
    {"tables", 0, sar_yaml_tables},
    {"adjust", 0, keep_adjust},
    {"simulation", offsetof(SarSpec, simulation), read_simulation},
    {"initial", 0, sar_yaml_initial},
    {"keys", 0, sar_yaml_keys},
    {"outputs", 0, sar_yaml_outputs},
    {"parts", 0, pass_parts},
};

// ---- which keys there are ------------------------------------------------------------------

typedef SAR_LIST(YamlPair) Pairs;

static void add_pairs(YamlReader* r, const YamlNode* map, bool part, Pairs* pairs);

// What a model as a whole has; all else may stand in its parts too.
static bool is_of_the_whole(const char* key) {
  static const char* const keys[] = {"sarrus", "name",       "parameters", "gravity",
                                     "planar", "simulation", "air"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(keys[i], key) == 0) return true;
  return false;
}

// `parts`: a list of pieces with sections of their own, which belong to the model as if it had
// them.
static void add_parts(YamlReader* r, const YamlNode* n, Pairs* pairs) {
  static const char what[] = "a list of parts [{bodies: ..., joints: ...}, ...]";
  r->key = "parts";
  if (n->kind != YAML_LIST && !sar_yaml_is_null(n)) {
    sar_yaml_lose(r, SPEC_LOST_NAMES);
    sar_yaml_expected(r, n, what, "");
  }
  for (int i = 0; n->kind == YAML_LIST && i < n->count; i++) {
    if (n->items[i]->kind == YAML_MAP)
      add_pairs(r, n->items[i], true, pairs);
    else
      sar_yaml_expected(r, n->items[i], "a part {bodies: ..., joints: ...}", "");
  }
  r->key = NULL;
}

// The keys of a mapping, in order, those of its parts after them. Keys that begin with "x-" are the
// author's own: a place for anchors.
static void add_pairs(YamlReader* r, const YamlNode* map, bool part, Pairs* pairs) {
  for (int i = 0; i < map->count; i++) {
    const YamlPair* pair = &map->pairs[i];
    if (strncmp(pair->key->text, "x-", 2) == 0 || strcmp(pair->key->text, "parts") == 0) continue;
    if (strcmp(pair->key->text, "repeat") == 0) {
      sar_yaml_lose(r, SPEC_LOST_NAMES);
      sar_report(r->err, pair->key->loc,
                 "put it into an item of a section or list, as in parts: [{repeat: {n: 5, as: i}, "
                 "bodies: ...}]",
                 "'repeat' cannot repeat the whole model");
      continue;
    }
    if (part && is_of_the_whole(pair->key->text)) {
      sar_report(r->err, pair->key->loc, "put it at the top level",
                 "parts: '%s' is for the model as a whole", pair->key->text);
      continue;
    }
    YamlPair* slot = SAR_LIST_ADD(r->arena, pairs);
    if (slot) *slot = *pair;
  }
  const int parts = sar_yaml_find_meant(map, "parts");
  if (parts >= 0) add_parts(r, map->pairs[parts].value, pairs);
}

static void read_top(YamlReader* r, const YamlNode* root) {
  static const char first[] = "a model file begins with the line 'sarrus: 1'";
  SarLoc start = {r->spec->file, 1, 1};
  if (!root || sar_yaml_is_null(root)) {
    sar_report(r->err, start, first, "the file is empty");
    return;
  }
  if (root->kind != YAML_MAP) {
    sar_report(r->err, root->loc, first, "expected a mapping {key: value, ...}, found %s",
               sar_yaml_kind_text(root));
    return;
  }
  const int couple = sar_yaml_find_key(root, "couple");
  if (couple >= 0) {
    sar_report(r->err, root->pairs[couple].key->loc,
               "'sarrus run', 'rt' and 'view' take it; other commands take one of its models",
               "this file couples several models, it is none itself");
    return;
  }
  r->spec->lost &= ~(unsigned)SPEC_UNREAD;
  root = sar_yaml_repeat(r, root);
  if (!root) return;
  YamlNode map = *root;
  Pairs pairs = {0};
  add_pairs(r, root, false, &pairs);
  map.pairs = pairs.items;
  map.count = pairs.count;
  if (sar_yaml_find_key(&map, "sarrus") < 0)
    sar_report(r->err, start, first, "the key 'sarrus' (version of the format) is missing");
  // expressions anywhere in the file may name its tables
  for (int tables = 1; tables >= 0; tables--)
    for (int i = 0; i < map.count; i++)
      if ((strcmp(map.pairs[i].key->text, "tables") == 0) == tables &&
          !sar_yaml_field(r, &map, &map.pairs[i], top, (int)(sizeof top / sizeof *top), r->spec))
        sar_yaml_lose(r, SPEC_LOST_NAMES);  // it may have been meant as a section
  if (!sar_circuit_close(r->spec, r->err)) r->arena->failed = 1;
  sar_yaml_release_roots(r);
  for (int i = 0; i < r->adjust.count; i++) sar_yaml_adjust(r, r->adjust.items[i]);
}

SarStatus sar_read_yaml_source(const char* text, size_t n, const SarSource* source, SarSpec* spec,
                               SarError* err) {
  SarReading* reading = source->reading;
  int errors = err->errors;
  const YamlNode* root = NULL;
  SarArena tree;  // dies here; the spec keeps only its texts
  YamlReader r = {.spec = spec, .arena = &spec->arena, .err = err, .source = source, .item = ""};
  spec->lost = SPEC_UNREAD;
  spec->file = sar_arena_strdup(&spec->arena, source->name);
  if (!spec->file) return SAR_NO_MEMORY;
  sar_arena_beside(&tree, &spec->arena);
  SarStatus st =
      sar_yaml_tree(&tree, &spec->arena, text, n, spec->file, reading->nodes_left, &root, err);
  if (st == SAR_OK) {
    if (root) reading->nodes_left -= root->size;
    read_top(&r, root);
  }
  sar_arena_free(&tree);
  if (st != SAR_OK) return st;
  if (spec->arena.failed) return SAR_NO_MEMORY;
  return err->errors > errors ? SAR_BAD_MODEL : SAR_OK;
}

SarStatus sar_read_yaml(const char* text, size_t n, const char* file, const SarLoadOptions* o,
                        SarSpec* spec, SarError* err) {
  SarReading reading = sar_reading(o);
  SarSource source = {.name = file, .reading = &reading};
  return sar_read_yaml_source(text, n, &source, spec, err);
}
