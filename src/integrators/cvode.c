// SUNDIALS CVODE: variable-order BDF, for stiff models. Only in builds that found the library.
#include "model/sim.h"

const SarIntegrator sar_integrator_cvode = {
    .name = "cvode",
    .doc = "SUNDIALS CVODE, variable-order BDF: not in this build (needs libsundials-dev)",
    .ref = "Hindmarsh et al. 2005",
    .order = 5,
    .adaptive_default = true,
    .can_adapt = true,
    .implicit = true,
};
