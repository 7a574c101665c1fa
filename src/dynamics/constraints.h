// Evaluating bilateral constraints (model/constraint.h) on the tree: Phi(q, t) = 0,
// Psi v + Phi_t = 0, Psi a = gamma. Nothing is allocated.
//
// Order within a full evaluation: sar_update_kinematics -> sar_update_world (sar_update_forces does
// it when there are constraints) -> sar_update_constraints -> sar_update_constraint_rates.
//
// Rows may be switched off (model/gate.h). All arrays have room for all m->nrow rows and a row
// keeps its place; the rows that count now are d->active_row[0 .. d->nactive). A row that is off is
// not evaluated, and its Phi, Psi, Phi_t, Phi_dot, gamma and lambda are zero: products with Psi
// need no care, what factors or counts rows must go by the list (or by s->row_order, whose first
// s->freedom.rows are the same rows, independent ones first). The list changes between steps only;
// then SarFormulation.regroup is called.
#pragma once
#include "dynamics/tree.h"

// t, q -> Phi and the Jacobian in sparse rows: row i acts on the coordinates
// row_dof[row_adr[i] .. row_adr[i + 1]), its entries are Psi at the same places. Drives are
// evaluated here too. Needs positions and world poses.
void sar_update_constraints(const SarModel* m, SarData* d);
// Values of the drives, f, f' and f''. Those that follow states may measure positions (f') and
// velocities (f''): the two functions below evaluate them again, where these are up to date.
void sar_update_drives(const SarModel* m, SarData* d);
// v -> Phi_t, Phi_dot = Psi v + Phi_t. Needs sar_update_constraints.
void sar_update_constraint_speeds(const SarModel* m, SarData* d);
// v -> Phi_t, Phi_dot = Psi v + Phi_t, gamma = Psi a - Phi''. Needs sar_update_constraints and
// kinematics.
void sar_update_constraint_rates(const SarModel* m, SarData* d);

// Psi in full: nrow x nv, row by row.
void sar_constraint_jacobian_dense(const SarModel* m, const SarData* d, double* Psi);
// f += sign Psi' x
void sar_constraint_add_transposed(const SarModel* m, const SarData* d, double sign,
                                   const double* x, double* f);
// y = Psi x
void sar_constraint_multiply(const SarModel* m, const SarData* d, const double* x, double* y);

// lambda -> work_rate of the accounts of prescribed motions: lambda . Phi_t.
void sar_update_constraint_work(const SarModel* m, SarData* d);
