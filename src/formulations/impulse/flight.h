// Motion at constant velocities, between the moments at which impulses act: the two halves of
// Moreau's midpoint rule (drift).
#pragma once
#include "model/sim.h"

// Moves q by the velocities v + u for a time h, and brings v along: a free body alone keeps its
// momentum and its angular momentum about its mass centre, exactly, so its velocities turn with it;
// those of all others stay. u (pseudo-velocities) Nullable. Columns of cut joints are not touched.
void sar_drift(const SarSim* s, double h, const double* u, double* q, double* v);
// Accelerations of that motion (nv) at q, v: gyroscopic ones of free bodies alone, else zero.
void sar_drift_accelerations(const SarModel* m, const double* q, const double* v, double* a);
// A tree of one free body: its gyroscopic forces are in sar_drift.
bool sar_is_single_body(const SarModel* m, int body);
