// All errors at once: random mistakes of several kinds are planted in the example models, and every
// one of them must be told in one pass, with its line and a column within it; nothing else may be
// told.
#include "support/folder.h"

#include "base/arena.h"
#include "io/yaml_tree.h"

#define FOLDER SARRUS_SOURCE_DIR "/examples"

enum { MAX_FILES = 100, MAX_SITES = 20000, MAX_TEXT = 200000, MAX_PLANTS = 4, MAX_NAMES = 2000 };

typedef enum Mistake {
  UNKNOWN_TARGET,  // a body, joint or point that is not there
  UNKNOWN_WORD,    // a quantity of `outputs` that is not there
  UNKNOWN_METHOD,  // a formulation or integrator: an error of a run, told with those of the model
  UNKNOWN_NAME,    // in an expression
  UNKNOWN_UNIT,
  BROKEN_SYNTAX,  // an expression that does not parse
  WRONG_TYPE,     // a mapping for a list or a number
  MISSPELT_KEY,
  MISTAKES
} Mistake;

// A piece of the text that can be made wrong in one way.
typedef struct Site {
  Mistake mistake;
  int line, column;    // from 1
  size_t begin, size;  // in the text
  size_t scope;        // end of what the mistake makes unreadable: a key takes its value with it
} Site;

typedef struct Text {
  char name[128];
  char text[MAX_TEXT];
  size_t size;
  size_t line[MAX_TEXT / 2];  // where each begins
  int lines;
  const char* target[MAX_NAMES];
  int targets;
  Site site[MAX_SITES];
  int sites;
} Text;

static char names[MAX_FILES][FOLDER_NAME];
static int count;
static Text model;

static int find_files(void** state) {
  (void)state;
  count = folder_models(FOLDER, names, MAX_FILES);
  return count ? 0 : -1;
}

// ---- where mistakes can be made -------------------------------------------------------------

static size_t offset_of(SarLoc loc) { return model.line[loc.line - 1] + (size_t)loc.column - 1; }

// Where a value ends in the text; lists and mappings in brackets only, on one line. 0: not known.
static size_t end_of(const YamlNode* n) {
  const size_t begin = offset_of(n->loc);
  if (n->kind == YAML_TEXT)
    return n->last_line == n->loc.line && !n->quoted &&
                   strncmp(model.text + begin, n->text, (size_t)n->count) == 0
               ? begin + (size_t)n->count
               : 0;
  int depth = 0;
  for (size_t i = begin; i < model.size && model.text[i] != '\n'; i++) {
    depth += (model.text[i] == '[' || model.text[i] == '{');
    depth -= (model.text[i] == ']' || model.text[i] == '}');
    if (model.text[i] == '#') return 0;
    if (depth == 0) return model.text[i] == ']' || model.text[i] == '}' ? i + 1 : 0;
  }
  return 0;
}

static void add_site(Mistake mistake, const YamlNode* n, size_t scope) {
  const size_t end = end_of(n);
  if (!end || model.sites == MAX_SITES) return;
  const size_t begin = offset_of(n->loc);
  model.site[model.sites++] =
      (Site){mistake, n->loc.line, n->loc.column, begin, end - begin, scope > end ? scope : end};
}

static bool is_target(const char* name) {
  for (int i = 0; i < model.targets; i++)
    if (strcmp(model.target[i], name) == 0) return true;
  return false;
}

static bool is_number(const YamlNode* n) {
  const char* c = n->text;
  return !n->quoted && (c[*c == '-'] >= '0' && c[*c == '-'] <= '9');
}

static void find_in_value(const YamlNode* n) {
  if (n->kind == YAML_TEXT && !n->quoted && is_target(n->text)) add_site(UNKNOWN_TARGET, n, 0);
  if (n->kind == YAML_TEXT && is_number(n)) {
    add_site(UNKNOWN_NAME, n, 0);
    add_site(UNKNOWN_UNIT, n, 0);
    add_site(BROKEN_SYNTAX, n, 0);
    add_site(WRONG_TYPE, n, 0);
  }
  if (n->kind == YAML_LIST && n->count && n->items[0]->kind == YAML_TEXT && is_number(n->items[0]))
    add_site(WRONG_TYPE, n, 0);
  for (int i = 0; n->kind == YAML_LIST && i < n->count; i++) find_in_value(n->items[i]);
}

static bool is_one_of(const char* word, const char* const* list) {
  while (*list && strcmp(*list, word) != 0) list++;
  return *list != NULL;
}

static void find_in_section(const YamlNode* section);

