// Pieces of the tree whose columns are written in one frame (slopes.h).
//
// In a long piece entries are products of columns without a transformation on the way. But a mass m
// at the distance r from the frame's origin puts m r^2 into inertias, of which products of columns
// take away what is not about the joint: the mass matrix of a joint with the inertia J loses a
// factor m r^2 / J of its digits. Where that could be more than LOST, and at joints that shift, a
// piece ends.
#include "codegen/slopes.h"

#include <math.h>

static const double LOST = 1e4;

bool sar_slopes_is_home(const SymSlopes* w, int b) { return w->home[b] == b; }

static bool shifts(const SarSymbols* s, int b) {
  return s->m->joint_class[b] == SAR_CLASS_PRISMATIC ||
         (s->m->joint_class[b] == SAR_CLASS_GENERAL && !sv3_is_zero(s->g, s->joint[b].X_FB.p));
}

// The least that a body alone brings to the inertia about its joint.
static double own_inertia(const SarModel* m, int b) {
  const S3 I = m->body_inertia[b].I;
  const int i = m->joint_vadr[b];
  if (m->joint_class[b] == SAR_CLASS_REVOLUTE) return I.zz + m->dof_armature[i];
  return fmin(fmin(I.xx, I.yy), I.zz);
}

// Mass of the subtree of each body.
static void add_masses(const SarModel* m, double* mass) {
  for (int b = m->nbody - 1; b >= 0; b--) {
    mass[b] += m->body_inertia[b].m;
    if (m->body_parent[b] >= 0) mass[m->body_parent[b]] += mass[b];
  }
}

bool sar_slopes_choose_homes(SymSlopes* w) {
  const SarModel* m = w->s->m;
  double* mass = SAR_ARENA_ARRAY(w->s->arena, double, 2 * m->nbody + 1);
  if (!mass) return false;
  double* reach = mass + m->nbody;  // of the body's origin from that of its home, at most
  add_masses(m, mass);
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b];
    reach[b] = p < 0 ? 0 : reach[p] + v3_norm(m->body_X_PF[b].p);
    const bool far = mass[b] * reach[b] * reach[b] > LOST * own_inertia(m, b);
    const bool first = p < 0 || shifts(w->s, b) || (far && m->joint_nv[b] > 0);
    if (first) reach[b] = 0;
    w->home[b] = first ? b : w->home[p];
    // a home lies in its own frame at the origin: beyond it poses begin anew
    const bool beside = p < 0 || sar_slopes_is_home(w, p);
    w->X[b] = sar_symbols_beyond(w->s, b, beside ? NULL : &w->X[p]);
  }
  return true;
}
