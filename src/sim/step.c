// One time step, and many: preparing what an integrator needs, judging what it did.
#include "base/error.h"
#include "dynamics/cut_joints.h"
#include "dynamics/element_states.h"
#include "dynamics/knots.h"
#include "dynamics/projection.h"
#include "dynamics/tree.h"
#include "formulations/implicit/scheme.h"
#include "integrators/stage.h"
#include "sim/discrete.h"
#include "sim/events.h"
#include "sim/judge.h"
#include "sim/kinks.h"
#include "sim/method.h"
#include "sim/outputs.h"
#include "sim/setup.h"
#include "sim/state.h"
#include "sim/step_words.h"

#include <math.h>
#include <string.h>

static const double TOUCHED = 1e-9;  // violations that no step leaves
static const double SLIVER = 1e-3;   // of a fixed step: no step is worth making for so little
enum { SHORTER = 3 };                // times that a step which lost energy is tried again

static void copy(double* to, const double* from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
}

static bool same(const double* a, const double* b, int n) {
  return n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

// ---- failure ------------------------------------------------------------------------------------

// Back to the last accepted step, with an explanation. Nothing is left of the attempt: made again,
// the step would fail again.
static SarStatus fail(SarSim* s, SarStatus status) {
  sar_step_explain(s, status);
  sar_state_restore(s);
  s->stack_used = 0;
  return status;
}

// ---- before a step ------------------------------------------------------------------------------

// Has nobody touched the state since the last step ended?
static bool is_untouched(const SarModel* m, const SarData* d) {
  return sar_state_is_untouched(d) && same(d->input, d->end_input, m->ninput) &&
         same(d->tau_host, d->end_tau, m->nv_all);
}

// Does every evaluation look at all cut joints?
static bool all_cuts_act(const SarModel* m) {
  for (int k = 0; k < m->ncut; k++)
    if (!m->cut[k].acts) return false;
  return true;
}

// Columns show in which turn a cut joint is: looked at once a step, or turns would be missed.
static void look_at_cuts(const SarModel* m, SarData* d) {
  if ((!m->counts_turns && !m->needs_cuts) || all_cuts_act(m)) return;
  sar_update_world(m, d);
  sar_update_cut_joints(m, d);
}

// What an evaluation within a step may have left out.
static void catch_up(SarSim* s) {
  if (s->bare) sar_update_kinematics(s->m, s->d);
  s->bare = false;
}

// The rates at the start: known (those of the end of the last step), or evaluated.
static SarStatus start_rates(SarSim* s, bool known) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  if (known) {
    copy(s->start.a, d->end_a, m->nv);
    copy(s->start.z_rate, d->end_z_rate, m->nz);
    copy(s->start.power, d->end_power, m->nwork);
    copy(s->start_switch, d->end_switch, m->nswitch);
    return SAR_OK;
  }
  double t = d->t;
  d->t = fmax(t, s->t_low);
  s->stats.calls++;
  SarStatus st = s->call.accel(s);
  d->t = t;
  for (int i = 0; i < m->nv && st == SAR_OK; i++)
    if (!isfinite(d->a[i])) st = SAR_NOT_FINITE, s->worst = i;
  copy(s->start.a, d->a, m->nv);
  for (int i = 0; i < m->nz && st == SAR_OK; i++)
    if (!isfinite(d->z_rate[i])) st = SAR_NOT_FINITE, s->worst = m->nv + i;
  copy(s->start.z_rate, d->z_rate, m->nz);
  copy(s->start.power, d->work_rate, m->nwork);
  sar_switch_read(s, s->start_switch);
  return st;
}

// The clock holds unless somebody set the time, and its grid as long as all steps are of the length
// `step` (0: adaptive, no grid).
static void wind_clock(SarData* d, double step) {
  SarClock* c = &d->clock;
  if (c->t != d->t) *c = (SarClock){.t = d->t};
  if (c->step == step) return;
  c->mark = d->t;
  c->step = step;
  c->count = 0;
}

