// First variation of what joints measure and exert: sensors, springs, dampers, friction, actuators
// (variation.h; the values are those of measures.c and passive.c).
#include "dynamics/variation.h"

#include "elements/forces/varied.h"
#include "math/dual_rotvec.h"
#include "math/sequence.h"
#include "model/friction.h"

enum { NV = SAR_JOINT_MAX_NV, NQ = SAR_JOINT_MAX_NQ };

// A joint in the direction of the file: coordinates, velocities, and what both change by.
typedef struct JointMotion {
  double q[NQ], v[NV], xi[NV], dv[NV];
} JointMotion;

// Local coordinates from the rates of stored ones: the way back of sar_stored_rates.
static void local_change(const SarJointKind* kind, const double* q, const double* rate,
                         double* xi) {
  const int plain = kind->nq == kind->nv ? kind->nv : kind->nv - 3;
  for (int i = 0; i < plain; i++) xi[i] = rate[i];
  if (plain == kind->nv) return;
  const Quat turn = quat_mul(quat_conj(quat_load(q + plain)), quat_load(rate + plain));
  v3_store(xi + plain, v3_scale(2, v3(turn.x, turn.y, turn.z)));
}

static JointMotion file_motion(const SarModel* m, const SarData* d, const SarVariation* x,
                               int joint) {
  const int nq = m->joint_nq[joint], nv = m->joint_nv[joint];
  const double *q = &d->q[m->joint_qadr[joint]], *v = &d->v[m->joint_vadr[joint]];
  const double* dv = &x->v[m->joint_vadr[joint]];
  double other[NQ];
  JointMotion s = {0};
  if (joint >= m->nbody) {  // cut joints are kept in the direction of the file
    for (int i = 0; i < nq; i++) s.q[i] = q[i];
    for (int i = 0; i < nv; i++) s.v[i] = v[i], s.dv[i] = dv[i];
    local_change(m->joint_kind[joint], q, &x->q[m->joint_qadr[joint]], s.xi);
    return s;
  }
  const double* xi = &x->dq[m->joint_vadr[joint]];
  sar_joint_flip(m, joint, q, v, s.q, s.v);
  sar_joint_flip(m, joint, q, xi, other, s.xi);
  sar_joint_vary_flip(m, joint, q, v, xi, dv, s.dv);
  return s;
}

// ---- measures -----------------------------------------------------------------------------------

static double coordinate_change(const SarModel* m, const SarData* d, const SarVariation* x,
                                const SarMeasure* s) {
  const int j = s->index;
  if (!m->joint_turned[j])
    return s->kind == SAR_MEASURE_Q ? x->q[m->joint_qadr[j] + s->component]
                                    : x->v[m->joint_vadr[j] + s->component];
  const JointMotion file = file_motion(m, d, x, j);
  double rate[NQ];
  if (s->kind == SAR_MEASURE_V) return file.dv[s->component];
  if (j >= m->nbody) return x->q[m->joint_qadr[j] + s->component];
  sar_stored_rates(m->joint_kind[j], file.q, file.xi, rate);
  return rate[s->component];
}

static Quat turned(Quat Q, V3 turn_G) {  // Q' = (0, turn) Q / 2, turn in ground axes
  return quat_mul((Quat){0, 0.5 * turn_G.x, 0.5 * turn_G.y, 0.5 * turn_G.z}, Q);
}

// turn = sum of axis_k angle_k': the first axis is fixed in ground, the others go along with the
// turns before them
static double angle_change(M3 R, const char* sequence, V3 turn, int component) {
  double angle[3], c, s;
  V3 axis[3];
  M3 at = m3_identity();
  sar_rotation_angles(R, sequence, angle);
  for (int k = 0; k < 3; k++) {
    const char e = sequence[k];
    axis[k] = e == 'x' ? m3_col_x(at) : e == 'y' ? m3_col_y(at) : m3_col_z(at);
    sar_sincos(angle[k], &s, &c);
    at = m3_mul(at, e == 'x' ? m3_rot_x(c, s) : e == 'y' ? m3_rot_y(c, s) : m3_rot_z(c, s));
  }
  const V3 dual_axis = v3_cross(axis[(component + 1) % 3], axis[(component + 2) % 3]);
  return v3_dot(dual_axis, turn) / v3_dot(dual_axis, axis[component]);
}

static double orientation_change(const SarModel* m, const SarData* d, const SarVariation* x,
                                 const SarMeasure* s) {
  const int body = sar_holder_body(m, s->index);
  const M3 R_BU = sar_holder_X_BU(m, s->index).R;
  if (body < 0) return 0;
  const M3 R = m3_mul(d->body_X_GB[body].R, R_BU);
  const V3 turn = x->body_X[body].w;
  if (s->kind == SAR_MEASURE_ANGLE)
    return angle_change(R, sar_sequence[s->component / 3], turn, s->component % 3);
  double rate[4];
  quat_store(rate, turned(quat_from_m3(R), turn));
  return rate[s->component];
}

