// Modes of modal bodies in the articulated-body algorithm (aba_modes.c).
#pragma once
#include "model/data.h"

// Clears what nodes add to.
void sar_aba_begin_modes(const SarModel* m, SarData* d);
// U, D and u of a node with articulated inertia IA and pa = pA + IA c.
void sar_aba_add_node(const SarModel* m, SarData* d, int b, Articulated IA, LaneForce pa);
// D = L L',  W = U L^-T,  y = L^-1 u in place. False: singular.
bool sar_aba_factor_modes(const SarModel* m, SarData* d, const SarModal* g, double floor);
// Accelerations of the modes of a body whose frame has the acceleration A; b: its first mode, else
// nothing is done.
void sar_aba_solve_modes(const SarModel* m, SarData* d, int b, LaneMotion A);
