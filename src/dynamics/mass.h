// The joint-space mass matrix of a tree in sparse rows, and its factors M = L'D L.
//
// M_ij is nonzero only when one coordinate is an ancestor of the other. Row i holds M_ii and then
// the entries with its ancestors, nearest first: dof_parent[i], dof_parent of that, ..., at
// mass[mass_row[i]] onwards. From its second entry on, a row has the columns of its parent's row.
#pragma once
#include "dynamics/tree.h"

// First coordinate behind the subtree of one.
static inline int sar_dof_end(const SarModel* m, int dof) {
  const int b = m->dof_body[dof], after = b + m->body_subtree[b];
  return after < m->nbody ? m->joint_vadr[after] : m->nv;
}

// Entries in all: from the tree, for sizes; and from the data.
size_t sar_mass_entries(const SarModel* m);
static inline size_t sar_mass_size(const SarModel* m, const SarData* d) {
  return d->mass_row[m->nv];
}

// M = L' D L in place, without fill-in (Featherstone 2008, section 6.5): D in the first entry of
// each row, L after it, its unit diagonal implied. SAR_SINGULAR unless every D is positive.
SarStatus sar_mass_factor(const SarModel* m, SarData* d, double* mass);
// x <- M^-1 x from the factors.
void sar_mass_solve(const SarModel* m, const SarData* d, const double* factor, double* x);

// Accelerations by the mass matrix: a = M^-1 (tau - bias), the same as sar_aba. mass: room for
// sar_mass_size entries, left factored. Needs kinematics and forces.
SarStatus sar_crba_accel(const SarModel* m, SarData* d, double* mass);
