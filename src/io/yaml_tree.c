// libyaml's events -> YamlNode. Aliases share the node of their anchor: no input makes the tree
// larger than its text, and `size` tells what walking it would cost. Merge keys: yaml_merge.c; what
// commas cut in two: yaml_commas.c.
#include "io/yaml_build.h"
#include "io/yaml_syntax.h"

#include "base/print.h"

#include <limits.h>
#include <string.h>

// libyaml counts from 0; the reader bounds files to less than INT_MAX bytes.
static SarLoc loc_of(const YamlBuilder* b, yaml_mark_t mark) {
  return (SarLoc){b->file, (int)mark.line + 1, (int)mark.column + 1};
}

static YamlNode* give_up(YamlBuilder* b, SarStatus status) {
  if (b->status == SAR_OK) b->status = status;
  return NULL;
}

static bool next_event(YamlBuilder* b, yaml_event_t* event) {
  if (b->status != SAR_OK) return false;
  if (yaml_parser_parse(&b->parser, event)) return true;
  give_up(b, sar_yaml_syntax(&b->parser, b->text, b->length, b->file, b->err));
  return false;
}

// ---- nodes ---------------------------------------------------------------------------------

static YamlNode* new_node(YamlBuilder* b, YamlKind kind, SarLoc loc) {
  sar_budget_doing(b->arena->budget, "reading", loc);
  YamlNode* n = sar_arena_push_small(b->arena, sizeof *n);
  if (!n) return give_up(b, SAR_NO_MEMORY);
  n->kind = kind;
  n->loc = loc;
  n->last_line = loc.line;
  n->size = 1;
  return n;
}

