// The Jacobian of a step in absolute coordinates: a saddle point matrix, sparse, unsymmetric and
// factored as it is.
//
//   [ T  Psi' ] [ dx ]   [ r / a_x ]        T = M + gyroscopic part + gain C + gain^2 K,
//        gain = h b0
//   [ Psi  -E ] [ mu ] = [ -Phi    ]        mu = gain^2 dlambda,   a_x = 1 / gain^2
//
// With multipliers scaled by gain^2 nothing in it grows as steps get shorter: T -> M. The small E =
// 1 / w, w as in augmented.h, makes it quasidefinite: no pivot on the diagonal is zero in any
// order, whatever the rank of Psi, so redundant rows share the load and rows that vanish let go.
// What E leaves open is taken off by iterations on the multipliers (dynamics/saddle.h), to which
// the matrix is T + Psi' w Psi.
//
// Source of the scaling: Bottasso, Dopico and Trainelli, On the optimal scaling of index three DAEs
// in multibody dynamics, Multibody System Dynamics 19 (2008). Of quasidefinite factors: Vanderbei,
// SIAM J. Optim. 5 (1995).
#pragma once
#include "dynamics/factored.h"
#include "formulations/redundant/momenta.h"
#include "linalg/static_lu.h"

typedef struct SarAbsoluteSystem {
  const SarModel* m;
  const SarMomenta* momenta;
  SarStaticLu lu;
  // entries of lu.a, kind by kind: where each begins
  int mass, gyro, tangent, rows, columns, compliance, held, modal;
  double *weight, *inertia, *block;
  double* modal_mass;  // of the whole tree, in sparse rows; where there are modal bodies
  double grip;
  double* ghost;  // nbody: moment of inertia about axes that have none, for their pivots (ghosts.c)
  int* turning;   // nbody: where its 3 x 3 of rotations begins, -1: it has none
  // Rows on bodies whose own inertia is singular: T + Psi' v Psi takes the place of T, so that it
  // has pivots
  int nheld;
  int* held_row;
  bool* held_shares;    // nheld: is in the block of the row before
  double* held_weight;  // nheld: v
  double *b, *c, *e, *r;
  double* held_Psi;  // nrow_dof: where it was factored
} SarAbsoluteSystem;

// Memory comes from an arena. False: there is none left.
bool sar_absolute_system_new(SarAbsoluteSystem* p, const SarModel* m, const SarMomenta* momenta,
                             SarArena* arena);
// After forces and constraints at d. row_size: usual lengths of the rows. firm: none is weak or
// redundant.
SarStatus sar_absolute_system_factor(SarAbsoluteSystem* p, SarData* d, double gain,
                                     const double* row_size, bool firm);
// r -= a_x Psi' v Phi of the held rows, where r belongs to the equations with T alone.
void sar_absolute_system_shift(const SarAbsoluteSystem* p, const SarData* d, double a_x, double* r);
SarFactored sar_absolute_system_view(SarAbsoluteSystem* p);

// Block k of the tangents under load, with its geometric stiffness, num x num by rows (loads.c).
// False: it has none.
bool sar_absolute_load_block(const SarAbsoluteSystem* p, SarData* d, int k, double gain, double* a);

// How the forces of constraints turn, into the rotations of each body (turning.c); after fill_gyro.
void sar_absolute_fill_turning(SarAbsoluteSystem* p, const SarData* d, double gain);

// Moments of inertia for pivots of bodies that are thin rods (ghosts.c).
void sar_absolute_find_ghosts(SarAbsoluteSystem* p);

// The order of pivots (order.c): blocks of bodies and of constraints by minimum degree. at: nv +
// nrow.
bool sar_absolute_order(const SarModel* m, const bool* held, SarArena* scratch, int* at);
