// Time and state events of a hybrid system: triggers, switching and the work and energy accounts,
// the books (events.h).
#include "base/error.h"
#include "base/block.h"
#include "base/print.h"
#include "base/sized.h"
#include "dynamics/cut_joints.h"
#include "sim/events_work.h"
#include "sim/kinks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- life ---------------------------------------------------------------------------------------

static void lay_out(SarEvents* e, const SarModel* m, SarBlock* b) {
  const size_t nv = (size_t)m->nv, nrow = (size_t)m->nrow;
  SAR_PIECE(b, e->rank.rows, nrow * nv);
  SAR_PIECE(b, e->rank.tau, nrow);
  SAR_PIECE(b, e->rank.work, nv);
  SAR_PIECE(b, e->rank.order, nrow);
  SAR_PIECE(b, e->rank.pivot, nrow);
  SAR_PIECE(b, e->rank.length, nrow);
  SAR_PIECE(b, e->F, nv);
  SAR_PIECE(b, e->gap, nrow);
  SAR_PIECE(b, e->impulse, nrow);
  SAR_PIECE(b, e->stored, m->ngate);
  SAR_PIECE(b, e->next, m->ngate);
  SAR_PIECE(b, e->kept_state, m->ngate);
  SAR_PIECE(b, e->kept_X_B, m->ncut);
  SAR_PIECE(b, e->kept_hold, nrow);
  SAR_PIECE(b, e->log, SAR_KEPT_EVENTS);
}

// What is behind that, where there are constraints.
static void lay_out_closing(SarEvents* e, const SarSim* s, const SarModel* m, SarBlock* b) {
  if (m->nrow == 0) return;
  sar_projection_init(&e->closing, m, s ? s->row_size : NULL, s ? s->faint : 1, b);
  sar_augmented_init(&e->system, m, false, s ? s->row_order : NULL, s ? s->freedom.rank : 0, b);
}

size_t sar_events_size(const SarModel* m) {
  SarEvents e;
  SarBlock b = sar_block(NULL, sizeof e);
  if (m->ngate == 0) return 0;
  lay_out(&e, m, &b);
  lay_out_closing(&e, NULL, m, &b);
  return b.used;
}

void sar_events_init(SarSim* s, void* memory) {
  const SarModel* m = s->m;
  SarEvents* e = s->events = memory;
  SarBlock b = sar_block(e, sizeof *e);
  lay_out(e, m, &b);
  for (int i = 0; i < m->nwork; i++) {
    if (m->work[i].kind == SAR_WORK_IMPACT) e->account[0] = i;
    if (m->work[i].kind == SAR_WORK_SWITCHING) e->account[1] = i;
  }
  for (int g = 0; g < m->ngate; g++)
    e->conditional |= m->gate[g].from.slot >= 0 || m->gate[g].until.slot >= 0;
}

void sar_events_start(SarSim* s) {
  if (!s->events) return;
  SarBlock b = sar_block(s->events, sizeof *s->events);
  lay_out(s->events, s->m, &b);
  lay_out_closing(s->events, s, s->m, &b);
}

void sar_events_pretend(SarSim* s, bool pretend) {
  if (s->events) s->events->unseen = pretend;
}

const char* sar_events_trouble(const SarSim* s) { return s->events ? s->events->trouble : ""; }

SAR_API long sar_event_count(const SarSim* s) { return s && s->events ? s->events->count : 0; }

SAR_API SarStatus sar_event_sized(const SarSim* s, long index, SarEvent* out, size_t size) {
  const long count = sar_event_count(s);
  SAR_GIVEN(out && index >= 0 && index < count && index >= count - SAR_KEPT_EVENTS);
  const SarEvent* event = &s->events->log[index % SAR_KEPT_EVENTS];
  sar_give(out, size, event, sizeof *event);
  return SAR_OK;
}

// ---- triggers -----------------------------------------------------------------------------------

static bool is_true(const SarData* d, const SarTrigger* trigger) {
  if (trigger->slot >= 0) return d->slot[trigger->slot] > 0;
  const double early = isinf(trigger->time) ? 0 : sar_kink_width(trigger->time);  // inf: never
  return d->t >= trigger->time - early;
}

// The state of a gate from what it was and what is true now. Latched: becoming true counts, and
// `until` wins.
static int next_state(const SarGate* gate, const SarData* d, int state) {
  const bool from = is_true(d, &gate->from), until = is_true(d, &gate->until);
  bool on = state & SAR_GATE_ON;
  if (!gate->latched) {
    on = from && !until;
  } else {
    if (from && !(state & SAR_GATE_FROM)) on = true;
    if (until && !(state & SAR_GATE_UNTIL)) on = false;
  }
  return (on ? SAR_GATE_ON : 0) | (from ? SAR_GATE_FROM : 0) | (until ? SAR_GATE_UNTIL : 0);
}

// Conditions at the present state, on the far side of a kink in time.
static void evaluate_conditions(const SarModel* m, SarData* d) {
  const double t = d->t;
  if (sar_kink_at(m, t)) d->t = t + sar_kink_width(t);
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);
  d->t = t;
}

