// Inverse dynamics by recursive Newton-Euler: O(n), one pass outwards and one inwards.
//
// Source: Featherstone 2008, table 5.1, in body frames.
//
//   A = X A_P + S a + c           c = V x S v + cJ
//   F = I A + V x* I V - F_applied, then F_P += X* F, from the tips
//   tau = S'F + armature a
#include "dynamics/tree.h"

#include "dynamics/bias.h"

// S a of the joint of body b added to A
static inline Motion add_joint(const SarModel* m, const SarData* d, int b, const double* a,
                               Motion A) {
  const int i = m->joint_vadr[b];
  switch (m->joint_class[b]) {
    case SAR_CLASS_FIXED: break;
    case SAR_CLASS_REVOLUTE: A.w.z += a[i]; break;
    case SAR_CLASS_PRISMATIC: A.v.z += a[i]; break;
    default:
      for (int k = 0; k < m->joint_nv[b]; k++)
        A = motion_add(A, motion_scale(a[i + k], d->dof_S[i + k]));
  }
  return A;
}

// A and F of every body; a Nullable
static inline void outwards(const SarModel* m, SarData* d, const double* a, Force* F,
                            const bool with_forces) {
  const Motion A_G = {v3_zero(), v3_neg(m->gravity)};
  Motion* A = d->body_A;
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b];
    const Motion* A_P = p < 0 ? &A_G : &A[p];
    const Inertia I = m->body_inertia[b];
    Motion A_B = motion_add(x_motion_inv(d->body_X_PB[b], *A_P), bias_motion(m, d, b));
    if (a) A_B = add_joint(m, d, b, a, A_B);
    A[b] = A_B;
    Force F_B = force_add(inertia_mul(I, A_B), bias_force(I, d->body_V[b]));
    F[b] = with_forces ? force_sub(F_B, d->body_F[b]) : F_B;
  }
}

// F of each body becomes the force its joint carries
static inline void inwards(const SarModel* m, const SarData* d, Force* F) {
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b];
    if (p >= 0) F[p] = force_add(F[p], x_force(d->body_X_PB[b], F[b]));
  }
}

static void joint_forces(const SarModel* m, SarData* d, const double* a, Force* F) {
  if (has_body_forces(m))
    outwards(m, d, a, F, true);
  else
    outwards(m, d, a, F, false);
  inwards(m, d, F);
}

void sar_rnea(const SarModel* m, SarData* d, const double* a, double* tau_out) {
  Force* F = d->body_force;
  joint_forces(m, d, a, F);
  for (int b = 0; b < m->nbody; b++) {
    const int i = m->joint_vadr[b];
    switch (m->joint_class[b]) {
      case SAR_CLASS_FIXED: break;
      case SAR_CLASS_REVOLUTE: tau_out[i] = F[b].n.z + (a ? m->dof_armature[i] * a[i] : 0); break;
      case SAR_CLASS_PRISMATIC: tau_out[i] = F[b].f.z + (a ? m->dof_armature[i] * a[i] : 0); break;
      default:
        for (int k = i; k < i + m->joint_nv[b]; k++)
          tau_out[k] = power_of(d->dof_S[k], F[b]) + (a ? m->dof_armature[k] * a[k] : 0);
    }
  }
}

void sar_update_accelerations(const SarModel* m, SarData* d) {
  joint_forces(m, d, d->a, d->body_joint_F);
}
