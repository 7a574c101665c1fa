// What of a MJCF file plays a part in the motion and is not taken, and what MJCF does not know:
// told once for each tag and attribute, with the place of the first and how many there are. The
// table is in mjcf_schema.c.
#include "io/mjcf.h"
#include "io/mjcf_schema.h"

#include "base/text.h"

#include <string.h>

enum { MOST = 64, WORDS = 64, LONGEST = 64 };
typedef struct Told {
  const char *within, *tag, *name;  // name NULL: the whole tag
  bool known;
  SarLoc first;
  int count;
} Told;

typedef struct MjcfTelling {
  Told items[MOST];
  int count, more;
} MjcfTelling;

static bool is_same(const char* a, const char* b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static void note(MjcfTelling* all, Told what) {
  for (int i = 0; i < all->count; i++) {
    Told* t = &all->items[i];
    if (!is_same(t->within, what.within) || !is_same(t->tag, what.tag) ||
        !is_same(t->name, what.name))
      continue;
    t->count++;
    return;
  }
  if (all->count < MOST)
    all->items[all->count++] = what;
  else
    all->more++;
}

static void look(const XmlTag* tag, const char* within, MjcfTelling* all) {
  const MjcfTag* of = sar_mjcf_tag_find(within, tag->name);
  if (!of || of->fate == MJCF_LEFT) {
    note(all, (Told){within, tag->name, NULL, of != NULL, tag->loc, 1});
    return;  // and what is in it
  }
  for (int i = 0; i < tag->attribute_count; i++) {
    const XmlAttribute* a = &tag->attributes[i];
    const MjcfFate fate = sar_mjcf_fate(of, a->name, a->value);
    if (fate == MJCF_LEFT || fate == MJCF_UNKNOWN)
      note(all, (Told){within, tag->name, a->name, fate == MJCF_LEFT, a->loc, 1});
  }
  for (const XmlTag* t = tag->first; t; t = t->next) look(t, sar_mjcf_section(tag), all);
}

// A class that no <default> has.
static void look_for_classes(Mjcf* m, const XmlTag* tag) {
  static const char* const names[] = {"class", "childclass"};
  const bool is_default = sar_mjcf_is(tag, "default");
  for (int i = is_default ? 2 : 0; i < 2; i++) {
    const XmlAttribute* a = sar_xml_attribute(tag, names[i]);
    if (a && strcmp(a->value, "main") != 0 && !sar_mjcf_has_class(m, a->value))
      sar_report(m->err, a->loc, "name one of the classes of <default>",
                 "<%.40s> %s: there is no class '%.40s'", tag->name, names[i], a->value);
  }
  for (const XmlTag* t = tag->first; t; t = t->next) look_for_classes(m, t);
}

// ---- hints -----------------------------------------------------------------------------------

typedef struct Words {
  char room[WORDS][LONGEST];
  const char* items[WORDS];
  int count;
} Words;

static void add_word(Words* w, const char* word) {
  for (int i = 0; i < w->count; i++)
    if (strcmp(w->items[i], word) == 0) return;
  if (w->count == WORDS) return;
  strncpy(w->room[w->count], word, LONGEST - 1);
  w->items[w->count] = w->room[w->count];
  w->count++;
}

// The tags of the section, or the attributes of the tag.
static void collect(const Told* t, Words* w) {
  if (!t->name) {
    for (int i = 0; sar_mjcf_tag(i); i++)
      if (sar_mjcf_tag_find(t->within, sar_mjcf_tag(i)->name)) add_word(w, sar_mjcf_tag(i)->name);
    return;
  }
  const MjcfTag* of = sar_mjcf_tag_find(t->within, t->tag);
  const char* const lists[] = {of->taken, of->left, of->idle};
  char word[LONGEST];
  for (int k = 0; k < 3; k++)
    for (int i = 0; sar_mjcf_word_of(lists[k], i, word, sizeof word); i++) add_word(w, word);
}

static void tell_unknown(Mjcf* m, const Told* t, const char* times) {
  Words words = {.count = 0};
  char hint[256];
  collect(t, &words);
  sar_text_suggest(hint, sizeof hint, t->name ? t->name : t->tag, words.items, words.count);
  if (t->name)
    sar_warn(m->err, t->first, hint, "<%.40s> has no attribute '%.40s'%s", t->tag, t->name, times);
  else
    sar_warn(m->err, t->first, hint, "there is no <%.40s> in <%.40s>%s", t->tag, t->within, times);
}

static void tell(Mjcf* m, const Told* t) {
  const char* times = t->count == 1 ? "" : sar_arena_printf(&m->arena, " (%d times)", t->count);
  if (!times) return;
  if (!t->known)
    tell_unknown(m, t, times);
  else if (t->name)
    sar_warn(m->err, t->first, "", "%s of <%s> is not taken%s", t->name, t->tag, times);
  else
    sar_warn(m->err, t->first, "", "<%s> is not taken%s", t->tag, times);
}

void sar_mjcf_look(Mjcf* m) {
  m->telling = SAR_ARENA_NEW(&m->arena, MjcfTelling);
  if (m->telling) look(m->root, "", m->telling);
  if (m->telling) look_for_classes(m, m->root);
}

void sar_mjcf_tell(Mjcf* m) {
  const MjcfTelling* all = m->telling;
  for (int i = 0; all && i < all->count; i++) tell(m, &all->items[i]);
  if (all && all->more > 0)
    sar_warn(m->err, m->root->loc, "", "%d more tags and attributes are not taken", all->more);
}