double sar_vary_measure(const SarModel* m, const SarData* d, const SarVariation* x,
                        const SarMeasure* s) {
  switch (s->kind) {
    case SAR_MEASURE_Q:
    case SAR_MEASURE_V: return coordinate_change(m, d, x, s);
    case SAR_MEASURE_QUAT:
    case SAR_MEASURE_ANGLE: return orientation_change(m, d, x, s);
    case SAR_MEASURE_HELD: return 0;
    default: break;
  }
  const VariedBody b = varied_body(d, x, s->index);
  const D3 p = varied_point(&b, s->point);
  double change[3];
  v3_store(change, s->kind == SAR_MEASURE_POINT   ? p.d
                   : s->kind == SAR_MEASURE_OMEGA ? b.w.d
                                                  : varied_velocity(&b, p).d);
  return change[s->component];
}

// ---- forces of joints ---------------------------------------------------------------------------

// tau = -A' k (x - rest), A' f = Jr(x)^-T f = Jr(-x)^-1 f for rotation vectors, which come last
static void vary_spring(const SarModel* m, int joint, const JointMotion* s, Dual* tau) {
  const SarJointKind* kind = m->joint_kind[joint];
  const double* param = &m->joint_param[joint * SAR_JOINT_MAX_PARAM];
  const int vadr = m->joint_vadr[joint], nv = kind->nv;
  double zero[NQ], x[NV], dx[NV];
  Dual f[NV];
  sar_joint_flip(m, joint, &m->q_zero[m->joint_qadr[joint]], NULL, zero, NULL);
  sar_joint_displacement(kind, param, zero, s->q, x);
  for (int i = 0; i < nv; i++) dx[i] = s->xi[i];
  if (kind->rate) kind->rate(param, zero, x, s->xi, dx);
  for (int i = 0; i < nv; i++)
    f[i] = dual_scale(-m->dof_stiffness[vadr + i], dual(x[i] - m->dof_rest[vadr + i], dx[i]));
  const int plain = kind->rate ? nv - 3 : nv;
  if (kind->rate) {
    const D3 turn = d3(v3_load(x + plain), v3_load(dx + plain));
    const D3 n = d3_rotvec_rate(d3_neg(turn), d3_from(f[plain], f[plain + 1], f[plain + 2]));
    f[plain] = d3_x(n), f[plain + 1] = d3_y(n), f[plain + 2] = d3_z(n);
  }
  for (int i = 0; i < nv; i++) tau[i] = dual_add(tau[i], f[i]);
}

static double friction_slope(const SarModel* m, const SarData* d, int i, double v) {
  if (m->dof_friction[i] == 0 || d->friction == SAR_FRICTION_BY_IMPULSES) return 0;
  if (d->friction == SAR_FRICTION_FOUND) return -d->dof_stick[i];
  const double t = tanh(fabs(v) / m->dof_friction_speed[i]);
  return -sar_friction_at(m, i, v) / m->dof_friction_speed[i] * (1 - t * t) -
         sar_friction_slope(m, i, fabs(v)) * t;
}

static bool has_spring(const SarModel* m, int joint) {
  for (int i = 0; i < m->joint_nv[joint]; i++)
    if (m->dof_stiffness[m->joint_vadr[joint] + i] != 0) return true;
  return false;
}

// The values matter where the direction of the file turns against the tree's: then tau is taken
// there.
static void vary_joint_force(const SarModel* m, const SarData* d, SarVariation* x, int joint) {
  const int vadr = m->joint_vadr[joint], nv = m->joint_nv[joint];
  const JointMotion s = file_motion(m, d, x, joint);
  Dual tau[NV] = {{0}};
  double value[NV], change[NV];
  if (has_spring(m, joint)) vary_spring(m, joint, &s, tau);
  for (int i = 0; i < nv; i++) {
    const int k = vadr + i, slot = m->dof_force_slot[k];
    const double slope = -m->dof_damping[k] + friction_slope(m, d, k, s.v[i]);
    double dissipative = -m->dof_damping[k] * s.v[i];
    if (m->dof_friction[k] != 0 && d->friction == SAR_FRICTION_SMOOTH)
      dissipative += sar_smooth_friction(m, k, s.v[i]);
    tau[i] = dual_add(tau[i], dual(dissipative, slope * s.dv[i]));
    if (slot >= 0) tau[i] = dual_add(tau[i], dual(d->slot[slot], x->slot[slot]));
    value[i] = tau[i].x, change[i] = tau[i].d;
  }
  sar_joint_vary_force(m, joint, &d->q[m->joint_qadr[joint]],
                       joint < m->nbody ? &x->dq[vadr] : NULL, value, change, &x->tau[vadr]);
}

void sar_vary_joint_forces(const SarModel* m, const SarData* d, SarVariation* x) {
  for (int j = 0; j < m->njoint; j++)
    if (m->joint_passive[j] && sar_joint_is_on(m, d, j)) vary_joint_force(m, d, x, j);
}
