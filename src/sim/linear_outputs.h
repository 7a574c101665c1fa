// What the columns of a result change by along a direction.
#pragma once
#include "dynamics/derivatives.h"
#include "sim/linear.h"

// x.body_A with a' of the direction in it.
void sar_vary_accelerations(SarDerivatives* w, const SarData* d);
// Needs sar_derivatives_vary, _solve and the above. The column is one that sar_linear_knows.
double sar_vary_column(const SarDerivatives* w, const SarData* d, const SarChannel* c);
// Poles and transmission zeros of A, B, C, D.
SarStatus sar_linear_roots(const SarModel* m, SarLinear* l, SarError* err);
