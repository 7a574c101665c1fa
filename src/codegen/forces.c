// All applied forces over symbols, and the power of those that no potential holds:
// dynamics/forces.c and dynamics/passive.c.
#include "codegen/rotation.h"
#include "codegen/tangents.h"
#include "model/friction.h"

#include <string.h>

// ---- joints -------------------------------------------------------------------------------------

typedef struct JointState {
  SarNode q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];  // as the file counts
} JointState;

static void read_joint(SarSymbols* s, int joint, JointState* out) {
  const SarModel* m = s->m;
  sar_symbols_flip(s, joint, &s->q[m->joint_qadr[joint]], &s->v[m->joint_vadr[joint]], out->q,
                   out->v);
}

static bool has_spring(const SarModel* m, int joint) {
  for (int i = 0; i < m->joint_nv[joint]; i++)
    if (m->dof_stiffness[m->joint_vadr[joint] + i] != 0) return true;
  return false;
}

// Displacement x from zero and A with dx/dt = A v: A as columns, NULL: identity.
static void displacement(SarSymbols* s, int joint, const JointState* state, SarNode* x,
                         SarNode A[][SAR_JOINT_MAX_NV], bool* plain) {
  const SarModel* m = s->m;
  const SarJointKind* kind = m->joint_kind[joint];
  SarGraph* g = s->g;
  double zero[SAR_JOINT_MAX_NQ];
  sar_joint_flip(m, joint, &m->q_zero[m->joint_qadr[joint]], NULL, zero, NULL);
  *plain = !kind->rate;
  if (*plain) {
    for (int i = 0; i < kind->nv; i++) x[i] = s_sub(g, state->q[i], s_num(g, zero[i]));
    return;
  }
  // spherical: the quaternion; free: three lengths before it
  const int at = kind->nv - 3;
  for (int i = 0; i < at; i++) x[i] = s_sub(g, state->q[i], s_num(g, zero[i]));
  SarNode from[4];
  for (int i = 0; i < 4; i++) from[i] = s_num(g, zero[at + i]);
  const SymV3 xi =
      squat_log(g, squat_mul(g, squat_conj(g, squat_load(from)), squat_load(&state->q[at])));
  x[at] = xi.x, x[at + 1] = xi.y, x[at + 2] = xi.z;
  for (int i = 0; i < kind->nv; i++)
    for (int k = 0; k < kind->nv; k++) A[i][k] = s_num(g, i == k);
  for (int i = 0; i < 3; i++) {
    const SymV3 rate = srotvec_rate(g, xi, sv3_of(g, v3(i == 0, i == 1, i == 2)));
    A[at + i][at] = rate.x, A[at + i][at + 1] = rate.y, A[at + i][at + 2] = rate.z;
  }
}

bool sar_symbols_spring_rates(SarSymbols* s, int joint, SarNode A[][SAR_JOINT_MAX_NV]) {
  SarNode x[SAR_JOINT_MAX_NV];
  JointState state;
  bool plain = true;
  read_joint(s, joint, &state);
  if (has_spring(s->m, joint)) displacement(s, joint, &state, x, A, &plain);
  return !plain;
}

// -A' k (x - rest)
static void add_spring(SarSymbols* s, int joint, const JointState* state, SarNode* tau) {
  const SarModel* m = s->m;
  const int nv = m->joint_nv[joint], adr = m->joint_vadr[joint];
  SarNode x[SAR_JOINT_MAX_NV], f[SAR_JOINT_MAX_NV], A[SAR_JOINT_MAX_NV][SAR_JOINT_MAX_NV];
  bool plain;
  displacement(s, joint, state, x, A, &plain);
  for (int i = 0; i < nv; i++)
    f[i] = s_mul(s->g, s_num(s->g, -m->dof_stiffness[adr + i]),
                 s_sub(s->g, x[i], s_num(s->g, m->dof_rest[adr + i])));
  for (int i = 0; i < nv; i++)
    for (int k = 0; k < nv; k++)
      tau[i] = plain ? (i == k ? s_add(s->g, tau[i], f[i]) : tau[i])
                     : s_mac(s->g, tau[i], A[i][k], f[k]);
}

