// The step of the formulations with impulses (impulse.c says what it computes): to the time of
// impact, or the middle; velocities, which jump there; positions.
#include "dynamics/constraints.h"
#include "dynamics/cut_joints.h"
#include "dynamics/displacement.h"
#include "dynamics/projection.h"
#include "dynamics/states.h"
#include "formulations/impulse/flight.h"
#include "formulations/impulse/impulse.h"

#include <math.h>
#include <string.h>

static const double RELATIVE = 1e-8;  // change over largest impulse at which sweeps end
// So many sweeps are always made: with fewer, what each leaves to the next step grows in tall stacks. If the last of
// them changes little enough, though more than it takes to end others, the step is quiet: what the step before
// left over does not set off new sweeps for ever.
enum { LEAST_SWEEPS = 3 };
enum { LOOKS = 2 };             // for what an impact throws against something else
enum { HALFWAY_PASSES = 2 };    // for velocities halfway beside springs that swing within a step
enum { FRICTION_ROUNDS = 12 };  // for friction that falls with the speed
static const double QUIET = 30;
static const double UNKNOWN_TAIL = 0.2;  // of a budget of time: for the end of a first step
static const double ROUGH =
    1e-3;  // change over largest impulse at which velocities are not right yet
static const double SHIFTED =
    1e-3;  // of the step: a moment of impact so near the middle is the middle

void sar_impulse_evaluate(SarSim* s) {
  s->stats.calls++;
  sar_update_kinematics(s->m, s->d);
  sar_update_forces(s->m, s->d);
  if (s->m->nrow > 0) {
    sar_update_constraints(s->m, s->d);
    sar_update_constraint_rates(s->m, s->d);
  }
}

// ---- to the moment of the impulses -------------------------------------------------------------

static void move_to(SarImpulseState* p, SarSim* s, double h, double theta) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  memcpy(d->q, s->start.q, (size_t)m->nq * sizeof(double));
  memcpy(d->v, s->start.v, (size_t)m->nv * sizeof(double));
  sar_drift(s, theta * h, NULL, d->q, d->v);
  memcpy(p->v0, d->v, (size_t)m->nv * sizeof(double));
  sar_expect_cuts(s, theta * h, d->q);
  d->t = fmin(fmax(s->start.t + theta * h, s->t_low), s->t_high);
  if (m->ncollider == 0) return;  // no contact to look for: reach_moment does the rest
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_find_contacts(m, d, &p->search, h);
  if (d->ncontact > s->stats.contacts_max) s->stats.contacts_max = d->ncontact;
  s->stats.contacts_missed = p->search.missed;
}

// The moment of the first impact; the middle if there is none. fast: there may be one.
static double find_moment(SarImpulseState* p, SarSim* s, double h, bool* fast) {
  const SarModel* m = s->m;
  bool still;
  move_to(p, s, h, 0.5);
  double first = sar_first_impact(m, s->d, p->search.speed, h, 0.5, fast);
  int ahead = 0;
  if (sar_may_pass(&p->search, 0.5 * h)) {  // it may be through already
    move_to(p, s, h, 0);
    first = fmin(first, sar_first_impact(m, s->d, p->search.speed, h, 0, &still));
    *fast = true;
  }
  if (*fast) {
    move_to(p, s, h, 1);
    first = fmin(first, sar_first_impact(m, s->d, p->search.speed, h, 1, &still));
    ahead = sar_look_ahead(m, s->d, p->search.speed, h, p->ahead);
  }
  const double theta = first < 1 && fabs(first - 0.5) > SHIFTED ? first : 0.5;
  if (*fast || theta != 0.5) move_to(p, s, h, theta);
  sar_add_ahead(m, s->d, h, theta, p->ahead, ahead);
  return theta;
}

static SarJump reach_moment(SarImpulseState* p, SarSim* s) {
  bool fast;
  const double h = s->stop - s->start.t, theta = find_moment(p, s, h, &fast);
  memcpy(p->q, s->d->q, (size_t)s->m->nq_all * sizeof(double));
  // forces are those at the velocities expected now
  for (int i = 0; i < s->m->nv; i++) s->d->v[i] += theta * h * p->slope[i];
  if (s->m->ncollider > 0)
    sar_update_velocities(s->m, s->d);
  else
    sar_update_kinematics(s->m, s->d);
  return (SarJump){h, theta, fmax((1 - theta) * h, 1e-9 * h), fast, p->v0};
}

// ---- velocities ----------------------------------------------------------------------------------

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

