// A YAML model file with its repetitions carried out, and nothing else done to it. See yaml_flat.h.
#include "io/yaml_flat.h"

#include "expr/print.h"
#include "io/yaml_read.h"

#include <string.h>

static bool find_index(void* context, const char* name, double* value) {
  for (const YamlIndex* i = context; i; i = i->outer)
    if (strcmp(i->name, name) == 0) {
      *value = i->value;
      return true;
    }
  return false;
}

typedef struct Look {
  const YamlIndex* index;
  bool found;
} Look;

static void look(void* context, const char* name, SarLoc loc) {
  Look* l = context;
  double value;
  (void)loc;
  l->found = l->found || find_index((void*)l->index, name, &value);
}

// Numbers that name an index are written without it; all other texts stay as they are.
const char* sar_yaml_flat_text(SarArena* a, const YamlNode* n) {
  if (!n->index) return n->text;
  const char* text = n->spaced ? n->spaced : n->text;
  const SarExpr* e = sar_expr_parse(a, text, strlen(text), n->loc, NULL);
  Look l = {n->index, false};
  if (e) sar_expr_visit_names(e, look, &l);
  if (!l.found) return n->text;
  e = sar_expr_put_values(a, e, find_index, (void*)n->index);
  const char* out = e ? sar_expr_text(a, e) : NULL;
  return out ? out : n->text;
}

// Included files, also those that parts of this one include.
static bool includes(const YamlNode* root) {
  if (sar_yaml_find_key(root, "include") >= 0) return true;
  const int at = sar_yaml_find_key(root, "parts");
  const YamlNode* parts = at >= 0 ? root->pairs[at].value : NULL;
  for (int i = 0; parts && parts->kind == YAML_LIST && i < parts->count; i++)
    if (parts->items[i]->kind == YAML_MAP && includes(parts->items[i])) return true;
  return false;
}

SarStatus sar_yaml_flat(const char* path, const SarLoadOptions* o, SarSpec* spec,
                        const YamlNode** root, SarError* err) {
  SarFileText file;
  *root = NULL;
  SarStatus st = sar_file_open(path, SAR_MAX_FILE, false, (SarLoc){0}, &file, err);
  SarReading reading = sar_reading(o);
  const SarSource source = {.name = path, .from_file = true, .id = file.id, .reading = &reading};
  YamlReader r = {.spec = spec, .arena = &spec->arena, .err = err, .source = &source, .item = ""};
  const int errors = err ? err->errors : 0;
  const YamlNode* tree = NULL;
  spec->file = sar_arena_strdup(&spec->arena, path);
  if (st == SAR_OK)
    st = sar_yaml_tree(&spec->arena, &spec->arena, file.text, file.size, path, reading.nodes_left,
                       &tree, err);
  sar_file_close(&file);
  if (st != SAR_OK) return st;
  if (!tree || tree->kind != YAML_MAP) return SAR_BAD_MODEL;
  tree = sar_yaml_repeat(&r, tree);
  if (!tree || spec->arena.failed) return SAR_NO_MEMORY;
  if (err && err->errors > errors) return SAR_BAD_MODEL;
  if (!includes(tree)) *root = tree;
  return SAR_OK;
}
