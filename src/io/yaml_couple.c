// `couple`: several models side by side, each a simulator with a rate of its own, and what they
// exchange where frames begin (co-simulation with a fixed communication step).
//
//   couple:
//     rate: 400
//     simulators: {main: {model: main.yaml}, tail: {model: tail.yaml, rate: 2000, core: 1}}
//     exchange: {tail.hub_*: main.fin.*, main.load_*: {from: tail.mount.*, extrapolate: linear}}
//     energy: [main.push.work, tail.work.carry]
#include "io/yaml_couple.h"

#include "base/print.h"
#include "io/yaml_read.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// The reader's `into` of the sections is the whole, of the fields the item.

static void read_positive(YamlReader* r, const YamlNode* n, void* into) {
  double x;
  if (n->kind != YAML_TEXT || sar_yaml_is_null(n)) {
    sar_yaml_expected(r, n, "a number > 0", "");
    return;
  }
  if (!sar_yaml_constant(r, n, n->index, &x)) return;
  if (x > 0 && isfinite(x))
    *(double*)into = x;
  else
    sar_yaml_report(r, n->loc, "", "expected a number > 0, found %g", x);
}

// ---- simulators ---------------------------------------------------------------------------------

static void read_core(YamlReader* r, const YamlNode* n, void* into) {
  double x;
  if (n->kind != YAML_TEXT || sar_yaml_is_null(n)) {
    sar_yaml_expected(r, n, "the number of a core", "");
    return;
  }
  if (!sar_yaml_constant(r, n, n->index, &x)) return;
  if (x >= 0 && x < 4096 && x == floor(x))
    *(int*)into = (int)x;
  else
    sar_yaml_report(r, n->loc, "", "expected a whole number from 0 to 4095, found %g", x);
}

static void read_set(YamlReader* r, const YamlNode* n, void* into) {
  CoupleSimulator* s = into;
  if (sar_yaml_is_null(n)) return;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "a mapping {parameter: value, ...}", "");
    return;
  }
  for (int i = 0; i < n->count; i++) {
    double x = 0;
    const YamlNode* value = n->pairs[i].value;
    if (value->kind != YAML_TEXT || sar_yaml_is_null(value))
      sar_yaml_expected(r, value, "a number", "");
    else if (sar_yaml_constant(r, value, value->index, &x)) {
      SarParameter* p = SAR_LIST_ADD(r->arena, &s->set);
      if (p) *p = (SarParameter){.name = n->pairs[i].key->text, .value = x};
    }
  }
}

static void read_model(YamlReader* r, const YamlNode* n, void* into) {
  CoupleSimulator* s = into;
  sar_yaml_name(r, n, &s->model);
  if (s->model.text) s->path = sar_yaml_find_file(r, &s->model, true);
}

static const YamlField simulator_fields[] = {
    {"model", 0, read_model},
    {"rate", offsetof(CoupleSimulator, rate), read_positive},
    {"core", offsetof(CoupleSimulator, core), read_core},
    {"set", 0, read_set},
};

static void read_simulators(YamlReader* r, const YamlNode* n, void* into) {
  SarCoupleSpec* c = into;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "a mapping {name: {model: FILE}, ...}", "");
    return;
  }
  const YamlScope outer = sar_yaml_enter(r);
  for (int i = 0; i < n->count; i++) {
    const YamlPair* pair = &n->pairs[i];
    CoupleSimulator* s = SAR_LIST_ADD(r->arena, &c->simulators);
    if (!s) break;
    *s = (CoupleSimulator){.name = {pair->key->text, pair->key->loc}, .core = -1};
    const int before = sar_yaml_errors(r);
    const char* item = sar_arena_printf(r->arena, "simulator '%.60s'", pair->key->text);
    if (item) r->item = item;
    if (!sar_yaml_check_name(r, pair->key, "simulator")) continue;
    YAML_FIELDS(r, pair->value, simulator_fields, s);
    if (!s->model.text && sar_yaml_errors(r) == before)
      sar_yaml_report(r, pair->key->loc, "write {model: FILE.yaml}", "it has no model");
  }
  sar_yaml_leave(r, outer);
}

// ---- what is exchanged --------------------------------------------------------------------------

