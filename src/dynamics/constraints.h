// Evaluating constraint rows (model/constraint.h) on the tree.
#pragma once
#include "model/data.h"

// q, t -> Phi, and the Jacobian in sparse rows: row i acts on the coordinates row_dof[row_adr[i] .. row_adr[i + 1]), its entries
// are Psi at the same places. Needs positions and world poses, and the expressions of t (drives).
void sar_update_constraints(const SarModel* m, SarData* d);
// The same with velocities -> Phi_t, Phi_dot = Psi v + Phi_t, gamma. Needs kinematics.
void sar_update_constraint_rates(const SarModel* m, SarData* d);

// nrow x nv, row by row.
void sar_constraint_jacobian_dense(const SarModel* m, const SarData* d, double* Psi);
// f += sign Psi' x
void sar_constraint_add_transposed(const SarModel* m, const SarData* d, double sign, const double* x, double* f);
// y = Psi x
void sar_constraint_multiply(const SarModel* m, const SarData* d, const double* x, double* y);
