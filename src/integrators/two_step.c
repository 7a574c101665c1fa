// Two-step methods with adjustable dissipation (model/rule.h): numbers for formulations in momentum
// form.
#include "model/sim.h"

static SarRule rule(const SarSimOptions* o) { return (SarRule){o->spectral_radius, false}; }

const SarIntegrator sar_integrator_two_step = {
    .name = "two-step",
    .doc =
        "A-stable two-step methods for 'redundant': spectral radius 0 is BDF2, 1 the trapezoidal "
        "rule",
    .ref = "Masarati, Lanz and Mantegazza 2001",
    .order = 2,
    .serves = SAR_FOR_MULTISTEP,
    .usual = SAR_FOR_MULTISTEP,
    .can_fix = true,
    .can_adapt = true,
    .implicit = true,
    .multistep = {rule, 0.6, 0},
};
