// Repeated parts: a mapping with the key `repeat` stands for copies of itself,
//   link$i: {repeat: {n: 100, as: i}, at: [i*L, 0, 0], ...}     in a mapping: under a name each
//   - {repeat: {n: 5, as: k}, file: bay.yaml, prefix: b$(k)_}   in a list: one after the other
// and for those of its key `each` where what is repeated is no mapping. A list of repetitions is a
// loop in a loop, the first outermost; how often an inner one runs may depend on the outer index.
//
// The copies are made in the tree, before anything of it is read: so whatever can be written can be
// repeated, and no reader of a section knows of it. A node of a copy knows what the indices stand
// for: the readers of numbers ask for that (yaml_values.c), names have been put in here
// (yaml_index.c).
#include "base/print.h"
#include "io/yaml_repeat.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATED = SPEC_LOST_NAMES & ~SPEC_LOST_PARAMETERS };  // what stands in repeated parts

typedef SAR_LIST(const YamlNode*) Nodes;
typedef SAR_LIST(YamlPair) Pairs;

static const YamlNode* copied(YamlReader* r, const YamlNode* n, const YamlIndex* scope);

// ---- copies --------------------------------------------------------------------------------

// What `repeat` stands in: its value, and the mapping without it, or what `each` holds.
typedef struct Part {
  const YamlNode *repeat, *body;
} Part;

static bool is_part(YamlReader* r, const YamlNode* n, Part* part) {
  const int at = sar_yaml_find_key(n, "repeat"), each = sar_yaml_find_key(n, "each");
  if (at < 0) return false;
  part->repeat = n->pairs[at].value;
  if (each >= 0 && n->count == 2) {
    part->body = n->pairs[each].value;
    return true;
  }
  YamlNode* body = SAR_ARENA_NEW(r->arena, YamlNode);
  YamlPair* pairs = SAR_ARENA_ARRAY(r->arena, YamlPair, n->count);
  if (!body || !pairs) return false;
  *body = *n;
  body->count = 0;
  for (int i = 0; i < n->count; i++)
    if (i != at) pairs[body->count++] = n->pairs[i];
  body->pairs = pairs;
  body->size -= part->repeat->size + 1;
  part->body = body;
  return true;
}

// Where the copies of a part go.
typedef struct Copies {
  YamlReader* r;
  const Part* part;
  const YamlNode* key;  // of a mapping; NULL: in a list
  Nodes* nodes;
  Pairs* pairs;
} Copies;

static void add_copy(const Copies* c, const YamlIndex* scope) {
  const YamlNode* value = copied(c->r, c->part->body, scope);
  if (!value) return;
  if (!c->key) {
    const YamlNode** slot = SAR_LIST_ADD(c->r->arena, c->nodes);
    if (slot) *slot = value;
    return;
  }
  const YamlNode* key = copied(c->r, c->key, scope);
  YamlPair* slot = key && !key->reported ? SAR_LIST_ADD(c->r->arena, c->pairs) : NULL;
  if (slot) *slot = (YamlPair){key, value};
}

// {link0: ground}
static const YamlNode* read_ends(YamlReader* r, const YamlLoop* loop) {
  const YamlNode* ends = loop->ends;
  bool good = !ends || ends->kind == YAML_MAP;
  for (int i = 0; good && ends && i < ends->count; i++)
    good = ends->pairs[i].value->kind == YAML_TEXT;
  if (good) return ends;
  sar_report(r->err, ends->loc, "as in {link0: ground}",
             "repeat: ends: expected other names for what is beyond the copies");
  return NULL;
}

// "chain.yaml", SAR_COPY_MARK, "r = 3, k = 2"
static const char* place_of(YamlReader* r, const YamlIndex* scope, const char* name, double value) {
  char copy[64];
  sar_snprintf(copy, sizeof copy, "%.40s = %.0f", name, value);
  if (scope) return sar_arena_printf(r->arena, "%s, %s", scope->place, copy);
  return sar_arena_printf(r->arena, "%s%c%s", r->spec->file, SAR_COPY_MARK, copy);
}

