// From an active set of dry friction to interior points and back (stiction_path.h).
#include "formulations/implicit/stiction_path.h"

#include <math.h>

static const double NARROW = 1e-6;  // of F: bounds that leave nothing to find

static bool is_length(const SarModel* m, int dof) {
  const int joint = m->dof_body[dof];
  return m->joint_kind[joint]->coordinate[dof - m->joint_vadr[joint]] == SAR_LENGTH;
}

// The bounds of f: what slides is on its way to the one it has.
static void bounds_of(const SarStiction* p, const SarModel* m, const SarData* d, int k, double* low,
                      double* high) {
  const double f = d->dof_friction_force[p->dof[k]];
  *low = p->slides[k] > 0 ? f : -sar_stiction_most(p, m, k, -1, 0);
  *high = p->slides[k] < 0 ? f : sar_stiction_most(p, m, k, 1, 0);
}

static void take_path(const SarStiction* p, SarData* d) {
  for (int i = 0; i < p->path.count; i++) {
    const int dof = p->dof[p->path.which[i]];
    d->dof_stick[dof] = p->path.gain[i];
    d->dof_friction_force[dof] = p->path.target[i];
  }
}

void sar_stiction_enter_path(SarStiction* p, const SarModel* m, SarData* d, SarJudged of) {
  double most[2] = {0, 0};  // of angles, of lengths
  p->path.count = 0;
  for (int k = 0; k < p->count; k++) {
    double* to = &most[is_length(m, p->dof[k])];
    *to = fmax(*to, fabs(sar_stiction_component(m, d, of.x, p->dof[k])));
  }
  for (int k = 0; k < p->count; k++) {
    const int dof = p->dof[k];
    const double F = sar_friction_limit(m, dof, 0), g = p->inertia[k] * p->gain;
    double low, high;
    bounds_of(p, m, d, k, &low, &high);
    if (!sar_stiction_takes_part(p, m, d, of, k) || high - low <= NARROW * F) continue;
    sar_central_path_add(&p->path, k, sar_stiction_component(m, d, of.x, dof),
                         d->dof_friction_force[dof], low, high,
                         fmax(most[is_length(m, dof)], F / g), g);
  }
  p->walk = p->path.count > 0 ? SAR_PATH_ON : SAR_PATH_BEHIND;
  if (p->walk == SAR_PATH_BEHIND) return;
  sar_central_path_begin(&p->path);
  take_path(p, d);
}

// The active set where the path has ended: rounds of switching begin anew from there.
static void leave_path(SarStiction* p, const SarModel* m, SarData* d, SarJudged of) {
  for (int i = 0; i < p->path.count; i++) {
    const int k = p->path.which[i], side = sar_central_path_side(&p->path, i);
    const double v = of.at_rest ? 0 : sar_stiction_component(m, d, d->v, p->dof[k]);
    if (side != 0)
      sar_stiction_slide(p, m, d, k, side, v * side > 0 ? v : 0);
    else
      sar_stiction_stick(p, d, k, sar_central_path_force(&p->path, i));
    p->left[k] = p->returns[k] = 0;
  }
  p->walk = SAR_PATH_BEHIND;
  p->patience = SAR_PATIENCE;
  p->fewest = p->count + 1;
}

void sar_stiction_follow_path(SarStiction* p, const SarModel* m, SarData* d, SarJudged of) {
  for (int i = 0; i < p->path.count; i++)
    p->along[i] = sar_stiction_component(m, d, of.x, p->dof[p->path.which[i]]);
  p->rounds++;
  if (sar_central_path_advance(&p->path, p->along))
    leave_path(p, m, d, of);
  else
    take_path(p, d);
}
