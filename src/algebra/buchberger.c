// Buchberger's algorithm modulo a prime: pairs by sugar, the criteria of Gebauer and Moeller, and
// where the Hilbert function is known, no pair more than it lets expect (Traverso 1996).
//
// Sources: Giovini, Mora, Niesi, Robbiano and Traverso, "One sugar cube, please", ISSAC 1991;
// Gebauer and Moeller, J. Symbolic Computation 6 (1988); Traverso, Hilbert functions and the
// Buchberger algorithm, J. Symbolic Computation 22 (1996).
#include "algebra/modular.h"

#include <stdlib.h>
#include <string.h>

typedef struct Pair {
  int i, j, sugar;
  bool gone;
  SarMono lcm;
} Pair;

typedef struct Pairs {
  int count, room;
  Pair* p;
} Pairs;

static bool add_pair(SarRing* ring, Pairs* q, Pair pair) {
  if (q->count == q->room) {
    const int room = q->room ? 2 * q->room : 256;
    Pair* p = SAR_ARENA_ARRAY(ring->arena, Pair, room);
    if (!p) return ring->status = SAR_NO_MEMORY, false;
    if (q->count > 0) memcpy(p, q->p, (size_t)q->count * sizeof *p);
    q->p = p, q->room = room;
  }
  q->p[q->count++] = pair;
  return true;
}

static Pair make_pair(const SarModBasis* g, int i, int j) {
  const SarModPoly *f = &g->p[i], *h = &g->p[j];
  Pair pair = {.i = i, .j = j, .lcm = sar_mono_lcm(&f->m[0], &h->m[0])};
  const int a = f->sugar - (int)f->m[0].degree, b = h->sugar - (int)h->m[0].degree;
  pair.sugar = (int)pair.lcm.degree + (a > b ? a : b);
  return pair;
}

// Element k is new: which old pairs it makes needless (B), and which of its own are needed (M, F,
// product).
static void update(SarRing* ring, SarModBasis* g, Pairs* q, int k) {
  const SarMono* lead = &g->p[k].m[0];
  int kept = 0;
  for (int n = 0; n < q->count; n++) {
    const Pair* p = &q->p[n];
    bool needless = false;
    if (sar_mono_divides(lead, &p->lcm)) {
      const SarMono a = sar_mono_lcm(&g->p[p->i].m[0], lead),
                    b = sar_mono_lcm(&g->p[p->j].m[0], lead);
      needless = !sar_mono_equal(&a, &p->lcm) && !sar_mono_equal(&b, &p->lcm);
    }
    if (!needless) q->p[kept++] = *p;
  }
  q->count = kept;
  const int first = q->count;
  for (int i = 0; i < k; i++)
    if (!g->dead[i] && !add_pair(ring, q, make_pair(g, i, k))) return;
  for (int n = first; n < q->count; n++) {
    Pair* p = &q->p[n];
    for (int o = first; o < q->count && !p->gone; o++) {
      const Pair* other = &q->p[o];
      if (o == n || !sar_mono_divides(&other->lcm, &p->lcm)) continue;
      if (!sar_mono_equal(&other->lcm, &p->lcm))
        p->gone = true;  // gone ones too: what made them needless divides as well
      else if (!other->gone && (o < n || sar_mono_coprime(&g->p[other->i].m[0], lead)) &&
               !(o > n && sar_mono_coprime(&g->p[p->i].m[0], lead)))
        p->gone = true;
    }
  }
  kept = first;
  for (int n = first; n < q->count; n++)
    if (!q->p[n].gone && !sar_mono_coprime(&g->p[q->p[n].i].m[0], lead)) q->p[kept++] = q->p[n];
  q->count = kept;
  for (int i = 0; i < k; i++)
    if (!g->dead[i] && sar_mono_divides(lead, &g->p[i].m[0])) g->dead[i] = true;
}

static int next_pair(const SarRing* ring, const Pairs* q) {
  int best = 0;
  for (int n = 1; n < q->count; n++) {
    const int by = q->p[n].sugar - q->p[best].sugar;
    if (by < 0 || (by == 0 && sar_mono_compare(&q->p[n].lcm, &q->p[best].lcm, ring->order) < 0))
      best = n;
  }
  return best;
}

