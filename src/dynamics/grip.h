// How firmly the constraints hold the mechanism, by the sparse factor of augmented.h.
#pragma once
#include "dynamics/augmented.h"

// The least grip g of any combination of the rows that are kept: 1 where rows at right angles in the metric of M
// have their usual length, 0 at a singular position. An estimate, from above; near 0 a good one. Needs the factor
// of sar_augmented_factor and Psi where that was made. usual: nrow, lengths of the rows.
double sar_augmented_least_grip(SarAugmented* p, const SarModel* m, const SarData* d,
                                const double* usual);
