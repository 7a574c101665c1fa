// SarError: fixed-size collection of messages, so that reporting works even when memory has run
// out.
#include "base/error.h"
#include "base/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SAR_API void sar_error_init(SarError* err) {
  if (!err) return;
  err->count = 0;
  err->errors = 0;
  err->dropped = 0;
}

// ---- places --------------------------------------------------------------------------------

const char* sar_loc_copy(SarLoc loc) {
  const char* mark = loc.file ? strchr(loc.file, SAR_COPY_MARK) : NULL;
  return mark ? mark + 1 : NULL;
}

static int file_length(SarLoc loc) {
  const char* copy = sar_loc_copy(loc);
  return copy ? (int)(copy - 1 - loc.file) : (int)strlen(loc.file);
}

bool sar_loc_same_file(SarLoc a, SarLoc b) {
  if (!a.file || !b.file) return false;
  const int n = file_length(a);
  return n == file_length(b) && strncmp(a.file, b.file, (size_t)n) == 0;
}

// ---- copies --------------------------------------------------------------------------------

static const char COPY[] = " (copy ";

// The part of a message that names its copy; NULL: it has none.
static char* copy_of(SarDiag* item) {
  char* found = NULL;
  for (char* at = item->text; (at = strstr(at, COPY)); at++) found = at;
  return found;
}

static void name_copy(SarDiag* item, const char* copy) {
  enum { ROOM = 96 };
  const size_t used = strlen(item->text), last = sizeof item->text - ROOM;
  sar_snprintf(item->text + (used < last ? used : last), ROOM, "%s%.80s)", COPY, copy);
}

// The same mistake in another copy: " (copy i = 1)" -> " (copy i = 1 and 1 other)".
static void count_copy(SarDiag* item) {
  char* words = copy_of(item);
  char* others = strstr(words, " and ");
  char* end = others ? others : strrchr(words, ')');
  int n = (others ? (int)strtol(others + 5, NULL, 10) : 0) + 1;
  if (!end) return;
  size_t room = sizeof item->text - (size_t)(end - item->text);
  sar_snprintf(end, room, " and %d other%s)", n, n == 1 ? "" : "s");
}

static SarDiag* same_in_a_copy(SarError* err, SarSeverity severity, SarLoc loc) {
  for (int i = err->count - 1; i >= 0; i--) {
    SarDiag* item = &err->items[i];
    const SarLoc at = {item->file, item->line, item->column};
    if (at.line == loc.line && at.column == loc.column && item->severity == severity &&
        sar_loc_same_file(at, loc) && copy_of(item))
      return item;
  }
  return NULL;
}

// ---- patterns ------------------------------------------------------------------------------

static const char OTHERS[] = " (and ";

// What a message says of whom it names first: behind "joint 'knee'".
static const char* said_of(const char* text) {
  const char* quoted = strstr(text, "': ");
  return quoted ? quoted + 1 : NULL;
}

// One place may stand for many ("*": all joints): what is wrong there is told of the first of them.
// NULL: this is it.
static SarDiag* told_of_another(SarError* err, SarSeverity severity, SarLoc loc, const char* text) {
  const char* said = said_of(text);
  for (int i = 0; i < err->count && said && loc.line > 0; i++) {
    SarDiag* item = &err->items[i];
    const SarLoc at = {item->file, item->line, item->column};
    const char* before = said_of(item->text);
    if (at.line != loc.line || at.column != loc.column || item->severity != severity || !before ||
        !sar_loc_same_file(at, loc))
      continue;
    const size_t n = strlen(said);
    const bool others = strncmp(before + n, OTHERS, sizeof OTHERS - 1) == 0;
    const bool another =
        before - item->text != said - text || strncmp(item->text, text, (size_t)(said - text)) != 0;
    if (strncmp(before, said, n) == 0 && (before[n] == 0 || others) && another) return item;
  }
  return NULL;
}

// "... 'm'" -> "... 'm' (and 1 other)" -> "... 'm' (and 2 others)"
static void count_other(SarDiag* item, size_t said) {
  char* end = item->text + (said_of(item->text) - item->text) + said;
  const int n = (*end ? (int)strtol(end + sizeof OTHERS - 1, NULL, 10) : 0) + 1;
  sar_snprintf(end, sizeof item->text - (size_t)(end - item->text), "%s%d other%s)", OTHERS, n,
               n == 1 ? "" : "s");
}

