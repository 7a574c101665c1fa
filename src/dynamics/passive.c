// Generalised forces of the joints themselves: spring, damper, dry friction, actuator.
//
// All are given per coordinate as the file counts it; q and v are taken to the file's direction,
// and the forces from there to the tree's (sar_joint_add_force).
//
//   x     displacement from the zero position (spherical and free: rotation vectors)
//   A     dx/dt = A v (identity for plain coordinates)
//   tau = -A' k (x - rest) - c v - F(v) tanh(v / vs) + actuator
//
// Dry friction is -F(v) tanh(v / vs) (model/friction.h) only where nobody takes it as it is
// (SarFrictionLaw).
//
// The spring is -A' k (x - rest), not -k (x - rest): only so it is the derivative of its energy
// k (x - rest)^2 / 2 for every kind of joint.
#include "dynamics/applied.h"
#include "dynamics/tree.h"
#include "model/friction.h"
#include "model/partial.h"

typedef struct JointState {
  const SarJointKind* kind;
  const double* param;
  int vadr;
  bool flipped;
  const double *q, *v;  // direction of the file: the data's own, or the two below
  double q_file[SAR_JOINT_MAX_NQ], v_file[SAR_JOINT_MAX_NV];
} JointState;

static inline void read_joint(const SarModel* m, const SarData* d, int joint, JointState* s) {
  s->kind = m->joint_kind[joint];
  s->param = &m->joint_param[joint * SAR_JOINT_MAX_PARAM];
  s->vadr = m->joint_vadr[joint];
  s->q = &d->q[m->joint_qadr[joint]];
  s->v = &d->v[s->vadr];
  s->flipped = sar_joint_is_flipped(m, joint);
  if (!s->flipped) return;
  s->kind->flip(s->param, s->q, s->v, s->q_file, s->v_file);
  s->q = s->q_file, s->v = s->v_file;
}

static bool has_spring(const SarModel* m, const JointState* s) {
  for (int i = 0; i < s->kind->nv; i++)
    if (m->dof_stiffness[s->vadr + i] != 0) return true;
  return false;
}

// The zero position in the direction of the file; `room` is used when it must be flipped.
static const double* zero_position(const SarModel* m, const JointState* s, int joint,
                                   double* room) {
  const double* zero = &m->q_zero[m->joint_qadr[joint]];
  if (!s->flipped) return zero;
  s->kind->flip(s->param, zero, NULL, room, NULL);
  return room;
}

// x, the displacement from zero
static void displacement(const JointState* s, const double* zero, double* x) {
  sar_joint_displacement(s->kind, s->param, zero, s->q, x);
}

static void add_spring(const SarModel* m, const JointState* s, int joint, double* tau) {
  double x[SAR_JOINT_MAX_NV], f[SAR_JOINT_MAX_NV], column[SAR_JOINT_MAX_NV];
  double room[SAR_JOINT_MAX_NQ];
  const double* zero = zero_position(m, s, joint, room);
  displacement(s, zero, x);
  for (int i = 0; i < s->kind->nv; i++)
    f[i] = -m->dof_stiffness[s->vadr + i] * (x[i] - m->dof_rest[s->vadr + i]);
  for (int i = 0; i < s->kind->nv; i++) {
    if (!s->kind->rate) {
      tau[i] += f[i];
      continue;
    }
    // column i of A: the rate of x for the i-th unit velocity
    double unit[SAR_JOINT_MAX_NV] = {0};
    unit[i] = 1;
    s->kind->rate(s->param, zero, x, unit, column);
    for (int k = 0; k < s->kind->nv; k++) tau[i] += column[k] * f[k];
  }
}

// dry friction of coordinate i at speed v
static double dry_friction(const SarModel* m, const SarData* d, int i, double v) {
  if (d->friction == SAR_FRICTION_BY_IMPULSES || m->dof_friction[i] == 0) return 0;
  if (d->friction == SAR_FRICTION_FOUND) return d->dof_friction_force[i] - d->dof_stick[i] * v;
  return sar_smooth_friction(m, i, v);
}

// damper and dry friction of coordinate i at speed v
static double dissipative_force(const SarModel* m, const SarData* d, int i, double v) {
  return -m->dof_damping[i] * v + dry_friction(m, d, i, v);
}

static double actuator_force(const SarModel* m, const SarData* d, int i) {
  return m->dof_force_slot[i] < 0 ? 0 : d->slot[m->dof_force_slot[i]];
}

void sar_add_joint_forces(const SarModel* m, SarData* d) {
  for (int b = 0; b < m->njoint; b++) {
    if (!m->joint_passive[b] || !sar_joint_is_on(m, d, b)) continue;
    JointState s;
    double tau[SAR_JOINT_MAX_NV] = {0};
    read_joint(m, d, b, &s);
    if (has_spring(m, &s)) add_spring(m, &s, b, tau);
    for (int i = 0; i < s.kind->nv; i++)
      tau[i] += dissipative_force(m, d, s.vadr + i, s.v[i]) + actuator_force(m, d, s.vadr + i);
    if (s.flipped)
      sar_joint_add_force(m, b, &d->q[m->joint_qadr[b]], tau, &d->tau[s.vadr]);
    else
      for (int i = 0; i < s.kind->nv; i++) d->tau[s.vadr + i] += tau[i];
  }
}

