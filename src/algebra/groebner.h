// Lexicographic Groebner bases over the rationals, in process.
//
// Modulo one prime: Buchberger's algorithm in the degree-reverse-lexicographic order, whose basis
// gives the Hilbert function, and with it the lexicographic basis, made homogeneous, degree by
// degree (Traverso 1996). Leading monomials and supports are then known, and modulo each further
// prime the coefficients follow from linear equations: normal forms of the support are dependent in
// one way only (the idea of FGLM, for ideals of any dimension). Chinese remainders and rational
// reconstruction end when one more prime agrees.
//
// Parameters (knowns) are variables below the unknowns in the order: the basis holds for all their
// values, and says by its leading coefficients where it does not.
#pragma once
#include "algebra/modular.h"
#include "base/error.h"

#include <flint/fmpq_mpoly.h>
#include <flint/fmpz_mpoly.h>

typedef struct SarGroebner {
  fmpz_mpoly_ctx_t ctx;  // lexicographic
  int count;
  fmpz_mpoly_struct* g;  // primitive, leading coefficients positive, rising
  // how it came about
  int primes, elements_drl;
  long work;       // reductions for the first prime
  double seconds;  // CPU time
  size_t bytes;    // memory at most, FLINT's own apart
} SarGroebner;

// What a polynomial looks like: degree in its main variable (the first in the order that occurs),
// number of terms, decimal digits of the longest coefficient.
typedef struct SarPolyFigures {
  int main, degree, terms, digits;
} SarPolyFigures;

// f: count polynomials in ctx (lexicographic). SAR_OK; SAR_STOPPED: out of time, or cancelled;
// SAR_NO_MEMORY; SAR_NOT_FINITE: degrees beyond 127; SAR_NOT_OFFERED: too many variables. `why`
// (room for SAR_GROEBNER_WHY characters) says so in words. Free with sar_groebner_free whatever it
// returned.
enum { SAR_GROEBNER_WHY = 160 };
SarStatus sar_groebner(const fmpq_mpoly_struct* f, int count, const fmpq_mpoly_ctx_t ctx,
                       const SarAlgebraLimits* limits, SarGroebner* out, char* why);
void sar_groebner_free(SarGroebner* g);
SarPolyFigures sar_poly_figures(const fmpz_mpoly_t f, const fmpz_mpoly_ctx_t ctx);
// Of the elements whose main variable is `main`, the one to solve for it: of least degree in it,
// with the fewest terms, with the shortest coefficients. -1: none.
int sar_groebner_element(const SarGroebner* g, int main);
