// Heap access: zeroed, 64-byte aligned blocks (a cache line, so that data blocks of two threads
// never share one).
//
// calloc hands out large blocks as pages that are zero already and take no memory before they are
// touched; clearing them here would touch them all. What calloc gave stands right before the
// aligned block.
//
// Where the system offers larger pages on request, large blocks that stay ask for them: half a
// gigabyte in pages of 4 kB takes the system 60 ms to take back, which a program that is to end
// within 100 ms of a signal does not have.
#include "base/alloc.h"

#include "base/touch.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, LARGE_BLOCK = 8 << 20, LARGE_PAGE = 2 << 20 };

// The one variable of the library (tools/check-globals): nothing that is computed depends on it.
static _Thread_local long taken;

long sar_alloc_taken(void) { return taken; }

// Advice only: what it returns does not matter.
static void prefer_large_pages(unsigned char* block, size_t size) {
#ifdef MADV_HUGEPAGE
  unsigned char* first = block + (LARGE_PAGE - (uintptr_t)block % LARGE_PAGE) % LARGE_PAGE;
  const size_t before = (size_t)(first - block);
  if (size >= LARGE_BLOCK)
    (void)madvise(first, (size - before) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#else
  (void)block, (void)size;
#endif
}

void* sar_alloc_brief(size_t size) {
  const size_t head = sizeof(void*) + ALIGNMENT - 1;
  taken++;
  if (size > SIZE_MAX - head - ALIGNMENT) return NULL;
  // whole lines: arrays at the end of a block may be read to the end of their last one
  const size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  unsigned char* raw = calloc(1, head + (rounded ? rounded : ALIGNMENT));
  if (!raw) return NULL;
  unsigned char* p = raw + head - (uintptr_t)(raw + head) % ALIGNMENT;
  ((void**)(void*)p)[-1] = raw;
  return p;
}

void sar_touch(void* block, size_t size) {
  enum { PAGE = 4096 };
  volatile unsigned char* byte = block;
  for (size_t i = 0; i < size && i < SAR_TOUCHED; i += PAGE) byte[i] = byte[i];
}

// What stays is used in steps.
void* sar_alloc(size_t size) {
  void* p = sar_alloc_brief(size);
  if (p) prefer_large_pages(p, size);
  if (p) sar_touch(p, size);
  return p;
}

void sar_free(void* p) {
  if (p) free(((void**)p)[-1]);
}
