// States of the user's own: z' = rate(t, q, v, z). Their values are put into the slots of
// expressions before these are evaluated, their rates are read from there (sar_update_forces does
// both).
//
// Steps that are implicit in the states ask for them by d->z_from: an implicit rule of any kind is
// linear in the rate at the end of the step,
//
//   z = z_from + z_gain rate(t, q, v, z)
//
// and is solved for z at every evaluation, with t, q and v as they stand there (static
// condensation): by Newton's method with (1 - z_gain d rate / d z), whose entries are programs of
// the compiler. So whoever iterates on positions and velocities sees forces that depend on these
// alone, and needs to know nothing of states.
#pragma once
#include "model/data.h"

// z_near of steps that follow small changes of states by slopes: what loads have of second order in
// a change of the inflow is less than its square, nothing beside a rule's error.
static const double SAR_STATES_NEAR = 1e-5;

// Slots of the states from d->z, of discrete-time ones from d->discrete.
void sar_put_states(const SarModel* m, SarData* d);
// Reads the rates once expressions are evaluated; solves for z first where z_from says so.
void sar_update_states(const SarModel* m, SarData* d);
// Where a step ends that was implicit in the states: z_from no longer holds. Was it solved?
// SAR_NOT_FINITE, SAR_NOT_CONVERGED: not by state *worst.
SarStatus sar_states_release(const SarModel* m, SarData* d, int* worst);
// x <- (1 - gain d rate / d z)^-1 x, where d is evaluated. False: the matrix is singular.
bool sar_states_filter(const SarModel* m, SarData* d, double gain, double* x);
// Where a run begins, d at its positions and velocities: z and z_start from the starts of the file;
// states that the host program has set stay as they are. again: those that were started before
// start once more.
void sar_start_states(const SarModel* m, SarData* d, bool again);
