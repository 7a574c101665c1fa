// The Jacobian of a body point: J v = [w; velocity of the point], ground axes.
//
// Column of an axis S of joint b:  [R_GB S.w;  R_GB (S.v + S.w x r)],  r from B to the point, in B.
// r is carried from body to parent, so that no digits are lost far from the ground's origin.
#include "dynamics/tree.h"

#include <string.h>

static Motion axis_of(const SarModel* m, const SarData* d, int b, int i) {
  switch (m->joint_class[b]) {
    case SAR_CLASS_REVOLUTE: return (Motion){{0, 0, 1}, {0, 0, 0}};
    case SAR_CLASS_PRISMATIC: return (Motion){{0, 0, 0}, {0, 0, 1}};
    default: return d->dof_S[i];
  }
}

// Column of the axis S in axes R, at r from the origin; added, since modes have one by each node on
// the way.
static void add_column(M3 R, Motion S, V3 r, size_t nv, double* column) {
  const V3 w = m3_mul_v(R, S.w), v = m3_mul_v(R, v3_add(S.v, v3_cross(S.w, r)));
  column[0] += w.x, column[nv] += w.y, column[2 * nv] += w.z;
  column[3 * nv] += v.x, column[4 * nv] += v.y, column[5 * nv] += v.z;
}

void sar_point_jacobian(const SarModel* m, const SarData* d, int body, V3 point, double* J) {
  const size_t nv = (size_t)m->nv;
  memset(J, 0, 6 * nv * sizeof *J);
  V3 r = point;
  for (int b = body; b >= 0; b = m->body_parent[b]) {
    const M3 R = d->body_X_GB[b].R;
    for (int i = m->joint_vadr[b]; i < m->joint_vadr[b] + m->joint_nv[b]; i++)
      add_column(R, axis_of(m, d, b, i), r, nv, J + i);
    const SarModalNode* n = m->joint_class[b] == SAR_CLASS_NODE ? sar_own_node(m, b) : NULL;
    for (int i = 0; n && i < n->num; i++)
      add_column(R, d->node_S[n->mode + i], r, nv, J + n->dof + i);
    r = x_point(d->body_X_PB[b], r);
  }
}
