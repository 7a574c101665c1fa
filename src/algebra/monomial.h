// Monomials as packed exponents, and the two orders of the Groebner code.
//
// A monomial of up to SAR_ALGEBRA_VARIABLES variables is a byte for each exponent in two words,
// which compare as numbers: in the lexicographic order the first variable stands in the highest
// byte; in the degree-reverse-lexicographic order the last one does, and the smaller number is the
// larger monomial among those of one degree. The highest bit of each byte stays clear, so that a
// division shows in it whether it comes out, and a product whether it is too large.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { SAR_ALGEBRA_VARIABLES = 15 };  // and one to make polynomials homogeneous

typedef enum SarMonoOrder { SAR_LEX, SAR_DRL } SarMonoOrder;

typedef struct SarMono {
  uint64_t v[2];
  uint32_t degree;
} SarMono;

static const uint64_t SAR_MONO_TOP = 0x8080808080808080u;

// Where variable i of n stands: byte 0 is the highest of v[0].
static inline int sar_mono_place(SarMonoOrder order, int n, int i) {
  return order == SAR_LEX ? i : n - 1 - i;
}
static inline int sar_mono_exponent(const SarMono* m, SarMonoOrder order, int n, int i) {
  const int k = sar_mono_place(order, n, i);
  return (int)(m->v[k / 8] >> (56 - 8 * (k % 8)) & 0xff);
}
static inline void sar_mono_raise(SarMono* m, SarMonoOrder order, int n, int i, int by) {
  const int k = sar_mono_place(order, n, i);
  m->v[k / 8] += (uint64_t)by << (56 - 8 * (k % 8));
  m->degree += (uint32_t)by;
}

static inline int sar_mono_compare(const SarMono* a, const SarMono* b, SarMonoOrder order) {
  if (order == SAR_DRL && a->degree != b->degree) return a->degree > b->degree ? 1 : -1;
  const int sign = order == SAR_LEX ? 1 : -1;
  if (a->v[0] != b->v[0]) return a->v[0] > b->v[0] ? sign : -sign;
  if (a->v[1] != b->v[1]) return a->v[1] > b->v[1] ? sign : -sign;
  return 0;
}
static inline bool sar_mono_equal(const SarMono* a, const SarMono* b) {
  return a->v[0] == b->v[0] && a->v[1] == b->v[1];
}
static inline bool sar_mono_divides(const SarMono* a, const SarMono* b) {
  return a->degree <= b->degree &&
         (((b->v[0] | SAR_MONO_TOP) - a->v[0]) & SAR_MONO_TOP) == SAR_MONO_TOP &&
         (((b->v[1] | SAR_MONO_TOP) - a->v[1]) & SAR_MONO_TOP) == SAR_MONO_TOP;
}
static inline SarMono sar_mono_times(const SarMono* a, const SarMono* b) {
  return (SarMono){{a->v[0] + b->v[0], a->v[1] + b->v[1]}, a->degree + b->degree};
}
static inline SarMono sar_mono_over(const SarMono* a, const SarMono* b) {
  return (SarMono){{a->v[0] - b->v[0], a->v[1] - b->v[1]}, a->degree - b->degree};
}
// Is an exponent too large?
static inline bool sar_mono_overflows(const SarMono* m) {
  return ((m->v[0] | m->v[1]) & SAR_MONO_TOP) != 0;
}
static inline SarMono sar_mono_lcm(const SarMono* a, const SarMono* b) {
  SarMono m = {{0, 0}, 0};
  for (int w = 0; w < 2; w++)
    for (int shift = 0; shift < 64; shift += 8) {
      const uint64_t x = a->v[w] >> shift & 0xff, y = b->v[w] >> shift & 0xff;
      const uint64_t most = x > y ? x : y;
      m.v[w] |= most << shift;
      m.degree += (uint32_t)most;
    }
  return m;
}
static inline bool sar_mono_coprime(const SarMono* a, const SarMono* b) {
  for (int w = 0; w < 2; w++)
    for (int shift = 0; shift < 64; shift += 8)
      if ((a->v[w] >> shift & 0xff) && (b->v[w] >> shift & 0xff)) return false;
  return true;
}
