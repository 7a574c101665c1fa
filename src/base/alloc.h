// The only door to the heap. Everything else takes memory from an arena or from a block sized at
// setup.
#pragma once
#include <stddef.h>

// Zeroed memory, aligned for any type (and to 64 bytes); NULL when there is none.
void* sar_alloc(size_t size);
// The same for what is given back soon, or filled bit by bit.
void* sar_alloc_brief(size_t size);
void sar_free(void* p);  // NULL is fine
// How often this thread has asked for memory here, so that a loop can show that it does not.
long sar_alloc_taken(void);
