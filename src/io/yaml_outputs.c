// The list `outputs`: words for whole groups, mappings for single items.
#include "io/yaml_read.h"

#include "base/text.h"

#include <stddef.h>
#include <string.h>

// ---- the words of the table ------------------------------------------------------------------

// A word of the file and what it asks for.
typedef struct Word {
  const char* name;
  SarOwner of;
  const SarOutputKind* only;  // NULL: what comes by default, or what `with` chooses
} Word;

typedef struct Words {
  Word* items;
  const char** names;
  int count;
} Words;

// Made once for a file.
struct YamlOutputWords {
  Words group, single, with;  // joints; {joint: NAME}; with: acceleration
  YamlField* fields;          // of a mapping: the single ones, then OTHER_FIELDS
};
enum { OTHER_FIELDS = 3 };  // with, name, at

static void add_word(Words* w, const char* name, SarOwner of, const SarOutputKind* only) {
  if (!name) return;
  for (int i = 0; i < w->count; i++)
    if (strcmp(w->names[i], name) == 0) return;
  w->items[w->count] = (Word){name, of, only};
  w->names[w->count++] = name;
}

// Room for all words that the table can have: one of each quantity, one of each owner.
static bool make_room(YamlReader* r, Words* w) {
  int most = SAR_OWNERS;
  while (sar_output_kind(most - SAR_OWNERS)) most++;
  w->items = SAR_ARENA_ARRAY(r->arena, Word, most);
  w->names = SAR_ARENA_ARRAY(r->arena, const char*, most);
  return w->items && w->names;
}

static void take_words(struct YamlOutputWords* w, const SarOutputKind* k) {
  const SarOwnerWords owner = sar_owner_words(k->of);
  if (k->by_default) {
    add_word(&w->group, owner.all, k->of, NULL);
    add_word(&w->single, owner.one, k->of, NULL);
  }
  if (k->by_default && k->at_point)
    add_word(&w->single, sar_owner_words(SAR_OF_POINT).one, SAR_OF_POINT, NULL);
  add_word(&w->group, k->group, k->of, k);
  add_word(&w->single, k->key, k->of, k);
  add_word(&w->with, k->with, k->of, k);
}

static const Word* find_word(const Words* w, const char* name) {
  for (int i = 0; i < w->count; i++)
    if (strcmp(w->names[i], name) == 0) return &w->items[i];
  return NULL;
}

// "energy, joints or {KIND: NAME}": the words, then `last`, or the last word.
static const char* listed(YamlReader* r, const Words* w, const char* last) {
  const int n = last ? w->count : w->count - 1;
  const char* text = "";
  for (int i = 0; i < n && text; i++)
    text = sar_arena_printf(r->arena, "%s%s%s", text, i ? ", " : "", w->names[i]);
  if (text) text = sar_arena_printf(r->arena, "%s or %s", text, last ? last : w->names[n]);
  return text ? text : "";
}

static const Word* read_word(YamlReader* r, const YamlNode* n, const Words* w, const char* last) {
  char hint[128] = "";
  const bool is_text = n->kind == YAML_TEXT && !sar_yaml_is_null(n);
  const Word* found = is_text ? find_word(w, n->text) : NULL;
  if (is_text && !found) sar_text_suggest(hint, sizeof hint, n->text, w->names, w->count);
  if (!found) sar_yaml_expected(r, n, listed(r, w, last), hint);
  return found;
}

// ---- one owner, one quantity -----------------------------------------------------------------

static void read_with(YamlReader* r, const YamlNode* n, void* into) {
  SpecOutput* out = into;
  bool several = n->kind == YAML_LIST;
  for (int i = 0; i < (several ? n->count : 1); i++) {
    const Word* word = read_word(r, several ? n->items[i] : n, &r->output_words->with, NULL);
    if (word) out->with |= sar_outputs_with(word->name);
  }
}

// A body, or two that touch each other.
static void read_touching(YamlReader* r, const YamlNode* n, SpecOutput* out) {
  if (n->kind == YAML_LIST && n->count == 2) {
    sar_yaml_name(r, n->items[0], &out->target);
    sar_yaml_name(r, n->items[1], &out->other);
  } else if (n->kind == YAML_TEXT) {
    sar_yaml_name(r, n, &out->target);
  } else {
    sar_yaml_expected(r, n, "a body, or two bodies [a, b] that touch each other", "");
  }
}

