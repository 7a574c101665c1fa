// The step of the formulations with impulses (impulse.c says what it computes): to the time of
// impact, or the middle; velocities, which jump there; positions.
#include "formulations/impulse/impulse.h"

#include <math.h>
#include <string.h>

static const double RELATIVE = 1e-8;  // change over largest impulse at which sweeps end
static const double EXACT = 1e-13;  // and where rest is sought: what presses hard must not tremble
// So many sweeps are always made: with fewer, what each leaves to the next step grows in tall
// stacks. If the last of them changes little enough, though more than it takes to end others, the
// step is quiet: what the step before left over does not set off new sweeps for ever.
enum { LEAST_SWEEPS = 3 };
enum { REST_AFTER = 8 };        // sweeps over rows: then what rests is solved directly
enum { LOOKS = 2 };             // for what an impact throws against something else
enum { CALM_ROUNDS = 2 };       // for friction that would push
enum { FRICTION_ROUNDS = 12 };  // for friction that falls with the speed
static const double QUIET = 30;
static const double UNKNOWN_TAIL = 0.2;  // of a budget of time: for the end of a first step
// change over largest impulse at which velocities are not right yet
static const double ROUGH = 1e-3;

// Constraints that hold both ways, where they are left to the sweeps. If these ended too early in
// the last step, Phi' = 0 is wanted at the jump, as in the paper: it costs energy, but gamma has
// squares of velocities that are not right then.
static void constraint_rows(SarImpulseState* p, const SarModel* m, const SarData* d,
                            const SarJump* jump) {
  sar_impulse_want_speeds(p, m, d, *p->unsettled ? 0 : jump->rest);
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
  const int least = p->lefts > 0 ? LEAST_SWEEPS : 1;
  return change == 0 || (sweeps >= least && change <= (sweeps == least ? QUIET : 1) * enough);
}

// What some sweeps over rows leave, if it rests (row_rest.h); where that does not help it is left
// out for 1, 2, 4 ... 64 times, which a body of the rows counts.
static bool solve_rest(SarImpulseState* p, const SarSim* s, int contacts,
                       const SarDeadline* deadline) {
  static const double SLOW = 2e8;  // flops in a second, at the least
  const SarModel* m = s->m;
  if (p->row_system.most == 0 || p->rows.count <= contacts || p->rows.row[contacts].parts == 0)
    return false;
  const int body = m->dof_body[p->rows.row[contacts].part[0].first];
  if (p->wait[body] > 0) {
    p->wait[body]--;
    return false;
  }
  const double flops = deadline ? SLOW * (deadline->end - deadline->now()) : HUGE_VAL;
  const double fall = (s->stop - s->start.t) * sar_gravity_size(m);
  const SarRowRest end = sar_row_rest(&p->row_system, m, s->d, &p->rows, contacts, fall, flops);
  if (end == SAR_REST_MOVES) return false;
  const int level = p->level[body] == 0 ? 1 : (int)fmin(2 * p->level[body], SAR_DIRECT_WAIT);
  p->level[body] = p->wait[body] = end == SAR_REST_SOLVED ? 0 : level;
  return end == SAR_REST_SOLVED;
}

// A budget of time is for the whole step: what comes after the sweeps is expected to take as long
// as it did lately (half of the budget at most, for the machine may have been elsewhere). The first
// sweep of a step is always whole.
static void sweep(SarImpulseState* p, SarSim* s, int contacts, bool first) {
  const SarSimOptions* o = &s->options;
  const double tail = s->tail > 0 ? fmin(s->tail, 0.5 * o->budget) : UNKNOWN_TAIL * o->budget;
  const SarDeadline deadline = {s->now, s->began + o->budget - tail};
  const double relative = s->still ? EXACT : RELATIVE;
  const double h = s->stop - s->start.t;
  const SarSweepEnd end = {o->impulse_tolerance,
                           relative,
                           QUIET,
                           o->max_iterations,
                           h,
                           h * sar_gravity_size(s->m),
                           o->budget > 0 ? &deadline : NULL,
                           first};
  bool late = false, done = p->rows.count + p->rows.lefts == 0, fresh = true;
  int sweeps = 0, most = 0;
  const bool settled = sar_islands_sweep(p, s->pool, s->m, s->d, &end, &most, &late);
  while (!done && sweeps < o->max_iterations && (!late || (first && sweeps == 0))) {
    if (p->held.direct) sar_impulses_accelerate(&p->rows, s->m, fresh);
    fresh = false;
    sweeps++;
    const bool timed = o->budget > 0 && !(first && sweeps == 1);
    const double change = sar_impulses_sweep(&p->rows, timed ? &deadline : NULL, &late);
    const double enough =
        o->impulse_tolerance > 0 ? o->impulse_tolerance : relative * p->rows.largest;
    *p->unsettled = change > ROUGH * p->rows.largest;
    done = is_done(&p->rows, sweeps, change, enough);
    if (!done && !late && sweeps % REST_AFTER == 0)
      fresh = solve_rest(p, s, contacts, o->budget > 0 ? &deadline : NULL);
  }
  p->late = late;
  p->cut = !done || !settled;
  if (sweeps < most) sweeps = most;
  s->stats.iterations += sweeps;
}

