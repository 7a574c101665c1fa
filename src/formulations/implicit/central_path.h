// Forces within bounds that hold what they can: a monotone linear complementarity problem, solved
// by a primal-dual interior-point method.
//
//   low <= f <= high,   v = z_low - z_high,   z_low (f - low) = 0,   z_high (high - f) = 0,  z >= 0
//
// f is friction of a coordinate, v its speed (or acceleration, from rest), which the caller's
// equations of motion give for a law of the form f = f* - g v. Between the bounds the coordinate
// rests, at the lower one it moves forwards, at the upper one backwards. With mu > 0 in place of
// the zeros there is one solution for each mu, the central path, and f is a smooth function of v.
// Newton's method on all of it, linear in (f, z), leaves for each coordinate alone
//
//   g = 1 / (z_low / (f - low) + z_high / (high - f)),
//     f* = f + g mu (1 / (f - low) - 1 / (high - f))
//
// so that a round is one solution of the equations of motion with these; then f and z go as far
// along the increments as they stay positive, and mu falls. The number of rounds hardly grows with
// the number of coordinates (12 to 20 in the mean for 5 to 100), where that of an active set may
// grow with two to its power.
//
// Source: Wright, Primal-Dual Interior-Point Methods (1997), ch. 5 and 8.
#pragma once
#include "base/block.h"

#include <stdbool.h>

typedef struct SarCentralPath {
  int count;              // coordinates on the way
  int* which;             // the caller's numbers
  double *low, *high;     // bounds
  double *below, *above;  // f - low and high - f: near a bound f alone would lose them in rounding
  double *z_low, *z_high;
  double* unit;           // of v: a usual speed
  double* most;           // of g
  double *target, *gain;  // f*, g
  double mu;              // aimed at
  double stride;          // share of the last increments that was taken
  int rounds;
} SarCentralPath;

// Takes its pieces of a block, for at most n coordinates.
void sar_central_path_layout(SarCentralPath* p, int n, SarBlock* b);
// One more coordinate, at v; f is brought between low and high, which are not equal.
void sar_central_path_add(SarCentralPath* p, int which, double v, double f, double low, double high,
                          double unit, double most);
// All are there: f* and g of the first round.
void sar_central_path_begin(SarCentralPath* p);
// v, as found with f* and g: those of the next round. True: every f is at a bound, or its v is
// zero, up to 1e-11; or there is no getting nearer.
bool sar_central_path_advance(SarCentralPath* p, const double* v);
// Where coordinate i has come to: 0 rests, 1 or -1: moves in this direction.
int sar_central_path_side(const SarCentralPath* p, int i);
double sar_central_path_force(const SarCentralPath* p, int i);
