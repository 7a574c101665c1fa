// First variation of kinematics, forces and constraints along a direction (directional derivatives,
// forward mode; model/variation.h says what is in it).
//
// All need the data evaluated where the derivative is taken: kinematics, world poses, forces and,
// for rows, cut positions, constraints, rates, body_A and lambda. None allocates.
#pragma once
#include "base/block.h"
#include "model/data.h"
#include "model/variation.h"

// Takes its pieces of a block.
void sar_variation_init(const SarModel* m, SarVariation* x, SarBlock* b);
// The direction that leads nowhere.
void sar_variation_clear(const SarModel* m, SarVariation* x);

// dq, dv -> body_X, body_V and, if asked for, body_A at given joint accelerations (d->a,
// d->body_A).
void sar_vary_bodies(const SarModel* m, const SarData* d, SarVariation* x, bool accelerations);
// -> q, v of the tree's joints and of cut joints.
void sar_vary_coordinates(const SarModel* m, const SarData* d, SarVariation* x);
// -> slot, z_rate, body_F, tau, force_output. The counterpart of sar_update_forces, and what rotors
// do (which needs body_A).
void sar_vary_forces(const SarModel* m, SarData* d, SarVariation* x);
// -> row, and body_F with the constraint forces at given lambda. Needs all of the above.
void sar_vary_rows(const SarModel* m, SarData* d, SarVariation* x);

// Change of S_i of joint `joint` (tree or cut), all i, in B, when it moves by xi; zeros where S is
// constant.
void sar_vary_axes(const SarModel* m, const SarData* d, int joint, const double* xi, Motion* dS);
// Springs, dampers, friction and actuators of the joints -> tau (added).
void sar_vary_joint_forces(const SarModel* m, const SarData* d, SarVariation* x);
// What a measured quantity changes by.
double sar_vary_measure(const SarModel* m, const SarData* d, const SarVariation* x,
                        const SarMeasure* s);
// Rates of the coordinates of a joint as stored, for local ones: quaternions follow rotation
// vectors.
void sar_stored_rates(const SarJointKind* kind, const double* q, const double* xi, double* rate);

static inline Motion sar_joint_axis(const SarModel* m, const SarData* d, int joint, int i) {
  if (joint >= m->nbody || m->joint_class[joint] == SAR_CLASS_GENERAL ||
      m->joint_class[joint] == SAR_CLASS_MODE)
    return d->dof_S[m->joint_vadr[joint] + i];
  const V3 z = v3(0, 0, 1);
  return m->joint_class[joint] == SAR_CLASS_REVOLUTE ? (Motion){z, v3_zero()}
                                                     : (Motion){v3_zero(), z};
}