// A state that the host has set is brought onto the constraints, if it is off them by more than a
// run would leave.
static SarStatus close_again(SarSim* s) {
  const SarModel* m = s->m;
  if (!s->projection) return SAR_OK;
  const double open = sar_position_violation(m, s->d, s->projection);
  const double moving = sar_velocity_violation(m, s->d, s->projection);
  if (open <= TOUCHED && moving <= TOUCHED) return SAR_OK;
  sar_projection_forget(s->projection);
  SAR_TRY(sar_project(m, s->d, s->projection));
  copy(s->start.q, s->d->q, m->nq);
  copy(s->start.v, s->d->v, m->nv);
  return SAR_OK;
}

// Where a run begins, or goes on from a state that is new, nobody knows before the first evaluation
// whether that is beside a singular position. If it is, what was evaluated was without the care
// that accelerations need there, and the first steps would lead on from them.
static SarStatus look_first(SarSim* s) {
  s->call.look(s);
  if (!s->near_singular || s->formulation->shape != SAR_SHAPE_ACCEL) return SAR_OK;
  const SarStatus st = start_rates(s, false);
  catch_up(s);
  return st;
}

static SarStatus begin(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  s->trouble[0] = 0;
  s->worst = -1;
  s->tried = 0;
  s->lost = 0;
  d->z_made = 0;
  sar_state_adopt(s);
  sar_state_keep(s);
  const bool touched = !is_untouched(m, d);
  s->restart = touched || d->restart;
  const bool prepared = !touched && d->restart == SAR_RESTART_PREPARED && !s->events;
  wind_clock(d, s->adaptive ? 0 : s->options.step);
  s->t_low = sar_kink_at(m, d->t) ? d->t + sar_kink_width(d->t) : (double)-INFINITY;
  s->t_high = s->still ? d->t : (double)INFINITY;
  if (s->still) s->t_low = d->t;
  SarStatus st = touched ? close_again(s) : SAR_OK;
  if (st == SAR_OK && s->events) st = sar_events_catch_up(s, touched);
  SarEnergy opened;
  if (st == SAR_OK && isnan(d->energy_start)) st = sar_energy(d, &opened);
  if (st == SAR_OK) st = start_rates(s, prepared || !s->restart);
  catch_up(s);
  const bool anew = st == SAR_OK && s->restart && !prepared;
  if (anew) sar_keep_elements(m, d, true);
  if (anew) look_at_cuts(m, d);
  copy(s->start.q + m->nq, d->q + m->nq, m->nq_all - m->nq);
  copy(s->start.v + m->nv, d->v + m->nv, m->nv_all - m->nv);
  if (anew) st = look_first(s);
  return st == SAR_OK ? sar_judge_begin(s) : st;
}

// Where the step must end: at `limit` or a kink if one comes first, fixed steps on their own grid
// t = mark + count h too. True when that is a point of the grid, or stands for one: where a row of
// output or a kink comes within a sliver of a step before or after it there is none between the
// two, and the step that would meet it is longer by so much. Implicit steps have accelerations of
// displacements over h^2: of slivers that is rounding.
static bool choose_stop(SarSim* s, double limit) {
  const SarClock* c = &s->d->clock;
  double t = s->start.t, kink = sar_kink_after(s->m, t), h = c->step;
  double slop = isfinite(kink) ? sar_kink_width(kink) : 0;
  bool lands_on_kink = isfinite(kink) && kink <= limit + slop;
  s->stop = kink < limit - slop ? kink : limit;
  bool on_grid = false;
  if (!s->adaptive) {
    double slack = SLIVER * h, grid = c->mark + (c->count + 1) * h;
    on_grid = s->stop >= grid - slack;
    if (s->stop > grid + slack) {
      s->stop = grid;
      lands_on_kink = false;
    }
  }
  if (lands_on_kink && !s->still) s->t_high = s->stop - sar_kink_width(s->stop);
  return on_grid;
}

// ---- after a step -------------------------------------------------------------------------------

// Steps that end at a kink of the state count, but their lengths say nothing about the integrator.
static void count_step(SarStats* z, double h, bool at_kink) {
  z->steps++;
  z->step_last = h;
  if (at_kink) return;
  z->step_min = z->step_min == 0 || h < z->step_min ? h : z->step_min;
  z->step_max = h > z->step_max ? h : z->step_max;
}

