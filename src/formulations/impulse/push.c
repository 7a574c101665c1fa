// Velocities of a step by impulses before anything unilateral acts: smooth forces, stiff ones
// implicitly, and bilateral constraints, at the moment of the impulses (moment.c).
#include "dynamics/constraints.h"
#include "dynamics/cut_joints.h"
#include "dynamics/displacement.h"
#include "dynamics/states.h"
#include "formulations/impulse/flight.h"
#include "formulations/impulse/impulse.h"

#include <math.h>
#include <string.h>

enum { HALFWAY_PASSES = 2 };  // for velocities halfway beside springs that swing within a step
enum { ASTRAY_PASSES = 4 };   // for those that accelerations of the step before tell nothing of
static const double ASTRAY = 0.1;  // of the velocities
static const double FAR = 0.15;    // turn of a joint in a step [rad]

// Q - bias; of free bodies alone without gyroscopic terms, which sar_drift takes care of.
static void smooth_forces(const SarModel* m, SarData* d, bool singles, double* x) {
  if (!singles) {
    sar_rnea(m, d, NULL, x);
    for (int i = 0; i < m->nv; i++) x[i] = d->tau[i] - x[i];
  }
  for (int b = 0; b < m->nbody; b++) {
    if (!sar_is_single_body(m, b)) continue;
    const Inertia* I = &m->body_inertia[b];
    const int adr = m->joint_vadr[b];
    const V3 g = m3_tmul_v(d->body_X_PB[b].R, m->gravity);  // in B
    const V3 f = v3_axpy(I->m, g, d->body_F[b].f), n = v3_add(d->body_F[b].n, v3_cross(I->h, g));
    for (int i = 0; i < 6; i++)
      x[adr + i] =
          d->tau[adr + i] + v3_dot(d->dof_S[adr + i].w, n) + v3_dot(d->dof_S[adr + i].v, f);
  }
}

// The speeds that rows are to have now for Phi' = 0 where the step ends: on the way there, without
// forces, Phi'' = Psi a - gamma with the accelerations a of the drift. Phi' = 0 at the jump itself
// would lose energy in every step, as sliding down a polygon does.
void sar_impulse_want_speeds(SarImpulseState* p, const SarModel* m, const SarData* d, double rest) {
  sar_drift_accelerations(m, d->q, d->v, p->x);
  sar_constraint_multiply(m, d, p->x, p->wanted);
  for (int i = 0; i < m->nrow; i++)
    p->wanted[i] = rest * (d->gamma[i] - p->wanted[i]) - d->Phi_t[i];
}

// Accelerations of the step. A correction of velocities is none: divided by a short step it would
// be a huge one.
void sar_impulse_slope(SarImpulseState* p, const SarModel* m, double h) {
  for (int i = 0; i < m->nv; i++) p->slope[i] = (p->rows.v[i] - p->v0[i] - p->corrected[i]) / h;
}

// States of the user's own to the moment of the jump, by the implicit Euler rule: with theta = 1/2,
// and as much again behind it, that is the implicit midpoint rule.
static void hold_states(SarSim* s, const double* from, double gain) {
  SarData* d = s->d;
  if (s->m->nz == 0) return;
  memcpy(d->z_base, from, (size_t)s->m->nz * sizeof *from);
  d->z_from = d->z_base;
  d->z_made = 0;
  d->z_gain = gain;
}

SarStatus sar_impulse_release_states(SarSim* s) {
  int worst = 0;
  const SarStatus st = sar_states_release(s->m, s->d, &worst);
  if (st != SAR_OK) s->worst = s->m->nv + worst;
  return st;
}

// To the end of the step. From a moment off the middle: Euler's rule again, where the step ends;
// till then a guess.
void sar_impulse_move_states(SarSim* s, const SarJump* jump) {
  SarData* d = s->d;
  const double rest = (1 - jump->theta) * jump->h;
  if (jump->theta != 0.5) hold_states(s, d->z, rest);
  for (int i = 0; i < s->m->nz; i++) d->z[i] += rest * d->z_rate[i];
}