static void read_gain(YamlReader* r, const YamlNode* n, void* into) {
  double x;
  if (n->kind != YAML_TEXT || sar_yaml_is_null(n)) {
    sar_yaml_expected(r, n, "a number", "");
    return;
  }
  if (!sar_yaml_constant(r, n, n->index, &x)) return;
  if (isfinite(x))
    *(double*)into = x;
  else
    sar_yaml_report(r, n->loc, "", "expected a finite number, found %g", x);
}

static void read_extrapolate(YamlReader* r, const YamlNode* n, void* into) {
  static const char* const words[] = {"hold", "linear"};
  char hint[96];
  SpecName word = {0};
  sar_yaml_name(r, n, &word);
  if (!word.text) return;
  if (strcmp(word.text, words[0]) != 0 && strcmp(word.text, words[1]) != 0)
    sar_yaml_report(r, word.loc, sar_yaml_hint(hint, sizeof hint, word.text, words, 2),
                    "expected hold or linear, found '%.60s'", word.text);
  *(bool*)into = strcmp(word.text, words[1]) == 0;
}

static const YamlField signal_fields[] = {
    {"from", offsetof(CoupleSignal, from), sar_yaml_name},
    {"gain", offsetof(CoupleSignal, gain), read_gain},
    {"extrapolate", offsetof(CoupleSignal, linear), read_extrapolate},
};

static void read_exchange(YamlReader* r, const YamlNode* n, void* into) {
  SarCoupleSpec* c = into;
  if (sar_yaml_is_null(n)) return;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "a mapping {SIMULATOR.INPUT: SIMULATOR.OUTPUT, ...}", "");
    return;
  }
  const YamlScope outer = sar_yaml_enter(r);
  for (int i = 0; i < n->count; i++) {
    const YamlPair* pair = &n->pairs[i];
    CoupleSignal* s = SAR_LIST_ADD(r->arena, &c->signals);
    if (!s) break;
    *s = (CoupleSignal){.to = {pair->key->text, pair->key->loc}, .gain = 1};
    const char* item = sar_arena_printf(r->arena, "exchange: '%.60s'", pair->key->text);
    if (item) r->item = item;
    const int before = sar_yaml_errors(r);
    if (pair->value->kind == YAML_MAP)
      YAML_FIELDS(r, pair->value, signal_fields, s);
    else
      sar_yaml_name(r, pair->value, &s->from);
    if (!s->from.text && sar_yaml_errors(r) == before)
      sar_yaml_report(r, pair->key->loc, "write {from: SIMULATOR.OUTPUT}", "it comes from nowhere");
  }
  sar_yaml_leave(r, outer);
}

static void read_energy(YamlReader* r, const YamlNode* n, void* into) {
  SarCoupleSpec* c = into;
  if (sar_yaml_is_null(n)) return;
  if (n->kind != YAML_LIST) {
    sar_yaml_expected(r, n, "a list of columns [SIMULATOR.OUTPUT, ...]", "");
    return;
  }
  for (int i = 0; i < n->count; i++) {
    SpecName* x = SAR_LIST_ADD(r->arena, &c->energy);
    if (x) sar_yaml_name(r, n->items[i], x);
  }
}

// ---- the file -----------------------------------------------------------------------------------

static const YamlField couple_fields[] = {
    {"rate", offsetof(SarCoupleSpec, rate), read_positive},
    {"end", offsetof(SarCoupleSpec, end), read_positive},
    {"simulators", 0, read_simulators},
    {"exchange", 0, read_exchange},
    {"energy", 0, read_energy},
};

static void read_couple(YamlReader* r, const YamlNode* n, void* into) {
  SarCoupleSpec* c = into;
  c->loc = n->loc;
  const int before = sar_yaml_errors(r);
  YAML_INNER_FIELDS(r, n, couple_fields, c);
  if (sar_yaml_errors(r) > before) return;
  if (!(c->rate > 0))
    sar_yaml_report(r, n->loc, "exchanges a second, as in rate: 400", "there is no 'rate'");
  if (c->simulators.count < 2)
    sar_yaml_report(r, n->loc, "", "expected two simulators or more, found %d",
                    c->simulators.count);
}

