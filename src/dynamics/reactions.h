// Constraint reactions -Psi' lambda: what constraints and cut joints exert on bodies, from the
// Lagrange multipliers d->lambda.
#pragma once
#include "model/data.h"

// Forces of all constraints on all bodies, each in B of the body: added to F. Needs
// sar_update_constraints.
void sar_add_constraint_forces(const SarModel* m, const SarData* d, Force* F);
// Forces of limits, dry friction and motors with a largest force on coordinate `dof`, by impulses
// in the last step, in the direction of the file.
double sar_law_force(const SarData* d, int dof);
// Those of cut joints on the bodies, each in B of the body: added to F. Needs
// sar_update_cut_positions.
void sar_add_cut_law_forces(const SarModel* m, const SarData* d, Force* F);
// What cut joint `cut` exerts on its child at the joint point, ground axes: the forces of its
// constraints, its spring, damper and motor. Needs sar_update_constraints and sar_update_forces.
Force sar_cut_joint_reaction(const SarModel* m, const SarData* d, int cut);