// The speeds that rows are to have now for Phi' = 0 where the step ends: on the way there, without forces,
// Phi'' = Psi a - gamma with the accelerations a of the drift. Phi' = 0 at the jump itself would lose energy in
// every step, as sliding down a polygon does.
static void want_speeds(SarImpulseState* p, const SarModel* m, const SarData* d, double rest) {
  sar_drift_accelerations(m, d->q, d->v, p->x);
  sar_constraint_multiply(m, d, p->x, p->wanted);
  for (int i = 0; i < m->nrow; i++)
    p->wanted[i] = rest * (d->gamma[i] - p->wanted[i]) - d->Phi_t[i];
}

// Accelerations of the step. A correction of velocities is none: divided by a short step it would be a huge one.
static void find_slope(SarImpulseState* p, const SarModel* m, double h) {
  for (int i = 0; i < m->nv; i++) p->slope[i] = (p->rows.v[i] - p->v0[i] - p->corrected[i]) / h;
}

// States of the user's own to the moment of the jump, by the implicit Euler rule: with theta = 1/2, and as
// much again behind it, that is the implicit midpoint rule.
static void hold_states(SarSim* s, const double* from, double gain) {
  SarData* d = s->d;
  if (s->m->nz == 0) return;
  memcpy(d->z_base, from, (size_t)s->m->nz * sizeof *from);
  d->z_from = d->z_base;
  d->z_gain = gain;
}

static SarStatus release_states(SarSim* s) {
  int worst = 0;
  const SarStatus st = sar_states_release(s->m, s->d, &worst);
  if (st != SAR_OK) s->worst = s->m->nv + worst;
  return st;
}

// To the end of the step. From a moment off the middle: Euler's rule again, where the step ends; till then a guess.
static void move_states(SarSim* s, const SarJump* jump) {
  SarData* d = s->d;
  const double rest = (1 - jump->theta) * jump->h;
  if (jump->theta != 0.5) hold_states(s, d->z, rest);
  for (int i = 0; i < s->m->nz; i++) d->z[i] += rest * d->z_rate[i];
}

static SarStatus apply_forces(SarImpulseState* p, SarSim* s, const SarJump* jump) {
  const double h = jump->h;
  const SarModel* m = s->m;
  SarData* d = s->d;
  s->stats.calls++;
  hold_states(s, s->start.z, jump->theta * h);
  sar_update_forces(m, d);
  if (m->nrow > 0) {
    sar_update_constraints(m, d);
    sar_update_constraint_rates(m, d);
  }
  if (p->cuts) sar_update_cut_joints(m, d);
  SAR_TRY(release_states(s));
  smooth_forces(m, d, p->held.singles, p->x);
  SAR_TRY(sar_held_factor(&p->held, s, h, jump->theta, p->slope, p->x));
  sar_held_respond_all(&p->held, m, d, p->x);
  for (int i = 0; i < m->nv; i++) p->rows.v[i] = p->v0[i] + h * p->x[i];
  memset(p->rows.u, 0, (size_t)m->nv * sizeof *p->rows.u);
  if (p->held.direct) {
    want_speeds(p, m, d, jump->rest);
    for (int i = 0; i < m->nv; i++) p->x[i] = p->v0[i] + h * p->slope[i];
    sar_held_solve(&p->held, m, d, p->wanted, p->x, p->held.p, p->rows.v);
    sar_held_corrections(&p->held, m, d, p->corrected_p, p->corrected);
  }
  find_slope(p, m, h);
  return SAR_OK;
}

// Constraints that hold both ways, where they are left to the sweeps. If these ended too early in the last step, Phi' = 0 is wanted
// at the jump, as in the paper: it costs energy, but gamma has squares of velocities that are not right then.
static void constraint_rows(SarImpulseState* p, const SarModel* m, const SarData* d,
                            const SarJump* jump) {
  want_speeds(p, m, d, *p->unsettled ? 0 : jump->rest);
  for (int i = 0; i < d->nactive; i++) {
    const int r = d->active_row[i];
    SarImpulseRow* row = sar_impulses_add(&p->rows);
    for (int k = m->row_adr[r]; k < m->row_adr[r + 1]; k++)
      sar_impulse_coordinate(&p->rows, row, m->row_dof[k], d->Psi[k]);
    sar_impulse_ready(&p->rows, row, m, d, jump->v0);
    row->owner = r;
    row->speed = p->wanted[r];
    row->shift = -d->Phi[r] / jump->rest;
    row->shifts = p->rows.shifting = true;
    row->p = -p->multiplier[r] * jump->h;
  }
}

// A step with contacts of free bodies makes LEAST_SWEEPS at least.
static bool is_done(const SarImpulses* p, int sweeps, double change, double enough) {
  const int least = p->points.count > 0 ? LEAST_SWEEPS : 1;
  return change == 0 || (sweeps >= least && change <= (sweeps == least ? QUIET : 1) * enough);
}

