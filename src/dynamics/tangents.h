// Tangent stiffness and damping matrices of the applied forces for implicit steps: how they change
// with positions and velocities.
//
//   K = -dQ/dq,   C = -dQ/dv       in local coordinates of the tree (q = retract(q, dq))
//
// of every force element and every joint with a spring, damper, friction or controlled actuator, in
// blocks over the few coordinates that move it (model->tangent). Gravity, inertia and constraints
// are not in it. Blocks are symmetric and positive semidefinite; what is left out for that is said
// in SarBodyTangent and at each kind. Besides, in every block: how the present wrench, carried
// along by the element's first body, turns its own levers (W . dJ/dq). It is of the size of the
// constraint forces' part, which the tangent of the implicit step leaves out too, and has no sign.
//
// What is switched off (model/gate.h) has blocks of zeros.
// All need kinematics, world poses and sar_update_forces, and allocate nothing.
#pragma once
#include "model/data.h"

// The symmetric matrix gain_K K + gain_C C of block k over its coordinates tangent_dof[adr .. adr +
// num): lower triangle row by row, num (num + 1) / 2 entries.
void sar_tangent_block(const SarModel* m, SarData* d, int k, double gain_K, double gain_C,
                       double* block);

// gain times the part of C that holds a joint that sticks (dof_stick), which is not in the above:
// so it can be had without dampers. False: block k is of no such joint.
bool sar_stick_block(const SarModel* m, SarData* d, int k, double gain, double* block);
bool sar_joint_sticks(const SarModel* m, const SarData* d, int joint);

// The same between two bodies, for formulations that have other coordinates. False: the force does
// not depend on the motion, or is switched off. Joints: of the tree and cut ones; body[1] is the
// child in the direction in which the model holds the joint.
bool sar_force_body_tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out);
// A force between two joints of the tree (SAR_TANGENT_COUPLED): which, and its tangent. False:
// zero.
bool sar_force_coupled_tangent(const SarModel* m, SarData* d, int force, int joint[2],
                               SarCoupledTangent* out);
bool sar_joint_body_tangent(const SarModel* m, SarData* d, int joint, SarBodyTangent* out);
bool sar_joint_stick_tangent(const SarModel* m, SarData* d, int joint, SarBodyTangent* out);
