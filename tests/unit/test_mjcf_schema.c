// The table of MJCF (io/mjcf_schema.c): every attribute of it is planted where it may stand, and
// random ones that are in no table; what is not taken and what is not known is told at its place,
// what is taken is really looked at.
#include "support/test.h"
#include "support/random.h"

#include "io/mjcf_schema.h"
#include "sarrus/sarrus.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXT = 4000, WORD = 64 };

static SarError err;

static void parse(const char* text) {
  SarModel* m = NULL;
  sar_error_init(&err);
  sar_model_parse(text, strlen(text), "mjcf", "m.xml", NULL, &m, &err);
  sar_model_free(m);
}

// The message that has all of these in it; NULL: there is none.
static const SarDiag* said(const char* a, const char* b) {
  for (int i = 0; i < err.count; i++)
    if (strstr(err.items[i].text, a) && strstr(err.items[i].text, b)) return &err.items[i];
  return NULL;
}

// ---- a file with one tag of the table --------------------------------------------------------

// A section rather than what has its name in another one.
static const MjcfTag* entry_named(const char* name) {
  if (sar_mjcf_tag_find("mujoco", name)) return sar_mjcf_tag_find("mujoco", name);
  for (int i = 0; sar_mjcf_tag(i); i++)
    if (strcmp(sar_mjcf_tag(i)->name, name) == 0) return sar_mjcf_tag(i);
  fail_msg("no tag %s", name);
  return NULL;
}

typedef struct Way {  // opening and closing tags around a place
  char open[300], close[300];
} Way;

static Way way_to(const char* within) {
  Way way = {"", ""};
  if (!within[0]) return way;
  if (strcmp(within, "mujoco") == 0)
    return (Way){
        "<mujoco><worldbody><site name='w'/><body name='it'><joint name='j'/><geom mass='1' "
        "size='1'/></body><body "
        "name='b'><joint name='j2'/><geom size='1'/><site name='s'/></body></worldbody>",
        "</mujoco>"};
  if (strcmp(within, "body") == 0)
    return (Way){"<mujoco><compiler autolimits='false'/><worldbody><body name='it'><joint/>",
                 "</body></worldbody></mujoco>"};
  const Way outer = way_to(entry_named(within)->within);
  snprintf(way.open, sizeof way.open, "%.250s<%.40s>", outer.open, within);
  snprintf(way.close, sizeof way.close, "</%.40s>%.250s", within, outer.close);
  return way;
}

// What the tag needs to be looked at at all.
typedef struct Needs {
  const char *within, *name, *attributes, *inside;
} Needs;

// Of a sensor.
static const char* object_of(const MjcfTag* t) {
  if (strstr(t->taken, "objtype")) return "objtype='site' objname='s' reftype='site' refname='w'";
  if (strstr(t->taken, "site")) return "site='s'";
  if (strstr(t->taken, "body")) return "body='it'";
  return strstr(t->taken, "joint") ? "joint='j'" : "";
}

static Needs needs_of(const MjcfTag* t) {
  static const Needs needs[] = {{"body", "inertial", "mass='1' diaginertia='1 1 1'", ""},
                                {"body", "geom", "size='1 1 1' type='capsule'", ""},
                                {"body", "site", "name='s'", ""},
                                {"body", "joint", "stiffness='1' actuatorfrcrange='0 1'", ""},
                                {"body", "frame", "", "<geom size='1'/>"},
                                {"contact", "exclude", "body1='it' body2='b'", ""},
                                {"equality", "connect", "body1='it' body2='b' anchor='1 0 0'", ""},
                                {"equality", "weld", "body1='it' body2='b'", ""},
                                {"equality", "joint", "joint1='j' joint2='j2'", ""},
                                {"tendon", "fixed", "", "<joint joint='j'/><joint joint='j2'/>"},
                                {"fixed", "joint", "joint='j'", ""},
                                {"tendon", "spatial", "", "<site site='w'/><site site='s'/>"},
                                {"spatial", "site", "site='s'", ""}};
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    if (strcmp(needs[i].within, t->within) == 0 && strcmp(needs[i].name, t->name) == 0)
      return needs[i];
  if (strcmp(t->within, "actuator") == 0) return (Needs){"", "", "joint='j'", ""};
  return (Needs){"", "", strcmp(t->within, "sensor") == 0 ? object_of(t) : "", ""};
}

