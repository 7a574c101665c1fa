// A run that goes on where a parameter has another value: in another model with the same names.
#pragma once
#include "model/data.h"

// The state of a run goes on in one of a model that is like its own (sar_model_is_like): where it
// is, how it moves, what its states and inputs are, what is switched on. Work begins anew.
void sar_carry_over(SarData* to, const SarData* from);
// All that: data of the other model and a simulation on them. States begin where a simulation is
// first made, so there is a first one, and then the one that goes on. A failure leaves both NULL.
SarStatus sar_carry_on(const SarModel* m, const SarData* from, const SarSimOptions* o, SarData** d,
                       SarSim** s, SarError* err);
