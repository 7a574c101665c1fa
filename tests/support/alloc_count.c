// Allocation counter.
//
// Two ways in, one body. Normally this file defines malloc and its relatives, which the dynamic
// linker then prefers over the C library's for the whole process, and passes them on to glibc's own
// entry points. A sanitizer has already taken that place; there the linker's --wrap renames the
// calls of our own objects to __wrap_malloc, and __real_malloc is the sanitizer's.
#include "alloc_count.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define VISIBLE __attribute__((visibility("default")))

#ifdef SARRUS_TEST_SANITIZED
#define ENTRY(name) __wrap_##name
#define REAL(name) __real_##name
void* __real_malloc(size_t size);
void* __real_calloc(size_t n, size_t size);
void* __real_realloc(void* p, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void* p);
#else
#define ENTRY(name) name
#define REAL(name) __libc_##name
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t n, size_t size);
void* __libc_realloc(void* p, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* p);
#define __libc_aligned_alloc __libc_memalign
#endif

VISIBLE void* ENTRY(malloc)(size_t size);
VISIBLE void* ENTRY(calloc)(size_t n, size_t size);
VISIBLE void* ENTRY(realloc)(void* p, size_t size);
VISIBLE void* ENTRY(aligned_alloc)(size_t alignment, size_t size);
VISIBLE int ENTRY(posix_memalign)(void** out, size_t alignment, size_t size);
VISIBLE void ENTRY(free)(void* p);

static atomic_long asked, live, countdown;
static atomic_int refused;

void alloc_count_reset(void) {
  asked = 0;
  live = 0;
  countdown = 0;
  refused = 0;
}

long alloc_count(void) { return asked; }
long alloc_count_live(void) { return live; }
int alloc_has_failed(void) { return refused; }

void alloc_fail_at(long n) {
  refused = 0;
  countdown = n;
}

// True when this allocation is the one that has to fail.
static int must_fail(void) {
  atomic_fetch_add(&asked, 1);
  if (countdown <= 0 || atomic_fetch_sub(&countdown, 1) != 1) return 0;
  refused = 1;
  errno = ENOMEM;
  return 1;
}

static void* counted(void* p) {
  if (p) atomic_fetch_add(&live, 1);
  return p;
}

void* ENTRY(malloc)(size_t size) { return must_fail() ? NULL : counted(REAL(malloc)(size)); }

void* ENTRY(calloc)(size_t n, size_t size) {
  return must_fail() ? NULL : counted(REAL(calloc)(n, size));
}

void* ENTRY(realloc)(void* p, size_t size) {
  if (must_fail()) return NULL;
  void* moved = REAL(realloc)(p, size);
  // a new block counts, a moved one is still one block, size 0 gives it back
  if (!p)
    counted(moved);
  else if (!moved && size == 0)
    atomic_fetch_sub(&live, 1);
  return moved;
}

void* ENTRY(aligned_alloc)(size_t alignment, size_t size) {
  return must_fail() ? NULL : counted(REAL(aligned_alloc)(alignment, size));
}

int ENTRY(posix_memalign)(void** out, size_t alignment, size_t size) {
  if (must_fail()) return ENOMEM;
  void* p = counted(REAL(aligned_alloc)(alignment, size));
  if (!p) return ENOMEM;
  *out = p;
  return 0;
}

void ENTRY(free)(void* p) {
  if (p) atomic_fetch_sub(&live, 1);
  REAL(free)(p);
}
