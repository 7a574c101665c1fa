// Inverse dynamics by recursive Newton-Euler (RNEA): O(n), one pass outwards and one inwards.
//
// Source: Featherstone 2008, table 5.1, in body frames.
//
//   A = X A_P + c + S a           c = V x S v + cJ
//   F = I A + V x* I V - F_applied, then F_P += X* F, from the tips
//   tau = S'F + armature a
#include "dynamics/tree.h"

#include "dynamics/bias.h"
#include "dynamics/contact_forces.h"
#include "dynamics/reactions.h"
#include "dynamics/rotors.h"
#include "linalg/lanes.h"

// Out of line: the loop over joints of one axis is as it would be without.
__attribute__((noinline)) static LaneMotion add_general(const SarModel* m, const SarData* d, int b,
                                                        const double* a, LaneMotion A) {
  A = lane_motion_add(A, bias_general(m, d, b));
  const int i0 = m->joint_vadr[b];
  if (a && m->joint_class[b] == SAR_CLASS_NODE)
    return lane_motion_add(A, lane_motion_of(sar_node_motion(d, sar_own_node(m, b), a)));
  for (int i = i0; a && i < i0 + m->joint_nv[b]; i++) {
    A = lane_motion_axpy(a[i], lane_motion(&d->dof_S[i]), A);
  }
  return A;
}

// c + S a of the joint of body b added to A; a Nullable
LANES_INLINE LaneMotion add_joint(const SarModel* m, const SarData* d, int b, LaneMotion V,
                                  const double* a, LaneMotion A) {
  const int i = m->joint_vadr[b];
  const L4 z = l4(0, 0, 1);
  switch (m->joint_class[b]) {
    case SAR_CLASS_REVOLUTE:
      A = lane_motion_add(A, bias_revolute(V, d->v[i]));
      if (a) A.w = l4_axpy(a[i], z, A.w);
      return A;
    case SAR_CLASS_PRISMATIC:
      A = lane_motion_add(A, bias_prismatic(V, d->v[i]));
      if (a) A.v = l4_axpy(a[i], z, A.v);
      return A;
    default: return add_general(m, d, b, a, A);
  }
}

// I A:  n = I w + h x v,  f = m v - h x w
LANES_INLINE LaneForce inertia_force(const Inertia* I, LaneMotion A) {
  const L4 h = l4_load(&I->h.x);
  return (LaneForce){l4_add_cross(l4x3_mul(inertia_rows(I), A.w), h, A.v),
                     l4_sub_cross(l4_scale(I->m, A.v), h, A.w)};
}

// A and F of every body; a Nullable
LANES_INLINE void outwards(const SarModel* m, SarData* d, const double* a, const bool with_forces) {
  const LaneMotion A_G = {l4_zero(), l4_of(v3_neg(m->gravity))};
  LaneMotion A = A_G;  // of body b - 1: the parent, more often than not
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b];
    const Xform* X = &d->body_X_PB[b];
    const Inertia* I = &m->body_inertia[b];
    const LaneMotion V = lane_motion(&d->body_V[b]);
    if (p < 0)
      A = A_G;
    else if (p != b - 1)
      A = lane_motion(&d->body_A[p]);
    A = lane_x_motion_inv(l4x3_load_rows(&X->R), l4_load(&X->p.x), A);
    A = add_joint(m, d, b, V, a, A);
    lane_motion_store(&d->body_A[b], A);
    LaneForce F = add_bias_force(inertia_force(I, A), I, V);
    if (with_forces) {
      const LaneForce applied = lane_force(&d->body_F[b]);
      F = (LaneForce){l4_sub(F.n, applied.n), l4_sub(F.f, applied.f)};
    }
    lane_force_put(&d->body_force[b], F);
  }
}