static void keep_largest(double* most, double x) {
  if (x > *most) *most = x;
}

static void note_violations(SarSim* s) {
  SarStats* z = &s->stats;
  const SarViolation left = sar_violation(s->m, s->d);
  const SarViolation drift = s->projection ? s->projection->drift : left;
  keep_largest(&z->position_violation, left.position);
  keep_largest(&z->velocity_violation, left.velocity);
  keep_largest(&z->position_drift, drift.position);
  keep_largest(&z->velocity_drift, drift.velocity);
}

// The longest time that was needed after the iterations lately.
static void note_tail(SarSim* s) {
  static const double FORGET = 0.95;
  if (s->options.budget > 0) s->tail = fmax(s->now() - s->iterated, FORGET * s->tail);
}

// Near a singular position accelerations of an implicit step that was cut short are worth nothing:
// they are displacements over h^2, and the rounding of positions is in them over the lever of the
// rows. They are evaluated instead, and the next step begins with them.
static SarStatus mend_cut_step(SarSim* s, bool* mended) {
  const bool implicit =
      s->formulation->shape == SAR_SHAPE_STEP || s->formulation->shape == SAR_SHAPE_MULTISTEP;
  *mended = implicit && s->near_singular && s->d->t - s->start.t < SAR_CUT_SHORT * s->options.step;
  if (!*mended) return SAR_OK;
  s->stats.calls++;
  return s->call.accel(s);
}

// Have positions and velocities of bodies been evaluated where the step has ended? Multistep
// formulations do that.
static bool is_evaluated(const SarSim* s) {
  return s->formulation->shape == SAR_SHAPE_MULTISTEP && !s->events && s->m->nmodal == 0;
}

// What the next step begins with, as long as nobody touches it.
static void keep_end(SarSim* s, const double* a, const double* z_rate, const double* power) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  d->end_t = d->t;
  copy(d->end_q, d->q, m->nq);
  copy(d->end_v, d->v, m->nv);
  copy(d->end_a, a, m->nv);
  copy(d->end_z, d->z, m->nz);
  copy(d->end_z_rate, z_rate, m->nz);
  copy(d->end_power, power, m->nwork);
  copy(d->end_input, d->input, m->ninput);
  copy(d->end_tau, d->tau_host, m->nv_all);
}

static SarStatus finish(SarSim* s, bool on_grid, bool switched) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  d->clock.t = d->t;
  if (on_grid) d->clock.count++;
  keep_end(s, d->a, d->z_rate, d->work_rate);
  sar_switch_read(s, d->end_switch);
  look_at_cuts(m, d);
  sar_keep_knots(m, d);
  sar_keep_elements(m, d, !is_evaluated(s));
  sar_a_becomes(d, s->call.show(s));
  // what was evaluated just before a kink or an event does not hold after it
  d->restart = switched || d->t > s->t_high;
  s->restart = d->restart;
  if (s->restart)
    d->clock.error = 0;
  else
    s->call.look(s);
  s->version = ++d->version;
  return sar_hold_outputs(s);
}

static SarStatus step_within(SarSim* s, double limit) {
  if (s->options.budget > 0) s->began = s->now();
  SarStatus st = begin(s);
  if (st != SAR_OK) return fail(s, st);
  bool on_grid = choose_stop(s, limit);
  s->tried = s->stop - s->start.t;
  if (!(s->tried > 0)) return fail(s, SAR_STEP_TOO_SMALL);
  bool at_kink = false, mended = false,
       watch = s->adaptive && s->m->nswitch > 0 && s->integrator->dense &&
               sar_integrator_steps(s->formulation);
  s->locate = watch && s->d->clock.unchecked == 0;
  st = s->call.step(s);
  catch_up(s);
  if (st == SAR_OK) st = mend_cut_step(s, &mended);
  if (st == SAR_OK) st = sar_judge_state(s);
  if (st == SAR_OK && watch) {
    st = sar_kink_locate(s, &at_kink);
    if (st == SAR_OK) st = sar_judge_state(s);
  }
  if (st == SAR_OK) st = sar_judge_end(s);
  if (st != SAR_OK) return fail(s, st);
  if (s->m->nrow > 0) note_violations(s);
  bool switched = false;
  bool sampled = false;
  if (s->events) st = sar_events_update(s, &switched);
  if (st == SAR_OK && s->m->ndiscrete > 0) st = sar_discrete_update(s, &sampled);
  if (st != SAR_OK) return fail(s, st);
  count_step(&s->stats, s->d->t - s->start.t, at_kink);
  st = finish(s, on_grid, switched || sampled || mended);
  note_tail(s);
  return st;
}

