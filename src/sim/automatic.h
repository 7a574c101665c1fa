// What `auto` takes, by what is in the model: smooth, stiff or nonsmooth (contact, friction,
// limits).
#pragma once
#include "sim/accepts.h"

// Why the model is for steps by impulses, in one line; NULL: it is not. Contact and motors must
// have them, limits, dry friction and stiff dampers of joints are better with them.
const char* sar_impulse_reason(const SarModel* m);
// A fixed step for them where nobody names one [s]: a millisecond, or what the springs of joints
// need.
double sar_impulse_step_for(const SarModel* m);
// The formulation for the model; *reason: why, static. free: nobody has named an integrator, a
// tolerance or error control, so that steps by impulses may be taken where they are merely better.
// If nothing runs the model, the one that comes nearest, which sar_accepts says more of.
const SarFormulation* sar_automatic(const SarModel* m, const SarLoops* loops, bool free,
                                    const char** reason);
