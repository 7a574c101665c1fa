// Constraints that are suddenly there: positions onto them, then velocities (events.h).
//
//   M dv + Psi' L = 0,   Psi (v + dv) + Phi_t = 0
//
// are the equations of motion with dv for the acceleration, no forces, and -Phi' for gamma: the same
// solver serves, and gives the impulses L to full accuracy. Of all velocities that the constraints allow it
// is the one nearest to v in the metric of the kinetic energy, so that for constraints at rest
// T - T' = dv' M dv / 2: nothing but what the impact must take is lost (Carnot).
#include "sim/events_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CLOSING = 12 };

static const double NEAR = 1e-2;     // of a row that may be closed: sizes of the mechanism, or rad
static const double CLOSED = 1e-13;  // rounding
static const double OPEN = 1e-9;     // and what must not be left

static double widest(const SarSim* s, int* row) {
  const SarEvents* e = s->events;
  double most = 0;
  for (int k = 0; k < s->d->nactive; k++) {
    const int i = s->d->active_row[k];
    const double size = fabs(s->d->Phi[i]) / e->unit[i];
    if (size <= most) continue;
    most = size;
    *row = i;
  }
  return most;
}

static SarStatus far_away(SarSim* s, int row, double gap, const char* how) {
  const SarModel* m = s->m;
  SarEvents* e = s->events;
  const SarConstraint* c = &m->constraint[m->row[row].constraint];
  const bool length = e->unit[row] != 1 || e->length == 1;
  snprintf(e->trouble, sizeof e->trouble,
           "at t = %.9g: %s '%s' switches on while it is open by %.3g %s%s", s->d->t,
           c->source == SAR_FROM_CUT ? "joint" : "constraint", sar_text(m, c->name), fabs(gap),
           length ? "m" : "rad", how);
  return SAR_NOT_CONVERGED;
}

SarStatus sar_events_close(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  SarEvents* e = s->events;
  int row = 0;
  double open = widest(s, &row);  // evaluated by regroup
  const double gap = d->Phi[row];
  const int first = row;
  if (!(open <= NEAR))
    return far_away(s, row, gap,
                    ": bring it there first, or let it take hold as it is (hold: current)");
  for (int i = 0; i < CLOSING && open > CLOSED; i++) {
    SAR_TRY(sar_augmented_factor(&e->system, m, d));
    sar_augmented_correct(&e->system, m, d->Phi, e->x);
    sar_projection_move(m, e->x, d->q);
    sar_update_positions(m, d);
    sar_update_world(m, d);
    sar_update_constraints(m, d);
    const double now = widest(s, &row);
    const bool slow = !(now < 0.5 * open);
    open = now;
    if (slow && open <= OPEN) break;
  }
  return open <= OPEN ? SAR_OK : far_away(s, first, gap, " and cannot be closed");
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
