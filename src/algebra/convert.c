// Images modulo a prime, and the lexicographic basis from the degree-reverse-lexicographic one
// (convert.h). Homogenising a basis of an order by degree gives one of the homogenised ideal, and a
// lexicographic basis of that gives, without the extra variable, one of the ideal.
#include "algebra/convert.h"

#include <string.h>

enum { DEGREES = 120 };

SarMono sar_mono_convert(const SarMono* m, SarMonoOrder from, SarMonoOrder to, int n, int n_to) {
  SarMono out = {{0, 0}, 0};
  for (int i = 0; i < n && i < n_to; i++)
    sar_mono_raise(&out, to, n_to, i, sar_mono_exponent(m, from, n, i));
  return out;
}

static bool modulo(const fmpq_t x, nmod_t mod, mp_limb_t* out) {
  const mp_limb_t over = fmpz_fdiv_ui(fmpq_denref(x), mod.n);
  if (over == 0) return false;
  *out = nmod_mul(fmpz_fdiv_ui(fmpq_numref(x), mod.n), nmod_inv(over, mod), mod);
  return true;
}

bool sar_modpoly_from(SarRing* ring, const fmpq_mpoly_struct* f, const fmpq_mpoly_ctx_t ctx,
                      SarModPoly* out) {
  const int terms = (int)fmpq_mpoly_length(f, ctx);
  ulong e[SAR_ALGEBRA_VARIABLES + 1];
  bool good = true;
  fmpq_t x;
  *out = sar_modpoly_new(ring, terms);
  if (!out->m || !out->c) return ring->status = SAR_NO_MEMORY, false;
  fmpq_init(x);
  for (int i = 0; i < terms && good; i++) {
    fmpq_mpoly_get_term_coeff_fmpq(x, f, i, ctx);
    fmpq_mpoly_get_term_exp_ui(e, f, i, ctx);
    out->m[i] = (SarMono){{0, 0}, 0};
    for (int v = 0; v < ring->n; v++) {
      if (e[v] > 127)
        ring->status = SAR_NOT_FINITE;
      else
        sar_mono_raise(&out->m[i], ring->order, ring->n, v, (int)e[v]);
    }
    good = modulo(x, ring->mod, &out->c[i]);
  }
  fmpq_clear(x);
  if (!good || ring->status != SAR_OK) return false;
  sar_modpoly_sort(ring, out);
  out->sugar = 0;
  for (int i = 0; i < out->terms; i++)
    if ((int)out->m[i].degree > out->sugar) out->sugar = (int)out->m[i].degree;
  sar_modpoly_monic(ring, out);
  return true;
}

SarStatus sar_drl_basis(SarRing* ring, const fmpq_mpoly_struct* f, int count,
                        const fmpq_mpoly_ctx_t ctx, SarModBasis* out) {
  *out = (SarModBasis){0};
  for (int i = 0; i < count; i++) {
    SarModPoly p;
    if (!sar_modpoly_from(ring, &f[i], ctx, &p))
      return ring->status != SAR_OK ? ring->status : SAR_SINGULAR;
    if (p.terms > 0 && !sar_modbasis_add(ring, out, p)) return ring->status;
  }
  SAR_TRY(sar_buchberger(ring, out, NULL, 0));
  return sar_modbasis_reduce(ring, out);
}

static bool add_homogenised(SarRing* with_h, const SarModPoly* f, int n, SarModBasis* to) {
  SarModPoly p = sar_modpoly_new(with_h, f->terms);
  if (!p.m || !p.c) return with_h->status = SAR_NO_MEMORY, false;
  p.sugar = (int)f->m[0].degree;
  for (int i = 0; i < f->terms; i++) {
    p.m[i] = sar_mono_convert(&f->m[i], SAR_DRL, SAR_LEX, n, n + 1);
    sar_mono_raise(&p.m[i], SAR_LEX, n + 1, n, p.sugar - (int)f->m[i].degree);
    p.c[i] = f->c[i];
  }
  sar_modpoly_sort(with_h, &p);
  sar_modpoly_monic(with_h, &p);
  return sar_modbasis_add(with_h, to, p);
}

SarStatus sar_lex_from_drl(SarRing* lex, const SarModBasis* drl, SarModBasis* out) {
  const int n = lex->n;
  SarRing with_h = *lex;
  SarModBasis g = {0};
  with_h.n = n + 1;
  SarMono* lead = SAR_ARENA_ARRAY(lex->arena, SarMono, drl->count + 1);
  long* hilbert = SAR_ARENA_ARRAY(lex->arena, long, DEGREES);
  if (!lead || !hilbert) return SAR_NO_MEMORY;
  for (int i = 0; i < drl->count; i++) {
    if (!add_homogenised(&with_h, &drl->p[i], n, &g)) return with_h.status;
    lead[i] = sar_mono_convert(&drl->p[i].m[0], SAR_DRL, SAR_LEX, n, n + 1);
  }
  sar_hilbert_function(&with_h, lead, drl->count, hilbert, DEGREES);
  SAR_TRY(sar_buchberger(&with_h, &g, hilbert, DEGREES));
  *out = (SarModBasis){0};
  for (int i = 0; i < g.count; i++) {
    if (g.dead[i]) continue;
    SarModPoly f = g.p[i];
    for (int k = 0; k < f.terms; k++) {
      const SarMono m = sar_mono_convert(&f.m[k], SAR_LEX, SAR_LEX, n + 1, n);
      f.m[k] = m;
    }
    if (!sar_modbasis_add(lex, out, f)) return lex->status;
  }
  lex->looked = with_h.looked;
  return sar_modbasis_reduce(lex, out);
}
