// Thin rods: bodies with mass and without inertia about their own axis, which have no pivot there
// (system.h).
//
// Constraints hold that axis, and the equations are regular. But the order of pivots takes bodies
// before the constraints that hold them, so T gets a ghost of a moment of inertia about it, which
// is in the matrix and not in the residual: an iteration leaves ghost / J of an increment, J what
// really turns about the axis, and the factor loses as many digits as the ghost is smaller than the
// other moments. Both are small between LEAST and MOST of them. (Bodies without mass, and points
// without any moment, are held by their rows: fill_held.)
#include "formulations/redundant/system.h"

#include <math.h>

static const double LEAST = 1e-8;  // of its own largest moment
// of that, and of the least moments of those that constraints tie it to
static const double MOST = 1e-6;

static bool is_thin(const SarOwnBody* o) {
  return o->kind == SAR_OWN_FREE && o->mass > 0 && !o->turns && o->most > 0;
}

static void limit(SarAbsoluteSystem* p, int b, int other) {
  const SarOwnBody* o = &p->momenta->body[other];
  if (p->ghost[b] > 0 && o->kind == SAR_OWN_FREE && o->least > 0)
    p->ghost[b] = fmin(p->ghost[b], MOST * o->least);
}

void sar_absolute_find_ghosts(SarAbsoluteSystem* p) {
  const SarModel* m = p->m;
  for (int b = 0; b < m->nbody; b++) {
    const SarOwnBody* o = &p->momenta->body[b];
    p->ghost[b] = is_thin(o) ? MOST * o->most : 0;
  }
  for (int i = 0; i < m->nrow; i++)
    for (int k = m->row_adr[i] + 1; k < m->row_adr[i + 1]; k++) {
      const int a = m->dof_body[m->row_dof[k - 1]], b = m->dof_body[m->row_dof[k]];
      if (a != b) limit(p, a, b), limit(p, b, a);
    }
  for (int b = 0; b < m->nbody; b++)
    if (p->ghost[b] > 0) p->ghost[b] = fmax(p->ghost[b], LEAST * p->momenta->body[b].most);
}
