// Lexicographic bases over the rationals from those modulo primes (groebner.h): Chinese remainders
// and rational reconstruction.
#include "algebra/groebner.h"

#include "algebra/convert.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/print.h"

#include <flint/fmpq.h>
#include <flint/ulong_extras.h>

#include <string.h>

enum { MOST_PRIMES = 400, TRY_EVERY = 4 };
static const mp_limb_t FIRST_PRIME = (mp_limb_t)1 << 61;

// The computation: shapes of the elements, and residues of all coefficients so far.
typedef struct Lift {
  SarArena shapes;  // of the first prime
  SarModBasis lex;
  SarModBasis drl;  // leading monomials that other primes must have
  long work;
  int coefficients;
  fmpz* residue;
  fmpz_t modulus;
  fmpq* value;  // as reconstructed
  int solid;    // how many of them stood the test of a further prime
} Lift;

static const char* words(SarStatus st) {
  switch (st) {
    case SAR_STOPPED: return "the work or time for it ran out";
    case SAR_NO_MEMORY: return "it needs more memory than it may have";
    case SAR_NOT_FINITE: return "its degrees are beyond 127";
    case SAR_SINGULAR: return "no relation could be found modulo primes";
    default: return "";
  }
}

static SarRing ring_of(int n, SarMonoOrder order, mp_limb_t p, SarArena* arena,
                       const SarAlgebraLimits* limits, double began) {
  SarRing r = {.n = n, .order = order, .arena = arena, .limits = limits, .began = began};
  nmod_init(&r.mod, p);
  return r;
}

static SarStatus first_prime(Lift* l, const fmpq_mpoly_struct* f, int count,
                             const fmpq_mpoly_ctx_t ctx, mp_limb_t p,
                             const SarAlgebraLimits* limits, double began) {
  const int n = (int)fmpq_mpoly_ctx_nvars(ctx);
  SarRing drl = ring_of(n, SAR_DRL, p, &l->shapes, limits, began);
  SAR_TRY(sar_drl_basis(&drl, f, count, ctx, &l->drl));
  SarRing lex = ring_of(n, SAR_LEX, p, &l->shapes, limits, began);
  lex.looked = drl.looked;
  SAR_TRY(sar_lex_from_drl(&lex, &l->drl, &l->lex));
  l->work = lex.looked;
  l->coefficients = 0;
  for (int i = 0; i < l->lex.count; i++) l->coefficients += l->lex.p[i].terms;
  const size_t room = (size_t)l->coefficients + 1;
  l->residue = sar_alloc(room * sizeof *l->residue);
  l->value = sar_alloc(room * sizeof *l->value);
  if (!l->residue || !l->value) return SAR_NO_MEMORY;
  int at = 0;
  for (int i = 0; i < l->coefficients; i++) fmpq_init(&l->value[i]);
  for (int i = 0; i < l->lex.count; i++)
    for (int k = 0; k < l->lex.p[i].terms; k++, at++) {
      fmpz_init(&l->residue[at]);
      fmpz_set_ui(&l->residue[at], l->lex.p[i].c[k]);
    }
  fmpz_set_ui(l->modulus, p);
  return SAR_OK;
}

// Is a rational what its image modulo p says?
static bool agrees(const fmpq* x, mp_limb_t image, nmod_t mod) {
  const mp_limb_t over = fmpz_fdiv_ui(fmpq_denref(x), mod.n);
  return over != 0 && fmpz_fdiv_ui(fmpq_numref(x), mod.n) == nmod_mul(image, over, mod);
}

static bool same_leads(const SarModBasis* a, const SarModBasis* b) {
  if (a->count != b->count) return false;
  for (int i = 0; i < a->count; i++)
    if (!sar_mono_equal(&a->p[i].m[0], &b->p[i].m[0])) return false;
  return true;
}

