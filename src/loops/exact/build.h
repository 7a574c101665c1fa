// Polynomials of a block of constraint rows, as the plan builds them.
#pragma once
#include "algebra/groebner.h"
#include "loops/loops.h"

enum { SAR_LOOP_NUMBERS = 100 };

// Numbers that have become rationals. One that differs from another by rounding alone becomes the
// same: bars of one length and axes that are parallel stay so, otherwise the degree of a basis
// would rise.
typedef struct SarLoopNumbers {
  double bound;  // what a rational may differ by, over its size or 1
  int count;
  double size[SAR_LOOP_NUMBERS];
} SarLoopNumbers;

// A short rational near x: the decimal of up to six places that was meant, or within the bound.
void sar_rational(SarLoopNumbers* known, double x, fmpq_t out);

typedef struct SarLoopBuilder {
  const SarModel* m;
  const double* q;
  const Xform* X_GB;    // at q
  const int* known_at;  // nv: 1: known in this block
  SarLoopBlock* block;  // its variables and symbols
  SarLoopNumbers* numbers;
  int room;              // of symbols
  fmpq_mpoly_ctx_t ctx;  // variables, then room for symbols
  bool flat;             // the row in hand is of a plane
  V3 normal;             // to it, in ground
  const char* problem;   // why not
  // Nullable: bases of the block's legs, whose surfaces then stand for their rows
  const SarGroebner* leg_basis;
} SarLoopBuilder;

// Legs, then the core: bases, elements and surfaces of the block. False: the core has none, and the
// block's reason says why; legs are those that are left.
bool sar_loop_triangularise(SarLoopFlow* f, SarLoopBuilder* b, const SarLoopOptions* o);

// Fills in the block's variables and symbols, and f (rows and one for each angle) in b->ctx.
// False: b->problem says why.
bool sar_loop_equations(SarLoopBuilder* b, fmpq_mpoly_struct* f, int* count);

// Equations of a leg's surfaces in the unknowns of the core, added to f.
void sar_loop_surface_rows(SarLoopBuilder* b, int leg, fmpq_mpoly_struct* f, int* count);
// Basis of the polynomials of b->block; free it if true.
bool sar_loop_basis(SarLoopBuilder* b, const SarLoopOptions* o, SarGroebner* out);
bool sar_loop_take_elements(SarLoopFlow* f, SarLoopBlock* k, const SarGroebner* g);
// Elements with symbols alone.
bool sar_loop_take_surfaces(SarLoopFlow* f, SarLoopBlock* k, const SarGroebner* g);
// Bases of all legs of b->block, in `out` by leg; those that are none are dropped.
bool sar_loop_plan_legs(SarLoopFlow* f, SarLoopBuilder* b, const SarLoopOptions* o,
                        SarGroebner* out);
