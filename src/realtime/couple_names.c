// Names of coupled simulators: "tail.hub_*: main.fin.*" is every input of `tail` that begins so,
// from the output of `main` with the same ending.
#include "base/arena.h"
#include "base/print.h"
#include "base/text.h"
#include "realtime/couple.h"

#include <string.h>

enum { TEXT = 200, MOST_NAMES = 512 };

// The simulator of "NAME.rest", and the rest; -1 after a message.
static int member_of(const SarCouple* c, const SpecName* name, const char** rest, SarError* err) {
  const char* dot = strchr(name->text, '.');
  const char* names[SAR_COUPLE_MOST];
  char first[TEXT], hint[200];
  const size_t size = dot ? (size_t)(dot - name->text) : strlen(name->text);
  sar_snprintf(first, sizeof first, "%.*s", (int)size, name->text);
  for (int i = 0; i < c->members; i++) names[i] = c->member[i].name;
  for (int i = 0; dot && i < c->members; i++)
    if (strcmp(names[i], first) == 0) {
      *rest = dot + 1;
      return i;
    }
  if (dot)
    sar_report(err, name->loc, sar_text_offer(hint, sizeof hint, first, names, c->members),
               "there is no simulator '%.60s'", first);
  else
    sar_report(err, name->loc, "write SIMULATOR.NAME", "'%.60s' names no simulator", name->text);
  return -1;
}

static void report_missing(const SarMember* m, SarItem kind, const SpecName* at, const char* word,
                           SarError* err) {
  const char* names[MOST_NAMES];
  char hint[300];
  int n = sar_model_count(m->m, kind);
  if (n > MOST_NAMES) n = MOST_NAMES;
  for (int i = 0; i < n; i++) names[i] = sar_model_name(m->m, kind, i);
  const char* what = kind == SAR_ITEM_INPUT ? "input" : "output";
  sar_report(err, at->loc, n ? sar_text_offer(hint, sizeof hint, word, names, n) : "",
             "simulator '%.60s' has no %s '%.100s'%s", m->name, what, word,
             n                        ? ""
             : kind == SAR_ITEM_INPUT ? ", nor any"
                                      : "");
}

// Does a name fit "before*behind"? *part: what the star stands for.
static bool fits(const char* pattern, const char* name, char* part, size_t size) {
  const char* star = strchr(pattern, '*');
  *part = 0;
  if (!star) return strcmp(pattern, name) == 0;
  const size_t before = (size_t)(star - pattern), behind = strlen(star + 1), n = strlen(name);
  if (n < before + behind || strncmp(pattern, name, before) != 0 ||
      strcmp(name + n - behind, star + 1) != 0)
    return false;
  sar_snprintf(part, size, "%.*s", (int)(n - before - behind), name + before);
  return true;
}

// The pattern with the star's part put in.
static void put(const char* pattern, const char* part, char* out, size_t size) {
  const char* star = strchr(pattern, '*');
  if (star)
    sar_snprintf(out, size, "%.*s%s%s", (int)(star - pattern), pattern, part, star + 1);
  else
    sar_snprintf(out, size, "%s", pattern);
}

// An output of a simulator by its name; `time` is that of the exchange. -1: none.
static int find_output(const SarMember* m, const char* name) {
  const int found = sar_model_find(m->m, SAR_ITEM_OUTPUT, name);
  return found < 0 && strcmp(name, "time") == 0 ? m->outputs : found;
}

static bool is_taken(const SarMember* m, int input) {
  for (int i = 0; i < m->inputs; i++)
    if (m->input[i].input == input) return true;
  return false;
}

static void add_input(SarCouple* c, SarMember* m, int input, int from, int column,
                      const CoupleSignal* s) {
  SarArena* a = &c->spec.spec.arena;
  SarCoupleInput* x = &m->input[m->inputs++];
  *x = (SarCoupleInput){
      .input = input,
      .from = from,
      .column = column,
      .gain = s->gain,
      .linear = s->linear,
      .to_name = sar_arena_printf(a, "%s.%s", m->name, sar_model_name(m->m, SAR_ITEM_INPUT, input)),
      .from_name =
          sar_arena_printf(a, "%s.%s", c->member[from].name,
                           column == c->member[from].outputs
                               ? "time"
                               : sar_model_name(c->member[from].m, SAR_ITEM_OUTPUT, column))};
}

static void resolve_signal(SarCouple* c, const CoupleSignal* s, SarError* err) {
  const char *input, *output;
  const int to = member_of(c, &s->to, &input, err), from = member_of(c, &s->from, &output, err);
  if (to < 0 || from < 0) return;
  if (to == from) {
    sar_report(err, s->from.loc, "write it into the model",
               "simulator '%.60s' exchanges with itself", c->member[to].name);
    return;
  }
  if ((strchr(input, '*') == NULL) != (strchr(output, '*') == NULL)) {
    sar_report(err, s->from.loc, "", "a '*' stands on both sides or on none");
    return;
  }
  SarMember* m = &c->member[to];
  int found = 0;
  for (int i = 0; i < sar_model_count(m->m, SAR_ITEM_INPUT); i++) {
    char part[TEXT], name[2 * TEXT];
    if (!fits(input, sar_model_name(m->m, SAR_ITEM_INPUT, i), part, sizeof part)) continue;
    found++;
    put(output, part, name, sizeof name);
    const int column = find_output(&c->member[from], name);
    if (column < 0)
      report_missing(&c->member[from], SAR_ITEM_OUTPUT, &s->from, name, err);
    else if (is_taken(m, i))
      sar_report(err, s->to.loc, "", "input '%.100s' of simulator '%.60s' is given twice",
                 sar_model_name(m->m, SAR_ITEM_INPUT, i), m->name);
    else
      add_input(c, m, i, from, column, s);
  }
  if (!found) report_missing(m, SAR_ITEM_INPUT, &s->to, input, err);
}

static void resolve_work(SarCouple* c, const SpecName* name, SarError* err) {
  const char* column;
  if (!name->text) return;
  const int k = member_of(c, name, &column, err);
  if (k < 0) return;
  const int at = sar_model_find(c->member[k].m, SAR_ITEM_OUTPUT, column);
  if (at < 0)
    report_missing(&c->member[k], SAR_ITEM_OUTPUT, name, column, err);
  else
    c->work[c->works++] = (SarCoupleWork){k, at};
}

SarStatus sar_couple_resolve(SarCouple* c, SarError* err) {
  const int errors = err->errors;
  SarArena* a = &c->spec.spec.arena;
  for (int k = 0; k < c->members; k++) {
    SarMember* m = &c->member[k];
    m->input = SAR_ARENA_ARRAY(a, SarCoupleInput, sar_model_count(m->m, SAR_ITEM_INPUT) + 1);
    if (!m->input) return SAR_NO_MEMORY;
  }
  c->work = SAR_ARENA_ARRAY(a, SarCoupleWork, c->spec.energy.count + 1);
  if (!c->work) return SAR_NO_MEMORY;
  for (int i = 0; i < c->spec.signals.count; i++) {
    const CoupleSignal* s = &c->spec.signals.items[i];
    if (s->to.text && s->from.text) resolve_signal(c, s, err);
  }
  for (int i = 0; i < c->spec.energy.count; i++) resolve_work(c, &c->spec.energy.items[i], err);
  if (a->failed) return SAR_NO_MEMORY;
  return err->errors > errors ? SAR_BAD_MODEL : SAR_OK;
}
