// A pair of bodies and the terms of constraints between them in dual numbers; letters as in
// constraints.c.
#pragma once
#include "elements/forces/varied.h"

typedef struct SarVariedPair {
  const VariedBody *a, *b;
  D3 p, gap;    // p_b, and d = p_b - p_a
  D3 Omega, u;  // angular velocity and velocity of p_b, seen from a
} SarVariedPair;

typedef struct SarVariedTerm {
  D3 n, f;  // W
  Dual quadratic;
} SarVariedTerm;

// A term ROLL; w_B: axis of a disc, in B of b.
SarVariedTerm sar_roll_vary(const SarModel* m, SarData* d, SarVariation* x, const SarTerm* t,
                            V3 w_B, const SarVariedPair* p);
