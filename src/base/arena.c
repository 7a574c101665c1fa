// Chained-block arena. Blocks double in size, so a spec of any size needs few heap calls; the
// largest are beyond what malloc keeps for itself, so that a large arena goes back to the system
// when it is freed. What is large has a block to itself.
#include "base/arena.h"

#include "base/alloc.h"
#include "base/print.h"
#include "base/touch.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
  FIRST_BLOCK = 8 << 10,
  LARGEST_BLOCK = 33 << 20,
  OWN_BLOCK = 1 << 20,
  ALIGNMENT = 16,
  LARGE_ITEM = 128
};

struct SarArenaBlock {
  SarArenaBlock* next;
  size_t size, used;
  _Alignas(16) unsigned char bytes[];
};

static size_t aligned(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

static size_t rounded(size_t bytes) { return aligned(bytes, ALIGNMENT); }

void sar_arena_init(SarArena* a) { *a = (SarArena){0}; }

void sar_arena_beside(SarArena* a, const SarArena* other) {
  *a = (SarArena){.budget = other->budget};
}

void sar_arena_free(SarArena* a) {
  SarArenaBlock* b = a->head;
  while (b) {
    SarArenaBlock* next = b->next;
    sar_free(b);
    b = next;
  }
  sar_budget_give(a->budget, a->total);
  *a = (SarArena){0};
}

void sar_arena_touch(SarArena* a) {
  for (SarArenaBlock* b = a->head; b; b = b->next) sar_touch(b, sizeof *b + b->size);
}

void sar_arena_end(SarArena* brief, SarArena* lasting) {
  lasting->failed = lasting->failed || brief->failed;
  sar_arena_free(brief);
}

static SarArenaBlock* block_new(SarArena* a, size_t size) {
  if (!sar_budget_take(a->budget, sizeof(SarArenaBlock) + size)) return NULL;
  SarArenaBlock* b = sar_alloc_brief(sizeof *b + size);
  if (!b) {
    sar_budget_give(a->budget, sizeof *b + size);
    return NULL;
  }
  b->size = size;
  a->total += sizeof *b + size;
  return b;
}

// The next one to fill.
static SarArenaBlock* new_head(SarArena* a, size_t at_least) {
  size_t size = a->next_size ? a->next_size : FIRST_BLOCK;
  if (size < at_least) size = at_least;
  SarArenaBlock* b = block_new(a, size);
  if (!b) return NULL;
  a->next_size = size * 2 < LARGEST_BLOCK ? size * 2 : LARGEST_BLOCK;
  b->next = a->head;
  return a->head = b;
}

// One that is full at once: the head stays the one to fill.
static SarArenaBlock* own_block(SarArena* a, size_t size) {
  SarArenaBlock* b = block_new(a, size);
  if (!b) return NULL;
  SarArenaBlock** link = a->head ? &a->head->next : &a->head;
  b->next = *link;
  return *link = b;
}

// From the next multiple of `alignment` on.
static void* push(SarArena* a, size_t size, size_t alignment) {
  SarArenaBlock* b = a->head;
  if (!a->failed && size <= SIZE_MAX / 4) {
    if (rounded(size) >= OWN_BLOCK)
      b = own_block(a, rounded(size));
    else if (!b || b->size < size || aligned(b->used, alignment) > b->size - size)
      b = new_head(a, rounded(size));
  } else {
    b = NULL;
  }
  if (!b) {
    a->failed = 1;
    return NULL;
  }
  const size_t at = aligned(b->used, alignment);
  b->used = rounded(size) >= OWN_BLOCK ? b->size : at + size;
  return b->bytes + at;
}

void* sar_arena_push(SarArena* a, size_t size) { return push(a, size, ALIGNMENT); }

void* sar_arena_push_small(SarArena* a, size_t size) { return push(a, size, sizeof(void*)); }

// Takes a block out of the chain and gives it back.
static void free_block(SarArena* a, SarArenaBlock** link) {
  SarArenaBlock* b = *link;
  *link = b->next;
  a->total -= sizeof *b + b->size;
  sar_budget_give(a->budget, sizeof *b + b->size);
  sar_free(b);
}

void sar_arena_drop(SarArena* a, void* last) {
  SarArenaBlock* b = a->head;
  const unsigned char* p = last;
  if (p >= b->bytes && p < b->bytes + b->used && b->used < OWN_BLOCK + (size_t)(p - b->bytes)) {
    const size_t at = (size_t)(p - b->bytes);
    memset(last, 0, b->used - at);  // what is pushed is zeroed
    b->used = at;
    return;
  }
  for (SarArenaBlock** link = &a->head; *link; link = &(*link)->next)
    if ((*link)->bytes == last) {
      free_block(a, link);
      return;
    }
}

char* sar_arena_strndup(SarArena* a, const char* s, size_t n) {
  char* copy = push(a, n + 1, 1);
  if (copy && n) memcpy(copy, s, n);
  return copy;
}

char* sar_arena_strdup(SarArena* a, const char* s) { return sar_arena_strndup(a, s, strlen(s)); }

// Formatting may need memory of its own, and end short without it.
char* sar_arena_printf(SarArena* a, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int n = sar_vsnprintf(NULL, 0, format, args);
  va_end(args);
  char* text = n < 0 ? NULL : push(a, (size_t)n + 1, 1);
  va_start(args, format);
  const bool whole = text && sar_vsnprintf(text, (size_t)n + 1, format, args) == n;
  va_end(args);
  if (!whole) a->failed = 1;
  return whole ? text : NULL;
}

// Smaller ones share a block, which stays.
void sar_arena_release(SarArena* a, const void* items, size_t bytes) {
  if (rounded(bytes) < OWN_BLOCK) return;
  for (SarArenaBlock** link = &a->head; *link; link = &(*link)->next)
    if ((*link)->bytes == items) {
      free_block(a, link);
      return;
    }
}

static int move_list(SarArena* a, void** items, int count, int* capacity, int larger,
                     size_t item_size) {
  void* moved = sar_arena_push(a, (size_t)larger * item_size);
  if (!moved) return 0;
  if (count) memcpy(moved, *items, (size_t)count * item_size);
  if (*capacity) sar_arena_release(a, *items, (size_t)*capacity * item_size);
  *items = moved;
  *capacity = larger;
  return 1;
}

int sar_list_copy(SarArena* a, void** items, int count, int* capacity, int more, size_t item_size) {
  void* copy = sar_arena_push(a, (size_t)(count + more) * item_size);
  if (!copy) return 0;
  if (count > 0) memcpy(copy, *items, (size_t)count * item_size);
  *items = copy;
  *capacity = count + more;
  return 1;
}

int sar_list_room(SarArena* a, void** items, int count, int* capacity, int more, size_t item_size) {
  if (more > INT_MAX / 2 - count) return 0;
  if (more <= *capacity - count) return 1;
  // exactly what is asked for at first; a list that grows section by section, by half of itself at
  // least
  const int half = *capacity + *capacity / 2;
  const int larger = count + more > half ? count + more : half;
  return move_list(a, items, count, capacity, larger, item_size);
}

int sar_list_reserve(SarArena* a, void** items, int* count, int* capacity, size_t item_size) {
  if (*count == *capacity) {
    if (*capacity > INT_MAX / 2) return 0;
    const int first = item_size > LARGE_ITEM ? 1 : 8;
    if (!move_list(a, items, *count, capacity, *capacity ? *capacity * 2 : first, item_size))
      return 0;
  }
  memset((unsigned char*)*items + (size_t)*count * item_size, 0, item_size);
  *count += 1;
  return 1;
}
