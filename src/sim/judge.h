// Acceptance of a step (finite values, constraint drift): what a step, and a row of the result,
// must not leave behind without a word.
#pragma once
#include "model/sim.h"

// The state where a step ended: q, v, a and work finite (SAR_NOT_FINITE; s->worst is the
// coordinate), every constraint that is on closed to within SAR_OPEN of the mechanism's size, or
// rad (SAR_NOT_CLOSED; s->worst is the row). Needs Phi of that state.
SarStatus sar_judge_state(SarSim* s);
#define SAR_OPEN 1e-3
// The row of Phi that is open most, in units of the mechanism's size; -1: there is none.
int sar_worst_row(const SarSim* s);
// The energy of steps near singular positions (judge_energy.c): fields of the state, before
// `sar_state_open`; where a step begins and where it has ended, d evaluated there. SAR_SINGULAR: it
// lost or gained what its order does not explain; s->worst is the coordinate whose speed changed
// most, s->lost the share of the kinetic energy.
void sar_judge_declare(SarSim* s);
SarStatus sar_judge_begin(SarSim* s);
SarStatus sar_judge_end(SarSim* s);
// Values of columns: SAR_NOT_FINITE, and s->trouble names the first that is not.
SarStatus sar_judge_row(SarSim* s, const SarChannel* channel, int count, const double* values);
