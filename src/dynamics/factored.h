// A factored matrix of the equations under constraints, by whatever solver: what the iterations on
// multipliers (saddle.h), projections and the look at the grip of the rows (grip.h) need of it.
//
//   G = G0 + Psi' w Psi       w > 0: weights of the rows, 0: a row takes no part
//
// G may be there as such (augmented.h), or inside the saddle point matrix [G0 Psi'; Psi -1/w].
#pragma once
#include "model/data.h"

typedef struct SarFactored SarFactored;
struct SarFactored {
  void* self;
  const SarModel* m;
  const double* weight;   // nrow: w
  const double* inertia;  // nv: diagonal of G0
  const double* grip;     // the largest w_k (Psi G0^-1 Psi')_kk of a diagonal G0
  // x <- G^-1 (x - Psi' w e), y = w Psi x, with Psi where G was factored. e Nullable: 0; y
  // Nullable.
  void (*correct)(const SarFactored* f, const double* e, double* x, double* y);
  double *c, *e, *r;  // scratch: nrow, nrow, nv
};
