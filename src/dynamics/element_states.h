// States that force elements own: the inflow of a rotor, the wake of a strip. They stand in z like
// those of the user, without a slot for their rate (z_rate_slot < 0): the element sets z_rate where
// it is applied.
//
// A step that is implicit in the states (states.h) has z = z_from + z_gain rate(z) solved here
// before any force is applied, by Newton's method with the elements' own d rate / d z, all elements
// at once; t, q, v and the user's states stand still.
#pragma once
#include "model/data.h"

// The element that owns state i; -1: none.
int sar_state_element(const SarModel* m, int state);
// Solves for them where d->z_from says so, then has elements leave what others read of them; rates
// of elements that are off are zero.
void sar_update_element_states(const SarModel* m, SarData* d);
// x <- (1 - gain d rate / d z)^-1 x in their rows. False: the matrix is singular.
bool sar_element_states_filter(const SarModel* m, SarData* d, double gain, double* x);
// Where a run begins, as sar_start_states.
void sar_start_element_states(const SarModel* m, SarData* d, bool again);
// Zero in all entries that elements own.
void sar_clear_own_rates(const SarModel* m, double* z_rate);
// Where a step ended: elements keep what they want of it (SarForceKind.keep). moved: bodies were
// not evaluated there.
void sar_keep_elements(const SarModel* m, SarData* d, bool moved);