// ---- tangent ------------------------------------------------------------------------------------
//
//   K = A' k A - d actuator_i/d q_i
//   C = c + F / vs sech^2(v / vs) + F' tanh(|v| / vs) - d actuator_i/d v_i
//
// Left out: (dA/dq)' k (x - rest) of rotations in space, which vanishes at rest, is of the size of
// the spring's moment and has no sign. k or c below zero, and friction that falls with the speed,
// are taken as zero, see SarBodyTangent.

static double positive(double x) { return x > 0 ? x : 0; }

static void spring_tangent(const SarModel* m, const JointState* s, int joint, double* K) {
  double x[SAR_JOINT_MAX_NV], A[SAR_JOINT_MAX_NV][SAR_JOINT_MAX_NV];  // A[i]: column i
  double room[SAR_JOINT_MAX_NQ];
  const int nv = s->kind->nv;
  if (!s->kind->rate) {
    for (int i = 0; i < nv; i++) K[(nv + 1) * i] = positive(m->dof_stiffness[s->vadr + i]);
    return;
  }
  const double* zero = zero_position(m, s, joint, room);
  displacement(s, zero, x);
  for (int i = 0; i < nv; i++) {
    double unit[SAR_JOINT_MAX_NV] = {0};
    unit[i] = 1;
    s->kind->rate(s->param, zero, x, unit, A[i]);
  }
  for (int i = 0; i < nv; i++)
    for (int j = 0; j < nv; j++)
      for (int k = 0; k < nv; k++)
        K[nv * i + j] += A[i][k] * positive(m->dof_stiffness[s->vadr + k]) * A[j][k];
}

static double damper_tangent(const SarModel* m, const SarData* d, int i, double v) {
  double c = positive(m->dof_damping[i]);
  if (m->dof_friction[i] > 0 && d->friction == SAR_FRICTION_SMOOTH) {
    // beyond this nothing is left of it, and the hyperbolic cosine would overflow
    const double fast = 700, x = fmin(fabs(v / m->dof_friction_speed[i]), fast);
    const double sech = 1 / cosh(x);
    c += positive(sar_friction_at(m, i, v) / m->dof_friction_speed[i] * sech * sech +
                  sar_friction_slope(m, i, fabs(v)) * tanh(x));
  }
  return c;
}

void sar_joint_tangent(const SarModel* m, SarData* d, int joint, double* K, double* C) {
  JointState s;
  read_joint(m, d, joint, &s);
  const int nv = s.kind->nv;
  for (int i = 0; i < nv * nv; i++) K[i] = C[i] = 0;
  if (has_spring(m, &s)) spring_tangent(m, &s, joint, K);
  for (int i = 0; i < nv; i++) {
    const int at = (nv + 1) * i, slot = m->dof_force_slot[s.vadr + i];
    C[at] = damper_tangent(m, d, s.vadr + i, s.v[i]);
    if (slot >= 0) sar_add_coordinate_partials(m, d, slot, joint, i, &K[at], &C[at]);
  }
}

void sar_stick_tangent(const SarModel* m, const SarData* d, int joint, double* C) {
  const int nv = m->joint_nv[joint];
  for (int i = 0; i < nv * nv; i++) C[i] = 0;
  for (int i = 0; i < nv; i++) C[(nv + 1) * i] = d->dof_stick[m->joint_vadr[joint] + i];
}

// What sticks takes no power: the speed that is left of it is rounding, of either sign.
double sar_joint_dissipation(const SarModel* m, const SarData* d, int joint) {
  JointState s;
  double power = 0;
  read_joint(m, d, joint, &s);
  for (int i = 0; i < s.kind->nv; i++) {
    const double v = s.v[i];
    power += -m->dof_damping[s.vadr + i] * v * v + fmin(dry_friction(m, d, s.vadr + i, v) * v, 0);
  }
  return power;
}

double sar_joint_drive_power(const SarModel* m, const SarData* d, int joint) {
  JointState s;
  double power = 0;
  read_joint(m, d, joint, &s);
  for (int i = 0; i < s.kind->nv; i++) power += actuator_force(m, d, s.vadr + i) * s.v[i];
  return power;
}

double sar_joint_spring_energy(const SarModel* m, const SarData* d, int joint) {
  JointState s;
  read_joint(m, d, joint, &s);
  if (!has_spring(m, &s)) return 0;
  double x[SAR_JOINT_MAX_NV], room[SAR_JOINT_MAX_NQ], sum = 0;
  displacement(&s, zero_position(m, &s, joint, room), x);
  for (int i = 0; i < s.kind->nv; i++) {
    double stretch = x[i] - m->dof_rest[s.vadr + i];
    sum += 0.5 * m->dof_stiffness[s.vadr + i] * stretch * stretch;
  }
  return sum;
}
