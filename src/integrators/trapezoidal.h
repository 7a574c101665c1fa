// What the implicit trapezoidal rule (trapezoidal.c) shares with its modified Newton iteration
// (trapezoidal_newton.c).
#pragma once
#include "integrators/stage.h"

typedef struct SarTrapezoidal {
  double h;                     // of the last attempt
  double *y0, *dy0, *y1, *dy1;  // its start and end, for the dense output
  double* LU;                   // factors of 1 - h/2 a_v - h^2/4 a_xi
  int* pivot;
  bool fresh;    // the Jacobian is of this step
  bool crosses;  // Newton failed at a kink that will be located: y1 is a guess beyond it
  // state: the Jacobian of the accelerations, rows of nv, is kept over many steps
  double *a_xi, *a_v;
  int* known;          // 1: there is one
  double* h_factored;  // the h in LU, 0 = none
  double* theta;       // rate of convergence of the last iteration
} SarTrapezoidal;

// LU of the Jacobian that is known, as it was.
void sar_trapezoidal_refactor(SarSim* s);
// Solves for (xi, v) at the end of a step of length h, into y1; d is evaluated there. room: 4 nv
// doubles. Iterations are added to the statistics.
SarStatus sar_trapezoidal_solve(SarSim* s, double h, double t_end, double* room);
