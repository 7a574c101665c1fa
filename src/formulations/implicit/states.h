// States of the user's own in steps of the Newmark family: integrated as velocities are.
//
//   z1 = z0 + h ((1 - gamma) Z0 + gamma Z1),
//     (1 - alpha_m) Z1 + alpha_m Z0 = (1 - alpha_f) r1 + alpha_f r0
//
// with r the rate at the ends and Z its average, as a and A of SarScheme. The rule keeps the order
// of the scheme, and at infinitely stiff states its amplification is -alpha_f / (1 - alpha_f), the
// spectral radius asked for. It is linear in r1, so the evaluations of the step solve it
// (dynamics/states.h), and no formulation knows of it. Two-step rules (model/rule.h) are linear in
// r1 as they are:
//
//   z1 = (1 - past) z0 + past z_ + h (b0 r1 + b1 r0 + b2 r_),   z_, r_: where the step before began
//
// Source: Arnold and Bruls 2007; Jansen, Whiting and Hulbert, CMAME 190 (2000) for first order.
#pragma once
#include "model/sim.h"

// Declares the average, or what was before, as state of the method. In the setup of a simulation.
void sar_implicit_states_declare(SarSim* s);
// Around the step of a formulation of SAR_SHAPE_STEP, where the model has states. The second takes
// what the step said, and says what is to be made of it.
void sar_implicit_states_begin(SarSim* s);
SarStatus sar_implicit_states_end(SarSim* s, SarStatus of_step);