// body_force becomes the force that the joint of each body carries
LANES_INLINE void inwards(const SarModel* m, SarData* d) {
  LaneForce* F = d->body_force;
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b];
    if (p < 0) continue;
    const L4 p_PB = l4_load(&d->body_X_PB[b].p.x);
    const LaneForce F_P =
        lane_x_force(l4x3_load(&d->body_columns[b]), p_PB, lane_force_load(&F[b]));
    lane_force_put(&F[p], lane_force_add(lane_force_load(&F[p]), F_P));
  }
}

// Inline: a call in each evaluation costs as much as a tenth of a body.
LANES_INLINE void body_forces(const SarModel* m, SarData* d, const double* a) {
  if (has_body_forces(m))
    outwards(m, d, a, true);
  else
    outwards(m, d, a, false);
  if (m->nrotor > 0) sar_add_rotor_couples(m, d, a, d->body_force);
}

// What nodes carry acts on the modes too: tau_i += S_i . F over all nodes.
static void add_node_torques(const SarModel* m, const SarData* d, double* tau) {
  for (int k = 0; k < m->nnode; k++) {
    const SarModalNode* n = &m->node[k];
    const LaneForce F = lane_force_load(&d->body_force[n->body]);
    for (int i = 0; i < n->num; i++)
      tau[n->dof + i] += lane_power(lane_motion(&d->node_S[n->mode + i]), F);
  }
}

LANES_INLINE void rnea(const SarModel* m, SarData* d, const double* a, double* tau_out) {
  body_forces(m, d, a);
  inwards(m, d);
  for (int b = 0; b < m->nbody; b++) {
    const int i0 = m->joint_vadr[b];
    const LaneForce F = lane_force_load(&d->body_force[b]);
    switch (m->joint_class[b]) {
      case SAR_CLASS_REVOLUTE: tau_out[i0] = l4_z(F.n); break;
      case SAR_CLASS_PRISMATIC: tau_out[i0] = l4_z(F.f); break;
      default:
        for (int i = i0; i < i0 + m->joint_nv[b]; i++)
          tau_out[i] = lane_power(lane_motion(&d->dof_S[i]), F);
    }
  }
  if (m->nnode > 0) add_node_torques(m, d, tau_out);
  for (int i = 0; a && i < m->nv; i++) tau_out[i] += m->dof_armature[i] * a[i];
  if (m->nrotor > 0) sar_add_rotor_torques(m, d, a, tau_out);
}

SAR_WIDE static void rnea_wide(const SarModel* m, SarData* d, const double* a, double* tau_out) {
  rnea(m, d, a, tau_out);
}

void sar_rnea(const SarModel* m, SarData* d, const double* a, double* tau_out) {
  if (sar_has_wide())
    rnea_wide(m, d, a, tau_out);
  else
    rnea(m, d, a, tau_out);
}

// what constraints and, if a is that of a step, impulses exert on the bodies is applied too
static void take_off_constraints(const SarModel* m, SarData* d) {
  Force* F = d->body_joint_F;
  for (int b = 0; b < m->nbody; b++) F[b] = force_zero();
  if (m->nrow > 0) sar_add_constraint_forces(m, d, F);
  if (d->a_of_step) {
    sar_add_contact_forces(m, d, F);
    sar_add_cut_law_forces(m, d, F);
  }
  for (int b = 0; b < m->nbody; b++) {
    const LaneForce all = lane_force_load(&d->body_force[b]), applied = lane_force(&F[b]);
    lane_force_put(&d->body_force[b],
                   (LaneForce){l4_sub(all.n, applied.n), l4_sub(all.f, applied.f)});
  }
}

void sar_update_accelerations(const SarModel* m, SarData* d) {
  body_forces(m, d, d->a);
  if (m->nrow > 0 || d->a_of_step) take_off_constraints(m, d);
  inwards(m, d);
  for (int b = 0; b < m->nbody; b++) {
    d->body_joint_F[b].n = l4_v3(d->body_force[b].n);
    d->body_joint_F[b].f = l4_v3(d->body_force[b].f);
  }
}
