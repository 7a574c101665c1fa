// Heap access: zeroed, 64-byte aligned blocks (a cache line, so that data blocks of two threads never share one).
//
// calloc hands out large blocks as pages that are zero already and take no memory before they are touched;
// clearing them here would touch them all. What calloc gave stands right before the aligned block.
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

void* sar_alloc(size_t size) {
  const size_t head = sizeof(void*) + ALIGNMENT - 1;
  if (size > SIZE_MAX - head - ALIGNMENT) return NULL;
  // whole lines: arrays at the end of a block may be read to the end of their last one
  const size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  unsigned char* raw = calloc(1, head + (rounded ? rounded : ALIGNMENT));
  if (!raw) return NULL;
  unsigned char* p = raw + head - (uintptr_t)(raw + head) % ALIGNMENT;
  ((void**)(void*)p)[-1] = raw;
  return p;
}

void sar_free(void* p) {
  if (p) free(((void**)p)[-1]);
}
