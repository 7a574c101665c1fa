// First derivatives of forward dynamics, direction by direction: what the public calls
// (derivatives_api.c) and linearisation (sim/linear.h) are made of.
//
//   M a + Psi' lambda = Q,   Psi a = gamma
//   [M Psi'; Psi 0] [a'; lambda'] = [-(M a + Psi' lambda - Q)'; -(Psi a - gamma)']
//     ': at given a, lambda
#pragma once
#include "dynamics/tree_derivatives.h"
#include "dynamics/variation.h"

struct SarDerivatives {
  const SarModel* m;
  SarVariation x;  // the direction and what follows from it
  SarTreeDerivatives tree;
  double* mass;  // sparse: factors
  double *Tq,
      *Tv;     // nv x nv: of inverse dynamics, applied and constraint forces fixed in the bodies
  double* da;  // nv: a' along the direction
  double* dlambda;  // nrow: lambda' likewise
  bool has_forces;  // something but inertia and gravity acts: directions must be looked at one by
                    // one
  // with constraints: the saddle point matrix over the chosen rows, scaled
  int rank;          // rows that were chosen
  int *row, *pivot;  // nrow: which; nv + nrow: of the factors
  double *scale, *K, *rhs;
  double* rows;   // nv x nrow: choosing rows
  Force* body_F;  // nbody: sums on the way inwards
};

// Evaluates d, finds a (d->a) and lambda, Tq, Tv and the factors there. `a` Nullable: else these
// accelerations are taken and no constraint carries anything.
SarStatus sar_derivatives_at(SarDerivatives* w, SarData* d, const double* a);
// Kinematics, forces and constraints along w->x.dq ... input, t: fills the rest of x.
void sar_derivatives_vary(SarDerivatives* w, SarData* d);
// What Q' - (Psi' lambda)' has along the direction, nv entries; the inertial part, -Tq dq - Tv dv,
// is not in it.
void sar_derivatives_force(SarDerivatives* w, const SarData* d, double* force);
// The generalised force of x.body_F and x.tau.
void sar_derivatives_project(SarDerivatives* w, const SarData* d, double* force);
// a' and lambda' for `force` on the coordinates, with x.row on the constraints if `with_rows`.
void sar_derivatives_solve(SarDerivatives* w, const SarData* d, const double* force,
                           bool with_rows);
