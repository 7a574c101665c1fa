// The end of a step by impulses: positions with loops closed, impulses as forces, work.
#include "dynamics/constraints.h"
#include "dynamics/projection.h"
#include "formulations/impulse/flight.h"
#include "formulations/impulse/impulse.h"

#include <math.h>
#include <string.h>

void sar_impulse_evaluate(SarSim* s) {
  s->stats.calls++;
  sar_update_kinematics(s->m, s->d);
  sar_update_forces(s->m, s->d);
  if (s->m->nrow > 0) {
    sar_update_constraints(s->m, s->d);
    sar_update_constraint_rates(s->m, s->d);
  }
}

static void drift_on(SarImpulseState* p, SarSim* s, const SarJump* jump) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  memcpy(d->q, p->q, (size_t)m->nq_all * sizeof(double));
  memcpy(d->v, p->rows.v, (size_t)m->nv * sizeof(double));
  sar_drift(s, jump->rest, p->rows.u, d->q, d->v);
  d->t = fmin(s->stop, s->t_high);
}

// What a trial of the way to the end of the step leaves open, over the size of the rows.
static double try_end(SarImpulseState* p, SarSim* s, const SarJump* jump) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double most = 0;
  drift_on(p, s, jump);
  sar_update_positions(m, d);
  sar_update_world(m, d);
  sar_update_constraints(m, d);
  for (int i = 0; i < m->nrow; i++) most = fmax(most, fabs(d->Phi[i]) / s->row_unit[i]);
  return most;
}

// Held rows are closed where the step ends, not where it jumped: one Newton step on what a trial
// leaves open, with the matrix at hand; it leaves a share of some h w of that, and where much was
// open another one takes it.
void sar_impulse_close_loops(SarImpulseState* p, SarSim* s, const SarJump* jump) {
  static const double MUCH = 1e-7;
  enum { STEPS = 2 };
  const SarModel* m = s->m;
  SarData* d = s->d;
  if (!p->held.direct || m->nrow == 0 || !s->options.project) return;
  for (int k = 0; k < STEPS; k++) {
    const double open = try_end(p, s, jump);
    sar_constraint_multiply(m, d, p->rows.u, p->wanted);
    for (int i = 0; i < m->nrow; i++)
      p->wanted[i] = (k > 0 ? p->wanted[i] : 0) - d->Phi[i] / jump->rest;
    sar_held_solve(&p->held, m, d, p->wanted, NULL, p->z, p->rows.u);
    if (!(open > MUCH)) break;
  }
}

void sar_impulse_keep(SarImpulseState* p, SarSim* s, const SarJump* jump, int joints,
                      int contacts) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  memset(d->lambda, 0, (size_t)m->nrow * sizeof *d->lambda);
  sar_impulses_answer(&p->rows);
  for (int g = 0; g < p->held.ngroup; g++)
    for (int k = p->held.group[g].row; k < p->held.group[g].row + p->held.group[g].rows; k++)
      d->lambda[p->held.order[k]] = (p->corrected_p[k] - p->held.p[k]) / jump->h;
  for (int i = 0; i < joints; i++) d->lambda[p->rows.row[i].owner] = -p->rows.row[i].p / jump->h;
  memcpy(p->multiplier, d->lambda, (size_t)m->nrow * sizeof *p->multiplier);
  sar_joint_impulses(&p->rows, m, d, joints, contacts, jump->h);
  sar_contact_impulses(&p->rows, d, contacts, jump);
}

// Does somebody look at forces where a step ends? Constraints, events and kinks do; so do work
// accounts of scenes with contact, where velocities jump, and the power in the middle is not that
// of the step. Columns evaluate for themselves.
static bool is_looked_at(const SarSim* s) {
  const SarModel* m = s->m;
  if (m->nrow > 0 || m->nswitch > 0 || m->nz > 0 || s->events) return true;
  for (int i = 0; i < m->nwork && m->ncollider > 0; i++)
    if (m->work[i].kind == SAR_WORK_FORCE || m->work[i].kind == SAR_WORK_DISSIPATION ||
        m->work[i].kind == SAR_WORK_DRIVE)
      return true;
  return false;
}

// Work of forces by their power at both ends of the step, or at the jump.
static void book_forces(SarSim* s, double h, bool at_ends) {
  SarData* d = s->d;
  for (int i = 0; i < s->m->nwork; i++) {
    const double power = at_ends ? 0.5 * (s->start.power[i] + d->work_rate[i]) : d->work_rate[i];
    d->work[i] = s->start.work[i] + h * power;
  }
}

// Work of the dampers that H takes: -c (v0 + w dv) along the way h (v0 + v1) / 2. Their power at
// velocities that are only expected is not that of the step, by orders of magnitude where they are
// strong.
static void book_dampers(const SarImpulseState* p, SarSim* s, double h) {
  const SarModel* m = s->m;
  for (int i = 0; i < m->nwork; i++) {
    const SarWorkSource* x = &m->work[i];
    if (x->kind != SAR_WORK_DISSIPATION || x->index >= m->nbody) continue;
    const int dof = m->joint_vadr[x->index];
    if (m->joint_nv[x->index] != 1 || p->held.moment[dof] == 0) continue;
    const double v0 = p->v0[dof], dv = p->rows.v[dof] - v0;
    const double f = -m->dof_damping[dof] * (v0 + p->held.moment[dof] * dv);
    s->d->work[i] = s->start.work[i] + h * f * (v0 + 0.5 * dv);
  }
}

SarStatus sar_impulse_end(SarImpulseState* p, SarSim* s, const SarJump* jump, int joints,
                          int contacts) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const bool looked_at = is_looked_at(s);
  if (!looked_at) book_forces(s, jump->h, false);
  drift_on(p, s, jump);
  if (p->rows.shifting) sar_keep_momentum(&p->rows, m, d, jump);
  sar_keep_flying(p, s, jump->h);
  // what an impact, or a contact that closes between two, does to velocities is no acceleration
  if (!p->rows.impact && p->whole == 0) sar_impulse_slope(p, m, jump->h);
  for (int i = 0; i < m->nv; i++)
    p->step_a[i] = (d->v[i] - s->start.v[i] - p->corrected[i]) / jump->h;
  sar_balance(p, s, jump, contacts);
  *p->stepped = 1;
  memcpy(d->a, p->slope, (size_t)m->nv * sizeof *d->a);
  if (looked_at) {
    sar_impulse_evaluate(s);
    if (d->z_from) SAR_TRY(sar_impulse_release_states(s));
    sar_held_keep(&p->held, m, d);
    if (s->projection && m->nrow > 0) s->projection->drift = sar_violation(m, d);
    sar_update_constraint_work(m, d);
    book_forces(s, jump->h, true);
  }
  book_dampers(p, s, jump->h);
  sar_dampers_book(&p->held.dampers, m, jump->h, p->v0, p->rows.v, s->start.work, d->work);
  sar_book_impulses(&p->books, &p->rows, m, jump, joints, contacts, p->balance.jammed, d->work);
  if (p->books.friction >= 0) d->work[p->books.friction] += p->rest.work;
  if (p->books.overlap >= 0) d->work[p->books.overlap] += p->balance.overlap;
  d->t = s->stop;
  return SAR_OK;
}
