// Analytical derivatives of inverse dynamics of a tree, all columns at once (tree_derivatives.c).
#pragma once
#include "base/block.h"
#include "dynamics/mass.h"

typedef struct SarTreeDerivatives {
  LaneMotion *P, *PP, *PPv;   // nv: of each coordinate
  LaneForce *F, *Uq, *Uv;     // nv: on their way inwards
  L4* g;                      // nv
  Composite *inertia, *rate;  // nbody: what the children hand up
  L4* momentum;               // nbody: angular, likewise
  int* end;                   // nv: first coordinate behind the subtree of each
  // rows that are not zero in a panel of columns of a matrix with the sparsity of the tree (mass_columns.c)
  int *related, *related_num;  // panels x nv; panels
  int* every;                  // nv: 0, 1, ...
} SarTreeDerivatives;

void sar_tree_derivatives_init(const SarModel* m, SarTreeDerivatives* w, SarBlock* b);
// mass_columns.c: panels of columns that are solved for at once, and what of their rows is zero.
int sar_mass_panels(const SarModel* m);
void sar_mass_panels_init(const SarModel* m, SarTreeDerivatives* w);

// d tau/dq and d tau/dv (nv x nv, row by row; the others' entries zero) of sar_rnea at the accelerations it
// was called with last, applied forces fixed in the bodies; and the mass matrix in sparse rows (mass.h).
// Coordinates are local: q = retract(q, dq). Needs what sar_rnea leaves: body_A, body_force; a.
void sar_rnea_derivatives(const SarModel* m, const SarData* d, const double* a,
                          SarTreeDerivatives* w, double* mass, double* Tq, double* Tv);

// n zeros.
void sar_zero(size_t n, double* x);
// X <- -M^-1 X for nv x nv matrices with the sparsity of the tree (entries of unrelated coordinates are zero
// before, and may be anything but zero after); and M^-1 itself. From the factors of sar_mass_factor.
void sar_mass_solve_tree(const SarModel* m, const SarData* d, const double* factor,
                         SarTreeDerivatives* w, double* X);
void sar_mass_inverse(const SarModel* m, const SarData* d, const double* factor,
                      SarTreeDerivatives* w, double* inverse);
