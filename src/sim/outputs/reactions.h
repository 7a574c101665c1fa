// Reactions of joints as columns have them (elements.c).
#pragma once
#include "model/output_kind.h"
#include "model/sim.h"

// What the joint exerts on its child at the joint point, ground axes.
Force sar_output_reaction_of(const SarSim* s, int joint);
bool sar_output_reaction_is_undecided(const SarSim* s, const SarChannel* c);
