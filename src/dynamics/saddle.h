// The equations of a step under constraints (KKT system), solved through the factor of an augmented
// matrix: augmented Lagrangian, or Uzawa's iteration on the Schur complement.
//
//   G0 x + Psi' mu = b,   Psi x = -e                       a saddle point (Karush, Kuhn and Tucker)
//
// where G = G0 + Psi' w Psi is factored (factored.h). The multiplier iteration of Hestenes, Powell
// and Uzawa, mu += w (Psi x + e), leaves 1 / (1 + g) of a violation in each pass, g the eigenvalue
// of w Psi G0^-1 Psi' in its direction. Where rows hold well g is 1e4 to 1e8 and a pass or two are
// enough. Near a singular position a combination of rows has a short lever eps, as a share of its
// usual one, and g = 1e8 eps^2: with eps around 1e-4 passes take off a half each, below that next
// to nothing. So what such passes leave is taken off by conjugate gradients on the Schur complement
// Psi G^-1 Psi': as many as there are weak combinations.
//
// Redundant rows are weak too: a combination of them that is zero wherever the loops are closed has
// a lever as long as they are open. To hold it would hold a motion that is free. So where rows are
// redundant no lever is trusted that is not ten times longer than the way that closes the loops;
// and where that way is long, nothing but closing is done first.
#pragma once
#include "base/block.h"
#include "dynamics/factored.h"

typedef struct SarSaddle {
  double* c;           // nrow: what is open, Psi x + e
  double* before;      // nrow: one pass ago
  double* z;           // nrow: direction of the search is w z
  double* y;           // nrow: w Psi d
  double* d;           // nv: -G^-1 Psi' w z
  double* way;         // nv: closes the loops
  const double* unit;  // nv: of the coordinates, the caller's (projection.h)
  bool redundant;      // some rows follow from others
  bool firm;           // no position is near where rows are weak: levers that short are none
} SarSaddle;

// Takes its pieces of a block. unit: kept.
void sar_saddle_layout(SarSaddle* p, const SarModel* m, const double* unit, SarBlock* b);

// x: b -> x; mu (nrow). Psi is that of the factor. False: x only closes the loops, mu is zero; the
// equations are to be solved from there.
bool sar_saddle_solve(SarSaddle* p, const SarFactored* G, const double* e, double* x, double* mu);
