// Tree dynamics: kinematics, forces, and the algorithms on them. All work on d in place and allocate nothing.
//
// Order of a full evaluation:  sar_update_kinematics -> sar_update_forces -> sar_aba (or crba + solve)
//                              -> sar_update_accelerations (only when reactions or accelerations are asked for)
#pragma once
#include "model/data.h"

// q, v -> body_X_PB, dof_S, body_V, body_cJ.
void sar_update_kinematics(const SarModel* m, SarData* d);
// body_X_PB -> body_X_GB.
void sar_update_world(const SarModel* m, SarData* d);
// t, q, v -> slot, body_F, tau, force_power, force_output, work_rate; needs kinematics; does the world poses if
// the model needs them.
void sar_update_forces(const SarModel* m, SarData* d);
// Energy of the joint's own spring; sar_potential_energy adds it for every joint with joint_passive.
double sar_joint_spring_energy(const SarModel* m, const SarData* d, int joint);

// Articulated bodies (Featherstone 2008, table 7.1): tau, body_F -> a. SAR_SINGULAR when a joint carries no inertia.
SarStatus sar_aba(const SarModel* m, SarData* d);
// Recursive Newton-Euler: tau_out = M a + bias - (generalised) body_F. Needs kinematics (and body_F).
void sar_rnea(const SarModel* m, SarData* d, const double* a, double* tau_out);

// Composite rigid bodies: the mass matrix in sparse rows: entries of coordinate i with its ancestors, see mass.h.
void sar_crba(const SarModel* m, SarData* d);

// a -> body_A, body_joint_F (reactions).
void sar_update_accelerations(const SarModel* m, SarData* d);

// Energies of the present state; needs kinematics, world poses and forces up to date.
double sar_kinetic_energy(const SarModel* m, const SarData* d);
double sar_potential_energy(const SarModel* m, const SarData* d);