// Keys of an item, and its values; mappings in it likewise, but for names that people choose.
static void find_in_item(const YamlNode* item) {
  static const char* const skipped[] = {"repeat", "points", "parameters", NULL};
  static const char* const methods[] = {"formulation", "integrator", NULL};
  for (int i = 0; item->kind == YAML_MAP && i < item->count; i++) {
    const YamlPair* pair = &item->pairs[i];
    if (is_one_of(pair->key->text, skipped)) continue;
    const size_t scope = end_of(pair->value);
    if (scope) add_site(MISSPELT_KEY, pair->key, scope);
    if (strcmp(pair->key->text, "name") != 0) find_in_value(pair->value);
    if (is_one_of(pair->key->text, methods)) add_site(UNKNOWN_METHOD, pair->value, 0);
    if (strcmp(pair->key->text, "materials") == 0)
      find_in_section(pair->value);
    else
      find_in_item(pair->value);
  }
}

// {name: item, ...}
static void find_in_section(const YamlNode* section) {
  for (int i = 0; section->kind == YAML_MAP && i < section->count; i++) {
    find_in_value(section->pairs[i].value);
    find_in_item(section->pairs[i].value);
  }
}

static void find_in_outputs(const YamlNode* list) {
  for (int i = 0; list->kind == YAML_LIST && i < list->count; i++) {
    if (list->items[i]->kind == YAML_TEXT) add_site(UNKNOWN_WORD, list->items[i], 0);
    find_in_item(list->items[i]);
  }
}

static void collect_targets(const YamlNode* root) {
  model.targets = 0;
  for (int i = 0; i < root->count; i++) {
    const YamlNode* section = root->pairs[i].value;
    const char* key = root->pairs[i].key->text;
    if (strcmp(key, "bodies") != 0 && strcmp(key, "joints") != 0) continue;
    for (int k = 0; section->kind == YAML_MAP && k < section->count; k++)
      if (model.targets < MAX_NAMES) model.target[model.targets++] = section->pairs[k].key->text;
  }
}

static void find_sites(const YamlNode* root) {
  static const char* const sections[] = {"parameters", "inputs",      "variables", "states",
                                         "bodies",     "joints",      "forces",    "roads",
                                         "adjust",     "constraints", NULL};
  static const char* const items[] = {"simulation", "contact", "ground", "gravity", NULL};
  collect_targets(root);
  model.sites = 0;
  for (int i = 0; i < root->count; i++) {
    const YamlNode* value = root->pairs[i].value;
    const char* key = root->pairs[i].key->text;
    if (is_one_of(key, sections)) find_in_section(value);
    if (is_one_of(key, items)) find_in_item(value);
    if (strcmp(key, "outputs") == 0) find_in_outputs(value);
    if (strcmp(key, "sarrus") != 0 && strncmp(key, "x-", 2) != 0)
      add_site(MISSPELT_KEY, root->pairs[i].key, 0);
  }
}

// ---- planting -------------------------------------------------------------------------------

typedef struct Plant {
  Site site;
  char text[400];
  int column;  // in the new text
} Plant;

// A letter twice: no key becomes another one by that.
static void misspell(Rng* r, const char* key, size_t size, char* out, size_t room) {
  const size_t at = (size_t)rng_int(r, (int)size);
  snprintf(out, room, "%.*s%c%.*s", (int)at + 1, key, key[at], (int)(size - at - 1), key + at + 1);
}

static void write_mistake(Rng* r, Plant* p, int number) {
  const char* old = model.text + p->site.begin;
  const int size = p->site.size < 300 ? (int)p->site.size : 300;
  switch (p->site.mistake) {
    case UNKNOWN_TARGET:
    case UNKNOWN_METHOD:
    case UNKNOWN_WORD: snprintf(p->text, sizeof p->text, "nobody%d", number); break;
    case UNKNOWN_NAME:
      snprintf(p->text, sizeof p->text, "(%.*s)*mystery%d", size, old, number);
      break;
    case UNKNOWN_UNIT:
      snprintf(p->text, sizeof p->text, "%.*s furlong%d", size, old, number);
      break;
    case BROKEN_SYNTAX: snprintf(p->text, sizeof p->text, "%.*s +* %d", size, old, number); break;
    case WRONG_TYPE: snprintf(p->text, sizeof p->text, "{wrong: %d}", number); break;
    case MISSPELT_KEY: misspell(r, old, p->site.size, p->text, sizeof p->text); break;
    case MISTAKES: break;
  }
}

static bool apart(const Site* a, const Site* b) {
  return a->scope <= b->begin || b->scope <= a->begin;
}

// The text with n mistakes in it, in order of their places; how many found room.
static int plant(Rng* r, int n, Plant* plants, char* out, size_t room) {
  int planted = 0;
  for (int tries = 0; planted < n && tries < 50; tries++) {
    // a kind first: there are many more numbers than names
    const Mistake wanted = (Mistake)rng_int(r, MISTAKES);
    const Site* s = &model.site[rng_int(r, model.sites)];
    bool fits = s->mistake == wanted;
    for (int i = 0; i < planted; i++) fits = fits && apart(s, &plants[i].site);
    if (!fits) continue;
    int k = planted++;
    for (; k > 0 && plants[k - 1].site.begin > s->begin; k--) plants[k] = plants[k - 1];
    plants[k].site = *s;
  }
  size_t from = 0, used = 0;
  int line = 0, shift = 0;
  for (int i = 0; i < planted; i++) {
    Plant* p = &plants[i];
    write_mistake(r, p, i + 1);
    if (p->site.line != line) shift = 0;
    line = p->site.line;
    p->column = p->site.column + shift;
    shift += (int)strlen(p->text) - (int)p->site.size;
    used += (size_t)snprintf(out + used, room - used, "%.*s%s", (int)(p->site.begin - from),
                             model.text + from, p->text);
    from = p->site.begin + p->site.size;
  }
  snprintf(out + used, room - used, "%s", model.text + from);
  return planted;
}

