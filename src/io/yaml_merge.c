// Merge keys (<<: *defaults) and duplicate keys of a mapping.
#include "io/yaml_build.h"

#include <stdlib.h>
#include <string.h>

typedef struct KeyOrder {
  const char* text;
  int index;
} KeyOrder;

static int by_text(const void* pa, const void* pb) {
  const KeyOrder *a = pa, *b = pb;
  int c = strcmp(a->text, b->text);
  return c ? c : (a->index > b->index) - (a->index < b->index);
}

// Drops all but the first of equal keys. Those before `written` stand in the file itself, where the
// second one is an error; the others come from merge keys, which give way.
static bool drop_duplicates(YamlBuilder* b, YamlPairs* list, int written) {
  if (list->count < 2) return true;
  KeyOrder* order = SAR_ARENA_ARRAY(b->arena, KeyOrder, list->count);
  if (!order) return false;
  for (int i = 0; i < list->count; i++) order[i] = (KeyOrder){list->items[i].key->text, i};
  qsort(order, (size_t)list->count, sizeof *order, by_text);
  for (int i = 1, first = 0; i < list->count; i++) {
    if (strcmp(order[i].text, order[first].text) != 0) {
      first = i;
      continue;
    }
    YamlPair* again = &list->items[order[i].index];
    if (order[i].index < written)
      sar_report(b->err, again->key->loc, "each key may stand once",
                 "the key '%.80s' was already given in line %d", again->key->text,
                 list->items[order[first].index].key->loc.line);
    again->key = NULL;
  }
  sar_arena_drop(b->arena, order);
  int kept = 0;
  for (int i = 0; i < list->count; i++)
    if (list->items[i].key) list->items[kept++] = list->items[i];
  list->count = kept;
  return true;
}

static bool merge_map(YamlBuilder* b, YamlNode* n, YamlPairs* list, const YamlNode* from) {
  if (from->kind != YAML_MAP) {
    sar_report(b->err, from->loc, "as in <<: *defaults",
               "'<<' expects a mapping or a list of mappings, found %s", sar_yaml_kind_text(from));
    return true;
  }
  if (!sar_yaml_grow(b, n, from)) return false;
  for (int i = 0; i < from->count; i++) {
    YamlPair* slot = SAR_LIST_ADD(b->arena, list);
    if (!slot) return false;
    *slot = from->pairs[i];
  }
  return true;
}

bool sar_yaml_merge(YamlBuilder* b, YamlNode* n, YamlPairs* list) {
  YamlNodes sources = {0};
  int kept = 0;
  for (int i = 0; i < list->count; i++) {
    YamlPair pair = list->items[i];
    if (pair.key->quoted || strcmp(pair.key->text, "<<") != 0) {
      list->items[kept++] = pair;
      continue;
    }
    bool several = pair.value->kind == YAML_LIST;
    for (int k = 0; k < (several ? pair.value->count : 1); k++) {
      const YamlNode** slot = SAR_LIST_ADD(b->arena, &sources);
      if (!slot) return false;
      *slot = several ? pair.value->items[k] : pair.value;
    }
  }
  list->count = kept;
  for (int i = 0; i < sources.count; i++)
    if (!merge_map(b, n, list, sources.items[i])) return false;
  return drop_duplicates(b, list, kept);
}
