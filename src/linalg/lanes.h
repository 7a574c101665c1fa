// Sums and multiples of vectors, two lanes at a time: what the loops of small matrices are made of.
//
// Written with vector types because without reordering of sums (which would lose bit-equal results)
// a compiler leaves such loops scalar. The order of additions is fixed by the code, so results are
// the same on every machine.
//
// SAR_WIDE marks a second version of a function for processors with AVX, where instructions name
// where their result goes and read memory wherever it is: a third fewer of them for the same
// operations, with the same results. sar_has_wide: may it be called? A build for this processor has
// such instructions in the first version.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__AVX__)
#define SAR_WIDE __attribute__((target("avx")))
static inline bool sar_has_wide(void) { return __builtin_cpu_supports("avx"); }
#else
#define SAR_WIDE
static inline bool sar_has_wide(void) { return false; }
#endif

typedef double SarLanes __attribute__((vector_size(16), aligned(8), may_alias));

static inline SarLanes sar_lanes(const double* x) { return *(const SarLanes*)x; }
static inline void sar_lanes_store(double* x, SarLanes v) { *(SarLanes*)x = v; }

// sum of x_i y_i, as four running sums
static inline double sar_dot(int n, const double* x, const double* y) {
  SarLanes s = {0, 0}, t = {0, 0};
  int i = 0;
  for (; i + 3 < n; i += 4) {
    s += sar_lanes(x + i) * sar_lanes(y + i);
    t += sar_lanes(x + i + 2) * sar_lanes(y + i + 2);
  }
  s += t;
  double sum = s[0] + s[1];
  for (; i < n; i++) sum += x[i] * y[i];
  return sum;
}

// y += factor x
static inline void sar_add_scaled(int n, double factor, const double* x, double* y) {
  SarLanes f = {factor, factor};
  int i = 0;
  for (; i + 3 < n; i += 4) {
    sar_lanes_store(y + i, sar_lanes(y + i) + f * sar_lanes(x + i));
    sar_lanes_store(y + i + 2, sar_lanes(y + i + 2) + f * sar_lanes(x + i + 2));
  }
  for (; i < n; i++) y[i] += factor * x[i];
}
