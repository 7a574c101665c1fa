// A modal body with few points of mass in place of many nodes.
#pragma once
#include "base/arena.h"
#include "model/modal.h"

// The nodes with keep[k], without mass, and behind them *lumps points of mass that move as all
// nodes together do: mass, first moment, inertia and all momenta of modes are the same, to every
// order in the coordinates. NULL: no memory.
SarModalShape* sar_modal_lumps(SarArena* arena, const SarModalShape* s, const bool* keep,
                               int* lumps);