// A budget of time is for the whole step: what comes after the sweeps is expected to take as long as it did lately (half of the
// budget at most, for the machine may have been elsewhere). The first sweep of a step is always whole.
static void sweep(SarImpulseState* p, SarSim* s, bool first) {
  const SarSimOptions* o = &s->options;
  const double tail = s->tail > 0 ? fmin(s->tail, 0.5 * o->budget) : UNKNOWN_TAIL * o->budget;
  const SarDeadline deadline = {s->now, s->began + o->budget - tail};
  bool late = false, done = p->rows.count + p->rows.points.count == 0;
  int sweeps = 0;
  while (!done && sweeps < o->max_iterations && !late) {
    if (p->held.direct) sar_impulses_accelerate(&p->rows, s->m, sweeps == 0);
    sweeps++;
    const bool timed = o->budget > 0 && !(first && sweeps == 1);
    const double change = sar_impulses_sweep(&p->rows, timed ? &deadline : NULL, &late);
    const double enough =
        o->impulse_tolerance > 0 ? o->impulse_tolerance : RELATIVE * p->rows.largest;
    *p->unsettled = change > ROUGH * p->rows.largest;
    done = is_done(&p->rows, sweeps, change, enough);
  }
  p->late = late;
  p->cut = !done;
  s->stats.iterations += sweeps;
  if (sweeps > s->stats.iterations_max) s->stats.iterations_max = sweeps;
}

// ---- positions -----------------------------------------------------------------------------------

static void drift_on(SarImpulseState* p, SarSim* s, const SarJump* jump) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  memcpy(d->q, p->q, (size_t)m->nq_all * sizeof(double));
  memcpy(d->v, p->rows.v, (size_t)m->nv * sizeof(double));
  sar_drift(s, jump->rest, p->rows.u, d->q, d->v);
  d->t = fmin(s->stop, s->t_high);
}

// Held rows are closed where the step ends, not where it jumped: one Newton step on what a trial leaves open,
// with the matrix at hand.
static void close_loops(SarImpulseState* p, SarSim* s, const SarJump* jump) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  if (!p->held.direct || m->nrow == 0 || !s->options.project) return;
  drift_on(p, s, jump);
  sar_update_positions(m, d);
  sar_update_world(m, d);
  sar_update_constraints(m, d);
  for (int i = 0; i < m->nrow; i++) p->wanted[i] = -d->Phi[i] / jump->rest;
  sar_held_solve(&p->held, m, d, p->wanted, NULL, p->z, p->rows.u);
}

static void keep_impulses(SarImpulseState* p, SarSim* s, const SarJump* jump, int joints,
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

// Does somebody look at forces where a step ends? Constraints, events and kinks do; so do work accounts of scenes with
// contact, where velocities jump, and the power in the middle is not that of the step. Columns evaluate for themselves.
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

// Work of the dampers that H takes: -c (v0 + w dv) along the way h (v0 + v1) / 2. Their power at velocities that are only
// expected is not that of the step, by orders of magnitude where they are strong.
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

static SarStatus end_step(SarImpulseState* p, SarSim* s, const SarJump* jump, int joints,
                          int contacts) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const bool looked_at = is_looked_at(s);
  if (!looked_at) book_forces(s, jump->h, false);
  drift_on(p, s, jump);
  if (p->rows.shifting) sar_keep_momentum(&p->rows, m, d, jump, p->x, p->rows.v_last);
  if (!p->rows.impact) find_slope(p, m, jump->h);
  for (int i = 0; i < m->nv; i++)
    p->step_a[i] = (d->v[i] - s->start.v[i] - p->corrected[i]) / jump->h;
  *p->stepped = 1;
  memcpy(d->a, p->slope, (size_t)m->nv * sizeof *d->a);
  if (looked_at) {
    sar_impulse_evaluate(s);
    if (d->z_from) SAR_TRY(release_states(s));
    sar_held_keep(&p->held, m, d);
    if (s->projection && m->nrow > 0) s->projection->drift = sar_violation(m, d);
    sar_update_constraint_work(m, d);
    book_forces(s, jump->h, true);
  }
  book_dampers(p, s, jump->h);
  sar_book_impulses(&p->books, &p->rows, m, jump, joints, contacts, d->work);
  d->t = s->stop;
  return SAR_OK;
}

// Rows of joints begin behind those of constraints, rows of contacts behind those of joints.
typedef struct Places {
  int joints, contacts;
} Places;