// ---- places -------------------------------------------------------------------------------------

// The joint's frame on the child where the parent's is now; needs world poses.
static void grip(const SarModel* m, SarData* d, int cut) {
  const SarCut* c = &m->cut[cut];
  const Xform X_GP = c->body[0] < 0 ? x_identity() : d->body_X_GB[c->body[0]];
  const Xform X_GC = c->body[1] < 0 ? x_identity() : d->body_X_GB[c->body[1]];
  const int j = sar_cut_joint(m, cut);
  d->cut_X_B[cut] = x_mul(x_inv(X_GC), x_mul(X_GP, c->X_BF[0]));
  for (int i = 0; i < m->joint_nq[j]; i++) d->q[m->joint_qadr[j] + i] = 0;  // no turns yet
}

// What is to be held as it is: joints by their frames, others by what their rows measure.
static void hold(const SarModel* m, SarData* d, int g) {
  const SarGate* gate = &m->gate[g];
  if (gate->target != SAR_GATE_CONSTRAINT || !gate->hold) return;
  sar_update_positions(m, d);
  sar_update_world(m, d);
  const SarConstraint* c = &m->constraint[gate->index];
  if (c->source == SAR_FROM_CUT) {
    grip(m, d, gate->index);
    sar_gates_apply(m, d);
    return;
  }
  for (int i = c->row; i < c->row + c->rows; i++) d->row_hold[i] = 0;
  sar_update_constraints(m, d);
  for (int i = c->row; i < c->row + c->rows; i++) d->row_hold[i] = d->Phi[i];
}

void sar_events_begin(const SarModel* m, SarData* d) {
  if (m->ngate == 0) return;
  evaluate_conditions(m, d);
  for (int g = 0; g < m->ngate; g++) {
    // `from` that holds at the start switches on, and so does none at all
    d->gate_state[g] = next_state(&m->gate[g], d, 0);
  }
  sar_gates_apply(m, d);
  for (int g = 0; g < m->ngate; g++)
    if (d->gate_state[g] & SAR_GATE_ON) hold(m, d, g);
}

// ---- switching ----------------------------------------------------------------------------------

static void keep(SarEvents* e, const SarModel* m, const SarData* d) {
  memcpy(e->kept_state, d->gate_state, (size_t)m->ngate * sizeof *e->kept_state);
  if (m->ncut > 0) memcpy(e->kept_X_B, d->cut_X_B, (size_t)m->ncut * sizeof *e->kept_X_B);
  if (m->nrow > 0) memcpy(e->kept_hold, d->row_hold, (size_t)m->nrow * sizeof *e->kept_hold);
}

static void go_back(SarSim* s) {
  const SarModel* m = s->m;
  SarEvents* e = s->events;
  SarData* d = s->d;
  memcpy(d->gate_state, e->kept_state, (size_t)m->ngate * sizeof *e->kept_state);
  if (m->ncut > 0) memcpy(d->cut_X_B, e->kept_X_B, (size_t)m->ncut * sizeof *e->kept_X_B);
  if (m->nrow > 0) memcpy(d->row_hold, e->kept_hold, (size_t)m->nrow * sizeof *e->kept_hold);
  sar_gates_apply(m, d);
}

SarStatus sar_events_regroup(SarSim* s) {
  const SarModel* m = s->m;
  SarEvents* e = s->events;
  SarData* d = s->d;
  if (m->nrow == 0) return SAR_OK;
  sar_update_positions(m, d);
  sar_update_world(m, d);
  sar_update_constraints(m, d);
  const int rank = sar_count_rows(m, d, s->row_size, 0, &e->rank);
  memcpy(s->row_order, e->rank.order, (size_t)m->nrow * sizeof *s->row_order);
  s->freedom.rows = d->nactive;
  s->freedom.rank = s->freedom.rank_here = rank;
  d->freedom = s->freedom;
  sar_strong_rows(m, d, s->row_size, rank, &e->rank, e->system.keep);
  if (s->projection) {
    sar_projection_forget(s->projection);
    s->projection->eager = false;
  }
  s->call.regroup(s);
  if (rank == d->nactive || (s->formulation->can & SAR_CAN_REDUNDANT)) return SAR_OK;
  sar_snprintf(e->trouble, sizeof e->trouble,
               "at t = %.9g: formulation '%s' cannot take redundant constraints, and with what is "
               "switched on there %d of %d equations follow from the others",
               d->t, s->formulation->name, d->nactive - rank, d->nactive);
  return SAR_NOT_OFFERED;
}

// ---- books --------------------------------------------------------------------------------------

typedef struct Energies {
  double kinetic, potential;
} Energies;

static Energies energies(const SarModel* m, SarData* d) {
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  return (Energies){sar_kinetic_energy(m, d), sar_potential_energy(m, d)};
}

