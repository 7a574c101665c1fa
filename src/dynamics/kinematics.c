// Forward kinematics: positions and velocities, from the root outwards.
//
//   X_PB = X_PF X_FB(q)                       F: joint frame in the parent P, B: frame of the body
//   V_B  = X_BP V_P + S v
//
// One-axis joints turn about or move along z of F and B, so that X_FB is never multiplied out: a
// revolute joint mixes the x and y columns of R_PF, a prismatic one moves the origin along z.
#include "dynamics/tree.h"

#include "dynamics/nodes.h"
#include "linalg/lanes.h"
#include "math/sincos.h"

// R_PF Rz(q): a row (x, y, z) becomes (c x + s y, c y - s x, z)
LANES_INLINE L4x3 rows_turned_z(L4x3 rows, double c, double s) {
  const L4 keep = l4(c, c, 1), cross = l4(s, -s, 0);
  return (L4x3){l4_mul_add(l4_yxz(rows.x), cross, l4_mul(rows.x, keep)),
                l4_mul_add(l4_yxz(rows.y), cross, l4_mul(rows.y, keep)),
                l4_mul_add(l4_yxz(rows.z), cross, l4_mul(rows.z, keep))};
}

// The fourth lane of a row falls on the next row, which is written after it.
LANES_INLINE void store_rows(M3* to, L4x3 rows) {
  l4_store(&to->xx, rows.x);
  l4_store(&to->yx, rows.y);
  l4_store3(&to->zx, rows.z);
}

// a general joint: X_PB, S, cJ, and S v as the result. moving: velocities are asked for.
static LaneMotion calc_general(const SarModel* m, SarData* d, int b, bool moving) {
  const int vadr = m->joint_vadr[b], nv = m->joint_nv[b];
  SarJointCalc joint;
  const double* v = moving ? &d->v[vadr] : NULL;
  m->joint_kind[b]->calc(&m->joint_param[b * SAR_JOINT_MAX_PARAM], &d->q[m->joint_qadr[b]], v,
                         &joint);
  d->body_X_PB[b] = x_mul(m->body_X_PF[b], joint.X_FB);
  for (int i = 0; i < nv; i++) d->dof_S[vadr + i] = joint.S[i];
  Motion Sv = motion_zero();
  if (moving) {
    d->body_cJ[b] = joint.cJ;
    for (int i = 0; i < nv; i++) Sv = motion_add(Sv, motion_scale(v[i], joint.S[i]));
  }
  return (LaneMotion){l4_of(Sv.w), l4_of(Sv.v)};
}

// Out of line: the loop over joints of one axis is as it would be without.
__attribute__((noinline)) static LaneMotion calc_other(const SarModel* m, SarData* d, int b,
                                                       bool moving) {
  if (m->joint_class[b] == SAR_CLASS_MODE) return (LaneMotion){l4_zero(), l4_zero()};
  if (m->joint_class[b] != SAR_CLASS_NODE) return calc_general(m, d, b, moving);
  const Motion Sv = sar_update_node(m, d, b, moving);
  return (LaneMotion){l4_of(Sv.w), l4_of(Sv.v)};
}

// Called with a constant `moving`, so that the compiler makes one loop of it for each value.
static inline void update(const SarModel* m, SarData* d, const bool moving) {
  const LaneMotion still = {l4_zero(), l4_zero()};
  LaneMotion V = still;  // of body b - 1: the parent, more often than not
  if (m->has_revolute) sar_sincos_array(m->nq, d->q, d->q_sin, d->q_cos);

  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b], q = m->joint_qadr[b], v = m->joint_vadr[b];
    Xform* X = &d->body_X_PB[b];
    L4x3 rows = l4x3_load_rows(&m->body_X_PF[b].R);
    LaneMotion Sv = still;
    switch (m->joint_class[b]) {
      case SAR_CLASS_REVOLUTE:
        rows = rows_turned_z(rows, d->q_cos[q], d->q_sin[q]);
        store_rows(&X->R, rows);  // the origin was set once
        if (moving) Sv.w = l4_scale(d->v[v], l4(0, 0, 1));
        break;
      case SAR_CLASS_PRISMATIC:
        X->p = v3_axpy(d->q[q], m3_col_z(X->R), m->body_X_PF[b].p);
        if (moving) Sv.v = l4_scale(d->v[v], l4(0, 0, 1));
        break;
      case SAR_CLASS_FIXED: break;
      default: Sv = calc_other(m, d, b, moving); rows = l4x3_load_rows(&X->R);
    }
    l4x3_store(&d->body_columns[b], l4x3_transpose(rows));
    if (!moving) continue;
    if (p < 0)
      V = still;
    else if (p != b - 1)
      V = lane_motion(&d->body_V[p]);
    V = lane_x_motion_inv(rows, l4_load(&X->p.x), V);
    V = lane_motion_add(V, Sv);
    lane_motion_store(&d->body_V[b], V);
  }
}

// No second version for AVX: of its rows GCC 12 makes a `vmovq` between registers, which valgrind
// 3.19 does not know, and instructions are counted with that.
void sar_update_positions(const SarModel* m, SarData* d) { update(m, d, false); }

void sar_update_kinematics(const SarModel* m, SarData* d) { update(m, d, true); }

// Joints of one axis keep their X_PB.
void sar_update_velocities(const SarModel* m, SarData* d) {
  const LaneMotion still = {l4_zero(), l4_zero()};
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b], v = m->joint_vadr[b];
    const Xform* X = &d->body_X_PB[b];
    LaneMotion Sv = still;
    switch (m->joint_class[b]) {
      case SAR_CLASS_REVOLUTE: Sv.w = l4_scale(d->v[v], l4(0, 0, 1)); break;
      case SAR_CLASS_PRISMATIC: Sv.v = l4_scale(d->v[v], l4(0, 0, 1)); break;
      case SAR_CLASS_FIXED: break;
      default: Sv = calc_other(m, d, b, true);
    }
    const LaneMotion V_P = p < 0 ? still : lane_motion(&d->body_V[p]);
    const LaneMotion V = lane_x_motion_inv(l4x3_load_rows(&X->R), l4_load(&X->p.x), V_P);
    lane_motion_store(&d->body_V[b], lane_motion_add(V, Sv));
  }
}

// A row of R_GB is one of R_GP times R_PB: its three numbers, each times a row of R_PB.
LANES_INLINE void world(const SarModel* m, SarData* d) {
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b];
    const Xform *X_PB = &d->body_X_PB[b], *X_GP = p < 0 ? NULL : &d->body_X_GB[p];
    Xform* X_GB = &d->body_X_GB[b];
    if (!X_GP) {
      *X_GB = *X_PB;
      continue;
    }
    const L4x3 R_PB = l4x3_load_rows(&X_PB->R), R_GP = l4x3_load_rows(&X_GP->R);
    store_rows(&X_GB->R,
               (L4x3){l4x3_mul(R_PB, R_GP.x), l4x3_mul(R_PB, R_GP.y), l4x3_mul(R_PB, R_GP.z)});
    X_GB->p = x_point(*X_GP, X_PB->p);
  }
}

SAR_WIDE static void world_wide(const SarModel* m, SarData* d) { world(m, d); }

void sar_update_world(const SarModel* m, SarData* d) {
  if (sar_has_wide())
    world_wide(m, d);
  else
    world(m, d);
}