static void add(SarError* err, SarSeverity severity, SarLoc loc, const char* hint,
                const char* format, va_list args) {
  if (!err) return;
  if (severity == SAR_ERROR) err->errors++;
  const char* copy = sar_loc_copy(loc);
  SarDiag* first = copy ? same_in_a_copy(err, severity, loc) : NULL;
  if (first) {
    count_copy(first);
    return;
  }
  // names and texts of the file are in it: nothing of them may steer a terminal
  char whole[2 * sizeof err->items->text], text[sizeof err->items->text];
  sar_vsnprintf(whole, sizeof whole, format, args);
  sar_visible(text, sizeof text, whole);
  SarDiag* other = copy ? NULL : told_of_another(err, severity, loc, text);
  if (other) {
    count_other(other, strlen(said_of(text)));
    return;
  }
  if (err->count == SAR_MAX_DIAGS) {
    err->dropped++;
    return;
  }
  SarDiag* item = &err->items[err->count++];
  item->severity = severity;
  item->line = loc.line;
  item->column = loc.column;
  memcpy(item->text, text, sizeof item->text);
  char file[sizeof item->file];
  sar_snprintf(file, sizeof file, "%.*s", loc.file ? file_length(loc) : 0,
               loc.file ? loc.file : "");
  sar_visible(item->file, sizeof item->file, file);
  sar_visible(item->hint, sizeof item->hint, hint ? hint : "");
  if (copy) name_copy(item, copy);
}

void sar_report(SarError* err, SarLoc loc, const char* hint, const char* format, ...) {
  va_list args;
  va_start(args, format);
  add(err, SAR_ERROR, loc, hint, format, args);
  va_end(args);
}

void sar_warn(SarError* err, SarLoc loc, const char* hint, const char* format, ...) {
  va_list args;
  va_start(args, format);
  add(err, SAR_WARNING, loc, hint, format, args);
  va_end(args);
}

static bool stands_before(const SarDiag* a, const SarDiag* b) {
  int order = strcmp(a->file, b->file);
  if (order) return order < 0;
  return a->line != b->line ? a->line < b->line : a->column < b->column;
}

void sar_error_sort(SarError* err, int from) {
  for (int i = from + 1; i < err->count; i++) {
    SarDiag item = err->items[i];
    int k = i;
    for (; k > from && stands_before(&item, &err->items[k - 1]); k--)
      err->items[k] = err->items[k - 1];
    err->items[k] = item;
  }
}

SAR_API const char* sar_error_format(const SarError* err, int i, char* buf, size_t size) {
  if (!buf || size == 0) return buf;
  buf[0] = '\0';
  if (!err || i < 0 || i >= err->count) return buf;
  const SarDiag* item = &err->items[i];
  char place[320] = "";
  if (item->file[0] && item->line > 0)
    sar_snprintf(place, sizeof place, "%s:%d:%d: ", item->file, item->line, item->column);
  else if (item->file[0])
    sar_snprintf(place, sizeof place, "%s: ", item->file);
  sar_snprintf(buf, size, "%s%s: %s%s%s%s", place,
               item->severity == SAR_WARNING ? "warning" : "error", item->text,
               item->hint[0] ? " (" : "", item->hint, item->hint[0] ? ")" : "");
  return buf;
}

SAR_API const char* sar_status_text(SarStatus status) {
  switch (status) {
    case SAR_OK: return "done";
    case SAR_BAD_MODEL: return "the model is wrong";
    case SAR_BAD_ARGUMENT: return "an option or argument does not fit";
    case SAR_NO_FILE: return "a file cannot be read or written";
    case SAR_NO_MEMORY: return "out of memory";
    case SAR_NOT_OFFERED: return "not offered";
    case SAR_NO_SCRATCH: return "the scratch memory of the step is too small";
    case SAR_NOT_CONVERGED: return "an iteration did not converge";
    case SAR_SINGULAR: return "the equations of motion are singular";
    case SAR_NOT_FINITE: return "a value is not finite";
    case SAR_STEP_TOO_SMALL: return "the step became too small";
    case SAR_NOT_CLOSED: return "a constraint is open";
    case SAR_STOPPED: return "stopped before the end";
    case SAR_OVER_LIMIT: return "needs more memory than the limit";
    case SAR_NOT_EXPLAINED: return "energy came from nowhere";
  }
  return "unknown status";
}

#ifdef SAR_CHECKED
void sar_assert_failed(const char* condition, const char* file, int line) {
  fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
  abort();
}
#endif
