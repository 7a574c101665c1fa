// Coordinates of joints as the file counts them, their rates, and what laws exert on them.
#include "base/print.h"
#include "model/friction.h"
#include "sim/outputs/outputs.h"

#include <math.h>

// ---- motion -------------------------------------------------------------------------------------

static bool position_column(const SarOutputOwner* of, int i, SarColumn* out) {
  if (i >= of->joint->nq) return false;
  out->name = of->joint->q_suffix[i];
  return true;
}

static bool velocity_column(const SarOutputOwner* of, int i, SarColumn* out) {
  if (i >= of->joint->nv) return false;
  out->name = of->joint->v_suffix[i];
  return true;
}

// v -> a, vx -> ax, wx -> alx
static bool acceleration_column(const SarOutputOwner* of, int i, SarColumn* out) {
  if (i >= of->joint->nv) return false;
  const char* v = of->joint->v_suffix[i];
  out->name = v[0] == 'w' ? "al" : "a";
  out->rest = v + 1;
  return true;
}

// Component of q or v.
static double coordinate(const SarModel* m, const SarData* d, int joint, int component,
                         bool speed) {
  double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
  sar_joint_flip(m, joint, &d->q[m->joint_qadr[joint]], &d->v[m->joint_vadr[joint]], q, v);
  return speed ? v[component] : q[component];
}

static double position(const SarOutputRow* row, const SarChannel* c) {
  return coordinate(row->s->m, row->s->d, c->index, c->component, false);
}

static double velocity(const SarOutputRow* row, const SarChannel* c) {
  return coordinate(row->s->m, row->s->d, c->index, c->component, true);
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

// The file's v is F(q) v of the tree, so its rate is F a + (dF/dt) v; F is constant for all kinds
// with one coordinate. The second term comes from differences of fourth order along the motion.
static double acceleration(const SarOutputRow* row, const SarChannel* c) {
  const SarModel* m = row->s->m;
  const SarData* d = row->s->d;
  const int joint = c->index, component = c->component;
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

const SarOutputKind sar_output_joint_position = {
    .name = "joint position",
    .doc = "coordinates q, in the direction of the file [rad, m]",
    .unit = "m",
    .unit_turn = "rad",
    .of = SAR_OF_JOINT,
    .with = "position",
    .by_default = true,
    .of_coordinates = true,
    .column = position_column,
    .value = position,
};

const SarOutputKind sar_output_joint_velocity = {
    .name = "joint velocity",
    .doc = "speeds v of the coordinates [rad/s, m/s]",
    .unit = "m/s",
    .unit_turn = "rad/s",
    .of = SAR_OF_JOINT,
    .with = "velocity",
    .by_default = true,
    .of_coordinates = true,
    .column = velocity_column,
    .value = velocity,
};

const SarOutputKind sar_output_joint_acceleration = {
    .name = "joint acceleration",
    .doc = "rates of v [rad/s^2, m/s^2]",
    .unit = "m/s^2",
    .unit_turn = "rad/s^2",
    .of = SAR_OF_JOINT,
    .with = "acceleration",
    .held = true,
    .of_coordinates = true,
    .needs = SAR_NEEDS_ACCELERATIONS,
    .column = acceleration_column,
    .value = acceleration,
};

// ---- laws ---------------------------------------------------------------------------------------

// motor; of several coordinates motor_v1, motor_wx
static bool law_column(const SarOutputOwner* of, const char* law, int i, SarColumn* out) {
  if (i >= of->joint->nv) return false;
  out->name = law;
  if (of->joint->nv == 1) return true;
  sar_snprintf(out->room, sizeof out->room, "_%s", of->joint->v_suffix[i]);
  out->rest = out->room;
  return true;
}

static bool motor_column(const SarOutputOwner* of, int i, SarColumn* out) {
  return law_column(of, "motor", i, out);
}

static bool limit_column(const SarOutputOwner* of, int i, SarColumn* out) {
  return law_column(of, "limit", i, out);
}

static bool friction_column(const SarOutputOwner* of, int i, SarColumn* out) {
  return law_column(of, "friction", i, out);
}

static int dof_of(const SarModel* m, const SarChannel* c) {
  return m->joint_vadr[c->index] + c->component;
}

// Impulses of the last step on the coordinate, as mean forces; NULL: the formulation has none.
static const double* impulses(const SarOutputRow* row, const SarChannel* c) {
  const SarData* d = row->s->d;
  return d->a_of_step ? &d->dof_impulse[dof_of(row->s->m, c) * SAR_DOF_IMPULSES] : NULL;
}

static double motor(const SarOutputRow* row, const SarChannel* c) {
  const double* p = impulses(row, c);
  return p ? p[SAR_IMPULSE_MOTOR] : 0;
}

static double limit(const SarOutputRow* row, const SarChannel* c) {
  const double* p = impulses(row, c);
  return p ? p[SAR_IMPULSE_LOWER] - p[SAR_IMPULSE_UPPER] : 0;
}

// By impulses: in the last step. Without: as it is found, or as the smooth law of the speed.
static double friction(const SarOutputRow* row, const SarChannel* c) {
  const SarModel* m = row->s->m;
  const SarData* d = row->s->d;
  const double* p = impulses(row, c);
  const int dof = dof_of(m, c);
  if (p) return p[SAR_IMPULSE_FRICTION];
  if (!(m->dof_friction[dof] > 0)) return 0;
  if (d->a_friction == SAR_FRICTION_FOUND) return d->dof_friction_force[dof];
  return sar_smooth_friction(m, dof, velocity(row, c));
}

const SarOutputKind sar_output_joint_motor = {
    .name = "joint motor",
    .doc = "what the motor exerts on the coordinate [N m, N]",
    .unit = "N",
    .unit_turn = "N m",
    .of = SAR_OF_JOINT,
    .with = "motor",
    .held = true,
    .of_coordinates = true,
    .needs = SAR_NEEDS_ACCELERATIONS,
    .column = motor_column,
    .value = motor,
};

const SarOutputKind sar_output_joint_limit = {
    .name = "joint limit",
    .doc = "what the limits exert on the coordinate [N m, N]",
    .unit = "N",
    .unit_turn = "N m",
    .of = SAR_OF_JOINT,
    .with = "limit",
    .held = true,
    .of_coordinates = true,
    .needs = SAR_NEEDS_ACCELERATIONS,
    .column = limit_column,
    .value = limit,
};

const SarOutputKind sar_output_joint_friction = {
    .name = "joint friction",
    .doc = "what dry friction exerts on the coordinate [N m, N]",
    .unit = "N",
    .unit_turn = "N m",
    .of = SAR_OF_JOINT,
    .with = "friction",
    .held = true,
    .of_coordinates = true,
    .needs = SAR_NEEDS_ACCELERATIONS,
    .column = friction_column,
    .value = friction,
};
