// 3x3 matrices by columns, with a fourth lane each (padded for SIMD): in memory, and in lanes to
// compute with.
#pragma once
#include "math/lanes.h"

typedef struct SarColumns {
  double x[4], y[4], z[4];
} SarColumns;

LANES_INLINE L4x3 sar_columns(const SarColumns* A) {
  return (L4x3){l4_load(A->x), l4_load(A->y), l4_load(A->z)};
}

LANES_INLINE void sar_columns_store(SarColumns* out, L4x3 A) {
  l4_store(out->x, A.x);
  l4_store(out->y, A.y);
  l4_store(out->z, A.z);
}
