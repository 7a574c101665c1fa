// Floquet multipliers of a periodic motion: eigenvalues of the monodromy matrix, which takes small deviations from the motion
// over one period.
//
// Columns by central differences of whole runs, in all coordinates of the tree, speeds and states: deviations that constraints
// do not allow are brought back onto them where a run begins, so they have multipliers of zero, beside those of the motion.
#pragma once
#include "model/sim.h"

typedef struct SarFloquet {
  double period;
  int count;        // 2 nv + nz
  double *re, *im;  // falling in size
  double
      off;  // how far the motion is from repeating itself: the largest change over the period, of speeds and states
  double* room;  // what all of it is in
} SarFloquet;

// About the motion that begins at the state of d. `o` Nullable; fixed steps are made to divide the period.
SarStatus sar_floquet(const SarData* d, double period, const SarSimOptions* o, SarFloquet* out,
                      SarError* err);
void sar_floquet_clear(SarFloquet* f);  // NULL is fine
