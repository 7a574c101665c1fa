// A simulation and the state of its data: who the method's block belongs to, and the way back from
// a step that fails.
#pragma once
#include "base/error.h"
#include "model/sim.h"

// The rest of the state where a step began, beside s->start.
typedef struct SarBefore {
  double *dof_impulse, *row_hold;
  double *discrete, *discrete_kept;
  int *gate_state, *row_order;
  Xform* cut_X_B;
  SarFreedom freedom;
  SarContact* contact;
  int ncontact;
  unsigned char* method;
} SarBefore;

// Once formulation and integrator have declared their fields: room for them in d, and for the way
// back. A block of the same method goes on, any other one gives way. SAR_NO_MEMORY with a message.
SarStatus sar_state_open(SarSim* s, SarError* err);
// Does the block of d belong to a method like this? Before its fields are known: by its names
// alone.
bool sar_state_is_of(const SarData* d, const SarFormulation* f, const SarIntegrator* i,
                     const SarSimOptions* o);
// Before anything is evaluated: if the state of d was replaced since this simulation worked on it
// last, scratch follows it. Costs one comparison otherwise.
void sar_state_adopt(SarSim* s);

// The state where a step begins; and back to it.
void sar_state_keep(SarSim* s);
void sar_state_restore(SarSim* s);
// Within a step: to where it began, for another attempt. What was switched before it stays so.
void sar_state_retry(SarSim* s);
