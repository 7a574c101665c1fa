// Loop-closing (cut) joints, the chords of the spanning tree, as joints: their coordinates,
// velocities, forces and accelerations.
//
// Cut k is joint nbody + k of the model. Its coordinates are no unknowns, they follow from the
// poses of its two bodies; they stand behind those of the tree in q, v, a and tau (joint_qadr,
// joint_vadr), always in the direction of the file, so that springs, motors, measures and columns
// need not know whether a joint is cut. The old q is the memory of the turn an angle is in.
#pragma once
#include "model/data.h"

// World poses -> q, cut_X_PB and dof_S of the cuts.
void sar_update_cut_positions(const SarModel* m, SarData* d);
// The same, and v. Needs kinematics and world poses.
void sar_update_cut_joints(const SarModel* m, SarData* d);
// The same of those that forces and measures need, for evaluations within a step.
void sar_update_acting_cuts(const SarModel* m, SarData* d);
// The velocities (nv of the joint) that a cut has where its parent and its child move by V_P and
// V_C, each of B in B (ground: still).
void sar_cut_rates(const SarModel* m, const SarData* d, int cut, Motion V_P, Motion V_C,
                   double* rates);
// a of the cuts, from body_A. Needs the above and sar_update_accelerations.
void sar_update_cut_accelerations(const SarModel* m, SarData* d);

// What the force tau (nv of the joint) on a cut's coordinates does to its parent F[0] and child
// F[1], each in B of the body (ground: in ground). Dual to the velocities:
//   tau . v = F[0] . V_parent + F[1] . V_child
// so a unit tau gives the row of the Jacobian of one coordinate. Needs sar_update_cut_positions.
void sar_cut_wrench(const SarModel* m, const SarData* d, int cut, const double* tau, Force F[2]);
// tau of the cuts -> body_F (added). On joints that are switched off nothing acts: their tau is
// cleared.
void sar_add_cut_forces(const SarModel* m, SarData* d);
// Does anything act on the coordinates of cuts or ask for them at every evaluation?
bool sar_cuts_act(const SarModel* m, const SarData* d);
