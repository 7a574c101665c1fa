// The columns of the result at the present state.
//
// Everything is evaluated once for all columns; accelerations only if a column asks for them.
#include "base/error.h"
#include "base/print.h"
#include "dynamics/constraints.h"
#include "dynamics/contact_forces.h"
#include "dynamics/cut_joints.h"
#include "dynamics/reactions.h"
#include "dynamics/sharing.h"
#include "dynamics/tree.h"
#include "sim/follow.h"
#include "sim/events.h"
#include "sim/judge.h"
#include "sim/outputs.h"
#include "sim/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- joints --------------------------------------------------------------------------------------

// Component of q or v as the file counts them.
static double joint_coordinate(const SarModel* m, const SarData* d, int joint, int component,
                               bool speed) {
  double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
  sar_joint_flip(m, joint, &d->q[m->joint_qadr[joint]], &d->v[m->joint_vadr[joint]], q, v);
  return speed ? v[component] : q[component];
}

// v of the file at the time `dt` from now, with q moved on and the tree's v kept.
static double speed_nearby(const SarModel* m, const SarData* d, int joint, int component,
                           double dt) {
  const SarJointKind* kind = m->joint_kind[joint];
  const double *q = &d->q[m->joint_qadr[joint]], *v = &d->v[m->joint_vadr[joint]];
  double xi[SAR_JOINT_MAX_NV] = {0}, moved[SAR_JOINT_MAX_NQ], other[SAR_JOINT_MAX_NQ];
  double speed[SAR_JOINT_MAX_NV];
  for (int i = 0; i < kind->nv; i++) xi[i] = dt * v[i];
  sar_joint_retract(kind, &m->joint_param[joint * SAR_JOINT_MAX_PARAM], q, xi, moved);
  sar_joint_flip(m, joint, moved, v, other, speed);
  return speed[component];
}

// The file's v is F(q) v of the tree, so its rate is F a + (dF/dt) v; F is constant for all kinds with
// one coordinate. The second term comes from differences of fourth order along the motion.
static double joint_acceleration(const SarModel* m, const SarData* d, int joint, int component) {
  const double* a = &d->a[m->joint_vadr[joint]];
  if (!m->joint_turned[joint]) return a[component];
  double q[SAR_JOINT_MAX_NQ], Fa[SAR_JOINT_MAX_NV], fastest = 1;
  sar_joint_flip(m, joint, &d->q[m->joint_qadr[joint]], a, q, Fa);
  if (m->joint_nv[joint] == 1) return Fa[component];
  for (int i = 0; i < m->joint_nv[joint]; i++)
    fastest = fmax(fastest, fabs(d->v[m->joint_vadr[joint] + i]));
  double e = 1e-3 / fastest;
  double near = speed_nearby(m, d, joint, component, e) - speed_nearby(m, d, joint, component, -e);
  double far =
      speed_nearby(m, d, joint, component, 2 * e) - speed_nearby(m, d, joint, component, -2 * e);
  return Fa[component] + (8 * near - far) / (12 * e);
}

// ---- bodies --------------------------------------------------------------------------------------

static double component_of(V3 a, int component) {
  return component == 0 ? a.x : component == 1 ? a.y : a.z;
}

// Position, velocity or acceleration of a point of the body, or the body's angular velocity.
static V3 point_vector(const SarModel* m, const SarData* d, const SarChannel* c) {
  if (c->index < 0) return c->kind == SAR_CHANNEL_POINT ? c->point : v3_zero();
  Xform X = d->body_X_GB[c->index];
  Motion V = d->body_V[c->index], A = d->body_A[c->index];
  V3 v = v3_add(V.v, v3_cross(V.w, c->point));
  switch (c->kind) {
    case SAR_CHANNEL_POINT: return x_point(X, c->point);
    case SAR_CHANNEL_POINT_V: return m3_mul_v(X.R, v);
    case SAR_CHANNEL_OMEGA: return m3_mul_v(X.R, V.w);
    default: break;
  }
  // a = A.v + A.w x p + w x v, and ground's acceleration -g taken off again
  V3 a = v3_add(v3_add(A.v, v3_cross(A.w, c->point)), v3_cross(V.w, v));
  return v3_add(m3_mul_v(X.R, a), m->gravity);
}

static double orientation(const SarModel* m, const SarData* d, int holder, int component) {
  const int body = sar_holder_body(m, holder);
  const M3 R_BU = sar_holder_X_BU(m, holder).R;
  const Quat q = quat_from_m3(body < 0 ? R_BU : m3_mul(d->body_X_GB[body].R, R_BU));
  const double c[4] = {q.w, q.x, q.y, q.z};
  return c[component];
}