// Makes every copy, loop within loop. False after a report.
static bool run_loops(const Copies* c, int level, const YamlIndex* scope) {
  YamlReader* r = c->r;
  const YamlNode* repeat = c->part->repeat;
  const int loops = repeat->kind == YAML_LIST ? repeat->count : 1;
  YamlLoop loop;
  double from = 1;
  int n;
  if (level == loops) {
    add_copy(c, scope);
    return true;
  }
  const YamlNode* here =
      copied(r, repeat->kind == YAML_LIST ? repeat->items[level] : repeat, scope);
  if (!here || !sar_yaml_read_loop(r, here, scope, &loop)) return false;
  bool good = sar_yaml_count_copies(r, &loop, scope, c->part->body->size, &n);
  if (loop.from && !sar_yaml_whole(r, loop.from, "from", scope, -1e15, &from)) good = false;
  if (!good) n = sar_yaml_may_copy(r, c->part->body->size);  // one copy, to see what is wrong in it
  const YamlNode* ends = read_ends(r, &loop);
  for (int k = 0; k < n && !r->arena->failed; k++) {
    YamlIndex* index = SAR_ARENA_NEW(r->arena, YamlIndex);
    if (!index) return false;
    *index = (YamlIndex){loop.as.text, from + k, scope, NULL, ends};
    index->place = place_of(r, scope, loop.as.text, from + k);
    if (!index->place) return false;
    // a copy is paid for where it is made: within the innermost loop
    r->source->reading->copies_left--;
    if (level + 1 == loops) r->source->reading->copied_left -= c->part->body->size;
    if (!run_loops(c, level + 1, index)) return false;
  }
  return good;
}

static void add_copies(YamlReader* r, const Part* part, const YamlNode* key, const YamlIndex* scope,
                       Nodes* nodes, Pairs* pairs) {
  const Copies copies = {r, part, key, nodes, pairs};
  if (key && !strchr(key->text, '$')) {
    sar_report(r->err, key->loc, "put the index into the name, as in link$i",
               "all copies of '%.60s' have the same name", key->text);
    sar_yaml_lose(r, REPEATED);
  } else if (!run_loops(&copies, 0, scope)) {
    sar_yaml_lose(r, REPEATED);  // others may refer to what is missing
  }
}

// ---- the tree ------------------------------------------------------------------------------

static YamlNode* clone(YamlReader* r, const YamlNode* n, const YamlIndex* scope) {
  YamlNode* copy = SAR_ARENA_NEW(r->arena, YamlNode);
  if (!copy) return NULL;
  *copy = *n;
  copy->index = scope;
  if (scope) copy->loc.file = scope->place;
  return copy;
}

static const YamlNode* copied_text(YamlReader* r, const YamlNode* n, const YamlIndex* scope) {
  const bool dollar = strchr(n->text, '$') != NULL;
  if (!scope && !dollar) return n;
  YamlNode* copy = clone(r, n, scope);
  if (!copy || !dollar || n->reported) return copy;
  if (!sar_yaml_put_index(r, copy)) {
    copy->reported = true;
    sar_yaml_lose(r, REPEATED);
  }
  return copy;
}

static const YamlNode* copied_list(YamlReader* r, const YamlNode* n, const YamlIndex* scope) {
  Nodes nodes = {0};
  bool same = !scope;
  for (int i = 0; i < n->count && !r->arena->failed; i++) {
    const YamlNode* item = n->items[i];
    Part part;
    if (is_part(r, item, &part)) {
      add_copies(r, &part, NULL, scope, &nodes, NULL);
      same = false;
      continue;
    }
    const YamlNode** slot = SAR_LIST_ADD(r->arena, &nodes);
    if (!slot || !(*slot = copied(r, item, scope))) return NULL;
    same = same && *slot == item;
  }
  if (same) return n;
  YamlNode* copy = clone(r, n, scope);
  if (copy) copy->items = nodes.items, copy->count = nodes.count;
  return copy;
}

