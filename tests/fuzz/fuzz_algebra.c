// libFuzzer target: polynomials modulo a prime against FLINT's. Bytes become two polynomials and a
// divisor; sums, products by a term and normal forms must be what nmod_mpoly makes of them. Then
// a small system over the rationals goes the whole way, within limits.
#ifdef SARRUS_HAVE_FLINT
#include "algebra/groebner.h"

#include <flint/nmod_mpoly.h>
#include <stdint.h>
#include <string.h>

enum { N = 4, TERMS = 6 };
static const mp_limb_t PRIME = 1000003;

typedef struct Bytes {
  const uint8_t* at;
  size_t left;
} Bytes;

static unsigned next(Bytes* b) {
  if (b->left == 0) return 0;
  b->left--;
  return *b->at++;
}

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

static SarModPoly take(Bytes* b, SarRing* ring, nmod_mpoly_t same, const nmod_mpoly_ctx_t ctx) {
  SarModPoly f = sar_modpoly_new(ring, TERMS);
  require(f.m && f.c);
  for (int i = 0; i < TERMS; i++) {
    ulong e[N];
    f.m[i] = (SarMono){{0, 0}, 0};
    f.c[i] = next(b) * 4001 % PRIME;
    for (int v = 0; v < N; v++) {
      e[v] = next(b) % 5;
      sar_mono_raise(&f.m[i], ring->order, N, v, (int)e[v]);
    }
    nmod_mpoly_push_term_ui_ui(same, f.c[i], e, ctx);
  }
  nmod_mpoly_sort_terms(same, ctx);
  nmod_mpoly_combine_like_terms(same, ctx);
  sar_modpoly_sort(ring, &f);
  return f;
}

static void compare(const SarRing* ring, const SarModPoly* f, const nmod_mpoly_t same,
                    const nmod_mpoly_ctx_t ctx) {
  require(f->terms == (int)nmod_mpoly_length(same, ctx));
  for (int i = 0; i < f->terms; i++) {
    ulong e[N];
    nmod_mpoly_get_term_exp_ui(e, same, i, ctx);
    require(nmod_mpoly_get_term_coeff_ui(same, i, ctx) == f->c[i]);
    for (int v = 0; v < N; v++)
      require(e[v] == (ulong)sar_mono_exponent(&f->m[i], ring->order, N, v));
  }
}

static void arithmetic(Bytes* b, SarMonoOrder order) {
  SarArena arena;
  const SarAlgebraLimits limits = {.bytes = 50000000};
  sar_arena_init(&arena);
  SarRing ring = {.n = N, .order = order, .arena = &arena, .limits = &limits};
  nmod_init(&ring.mod, PRIME);
  nmod_mpoly_ctx_t ctx;
  nmod_mpoly_ctx_init(ctx, N, order == SAR_LEX ? ORD_LEX : ORD_DEGREVLEX, PRIME);
  nmod_mpoly_t f, g, d, q, r;
  nmod_mpoly_init(f, ctx), nmod_mpoly_init(g, ctx), nmod_mpoly_init(d, ctx);
  nmod_mpoly_init(q, ctx), nmod_mpoly_init(r, ctx);
  SarModPoly F = take(b, &ring, f, ctx), G = take(b, &ring, g, ctx), D = take(b, &ring, d, ctx);
  compare(&ring, &F, f, ctx), compare(&ring, &G, g, ctx);
  if (D.terms > 0) {
    sar_modpoly_monic(&ring, &D);
    nmod_mpoly_make_monic(d, d, ctx);
    compare(&ring, &D, d, ctx);
    // F x + 7 G, divided by D
    SarModBasis basis = {0};
    require(sar_modbasis_add(&ring, &basis, D));
    SarGeobucket* bucket = sar_geobucket_new(&ring);
    SarMono one = {{0, 0}, 0}, x = one;
    sar_mono_raise(&x, order, N, 1, 1);
    sar_geobucket_add(&ring, bucket, &F, &x, 1);
    sar_geobucket_add(&ring, bucket, &G, &one, 7);
    const SarModPoly R = sar_geobucket_reduce(&ring, bucket, &basis, false, -1);
    nmod_mpoly_gen(q, 1, ctx);
    nmod_mpoly_mul(r, f, q, ctx);
    nmod_mpoly_scalar_mul_ui(q, g, 7, ctx);
    nmod_mpoly_add(r, r, q, ctx);
    nmod_mpoly_divrem(q, f, r, d, ctx);
    compare(&ring, &R, f, ctx);
  }
  nmod_mpoly_clear(f, ctx), nmod_mpoly_clear(g, ctx), nmod_mpoly_clear(d, ctx);
  nmod_mpoly_clear(q, ctx), nmod_mpoly_clear(r, ctx);
  nmod_mpoly_ctx_clear(ctx);
  sar_arena_free(&arena);
}

// Every given polynomial vanishes modulo the basis.
static void basis(Bytes* b) {
  fmpq_mpoly_ctx_t ctx;
  fmpq_mpoly_struct f[2];
  char why[SAR_GROEBNER_WHY];
  SarGroebner g;
  fmpq_mpoly_ctx_init(ctx, N, ORD_LEX);
  for (int i = 0; i < 2; i++) {
    fmpq_mpoly_init(&f[i], ctx);
    for (int k = 0; k < 3; k++) {
      ulong e[N];
      fmpq_t c;
      fmpq_init(c);
      fmpq_set_si(c, (slong)next(b) - 128, 1 + next(b) % 7);
      for (int v = 0; v < N; v++) e[v] = next(b) % 3;
      fmpq_mpoly_set_coeff_fmpq_ui(&f[i], c, e, ctx);
      fmpq_clear(c);
    }
  }
  const SarAlgebraLimits limits = {.seconds = 0.2, .bytes = 20000000};
  if (sar_groebner(f, 2, ctx, &limits, &g, why) == SAR_OK) {
    for (int i = 0; i < 2 && g.count <= 16; i++) {
      fmpz_mpoly_struct *divisor[16], *quotient[16], store[16];
      fmpz_mpoly_t r;
      fmpz_t scale;
      fmpz_init(scale);
      fmpz_mpoly_init(r, g.ctx);
      for (int k = 0; k < g.count; k++) {
        divisor[k] = &g.g[k], quotient[k] = &store[k];
        fmpz_mpoly_init(&store[k], g.ctx);
      }
      fmpz_mpoly_quasidivrem_ideal(scale, quotient, r, f[i].zpoly, divisor, g.count, g.ctx);
      require(fmpz_mpoly_is_zero(r, g.ctx));
      for (int k = 0; k < g.count; k++) fmpz_mpoly_clear(&store[k], g.ctx);
      fmpz_mpoly_clear(r, g.ctx);
      fmpz_clear(scale);
    }
  } else {
    require(why[0] != 0);
  }
  sar_groebner_free(&g);
  for (int i = 0; i < 2; i++) fmpq_mpoly_clear(&f[i], ctx);
  fmpq_mpoly_ctx_clear(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes b = {data, size};
  arithmetic(&b, SAR_LEX);
  arithmetic(&b, SAR_DRL);
  basis(&b);
  return 0;
}
#else
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  return 0;
}
#endif
