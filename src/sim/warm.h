// The two halves of sar_warm_up, for who may be interrupted in the step but not while memory is
// taken.
#pragma once
#include "model/sim.h"

// A copy of the state, to be freed by sar_data_free; NULL where the model must not be stepped in
// vain, or is so large that it would gain nothing.
SarStatus sar_warm_copy(const SarSim* s, SarData** before);
// A step, and back to `before`. Takes no memory.
SarStatus sar_warm_step(SarSim* s, const SarData* before);
