// Coefficients of lexicographic basis elements of known support modulo a prime: the linear relation
// between the normal forms of its monomials with respect to another basis (the idea of FGLM).
#include "algebra/convert.h"

#include <stdlib.h>
#include <string.h>

// Normal forms by monomial: a hash table with open addressing.
typedef struct Forms {
  SarRing* ring;
  const SarModBasis* drl;
  SarGeobucket* bucket;
  int room, count;
  SarMono* key;
  SarModPoly* form;
  bool* used;
} Forms;

static unsigned place_of(const SarMono* m) {
  uint64_t h = m->v[0] * 0x9e3779b97f4a7c15u ^ (m->v[1] + 0x7f4a7c15u) * 0xc2b2ae3d27d4eb4fu;
  return (unsigned)(h ^ h >> 32);
}

static int find(const Forms* t, const SarMono* m) {
  int i = (int)(place_of(m) & (unsigned)(t->room - 1));
  while (t->used[i] && !sar_mono_equal(&t->key[i], m)) i = (i + 1) & (t->room - 1);
  return i;
}

static bool make_table(Forms* t, int room) {
  const Forms old = *t;
  t->room = room;
  t->key = SAR_ARENA_ARRAY(t->ring->arena, SarMono, room);
  t->form = SAR_ARENA_ARRAY(t->ring->arena, SarModPoly, room);
  t->used = SAR_ARENA_ARRAY(t->ring->arena, bool, room);
  if (!t->key || !t->form || !t->used) return t->ring->status = SAR_NO_MEMORY, false;
  memset(t->used, 0, (size_t)room * sizeof *t->used);
  for (int i = 0; i < old.room; i++)
    if (old.used[i]) {
      const int k = find(t, &old.key[i]);
      t->used[k] = true, t->key[k] = old.key[i], t->form[k] = old.form[i];
    }
  return true;
}

static const SarModPoly* keep(Forms* t, const SarMono* m, SarModPoly form) {
  if (2 * t->count >= t->room && !make_table(t, 2 * t->room)) return NULL;
  const int i = find(t, m);
  t->used[i] = true, t->key[i] = *m, t->form[i] = form, t->count++;
  return &t->form[i];
}

// NF(m) = NF(x NF(m / x)), x the variable whose quotient is known already, else the first.
static const SarModPoly* form_of(Forms* t, const SarMono* m) {
  SarRing* ring = t->ring;
  const int at = find(t, m);
  if (t->used[at]) return &t->form[at];
  if (!sar_ring_goes_on(ring)) return NULL;
  SarModPoly one = sar_modpoly_new(ring, 1);
  if (!one.m || !one.c) return NULL;
  one.m[0] = (SarMono){{0, 0}, 0}, one.c[0] = 1;
  if (m->degree == 0) return keep(t, m, one);
  SarMono x = {{0, 0}, 0}, rest;
  bool known = false;
  for (int v = 0; v < ring->n && !known; v++) {
    if (sar_mono_exponent(m, ring->order, ring->n, v) == 0) continue;
    SarMono y = {{0, 0}, 0};
    sar_mono_raise(&y, ring->order, ring->n, v, 1);
    const SarMono quotient = sar_mono_over(m, &y);
    known = t->used[find(t, &quotient)];
    if (known || x.degree == 0) x = y, rest = quotient;
  }
  const SarModPoly* inner = form_of(t, &rest);
  if (!inner) return NULL;
  sar_geobucket_add(ring, t->bucket, inner, &x, 1);
  const SarModPoly form = sar_geobucket_reduce(ring, t->bucket, t->drl, false, -1);
  return ring->status == SAR_OK ? keep(t, m, form) : NULL;
}

// Columns: the monomials of f after its leading one, then that with sign -1. Rows: monomials of the
// forms.
typedef struct System {
  int rows, columns, room;
  mp_limb_t* a;  // room x columns
  Forms* t;
  SarMono* key;  // rows: hash of row monomials
  int* row;
  int buckets;
} System;

static int row_of(System* s, const SarMono* m) {
  int i = (int)(place_of(m) & (unsigned)(s->buckets - 1));
  while (s->row[i] > 0 && !sar_mono_equal(&s->key[i], m)) i = (i + 1) & (s->buckets - 1);
  if (s->row[i] == 0) s->key[i] = *m, s->row[i] = ++s->rows;
  return s->row[i] - 1;
}