// ---- what is said ---------------------------------------------------------------------------

static bool told(const Plant* p, const SarDiag* d) {
  return d->line == p->site.line && d->column >= p->column &&
         d->column <= p->column + (int)strlen(p->text);
}

static SarStatus load(const char* text, SarError* err) {
  static const char* const folders[] = {FOLDER};
  SarLoadOptions o = {0};
  SarModel* m = NULL;
  o.search_paths = folders;
  o.search_path_count = 1;
  sar_error_init(err);
  const SarStatus st = sar_model_parse(text, strlen(text), "yaml", model.name, &o, &m, err);
  sar_model_free(m);
  return st;
}

// What is made in copies needs its parameters before they are judged; as long as they are wrong,
// nobody knows how many copies there are, and so which names.
static bool needs_parameters(const SarDiag* d) {
  return strstr(d->text, "must be known while the file is read") != NULL;
}

static int judge(const Plant* plants, int n, const SarError* err) {
  int bad = 0;
  char line[1200];
  bool names_open = false;
  for (int k = 0; k < err->count; k++) names_open = names_open || needs_parameters(&err->items[k]);
  for (int i = 0; i < n; i++) {
    bool found = names_open && plants[i].site.mistake == UNKNOWN_TARGET;
    for (int k = 0; k < err->count && !found; k++) found = told(&plants[i], &err->items[k]);
    if (found) continue;
    print_error("%s:%d:%d: nothing is said about '%s' (mistake %d)\n", model.name,
                plants[i].site.line, plants[i].column, plants[i].text, plants[i].site.mistake);
    bad++;
  }
  for (int k = 0; k < err->count; k++) {
    bool known = err->items[k].severity == SAR_WARNING || needs_parameters(&err->items[k]);
    for (int i = 0; i < n && !known; i++) known = told(&plants[i], &err->items[k]);
    if (known) continue;
    print_error("said without a reason: %s\n", sar_error_format(err, k, line, sizeof line));
    bad++;
  }
  if (bad)
    for (int i = 0; i < n; i++)
      print_error("  planted %d:%d: %s\n", plants[i].site.line, plants[i].column, plants[i].text);
  return bad;
}

static bool read_model(const char* name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%.120s", FOLDER, name);
  snprintf(model.name, sizeof model.name, "%.120s", name);
  FILE* f = fopen(path, "r");
  assert_non_null(f);
  model.size = fread(model.text, 1, sizeof model.text - 1, f);
  fclose(f);
  model.text[model.size] = 0;
  model.lines = 0;
  model.line[model.lines++] = 0;
  for (size_t i = 0; i < model.size; i++)
    if (model.text[i] == '\n') model.line[model.lines++] = i + 1;
  return model.size < sizeof model.text - 1;
}

static int try_model(const char* name, int trials, uint64_t seed) {
  static char text[MAX_TEXT + 4096];
  SarArena arena = {0}, texts = {0};
  SarError err;
  const YamlNode* root = NULL;
  int bad = 0;
  assert_true(read_model(name));
  sar_error_init(&err);
  assert_int_equal(
      sar_yaml_tree(&arena, &texts, model.text, model.size, name, 1000000, &root, &err), SAR_OK);
  find_sites(root);
  for (int i = 0; i < trials && model.sites; i++) {
    Rng r = rng_seed(seed + (uint64_t)i);
    Plant plants[MAX_PLANTS];
    const int n = plant(&r, 2 + rng_int(&r, MAX_PLANTS - 1), plants, text, sizeof text);
    bool any = false;
    for (int k = 0; k < n; k++) any = any || plants[k].site.mistake != UNKNOWN_METHOD;
    if (!any) continue;
    const SarStatus st = load(text, &err);
    if (st != SAR_BAD_MODEL) print_error("%s: status %d\n", name, st);
    const int wrong = judge(plants, n, &err) + (st != SAR_BAD_MODEL);
    if (wrong) print_error("%s: seed %llu\n", name, (unsigned long long)seed + (unsigned)i);
    bad += wrong;
  }
  sar_arena_free(&arena);
  sar_arena_free(&texts);
  return bad;
}

static void every_mistake_is_told(void** state) {
  (void)state;
  int bad = 0;
  for (int i = 0; i < count; i++)
    bad += try_model(names[i], test_effort(40), test_seed(1000 * (uint64_t)(i + 1)));
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_mistake_is_told)};
  return cmocka_run_group_tests(tests, find_files, NULL);
}
