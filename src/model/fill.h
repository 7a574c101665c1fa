// How matrices of all coordinates are stored and eliminated: what the compiler counts
// (compile/fill.c) and dynamics/augmented.c builds on.
#pragma once
#include "model/model.h"

typedef struct SarEnvelopeSize {
  size_t entries;
  bool reversed;  // the reverse of the tree's order is the better one
  double cost;    // of a factorisation and its solutions, as sar_panels_cost
} SarEnvelopeSize;

// forces: the matrix has their tangents.
SarEnvelopeSize sar_envelope_size(const SarModel* m, bool forces);
// The factor by panels, if it is the cheaper one; npanel is 0 where it is not.
SarPanels sar_model_panels(const SarModel* m, bool forces);
