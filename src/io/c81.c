// Reading of C81 airfoil tables (c81.h).
#include "io/c81.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { NAME = 30, COUNT = 2, FIELD = 7, PER_LINE = 9 };

typedef struct C81Reader {
  SarArena* arena;
  SarError* err;
  const char* file;
  const char *at, *end;  // what is not read yet
  const char* text;      // the present line,
  int length, line;      // its length and number
} C81Reader;

static const char* const WHAT[SAR_C81_TABLES] = {"lift", "drag", "moment"};

static bool refuse(C81Reader* r, int column, const char* hint, const char* format, const char* what,
                   double x) {
  sar_report(r->err, (SarLoc){r->file, r->line, column + 1}, hint, format, what, x);
  return false;
}

static bool next_line(C81Reader* r) {
  r->line++;
  if (r->at == r->end) {
    r->text = r->at, r->length = 0;
    return false;
  }
  const char* stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
  if (!stop) stop = r->end;
  r->text = r->at;
  const size_t n = (size_t)(stop - r->at);
  r->length = n > 4096 ? 4096 : (int)n;
  while (r->length > 0 && strchr("\r \t", r->text[r->length - 1])) r->length--;
  r->at = stop < r->end ? stop + 1 : r->end;
  return true;
}

// `width` columns from `column` on. False: nothing but blanks, or no finite number (reported).
static bool field(C81Reader* r, int column, int width, const char* what, double* x) {
  int from = column, to = column + width < r->length ? column + width : r->length;
  while (from < to && r->text[from] == ' ') from++;
  while (to > from && r->text[to - 1] == ' ') to--;
  if (from >= to)
    return refuse(r, column, "numbers stand in columns of fixed width", "%s: a number is missing",
                  what, 0);
  if (!sar_text_to_double(r->text + from, (size_t)(to - from), x) || !isfinite(*x)) {
    char word[16];
    const int n = to - from < 15 ? to - from : 15;
    memcpy(word, r->text + from, (size_t)n);
    word[n] = '\0';
    for (int i = 0; i < n; i++)
      if ((unsigned char)word[i] < ' ' || (unsigned char)word[i] > '~') word[i] = '?';
    return refuse(r, from, "numbers stand in columns of fixed width", "'%s' is no number", word, 0);
  }
  return true;
}

// n numbers from column 8 on, over as many lines as they need; the first line is there.
static bool numbers(C81Reader* r, int n, const char* what, double* out) {
  for (int i = 0; i < n; i++) {
    if (i > 0 && i % PER_LINE == 0 && !next_line(r))
      return refuse(r, 0, "", "%s: the file ends within a row", what, 0);
    if (!field(r, FIELD * (1 + i % PER_LINE), FIELD, what, &out[i])) return false;
  }
  return true;
}

static bool rises(C81Reader* r, const char* what, double before, double x, int column) {
  if (x > before) return true;
  return refuse(r, column, "", "%s must rise, but does not at %g", what, x);
}

static bool read_table(C81Reader* r, int k, SarC81Table* t) {
  t->angle = SAR_ARENA_ARRAY(r->arena, double, t->angles);
  t->mach = SAR_ARENA_ARRAY(r->arena, double, t->machs);
  t->value = SAR_ARENA_ARRAY(r->arena, double, t->angles * t->machs);
  if (r->arena->failed) return false;
  if (!next_line(r)) return refuse(r, 0, "", "the file ends before the table of %s", WHAT[k], 0);
  if (!numbers(r, t->machs, "Mach numbers", t->mach)) return false;
  for (int i = 0; i < t->machs; i++) {
    const int column = FIELD * (1 + i % PER_LINE);
    if (t->mach[i] < 0)
      return refuse(r, column, "", "%s is negative: %g", "a Mach number", t->mach[i]);
    if (i > 0 && !rises(r, "Mach numbers", t->mach[i - 1], t->mach[i], column)) return false;
  }
  for (int i = 0; i < t->angles; i++) {
    if (!next_line(r)) return refuse(r, 0, "", "the file ends within the table of %s", WHAT[k], 0);
    if (!field(r, 0, FIELD, "angle", &t->angle[i])) return false;
    if (fabs(t->angle[i]) > 180)
      return refuse(r, 0, "degrees from -180 to 180", "%s is %g", "an angle", t->angle[i]);
    if (i > 0 && !rises(r, "angles", t->angle[i - 1], t->angle[i], 0)) return false;
    if (!numbers(r, t->machs, WHAT[k], &t->value[(size_t)i * (size_t)t->machs])) return false;
  }
  if (t->angle[0] > -180 || t->angle[t->angles - 1] < 180)
    sar_warn(r->err, (SarLoc){r->file, r->line, 1}, "add rows up to -180 and 180 degrees",
             "%s is tabulated from %g to %g degrees: beyond that it is taken as constant", WHAT[k],
             t->angle[0], t->angle[t->angles - 1]);
  return true;
}

static bool read_counts(C81Reader* r, SarC81* out) {
  if (!next_line(r)) return refuse(r, 0, "", "the file is empty%s", "", 0);
  for (int k = 0; k < 2 * SAR_C81_TABLES; k++) {
    const int column = NAME + COUNT * k;
    double x;
    if (!field(r, column, COUNT, "the first line has a name of 30 columns, then six counts", &x))
      return false;
    if (x != floor(x) || x < 1 + (k & 1))
      return refuse(r, column, "a table has one Mach number and two angles at least",
                    "%s of a table cannot be %g", k & 1 ? "the angles" : "the Mach numbers", x);
    *(k & 1 ? &out->table[k / 2].angles : &out->table[k / 2].machs) = (int)x;
  }
  return true;
}

bool sar_c81_read(SarArena* arena, const char* text, size_t n, const char* file, SarC81* out,
                  SarError* err) {
  C81Reader r = {.arena = arena, .err = err, .file = file, .at = text, .end = text + n};
  *out = (SarC81){0};
  SarC81 c = {0};
  if (!read_counts(&r, &c)) return false;
  for (int k = 0; k < SAR_C81_TABLES; k++)
    if (!read_table(&r, k, &c.table[k])) return false;
  while (next_line(&r))
    if (r.length > 0)
      return refuse(&r, 0, "", "there is more after the table of %s", WHAT[SAR_C81_MOMENT], 0);
  *out = c;
  return true;
}