// One more prime: *checked, whether it agrees with what was reconstructed before. A prime that is
// unlucky (other leading monomials) is left out.
static SarStatus next_prime(Lift* l, const fmpq_mpoly_struct* f, int count,
                            const fmpq_mpoly_ctx_t ctx, mp_limb_t p, SarArena* arena,
                            const SarAlgebraLimits* limits, double began, bool* checked) {
  SarRing ring = ring_of((int)fmpq_mpoly_ctx_nvars(ctx), SAR_DRL, p, arena, limits, began);
  SarModBasis drl;
  *checked = false;
  const SarStatus st = sar_drl_basis(&ring, f, count, ctx, &drl);
  if (st == SAR_SINGULAR || (st == SAR_OK && !same_leads(&drl, &l->drl))) return SAR_OK;
  SAR_TRY(st);
  mp_limb_t** c = SAR_ARENA_ARRAY(arena, mp_limb_t*, l->lex.count + 1);
  if (!c) return SAR_NO_MEMORY;
  for (int i = 0; i < l->lex.count; i++) {
    c[i] = SAR_ARENA_ARRAY(arena, mp_limb_t, l->lex.p[i].terms + 1);
    if (!c[i]) return SAR_NO_MEMORY;
  }
  const SarStatus solved = sar_lex_coefficients(&ring, &drl, &l->lex, c);
  if (solved == SAR_SINGULAR) return SAR_OK;
  SAR_TRY(solved);
  int at = 0;
  bool good = true;
  fmpz_t m;
  fmpz_init(m);
  for (int i = 0; i < l->lex.count; i++)
    for (int k = 0; k < l->lex.p[i].terms; k++, at++) {
      good = good && agrees(&l->value[at], c[i][k], ring.mod);
      fmpz_CRT_ui(&l->residue[at], &l->residue[at], l->modulus, c[i][k], p, 0);
    }
  fmpz_mul_ui(m, l->modulus, p);
  fmpz_swap(m, l->modulus);
  fmpz_clear(m);
  *checked = good;
  return SAR_OK;
}

static bool reconstruct(Lift* l) {
  for (int i = 0; i < l->coefficients; i++) {
    const int k = (i + l->solid) % l->coefficients;  // the one that failed last comes first
    if (!fmpq_reconstruct_fmpz(&l->value[k], &l->residue[k], l->modulus)) {
      l->solid = k;
      return false;
    }
  }
  return true;
}

// The elements as primitive polynomials over the integers.
static SarStatus deliver(const Lift* l, SarGroebner* out) {
  const int n = (int)fmpz_mpoly_ctx_nvars(out->ctx);
  ulong e[SAR_ALGEBRA_VARIABLES + 1];
  int at = 0;
  fmpz_t common, x;
  out->g = sar_alloc((size_t)(l->lex.count + 1) * sizeof *out->g);
  if (!out->g) return SAR_NO_MEMORY;
  fmpz_init(common), fmpz_init(x);
  for (int i = 0; i < l->lex.count; i++) {
    const SarModPoly* f = &l->lex.p[i];
    fmpz_one(common);
    for (int k = 0; k < f->terms; k++) fmpz_lcm(common, common, fmpq_denref(&l->value[at + k]));
    fmpz_mpoly_init(&out->g[i], out->ctx);
    out->count = i + 1;
    for (int k = 0; k < f->terms; k++, at++) {
      fmpz_divexact(x, common, fmpq_denref(&l->value[at]));
      fmpz_mul(x, x, fmpq_numref(&l->value[at]));
      for (int v = 0; v < n; v++) e[v] = (ulong)sar_mono_exponent(&f->m[k], SAR_LEX, n, v);
      fmpz_mpoly_push_term_fmpz_ui(&out->g[i], x, e, out->ctx);
    }
  }
  fmpz_clear(common), fmpz_clear(x);
  return SAR_OK;
}

