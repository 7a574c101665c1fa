// libyaml's events -> YamlNode. Aliases share the node of their anchor: no input makes the tree
// larger than its text, and `size` tells what walking it would cost.
#include "io/yaml_tree.h"
#include "io/yaml_syntax.h"

#include "base/print.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct Anchor {
  const char* name;
  YamlNode* node;  // NULL while its own content is being read
} Anchor;

typedef SAR_LIST(const YamlNode*) NodeList;
typedef SAR_LIST(YamlPair) PairList;

typedef struct Builder {
  yaml_parser_t parser;
  SarArena *arena, *texts;
  SarError* err;
  const char* file;
  const char* text;
  size_t length;
  int max_nodes;
  SarStatus status;  // first failure that ends the reading
  SAR_LIST(Anchor) anchors;
  NodeList
      open_items;  // of the lists and mappings that are being read: each takes its own off the end
  PairList open_pairs;
} Builder;

// libyaml counts from 0; the reader bounds files to less than INT_MAX bytes.
static SarLoc loc_of(const Builder* b, yaml_mark_t mark) {
  return (SarLoc){b->file, (int)mark.line + 1, (int)mark.column + 1};
}

static YamlNode* give_up(Builder* b, SarStatus status) {
  if (b->status == SAR_OK) b->status = status;
  return NULL;
}

static bool next_event(Builder* b, yaml_event_t* event) {
  if (b->status != SAR_OK) return false;
  if (yaml_parser_parse(&b->parser, event)) return true;
  give_up(b, sar_yaml_syntax(&b->parser, b->text, b->length, b->file, b->err));
  return false;
}

// ---- nodes ---------------------------------------------------------------------------------

static YamlNode* new_node(Builder* b, YamlKind kind, SarLoc loc) {
  sar_budget_doing(b->arena->budget, "reading", loc);
  YamlNode* n = sar_arena_push_small(b->arena, sizeof *n);
  if (!n) return give_up(b, SAR_NO_MEMORY);
  n->kind = kind;
  n->loc = loc;
  n->last_line = loc.line;
  n->size = 1;
  return n;
}

static bool grow(Builder* b, YamlNode* n, const YamlNode* part) {
  if (part->last_line > n->last_line) n->last_line = part->last_line;
  if (part->size <= b->max_nodes - n->size) {
    n->size += part->size;
    return true;
  }
  sar_report(b->err, n->loc, "aliases count as often as they are used",
             "the file holds more than %d values", b->max_nodes);
  give_up(b, SAR_BAD_MODEL);
  return false;
}

// Anchors are kept in the order they are met; a later one of the same name hides the earlier.
static int add_anchor(Builder* b, const yaml_char_t* name, SarLoc loc) {
  if (!name || b->status != SAR_OK) return -1;
  if (b->anchors.count == YAML_MAX_ANCHORS) {
    sar_report(b->err, loc, "", "more than %d anchors", YAML_MAX_ANCHORS);
    give_up(b, SAR_BAD_MODEL);
    return -1;
  }
  Anchor* anchor = SAR_LIST_ADD(b->arena, &b->anchors);
  const char* copy = sar_arena_strdup(b->arena, (const char*)name);
  if (!anchor || !copy) {
    give_up(b, SAR_NO_MEMORY);
    return -1;
  }
  anchor->name = copy;
  return b->anchors.count - 1;
}

static void set_anchor(Builder* b, int index, YamlNode* node) {
  if (index >= 0) b->anchors.items[index].node = node;
}

static YamlNode* read_alias(Builder* b, const char* name, SarLoc loc) {
  for (int i = b->anchors.count - 1; i >= 0; i--) {
    const Anchor* anchor = &b->anchors.items[i];
    if (strcmp(anchor->name, name) != 0) continue;
    if (anchor->node) return anchor->node;
    sar_report(b->err, loc, "", "the alias '*%s' stands inside what it stands for", name);
    return give_up(b, SAR_BAD_MODEL);
  }
  sar_report(b->err, loc, "a product cannot begin with '*'; an alias needs '&NAME' before it",
             "no anchor '&%s' for the alias '*%s'", name, name);
  return give_up(b, SAR_BAD_MODEL);
}

static void check_tag(Builder* b, const yaml_char_t* tag, SarLoc loc) {
  static const char standard[] = "tag:yaml.org,2002:";
  if (!tag || strncmp((const char*)tag, standard, sizeof standard - 1) == 0) return;
  if (strcmp((const char*)tag, "!") == 0) return;
  sar_report(b->err, loc, "put a text that begins with '!' in quotes",
             "model files have no tags, found '%s'", (const char*)tag);
}

