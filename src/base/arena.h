// Arena: memory for things that die together (a spec, a parse tree). Blocks are chained, nothing is freed singly.
#pragma once
#include <stddef.h>

typedef struct SarArenaBlock SarArenaBlock;

typedef struct SarArena {
  SarArenaBlock* head;
  size_t total;  // bytes taken from the heap
  int failed;  // set once an allocation failed; later ones fail too, so a check at the end is enough
} SarArena;

void sar_arena_init(SarArena* a);
void sar_arena_free(SarArena* a);
// Zeroed, 16-byte aligned; NULL when the heap is empty (and a->failed is set).
void* sar_arena_push(SarArena* a, size_t size);
// Gives back what was pushed last, and nothing but that.
void sar_arena_drop(SarArena* a, void* last);
// Copies of text; NULL as above.
char* sar_arena_strdup(SarArena* a, const char* s);
char* sar_arena_strndup(SarArena* a, const char* s, size_t n);
char* sar_arena_printf(SarArena* a, const char* format, ...) __attribute__((format(printf, 2, 3)));

#define SAR_ARENA_NEW(arena, type) ((type*)sar_arena_push((arena), sizeof(type)))
#define SAR_ARENA_ARRAY(arena, type, n) ((type*)sar_arena_push((arena), sizeof(type) * (size_t)(n)))

// Growable array in an arena: LIST(type) fields {items, count, capacity}.
#define SAR_LIST(type)   \
  struct {               \
    type* items;         \
    int count, capacity; \
  }
// Appends one zeroed slot and yields a pointer to it (NULL when memory ran out; the list is unchanged then).
#define SAR_LIST_ADD(arena, list)                                                       \
  (sar_list_reserve((arena), (void**)&(list)->items, &(list)->count, &(list)->capacity, \
                    sizeof *(list)->items)                                              \
       ? &(list)->items[(list)->count - 1]                                              \
       : NULL)
int sar_list_reserve(SarArena* a, void** items, int* count, int* capacity, size_t item_size);