static SarStatus lift(Lift* l, const fmpq_mpoly_struct* f, int count, const fmpq_mpoly_ctx_t ctx,
                      const SarAlgebraLimits* limits, SarGroebner* out, double began) {
  mp_limb_t p = n_nextprime(FIRST_PRIME, 1);
  SAR_TRY(first_prime(l, f, count, ctx, p, limits, began));
  out->elements_drl = l->drl.count;
  out->work = l->work;
  out->bytes = l->shapes.total;
  bool whole = false;
  for (out->primes = 1; out->primes < MOST_PRIMES;) {
    SarArena arena;
    bool checked;
    sar_arena_init(&arena);
    p = n_nextprime(p, 1);
    const SarStatus st = next_prime(l, f, count, ctx, p, &arena, limits, began, &checked);
    if (l->shapes.total + arena.total > out->bytes) out->bytes = l->shapes.total + arena.total;
    sar_arena_free(&arena);
    SAR_TRY(st);
    out->primes++;
    if (whole && checked) return deliver(l, out);
    whole = reconstruct(l);
  }
  return SAR_SINGULAR;
}

SarStatus sar_groebner(const fmpq_mpoly_struct* f, int count, const fmpq_mpoly_ctx_t ctx,
                       const SarAlgebraLimits* limits, SarGroebner* out, char* why) {
  const int n = (int)fmpq_mpoly_ctx_nvars(ctx);
  const double began = sar_clock_cpu();
  *out = (SarGroebner){0};
  why[0] = 0;
  fmpz_mpoly_ctx_init(out->ctx, n, ORD_LEX);
  if (n > SAR_ALGEBRA_VARIABLES) {
    sar_snprintf(why, SAR_GROEBNER_WHY, "%d quantities, %d are the most", n, SAR_ALGEBRA_VARIABLES);
    return SAR_NOT_OFFERED;
  }
  Lift l = {0};
  sar_arena_init(&l.shapes);
  fmpz_init(l.modulus);
  const SarStatus st = lift(&l, f, count, ctx, limits, out, began);
  if (st != SAR_OK) sar_snprintf(why, SAR_GROEBNER_WHY, "%s", words(st));
  for (int i = 0; l.residue && i < l.coefficients; i++) fmpz_clear(&l.residue[i]);
  for (int i = 0; l.value && i < l.coefficients; i++) fmpq_clear(&l.value[i]);
  sar_free(l.residue), sar_free(l.value);
  fmpz_clear(l.modulus);
  sar_arena_free(&l.shapes);
  out->seconds = sar_clock_cpu() - began;
  return st;
}

void sar_groebner_free(SarGroebner* g) {
  for (int i = 0; i < g->count; i++) fmpz_mpoly_clear(&g->g[i], g->ctx);
  sar_free(g->g);
  fmpz_mpoly_ctx_clear(g->ctx);
  *g = (SarGroebner){0};
}

// ---- what is in it ------------------------------------------------------------------------------

SarPolyFigures sar_poly_figures(const fmpz_mpoly_t f, const fmpz_mpoly_ctx_t ctx) {
  const int n = (int)fmpz_mpoly_ctx_nvars(ctx);
  SarPolyFigures out = {.main = -1, .terms = (int)fmpz_mpoly_length(f, ctx)};
  for (int v = 0; v < n && out.main < 0; v++) {
    const slong degree = fmpz_mpoly_degree_si(f, v, ctx);
    if (degree > 0) out.main = v, out.degree = (int)degree;
  }
  fmpz_t x;
  fmpz_init(x);
  for (int k = 0; k < out.terms; k++) {
    fmpz_mpoly_get_term_coeff_fmpz(x, f, k, ctx);
    char* text = fmpz_get_str(NULL, 10, x);  // fmpz_sizeinbase may be one too many
    const int digits = (int)strlen(text) - (text[0] == '-');
    flint_free(text);
    if (digits > out.digits) out.digits = digits;
  }
  fmpz_clear(x);
  return out;
}

int sar_groebner_element(const SarGroebner* g, int main) {
  int best = -1;
  SarPolyFigures least = {0};
  for (int i = 0; i < g->count; i++) {
    const SarPolyFigures f = sar_poly_figures(&g->g[i], g->ctx);
    if (f.main != main) continue;
    const int by = f.degree != least.degree ? f.degree - least.degree
                   : f.terms != least.terms ? f.terms - least.terms
                                            : f.digits - least.digits;
    if (best < 0 || by < 0) best = i, least = f;
  }
  return best;
}
