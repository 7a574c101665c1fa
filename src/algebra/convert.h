// Between FLINT's polynomials and ours modulo a prime; the steps of a lexicographic basis
// (groebner.h).
#pragma once
#include "algebra/groebner.h"

// The polynomial modulo ring->mod; false: the prime divides a denominator or the leading
// coefficient.
bool sar_modpoly_from(SarRing* ring, const fmpq_mpoly_struct* f, const fmpq_mpoly_ctx_t ctx,
                      SarModPoly* out);
SarMono sar_mono_convert(const SarMono* m, SarMonoOrder from, SarMonoOrder to, int n, int n_to);
// The reduced degree-reverse-lexicographic basis of f modulo ring->mod.
SarStatus sar_drl_basis(SarRing* ring, const fmpq_mpoly_struct* f, int count,
                        const fmpq_mpoly_ctx_t ctx, SarModBasis* out);
// The reduced lexicographic one from it; `lex` is the ring of the result.
SarStatus sar_lex_from_drl(SarRing* lex, const SarModBasis* drl, SarModBasis* out);
// Coefficients of lexicographic elements with the monomials of `shape`, by linear equations modulo
// ring->mod (a ring of the drl order); c: one array of shape->terms for each. SAR_SINGULAR: not
// unique.
SarStatus sar_lex_coefficients(SarRing* ring, const SarModBasis* drl, const SarModBasis* shape,
                               mp_limb_t** c);
