// What tells one compiled model from another.
#pragma once
#include "model/model.h"

#include <stdint.h>

// FNV-1a over all that determines the motion: bodies, joints, forces, constraints, contact,
// expressions and the names of bodies and joints. Columns, places in files and the `simulation`
// block do not count: a run may go on with others.
uint64_t sar_model_fingerprint(const SarModel* m);
