// Moreau's midpoint rule (time stepping for nonsmooth dynamics), under the name by which users
// choose it. The step itself is made by the formulations with impulses
// (formulations/impulse/impulse.c), which know what happens in the middle of it.
#include "model/sim.h"

const SarIntegrator sar_integrator_moreau = {
    .name = "moreau",
    .doc = "Moreau's midpoint rule, for formulations with impulses",
    .ref = "Moreau 1988",
    .order = 2,
    .can_fix = true,
    .can_adapt = true,
    .serves = SAR_FOR_IMPULSE,
    .usual = SAR_FOR_IMPULSE,
};
