// Setting up a simulation from parts that are already chosen: what sar_sim_new does after it has
// looked up the names. For tests with a formulation or an integrator of their own too.
#pragma once
#include "model/sim.h"

// The options of a host program, with defaults where it knows fewer; `given` Nullable.
SarStatus sar_sim_options_take(const SarSimOptions* given, SarSimOptions* out, SarError* err);

// What is known about the constraints of a model in loops.
typedef struct SarLoops {
  SarFreedom freedom;
  const int* row_order;
  const double* row_size;
} SarLoops;

// `o` has every field filled in. `loops` Nullable: no projection, and no integrator that holds
// constraints itself (IDA) unless d was assembled before. The energy account of d is opened if it
// is not open yet.
SarStatus sar_sim_setup(const SarModel* m, SarData* d, const SarSimOptions* o,
                        const SarFormulation* formulation, const SarIntegrator* integrator,
                        const SarLoops* loops, SarSim** out, SarError* err);

// Evaluates where the first step begins, so that this step takes no longer than others: what it
// finds is part of the state, and holds until somebody sets time, state or inputs. Nothing happens
// within a run, and with formulations that make their steps themselves. SAR_OK; statuses of a step.
SarStatus sar_step_prepare(SarSim* s);

// One step, that of sar_step, but not beyond `limit`.
SarStatus sar_step_within(SarSim* s, double limit);
