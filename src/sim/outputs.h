// Columns of results, also others than those of the model.
#pragma once
#include "model/sim.h"

// Values of `count` columns at the present state; see sar_outputs.
SarStatus sar_outputs_of(SarSim* s, const SarChannel* channel, int count, double* values);
