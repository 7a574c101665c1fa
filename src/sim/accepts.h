// Capabilities of formulations against features of models: which can take which, and why not.
#pragma once
#include "sim/assemble.h"
#include "sim/setup.h"

// Does the model have what only formulations by impulses know: solids that touch, motors?
bool sar_has_contact(const SarModel* m);
// Name of the first constraint that is nonholonomic: it holds speeds, not positions. NULL: none.
const char* sar_rolling_name(const SarModel* m);
// Can the formulation take what the model has? Reports why not. loops Nullable: not looked at yet.
// err Nullable.
SarStatus sar_accepts(const SarModel* m, const SarFormulation* f, const SarLoops* loops,
                      SarError* err);