// The attribute stands on line 2 from column 1 on; a value of NULL: no attribute.
static void write_file(char* out, const MjcfTag* t, const char* attribute, const char* value) {
  const Way way = way_to(t->within);
  char planted[200] = "", others[200] = "";
  const Needs needs = needs_of(t);
  snprintf(others, sizeof others, "%s", needs.attributes);
  // one that is planted stands for the one that is needed
  for (char* at = attribute && value ? strstr(others, attribute) : NULL; at; at = NULL)
    if ((at == others || at[-1] == ' ') && at[strlen(attribute)] == '=')
      for (int quotes = 0; *at && quotes < 2; at++) {
        quotes += *at == '\'';
        *at = ' ';
      }
  if (attribute && value) snprintf(planted, sizeof planted, "%s='%s'", attribute, value);
  const bool empty = !needs.inside[0];
  snprintf(out, TEXT, "%s<%s %s\n%s%s%s", way.open, t->name, others, planted, empty ? "/>" : ">",
           empty ? "" : needs.inside);
  const size_t n = strlen(out);
  snprintf(out + n, TEXT - n, empty ? "%.0s%s" : "</%s>%s", t->name, way.close);
}

// ---- tests -----------------------------------------------------------------------------------

static void expect_place(const SarDiag* d, const MjcfTag* t, const char* attribute) {
  if (!d) fail_msg("<%s> in <%s>: nothing is said of '%s'", t->name, t->within, attribute);
  assert_int_equal(d->line, 2);
  assert_int_equal(d->column, (int)strlen(attribute) + 3);  // of the value
}

static void every_attribute_is_known_or_told(void** state) {
  (void)state;
  char text[TEXT], word[WORD], is_of[WORD + 80], mark[2 * WORD];
  int taken = 0, idle = 0, left = 0;
  for (int k = 0; sar_mjcf_tag(k); k++) {
    const MjcfTag* t = sar_mjcf_tag(k);
    if (t->fate == MJCF_LEFT) continue;
    const char* const lists[] = {t->taken, t->idle, t->left};
    for (int l = 0; l < 3; l++)
      for (int i = 0; sar_mjcf_word_of(lists[l], i, word, sizeof word); i++) {
        write_file(text, t, word, "7");
        parse(text);
        snprintf(is_of, sizeof is_of, "%s of <%s>", word, t->name);
        snprintf(mark, sizeof mark, "has no attribute '%s'", word);
        const SarDiag *told = said(is_of, "is not taken"), *unknown = said(mark, "");
        if (unknown) fail_msg("<%s> %s: not known", t->name, word);
        if (l == 2)
          expect_place(told, t, word), left++;
        else if (told)
          fail_msg("<%s> %s is taken or has no meaning, and is told", t->name, word);
        taken += l == 0, idle += l == 1;
      }
  }
  print_message("%d attributes taken, %d without meaning, %d told\n", taken, idle, left);
  assert_true(taken > 150 && idle > 150 && left > 50);
}

static void keep_messages(char* out, size_t size) {
  size_t n = 0;
  out[0] = '\0';
  for (int i = 0; i < err.count && n < size; i++)
    n += (size_t)snprintf(out + n, size - n, "%s|", err.items[i].text);
}

// Nonsense in an attribute that is taken is told, but for names and words that are free, or chosen
// from what is here.
static void what_is_taken_is_looked_at(void** state) {
  (void)state;
  // names, folders; what is looked at where it is used; what stands for another one that is not
  // there
  static const char free_words[] =
      " name model class childclass meshdir assetdir file scale jointinparent tendon site geom "
      "sidesite ";
  char text[TEXT], word[WORD], mark[2 * WORD], without[8000], with[8000];
  for (int k = 0; sar_mjcf_tag(k); k++) {
    const MjcfTag* t = sar_mjcf_tag(k);
    if (t->fate != MJCF_TAKEN || strcmp(t->within, "default") == 0) continue;
    for (int i = 0; sar_mjcf_word_of(t->taken, i, word, sizeof word); i++) {
      snprintf(mark, sizeof mark, " %s ", word);
      if (strstr(free_words, mark)) continue;
      write_file(text, t, word, NULL);
      parse(text);
      keep_messages(without, sizeof without);
      write_file(text, t, word, "?!");
      parse(text);
      keep_messages(with, sizeof with);
      if (strcmp(with, without) == 0)
        fail_msg("<%s> in <%s>: nonsense in %s is not told", t->name, t->within, word);
    }
  }
}