// Energy that the item of a gate stores: the spring of a joint, a force with a potential.
static double stored(const SarModel* m, const SarData* d, const SarGate* gate) {
  if (gate->target == SAR_GATE_FORCE) return sar_force_energy(m, d, gate->index);
  const int joint = m->nbody + gate->index;
  if (m->constraint[gate->index].source != SAR_FROM_CUT || !m->joint_passive[joint]) return 0;
  return sar_joint_is_on(m, d, joint) ? sar_joint_spring_energy(m, d, joint) : 0;
}

// Of the rows of one constraint: impulses, and the kinetic energy they gave,
//   dT = -L . Psi (v + dv / 2) = -L . (Phi' / 2 - Phi_t),   Phi' that before the impact
static void add_impulse(const SarSim* s, const SarConstraint* c, SarEvent* out) {
  const SarEvents* e = s->events;
  double linear = 0, turning = 0;
  for (int i = c->row; i < c->row + c->rows; i++) {
    const double L = e->impulse[i];
    if (e->closing.unit[i] != 1 || e->closing.length == 1)
      linear += L * L;
    else
      turning += L * L;
    out->energy -= L * (0.5 * e->gap[i] - s->d->Phi_t[i]);
  }
  out->impulse = sqrt(linear);
  out->moment = sqrt(turning);
}

static void note(SarSim* s, int g) {
  const SarModel* m = s->m;
  const SarGate* gate = &m->gate[g];
  SarEvents* e = s->events;
  const bool on = s->d->gate_state[g] & SAR_GATE_ON;
  if (e->unseen || on == (bool)(e->kept_state[g] & SAR_GATE_ON)) return;
  SarEvent event = {.time = s->d->t,
                    .name = sar_text(m, gate->name),
                    .on = on,
                    .freedoms = m->nv - s->freedom.rank};
  event.energy = stored(m, s->d, gate) - e->stored[g];
  if (on && gate->target == SAR_GATE_CONSTRAINT)
    add_impulse(s, &m->constraint[gate->index], &event);
  e->log[e->count++ % SAR_KEPT_EVENTS] = event;
}

// ---- the whole ----------------------------------------------------------------------------------

// All that changes, at once: the energy that is lost does not depend on an order.
static SarStatus change(SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  SarEvents* e = s->events;
  const Energies before = energies(m, d);
  for (int g = 0; g < m->ngate; g++) e->stored[g] = stored(m, d, &m->gate[g]);
  memcpy(d->gate_state, e->next, (size_t)m->ngate * sizeof *e->next);
  bool came = false;
  sar_gates_apply(m, d);
  for (int g = 0; g < m->ngate; g++) {
    if (!sar_gate_came(s, g)) continue;
    hold(m, d, g);
    came = came || m->gate[g].target == SAR_GATE_CONSTRAINT;
  }
  // closed first: off the constraints redundant rows are not quite redundant
  if (came && m->nrow > 0) SAR_TRY(sar_events_close(s));
  SAR_TRY(sar_events_regroup(s));
  if (came && m->nrow > 0) SAR_TRY(sar_events_impact(s));
  const Energies after = energies(m, d);
  d->work[e->account[0]] += after.kinetic - before.kinetic;
  d->work[e->account[1]] += after.potential - before.potential;
  for (int g = 0; g < m->ngate; g++) note(s, g);
  return SAR_OK;
}

SarStatus sar_events_update(SarSim* s, bool* switched) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  SarEvents* e = s->events;
  e->trouble[0] = 0;
  *switched = false;
  if (e->conditional) evaluate_conditions(m, d);
  keep(e, m, d);
  for (int g = 0; g < m->ngate; g++) {
    const int next = e->next[g] = next_state(&m->gate[g], d, d->gate_state[g]);
    if ((next ^ d->gate_state[g]) & SAR_GATE_ON)
      *switched = true;
    else
      d->gate_state[g] = e->kept_state[g] = next;  // triggers remember
  }
  if (!*switched) return SAR_OK;
  const SarStatus st = change(s);
  if (st == SAR_OK) return SAR_OK;
  char reason[sizeof e->trouble];
  memcpy(reason, e->trouble, sizeof reason);
  go_back(s);
  sar_events_regroup(s);
  memcpy(e->trouble, reason, sizeof reason);
  return st;
}

// Are the rows that count those that are on? Not after a reset to a state that was never assembled.
static bool rows_fit(const SarData* d) {
  bool fit = d->freedom.rows == d->nactive;
  for (int k = 0; fit && k < d->nactive; k++) fit = d->row_on[d->row_order[k]];
  return fit;
}

SarStatus sar_events_catch_up(SarSim* s, bool touched) {
  const SarModel* m = s->m;
  const SarData* d = s->d;
  bool switched = false;
  if (!rows_fit(d)) {
    SAR_TRY(sar_events_regroup(s));
    s->restart = true;
  }
  if (!touched) return SAR_OK;
  SAR_TRY(sar_events_update(s, &switched));
  if (!switched) return SAR_OK;
  memcpy(s->start.q, d->q, (size_t)m->nq_all * sizeof *d->q);
  memcpy(s->start.v, d->v, (size_t)m->nv * sizeof *d->v);
  memcpy(s->start.work, d->work, (size_t)m->nwork * sizeof *d->work);
  return SAR_OK;
}
