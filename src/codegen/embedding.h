// The embedding technique over symbols: dependent coordinates that follow from the independent
// ones, without iteration where loops have polynomials (closing.c), and accelerations of the
// independent ones (reduced.c).
#pragma once
#include "codegen/dependent.h"

// Which pairs of bodies meet in a point: s->pinned. After the kinematics.
bool sar_symbols_pin(SarSymbols* s, const SarLoopFlow* f);

// a, lambda, open and flat of a closed position; s->v of dependent coordinates becomes what it
// follows from. False: no memory, refused, or singular at the start.
bool sar_symbols_embedding(SarSymbols* s, const SarPartition* p);
// The same of terms that are at hand, of speeds that are symbols (p->kept). others: n nodes in
// which speeds are what they follow from too.
bool sar_symbols_embed_terms(SarSymbols* s, const SarPartition* p, int n, SarNode* others);
// Bounds of `open`, `doubt` and `size` below, all squares without a unit, in double or single
// precision.
static inline double sar_embedding_open(bool single) { return single ? 1e-9 : 1e-22; }
static inline double sar_closing_doubt(bool single) { return single ? 1e-9 : 1e-10; }
// A step of 3e-8 leaves 1e-15, times how much rows bend for what is left of pivots: less is asked
// for where these are small.
static inline double sar_newton_done(bool single) { return single ? 1e-8 : 1e-15; }
#define SAR_NEWTON_LEFT "(c.flat < 1 ? c.flat * c.flat : 1)"

// Closing by the flow, in a graph of its own over the same symbols.
typedef struct SymClosing {
  SarGraph* g;
  SarNode *q, *v;  // nq, nv: closed; of blocks without polynomials as they are
  SarNode doubt;   // squares: above sar_closing_doubt a root is not to be believed
  SarFamilies families;
} SymClosing;
bool sar_symbols_closing(SarSymbols* s, const SarPartition* p, SymClosing* out);

// One step of Newton's method for all dependent coordinates and their speeds (newton.c).
typedef struct SymNewton {
  SarNode *move, *v;  // nv: 0 of independent ones; speeds where it leads
  SarNode size;       // of the step, in units, squared
  SarNode flat;
  SarFamilies families;
} SymNewton;
bool sar_symbols_newton(SarSymbols* s, const SarPartition* p, SymNewton* out);
