// What the search for an equilibrium (equilibrium.c) shares with its linear algebra
// (equilibrium_modes.c). Letters as explained in equilibrium.c.
#pragma once
#include "base/block.h"
#include "formulations/index1/index1.h"
#include "sim/equilibrium.h"

// |w| up to this share of the largest is rounding: differences leave about 1e-9.
#define SAR_REST_INDIFFERENT 1e-6
// Cholesky's pivots of K above this share of their diagonal entries: K is positive definite.
#define SAR_REST_FIRM 1e-6
// What is left of w then, of the largest.
#define SAR_REST_ROUNDING 1e-12

typedef struct SarRestSearch {
  SarSim* s;
  const SarModel* m;
  SarData* d;
  SarIndex1 p;    // for the null space and the multipliers
  int n, f;       // coordinates, degrees of freedom
  double length;  // size of the mechanism [m]
  double *M, *Psi, *zero;
  double *Q, *rest;         // n: forces; Q - Psi' lambda
  double *N, *N_moved;      // n x f, column by column
  double *r, *dz;           // f
  double* dx;               // n: N dz
  double *K, *B, *Y;        // f x f: column by column; Y: columns y
  double* w;                // f
  double *LU, *im, *plain;  // f x f, f, f x f: for a K that is not symmetric
  int* pivot;               // f
  double* Q_start;          // n: of the first position that full steps begin from
  double* start;            // where the search began, and where it is: nq_all each
  bool firm;                // K is positive definite: its factor is in `plain`
  bool symmetric;
  double *q, *lambda;
  // with states (equilibrium_states.c): f + nz squared, column by column; f + nz; nz
  double *J, *JJ, *values, *step, *row_scale, *column_scale;
  double *x, *dstate;  // states where the step begins; their step
  SarDenseWork joint;
  SarDerivatives* exact;  // for K without differences; NULL: there are constraints, or it has none
  double largest_force;   // of all Q seen: the scale of forces
  void* block;
} SarRestSearch;

// Q at rest, and Phi, Psi where d is.
void sar_rest_evaluate(SarRestSearch* a);
// N, r and lambda where d is evaluated.
SarStatus sar_rest_reduce(SarRestSearch* a);
// K, B, w and Y there; a->q is the position.
SarStatus sar_rest_modes(SarRestSearch* a);
// dx of dz, and d moved by dx from a->q, back on the constraints and evaluated.
void sar_rest_along(SarRestSearch* a);
SarStatus sar_rest_move(SarRestSearch* a);
// Full Newton steps from a->start; found: d is at a stable equilibrium (equilibrium_newton.c).
SarStatus sar_rest_newton(SarRestSearch* a, bool* found);

// With states: dx and dstate by Newton's method, a->q and a->x where d is; the residual and the
// step, scaled; a state that still changes, -1: none. And the arrays for it: bytes, cut from the
// block if there is one.
SarStatus sar_rest_joint_step(SarRestSearch* a);
double sar_rest_joint_residual(const SarRestSearch* a);
double sar_rest_joint_size(const SarRestSearch* a);
int sar_rest_moving_state(const SarRestSearch* a);
void sar_rest_joint_layout(SarRestSearch* a, SarBlock* b);

bool sar_rest_is_length(const SarModel* m, int dof);
double sar_rest_largest(int n, const double* x);
// The longest component of a displacement: rad, or sizes of the mechanism.
double sar_rest_longest(const SarRestSearch* a, const double* x);
