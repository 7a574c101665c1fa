// Tree dynamics: kinematics, forces, and the recursive algorithms on them (ABA, RNEA, CRBA). All
// work on d in place and allocate nothing.
//
// Order of a full evaluation:
//   sar_update_kinematics -> sar_update_forces -> sar_aba (or sar_crba, mass.h)
//   -> sar_update_accelerations (only when reactions or accelerations are asked for)
#pragma once
#include "model/data.h"

// q -> body_X_PB, dof_S.
void sar_update_positions(const SarModel* m, SarData* d);
// q, v -> the same and body_V, body_cJ.
void sar_update_kinematics(const SarModel* m, SarData* d);
// v alone has changed since: body_V, body_cJ.
void sar_update_velocities(const SarModel* m, SarData* d);
// body_X_PB -> body_X_GB.
void sar_update_world(const SarModel* m, SarData* d);
// t, q, v -> slot, body_F, tau, force_power, force_output, work_rate; needs kinematics; does the
// world poses if the model needs them.
void sar_update_forces(const SarModel* m, SarData* d);
// v alone has changed since: the world poses hold.
void sar_update_forces_again(const SarModel* m, SarData* d);
// Energy of the joint's own spring; sar_potential_energy adds it for every joint with
// joint_passive.
double sar_joint_spring_energy(const SarModel* m, const SarData* d, int joint);

// Articulated bodies: tau, body_F -> a, body_A. SAR_SINGULAR when a joint carries no inertia,
// SAR_NOT_FINITE when NaN turned up. Needs kinematics.
SarStatus sar_aba(const SarModel* m, SarData* d);
// Recursive Newton-Euler: tau_out = M a + bias - generalised body_F, and body_A. a Nullable: zero.
// Needs kinematics and body_F. tau_out must not be a.
void sar_rnea(const SarModel* m, SarData* d, const double* a, double* tau_out);
// Composite rigid bodies: the mass matrix in sparse rows (mass.h). Needs positions.
void sar_crba(const SarModel* m, SarData* d, double* mass);
// The same as a full matrix, nv rows of nv.
void sar_crba_dense(const SarModel* m, SarData* d, double* M);

// a -> body_A, body_joint_F (reactions). Needs kinematics and body_F; where there are constraints,
// lambda, world poses and sar_update_constraints; if d->a_of_step, contacts, dof_impulse, world
// poses and cut positions.
void sar_update_accelerations(const SarModel* m, SarData* d);
// What a joint exerts on its child (in the direction of the file) at the joint point, ground axes.
// Needs sar_update_accelerations and world poses.
Force sar_joint_reaction(const SarModel* m, const SarData* d, int joint);

// Energies [J] of the present state: of motion, motors included; of gravity, springs and force
// elements. The first needs kinematics, the second world poses and sar_update_forces.
// All of it; opens the energy account if it is not open. Needs kinematics, world and forces.
SarEnergy sar_energy_account(const SarModel* m, SarData* d);
double sar_kinetic_energy(const SarModel* m, const SarData* d);
double sar_force_energy(const SarModel* m, const SarData* d, int force);  // 0: off, or no potential
double sar_potential_energy(const SarModel* m, const SarData* d);
// Momentum of all bodies: linear f, angular n about the ground origin, ground axes. Needs
// kinematics.
Force sar_total_momentum(const SarModel* m, SarData* d);

// The columns of the Jacobian of a point of a body (in B), ground axes: J[0..nv) angular x,
// J[nv..2nv) angular y, ... linear z. Needs positions and world poses.
void sar_point_jacobian(const SarModel* m, const SarData* d, int body, V3 point, double* J);
