// Polynomials modulo a prime: sums by geometric buckets, normal forms.
//
// A geobucket (Yan, J. Symbolic Computation 25, 1998) holds a polynomial as a sum of sorted ones
// whose lengths grow by a factor of four, so that adding a short one to a long one costs its own
// length.
#include "algebra/modular.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_EVERY = 256, BUCKETS = 14, FIRST = 8, GROWTH = 4 };

bool sar_ring_goes_on(SarRing* ring) {
  if (ring->status != SAR_OK) return false;
  if (ring->arena->failed) ring->status = SAR_NO_MEMORY;
  if (ring->limits->work > 0 && ring->looked >= ring->limits->work) ring->status = SAR_STOPPED;
  if (++ring->looked % LOOK_EVERY != 0) return ring->status == SAR_OK;
  const SarAlgebraLimits* l = ring->limits;
  if (l->cancel && *l->cancel) ring->status = SAR_STOPPED;
  if (l->seconds > 0 && sar_clock_cpu() - ring->began > l->seconds) ring->status = SAR_STOPPED;
  if (l->bytes > 0 && ring->arena->total > l->bytes) ring->status = SAR_NO_MEMORY;
  return ring->status == SAR_OK;
}

SarModPoly sar_modpoly_new(SarRing* ring, int terms) {
  SarModPoly f = {.terms = terms};
  f.m = SAR_ARENA_ARRAY(ring->arena, SarMono, terms + 1);
  f.c = SAR_ARENA_ARRAY(ring->arena, mp_limb_t, terms + 1);
  if (!f.m || !f.c) f.terms = 0;
  return f;
}

void sar_modpoly_monic(SarRing* ring, SarModPoly* f) {
  if (f->terms == 0 || f->c[0] == 1) return;
  const mp_limb_t inverse = nmod_inv(f->c[0], ring->mod);
  for (int i = 0; i < f->terms; i++) f->c[i] = nmod_mul(f->c[i], inverse, ring->mod);
}

// Insertion in falling order: input polynomials are short.
void sar_modpoly_sort(SarRing* ring, SarModPoly* f) {
  int kept = 0;
  for (int i = 0; i < f->terms; i++) {
    const SarMono m = f->m[i];
    const mp_limb_t c = f->c[i];
    int k = kept;
    while (k > 0 && sar_mono_compare(&f->m[k - 1], &m, ring->order) < 0) k--;
    if (k > 0 && sar_mono_equal(&f->m[k - 1], &m)) {
      f->c[k - 1] = nmod_add(f->c[k - 1], c, ring->mod);
      continue;
    }
    memmove(&f->m[k + 1], &f->m[k], (size_t)(kept - k) * sizeof *f->m);
    memmove(&f->c[k + 1], &f->c[k], (size_t)(kept - k) * sizeof *f->c);
    f->m[k] = m, f->c[k] = c, kept++;
  }
  int out = 0;
  for (int i = 0; i < kept; i++)
    if (f->c[i] != 0) f->m[out] = f->m[i], f->c[out] = f->c[i], out++;
  f->terms = out;
}

bool sar_modbasis_add(SarRing* ring, SarModBasis* g, SarModPoly f) {
  if (g->count == g->room) {
    const int room = g->room ? 2 * g->room : 64;
    SarModPoly* p = SAR_ARENA_ARRAY(ring->arena, SarModPoly, room);
    bool* dead = SAR_ARENA_ARRAY(ring->arena, bool, room);
    if (!p || !dead) return ring->status = SAR_NO_MEMORY, false;
    if (g->count > 0) {
      memcpy(p, g->p, (size_t)g->count * sizeof *p);
      memcpy(dead, g->dead, (size_t)g->count * sizeof *dead);
    }
    g->p = p, g->dead = dead, g->room = room;
  }
  g->dead[g->count] = false;
  g->p[g->count++] = f;
  return true;
}

// ---- geobuckets ---------------------------------------------------------------------------------

typedef struct Bucket {
  SarMono* m;
  mp_limb_t* c;
  int room, from, to;  // terms from .. to
} Bucket;

struct SarGeobucket {
  Bucket bucket[BUCKETS];
  Bucket spare;
};

SarGeobucket* sar_geobucket_new(SarRing* ring) { return SAR_ARENA_NEW(ring->arena, SarGeobucket); }

static bool make_room(SarRing* ring, Bucket* b, int room) {
  if (b->room >= room) return true;
  room = room < 64 ? 64 : room + room / 2;
  b->m = SAR_ARENA_ARRAY(ring->arena, SarMono, room);
  b->c = SAR_ARENA_ARRAY(ring->arena, mp_limb_t, room);
  b->room = b->m && b->c ? room : 0;
  if (b->room == 0) ring->status = SAR_NO_MEMORY;
  return b->room > 0;
}

