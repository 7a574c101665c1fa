// The state of a step as a vector in local coordinates (stage.h).
#include "integrators/stage.h"

#include "dynamics/constraints.h"
#include "dynamics/displacement.h"
#include "dynamics/projection.h"
#include "dynamics/tree.h"

#include <string.h>

void sar_stage_first(const SarSim* s, double* y, double* dy) {
  const SarModel* m = s->m;
  size_t nv = (size_t)m->nv, nz = (size_t)m->nz, nwork = (size_t)m->nwork;
  memset(y, 0, nv * sizeof *y);
  memcpy(y + nv, s->start.v, nv * sizeof *y);
  if (nz > 0) memcpy(y + 2 * nv, s->start.z, nz * sizeof *y);
  memcpy(y + 2 * nv + nz, s->start.work, nwork * sizeof *y);
  if (!dy) return;
  memcpy(dy, s->start.v, nv * sizeof *y);  // rate(q0, 0, v) = v
  memcpy(dy + nv, s->start.a, nv * sizeof *y);
  if (nz > 0) memcpy(dy + 2 * nv, s->start.z_rate, nz * sizeof *y);
  memcpy(dy + 2 * nv + nz, s->start.power, nwork * sizeof *y);
}

void sar_stage_position_rate(const SarSim* s, const double* xi, const double* v, double* rate) {
  const SarModel* m = s->m;
  memcpy(rate, v, (size_t)m->nv * sizeof *rate);
  for (int k = 0; k < s->nspan; k++) {
    const SarSpan* p = &s->span[k];
    if (p->joint < 0 || !m->joint_kind[p->joint]->rate) continue;
    m->joint_kind[p->joint]->rate(&m->joint_param[p->joint * SAR_JOINT_MAX_PARAM],
                                  &s->start.q[p->qadr], &xi[p->vadr], &v[p->vadr], &rate[p->vadr]);
  }
}

void sar_stage_set(SarSim* s, double t, const double* y) {
  SarData* d = s->d;
  int nv = s->m->nv;
  d->t = t;
  sar_displace(s, y, d->q);
  sar_expect_cuts(s, t - s->start.t, d->q);
  memcpy(d->v, y + nv, (size_t)nv * sizeof *y);
  if (s->m->nz > 0) memcpy(d->z, y + 2 * nv, (size_t)s->m->nz * sizeof *y);
  memcpy(d->work, y + sar_stage_work(s->m), (size_t)s->m->nwork * sizeof *y);
}

void sar_stage_read_rate(const SarSim* s, const double* y, double* dy) {
  size_t nv = (size_t)s->m->nv;
  sar_stage_position_rate(s, y, y + nv, dy);
  memcpy(dy + nv, s->d->a, nv * sizeof *y);
  if (s->m->nz > 0) memcpy(dy + 2 * nv, s->d->z_rate, (size_t)s->m->nz * sizeof *y);
  memcpy(dy + sar_stage_work(s->m), s->d->work_rate, (size_t)s->m->nwork * sizeof *y);
}

// Evaluates d; before that, brings it back onto the constraints.
static SarStatus evaluate(SarSim* s, bool project) {
  SarData* d = s->d;
  double t = d->t;
  d->t = t < s->t_low ? s->t_low : t > s->t_high ? s->t_high : t;
  const bool own = s->formulation->accelerations.settle != NULL;
  SarStatus st = project && !own ? sar_project(s->m, d, s->projection) : SAR_OK;
  const SarViolation drift = project ? s->projection->drift : (SarViolation){0};
  if (st == SAR_OK) {
    s->stats.calls++;
    st = s->call.accel(s);
  }
  if (project) s->projection->drift = drift;  // near singular positions, evaluating projects too
  if (st == SAR_OK && project && own) st = s->formulation->accelerations.settle(s);
  d->t = t;
  return st;
}

SarStatus sar_stage_rate(SarSim* s, double t, const double* y, double* dy) {
  sar_stage_set(s, t, y);
  if (s->projection) sar_projection_forget(s->projection);
  SarStatus st = evaluate(s, false);
  if (st == SAR_OK && dy) sar_stage_read_rate(s, y, dy);
  return st;
}

bool sar_stage_has_switched(const SarSim* s) {
  for (int i = 0; i < s->m->nswitch; i++)
    if (s->start_switch[i] * s->d->slot[s->m->switch_slot[i]] < 0 &&
        sar_switch_is_watched(s->m, s->d, i))
      return true;
  return false;
}

SarStatus sar_stage_land(SarSim* s, double t, const double* y) {
  sar_stage_set(s, t, y);
  if (s->projection) sar_projection_forget(s->projection);
  return evaluate(s, s->projection != NULL);
}

// Do the rates of an evaluation hold next to it too? Knots, switches and conditions are looked at
// where a step ends, and generated code corrects the state that it has evaluated.
static bool carries(const SarSim* s) {
  const SarModel* m = s->m;
  return !s->bare && !s->events && m->nknot == 0 && m->nswitch == 0 && m->ndiscrete == 0;
}

SarStatus sar_stage_reach(SarSim* s, double t, double* y) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  if (!carries(s)) return sar_stage_land(s, t, y);
  if (m->nz > 0) memcpy(y + sar_stage_states(m), d->z, (size_t)m->nz * sizeof *y);
  sar_stage_set(s, t, y);
  sar_update_kinematics(m, d);
  if (!s->projection) return SAR_OK;
  sar_projection_forget(s->projection);
  if (!s->formulation->accelerations.settle) return sar_project(m, d, s->projection);
  sar_update_world(m, d);
  sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
  return s->formulation->accelerations.settle(s);
}

SarStatus sar_stage_settle(SarSim* s) {
  if (!s->projection) return SAR_OK;
  return s->formulation->accelerations.settle ? s->formulation->accelerations.settle(s)
                                              : evaluate(s, true);
}
