// Steps of the formulation `hybrid` by the trapezoidal rule as C (generate.h): the algorithm of
// formulations/implicit/hybrid.c with straight-line code for what depends on the model.
//
//   NAME_positions_of   Phi, Psi, Phi_t                                         where the step ends
//   NAME_residual_of    r = Q - M a - Psi' lambda, Phi, Psi
//   NAME_tangent_of     the same, and T = M + gain_C C + gain_K K, entries that are not zero
//   NAME_gamma_of       gamma: Psi a = gamma
//   NAME_factor_of      L E L' of T + Psi' w Psi, by minimum degree
//   NAME_solve_of       x = (L E L')^-1 b
//
// and a driver of text (implicit_driver.c). Where passes of the multiplier iteration do not close a
// step, next to a singular position, the interpreter goes on by conjugate gradients; generated code
// gives up and says so.
#pragma once
#include "codegen/emit.h"
#include "codegen/sparse.h"
#include "codegen/tangents.h"

// What the interpreter knows of the rows where the run begins (model/sim.h), and its options.
typedef struct SarImplicitRows {
  const double *size, *unit;  // nrow: usual length; the mechanism's size for lengths, 1 for angles
  bool redundant;
  double tolerance;
  int iterations;
} SarImplicitRows;

typedef struct SarImplicit {
  SarSymbols s;
  SymTangents tangents;
  SarNode* r;      // nv
  SarNode* T;      // nv nv, symmetric
  int* T_place;    // nv nv: where an entry is kept; -1: it is zero
  int entries;     // of T, lower triangle
  SarGraph* g;     // of the factor and the solution
  SymSparse F;     // over T[i], Psi[i], scaled[i]
  SymSparse kept;  // over L[i], inverse[i]
  int factors;     // entries of L below the diagonal
  SarNode* x;      // nv: the solution for b[i]
} SarImplicit;

// False: no memory, or refused.
bool sar_implicit_make(SarImplicit* p, const SarModel* m, SarArena* arena, SarError* err);
// The functions that do not depend on the model, up to NAME_step. rows: it has constraints;
// redundant: some of them follow from others; lands: steps end at kinks in time.
void sar_implicit_driver(SarWriter* w, const char* model, bool rows, bool redundant, bool lands);
