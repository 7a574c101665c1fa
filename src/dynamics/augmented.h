// The equations of a model with constraints (index-1 DAE, a saddle point), solved through one
// sparse positive definite matrix: the augmented Lagrangian.
//
//   G = M + Psi' w Psi,      w_k = GRIP / (Psi M^-1 Psi')_kk of a diagonal M
//
// Adding Psi' w (Psi a - gamma) = 0 to M a + Psi' lambda = F changes nothing, and makes the matrix
// of a definite whatever the rank of Psi: redundant rows only add up, and where rows lose their
// grip, at a singular position, the motion they no longer hold is left to the inertia. Nothing is
// decided about rank. One factor gives accelerations, multipliers and the projection of a state
// near by.
#pragma once
#include "base/block.h"
#include "dynamics/constraints.h"
#include "dynamics/factored.h"
#include "linalg/envelope.h"
#include "linalg/panels.h"

typedef struct SarAugmented {
  SarEnvelope G;     // G, unless
  SarPanels panels;  // npanel > 0: this is its factor, in the order of small fill (model/fill.h)
  double* value;     // of the one or the other
  size_t values;
  double* inverse;   // nv: 1 / diagonal of the factor
  double* work;      // nv: of panels
  int* place;        // nv: row of G of each coordinate
  int* diagonal;     // nv: entry of G of each coordinate with itself
  double* mass;      // M in sparse rows (mass.h)
  int* mass_place;   // its entries in G
  int* row_place;    // products of the entries of each row of Psi, in G
  int* force_place;  // entries of each block of tangents, in G; NULL: no forces
  double* block;     // of tangents, one
  double* inertia;   // nv: diagonal of M
  int* keep;         // nrow: 0: follows from others, has no weight
  double* weight;    // nrow: w
  double grip;       // the largest w_k (Psi M^-1 Psi')_kk of a diagonal M: GRIP, or a penalty's
  double* scaled;    // nrow_dof: Psi' w
  double* x;         // nv, in the order of G
  double* r;         // nv
  double *c, *e;     // nrow
} SarAugmented;

// What a step that is implicit in positions adds to M: gain_C C + gain_K K, the damping and the
// stiffness of the applied forces (tangents.h); and how strong the constraints are: w = penalty
// gain_K, or penalty = 0: as above, with rows at least as long as they usually are.
typedef struct SarStepGains {
  double gain_C, gain_K, penalty;
  const double* row_size;  // Nullable. nrow
  double gain_stick;       // of the part of C that holds joints that stick, which gain_C is not
} SarStepGains;

// forces: there is room for their tangents.
// Takes its pieces of a block, and finds where entries go.
// row_order: rows with independent ones first, `rank` of them count (`keep`): away from the exact
// position redundant rows are not quite redundant, and must not act. Nullable where
// pieces are only counted.
void sar_augmented_init(SarAugmented* p, const SarModel* m, bool forces, const int* row_order,
                        int rank, SarBlock* block);

// Entries of a symmetric block of so many coordinates.
static inline size_t sar_block_entries(int num) { return (size_t)num * (size_t)(num + 1) / 2; }

// Other rows are independent now: sets `keep`. Rows that are off have no entries and no weight
// anyway.
void sar_augmented_keep(SarAugmented* p, const SarModel* m, const int* row_order, int rank);

// M, Psi -> G, factored. Needs positions and sar_update_constraints. SAR_SINGULAR when some motion
// has neither inertia nor constraint.
SarStatus sar_augmented_factor(SarAugmented* p, const SarModel* m, SarData* d);
// The same with M + gain_C C + gain_K K in place of M. Needs forces.
SarStatus sar_augmented_factor_step(SarAugmented* p, const SarModel* m, SarData* d,
                                    const SarStepGains* gains);
// G = M + gain_C C + gain_K K, without constraints and not factored; and y = G x.
void sar_augmented_collect(SarAugmented* p, const SarModel* m, SarData* d,
                           const SarStepGains* gains);
void sar_augmented_multiply(SarAugmented* p, const SarModel* m, const double* x, double* y);
// x <- G^-1 x
void sar_augmented_apply(SarAugmented* p, const SarModel* m, double* x);
// F -> d->a, d->lambda:  M a + Psi' lambda = F,  Psi a = gamma. Needs rates of the constraints.
SarStatus sar_augmented_solve(SarAugmented* p, const SarModel* m, SarData* d, const double* F);
// x += factor Psi' w e, and y = w Psi x, with Psi where G was factored.
void sar_augmented_add_transposed(const SarAugmented* p, const SarModel* m, double factor,
                                  const double* e, double* x);
void sar_augmented_multiply_rows(const SarAugmented* p, const SarModel* m, const double* x,
                                 double* y);
// x = -G^-1 Psi' w e: the displacement of least kinetic energy that takes the residuals e (nrow)
// away, up to a share 1 / GRIP.
void sar_augmented_correct(SarAugmented* p, const SarModel* m, const double* e, double* x);
// G as others see it. It stays valid as long as p does.
SarFactored sar_augmented_view(SarAugmented* p, const SarModel* m);