// damper and dry friction (model/friction.h), -c v - F(v) tanh(v / vs)
static SarNode dissipative_force(SarSymbols* s, int i, SarNode v) {
  const SarModel* m = s->m;
  SarNode f = s_mul(s->g, s_num(s->g, -m->dof_damping[i]), v);
  if (m->dof_friction[i] == 0) return f;
  SarGraph* g = s->g;
  const SarNode x = s_div(g, v, s_num(g, m->dof_friction_speed[i]));
  SarNode size = s_num(g, m->dof_friction[i]);
  if (sar_friction_falls(m, i)) {
    const SarNode y = s_div(g, v, s_num(g, m->dof_stribeck_speed[i]));
    const SarNode bell = sar_sym_call(g, SAR_OP_EXP, s_neg(g, s_mul(g, y, y)), SAR_NONE);
    size = s_mac(g, size, s_num(g, m->dof_breakaway[i] - m->dof_friction[i]), bell);
  }
  return s_msc(g, f, size, sar_sym_call(g, SAR_OP_TANH, x, SAR_NONE));
}

static SarNode actuator_force(const SarSymbols* s, int i) {
  const int slot = s->m->dof_force_slot[i];
  return slot < 0 ? s_num(s->g, 0) : s->slot[slot];
}

static void add_joint_forces(SarSymbols* s) {
  const SarModel* m = s->m;
  for (int b = 0; b < m->nbody; b++) {
    if (!m->joint_passive[b]) continue;
    JointState state;
    SarNode tau[SAR_JOINT_MAX_NV];
    const int nv = m->joint_nv[b], adr = m->joint_vadr[b];
    read_joint(s, b, &state);
    for (int i = 0; i < nv; i++)
      tau[i] = s_add(s->g, dissipative_force(s, adr + i, state.v[i]), actuator_force(s, adr + i));
    if (has_spring(m, b)) add_spring(s, b, &state, tau);
    sar_symbols_add_joint_force(s, b, tau);
  }
}

// ---- accounts -----------------------------------------------------------------------------------

static SarNode joint_power(SarSymbols* s, int joint, bool drive) {
  const SarModel* m = s->m;
  JointState state;
  SarNode sum = s_num(s->g, 0);
  read_joint(s, joint, &state);
  for (int i = 0; i < m->joint_nv[joint]; i++) {
    const int k = m->joint_vadr[joint] + i;
    const SarNode f = drive ? actuator_force(s, k) : dissipative_force(s, k, state.v[i]);
    sum = s_mac(s->g, sum, f, state.v[i]);
  }
  return sum;
}

static SarNode host_power(SarSymbols* s) {
  SarNode sum = s_num(s->g, 0);
  for (int i = 0; i < s->m->nv; i++) sum = s_mac(s->g, sum, s->tau_host[i], s->v[i]);
  return sum;
}

static void add_accounts(SarSymbols* s) {
  const SarModel* m = s->m;
  for (int i = 0; i < m->nwork; i++) {
    const SarWorkSource* source = &m->work[i];
    switch (source->kind) {
      case SAR_WORK_HOST: s->work_rate[i] = host_power(s); break;
      case SAR_WORK_FORCE: s->work_rate[i] = s->force_power[source->index]; break;
      case SAR_WORK_DISSIPATION:
      case SAR_WORK_DRIVE:
        if (source->index < m->nbody)
          s->work_rate[i] = joint_power(s, source->index, source->kind == SAR_WORK_DRIVE);
        break;
      default: break;  // of constraints: sar_symbols_lagrange; of fields: sar_symbols_field
    }
  }
}

void sar_symbols_forces(SarSymbols* s) {
  const SarModel* m = s->m;
  sar_symbols_kinematics(s);
  sar_symbols_world(s);
  sar_symbols_velocities(s);
  sar_symbols_measures(s);
  for (int i = 0; i < m->nexpr; i++)
    if (m->expr[i].slot >= 0) s->slot[m->expr[i].slot] = sar_symbols_program(s, &m->expr[i]);
  for (int i = 0; i < m->nz; i++) s->z_rate[i] = s->slot[m->z_rate_slot[i]];
  for (int b = 0; b < m->nbody; b++) s->F[b] = sforce_zero(s->g);
  for (int i = 0; i < m->nv; i++) s->tau[i] = s->tau_host[i];
  add_joint_forces(s);
  sar_symbols_elements(s);
  add_accounts(s);
  if (m->field.kind != SAR_GRAVITY_UNIFORM) sar_symbols_field(s);
}
