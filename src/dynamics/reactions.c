// Constraint reactions from Lagrange multipliers: what constraints and cut joints exert on bodies
// (reactions.h).
//
// From M a + Psi' lambda = Q the forces of constraints are -Psi' lambda. Term k of row i with its
// force W at the point p_b of its pair (constraints.c) puts
//   -lambda_i coefficient W   on body b at p_b, and the opposite on body a at the same point.
// Coordinates of tree joints act through the joint and need nothing here: what a tree joint carries
// is found from the motion of its bodies.
#include "dynamics/reactions.h"

#include "dynamics/cut_joints.h"

// force of term k on body b at p_b, ground axes
static Force term_force(const SarModel* m, const SarData* d, int k) {
  const SarTerm* t = &m->term[k];
  const double s = -d->lambda[t->row] * t->coefficient;
  return (Force){v3_scale(s, d->term_W[k].n), v3_scale(s, d->term_W[k].f)};
}

// moved from the ground point p to the origin of B, in B
static Force at_body(const SarData* d, int body, V3 p, Force F) {
  const Xform X = d->body_X_GB[body];
  return (Force){m3_tmul_v(X.R, v3_add_cross(F.n, v3_sub(p, X.p), F.f)), m3_tmul_v(X.R, F.f)};
}

void sar_add_constraint_forces(const SarModel* m, const SarData* d, Force* F) {
  for (int i = 0; i < m->npair; i++) {
    const SarPair* p = &m->pair[i];
    Force sum = force_zero();
    for (int k = p->term; k < p->term + p->terms; k++) {
      const int joint = m->term[k].joint;
      if (joint < 0 || joint >= m->nbody) sum = force_add(sum, term_force(m, d, k));
    }
    const int a = p->body[0], b = p->body[1];
    if (b >= 0) F[b] = force_add(F[b], at_body(d, b, d->pair_p[i], sum));
    if (a >= 0) F[a] = force_sub(F[a], at_body(d, a, d->pair_p[i], sum));
  }
}

double sar_law_force(const SarData* d, int dof) {
  const double* p = &d->dof_impulse[dof * SAR_DOF_IMPULSES];
  return p[SAR_IMPULSE_LOWER] - p[SAR_IMPULSE_UPPER] + p[SAR_IMPULSE_FRICTION] +
         p[SAR_IMPULSE_MOTOR];
}

void sar_add_cut_law_forces(const SarModel* m, const SarData* d, Force* F) {
  for (int k = 0; k < m->ncut; k++) {
    const int joint = sar_cut_joint(m, k), adr = m->joint_vadr[joint];
    double law[SAR_JOINT_MAX_NV];
    bool acts = false;
    for (int i = 0; i < m->joint_nv[joint]; i++) {
      law[i] = sar_law_force(d, adr + i);
      acts = acts || law[i] != 0;
    }
    Force on[2];
    if (!acts) continue;
    sar_cut_wrench(m, d, k, law, on);
    for (int end = 0; end < 2; end++) {
      const int b = m->cut[k].body[end];
      if (b >= 0) F[b] = force_add(F[b], on[end]);
    }
  }
}

// Does the cut carry the term's force: its own constraint, or a drive or coupling of its
// coordinate?
static bool carries(const SarModel* m, int cut, const SarTerm* t) {
  const SarConstraint* owner = &m->constraint[m->row[t->row].constraint];
  const bool own = owner->source == SAR_FROM_CUT && owner->index == cut;
  return own || t->joint == sar_cut_joint(m, cut);
}

Force sar_cut_joint_reaction(const SarModel* m, const SarData* d, int cut) {
  const SarCut* c = &m->cut[cut];
  const Xform X_GC = c->body[1] < 0 ? x_identity() : d->body_X_GB[c->body[1]];
  const V3 at = x_point(X_GC, d->cut_X_B[cut].p);

  // its own spring, damper and motor
  const int joint = sar_cut_joint(m, cut), adr = m->joint_vadr[joint];
  double tau[SAR_JOINT_MAX_NV];
  for (int i = 0; i < m->joint_nv[joint]; i++)
    tau[i] = d->tau[adr + i] + (d->a_of_step ? sar_law_force(d, adr + i) : 0);
  Force own[2];
  sar_cut_wrench(m, d, cut, tau, own);
  const V3 f = m3_mul_v(X_GC.R, own[1].f), n = m3_mul_v(X_GC.R, own[1].n);
  Force sum = {v3_sub_cross(n, v3_sub(at, X_GC.p), f), f};

  for (int i = 0; i < m->npair; i++) {
    const SarPair* p = &m->pair[i];
    for (int k = p->term; k < p->term + p->terms; k++) {
      if (!carries(m, cut, &m->term[k])) continue;
      Force F = term_force(m, d, k);
      if (p->body[1] != c->body[1]) F = force_neg(F);  // measured from child to parent
      F.n = v3_add_cross(F.n, v3_sub(d->pair_p[i], at), F.f);
      sum = force_add(sum, F);
    }
  }
  return sum;
}
