// Cutting one block of memory, sized at set-up, into the arrays it holds.
#pragma once
#include <stddef.h>

// Blocks of memory are cut into pieces that start on a cache line: the bytes of a piece, of n
// doubles, and the piece itself (`at` moves on).
static inline size_t sar_rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }
static inline size_t sar_doubles(size_t n) { return sar_rounded(n * sizeof(double)); }
static inline void* sar_cut(unsigned char** at, size_t bytes) {
  void* piece = *at;
  *at += sar_rounded(bytes);
  return piece;
}
