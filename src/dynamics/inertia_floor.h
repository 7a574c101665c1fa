// The inertia that constraints (penalties) are weighed against, where bodies have little or none of
// their own and M is nearly singular.
#pragma once
#include "model/model.h"

// inertia: nv, the diagonal of M. Entries that are small beside the largest of their kind, angles
// or lengths, are raised.
void sar_inertia_floor(const SarModel* m, double* inertia);
