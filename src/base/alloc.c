// Heap access: zeroed, 64-byte aligned blocks (a cache line, so that data blocks of two threads never share one).
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

void* sar_alloc(size_t size) {
  if (size > SIZE_MAX - ALIGNMENT) return NULL;
  size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void* p = aligned_alloc(ALIGNMENT, rounded ? rounded : ALIGNMENT);
  if (p) memset(p, 0, rounded ? rounded : ALIGNMENT);
  return p;
}

void sar_free(void* p) { free(p); }
