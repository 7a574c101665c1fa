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
// made again where it has aged).
#include "formulations/lagrange.h"

#include "dynamics/grip.h"
#include "dynamics/projection.h"

#include <math.h>
#include <string.h>

static const double FIRM = 2e-3;     // a grip with which each pass gains a factor of 400
static const double BELIEVED = 3;    // times the grip at which rows are led over, at least
static const double CLOSED = 1e-14;  // violation that is rounding
static const double LEFT = 1e-12;    // and what may be left, where passes gain no more
static const double AGED = 1e-3;     // share that a pass leaves with a factor of another position
enum { PASSES = 6 };

// A pass went from `before` to `now`: is there more to gain, with a factor that has not aged?
static bool goes_on(SarSim* s, SarLagrange* p, double before, double now) {
  if (!(now < before)) return false;
  return now < AGED * before || sar_augmented_factor(&p->system, s->m, s->d) == SAR_OK;
}

static double close_positions(SarSim* s, SarLagrange* p) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double now = sar_position_violation(m, d, s->projection), before = now;
  if (sar_augmented_factor(&p->system, m, d) != SAR_OK) return HUGE_VAL;
  for (int i = 0; i < PASSES && now > CLOSED; i++) {
    if (i > 0 && !goes_on(s, p, before, now)) break;
    sar_augmented_correct(&p->system, m, d->Phi, p->x);
    sar_projection_move(m, p->x, d->q);
    before = now;
    now = sar_position_violation(m, d, s->projection);
  }
  return now;
}

// Phi' is linear in v: of all that is evaluated, Psi v changes and nothing else. Relative to the
// fastest coordinate.
static double close_velocities(SarSim* s, SarLagrange* p) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  double now = sar_velocity_violation(m, d, s->projection), before = now, fastest = 1;
  for (int i = 0; i < m->nv; i++) fastest = fmax(fastest, fabs(d->v[i]));
  for (int i = 0; i < PASSES && now > CLOSED * fastest; i++) {
    if (i > 0 && !goes_on(s, p, before, now)) break;
    sar_augmented_correct(&p->system, m, d->Phi_dot, p->x);
    for (int k = 0; k < m->nv; k++) d->v[k] += p->x[k];
    sar_constraint_multiply(m, d, d->v, d->Phi_dot);
    before = now;
    now = 0;
    for (int k = 0; k < m->nrow; k++) {
      d->Phi_dot[k] += d->Phi_t[k];
      now = fmax(now, fabs(d->Phi_dot[k]) / s->projection->unit[k]);
    }
  }
  return now / fastest;
}

// Onto the constraints, with the terms of the equations and their factor there.
static bool is_firm(SarSim* s, SarLagrange* p) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  if (!(close_positions(s, p) < LEFT) || !(close_velocities(s, p) < LEFT)) return false;
  sar_index1_doubt(s, &p->passage);
  sar_lagrange_update(m, d);
  if (sar_augmented_factor(&p->system, m, d) != SAR_OK) return false;
  const SarFactored G = sar_augmented_view(&p->system, m);
  return sar_least_grip(&G, d, s->row_size) > fmax(FIRM, BELIEVED * p->passage.faint);
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
  const SarStatus st = sar_lagrange_solve(s, p);
  sar_index1_reopen(s, run);
  if (st == SAR_OK) sar_update_constraint_work(s->m, s->d);
  return st;
}