static void read_version(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  if (n->kind != YAML_TEXT || strcmp(n->text, "1") != 0)
    sar_yaml_expected(r, n, "the version 1", "");
}

// Parameters are looked at where expressions use them.
static void pass_over(YamlReader* r, const YamlNode* n, void* into) {
  (void)r, (void)n, (void)into;
}

static const YamlField top[] = {
    {"sarrus", 0, read_version},
    {"name", offsetof(SarCoupleSpec, name), sar_yaml_name},
    {"parameters", 0, pass_over},
    {"couple", 0, read_couple},
};

// Parameters that the program sets must be there.
static void check_set(YamlReader* r) {
  const SarLoadOptions* o = r->source->reading->options;
  for (int i = 0; o && i < o->parameter_count; i++)
    if (sar_yaml_find_key(r->parameters, o->parameters[i].name) < 0)
      sar_report(r->err, (SarLoc){r->spec->file, 1, 1},
                 "'set' of a simulator hands parameters on to its model",
                 "this file has no parameter '%.60s'", o->parameters[i].name);
}

static void read_top(YamlReader* r, const YamlNode* root, SarCoupleSpec* c) {
  if (!root || root->kind != YAML_MAP) {
    sar_report(r->err, (SarLoc){r->spec->file, 1, 1}, "", "expected a mapping {key: value, ...}");
    return;
  }
  const int parameters = sar_yaml_find_key(root, "parameters");
  r->parameters = parameters >= 0 ? root->pairs[parameters].value : NULL;
  check_set(r);
  if (sar_yaml_find_key(root, "sarrus") < 0)
    sar_report(r->err, root->loc, "a model file begins with the line 'sarrus: 1'",
               "the key 'sarrus' (version of the format) is missing");
  for (int i = 0; i < root->count; i++)
    if (strncmp(root->pairs[i].key->text, "x-", 2) != 0)
      sar_yaml_field(r, root, &root->pairs[i], top, (int)(sizeof top / sizeof *top), c);
  if (c->loc.line == 0)
    sar_report(r->err, root->loc, "", "the key 'couple' is missing: this file couples nothing");
}

SarStatus sar_read_couple(const char* path, const SarLoadOptions* o, SarCoupleSpec* c,
                          SarError* err) {
  SarFileText file;
  const YamlNode* root = NULL;
  *c = (SarCoupleSpec){0};
  sar_spec_init(&c->spec);
  SarArena* arena = &c->spec.arena;
  c->spec.file = sar_arena_strdup(arena, path);
  if (!c->spec.file) return SAR_NO_MEMORY;
  sar_note_file(o, path);
  SarStatus st = sar_file_open(path, SAR_MAX_FILE, false, (SarLoc){0}, &file, err);
  SarReading reading = sar_reading(o);
  const SarSource source = {
      .name = c->spec.file, .from_file = true, .id = file.id, .reading = &reading};
  YamlReader r = {.spec = &c->spec, .arena = arena, .err = err, .source = &source, .item = ""};
  const int errors = err->errors;
  if (st == SAR_OK)
    st = sar_yaml_tree(arena, arena, file.text, file.size, c->spec.file, SAR_MAX_NODES, &root, err);
  if (st == SAR_OK) read_top(&r, root, c);
  sar_file_close(&file);
  if (st == SAR_OK && arena->failed) st = SAR_NO_MEMORY;
  return st == SAR_OK && err->errors > errors ? SAR_BAD_MODEL : st;
}

void sar_couple_spec_free(SarCoupleSpec* c) { sar_spec_free(&c->spec); }

bool sar_yaml_couples(const char* text, size_t n) {
  static const char word[] = "couple";
  const size_t size = sizeof word - 1;
  bool found = false;
  for (size_t i = 0; !found && i + size <= n; i++) found = memcmp(text + i, word, size) == 0;
  if (!found) return false;
  SarError err;
  SarSpec spec;
  const YamlNode* root = NULL;
  sar_error_init(&err);
  sar_spec_init(&spec);
  found =
      sar_yaml_tree(&spec.arena, &spec.arena, text, n, "", SAR_MAX_NODES, &root, &err) == SAR_OK &&
      root && sar_yaml_find_key(root, word) >= 0;
  sar_spec_free(&spec);
  return found;
}