// How many elements of this degree are still to be found.
static long missing(SarRing* ring, const SarModBasis* g, const long* hilbert, int degrees,
                    int degree) {
  if (degree >= degrees) return ring->status = SAR_NOT_FINITE, 0;
  long* now = SAR_ARENA_ARRAY(ring->arena, long, degree + 1);
  SarMono* lead = SAR_ARENA_ARRAY(ring->arena, SarMono, g->count + 1);
  if (!now || !lead) return 0;
  int count = 0;
  for (int i = 0; i < g->count; i++)
    if (!g->dead[i]) lead[count++] = g->p[i].m[0];
  sar_hilbert_function(ring, lead, count, now, degree + 1);
  return now[degree] - hilbert[degree];
}

static void drop_degree(Pairs* q, int degree) {
  int kept = 0;
  for (int n = 0; n < q->count; n++)
    if (q->p[n].sugar != degree) q->p[kept++] = q->p[n];
  q->count = kept;
}

SarStatus sar_buchberger(SarRing* ring, SarModBasis* g, const long* hilbert, int degrees) {
  Pairs q = {0};
  SarGeobucket* bucket = sar_geobucket_new(ring);
  const int given = g->count;
  int degree = -1;
  long left = 1;
  if (!bucket) return SAR_NO_MEMORY;
  g->count = 0;
  for (int i = 0; i < given; i++) {
    const SarModPoly f = g->p[i];
    if (f.terms == 0) continue;
    g->p[g->count++] = f;
    g->dead[g->count - 1] = false;
    update(ring, g, &q, g->count - 1);
  }
  while (q.count > 0 && sar_ring_goes_on(ring)) {
    const int n = next_pair(ring, &q);
    const Pair pair = q.p[n];
    q.p[n] = q.p[--q.count];
    if (hilbert && pair.sugar != degree) {
      degree = pair.sugar;
      left = missing(ring, g, hilbert, degrees, degree);
    }
    if (left <= 0) {
      drop_degree(&q, degree);
      continue;
    }
    const SarModPoly *f = &g->p[pair.i], *h = &g->p[pair.j];
    const SarMono a = sar_mono_over(&pair.lcm, &f->m[0]), b = sar_mono_over(&pair.lcm, &h->m[0]);
    const SarModPoly tf = {f->terms - 1, 0, f->m + 1, f->c + 1};
    const SarModPoly th = {h->terms - 1, 0, h->m + 1, h->c + 1};
    sar_geobucket_add(ring, bucket, &tf, &a, 1);
    sar_geobucket_add(ring, bucket, &th, &b, nmod_neg(1, ring->mod));
    SarModPoly r = sar_geobucket_reduce(ring, bucket, g, false, -1);
    if (ring->status != SAR_OK || r.terms == 0) continue;
    r.sugar = pair.sugar;
    sar_modpoly_monic(ring, &r);
    if (!sar_modbasis_add(ring, g, r)) break;
    update(ring, g, &q, g->count - 1);
    if (hilbert) left--;
  }
  return ring->status;
}

SarStatus sar_modbasis_reduce(SarRing* ring, SarModBasis* g) {
  int kept = 0;
  for (int i = 0; i < g->count; i++)
    for (int j = 0; j < g->count && !g->dead[i]; j++)
      if (j != i && !g->dead[j] && sar_mono_divides(&g->p[j].m[0], &g->p[i].m[0]) &&
          (j < i || !sar_mono_equal(&g->p[j].m[0], &g->p[i].m[0])))
        g->dead[i] = true;
  for (int i = 0; i < g->count; i++)
    if (!g->dead[i]) g->p[kept] = g->p[i], g->dead[kept++] = false;
  g->count = kept;
  for (int i = 1; i < kept; i++)  // rising
    for (int j = i; j > 0 && sar_mono_compare(&g->p[j].m[0], &g->p[j - 1].m[0], ring->order) < 0;
         j--) {
      const SarModPoly swap = g->p[j];
      g->p[j] = g->p[j - 1], g->p[j - 1] = swap;
    }
  SarGeobucket* bucket = sar_geobucket_new(ring);
  if (!bucket) return SAR_NO_MEMORY;
  const SarMono one = {{0, 0}, 0};
  for (int i = 0; i < kept && sar_ring_goes_on(ring); i++) {
    sar_geobucket_add(ring, bucket, &g->p[i], &one, 1);
    SarModPoly r = sar_geobucket_reduce(ring, bucket, g, false, i);
    r.sugar = g->p[i].sugar;
    if (ring->status != SAR_OK || r.terms == 0)
      return ring->status != SAR_OK ? ring->status : SAR_SINGULAR;
    sar_modpoly_monic(ring, &r);
    g->p[i] = r;
  }
  return ring->status;
}