static bool make_rows(SarImpulseState* p, SarSim* s, const SarJump* jump, Places* at) {
  sar_impulses_clear(&p->rows);
  if (!p->held.direct) constraint_rows(p, s->m, s->d, jump);
  at->joints = p->rows.count;
  sar_joint_rows(&p->rows, s->m, s->d, jump);
  at->contacts = p->rows.count;
  return sar_contact_rows(&p->rows, s->m, s->d, jump);
}

static void solve_rows(SarImpulseState* p, SarSim* s, const SarJump* jump, const Places* at,
                       bool first) {
  sar_impulses_start(&p->rows);
  sweep(p, s, first);
  for (int round = 0; sar_temper_impacts(&p->rows, jump, at->contacts, round); round++)
    sweep(p, s, false);
  for (int round = 0; round < FRICTION_ROUNDS && !p->late; round++) {
    if (!sar_friction_follows(&p->rows, s->m, jump, at->joints, at->contacts)) break;
    sweep(p, s, false);
  }
}

// Velocities without impulses again; what was found starts the sweeps.
static bool look_again(SarImpulseState* p, SarSim* s, const SarJump* jump, const Places* at) {
  const SarModel* m = s->m;
  if (!p->rows.impact || p->late) return false;
  sar_joint_impulses(&p->rows, m, s->d, at->joints, at->contacts, jump->h);
  sar_contact_impulses(&p->rows, s->d, at->contacts, jump);
  if (!sar_find_thrown(p, s, jump)) return false;
  for (int i = 0; i < m->nv; i++) p->rows.v[i] = p->v0[i] + p->corrected[i] + jump->h * p->slope[i];
  memset(p->rows.u, 0, (size_t)m->nv * sizeof *p->rows.u);
  return true;
}

// Would a damper push? One that acts later than halfway may, where a stiff spring elsewhere turns its joint round within the
// step: v0 + w dv and (v0 + v1) / 2 have different signs then.
static bool dampers_push(const SarImpulseState* p, const SarModel* m) {
  for (int i = 0; i < m->nv; i++) {
    const double v0 = p->v0[i], dv = p->rows.v[i] - v0, w = p->held.moment[i];
    if (w > 0.5 && (v0 + w * dv) * (v0 + 0.5 * dv) < 0) return true;
  }
  return false;
}

// Velocities without impulses. Where a run begins, accelerations are those of the instant. A strong damper makes them so large
// that they are none of the step's, nor velocities expected by them: they are found again from those of a step without
// expectations. So are those halfway where a stiff spring turns its joint round in every step: by the accelerations of the
// step before a speed that has turned from -v to v would be 2 v halfway, it is nearly 0, and gyroscopic forces of
// four times that square feed the motion.
static SarStatus push(SarImpulseState* p, SarSim* s, SarJump* jump) {
  p->held.halfway = false;
  *jump = reach_moment(p, s);
  SAR_TRY(apply_forces(p, s, jump));
  if (s->restart && p->held.stiff) {
    memset(p->slope, 0, (size_t)s->m->nv * sizeof *p->slope);
    for (int pass = 0; pass < 2; pass++) {
      *jump = reach_moment(p, s);
      SAR_TRY(apply_forces(p, s, jump));
    }
  }
  for (int pass = 0; pass < HALFWAY_PASSES && p->held.swift; pass++) {
    *jump = reach_moment(p, s);
    SAR_TRY(apply_forces(p, s, jump));
  }
  if (!p->held.stiff || !dampers_push(p, s->m)) return SAR_OK;
  p->held.halfway = true;
  *jump = reach_moment(p, s);
  return apply_forces(p, s, jump);
}

SarStatus sar_impulse_step(SarSim* s) {
  SarImpulseState* p = s->formulation_state;
  Places at;
  memcpy(p->slope, s->start.a, (size_t)s->m->nv * sizeof *p->slope);
  if (s->restart) {
    memcpy(p->multiplier, s->d->lambda, (size_t)s->m->nrow * sizeof *p->multiplier);
    sar_held_keep(&p->held, s->m, s->d);
  }
  SarJump jump;
  SAR_TRY(push(p, s, &jump));
  for (int look = 0; look == 0 || (look <= LOOKS && look_again(p, s, &jump, &at)); look++) {
    if (!make_rows(p, s, &jump, &at)) return SAR_NO_SCRATCH;
    solve_rows(p, s, &jump, &at, look == 0);
  }
  if (s->options.budget > 0) s->iterated = s->now();
  if (p->cut) sar_note_unsettled(p, s, at.joints, at.contacts);
  move_states(s, &jump);  // what is prescribed may follow them
  close_loops(p, s, &jump);
  keep_impulses(p, s, &jump, at.joints, at.contacts);
  return end_step(p, s, &jump, at.joints, at.contacts);
}
