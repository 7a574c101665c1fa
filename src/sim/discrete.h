// Discrete-time states at run time (model/discrete.h): what happens at their instants.
#pragma once
#include "model/sim.h"

// Where a run begins, d at its positions and velocities: starts, relays, and the instant t = 0 of
// those whose first one it is. A reset comes back to it.
void sar_discrete_begin(const SarModel* m, SarData* d);
// Where a step ends. *changed: some have other values, so that forces may jump. SAR_NOT_FINITE: one
// of them has no number, s->worst is nv + nz + its number.
SarStatus sar_discrete_update(SarSim* s, bool* changed);
