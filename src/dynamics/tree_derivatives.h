// Analytical derivatives of inverse dynamics of a tree, all columns at once (tree_derivatives.c).
#pragma once
#include "base/block.h"
#include "dynamics/mass_columns.h"

typedef struct SarTreeDerivatives {
  LaneMotion *P, *PP, *PPv;   // nv: of each coordinate
  LaneForce *F, *Uq, *Uv;     // nv: on their way inwards
  L4* g;                      // nv
  Composite *inertia, *rate;  // nbody: what the children hand up
  L4* momentum;               // nbody: angular, likewise
  SarMassColumns columns;
} SarTreeDerivatives;

void sar_tree_derivatives_init(const SarModel* m, SarTreeDerivatives* w, SarBlock* b);

// tree_directions.c: P, PP, PPv of all coordinates, with d->body_V, body_A and the accelerations a.
void sar_tree_directions(const SarModel* m, const SarData* d, const double* a,
                         SarTreeDerivatives* w);

// d tau/dq and d tau/dv (nv x nv, row by row; the others' entries zero) of sar_rnea at the
// accelerations it was called with last, applied forces fixed in the bodies; and the mass matrix in
// sparse rows (mass.h). Coordinates are local: q = retract(q, dq). Needs what sar_rnea leaves:
// body_A, body_force; a.
void sar_rnea_derivatives(const SarModel* m, const SarData* d, const double* a,
                          SarTreeDerivatives* w, double* mass, double* Tq, double* Tv);
