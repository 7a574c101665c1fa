// Plastic impact of bilateral constraints that are suddenly there: positions onto them, then
// velocities (events.h).
//
//   M dv + Psi' L = 0,   Psi (v + dv) + Phi_t = 0
//
// are the equations of motion with dv for the acceleration, no forces, and -Phi' for gamma: the
// same solver serves, and gives the impulses L to full accuracy. Of all velocities that the
// constraints allow it is the one nearest to v in the metric of the kinetic energy, so that for
// constraints at rest T - T' = dv' M dv / 2: nothing but what the impact must take is lost
// (Carnot).
#include "base/print.h"
#include "sim/events_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double NEAR = 1e-2;  // of a row that may be closed: sizes of the mechanism, or rad
static const double OPEN = 1e-9;  // and what must not be left

// The row that is open most.
static int widest(const SarSim* s) {
  const SarData* d = s->d;
  const double* unit = s->events->closing.unit;
  int row = d->active_row[0];
  for (int k = 1; k < d->nactive; k++) {
    const int i = d->active_row[k];
    if (fabs(d->Phi[i]) / unit[i] > fabs(d->Phi[row]) / unit[row]) row = i;
  }
  return row;
}

static SarStatus refuse(SarSim* s, int row, double gap, const char* how) {
  const SarModel* m = s->m;
  SarEvents* e = s->events;
  const SarConstraint* c = &m->constraint[m->row[row].constraint];
  const bool length = e->closing.unit[row] != 1 || e->closing.length == 1;
  sar_snprintf(e->trouble, sizeof e->trouble,
               "at t = %.9g: %s '%s' switches on while it is open by %.3g %s%s", s->d->t,
               c->source == SAR_FROM_CUT ? "joint" : "constraint", sar_text(m, c->name), fabs(gap),
               length ? "m" : "rad", how);
  return SAR_NOT_CLOSED;
}

SarStatus sar_events_close(SarSim* s) {
  SarData* d = s->d;
  SarEvents* e = s->events;
  sar_projection_forget(&e->closing);
  const double open = sar_position_violation(s->m, d, &e->closing);
  if (d->nactive == 0) return SAR_OK;
  const int row = widest(s);
  const double gap = d->Phi[row];
  if (!(open <= NEAR))
    return refuse(s, row, gap,
                  ": bring it there first, or let it take hold as it is (hold: current)");
  const SarStatus st = sar_project_positions(s->m, d, &e->closing);
  const double left = sar_position_violation(s->m, d, &e->closing);
  return st == SAR_OK && left <= OPEN ? SAR_OK : refuse(s, row, gap, ", and cannot be closed");
}

SarStatus sar_events_impact(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  SarEvents* e = s->events;
  memset(e->F, 0, (size_t)m->nv * sizeof *e->F);
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
  memcpy(e->gap, d->Phi_dot, (size_t)m->nrow * sizeof *e->gap);
  for (int i = 0; i < m->nrow; i++) d->gamma[i] = -d->Phi_dot[i];
  SAR_TRY(sar_augmented_factor(&e->system, m, d));
  SAR_TRY(sar_augmented_solve(&e->system, m, d, e->F));
  memcpy(e->impulse, d->lambda, (size_t)m->nrow * sizeof *e->impulse);
  for (int i = 0; i < m->nv; i++) {
    d->v[i] += d->a[i];
    if (!isfinite(d->v[i])) return SAR_NOT_FINITE;
  }
  return SAR_OK;
}