// The values that are as good as none are not told.
static void neutral_values_are_not_told(void** state) {
  (void)state;
  parse("<mujoco><option density='0' wind='0 0 0.0' collision='all'/></mujoco>");
  assert_null(said("of <option> is not taken", ""));
  parse("<mujoco><option density='0.0 1'/></mujoco>");
  assert_non_null(said("density of <option> is not taken", ""));
}

// Not the words of the table, and (by `how`) like nothing or like one of them.
static void random_word(Rng* rng, char* out, int letters) {
  for (int i = 0; i < letters; i++) out[i] = (char)('a' + rng_int(rng, 26));
  out[letters] = '\0';
}

static void unknown_attributes_are_told(void** state) {
  (void)state;
  char text[TEXT], word[WORD], mark[2 * WORD];
  Rng rng = rng_seed(test_seed(5));
  int tags = 0;
  while (sar_mjcf_tag(tags)) tags++;
  for (int trial = 0; trial < test_effort(400); trial++) {
    const MjcfTag* t = sar_mjcf_tag(rng_int(&rng, tags));
    if (t->fate == MJCF_LEFT) continue;
    random_word(&rng, word, 4 + rng_int(&rng, 12));
    if (sar_mjcf_fate(t, word, "1") != MJCF_UNKNOWN) continue;
    write_file(text, t, word, "1 2");
    parse(text);
    snprintf(mark, sizeof mark, "<%s> has no attribute '%s'", t->name, word);
    expect_place(said(mark, ""), t, word);
  }
}

// One letter too many in a word of the table: the word that was meant is offered, as far as no
// other one is as near.
static void slips_are_answered(void** state) {
  (void)state;
  char text[TEXT], word[WORD], slip[WORD + 2], mark[2 * WORD];
  Rng rng = rng_seed(test_seed(6));
  int offered = 0, all = 0;
  for (int k = 0; sar_mjcf_tag(k); k++) {
    const MjcfTag* t = sar_mjcf_tag(k);
    if (t->fate == MJCF_LEFT || !sar_mjcf_word_of(t->taken, 1, word, sizeof word)) continue;
    if (strlen(word) < 4) continue;
    const int at = 1 + rng_int(&rng, (int)strlen(word) - 1);
    snprintf(slip, sizeof slip, "%.*s%c%s", at, word, 'a' + rng_int(&rng, 26), word + at);
    if (sar_mjcf_fate(t, slip, "1") != MJCF_UNKNOWN) continue;
    write_file(text, t, slip, "1");
    parse(text);
    snprintf(mark, sizeof mark, "<%s> has no attribute '%s'", t->name, slip);
    const SarDiag* d = said(mark, "");
    expect_place(d, t, slip);
    snprintf(mark, sizeof mark, "did you mean '%s'?", word);
    all++, offered += strcmp(d->hint, mark) == 0;
  }
  assert_true(all > 20 && offered >= all - 2);
}

static void tags_are_known_or_told(void** state) {
  (void)state;
  char text[TEXT], word[WORD], mark[2 * WORD];
  Rng rng = rng_seed(test_seed(7));
  for (int k = 0; sar_mjcf_tag(k); k++) {
    const MjcfTag* t = sar_mjcf_tag(k);
    write_file(text, t, NULL, NULL);
    parse(text);
    snprintf(mark, sizeof mark, "<%s> is not taken", t->name);
    if ((said(mark, "") != NULL) != (t->fate == MJCF_LEFT))
      fail_msg("<%s> in <%s>: told %d", t->name, t->within, said(mark, "") != NULL);
    if (said("there is no <", "")) fail_msg("<%s> in <%s> is not known", t->name, t->within);
    if (t->fate == MJCF_LEFT || !t->within[0]) continue;
    random_word(&rng, word, 7);
    const MjcfTag made = {t->within, word, MJCF_LEFT, "", "", ""};
    if (sar_mjcf_tag_find(t->within, word)) continue;
    write_file(text, &made, NULL, NULL);
    parse(text);
    snprintf(mark, sizeof mark, "there is no <%s> in", word);
    if (!said(mark, t->within)) fail_msg("nothing is said of <%s> in <%s>", word, t->within);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_attribute_is_known_or_told),
                                     cmocka_unit_test(what_is_taken_is_looked_at),
                                     cmocka_unit_test(neutral_values_are_not_told),
                                     cmocka_unit_test(unknown_attributes_are_told),
                                     cmocka_unit_test(slips_are_answered),
                                     cmocka_unit_test(tags_are_known_or_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
