// Polynomials of a block of constraint rows, as the plan builds them.
#pragma once
#include "algebra/groebner.h"
#include "loops/loops.h"

// A short rational near x: the decimal of up to six places that was meant, or within the bound.
void sar_rational(double x, double bound, fmpq_t out);

typedef struct SarLoopBuilder {
  const SarModel* m;
  const double* q;
  const Xform* X_GB;      // at q
  const int* known_at;    // nv: 1: known in this block
  SarLoopBlock* block;    // its variables and symbols
  int room;               // of symbols
  fmpq_mpoly_ctx_t ctx;   // variables, then room for symbols
  bool flat;              // the row in hand is of a plane
  V3 normal;              // to it, in ground
  const SarLoopAim* aim;  // Nullable: of the link's rows its length alone is an equation
  const char* problem;    // why not
} SarLoopBuilder;

// Fills in the block's variables and symbols, and f (block->size and one for each angle) in b->ctx.
// False: b->problem says why.
bool sar_loop_equations(SarLoopBuilder* b, fmpq_mpoly_struct* f, int* count);
