// Arena: memory for things that die together (a spec, a parse tree). Blocks are chained, nothing is
// freed singly.
#pragma once
#include "base/budget.h"

#include <stddef.h>

typedef struct SarArenaBlock SarArenaBlock;

typedef struct SarArena {
  SarArenaBlock* head;
  size_t total;       // bytes taken from the heap
  size_t next_size;   // of the next block
  SarBudget* budget;  // what they count against; NULL: nothing
  int failed;  // set once an allocation failed; later ones fail too, so a check at the end is
               // enough
} SarArena;

void sar_arena_init(SarArena* a);
// One that counts against the same budget as another.
void sar_arena_beside(SarArena* a, const SarArena* other);
void sar_arena_free(SarArena* a);
// Frees an arena of brief use beside another, which fails if this one did.
void sar_arena_end(SarArena* brief, SarArena* lasting);
// Zeroed, 16-byte aligned; NULL when the heap is empty (and a->failed is set).
void* sar_arena_push(SarArena* a, size_t size);
// The same, 8-byte aligned: for many small things.
void* sar_arena_push_small(SarArena* a, size_t size);
// Gives back what was pushed last, and nothing but that.
void sar_arena_drop(SarArena* a, void* last);
// Gives an array of so many bytes back to the heap if it is large enough to have a block to itself.
void sar_arena_release(SarArena* a, const void* items, size_t bytes);
// Copies of text, at any address; NULL as above.
char* sar_arena_strdup(SarArena* a, const char* s);
char* sar_arena_strndup(SarArena* a, const char* s, size_t n);
char* sar_arena_printf(SarArena* a, const char* format, ...) __attribute__((format(printf, 2, 3)));

#define SAR_ARENA_NEW(arena, type) ((type*)sar_arena_push((arena), sizeof(type)))
#define SAR_ARENA_ARRAY(arena, type, n) ((type*)sar_arena_push((arena), sizeof(type) * (size_t)(n)))

// Growable array in an arena: LIST(type) fields {items, count, capacity}. An array that has a block
// to itself gives it back when it grows out of it.
#define SAR_LIST(type)   \
  struct {               \
    type* items;         \
    int count, capacity; \
  }
// Appends one zeroed slot and yields a pointer to it (NULL when memory ran out; the list is
// unchanged then).
#define SAR_LIST_ADD(arena, list)                                                       \
  (sar_list_reserve((arena), (void**)&(list)->items, &(list)->count, &(list)->capacity, \
                    sizeof *(list)->items)                                              \
       ? &(list)->items[(list)->count - 1]                                              \
       : NULL)
// Room for `more` slots beyond those there are, so that adding them moves nothing.
#define SAR_LIST_ROOM(arena, list, more)                                                   \
  sar_list_room((arena), (void**)&(list)->items, (list)->count, &(list)->capacity, (more), \
                sizeof *(list)->items)
// Moves a list that is kept elsewhere into the arena, with room for `more`; what was there stays.
#define SAR_LIST_COPY(arena, list, more)                                                   \
  sar_list_copy((arena), (void**)&(list)->items, (list)->count, &(list)->capacity, (more), \
                sizeof *(list)->items)
int sar_list_copy(SarArena* a, void** items, int count, int* capacity, int more, size_t item_size);
int sar_list_room(SarArena* a, void** items, int count, int* capacity, int more, size_t item_size);
int sar_list_reserve(SarArena* a, void** items, int* count, int* capacity, size_t item_size);
