// One block of memory, sized at set-up, and the arrays in it (a linear or bump allocator without a
// way back). One function describes both: it takes the pieces in turn from a cursor. Behind a
// cursor without memory there is nothing, it only counts; so the size of a block and the places in
// it cannot disagree:
//
//   static void lay_out(Foo* p, const SarModel* m, SarBlock* b) {
//     SAR_PIECE(b, p->x, m->nv);
//     SAR_PIECE(b, p->order, m->nrow);
//   }
//   bytes = {Foo p; SarBlock b = sar_block(NULL, sizeof p); lay_out(&p, m, &b); b.used}
//   Foo* p = memory; SarBlock b = sar_block(p, sizeof *p); lay_out(p, m, &b);
//
// Pieces start on a cache line. Their types are those of the pointers: no casts, no sizes by hand.
#pragma once
#include <stddef.h>

enum { SAR_CACHE_LINE = 64 };
_Static_assert((SAR_CACHE_LINE & (SAR_CACHE_LINE - 1)) == 0 &&
                   SAR_CACHE_LINE % _Alignof(max_align_t) == 0,
               "a piece may hold any type");

typedef struct SarBlock {
  unsigned char* memory;  // on a cache line; NULL: pieces are counted only
  size_t used;            // bytes
} SarBlock;

static inline size_t sar_rounded(size_t bytes) {
  return (bytes + SAR_CACHE_LINE - 1) / SAR_CACHE_LINE * SAR_CACHE_LINE;
}
// Of n doubles: for step stacks.
static inline size_t sar_doubles(size_t n) { return sar_rounded(n * sizeof(double)); }

// A block that begins with a struct of `head` bytes (0: none).
static inline SarBlock sar_block(void* memory, size_t head) {
  return (SarBlock){(unsigned char*)memory, sar_rounded(head)};
}
static inline void* sar_piece(SarBlock* b, size_t count, size_t size) {
  void* piece = b->memory ? b->memory + b->used : NULL;
  b->used += sar_rounded(count * size);
  return piece;
}
// Points `pointer` at an array of n of its type.
#define SAR_PIECE(block, pointer, n) \
  ((void)((pointer) = sar_piece((block), (size_t)(n), sizeof *(pointer))))
// For what is laid out by somebody else: so many bytes.
#define SAR_BYTES(block, bytes) sar_piece((block), 1, (bytes))
