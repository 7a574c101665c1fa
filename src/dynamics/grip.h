// How firmly the constraints hold the mechanism, by a sparse factor (factored.h).
#pragma once
#include "dynamics/factored.h"

// The least grip g of any combination of the rows that are kept: 1 where rows at right angles in
// the metric of M have their usual length, 0 at a singular position. An estimate, from above; near
// 0 a good one. Needs the factor and Psi where it was made. usual: nrow, lengths of the rows.
double sar_least_grip(const SarFactored* G, const SarData* d, const double* usual);
