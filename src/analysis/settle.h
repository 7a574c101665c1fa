// Settling: where a mechanism comes to rest on its contacts (dynamic relaxation with kinetic
// damping).
#pragma once
#include "model/sim.h"

typedef struct SarSettled {
  int steps;
  double speed;  // largest that is left [rad/s, or sizes of the mechanism a second]
  double force;  // largest generalised force that is left [N m or N]
} SarSettled;

// Moves d of `s`, a simulation by impulses, to where it rests, at the present time. v becomes zero;
// contacts and accelerations are those of the last step. SAR_NOT_CONVERGED with a message where it
// does not come to rest.
SarStatus sar_settle(SarSim* s, int max_steps, SarSettled* out, SarError* err);
