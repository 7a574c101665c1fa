// Derivatives of inverse dynamics of trees with modal bodies: one direction after the other,
// O(n^2).
//
// The analytical recursion (tree_derivatives.c) rests on a coordinate moving all bodies beyond it
// as one; a mode moves every node in its own way. So each direction is taken outwards by the first
// variation and inwards as forces:
//
//   F_b' = I A' + V' x* I V + V x* I V',     F_P' += X* (F_b' + (S dq) x* F_b)
//   tau_i' = S_i . F_b' + S_i' . F_b         for modes summed over the nodes
#include "dynamics/node_derivatives.h"

#include "dynamics/nodes.h"

#include <string.h>

// Change of the inertia force of body b.
static Force own_force(const SarModel* m, const SarData* d, const SarVariation* x, int b) {
  const Inertia I = m->body_inertia[b];
  const Motion V = d->body_V[b], dV = x->body_V[b];
  Force F = inertia_mul(I, x->body_A[b]);
  F = force_add(F, crossf(dV, inertia_mul(I, V)));
  return force_add(F, crossf(V, inertia_mul(I, dV)));
}

static Force carried_force(const SarData* d, int b) {
  return (Force){l4_v3(d->body_force[b].n), l4_v3(d->body_force[b].f)};
}

static Motion moved_by(const SarModel* m, const SarData* d, const SarVariation* x, int b) {
  if (m->joint_class[b] == SAR_CLASS_NODE) return sar_node_motion(d, sar_own_node(m, b), x->dq);
  Motion sum = motion_zero();
  for (int k = 0; k < m->joint_nv[b]; k++)
    sum = motion_add(sum, motion_scale(x->dq[m->joint_vadr[b] + k], sar_joint_axis(m, d, b, k)));
  return sum;
}

static void joint_torques(const SarModel* m, const SarData* d, const SarVariation* x, int b,
                          Force dF, double* tau) {
  const Force F = carried_force(d, b);
  if (m->joint_class[b] == SAR_CLASS_NODE) {
    const SarModalNode* n = sar_own_node(m, b);
    for (int i = 0; i < n->num; i++)
      tau[n->dof + i] += power_of(d->node_S[n->mode + i], dF) +
                         power_of(sar_node_axis_change(m, d, n, x->dq, i), F);
    return;
  }
  Motion dS[SAR_JOINT_MAX_NV];
  sar_vary_axes(m, d, b, &x->dq[m->joint_vadr[b]], dS);
  for (int k = 0; k < m->joint_nv[b]; k++)
    tau[m->joint_vadr[b] + k] += power_of(sar_joint_axis(m, d, b, k), dF) + power_of(dS[k], F);
}

// tau' along x->dq, x->dv; F: room for a force of each body
static void vary_torques(const SarModel* m, const SarData* d, SarVariation* x, Force* F,
                         double* tau) {
  sar_vary_bodies(m, d, x, true);
  memset(tau, 0, (size_t)m->nv * sizeof *tau);
  for (int b = 0; b < m->nbody; b++) F[b] = own_force(m, d, x, b);
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b];
    joint_torques(m, d, x, b, F[b], tau);
    const Force turned = force_add(F[b], crossf(moved_by(m, d, x, b), carried_force(d, b)));
    if (p >= 0) F[p] = force_add(F[p], x_force(d->body_X_PB[b], turned));
  }
}

void sar_node_derivatives(const SarModel* m, const SarData* d, SarVariation* x, Force* F,
                          double* column, double* Tq, double* Tv) {
  const size_t nv = (size_t)m->nv;
  sar_variation_clear(m, x);
  for (int speed = 0; speed < 2; speed++)
    for (size_t j = 0; j < nv; j++) {
      double *direction = speed ? x->dv : x->dq, *T = speed ? Tv : Tq;
      direction[j] = 1;
      vary_torques(m, d, x, F, column);
      direction[j] = 0;
      for (size_t i = 0; i < nv; i++) T[i * nv + j] = column[i];
    }
}
