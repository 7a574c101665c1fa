// Forces of the joints themselves: spring, damper, dry friction, actuator.
//
// All are given per coordinate as the file counts it; q and v are taken to the file's direction, and
// the forces from there to the tree's (sar_joint_add_force).
//
//   x     displacement from the zero position (spherical and free: rotation vectors)
//   A     dx/dt = A v (identity for plain coordinates)
//   tau = -A' k (x - rest) - c v - F tanh(v / vs) + actuator
//
// The spring is -A' k (x - rest), not -k (x - rest): only so it is the derivative of its energy
// k (x - rest)^2 / 2 for every kind of joint.
#include "dynamics/applied.h"
#include "dynamics/tree.h"

typedef struct JointState {
  const SarJointKind* kind;
  const double* param;
  int vadr;
  double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];  // direction of the file
} JointState;

static JointState joint_state(const SarModel* m, const SarData* d, int joint) {
  JointState s = {.kind = m->joint_kind[joint],
                  .param = &m->joint_param[joint * SAR_JOINT_MAX_PARAM],
                  .vadr = m->joint_vadr[joint]};
  sar_joint_flip(m, joint, &d->q[m->joint_qadr[joint]], &d->v[s.vadr], s.q, s.v);
  return s;
}

static bool has_spring(const SarModel* m, const JointState* s) {
  for (int i = 0; i < s->kind->nv; i++)
    if (m->dof_stiffness[s->vadr + i] != 0) return true;
  return false;
}

// x, the displacement from zero; the zero position is the same seen from both sides
static void displacement(const SarModel* m, const JointState* s, int joint, double* x) {
  const double* zero = &m->q_zero[m->joint_qadr[joint]];
  if (s->kind->displacement) {
    s->kind->displacement(s->param, zero, s->q, x);
    return;
  }
  for (int i = 0; i < s->kind->nv; i++) x[i] = s->q[i] - zero[i];
}

static void add_spring(const SarModel* m, const JointState* s, int joint, double* tau) {
  double x[SAR_JOINT_MAX_NV], f[SAR_JOINT_MAX_NV], column[SAR_JOINT_MAX_NV];
  displacement(m, s, joint, x);
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
    s->kind->rate(s->param, &m->q_zero[m->joint_qadr[joint]], x, unit, column);
    for (int k = 0; k < s->kind->nv; k++) tau[i] += column[k] * f[k];
  }
}

// damper and dry friction of coordinate i at speed v
static double dissipative_force(const SarModel* m, int i, double v) {
  double f = -m->dof_damping[i] * v;
  if (m->dof_friction[i] != 0) f -= m->dof_friction[i] * tanh(v / m->dof_friction_speed[i]);
  return f;
}

static double actuator_force(const SarModel* m, const SarData* d, int i) {
  return m->dof_force_slot[i] < 0 ? 0 : d->slot[m->dof_force_slot[i]];
}

void sar_add_joint_forces(const SarModel* m, SarData* d) {
  for (int b = 0; b < m->nbody; b++) {
    if (!m->joint_passive[b]) continue;
    JointState s = joint_state(m, d, b);
    double tau[SAR_JOINT_MAX_NV] = {0};
    if (has_spring(m, &s)) add_spring(m, &s, b, tau);
    for (int i = 0; i < s.kind->nv; i++)
      tau[i] += dissipative_force(m, s.vadr + i, s.v[i]) + actuator_force(m, d, s.vadr + i);
    sar_joint_add_force(m, b, &d->q[m->joint_qadr[b]], tau, &d->tau[s.vadr]);
  }
}

double sar_joint_dissipation(const SarModel* m, const SarData* d, int joint) {
  JointState s = joint_state(m, d, joint);
  double power = 0;
  for (int i = 0; i < s.kind->nv; i++) power += dissipative_force(m, s.vadr + i, s.v[i]) * s.v[i];
  return power;
}

double sar_joint_drive_power(const SarModel* m, const SarData* d, int joint) {
  JointState s = joint_state(m, d, joint);
  double power = 0;
  for (int i = 0; i < s.kind->nv; i++) power += actuator_force(m, d, s.vadr + i) * s.v[i];
  return power;
}

double sar_joint_spring_energy(const SarModel* m, const SarData* d, int joint) {
  JointState s = joint_state(m, d, joint);
  if (!has_spring(m, &s)) return 0;
  double x[SAR_JOINT_MAX_NV], sum = 0;
  displacement(m, &s, joint, x);
  for (int i = 0; i < s.kind->nv; i++) {
    double stretch = x[i] - m->dof_rest[s.vadr + i];
    sum += 0.5 * m->dof_stiffness[s.vadr + i] * stretch * stretch;
  }
  return sum;
}
