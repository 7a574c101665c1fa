// One block of memory, sized at set-up, and the arrays that are taken from it in turn (a linear or
// bump allocator without a way back). Only joints are ever "cut" (dynamics/cut_joints.h).
#pragma once
#include <stddef.h>

// Pieces of a block start on a cache line: the bytes of a piece, of n doubles, and the piece itself,
// which is taken at `at` (`at` moves on).
static inline size_t sar_rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }
static inline size_t sar_doubles(size_t n) { return sar_rounded(n * sizeof(double)); }
static inline void* sar_take(unsigned char** at, size_t bytes) {
  void* piece = *at;
  *at += sar_rounded(bytes);
  return piece;
}
