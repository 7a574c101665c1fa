// Bodies as the window counts them: those of the file (holders), each with its own frame U. What
// the scene says in frames B of the tree is told in these.
#pragma once
#include "model/data.h"

// How many: bodies of the tree, and behind them those that are fixed to others or held by forces
// alone.
static inline int sar_view_bodies(const SarModel* m) { return m->nbody + m->nfixed; }
// The holder that stands for a body of the tree or a knot; -1: ground.
static inline int sar_view_holder(const SarModel* m, int body) {
  return body < m->nbody ? body : m->knot[body - m->nbody].holder;
}
// Frame U of a holder in ground axes, from the poses of sar_scene_poses.
static inline Xform sar_view_pose(const SarModel* m, const Xform* poses, int holder) {
  const int body = sar_holder_body(m, holder);
  const Xform X_BU = sar_holder_X_BU(m, holder);
  return body < 0 ? X_BU : x_mul(poses[body], X_BU);
}
// A frame in B of a holder's body, seen from its U.
static inline Xform sar_view_in_U(const SarModel* m, int holder, Xform X_BS) {
  return holder < 0 ? X_BS : x_mul(x_inv(sar_holder_X_BU(m, holder)), X_BS);
}