// Forces at the velocities expected now. Of damped knots the states follow by as much as velocities
// are expected to change, as a spring does, which H has already: with them all forces are those at
// v0, and H does the rest.
static void update_forces(SarImpulseState* p, SarSim* s, const SarJump* jump) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const size_t bytes = (size_t)m->nv * sizeof(double);
  s->stats.calls++;
  hold_states(s, s->start.z, jump->theta * jump->h);
  if (p->held.at_start) {
    memcpy(p->x, d->v, bytes);
    memcpy(d->v, p->v0, bytes);
    sar_update_velocities(m, d);
  }
  sar_update_forces(m, d);
  if (!p->held.at_start) return;
  memcpy(d->v, p->x, bytes);
  sar_update_velocities(m, d);
}

// States beside damped knots, and those of the knots, where the step turned out to lead at its
// moment: they go with the bodies, and would be pulled back to where these were by springs that the
// step has taken for implicit.
static SarStatus follow_states(SarImpulseState* p, SarSim* s, const SarJump* jump) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const double gone = jump->theta * jump->h;
  for (int i = 0; i < m->nv; i++) {
    d->v[i] = p->v0[i] + gone * p->slope[i];
    p->x[i] = gone * d->v[i];
  }
  sar_displace(s, p->x, d->q);
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  const SarStatus st = sar_impulse_release_states(s);
  memcpy(d->q, p->q, (size_t)m->nq * sizeof *d->q);
  sar_update_kinematics(m, d);
  return st;
}

// The furthest that a coordinate turns within the step.
static double turn_of(const SarImpulseState* p, const SarModel* m, double h) {
  double turn = 0;
  for (int i = 0; i < m->nv; i++) turn = fmax(turn, h * fabs(p->v0[i]));
  return turn;
}

// Does anything below ask for accelerations that sweeps over constraints have not found yet?
static bool needs_slope(const SarImpulseState* p, const SarModel* m, double h) {
  const SarHeld* held = &p->held;
  if (held->direct || held->singles || m->nrow == 0) return false;
  return held->stiff || held->swift || held->at_start || !(turn_of(p, m, h) < FAR);
}

static SarStatus apply_forces(SarImpulseState* p, SarSim* s, const SarJump* jump) {
  const double h = jump->h;
  const SarModel* m = s->m;
  SarData* d = s->d;
  update_forces(p, s, jump);
  if (m->nrow > 0) {
    sar_update_constraints(m, d);
    sar_update_constraint_rates(m, d);
  }
  if (p->cuts) sar_update_cut_joints(m, d);
  smooth_forces(m, d, p->held.singles, p->x);
  const SarStatus factored = sar_held_factor(&p->held, s, h, jump->theta, p->slope, p->x);
  if (factored != SAR_OK || !p->held.at_start)
    SAR_TRY(sar_impulse_release_states(s));  // tangents are those of states that follow
  SAR_TRY(factored);
  sar_dampers_see(&p->held.dampers, m, d, p->held.at_start ? p->v0 : d->v);
  sar_held_respond_all(&p->held, m, d, p->x);
  for (int i = 0; i < m->nv; i++) p->rows.v[i] = p->v0[i] + h * p->x[i];
  sar_sleep_hold(p, m, p->rows.v);
  memset(p->rows.u, 0, (size_t)m->nv * sizeof *p->rows.u);
  if (p->held.direct) {
    sar_impulse_want_speeds(p, m, d, jump->rest);
    for (int i = 0; i < m->nv; i++) p->x[i] = p->v0[i] + h * p->slope[i];
    sar_held_solve(&p->held, m, d, p->wanted, p->x, p->held.p, p->rows.v);
    sar_held_corrections(&p->held, m, d, p->corrected_p, p->corrected);
  }
  sar_impulse_slope(p, m, h);
  if (*p->held.coupled.failed > 0) return SAR_NOT_CONVERGED;
  if (needs_slope(p, m, h)) sar_impulse_foresee(p, s, jump);
  return p->held.at_start ? follow_states(p, s, jump) : SAR_OK;
}

