// Linearisation about a state: A, B, C, D of
//
//   d/dt x = f + A (x - x0) + B (u - u0),    y = y0 + C (x - x0) + D (u - u0)
//
// x: independent positions, independent velocities, states of the file. Exact
// (dynamics/derivatives.h), no differences.
#pragma once
#include "model/sim.h"

// What drives the system: an input of the file, or a force on a coordinate of a joint (direction of
// the file).
typedef struct SarLinearInput {
  int input;  // number of the input; -1: a joint's force
  int joint, component;
} SarLinearInput;

typedef struct SarLinear {
  int nq, nv, nz;         // independent positions and velocities (fewer where wheels roll), states
  int nx, nu, ny;         // nx = nq + nv + nz
  int *q, *v;             // nq, nv: which coordinates of the tree
  double *A, *B, *C, *D;  // row by row: nx x nx, nx x nu, ny x nx, ny x nu
  double *x0, *f, *u0,
      *y0;              // the state (rotation vectors count from it: 0), its rate, inputs, outputs
  double acceleration;  // largest at the state: not 0 where it is no equilibrium [rad/s^2 or m/s^2]
  // poles and, where there are as many inputs as outputs, transmission zeros; -1: not asked for
  double *pole_re, *pole_im, *zero_re, *zero_im;  // nx each
  int zeros;
  void* block;
} SarLinear;

// Can the column be differentiated? Energies, powers, reactions and contact forces are not.
bool sar_linear_knows(const SarModel* m, int column);
// About the present state of s->d, which satisfies the constraints and stays as it is. Columns by
// number, each known. SAR_NOT_OFFERED: a force without derivatives. SAR_SINGULAR: a singular
// position. Free with sar_linear_free.
SarStatus sar_linearise(SarSim* s, const SarLinearInput* input, int nu, const int* column, int ny,
                        SarLinear* out, SarError* err);
void sar_linear_free(SarLinear* l);
