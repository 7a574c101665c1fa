// Equations of modal bodies (modal_bodies.h).
#include "formulations/redundant/modal_bodies.h"

#include "dynamics/mass.h"

#include <string.h>

void sar_own_modal(const SarModel* m, int b, SarOwnBody* o) {
  int root = b;
  while (m->body_parent[root] >= 0) root = m->body_parent[root];
  if (!sar_is_modal_root(m, root)) return;
  o->modal = true;
  o->mass = 0;
  o->com = o->weight = v3_zero();
  o->inertia = s3_zero();
  if (m->joint_class[b] == SAR_CLASS_MODE || m->joint_class[b] == SAR_CLASS_NODE)
    o->kind = SAR_OWN_PART;
}

void sar_modal_residual(const SarMomenta* p, const SarSim* s, double* r) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  if (m->nmodal == 0) return;
  sar_rnea(m, d, d->a, p->needed);
  for (int b = 0; b < p->count; b++) {
    const SarOwnBody* o = &p->body[b];
    for (int i = o->vadr; o->modal && i < o->vadr + o->nv; i++) r[i] = d->tau[i] - p->needed[i];
  }
}

// Rows of M hold what is on the way to ground, nearest first (mass.h); beside it there is nothing.
static void fill_group(const SarModel* m, const SarData* d, const double* mass, int first, int end,
                       double* a) {
  const int num = end - first;
  memset(a, 0, (size_t)(num * num) * sizeof *a);
  for (int i = first; i < end; i++) {
    const double* M = mass + d->mass_row[i];
    for (int k = i; k >= 0; k = m->dof_parent[k])
      a[(i - first) * num + k - first] = a[(k - first) * num + i - first] = *M++;
  }
}

void sar_modal_masses(const SarModel* m, SarData* d, double* mass, double* a) {
  if (m->nmodal == 0) return;
  sar_crba(m, d, mass);
  for (int b = 0; b < m->nbody; b += m->body_subtree[b]) {
    if (!sar_is_modal_root(m, b)) continue;
    const int first = m->joint_vadr[b], end = sar_group_end(m, b);
    fill_group(m, d, mass, first, end, a);
    a += (end - first) * (end - first);
  }
}

void sar_modal_add_diagonal(const SarModel* m, const double* a, double* inertia) {
  for (int b = 0; m->nmodal > 0 && b < m->nbody; b += m->body_subtree[b]) {
    if (!sar_is_modal_root(m, b)) continue;
    const int first = m->joint_vadr[b], num = sar_group_end(m, b) - first;
    for (int i = 0; i < num; i++) inertia[first + i] += a[i * num + i];
    a += num * num;
  }
}
