// What a simulation says about a step that failed: s->trouble, the text of sar_sim_trouble.
#pragma once
#include "model/sim.h"

// Adds to the text.
void sar_step_say(SarSim* s, const char* format, ...) __attribute__((format(printf, 2, 3)));
// The whole text for a step that ended with `status`, before the state is put back.
void sar_step_explain(SarSim* s, SarStatus status);
