// Implicit steps under error control, of formulations that make their steps themselves.
#pragma once
#include "model/sim.h"

// One step as it is told, implicit in the states of the model too.
SarStatus sar_step_with_states(SarSim* s);
// As long as error control finds good, not beyond s->stop: the contract of SarIntegrator.step.
SarStatus sar_step_controlled(SarSim* s);
