// Where a step leads: positions from the displacement since its start (retraction onto the
// configuration manifold).
#pragma once
#include "model/sim.h"

// q = start.q (+) xi, of the tree: xi (nv) are local coordinates about the start of the step.
void sar_displace(const SarSim* s, const double* xi, double* q);
// Angles of cut joints are found in the turn nearest to what is expected of them: puts into q (of
// the cuts) where they would be a time h after the start at the speed they had there, however wild
// the attempts in between.
void sar_expect_cuts(const SarSim* s, double h, double* q);