static bool make_rows(SarImpulseState* p, SarSim* s, const SarJump* jump, SarPlaces* at) {
  sar_impulses_clear(&p->rows);
  if (!p->held.direct) constraint_rows(p, s->m, s->d, jump);
  at->joints = p->rows.count;
  sar_joint_rows(&p->rows, s->m, s->d, jump);
  at->contacts = p->rows.count;
  return sar_contact_rows(&p->rows, s->m, s->d, jump);
}

static void solve_rows(SarImpulseState* p, SarSim* s, const SarJump* jump, const SarPlaces* at,
                       bool first) {
  memcpy(p->direct.free, p->rows.v, (size_t)(s->m->nv + SAR_GROUND) * sizeof *p->rows.v);
  sar_islands_find(&p->islands, s->m, &p->rows);
  sar_impulses_start(&p->rows);
  sweep(p, s, at->contacts, first);
  for (int round = 0; sar_temper_impacts(&p->rows, jump, at->contacts, round); round++)
    sweep(p, s, at->contacts, false);
  for (int round = 0; round < CALM_ROUNDS && !p->late; round++) {
    if (!sar_calm_friction(&p->rows, at->contacts, s->m->nmotor == 0)) break;
    sweep(p, s, at->contacts, false);
  }
  if (s->m->nmotor == 0) sar_cap_work(&p->rows, at->contacts);
  for (int round = 0; round < FRICTION_ROUNDS && !p->late; round++) {
    if (!sar_friction_follows(&p->rows, s->m, jump, at->joints, at->contacts)) break;
    sweep(p, s, at->contacts, false);
  }
  if (!p->cut && !solve_rest(p, s, at->contacts, NULL))
    sar_row_share(&p->row_system, s->m, s->d, &p->rows, at->contacts,
                  SAR_STILL * jump->h * sar_gravity_size(s->m));
}

// What velocities halfway are expected by has constraints in it: links of 1 g under 3 kN that loops
// hold would fly by 1e9 rad/s^2 without, and gamma has the square of what that leads to. Where the
// direct solution is not made, sweeps over these rows alone find it; their impulses start those of
// the step. What does not settle tells nothing: expectations stay.
void sar_impulse_foresee(SarImpulseState* p, SarSim* s, const SarJump* jump) {
  const SarModel* m = s->m;
  const int unsettled = *p->unsettled;
  double* free = p->direct.free;
  memcpy(free, p->rows.v, (size_t)m->nv * sizeof *free);
  sar_impulses_clear(&p->rows);
  constraint_rows(p, m, s->d, jump);
  sar_islands_find(&p->islands, m, &p->rows);
  sar_impulses_start(&p->rows);
  sweep(p, s, p->rows.count, false);
  if (*p->unsettled) {
    memcpy(p->slope, p->expected, (size_t)m->nv * sizeof *p->slope);
  } else {
    sar_impulse_slope(p, m, jump->h);
    for (int i = 0; i < p->rows.count; i++)
      p->multiplier[p->rows.row[i].owner] = -p->rows.row[i].p / jump->h;
  }
  *p->unsettled = unsettled;
  memcpy(p->rows.v, free, (size_t)m->nv * sizeof *free);
  memset(p->rows.u, 0, (size_t)m->nv * sizeof *p->rows.u);
}

// Velocities without impulses again; what was found starts the sweeps.
static bool look_again(SarImpulseState* p, SarSim* s, const SarJump* jump, const SarPlaces* at) {
  const SarModel* m = s->m;
  if (!p->rows.impact || p->late) return false;
  sar_joint_impulses(&p->rows, m, s->d, at->joints, at->contacts, jump->h);
  sar_contact_impulses(&p->rows, s->d, at->contacts, jump);
  if (!sar_find_thrown(p, s, jump)) return false;
  sar_sleep_wake(p, m, s->d, jump, true);
  for (int i = 0; i < m->nv; i++) p->rows.v[i] = p->v0[i] + p->corrected[i] + jump->h * p->slope[i];
  memset(p->rows.u, 0, (size_t)m->nv * sizeof *p->rows.u);
  return true;
}

