// Limits (unilateral constraints), dry (Coulomb) friction and motors (bounded bilateral ones) of
// joints, as rows of single coordinates in the direction of the file.
//
//   limit      q - lower >= 0, upper - q >= 0            one-sided, with restitution
//   friction   |p| <= F h,  v -> 0
//              sticks exactly, slides with F (model/friction.h)
//   motor      |p| <= F h,  v -> wanted speed
//              or to the speed that leads to the wanted position r
//                                                        when the next step jumps: (r - q) / h + r'
//
// In relative coordinates such a row has one entry; a joint that closes a loop has the row of its
// two opposite wrenches instead (cut_joints.h).
#include "dynamics/cut_joints.h"
#include "formulations/impulse/laws.h"
#include "model/friction.h"

#include <math.h>

static const double SLOP = 1e-7;  // violation of a limit that is left alone [rad or m]
static const double FAST = 1e-3;  // approach within a step that is an impact [rad or m]

int sar_law_rows(const SarModel* m) {
  int rows = m->ncontact * SAR_CONTACT_ROWS + m->nmotor;
  for (int i = 0; i < m->nv_all; i++)
    rows += isfinite(m->dof_lower[i]) + isfinite(m->dof_upper[i]) + (m->dof_friction[i] > 0);
  return rows;
}

static V3 to_ground(const SarData* d, int body, V3 x) {
  return body < 0 ? x : m3_mul_v(d->body_X_GB[body].R, x);
}

// J of coordinate i of a joint, times `sign`: its velocity as the file counts it.
static SarImpulseRow* coordinate_row(SarImpulses* p, const SarModel* m, const SarData* d, int joint,
                                     int i, double sign) {
  SarImpulseRow* row = sar_impulses_add(p);
  if (!row) return NULL;
  if (joint < m->nbody && m->joint_nv[joint] == 1) {  // one axis, the same in both directions
    sar_impulse_coordinate(p, row, m->joint_vadr[joint], sign);
    return row;
  }
  double unit[SAR_JOINT_MAX_NV] = {0}, tree[SAR_JOINT_MAX_NV] = {0};
  unit[i] = sign;
  if (joint < m->nbody) {
    sar_joint_add_force(m, joint, &d->q[m->joint_qadr[joint]], unit, tree);
    for (int k = 0; k < m->joint_nv[joint]; k++)
      if (tree[k] != 0) sar_impulse_coordinate(p, row, m->joint_vadr[joint] + k, tree[k]);
    return row;
  }
  Force F[2];
  sar_cut_wrench(m, d, joint - m->nbody, unit, F);
  for (int end = 0; end < 2; end++) {
    const int b = m->cut[joint - m->nbody].body[end];
    const Force W = {to_ground(d, b, F[end].n), to_ground(d, b, F[end].f)};
    if (b >= 0) sar_impulse_wrench(p, row, m, d, b, d->body_X_GB[b].p, W);
  }
  return row;
}

static void add_limit(SarImpulses* p, const SarModel* m, const SarData* d, const SarJump* jump,
                      int joint, int i, SarDofImpulse which, double gap) {
  const int dof = m->joint_vadr[joint] + i;
  const double reach = 2 * jump->h * fabs(d->v[dof]) + 1e-3;
  if (!(gap < reach)) return;  // too far to matter in this step
  SarImpulseRow* row = coordinate_row(p, m, d, joint, i, which == SAR_IMPULSE_LOWER ? 1 : -1);
  if (!row) return;
  sar_impulse_ready(p, row, m, d, jump->v0);
  sar_one_sided(p, row, jump, (SarBarrier){gap, m->dof_restitution[dof], SLOP, FAST, 0, 0});
  row->owner = dof * SAR_DOF_IMPULSES + (int)which;
}

static void add_friction(SarImpulses* p, const SarModel* m, const SarData* d, const SarJump* jump,
                         int joint, int i) {
  const int dof = m->joint_vadr[joint] + i;
  SarImpulseRow* row = coordinate_row(p, m, d, joint, i, 1);
  if (!row) return;
  sar_impulse_ready(p, row, m, d, jump->v0);
  row->high = m->dof_friction[dof] * jump->h;
  if (sar_friction_falls(m, dof)) {
    row->high = sar_friction_at(m, dof, row->start) * jump->h;
    p->falling = true;
  }
  row->low = -row->high;
  row->owner = dof * SAR_DOF_IMPULSES + SAR_IMPULSE_FRICTION;
}