// Gauss-Jordan; the solution in x. False: singular or contradictory.
static bool solve(System* s, nmod_t mod, mp_limb_t* x) {
  const int n = s->columns - 1, w = s->columns;
  int done = 0;
  for (int k = 0; k < n; k++, done++) {
    int pivot = done;
    while (pivot < s->rows && s->a[pivot * w + k] == 0) pivot++;
    if (pivot == s->rows) return false;
    for (int j = 0; j < w; j++) {
      const mp_limb_t swap = s->a[pivot * w + j];
      s->a[pivot * w + j] = s->a[done * w + j], s->a[done * w + j] = swap;
    }
    mp_limb_t* top = &s->a[done * w];
    const mp_limb_t inverse = nmod_inv(top[k], mod);
    for (int j = k; j < w; j++) top[j] = nmod_mul(top[j], inverse, mod);
    for (int i = 0; i < s->rows; i++) {
      mp_limb_t* row = &s->a[i * w];
      if (i == done || row[k] == 0) continue;
      const mp_limb_t factor = nmod_neg(row[k], mod);
      for (int j = k; j < w; j++) row[j] = nmod_add(row[j], nmod_mul(factor, top[j], mod), mod);
    }
  }
  for (int i = n; i < s->rows; i++)
    if (s->a[i * w + n] != 0) return false;
  for (int k = 0; k < n; k++) x[k] = s->a[k * w + n];
  return true;
}

static SarStatus solve_element(Forms* t, const SarModPoly* shape, mp_limb_t* c) {
  SarRing* ring = t->ring;
  const int n = ring->n, w = shape->terms;
  const SarModPoly** form = SAR_ARENA_ARRAY(ring->arena, const SarModPoly*, w);
  size_t entries = 0;
  if (!form) return SAR_NO_MEMORY;
  SarModPoly* copy = SAR_ARENA_ARRAY(ring->arena, SarModPoly, w);
  if (!copy) return SAR_NO_MEMORY;
  for (int k = w - 1; k >= 0; k--) {  // small ones first: the others build on them
    const SarMono m = sar_mono_convert(&shape->m[k], SAR_LEX, SAR_DRL, n, n);
    const SarModPoly* f = form_of(t, &m);
    if (!f) return ring->status != SAR_OK ? ring->status : SAR_NO_MEMORY;
    copy[k] = *f;  // the table may move
    entries += (size_t)f->terms;
  }
  System s = {.columns = w, .t = t, .buckets = 64};
  while ((size_t)s.buckets < 2 * entries + 2) s.buckets *= 2;
  s.key = SAR_ARENA_ARRAY(ring->arena, SarMono, s.buckets);
  s.row = SAR_ARENA_ARRAY(ring->arena, int, s.buckets);
  s.a = SAR_ARENA_ARRAY(ring->arena, mp_limb_t, (entries + 1) * (size_t)w);
  if (!s.key || !s.row || !s.a) return SAR_NO_MEMORY;
  memset(s.row, 0, (size_t)s.buckets * sizeof *s.row);
  memset(s.a, 0, (entries + 1) * (size_t)w * sizeof *s.a);
  for (int k = 0; k < w; k++)
    for (int i = 0; i < copy[k].terms; i++) {
      const int row = row_of(&s, &copy[k].m[i]), column = k == 0 ? w - 1 : k - 1;
      s.a[row * w + column] = k == 0 ? nmod_neg(copy[k].c[i], ring->mod) : copy[k].c[i];
    }
  c[0] = 1;
  return solve(&s, ring->mod, c + 1) ? SAR_OK : SAR_SINGULAR;
}

SarStatus sar_lex_coefficients(SarRing* ring, const SarModBasis* drl, const SarModBasis* shape,
                               mp_limb_t** c) {
  Forms t = {.ring = ring, .drl = drl, .bucket = sar_geobucket_new(ring)};
  if (!t.bucket || !make_table(&t, 1024)) return SAR_NO_MEMORY;
  for (int i = 0; i < shape->count; i++) SAR_TRY(solve_element(&t, &shape->p[i], c[i]));
  return SAR_OK;
}
