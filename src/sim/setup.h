// Setting up a simulation from parts that are already chosen: what sar_sim_new does after it has
// looked up the names. For tests with a formulation or an integrator of their own too.
#pragma once
#include "model/sim.h"

// `o` has every field filled in. The energy account of d is opened if it is not open yet.
SarStatus sar_sim_setup(const SarModel* m, SarData* d, const SarSimOptions* o,
                        const SarFormulation* formulation, const SarIntegrator* integrator,
                        SarSim** out, SarError* err);
