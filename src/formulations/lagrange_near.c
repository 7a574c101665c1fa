// Stages of a step of `lagrange` that comes near a singular position.
//
// Such a step has its stages on the constraints, and goes the dense way of `qr` (index1/singular.c)
// where a motion is hardly held. Most of its stages are firmly held though: there the sparse factor
// gives what the dense decomposition would, up to rounding, for a small part of the cost, and the
// same factor takes the stage onto the constraints,
//
//   dq = -G^-1 Psi' w Phi,   dv = -G^-1 Psi' w Phi',   G = M + Psi' w Psi
//
// each pass leaving 1 / (1 + GRIP g^2) of what is open, g the grip (a quasi-Newton iteration: G is
// made again where it has aged). G where positions have come to lie closes velocities, tells the
// grip and gives accelerations: what does not depend on velocities is evaluated once. Where such a
// stage was the last one of its step, the step ends in the state that it has brought.
#include "formulations/lagrange.h"

#include "dynamics/grip.h"
#include "dynamics/projection.h"

#include <math.h>
#include <string.h>

static const double FIRM = 3e-4;     // a grip with which each pass gains a factor of 10
static const double BELIEVED = 3;    // times the grip at which rows are led over, at least
static const double CLOSED = 1e-14;  // violation that is rounding
static const double LEFT = 1e-12;    // and what may be left, where passes gain no more
static const double AGED = 1e-3;     // share that a pass leaves with a factor of another position
enum { PASSES = 16 };

// A pass went from `before` to `now`: is there more to gain, with a factor that has not aged?
static bool goes_on(SarSim* s, SarLagrange* p, double before, double now) {
  if (!(now < before)) return false;
  return now < AGED * before || sar_augmented_factor(&p->system, s->m, s->d) == SAR_OK;
}

// Positions, with Phi, Psi and the factor where they end: no other factor is needed.
static double close_positions(SarSim* s, SarLagrange* p) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double now = sar_position_violation(m, d, s->projection), before = now;
  p->found.position = sar_violation(m, d).position;
  if (sar_augmented_factor(&p->system, m, d) != SAR_OK) return HUGE_VAL;
  if (!(now > CLOSED)) return now;
  for (int i = 0; i < PASSES && now > CLOSED; i++) {
    if (i > 0 && !goes_on(s, p, before, now)) break;
    sar_augmented_correct(&p->system, m, d->Phi, p->x);
    sar_projection_move(m, p->x, d->q);
    before = now;
    now = sar_position_violation(m, d, s->projection);
  }
  return sar_augmented_factor(&p->system, m, d) == SAR_OK ? now : HUGE_VAL;
}

// Largest violation, lengths in units of the mechanism.
static double speed_open(const SarSim* s) {
  double most = 0;
  for (int k = 0; k < s->m->nrow; k++) {
    const double open = fabs(s->d->Phi_dot[k]) / s->projection->unit[k];
    if (!(open <= most)) most = open;  // NaN stays
  }
  return most;
}

// Phi' is linear in v: of all that is evaluated, Psi v changes and nothing else. Relative to the
// fastest coordinate.
static double close_velocities(SarSim* s, SarLagrange* p) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double fastest = 1;
  for (int i = 0; i < m->nv; i++) fastest = fmax(fastest, fabs(d->v[i]));
  if (m->drives_follow) sar_update_velocities(m, d);  // these may measure them
  sar_update_constraint_speeds(m, d);
  p->found.velocity = sar_violation(m, d).velocity;
  double now = speed_open(s), before = HUGE_VAL;
  for (int i = 0; i < PASSES && now > CLOSED * fastest && now < before; i++) {
    sar_augmented_correct(&p->system, m, d->Phi_dot, p->x);
    for (int k = 0; k < m->nv; k++) d->v[k] += p->x[k];
    sar_constraint_multiply(m, d, d->v, d->Phi_dot);
    for (int k = 0; k < m->nrow; k++) d->Phi_dot[k] += d->Phi_t[k];
    before = now;
    now = speed_open(s);
  }
  return now / fastest;
}

// Onto the constraints, with the factor there.
static bool is_firm(SarSim* s, SarLagrange* p) {
  const SarModel* m = s->m;
  if (!(close_positions(s, p) < LEFT)) return false;
  sar_index1_doubt(s, &p->passage);
  const SarFactored G = sar_augmented_view(&p->system, m);
  const double grip = sar_least_grip(&G, s->d, s->row_size);
  return grip > fmax(FIRM, BELIEVED * p->passage.faint) && close_velocities(s, p) < LEFT;
}

// Terms of the equations that depend on velocities; positions, Phi and Psi are there.
static void update_rest(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_update_velocities(m, d);
  sar_update_forces_again(m, d);
  if (m->drives_follow) sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
}

SarStatus sar_lagrange_accel_near(SarSim* s, SarLagrange* p) {
  SarIndex1Run* run = &p->passage;
  const bool all_rows = s->freedom.rank == s->freedom.rows;
  if (!all_rows || !s->projection) return sar_index1_evaluate(s, run, sar_index1_qr);
  sar_index1_set_aside(s, run);
  if (!is_firm(s, p)) {
    sar_index1_reopen(s, run);
    return sar_index1_evaluate(s, run, sar_index1_qr);
  }
  update_rest(s);
  const SarStatus st = sar_lagrange_solve(s, p);
  memcpy(p->closed_q, s->d->q, (size_t)s->m->nq * sizeof *p->closed_q);
  memcpy(p->closed_v, s->d->v, (size_t)s->m->nv * sizeof *p->closed_v);
  sar_index1_reopen(s, run);
  if (st == SAR_OK) sar_update_constraint_work(s->m, s->d);
  p->is_closed = st == SAR_OK;
  return st;
}

// The last evaluation was made where it brought the state: there is nothing left to do.
bool sar_lagrange_land_firm(SarSim* s, SarLagrange* p) {
  const SarIndex1Run* run = &p->passage;
  const size_t nq = (size_t)s->m->nq * sizeof(double), nv = (size_t)s->m->nv * sizeof(double);
  if (!p->is_closed || memcmp(s->d->q, run->q, nq) != 0 || memcmp(s->d->v, run->v, nv) != 0)
    return false;
  memcpy(s->d->q, p->closed_q, nq);
  memcpy(s->d->v, p->closed_v, nv);
  s->projection->drift = p->found;
  return true;
}
