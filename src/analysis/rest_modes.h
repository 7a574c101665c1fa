// Modes with what touches: which contacts are closed at a state, and small motions that leave them
// so.
#pragma once
#include "sim/modes.h"

// About the state of d, which stays as it is. contacts: how many points are held. say: what is
// assumed about contacts and dry friction goes into err as warnings. blades: Nullable.
SarStatus sar_rest_modes_find(const SarData* d, bool say, const SarMultiblade* blades,
                              SarModeSet* out, int* contacts, SarError* err);