// Would a damper push? One that acts later than halfway may, where a stiff spring elsewhere turns
// its joint round within the step: v0 + w dv and (v0 + v1) / 2 have different signs then.
static bool dampers_push(const SarImpulseState* p, const SarModel* m, double h) {
  for (int i = 0; i < m->nv; i++) {
    const double v0 = p->v0[i], w = p->held.moment[i];
    const double dv = p->held.direct ? p->rows.v[i] - v0 : h * p->slope[i];
    if (w > 0.5 && (v0 + w * dv) * (v0 + 0.5 * dv) < 0) return true;
  }
  return false;
}

// Do joints turn far within the step, and do accelerations that were found differ so much from
// those expected that velocities halfway are no good? Gyroscopic forces of such velocities would
// feed the motion. In the metric of the diagonal of M.
static bool is_astray(const SarImpulseState* p, const SarModel* m, double h) {
  double off = 0, all = 0;
  if (p->held.singles || turn_of(p, m, h) < FAR) return false;
  for (int i = 0; i < m->nv; i++) {
    const double da = h * (p->slope[i] - p->expected[i]), w = p->held.mass[i];
    off += w * da * da;
    all += w * p->v0[i] * p->v0[i];
  }
  return off > ASTRAY * ASTRAY * all;
}

static SarStatus find_halfway(SarImpulseState* p, SarSim* s, SarJump* jump) {
  for (int pass = 0; pass < ASTRAY_PASSES && is_astray(p, s->m, jump->h); pass++) {
    memcpy(p->expected, p->slope, (size_t)s->m->nv * sizeof *p->slope);
    *jump = sar_impulse_reach(p, s);
    SAR_TRY(apply_forces(p, s, jump));
  }
  return SAR_OK;
}

// Velocities without impulses. Where a run begins, accelerations are those of the instant. A strong
// damper makes them so large that they are none of the step's, nor velocities expected by them:
// they are found again from those of a step without expectations. So are those halfway where a
// stiff spring turns its joint round in every step: by the accelerations of the step before a speed
// that has turned from -v to v would be 2 v halfway, it is nearly 0, and gyroscopic forces of four
// times that square feed the motion.
static SarStatus find_velocities(SarImpulseState* p, SarSim* s, SarJump* jump) {
  p->held.halfway = false;
  memcpy(p->expected, p->slope, (size_t)s->m->nv * sizeof *p->slope);
  *jump = sar_impulse_reach(p, s);
  SAR_TRY(apply_forces(p, s, jump));
  SAR_TRY(find_halfway(p, s, jump));
  if (s->restart && p->held.stiff) {
    memset(p->slope, 0, (size_t)s->m->nv * sizeof *p->slope);
    for (int pass = 0; pass < 2; pass++) {
      *jump = sar_impulse_reach(p, s);
      SAR_TRY(apply_forces(p, s, jump));
    }
  }
  for (int pass = 0; pass < HALFWAY_PASSES && p->held.swift; pass++) {
    *jump = sar_impulse_reach(p, s);
    SAR_TRY(apply_forces(p, s, jump));
  }
  if (!p->held.stiff || !dampers_push(p, s->m, jump->h)) return SAR_OK;
  p->held.halfway = true;
  *jump = sar_impulse_reach(p, s);
  return apply_forces(p, s, jump);
}

SarStatus sar_impulse_push(SarImpulseState* p, SarSim* s, SarJump* jump) {
  SAR_TRY(find_velocities(p, s, jump));
  if (!p->held.direct) sar_impulse_slope(p, s->m, jump->h);  // sweeps begin there
  return SAR_OK;
}