static YamlNode* read_text(Builder* b, const yaml_event_t* event) {
  const char* value = (const char*)event->data.scalar.value;
  size_t length = event->data.scalar.length;
  SarLoc loc = loc_of(b, event->start_mark);
  check_tag(b, event->data.scalar.tag, loc);
  YamlNode* n = new_node(b, YAML_TEXT, loc);
  if (!n) return NULL;
  n->last_line = loc_of(b, event->end_mark).line;
  n->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  if (n->quoted) n->loc.column++;
  if (length > INT_MAX || strlen(value) != length) {
    sar_report(b->err, loc, "", "a text must not hold the character NUL");
    n->reported = true;
    length = strlen(value);
  }
  if (sar_has_controls(value)) {
    sar_report(b->err, loc, "leave it out", "a text must not hold control characters: '%.60s'",
               value);
    n->reported = true;
  }
  n->text = sar_arena_strndup(b->texts, value, length);
  n->count = (int)length;
  if (!n->text) return give_up(b, SAR_NO_MEMORY);
  return n;
}

// ---- expressions with commas ---------------------------------------------------------------
// In [ ] and { } a comma ends a plain text, so {law: max(0, x)} falls apart into `law: max(0` and a
// key `x)`. The pieces are taken together again, for one message that says what to do.

static int open_parentheses(const YamlNode* n) {
  int open = 0;
  if (n->kind != YAML_TEXT || n->quoted) return 0;
  for (const char* c = n->text; *c; c++) open += (*c == '(') - (*c == ')');
  return open;
}

typedef struct Cut {
  int open;         // parentheses that are open yet
  YamlNode* piece;  // the first piece of the expression
} Cut;

// Takes the next piece; true if it belongs to an expression begun before.
static bool is_rest(Builder* b, Cut* cut, YamlNode* n) {
  bool rest = cut->open > 0;
  cut->open += open_parentheses(n);
  if (!rest && cut->open > 0) {
    cut->piece = n;
    n->reported = true;
  }
  if (rest && cut->open <= 0)
    sar_report(b->err, cut->piece->loc, "as in {law: \"max(0, x)\"}",
               "an expression with a comma must be in quotes here, '%.60s,' is cut off",
               cut->piece->text);
  if (cut->open < 0) cut->open = 0;
  return rest;
}

static void end_cut(Builder* b, const Cut* cut) {
  if (cut->open > 0)
    sar_report(b->err, cut->piece->loc, "close it, or put the expression in quotes",
               "'%.60s' opens a parenthesis that is never closed", cut->piece->text);
}

// ---- lists and mappings --------------------------------------------------------------------

// The items from `first` on, taken off the end of those that are open, in an array of their own.
static bool close_list(Builder* b, int first, NodeList* list) {
  list->count = list->capacity = b->open_items.count - first;
  const size_t bytes = (size_t)list->count * sizeof *list->items;
  list->items = sar_arena_push_small(b->arena, bytes);
  if (!list->items) return false;
  if (bytes) memcpy(list->items, b->open_items.items + first, bytes);
  b->open_items.count = first;
  return true;
}

static bool close_map(Builder* b, int first, PairList* list) {
  list->count = list->capacity = b->open_pairs.count - first;
  const size_t bytes = (size_t)list->count * sizeof *list->items;
  list->items = sar_arena_push_small(b->arena, bytes);
  if (!list->items) return false;
  if (bytes) memcpy(list->items, b->open_pairs.items + first, bytes);
  b->open_pairs.count = first;
  return true;
}

static YamlNode* read_node(Builder* b, yaml_event_t* event, int depth);

