// Ideal rolling (nonholonomic, no slip): a disc with a sharp rim, or a ball, on a plane or a road
// (SarRoller).
#pragma once
#include "dynamics/constraints.h"

// Value of a term ROLL and its W; the gap's, which comes first, finds the point of contact.
double sar_roll_measure(const SarModel* m, SarData* d, const SarPair* p, const SarTerm* t, V3 w_B,
                        V3 gap, Force* W);
// What of its second rate is not W . (A, a_u).
double sar_roll_quadratic(const SarModel* m, const SarData* d, const SarTerm* t, Motion rate);
