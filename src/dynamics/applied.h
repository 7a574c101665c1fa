// Applied generalised forces Q(t, q, v): the parts of sar_update_forces, in the order it calls
// them.
#pragma once
#include "model/data.h"

// t, inputs, states, measured quantities -> slot.
void sar_update_measures(const SarModel* m, SarData* d);
// Values of all expressions but laws, in the order of their needs.
void sar_update_expressions(const SarModel* m, SarData* d);
// Springs, dampers, friction and actuators of the joints -> tau (added).
void sar_add_joint_forces(const SarModel* m, SarData* d);
// K = -d tau/dx and C = -d tau/dv of these forces in the file's coordinates of one joint (dx = v
// dt), nv x nv each, symmetric, positive semidefinite.
void sar_joint_tangent(const SarModel* m, SarData* d, int joint, double* K, double* C);
// The part of C that holds joints that stick (dof_stick), which sar_joint_tangent leaves out.
void sar_stick_tangent(const SarModel* m, const SarData* d, int joint, double* C);
// Power of a joint's damper and friction, of its actuator [W].
double sar_joint_dissipation(const SarModel* m, const SarData* d, int joint);
double sar_joint_drive_power(const SarModel* m, const SarData* d, int joint);
