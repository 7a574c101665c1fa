// Positions from displacements (displacement.h): the retraction q = q0 (+) xi onto the
// configuration manifold.
//
// Plain coordinates are handled in runs, without a call per joint; only joints with quaternions
// are called one by one.
#include "dynamics/displacement.h"

void sar_displace(const SarSim* s, const double* xi, double* q) {
  const SarModel* m = s->m;
  for (int k = 0; k < s->nspan; k++) {
    const SarSpan* p = &s->span[k];
    const double *q0 = &s->start.q[p->qadr], *x = &xi[p->vadr];
    if (p->joint < 0)
      for (int i = 0; i < p->nv; i++) q[p->qadr + i] = q0[i] + x[i];
    else
      m->joint_kind[p->joint]->retract(&m->joint_param[p->joint * SAR_JOINT_MAX_PARAM], q0, x,
                                       &q[p->qadr]);
  }
}

void sar_expect_cuts(const SarSim* s, double h, double* q) {
  const SarModel* m = s->m;
  for (int j = m->nbody; j < m->njoint; j++) {
    const double *q0 = &s->start.q[m->joint_qadr[j]], *v0 = &s->start.v[m->joint_vadr[j]];
    const bool plain = m->joint_nq[j] == m->joint_nv[j];  // not a quaternion
    for (int i = 0; i < m->joint_nq[j]; i++)
      q[m->joint_qadr[j] + i] = plain ? q0[i] + h * v0[i] : q0[i];
  }
}
