// What assembly (assemble.c) shares with closing the loops (close.c) and counting rows (rank.c).
#pragma once
#include "dynamics/projection.h"
#include "model/sim.h"

typedef struct Assembly {
  const SarModel* m;
  SarData* d;
  SarProjection p;      // for its units
  int given;            // coordinates of cuts whose values are given: equations of their own
  int* given_dof;       // given: which, from nv on
  double* residual;     // nrow + given
  double* given_row;    // given x nv: their Jacobian
  double* lag;          // given: how far off the values are wanted for now,
  double* start;        // and at the start of a path
  double* row_size;     // nrow: the caller's
  bool* held;           // nv: coordinates that stay
  double* q;            // nq: where an iteration started
  double *from, *kept;  // nq: of a path, of a trial
  double *x, *scale;    // nv
  double* G;            // nv x nv
  double* rows;         // nrow x nv
  double *tau, *work;   // of a decomposition: nrow, nv
  int *order, *pivot, *length;  // nrow
  void* block;
} Assembly;

// Closes positions as far as they go with a->held staying where they are; returns what is left: the
// largest residual, lengths over the size of the mechanism. The second: velocities.
double sar_close_positions(Assembly* a);
double sar_close_velocities(Assembly* a);
// Residuals of the present positions or velocities: the largest, as above.
double sar_open_positions(Assembly* a);
double sar_open_velocities(Assembly* a);

// Moves coordinates that are not held at random by up to `size`: rad, sizes of the mechanism.
void sar_disturb(Assembly* a, double size, unsigned* seed);
// Fills row_size; a->given is 0.
void sar_size_rows(Assembly* a);
// Independent rows at the present position, first in a->order; drives count last.
int sar_count_rows(Assembly* a);