// What motor, limit or dry friction exert on a coordinate. By impulses: in the last step. Without: no motor, no limit,
// and friction as it is found, or as the smooth law of the speed.
static double law_value(const SarModel* m, const SarData* d, int joint, int component) {
  const int i = component / SAR_LAW_COLUMNS, dof = m->joint_vadr[joint] + i;
  const double* p = &d->dof_impulse[dof * SAR_DOF_IMPULSES];
  const SarLawColumn law = (SarLawColumn)(component % SAR_LAW_COLUMNS);
  if (!d->a_of_step) {
    if (law != SAR_LAW_FRICTION || !(m->dof_friction[dof] > 0)) return 0;
    if (d->a_friction == SAR_FRICTION_FOUND) return d->dof_friction_force[dof];
    const double v = joint_coordinate(m, d, joint, i, true);
    return -m->dof_friction[dof] * tanh(v / m->dof_friction_speed[dof]);
  }
  switch (law) {
    case SAR_LAW_MOTOR: return p[SAR_IMPULSE_MOTOR];
    case SAR_LAW_LIMIT: return p[SAR_IMPULSE_LOWER] - p[SAR_IMPULSE_UPPER];
    default: return p[SAR_IMPULSE_FRICTION];
  }
}

// ---- the whole -----------------------------------------------------------------------------------

static double force_value(const SarModel* m, const SarData* d, int force, int component) {
  int account = m->force_work[force];
  switch (component) {
    case 0: return d->force_power[force];
    case 1: return sar_force_energy(m, d, force);
    case 2: return account >= 0 ? d->work[account] : 0;
    default: return d->force_output[m->force_output_adr[force] + component - 3];
  }
}

static double force_component(Force F, int component) {
  return component < 3 ? component_of(F.f, component) : component_of(F.n, component - 3);
}

static Force reaction_of(const SarSim* s, int joint) {
  const SarModel* m = s->m;
  const SarData* d = s->d;
  if (s->sharing) return s->sharing->reaction[joint];
  return joint < m->nbody ? sar_joint_reaction(m, d, joint)
                          : sar_cut_joint_reaction(m, d, joint - m->nbody);
}

// Of one row: the force -lambda e on the second body along its unit direction, or how fast it opens.
static double row_value(const SarModel* m, const SarData* d, int first, int component) {
  const int row = first + (component - SAR_CONSTRAINT_ROWS) / 2, roller = m->row[row].roller;
  if ((component - SAR_CONSTRAINT_ROWS) % 2) return d->Phi_dot[row];
  const double size = roller < 0 ? 1 : v3_norm(d->roll[roller].way[SAR_ROLL_GAP]);
  return -d->lambda[row] * size;
}

// The force of one equation has a sign; of several, whose directions are perpendicular unit vectors (a
// point on a line), it is the magnitude, which does not depend on how the directions were chosen nor on
// equations left out because they always hold.
static double constraint_value(const SarModel* m, const SarData* d, int constraint, int component) {
  if (constraint < 0) return 0;  // one without equations
  const SarConstraint* c = &m->constraint[constraint];
  double sum = 0;
  if (component >= SAR_CONSTRAINT_ROWS) return row_value(m, d, c->row, component);
  if (component == 2 && c->rows + c->identical > 1) {
    for (int i = c->row; i < c->row + c->rows; i++) sum += d->lambda[i] * d->lambda[i];
    return sqrt(sum);
  }
  if (c->rows == 0) return 0;
  const SarDriveState s = sar_drive_state(m, d, c->row);
  return component == 0 ? s.value : component == 1 ? s.speed : component == 2 ? s.force : s.power;
}

typedef struct Totals {  // quantities of the whole model, wanted or not
  double energy[5];
  Force momentum;
} Totals;

static Totals totals_of(const SarModel* m, SarData* d) {
  const SarEnergy e = sar_energy_account(m, d);
  return (Totals){{e.kinetic, e.potential, e.total, e.work, e.error}, sar_total_momentum(m, d)};
}

static bool needs_accelerations(const SarChannel* channel, int count) {
  for (int i = 0; i < count; i++)
    if (channel[i].kind == SAR_CHANNEL_A || channel[i].kind == SAR_CHANNEL_POINT_A ||
        channel[i].kind == SAR_CHANNEL_REACTION || channel[i].kind == SAR_CHANNEL_CONSTRAINT ||
        channel[i].kind == SAR_CHANNEL_LAW)
      return true;
  return false;
}

