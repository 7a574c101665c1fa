// A spec as a part of another one.
#pragma once
#include "model/spec.h"

// Puts `prefix` before every name: of what is defined and of what is referred to, in expressions
// too. `ground` stays, its points do not. Outputs are left alone. False: memory ran out.
bool sar_spec_prefix(SarSpec* spec, SarArena* arena, const char* prefix);

// Adds the parameters, variables, inputs, bodies, points, joints and forces of `part`, whose memory
// must be `arena`. False: memory ran out.
bool sar_spec_append(SarSpec* to, SarArena* arena, const SarSpec* part);
