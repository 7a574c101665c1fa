// Polynomials over the integers modulo a prime of a word, and Buchberger's algorithm on them.
#pragma once
#include "algebra/monomial.h"
#include "base/arena.h"
#include "sarrus/sarrus.h"

#include <flint/nmod_vec.h>

// Terms in falling order. A polynomial of a basis has leading coefficient 1.
typedef struct SarModPoly {
  int terms;
  int sugar;  // degree that it would have if all input were homogeneous
  SarMono* m;
  mp_limb_t* c;
} SarModPoly;

// What stops a computation; looked at every some hundred reductions.
typedef struct SarAlgebraLimits {
  double seconds;              // of CPU time; 0: none
  long work;                   // reductions for the first prime, the same on every machine; 0: none
  size_t bytes;                // of memory; 0: none
  const volatile int* cancel;  // Nullable
} SarAlgebraLimits;

// The ring, and the memory of everything made in it.
typedef struct SarRing {
  int n;
  SarMonoOrder order;
  nmod_t mod;
  SarArena* arena;
  const SarAlgebraLimits* limits;
  double began;      // CPU time
  long looked;       // counts up to the next look at the clock
  SarStatus status;  // why it stopped
} SarRing;

typedef struct SarModBasis {
  int count, room;
  SarModPoly* p;
  bool* dead;  // its leading monomial is a multiple of a later one's: no longer in pairs
} SarModBasis;

// False: stop, ring->status says why.
bool sar_ring_goes_on(SarRing* ring);
// Room for a polynomial; NULL entries when memory is out.
SarModPoly sar_modpoly_new(SarRing* ring, int terms);
void sar_modpoly_monic(SarRing* ring, SarModPoly* f);
// Sorts terms by the ring's order and adds up equal ones.
void sar_modpoly_sort(SarRing* ring, SarModPoly* f);
bool sar_modbasis_add(SarRing* ring, SarModBasis* g, SarModPoly f);

// Normal form of a f - b g (g Nullable) with respect to the basis: fully reduced, or (`head`) until
// the leading term is not divisible. Not monic. skip: element that does not count, -1: none.
typedef struct SarGeobucket SarGeobucket;
SarGeobucket* sar_geobucket_new(SarRing* ring);
void sar_geobucket_add(SarRing* ring, SarGeobucket* b, const SarModPoly* f, const SarMono* shift,
                       mp_limb_t factor);
SarModPoly sar_geobucket_reduce(SarRing* ring, SarGeobucket* b, const SarModBasis* g, bool head,
                                int skip);

// Groebner basis of what is in g, in place. hilbert (Nullable): dimension of the quotient in each
// degree below `degrees`, for homogeneous input: pairs that cannot give anything new are left out.
SarStatus sar_buchberger(SarRing* ring, SarModBasis* g, const long* hilbert, int degrees);
// Minimal, reduced, monic, rising.
SarStatus sar_modbasis_reduce(SarRing* ring, SarModBasis* g);
// Dimension of (quotient by the monomials lead) in each degree below `degrees`.
void sar_hilbert_function(SarRing* ring, const SarMono* lead, int count, long* values, int degrees);
