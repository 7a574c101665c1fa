// Derivatives of inverse dynamics where there are modal bodies (node_derivatives.c).
#pragma once
#include "dynamics/variation.h"

// d tau/dq and d tau/dv as sar_rnea_derivatives gives them; x: scratch, F: a force of each body,
// column: nv numbers. Needs what sar_rnea leaves, and d->a.
void sar_node_derivatives(const SarModel* m, const SarData* d, SarVariation* x, Force* F,
                          double* column, double* Tq, double* Tv);
