// Text that grows in an arena: room is doubled, what was there is left to the arena.
#include "base/text_out.h"

#include "base/print.h"

#include <stdarg.h>
#include <string.h>

static void add(SarTextOut* t, const char* s, size_t n) {
  if (t->size + n + 1 > t->room) {
    const size_t room = 2 * (t->size + n + 1) + 64;
    char* larger = sar_arena_push(t->arena, room);
    if (!larger) return;
    if (t->text) memcpy(larger, t->text, t->size);
    sar_arena_release(t->arena, t->text, t->room);
    t->text = larger;
    t->room = room;
  }
  memcpy(t->text + t->size, s, n);
  t->size += n;
  t->text[t->size] = '\0';
}

void sar_text_add(SarTextOut* t, const char* s) { add(t, s, strlen(s)); }

void sar_text_addf(SarTextOut* t, const char* format, ...) {
  char brief[256];
  va_list args;
  va_start(args, format);
  const int n = sar_vsnprintf(brief, sizeof brief, format, args);
  va_end(args);
  if (n < 0) t->arena->failed = 1;  // formatting had no memory
  if (n < (int)sizeof brief) {
    if (n > 0) add(t, brief, (size_t)n);
    return;
  }
  char* whole = sar_arena_push(t->arena, (size_t)n + 1);
  if (!whole) return;
  va_start(args, format);
  if (sar_vsnprintf(whole, (size_t)n + 1, format, args) != n) t->arena->failed = 1;
  va_end(args);
  add(t, whole, strlen(whole));
}