static void read_target(YamlReader* r, const YamlNode* n, void* into) {
  SpecOutput* out = into;
  const Word* word = find_word(&r->output_words->single, r->key);
  if (out->loc.line) return;  // a second kind: reported already
  out->loc = n->loc;
  out->of = word->of;
  out->only = word->only;
  if (out->of == SAR_OF_POINT)
    sar_yaml_point(r, n, &out->target, out->point.c);
  else if (out->of == SAR_OF_VALUE)
    sar_yaml_num(r, n, &out->expr);
  else if (out->of == SAR_OF_CONTACT)
    read_touching(r, n, out);
  else
    sar_yaml_name(r, n, &out->target);
}

static void read_single(YamlReader* r, const YamlNode* n) {
  const YamlField* fields = r->output_words->fields;
  const Words* words = &r->output_words->single;
  if (sar_yaml_kind(r, n, "output", words->names, words->count, &fields[words->count],
                    OTHER_FIELDS) < 0)
    return;
  SpecOutput* out = SAR_LIST_ADD(r->arena, &r->spec->outputs);
  if (!out) return;
  const int errors = sar_yaml_errors(r);
  sar_yaml_fields(r, n, fields, words->count + OTHER_FIELDS, out);
  if (sar_yaml_errors(r) > errors) return;
  if (out->with && !(out->with & sar_outputs_of_owner(out->of)))
    sar_yaml_report(r, n->loc, "see 'sarrus list outputs'", "'with' asks for nothing that a %s has",
                    sar_owner_words(out->of).one);
  const bool at_frame = out->only && out->only->at_frame;
  if (out->of != SAR_OF_CONTACT && out->other.text && !at_frame)
    sar_yaml_report(r, out->other.loc, "as in {load: wrist, at: hand.cell}",
                    "'at' is for the load of a joint");
  if (out->of == SAR_OF_VALUE && !out->label.text)
    sar_yaml_report(r, n->loc, "as in {value: elbow.q / deg, name: elbow_deg}",
                    "a value needs a 'name' for its column");
}

// ---- all of a kind ---------------------------------------------------------------------------

static void read_group(YamlReader* r, const YamlNode* n) {
  const Word* group = read_word(r, n, &r->output_words->group, "{KIND: NAME}");
  SpecOutput* out = group ? SAR_LIST_ADD(r->arena, &r->spec->outputs) : NULL;
  if (!out) return;
  out->of = group->of;
  out->only = group->only;
  out->loc = n->loc;
  if (out->of != SAR_OF_MODEL) out->target = (SpecName){"all", n->loc};
}

static bool make_words(YamlReader* r) {
  if (r->output_words) return true;
  struct YamlOutputWords* w = SAR_ARENA_ARRAY(r->arena, struct YamlOutputWords, 1);
  if (!w || !make_room(r, &w->group) || !make_room(r, &w->single) || !make_room(r, &w->with))
    return false;
  for (int i = 0; sar_output_kind(i); i++) take_words(w, sar_output_kind(i));
  const int kinds = w->single.count;
  w->fields = SAR_ARENA_ARRAY(r->arena, YamlField, kinds + OTHER_FIELDS);
  if (!w->fields) return false;
  for (int i = 0; i < kinds; i++) w->fields[i] = (YamlField){w->single.names[i], 0, read_target};
  w->fields[kinds] = (YamlField){"with", 0, read_with};
  w->fields[kinds + 1] = (YamlField){"name", offsetof(SpecOutput, label), sar_yaml_name};
  w->fields[kinds + 2] = (YamlField){"at", offsetof(SpecOutput, other), sar_yaml_name};
  r->output_words = w;
  return true;
}

void sar_yaml_outputs(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  if (sar_yaml_is_null(n)) return;
  if (n->kind != YAML_LIST) {
    sar_yaml_expected(r, n, "a list, as in [energy, joints, {body: arm}]", "");
    return;
  }
  if (!make_words(r)) return;
  YamlScope outer = sar_yaml_enter(r);
  for (int i = 0; i < n->count; i++) {
    const YamlNode* item = n->items[i];
    const YamlTrial trial = sar_yaml_try(r);
    if (item->kind == YAML_MAP)
      read_single(r, item);
    else
      read_group(r, item);
    sar_yaml_tried(r, trial, item, item);
  }
  sar_yaml_leave(r, outer);
}
