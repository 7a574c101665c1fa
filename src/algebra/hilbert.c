// The Hilbert function of a monomial ideal: how many monomials of each degree are no multiples of
// the given ones. By the exact sequence of a variable x that occurs in several of them,
//
//   H(I)(d) = H(I + x)(d) + H(I : x)(d - 1)
//
// until every monomial is a power of one variable, which has a product formula.
#include "algebra/modular.h"

#include <string.h>

typedef struct Count {
  SarRing* ring;
  long* values;
  int degrees;
} Count;

static int minimal(SarMono* m, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    bool needed = true;
    for (int j = 0; j < count && needed; j++)
      if (j != i && m[j].degree != UINT32_MAX && sar_mono_divides(&m[j], &m[i]) &&
          (j < i || !sar_mono_equal(&m[j], &m[i])))
        needed = false;
    if (!needed) m[i].degree = UINT32_MAX;
  }
  for (int i = 0; i < count; i++)
    if (m[i].degree != UINT32_MAX) m[kept++] = m[i];
  return kept;
}

// All powers of single variables: prod (1 - t^a_i) / (1 - t)^n, times t^shift.
static void add_product(Count* c, const SarMono* m, int count, int shift) {
  long* s = SAR_ARENA_ARRAY(c->ring->arena, long, c->degrees);
  if (!s || shift >= c->degrees) return;
  memset(s, 0, (size_t)c->degrees * sizeof *s);
  s[0] = 1;
  for (int i = 0; i < count; i++)
    for (int d = c->degrees - 1; d >= (int)m[i].degree; d--) s[d] -= s[d - (int)m[i].degree];
  for (int v = 0; v < c->ring->n; v++)
    for (int d = 1; d < c->degrees; d++) s[d] += s[d - 1];
  for (int d = shift; d < c->degrees; d++) c->values[d] += s[d - shift];
}

static int busiest(const Count* c, const SarMono* m, int count) {
  int best = -1, most = 0;
  for (int v = 0; v < c->ring->n; v++) {
    int mixed = 0;
    for (int i = 0; i < count; i++) {
      const int e = sar_mono_exponent(&m[i], c->ring->order, c->ring->n, v);
      if (e > 0 && e < (int)m[i].degree) mixed++;
    }
    if (mixed > most) most = mixed, best = v;
  }
  return best;
}

static void count_from(Count* c, const SarMono* m, int count, int shift) {
  if (shift >= c->degrees || !sar_ring_goes_on(c->ring)) return;
  for (int i = 0; i < count; i++)
    if (m[i].degree == 0) return;  // the whole ring
  const int v = busiest(c, m, count);
  if (v < 0) {
    add_product(c, m, count, shift);
    return;
  }
  SarMono x = {{0, 0}, 0};
  sar_mono_raise(&x, c->ring->order, c->ring->n, v, 1);
  SarMono* part = SAR_ARENA_ARRAY(c->ring->arena, SarMono, count + 1);
  if (!part) return;
  memcpy(part, m, (size_t)count * sizeof *m);
  part[count] = x;
  count_from(c, part, minimal(part, count + 1), shift);
  part = SAR_ARENA_ARRAY(c->ring->arena, SarMono, count + 1);
  if (!part) return;
  for (int i = 0; i < count; i++)
    part[i] = sar_mono_divides(&x, &m[i]) ? sar_mono_over(&m[i], &x) : m[i];
  count_from(c, part, minimal(part, count), shift + 1);
}

void sar_hilbert_function(SarRing* ring, const SarMono* lead, int count, long* values,
                          int degrees) {
  Count c = {ring, values, degrees};
  SarMono* m = SAR_ARENA_ARRAY(ring->arena, SarMono, count + 1);
  memset(values, 0, (size_t)degrees * sizeof *values);
  if (!m) return;
  memcpy(m, lead, (size_t)count * sizeof *m);
  count_from(&c, m, minimal(m, count), 0);
}