// What acts by impulses is known of a step, not of an instant: its means are shown as long as the state is where the
// step has left it.
static bool shows_step(SarSim* s) {
  return s->formulation->show && sar_state_is_untouched(s->d) && s->formulation->show(s);
}

static SarStatus evaluate(SarSim* s, bool accelerations) {
  sar_update_kinematics(s->m, s->d);
  sar_update_world(s->m, s->d);
  sar_update_forces(s->m, s->d);
  sar_update_cut_joints(s->m, s->d);
  if (!accelerations) return SAR_OK;
  sar_a_becomes(s->d, shows_step(s));
  if (s->d->a_of_step)
    sar_update_constraints(s->m, s->d);
  else
    SAR_TRY(s->formulation->accel(s));
  sar_update_accelerations(s->m, s->d);
  sar_update_cut_accelerations(s->m, s->d);
  if (s->sharing) sar_share(s->sharing, s->m, s->d);
  return SAR_OK;
}

static double value_of(const SarSim* s, const SarChannel* c, const Totals* t) {
  const SarModel* m = s->m;
  const SarData* d = s->d;
  switch (c->kind) {
    case SAR_CHANNEL_ENERGY: return t->energy[c->component];
    case SAR_CHANNEL_MOMENTUM: return force_component(t->momentum, c->component);
    case SAR_CHANNEL_WORK: return d->work[c->index];
    case SAR_CHANNEL_Q: return joint_coordinate(m, d, c->index, c->component, false);
    case SAR_CHANNEL_V: return joint_coordinate(m, d, c->index, c->component, true);
    case SAR_CHANNEL_A: return joint_acceleration(m, d, c->index, c->component);
    case SAR_CHANNEL_POINT:
    case SAR_CHANNEL_POINT_V:
    case SAR_CHANNEL_POINT_A:
    case SAR_CHANNEL_OMEGA: return component_of(point_vector(m, d, c), c->component);
    case SAR_CHANNEL_QUAT: return orientation(m, d, c->index, c->component);
    case SAR_CHANNEL_REACTION: return force_component(reaction_of(s, c->index), c->component);
    case SAR_CHANNEL_FORCE: return force_value(m, d, c->index, c->component);
    case SAR_CHANNEL_CONSTRAINT: return constraint_value(m, d, c->index, c->component);
    case SAR_CHANNEL_CONTACT:
      return sar_contact_column(m, d, c->index, c->other, (SarContactColumn)c->component);
    case SAR_CHANNEL_LAW: return law_value(m, d, c->index, c->component);
    case SAR_CHANNEL_STATE: return d->z[c->index];
    case SAR_CHANNEL_SLOT: return d->slot[c->index];
  }
  return (double)NAN;
}

SarStatus sar_outputs_of(SarSim* s, const SarChannel* channel, int count, double* values) {
  s->d->friction = s->formulation->friction;
  sar_state_adopt(s);
  SarStatus st = s->events ? sar_events_catch_up(s, false) : SAR_OK;  // after a reset, say
  if (st == SAR_OK) st = evaluate(s, needs_accelerations(channel, count));
  s->d->friction = SAR_FRICTION_SMOOTH;
  SAR_TRY(st);
  Totals totals = totals_of(s->m, s->d);
  for (int i = 0; i < count; i++) values[i] = value_of(s, &channel[i], &totals);
  return sar_judge_row(s, channel, count, values);
}

SarStatus sar_hold_outputs(SarSim* s) {
  return s->m->nheld > 0 ? sar_outputs_of(s, s->m->held, s->m->nheld, s->d->held) : SAR_OK;
}

SAR_API SarStatus sar_outputs(SarSim* s, double* values) {
  SAR_GIVEN(s && values);
  return sar_outputs_of(s, s->m->channel, s->m->nchannel, values);
}

const char* sar_ambiguous_text(SarSim* s, char* buf, size_t size) {
  size_t used = 0;
  buf[0] = 0;
  if (!s->sharing || s->sharing->reactions == 0) return buf;
  for (int i = 0; i < s->m->nchannel; i++) {
    const SarChannel* c = &s->m->channel[i];
    if (c->kind != SAR_CHANNEL_REACTION ||
        sar_reaction_is_unique(s->sharing, s->m, s->d, c->index, c->component))
      continue;
    const char* name = sar_text(s->m, c->name);
    if (used + strlen(name) + 7 > size) {
      sar_snprintf(buf + used, size - used, ", ...");
      break;
    }
    used += (size_t)sar_snprintf(buf + used, size - used, "%s%s", used ? ", " : "", name);
  }
  return buf;
}
