// The mass matrix by composite rigid bodies.
//
// Source: Featherstone 2008, table 6.2, in body frames.
//
//   IC = I + sum over children of X* IC X^-1        the subtree frozen to one rigid body (10 numbers)
//   F  = IC S_i;  M_ii = S_i'F + armature;  then F is carried inwards and M_ij = S_j'F for every
//   coordinate j on the way to ground
#include "dynamics/mass.h"

static inline void composite(const SarModel* m, SarData* d) {
  Inertia* IC = d->body_IC;
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b];
    // the last child sets, the others add: nothing need be cleared
    Inertia I = m->body_inertia[b];
    if (m->body_subtree[b] > 1) I = inertia_add(I, IC[b]);
    IC[b] = I;
    if (p < 0) continue;
    I = inertia_transform(d->body_X_PB[b], I);
    if (b + m->body_subtree[b] < p + m->body_subtree[p]) I = inertia_add(I, IC[p]);
    IC[p] = I;
  }
}

// IC S for the axis S of coordinate i, which may be one of several of joint b
static inline Force axis_force(const SarModel* m, const SarData* d, int b, int i) {
  const Inertia I = d->body_IC[b];
  switch (m->joint_class[b]) {
    case SAR_CLASS_REVOLUTE: return (Force){{I.I.xz, I.I.yz, I.I.zz}, {-I.h.y, I.h.x, 0}};
    case SAR_CLASS_PRISMATIC: return (Force){{I.h.y, -I.h.x, 0}, {0, 0, I.m}};
    default: return inertia_mul(I, d->dof_S[i]);
  }
}

// entries of the coordinates of joint b up to number `last`, nearest first; the next free place
static inline double* put_entries(const SarModel* m, const SarData* d, int b, int last, Force F,
                                  double* to) {
  switch (m->joint_class[b]) {
    case SAR_CLASS_FIXED: break;
    case SAR_CLASS_REVOLUTE: *to++ = F.n.z; break;
    case SAR_CLASS_PRISMATIC: *to++ = F.f.z; break;
    default:
      for (int j = last; j >= m->joint_vadr[b]; j--) *to++ = power_of(d->dof_S[j], F);
  }
  return to;
}

void sar_crba(const SarModel* m, SarData* d, double* mass) {
  composite(m, d);
  for (int i = 0; i < m->nv; i++) {
    int b = m->dof_body[i];
    Force F = axis_force(m, d, b, i);
    double* row = mass + d->mass_row[i];
    double* to = put_entries(m, d, b, i, F, row);
    row[0] += m->dof_armature[i];
    for (int p = m->body_parent[b]; p >= 0; b = p, p = m->body_parent[p]) {
      F = x_force(d->body_X_PB[b], F);
      to = put_entries(m, d, p, m->joint_vadr[p] + m->joint_nv[p] - 1, F, to);
    }
  }
}