// Accelerations that are expected: those of the step before; where a run begins those of the
// instant, without impulses. Where time stands still (analysis/settle.h) every step begins anew,
// and rest is sought: an arm that only its motors hold would be expected to fall each time, and
// what it grips would creep by the square of that.
static void expect_slope(SarImpulseState* p, const SarSim* s) {
  const size_t bytes = (size_t)s->m->nv * sizeof *p->slope;
  if (s->still)
    memset(p->slope, 0, bytes);
  else
    memcpy(p->slope, s->start.a, bytes);
}

bool sar_impulse_solve(SarImpulseState* p, SarSim* s, const SarJump* jump, SarPlaces* at,
                       bool first) {
  if (!make_rows(p, s, jump, at)) return false;
  solve_rows(p, s, jump, at, first);
  p->rows.v_led = p->rows.v;
  if (!s->still) sar_rest(p, s->m, s->d, jump);
  return true;
}

// Did the impact that the step jumps at not happen? Trees turn aside by forces that velocities
// alone do not show.
static bool has_missed(const SarImpulseState* p, const SarJump* jump, int contacts) {
  if (jump->theta == 0.5 || p->held.bodies) return false;
  for (int i = contacts; i < p->rows.count; i++)
    if (p->rows.row[i].p != 0 || p->rows.row[i].pseudo != 0) return false;
  for (int i = 0; i < p->rows.points.count; i++)
    if (p->rows.points.p[i][0] != 0 || p->rows.points.point[i].pseudo != 0) return false;
  return true;
}

SarStatus sar_impulse_part(SarSim* s, bool* parted) {
  SarImpulseState* p = s->formulation_state;
  SarPlaces at;
  expect_slope(p, s);
  if (s->restart) {
    memcpy(p->multiplier, s->d->lambda, (size_t)s->m->nrow * sizeof *p->multiplier);
    sar_held_keep(&p->held, s->m, s->d);
  }
  SarJump jump;
  SAR_TRY(sar_impulse_push(p, s, &jump));
  if (parted && p->bounces) {
    *parted = true;
    return SAR_OK;
  }
  for (int look = 0; look == 0 || (look <= LOOKS && look_again(p, s, &jump, &at)); look++)
    if (!sar_impulse_solve(p, s, &jump, &at, look == 0)) return SAR_NO_SCRATCH;
  if (has_missed(p, &jump, at.contacts)) {  // forces act halfway then
    p->passes = true;
    expect_slope(p, s);
    const SarStatus again = sar_impulse_push(p, s, &jump);
    p->passes = false;
    SAR_TRY(again);
    if (!sar_impulse_solve(p, s, &jump, &at, false)) return SAR_NO_SCRATCH;
  }
  if (s->options.budget > 0) s->iterated = s->now();
  if (p->held.direct && p->rows.count + p->rows.points.count > 0) s->judged = false;
  if (p->cut) sar_note_unsettled(p, s, at.joints, at.contacts);
  sar_find_flying(p, s);
  sar_impulse_move_states(s, &jump);  // what is prescribed may follow them
  sar_impulse_close_loops(p, s, &jump);
  sar_impulse_keep(p, s, &jump, at.joints, at.contacts);
  sar_contact_speeds(&p->rows, s->d, at.contacts, &jump);
  return sar_impulse_end(p, s, &jump, at.joints, at.contacts);
}

SarStatus sar_impulse_step(SarSim* s) {
  SarImpulseState* p = s->formulation_state;
  bool parted = false;
  p->whole = 0;
  p->between = false;
  const long before = s->stats.iterations;
  sar_sleep_read(p, s);
  SarStatus status = sar_impulse_part(s, p->impacts.possible ? &parted : NULL);
  if (status == SAR_OK && parted) {
    sar_sleep_wake_all(p, s->m);
    status = sar_impulse_parts(p, s);
  }
  if (status == SAR_OK) sar_sleep_look(p, s, !parted);
  const long sweeps = s->stats.iterations - before;  // of all solutions of the step
  if (sweeps > s->stats.iterations_max) s->stats.iterations_max = (int)sweeps;
  return status;
}
