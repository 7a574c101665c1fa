// Modal bodies among the free bodies of `redundant`. A modal body is its frame, free to move, and
// behind that its modes and nodes (model/modal.h): one group of coordinates, whose inertia depends
// on all of them.
//
// The rule is applied to its velocities in place of momenta,
//
//   v = v_known + gain a,     r = Q - (M a + h) - Psi' lambda
//
// with M and the bias h from the tree's own recursions, summed over the nodes. (Momenta of modes
// change by dT/deta besides the forces, which would be one more sum.) Both are of the same order;
// what is lost is that momentum stays as it is to rounding where nothing acts: here it does to the
// order of the rule.
#pragma once
#include "formulations/redundant/momenta.h"

// Has the tree of body b, which is one of ground, more coordinates than its own?
static inline bool sar_is_modal_root(const SarModel* m, int b) {
  return m->body_parent[b] < 0 && m->body_subtree[b] > 1;
}
// First coordinate behind the group of a root.
static inline int sar_group_end(const SarModel* m, int root) {
  const int after = root + m->body_subtree[root];
  return after < m->nbody ? m->joint_vadr[after] : m->nv;
}

// Is body b of a modal body? Then what momenta.c knows of a rigid one is none.
void sar_own_modal(const SarModel* m, int b, SarOwnBody* o);
// r = Q - (M a + h) of their coordinates, after sar_update_forces.
void sar_modal_residual(const SarMomenta* p, const SarSim* s, double* r);
// M of one group after the other, full, by rows. mass: sar_mass_entries.
void sar_modal_masses(const SarModel* m, SarData* d, double* mass, double* a);
// inertia (nv) += diagonals of these.
void sar_modal_add_diagonal(const SarModel* m, const double* a, double* inertia);
