// `$` in the texts of a file: link$i, link$(i-1), box$(r)_$(k) are names with a number in them.
// What follows the `$` is an index, or an expression of indices and parameters in parentheses,
// whole-numbered;
// `$$` is a `$`.
//
// The names that come out are ordinary ones, link6, so that columns, expressions and `--set` need
// know nothing of copies. `ends` of a repetition gives those beyond the first and the last copy a
// name: ground.
#include "base/print.h"
#include "io/yaml_read.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef SAR_LIST(char) Chars;

typedef struct Putting {
  YamlReader* r;
  const YamlNode* n;
  Chars plain, spaced;
  int base;      // of `plain`: where the name at its end begins, up to its first '.'
  bool indexed;  // that name holds an index
  int lost;      // characters that the names since the last space are shorter than in the file
} Putting;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void put_char(SarArena* a, Chars* to, char c) {
  char* slot = SAR_LIST_ADD(a, to);
  if (slot) *slot = c;
}

static void put(Putting* p, char c) {
  put_char(p->r->arena, &p->plain, c);
  put_char(p->r->arena, &p->spaced, c);
}

// The name behind the first or the last copy, if it has one of its own.
static const char* end_name(const Putting* p, const char* name, size_t size) {
  for (const YamlIndex* i = p->n->index; i; i = i->outer)
    for (int k = 0; i->ends && k < i->ends->count; k++) {
      const YamlPair* pair = &i->ends->pairs[k];
      if ((size_t)pair->key->count == size && memcmp(pair->key->text, name, size) == 0)
        return pair->value->text;
    }
  return NULL;
}

// The first part of a name, link6 of link6.tip, is whole.
static void end_base(Putting* p) {
  if (p->indexed && p->plain.items) {
    const int size = p->plain.count - p->base;
    const char* other = end_name(p, p->plain.items + p->base, (size_t)size);
    if (other) {
      p->plain.count -= size, p->spaced.count -= size;
      for (const char* c = other; *c; c++) put(p, *c);
      p->lost += size - (int)strlen(other);
    }
  }
  p->indexed = false;
}

// The name is whole: spaces behind it keep what follows in its column.
static void end_name_of_file(Putting* p) {
  end_base(p);
  for (; p->lost > 0; p->lost--) put_char(p->r->arena, &p->spaced, ' ');
  p->lost = 0;
}

// Length of what stands behind a '$': a word, or up to the ')' that closes the '('; 0: neither.
static int length_of(const char* at) {
  int n = 0, open = 0;
  if (isalpha((unsigned char)*at) || *at == '_')
    while (is_word(at[n])) n++;
  if (*at != '(') return n;
  do {
    open += (at[n] == '(') - (at[n] == ')');
    n++;
  } while (open > 0 && at[n]);
  return open ? 0 : n;
}

static bool put_number(Putting* p, const char* at, int n) {
  YamlReader* r = p->r;
  SarLoc loc = p->n->loc;
  char number[32];
  double value;
  if (p->n->last_line == loc.line) loc.column += (int)(at - p->n->text);
  if (!sar_yaml_constant_text(r, at, (size_t)n, loc, p->n->index, &value)) return false;
  if (!(fabs(value) <= 1e9) || value != floor(value)) {
    sar_report(r->err, loc, "names are numbered by whole numbers",
               "'$%.*s' is %g, which cannot be part of a name", n < 60 ? n : 60, at, value);
    return false;
  }
  sar_snprintf(number, sizeof number, "%.0f", value == 0 ? 0 : value);
  for (const char* c = number; *c; c++) put(p, *c);
  p->lost += n + 1 - (int)strlen(number);
  p->indexed = true;
  return true;
}

// Takes what begins with a '$'; how many characters it was, 0 after a report.
static int take_dollar(Putting* p, const char* at) {
  if (at[1] == '$') {
    put(p, '$');
    return 2;
  }
  const int n = length_of(at + 1);
  if (n > 0) return put_number(p, at + 1, n) ? n + 1 : 0;
  sar_report(p->r->err, p->n->loc, "as in link$i or link$(i-1); '$$' stands for a '$'",
             "expected an index after the '$' of '%.60s'", p->n->text);
  return 0;
}

bool sar_yaml_put_index(YamlReader* r, YamlNode* text) {
  Putting p = {.r = r, .n = text};
  if (!strchr(text->text, '$')) return true;
  for (const char* at = text->text; *at;) {
    if (*at == '$') {
      const int n = take_dollar(&p, at);
      if (!n) return false;
      at += n;
      continue;
    }
    if (*at == '.') end_base(&p);
    if (!is_word(*at) && *at != '.') end_name_of_file(&p);
    put(&p, *at);
    if (!is_word(*at)) p.base = p.plain.count;
    at++;
  }
  end_base(&p);
  put_char(r->arena, &p.plain, '\0');
  put_char(r->arena, &p.spaced, '\0');
  if (r->arena->failed) return false;
  text->text = p.plain.items;
  text->count = (int)strlen(text->text);
  text->spaced = p.spaced.items;
  return true;
}
