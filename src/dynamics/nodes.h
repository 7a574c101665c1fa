// Nodes of modal bodies (model/modal.h): bodies that several coordinates, the modes, move at once.
#pragma once
#include "math/dual.h"
#include "model/data.h"

// q -> body_X_PB, node_S of node body b; moving: body_cJ too. Returns S v, in B.
Motion sar_update_node(const SarModel* m, SarData* d, int b, bool moving);

// sum S_i x_i over the modes, x by coordinates of the model
static inline Motion sar_node_motion(const SarData* d, const SarModalNode* n, const double* x) {
  Motion sum = motion_zero();
  for (int i = 0; i < n->num; i++)
    sum = motion_add(sum, motion_scale(x[n->dof + i], d->node_S[n->mode + i]));
  return sum;
}

// S v of the joint of body b of the tree, one of SAR_CLASS_GENERAL, MODE, NODE or FIXED
static inline Motion sar_joint_speed(const SarModel* m, const SarData* d, int b) {
  Motion Sv = motion_zero();
  if (m->joint_class[b] == SAR_CLASS_NODE) return sar_node_motion(d, sar_own_node(m, b), d->v);
  for (int i = m->joint_vadr[b]; i < m->joint_vadr[b] + m->joint_nv[b]; i++)
    Sv = motion_add(Sv, motion_scale(d->v[i], d->dof_S[i]));
  return Sv;
}

// How S_i changes when the modes change by xi (coordinates of the model).
Motion sar_node_axis_change(const SarModel* m, const SarData* d, const SarModalNode* n,
                            const double* xi, int i);
// Changes of S v and of cJ + S a, with dq, dv by coordinates of the model; the second: if asked
// for.
typedef struct SarNodeChange {
  Motion moved, faster, accelerated;
} SarNodeChange;
SarNodeChange sar_vary_node(const SarModel* m, const SarData* d, const SarModalNode* n,
                            const double* dq, const double* dv, bool accelerations);