typedef struct KeyAt {
  const YamlNode* key;
  int index;
} KeyAt;

static int by_key(const void* pa, const void* pb) {
  const KeyAt *a = pa, *b = pb;
  const int c = strcmp(a->key->text, b->key->text);
  return c ? c : (a->index > b->index) - (a->index < b->index);
}

// Indices may make one name of two: box$(r)$(k) is box111 for 1, 11 and for 11, 1. The second is
// left out.
static void check_keys(YamlReader* r, Pairs* pairs) {
  KeyAt* order = SAR_ARENA_ARRAY(r->arena, KeyAt, pairs->count + 1);
  if (!order) return;
  for (int i = 0; i < pairs->count; i++) order[i] = (KeyAt){pairs->items[i].key, i};
  qsort(order, (size_t)pairs->count, sizeof *order, by_key);
  for (int i = 1; i < pairs->count; i++)
    if (strcmp(order[i].key->text, order[i - 1].key->text) == 0) {
      sar_report(r->err, order[i].key->loc,
                 "tell indices apart by a letter between them, as in box$(r)_$(k)",
                 "the name '%.60s' was already given in line %d", order[i].key->text,
                 order[i - 1].key->loc.line);
      pairs->items[order[i].index].key = NULL;
    }
  int kept = 0;
  for (int i = 0; i < pairs->count; i++)
    if (pairs->items[i].key) pairs->items[kept++] = pairs->items[i];
  pairs->count = kept;
}

static const YamlNode* copied_map(YamlReader* r, const YamlNode* n, const YamlIndex* scope) {
  Pairs pairs = {0};
  bool same = !scope;
  for (int i = 0; i < n->count && !r->arena->failed; i++) {
    const YamlPair* pair = &n->pairs[i];
    Part part;
    if (is_part(r, pair->value, &part)) {
      add_copies(r, &part, pair->key, scope, NULL, &pairs);
      same = false;
      continue;
    }
    const YamlNode* key = copied(r, pair->key, scope);
    if (key && key->reported && !pair->key->reported) {
      same = false;
      continue;
    }
    const YamlNode* value = key ? copied(r, pair->value, scope) : NULL;
    YamlPair* slot = value ? SAR_LIST_ADD(r->arena, &pairs) : NULL;
    if (!slot) return NULL;
    *slot = (YamlPair){key, value};
    same = same && key == pair->key && value == pair->value;
  }
  if (same) return n;
  YamlNode* copy = clone(r, n, scope);
  if (!copy) return NULL;
  check_keys(r, &pairs);
  copy->pairs = pairs.items, copy->count = pairs.count;
  return copy;
}

static const YamlNode* copied(YamlReader* r, const YamlNode* n, const YamlIndex* scope) {
  if (n->kind == YAML_TEXT) return copied_text(r, n, scope);
  return n->kind == YAML_LIST ? copied_list(r, n, scope) : copied_map(r, n, scope);
}

// Keys of the top level whose texts are nobody's names.
static bool stays(const char* key) {
  return strncmp(key, "x-", 2) == 0 || strcmp(key, "parameters") == 0 || strcmp(key, "name") == 0;
}

const YamlNode* sar_yaml_repeat(YamlReader* r, const YamlNode* root) {
  YamlNode* whole_tree = SAR_ARENA_NEW(r->arena, YamlNode);
  YamlPair* pairs = SAR_ARENA_ARRAY(r->arena, YamlPair, root->count + 1);
  const int parameters = sar_yaml_find_meant(root, "parameters");
  if (!whole_tree || !pairs) return NULL;
  if (parameters >= 0) r->parameters = root->pairs[parameters].value;
  *whole_tree = *root;
  whole_tree->pairs = pairs;
  for (int i = 0; i < root->count; i++) {
    pairs[i] = root->pairs[i];
    if (stays(pairs[i].key->text)) continue;
    // a section is no item: `repeat` in it is a key like others, which it does not have
    pairs[i].value = copied(r, pairs[i].value, NULL);
    if (!pairs[i].value) return NULL;
  }
  return whole_tree;
}
