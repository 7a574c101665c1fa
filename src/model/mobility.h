// Degrees of freedom of a model with loops.
#pragma once
#include "model/model.h"

typedef struct SarMobility {
  int freedoms;     // of the mechanism at the design position
  int constraints;  // equations of all cuts and couplings
  int redundant;    // of them: follow from the others
} SarMobility;

// Rank of the loop closure equations at the design position. False: no memory, too many loops to
// count, or constraints of the file, which are counted where a run begins (then out has freedoms -1).
bool sar_mobility(const SarModel* m, SarMobility* out);