SarStatus sar_step_within(SarSim* s, double limit) {
  s->d->friction = s->formulation->friction;
  s->stepping = true;
  SarStatus st = step_within(s, limit);
  // error control does not see the energy: a step that lost some is made in parts
  for (int i = 0; i < SHORTER && s->adaptive && st == SAR_SINGULAR && s->lost > 0; i++)
    st = step_within(s, s->d->t + s->tried / 4);
  s->stepping = false;
  s->d->friction = SAR_FRICTION_SMOOTH;
  return st;
}

// Shape ACCEL: what a step that begins anew finds where it begins, found before it. Others evaluate
// more there than rates, and events may switch between now and then.
SarStatus sar_step_prepare(SarSim* s) {
  SarData* d = s->d;
  if (s->formulation->shape != SAR_SHAPE_ACCEL || s->events || s->integrator->keeps_history)
    return SAR_OK;
  if (!d->restart && is_untouched(s->m, d)) return SAR_OK;
  d->friction = s->formulation->friction;
  s->stepping = true;
  const SarStatus st = begin(s);
  s->stepping = false;
  d->friction = SAR_FRICTION_SMOOTH;
  if (st != SAR_OK) return fail(s, st);
  if (!s->restart) return SAR_OK;
  keep_end(s, s->start.a, s->start.z_rate, s->start.power);
  copy(d->end_switch, s->start_switch, s->m->nswitch);
  d->restart = SAR_RESTART_PREPARED;
  s->version = ++d->version;
  return SAR_OK;
}

// Its own evaluation: the next step must not take what it left for rates of its own.
SAR_API SarStatus sar_accelerations(SarSim* s) {
  SAR_GIVEN(s);
  s->trouble[0] = 0;
  if (s->events) SAR_TRY(sar_events_catch_up(s, false));
  // impulses belong to steps: at an instant friction is found, or smooth
  const bool found = s->formulation->friction == SAR_FRICTION_FOUND;
  s->d->friction = found ? SAR_FRICTION_FOUND : SAR_FRICTION_SMOOTH;
  sar_a_becomes(s->d, false);
  const SarStatus st = s->call.accel(s);
  s->d->friction = SAR_FRICTION_SMOOTH;
  SAR_TRY(st);
  for (int i = 0; i < s->m->nv; i++)
    if (!isfinite(s->d->a[i])) return SAR_NOT_FINITE;
  return SAR_OK;
}

SAR_API SarStatus sar_step(SarSim* s) {
  SAR_GIVEN(s);
  return sar_step_within(s, (double)INFINITY);
}

SAR_API SarStatus sar_advance(SarSim* s, double t_end) {
  SAR_GIVEN(s);
  SarData* d = s->d;
  s->trouble[0] = 0;
  if (!(t_end >= d->t) || isinf(t_end)) {
    sar_step_say(s, "at t = %.9g: cannot advance to t = %.9g", d->t, t_end);
    return SAR_BAD_ARGUMENT;
  }
  for (long n = 0; d->t < t_end; n++) {
    if (s->options.max_steps > 0 && n == s->options.max_steps) {
      sar_step_say(s,
                   "at t = %.9g: %ld steps have not come to t = %.9g; the last one was %.3g s long",
                   d->t, n, t_end, s->stats.step_last);
      return SAR_STOPPED;
    }
    SAR_TRY(sar_step_within(s, t_end));
    if (d->t < t_end && s->options.cancel && *s->options.cancel) {
      sar_step_say(s, "at t = %.9g: stopped from outside", d->t);
      return SAR_STOPPED;
    }
  }
  return SAR_OK;
}