bool sar_yaml_grow(YamlBuilder* b, YamlNode* n, const YamlNode* part) {
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
static int add_anchor(YamlBuilder* b, const yaml_char_t* name, SarLoc loc) {
  if (!name || b->status != SAR_OK) return -1;
  if (b->anchors.count == YAML_MAX_ANCHORS) {
    sar_report(b->err, loc, "", "more than %d anchors", YAML_MAX_ANCHORS);
    give_up(b, SAR_BAD_MODEL);
    return -1;
  }
  YamlAnchor* anchor = SAR_LIST_ADD(b->arena, &b->anchors);
  const char* copy = sar_arena_strdup(b->arena, (const char*)name);
  if (!anchor || !copy) {
    give_up(b, SAR_NO_MEMORY);
    return -1;
  }
  anchor->name = copy;
  return b->anchors.count - 1;
}

static void set_anchor(YamlBuilder* b, int index, YamlNode* node) {
  if (index >= 0) b->anchors.items[index].node = node;
}

static YamlNode* read_alias(YamlBuilder* b, const char* name, SarLoc loc) {
  for (int i = b->anchors.count - 1; i >= 0; i--) {
    const YamlAnchor* anchor = &b->anchors.items[i];
    if (strcmp(anchor->name, name) != 0) continue;
    if (anchor->node) return anchor->node;
    sar_report(b->err, loc, "", "the alias '*%s' stands inside what it stands for", name);
    return give_up(b, SAR_BAD_MODEL);
  }
  sar_report(b->err, loc, "a product cannot begin with '*'; an alias needs '&NAME' before it",
             "no anchor '&%s' for the alias '*%s'", name, name);
  return give_up(b, SAR_BAD_MODEL);
}

static void check_tag(YamlBuilder* b, const yaml_char_t* tag, SarLoc loc) {
  static const char standard[] = "tag:yaml.org,2002:";
  if (!tag || strncmp((const char*)tag, standard, sizeof standard - 1) == 0) return;
  if (strcmp((const char*)tag, "!") == 0) return;
  sar_report(b->err, loc, "put a text that begins with '!' in quotes",
             "model files have no tags, found '%s'", (const char*)tag);
}

static YamlNode* read_text(YamlBuilder* b, const yaml_event_t* event) {
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

// ---- lists and mappings --------------------------------------------------------------------

// The items from `first` on, taken off the end of those that are open, in an array of their own.
static bool close_list(YamlBuilder* b, int first, YamlNodes* list) {
  list->count = list->capacity = b->open_items.count - first;
  const size_t bytes = (size_t)list->count * sizeof *list->items;
  list->items = sar_arena_push_small(b->arena, bytes);
  if (!list->items) return false;
  if (bytes) memcpy(list->items, b->open_items.items + first, bytes);
  b->open_items.count = first;
  return true;
}

static bool close_map(YamlBuilder* b, int first, YamlPairs* list) {
  list->count = list->capacity = b->open_pairs.count - first;
  const size_t bytes = (size_t)list->count * sizeof *list->items;
  list->items = sar_arena_push_small(b->arena, bytes);
  if (!list->items) return false;
  if (bytes) memcpy(list->items, b->open_pairs.items + first, bytes);
  b->open_pairs.count = first;
  return true;
}

static YamlNode* read_node(YamlBuilder* b, yaml_event_t* event, int depth);

static YamlNode* read_list(YamlBuilder* b, const yaml_event_t* start, int depth) {
  YamlNode* n = new_node(b, YAML_LIST, loc_of(b, start->start_mark));
  if (!n) return NULL;
  bool flow = start->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
  check_tag(b, start->data.sequence_start.tag, n->loc);
  int anchor = add_anchor(b, start->data.sequence_start.anchor, n->loc);
  const int first = b->open_items.count;
  YamlCut cut = {0};
  yaml_event_t event;
  while (next_event(b, &event)) {
    if (event.type == YAML_SEQUENCE_END_EVENT) {
      YamlNodes list;
      yaml_event_delete(&event);
      sar_yaml_end_cut(b->err, &cut);
      if (!close_list(b, first, &list)) return give_up(b, SAR_NO_MEMORY);
      n->items = list.items;
      n->count = list.count;
      set_anchor(b, anchor, n);
      return n;
    }
    YamlNode* item = read_node(b, &event, depth + 1);
    if (!item || !sar_yaml_grow(b, n, item)) return NULL;
    if (flow && sar_yaml_is_rest(b->err, &cut, item)) continue;
    const YamlNode** slot = SAR_LIST_ADD(b->arena, &b->open_items);
    if (!slot) return give_up(b, SAR_NO_MEMORY);
    *slot = item;
  }
  return NULL;
}

static YamlNode* read_map(YamlBuilder* b, const yaml_event_t* start, int depth) {
  YamlNode* n = new_node(b, YAML_MAP, loc_of(b, start->start_mark));
  if (!n) return NULL;
  bool flow = start->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
  check_tag(b, start->data.mapping_start.tag, n->loc);
  int anchor = add_anchor(b, start->data.mapping_start.anchor, n->loc);
  const int first = b->open_pairs.count;
  YamlCut cut = {0};
  yaml_event_t event;
  while (next_event(b, &event)) {
    if (event.type == YAML_MAPPING_END_EVENT) {
      YamlPairs list;
      yaml_event_delete(&event);
      sar_yaml_end_cut(b->err, &cut);
      if (!close_map(b, first, &list) || !sar_yaml_merge(b, n, &list))
        return give_up(b, SAR_NO_MEMORY);
      n->pairs = list.items;
      n->count = list.count;
      set_anchor(b, anchor, n);
      return n;
    }
    YamlNode* key = read_node(b, &event, depth + 1);
    if (!key || !sar_yaml_grow(b, n, key) || !next_event(b, &event)) return NULL;
    YamlNode* value = read_node(b, &event, depth + 1);
    if (!value || !sar_yaml_grow(b, n, value)) return NULL;
    if (key->kind != YAML_TEXT) {
      sar_report(b->err, key->loc, "", "a key must be a text, found %s", sar_yaml_kind_text(key));
      continue;
    }
    // a value begins an expression, keys and their values continue it
    if (flow && cut.open > 0) {
      sar_yaml_is_rest(b->err, &cut, key);
      if (cut.open > 0) sar_yaml_is_rest(b->err, &cut, value);
      continue;
    }
    if (flow) sar_yaml_is_rest(b->err, &cut, value);
    YamlPair* slot = SAR_LIST_ADD(b->arena, &b->open_pairs);
    if (!slot) return give_up(b, SAR_NO_MEMORY);
    *slot = (YamlPair){key, value};
  }
  return NULL;
}

// Reads the node that begins with *event, and deletes the event. NULL: the reading has ended.
static YamlNode* read_node(YamlBuilder* b, yaml_event_t* event, int depth) {
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

static void read_document(YamlBuilder* b, const YamlNode** root) {
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
  YamlBuilder b = {.arena = arena,
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