// b <- b + factor shift f, through the spare one
static void merge(SarRing* ring, SarGeobucket* g, Bucket* b, const SarMono* fm, const mp_limb_t* fc,
                  int terms, const SarMono* shift, mp_limb_t factor) {
  Bucket* out = &g->spare;
  if (!make_room(ring, out, b->to - b->from + terms)) return;
  int i = b->from, k = 0, n = 0;
  SarMono next = {{0, 0}, 0};
  if (terms > 0) next = sar_mono_times(&fm[0], shift);
  while (i < b->to || k < terms) {
    const int order = k == terms   ? 1
                      : i == b->to ? -1
                                   : sar_mono_compare(&b->m[i], &next, ring->order);
    mp_limb_t c = order >= 0 ? b->c[i] : 0;
    if (order <= 0) c = nmod_add(c, nmod_mul(fc[k], factor, ring->mod), ring->mod);
    if (c != 0) out->m[n] = order > 0 ? b->m[i] : next, out->c[n++] = c;
    if (order >= 0) i++;
    if (order <= 0 && ++k < terms) next = sar_mono_times(&fm[k], shift);
  }
  out->from = 0, out->to = n;
  const Bucket old = *b;
  *b = *out;
  *out = old;
}

static const SarMono ONE = {{0, 0}, 0};

void sar_geobucket_add(SarRing* ring, SarGeobucket* g, const SarModPoly* f, const SarMono* shift,
                       mp_limb_t factor) {
  const SarMono top = f->terms > 0 ? sar_mono_times(&f->m[0], shift) : ONE;
  if (sar_mono_overflows(&top)) ring->status = SAR_NOT_FINITE;
  int k = 0, size = FIRST;
  while (size < f->terms && k < BUCKETS - 1) size *= GROWTH, k++;
  merge(ring, g, &g->bucket[k], f->m, f->c, f->terms, shift, factor);
  // one that is too long goes on to the next
  for (; k < BUCKETS - 1 && g->bucket[k].to - g->bucket[k].from > size; k++, size *= GROWTH) {
    Bucket* b = &g->bucket[k];
    merge(ring, g, &g->bucket[k + 1], b->m + b->from, b->c + b->from, b->to - b->from, &ONE, 1);
    b->from = b->to = 0;
  }
}

// Takes the leading term out; false: zero.
static bool take_lead(SarRing* ring, SarGeobucket* g, SarMono* m, mp_limb_t* c) {
  for (;;) {
    int best = -1;
    for (int k = 0; k < BUCKETS; k++) {
      Bucket* b = &g->bucket[k];
      if (b->from == b->to) continue;
      if (best < 0) {
        best = k;
        continue;
      }
      Bucket* top = &g->bucket[best];
      const int order = sar_mono_compare(&b->m[b->from], &top->m[top->from], ring->order);
      if (order > 0) best = k;
      if (order == 0) {
        top->c[top->from] = nmod_add(top->c[top->from], b->c[b->from], ring->mod);
        b->from++;
      }
    }
    if (best < 0) return false;
    Bucket* b = &g->bucket[best];
    *m = b->m[b->from], *c = b->c[b->from++];
    if (*c != 0) return true;
  }
}

static int find_divisor(const SarModBasis* g, const SarMono* m, int skip) {
  for (int i = 0; i < g->count; i++)
    if (!g->dead[i] && i != skip && sar_mono_divides(&g->p[i].m[0], m)) return i;
  return -1;
}

SarModPoly sar_geobucket_reduce(SarRing* ring, SarGeobucket* b, const SarModBasis* g, bool head,
                                int skip) {
  SarModPoly out = {0};
  int room = 0;
  SarMono m;
  mp_limb_t c;
  while (sar_ring_goes_on(ring) && take_lead(ring, b, &m, &c)) {
    const int i = head && out.terms > 0 ? -1 : find_divisor(g, &m, skip);
    if (i >= 0) {
      const SarModPoly* d = &g->p[i];
      const SarModPoly tail = {d->terms - 1, 0, d->m + 1, d->c + 1};
      const SarMono shift = sar_mono_over(&m, &d->m[0]);
      sar_geobucket_add(ring, b, &tail, &shift, nmod_neg(c, ring->mod));
      continue;
    }
    if (out.terms == room) {
      SarModPoly more = sar_modpoly_new(ring, room ? 2 * room : 32);
      if (!more.m || !more.c) break;
      if (out.terms > 0) {
        memcpy(more.m, out.m, (size_t)out.terms * sizeof *out.m);
        memcpy(more.c, out.c, (size_t)out.terms * sizeof *out.c);
      }
      room = more.terms;
      more.terms = out.terms;
      out = more;
    }
    out.m[out.terms] = m, out.c[out.terms++] = c;
  }
  if (ring->status != SAR_OK) out.terms = 0;
  for (int k = 0; k < BUCKETS; k++) b->bucket[k].from = b->bucket[k].to = 0;
  return out;
}