static YamlNode* read_list(Builder* b, const yaml_event_t* start, int depth) {
  YamlNode* n = new_node(b, YAML_LIST, loc_of(b, start->start_mark));
  if (!n) return NULL;
  bool flow = start->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
  check_tag(b, start->data.sequence_start.tag, n->loc);
  int anchor = add_anchor(b, start->data.sequence_start.anchor, n->loc);
  const int first = b->open_items.count;
  Cut cut = {0};
  yaml_event_t event;
  while (next_event(b, &event)) {
    if (event.type == YAML_SEQUENCE_END_EVENT) {
      NodeList list;
      yaml_event_delete(&event);
      end_cut(b, &cut);
      if (!close_list(b, first, &list)) return give_up(b, SAR_NO_MEMORY);
      n->items = list.items;
      n->count = list.count;
      set_anchor(b, anchor, n);
      return n;
    }
    YamlNode* item = read_node(b, &event, depth + 1);
    if (!item || !grow(b, n, item)) return NULL;
    if (flow && is_rest(b, &cut, item)) continue;
    const YamlNode** slot = SAR_LIST_ADD(b->arena, &b->open_items);
    if (!slot) return give_up(b, SAR_NO_MEMORY);
    *slot = item;
  }
  return NULL;
}

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
static bool drop_duplicates(Builder* b, PairList* list, int written) {
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

static bool merge_map(Builder* b, YamlNode* n, PairList* list, const YamlNode* from) {
  if (from->kind != YAML_MAP) {
    sar_report(b->err, from->loc, "as in <<: *defaults",
               "'<<' expects a mapping or a list of mappings, found %s", sar_yaml_kind_text(from));
    return true;
  }
  if (!grow(b, n, from)) return false;
  for (int i = 0; i < from->count; i++) {
    YamlPair* slot = SAR_LIST_ADD(b->arena, list);
    if (!slot) return false;
    *slot = from->pairs[i];
  }
  return true;
}

// Takes the merge keys out of the list and puts the pairs they stand for at its end.
static bool merge(Builder* b, YamlNode* n, PairList* list) {
  NodeList sources = {0};
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

static YamlNode* read_map(Builder* b, const yaml_event_t* start, int depth) {
  YamlNode* n = new_node(b, YAML_MAP, loc_of(b, start->start_mark));
  if (!n) return NULL;
  bool flow = start->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
  check_tag(b, start->data.mapping_start.tag, n->loc);
  int anchor = add_anchor(b, start->data.mapping_start.anchor, n->loc);
  const int first = b->open_pairs.count;
  Cut cut = {0};
  yaml_event_t event;
  while (next_event(b, &event)) {
    if (event.type == YAML_MAPPING_END_EVENT) {
      PairList list;
      yaml_event_delete(&event);
      end_cut(b, &cut);
      if (!close_map(b, first, &list) || !merge(b, n, &list)) return give_up(b, SAR_NO_MEMORY);
      n->pairs = list.items;
      n->count = list.count;
      set_anchor(b, anchor, n);
      return n;
    }
    YamlNode* key = read_node(b, &event, depth + 1);
    if (!key || !grow(b, n, key) || !next_event(b, &event)) return NULL;
    YamlNode* value = read_node(b, &event, depth + 1);
    if (!value || !grow(b, n, value)) return NULL;
    if (key->kind != YAML_TEXT) {
      sar_report(b->err, key->loc, "", "a key must be a text, found %s", sar_yaml_kind_text(key));
      continue;
    }
    // a value begins an expression, keys and their values continue it
    if (flow && cut.open > 0) {
      is_rest(b, &cut, key);
      if (cut.open > 0) is_rest(b, &cut, value);
      continue;
    }
    if (flow) is_rest(b, &cut, value);
    YamlPair* slot = SAR_LIST_ADD(b->arena, &b->open_pairs);
    if (!slot) return give_up(b, SAR_NO_MEMORY);
    *slot = (YamlPair){key, value};
  }
  return NULL;
}

// Reads the node that begins with *event, and deletes the event. NULL: the reading has ended.
static YamlNode* read_node(Builder* b, yaml_event_t* event, int depth) {
  YamlNode* n = NULL;
  SarLoc loc = loc_of(b, event->start_mark);
  if (depth > YAML_MAX_DEPTH) {
    sar_report(b->err, loc, "", "lists and mappings within one another deeper than %d levels",
               YAML_MAX_DEPTH);
    give_up(b, SAR_BAD_MODEL);
  } else if (event->type == YAML_ALIAS_EVENT) {
    n = read_alias(b, (const char*)event->data.alias.anchor, loc);
  } else if (event->type == YAML_SCALAR_EVENT) {
    n = read_text(b, event);
    if (n) set_anchor(b, add_anchor(b, event->data.scalar.anchor, loc), n);
  } else if (event->type == YAML_SEQUENCE_START_EVENT) {
    n = read_list(b, event, depth);
  } else if (event->type == YAML_MAPPING_START_EVENT) {
    n = read_map(b, event, depth);
  }
  yaml_event_delete(event);
  return b->status == SAR_OK ? n : NULL;
}

static void read_document(Builder* b, const YamlNode** root) {
  yaml_event_t event;
  for (bool more = true; more && next_event(b, &event);) {
    switch (event.type) {
      case YAML_STREAM_END_EVENT: more = false; break;
      case YAML_STREAM_START_EVENT:
      case YAML_DOCUMENT_END_EVENT: break;
      case YAML_DOCUMENT_START_EVENT:
        if (*root) {
          sar_report(b->err, loc_of(b, event.start_mark), "one model a file; see 'include'",
                     "a second document begins here");
          more = false;
        }
        break;
      default: *root = read_node(b, &event, 0); continue;  // the event is deleted already
    }
    yaml_event_delete(&event);
  }
}

SarStatus sar_yaml_tree(SarArena* arena, SarArena* texts, const char* text, size_t n,
                        const char* file, int max_nodes, const YamlNode** root, SarError* err) {
  Builder b = {.arena = arena,
               .texts = texts,
               .err = err,
               .file = file,
               .text = text,
               .length = n,
               .max_nodes = max_nodes,
               .status = SAR_OK};
  *root = NULL;
  if (!yaml_parser_initialize(&b.parser)) return SAR_NO_MEMORY;
  yaml_parser_set_input_string(&b.parser, (const unsigned char*)text, n);
  read_document(&b, root);
  yaml_parser_delete(&b.parser);
  if (b.status != SAR_OK) *root = NULL;
  return b.status;
}

bool sar_yaml_is_null(const YamlNode* n) {
  static const char* const words[] = {"", "~", "null", "Null", "NULL"};
  if (n->kind != YAML_TEXT || n->quoted) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(n->text, words[i]) == 0) return true;
  return false;
}

const char* sar_yaml_kind_text(const YamlNode* n) {
  if (n->kind == YAML_MAP) return "a mapping";
  if (n->kind == YAML_LIST) return "a list";
  return sar_yaml_is_null(n) ? "nothing" : "a text";
}