// Friction that falls with the speed, where a row slides: F at the mean of its speeds before and
// after, at 0 where it turned round. From what sweeps left, so to be swept again: a fixed point,
// which settles as what slides faster is braked less. True: some bound changed by more than is
// worth it.
bool sar_friction_follows(SarImpulses* p, const SarModel* m, const SarJump* jump, int first,
                          int end) {
  static const double SETTLED = 1e-7;
  bool changed = false;
  if (!p->falling) return false;
  for (int i = first; i < end; i++) {
    SarImpulseRow* row = &p->row[i];
    const int dof = row->owner / SAR_DOF_IMPULSES;
    if (row->owner % SAR_DOF_IMPULSES != SAR_IMPULSE_FRICTION || !sar_friction_falls(m, dof))
      continue;
    if (fabs(row->p) < row->high) continue;
    const double after = sar_impulse_speed(p, row, p->v);
    const double mean = row->start * after < 0 ? 0 : 0.5 * (row->start + after);
    const double most = sar_friction_at(m, dof, mean) * jump->h;
    changed = changed || fabs(most - row->high) > SETTLED * row->high;
    row->high = most, row->low = -most;
  }
  return changed;
}

// position of coordinate i in the direction of the file
static double position(const SarModel* m, const SarData* d, int joint, int i) {
  const double* q = &d->q[m->joint_qadr[joint]];
  double file[SAR_JOINT_MAX_NQ];
  if (!sar_joint_is_flipped(m, joint)) return q[i];
  sar_joint_flip(m, joint, q, NULL, file, NULL);
  return file[i];
}

static void add_motor(SarImpulses* p, const SarModel* m, const SarData* d, const SarJump* jump,
                      const SarMotor* motor) {
  const int joint = motor->joint, i = motor->component;
  if (!sar_joint_is_on(m, d, joint)) return;
  SarImpulseRow* row = coordinate_row(p, m, d, joint, i, 1);
  if (!row) return;
  row->high = motor->effort * jump->h;
  row->low = -row->high;
  row->speed = d->slot[motor->slot];
  if (motor->kind == SAR_MOTOR_POSITION) {
    const double rate = motor->rate < 0 ? 0 : d->slot[motor->rate];
    const double speed = (row->speed - position(m, d, joint, i)) / jump->h + rate;
    row->speed = fmin(fmax(speed, -motor->speed_limit), motor->speed_limit);
  }
  sar_impulse_ready(p, row, m, d, jump->v0);
  row->owner = (m->joint_vadr[joint] + i) * SAR_DOF_IMPULSES + SAR_IMPULSE_MOTOR;
}

static bool is_ruled(const SarModel* m, int joint) {
  for (int k = m->joint_vadr[joint]; k < m->joint_vadr[joint] + m->joint_nv[joint]; k++)
    if (isfinite(m->dof_lower[k]) || isfinite(m->dof_upper[k]) || m->dof_friction[k] > 0)
      return true;
  return false;
}

static void add_rows(SarImpulses* p, const SarModel* m, const SarData* d, const SarJump* jump,
                     int joint) {
  for (int i = 0; i < m->joint_nv[joint]; i++) {
    const int dof = m->joint_vadr[joint] + i;
    const bool limited = isfinite(m->dof_lower[dof]) || isfinite(m->dof_upper[dof]);
    if (limited &&
        m->joint_nq[joint] == m->joint_nv[joint]) {  // angles and lengths, not quaternions
      const double q = position(m, d, joint, i);
      add_limit(p, m, d, jump, joint, i, SAR_IMPULSE_LOWER, q - m->dof_lower[dof]);
      add_limit(p, m, d, jump, joint, i, SAR_IMPULSE_UPPER, m->dof_upper[dof] - q);
    }
    if (m->dof_friction[dof] > 0 && jump->h > 0) add_friction(p, m, d, jump, joint, i);
  }
}

void sar_joint_rows(SarImpulses* p, const SarModel* m, const SarData* d, const SarJump* jump) {
  const int begin = p->count;
  for (int i = 0; i < m->nmotor && jump->h > 0; i++) add_motor(p, m, d, jump, &m->motor[i]);
  for (int j = 0; j < m->njoint; j++)
    if (sar_joint_is_on(m, d, j) && is_ruled(m, j)) add_rows(p, m, d, jump, j);
  for (int i = begin; i < p->count; i++) {
    SarImpulseRow* row = &p->row[i];
    row->p = fmin(fmax(d->dof_impulse[row->owner] * jump->h, row->low), row->high);
  }
}

void sar_joint_impulses(const SarImpulses* p, const SarModel* m, SarData* d, int first, int end,
                        double h) {
  for (int i = 0; i < m->nv_all * SAR_DOF_IMPULSES; i++) d->dof_impulse[i] = 0;
  for (int i = first; i < end; i++) d->dof_impulse[p->row[i].owner] = p->row[i].p / h;
}
