// Chained-block arena. Blocks double in size up to 1 MiB, so a spec of any size needs few heap calls.
#include "base/arena.h"

#include "base/alloc.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_BLOCK = 8 << 10, LARGEST_BLOCK = 1 << 20, ALIGNMENT = 16 };

struct SarArenaBlock {
  SarArenaBlock* next;
  size_t size, used;
  _Alignas(16) unsigned char bytes[];
};

void sar_arena_init(SarArena* a) { *a = (SarArena){0}; }

void sar_arena_free(SarArena* a) {
  SarArenaBlock* b = a->head;
  while (b) {
    SarArenaBlock* next = b->next;
    sar_free(b);
    b = next;
  }
  *a = (SarArena){0};
}

static SarArenaBlock* block_new(SarArena* a, size_t at_least) {
  size_t size = a->head ? a->head->size * 2 : FIRST_BLOCK;
  if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
  if (size < at_least) size = at_least;
  SarArenaBlock* b = sar_alloc(sizeof *b + size);
  if (!b) return NULL;
  b->size = size;
  b->next = a->head;
  a->head = b;
  a->total += sizeof *b + size;
  return b;
}

void* sar_arena_push(SarArena* a, size_t size) {
  if (a->failed || size > SIZE_MAX / 4) {
    a->failed = 1;
    return NULL;
  }
  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  SarArenaBlock* b = a->head;
  if (!b || b->size - b->used < size) b = block_new(a, size);
  if (!b) {
    a->failed = 1;
    return NULL;
  }
  void* p = b->bytes + b->used;
  b->used += size;
  return p;
}

void sar_arena_drop(SarArena* a, void* last) {
  SarArenaBlock* b = a->head;
  const size_t at = (size_t)((unsigned char*)last - b->bytes);
  memset(last, 0, b->used - at);  // what is pushed is zeroed
  b->used = at;
}

char* sar_arena_strndup(SarArena* a, const char* s, size_t n) {
  char* copy = sar_arena_push(a, n + 1);
  if (copy && n) memcpy(copy, s, n);
  return copy;
}

char* sar_arena_strdup(SarArena* a, const char* s) { return sar_arena_strndup(a, s, strlen(s)); }

char* sar_arena_printf(SarArena* a, const char* format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char* text = n < 0 ? NULL : sar_arena_push(a, (size_t)n + 1);
  if (!text) return NULL;
  va_start(args, format);
  vsnprintf(text, (size_t)n + 1, format, args);
  va_end(args);
  return text;
}

int sar_list_reserve(SarArena* a, void** items, int* count, int* capacity, size_t item_size) {
  if (*count == *capacity) {
    if (*capacity > INT_MAX / 2) return 0;
    int larger = *capacity ? *capacity * 2 : 8;
    void* moved = sar_arena_push(a, (size_t)larger * item_size);
    if (!moved) return 0;
    if (*count) memcpy(moved, *items, (size_t)*count * item_size);
    *items = moved;
    *capacity = larger;
  }
  memset((unsigned char*)*items + (size_t)*count * item_size, 0, item_size);
  *count += 1;
  return 1;
}
