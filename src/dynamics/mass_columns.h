// Many right-hand sides at once with the sparse factors of the mass matrix (mass.h): matrices nv x
// nv, row by row.
#pragma once
#include "base/block.h"
#include "dynamics/mass.h"

// Columns of a row in vectors of four: a first one, and how many vectors.
typedef struct SarColumnSpan {
  int column, lanes;
} SarColumnSpan;

// Limbs: unbranched chains of coordinates k, k + 1, ... each the only child of the one before. All
// rows of a limb have the same columns in a matrix with the sparsity of the tree, those of its
// ancestors and of its subtree.
typedef struct SarMassColumns {
  int limbs;
  int *first, *end;     // limbs + 1: first coordinate; limbs: first coordinate behind the subtree
  int* span_at;         // limbs + 1
  SarColumnSpan* span;  // columns of each limb that are not zero
  int*
      run;  // nv: first of the ancestors k - 1, k - 2, ... without a gap, k itself if there is none
} SarMassColumns;

void sar_mass_columns_init(const SarModel* m, SarMassColumns* c, SarBlock* b);

// n zeros.
void sar_zero(size_t n, double* x);
// X <- -M^-1 X for a matrix with the sparsity of the tree (entries of unrelated coordinates are
// zero before, and may be anything after); and M^-1 itself. From the factors of sar_mass_factor.
void sar_mass_solve_tree(const SarModel* m, const SarData* d, const SarMassColumns* c,
                         const double* factor, double* X);
void sar_mass_inverse(const SarModel* m, const SarData* d, const SarMassColumns* c,
                      const double* factor, double* inverse);
