// Forward kinematics over symbols, from the root outwards.
//
//   x_P = X_PF X_FB(q) x_B       the constant step and the turn are kept apart: a turn about z is
//                                two products and a sum for x and for y, a frame that is parallel
//                                to its parent's is a permutation and costs nothing
#include "codegen/symbols.h"

// c x - s y, s x + c y
static SymV3 turned(SarGraph* g, SarNode c, SarNode s, SymV3 a) {
  return (SymV3){s_msc(g, s_mul(g, c, a.x), s, a.y), s_mac(g, s_mul(g, c, a.y), s, a.x), a.z};
}

static SymV3 turned_back(SarGraph* g, SarNode c, SarNode s, SymV3 a) {
  return (SymV3){s_mac(g, s_mul(g, c, a.x), s, a.y), s_msc(g, s_mul(g, c, a.y), s, a.x), a.z};
}

SymV3 sar_symbols_to_parent(const SarSymbols* s, int b, SymV3 a_B) {
  const SymJoint* j = &s->joint[b];
  SymV3 a_F = a_B;
  if (s->m->joint_class[b] == SAR_CLASS_REVOLUTE)
    a_F = turned(s->g, j->c, j->s, a_B);
  else if (s->m->joint_class[b] == SAR_CLASS_GENERAL)
    a_F = sm3_mul_v(s->g, j->X_FB.R, a_B);
  return sm3_mul_v(s->g, j->X_PF.R, a_F);
}

SymV3 sar_symbols_to_child(const SarSymbols* s, int b, SymV3 a_P) {
  const SymJoint* j = &s->joint[b];
  const SymV3 a_F = sm3_tmul_v(s->g, j->X_PF.R, a_P);
  if (s->m->joint_class[b] == SAR_CLASS_REVOLUTE) return turned_back(s->g, j->c, j->s, a_F);
  if (s->m->joint_class[b] == SAR_CLASS_GENERAL) return sm3_tmul_v(s->g, j->X_FB.R, a_F);
  return a_F;
}

SymV3 sar_symbols_offset(const SarSymbols* s, int b) {
  const SymJoint* j = &s->joint[b];
  SymV3 p_F;
  switch (s->m->joint_class[b]) {
    case SAR_CLASS_PRISMATIC:
      p_F = (SymV3){s_num(s->g, 0), s_num(s->g, 0), s->q[s->m->joint_qadr[b]]};
      break;
    case SAR_CLASS_GENERAL: p_F = j->X_FB.p; break;
    default: return j->X_PF.p;
  }
  return sx_point(s->g, j->X_PF, p_F);
}

static SymV3 along_z(SarGraph* g, SarNode z) { return (SymV3){s_num(g, 0), s_num(g, 0), z}; }

static void read_joint(SarSymbols* s, int b) {
  const SarModel* m = s->m;
  SymJoint* j = &s->joint[b];
  SarGraph* g = s->g;
  j->X_PF = sar_symbols_frame(s, b);
  const SarNode q = m->joint_nq[b] > 0 ? s->q[m->joint_qadr[b]] : SAR_NONE;
  switch (m->joint_class[b]) {
    case SAR_CLASS_FIXED: break;
    case SAR_CLASS_REVOLUTE:
      j->c = sar_sym_cos(g, q);
      j->s = sar_sym_sin(g, q);
      j->S[0] = smotion_of(g, (Motion){v3(0, 0, 1), v3_zero()});
      break;
    case SAR_CLASS_PRISMATIC: j->S[0] = smotion_of(g, (Motion){v3_zero(), v3(0, 0, 1)}); break;
    default: sar_symbols_joint(s, b, j);
  }
}

void sar_symbols_kinematics(SarSymbols* s) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b], i = m->joint_vadr[b];
    read_joint(s, b);
    SymV3 w = p < 0 ? sv3_zero(g) : sar_symbols_to_child(s, b, s->w[p]);
    if (m->joint_class[b] == SAR_CLASS_REVOLUTE) w.z = s_add(g, w.z, s->v[i]);
    if (m->joint_class[b] == SAR_CLASS_GENERAL) w = sv3_add(g, w, s->joint[b].Sv.w);
    s->w[b] = w;
  }
}

SymXform sar_symbols_beyond(const SarSymbols* s, int b, const SymXform* X_AP) {
  SarGraph* g = s->g;
  const SymJoint* j = &s->joint[b];
  SymXform X = X_AP ? sx_mul(g, *X_AP, j->X_PF) : j->X_PF;
  switch (s->m->joint_class[b]) {
    case SAR_CLASS_REVOLUTE: {
      const SymV3 x = sm3_col_x(X.R), y = sm3_col_y(X.R);
      const SymV3 cx = sv3_scale(g, j->c, x), cy = sv3_scale(g, j->c, y);
      X.R = sm3_from_cols(sv3_axpy(g, j->s, y, cx), sv3_axpy(g, s_neg(g, j->s), x, cy),
                          sm3_col_z(X.R));
      break;
    }
    case SAR_CLASS_PRISMATIC:
      X.p = sv3_axpy(g, s->q[s->m->joint_qadr[b]], sm3_col_z(X.R), X.p);
      break;
    case SAR_CLASS_GENERAL: X = sx_mul(g, X, j->X_FB); break;
    default: break;
  }
  return X;
}

// X_GB = X_GP X_PF X_FB
void sar_symbols_world(SarSymbols* s) {
  for (int b = 0; b < s->m->nbody; b++) {
    const int p = s->m->body_parent[b];
    s->X_GB[b] = sar_symbols_beyond(s, b, p < 0 ? NULL : &s->X_GB[p]);
  }
}

// v_B = R'(v_P + w_P x p) + v_J
void sar_symbols_velocities(SarSymbols* s) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b], i = m->joint_vadr[b];
    SymV3 v = sv3_zero(g);
    if (p >= 0)
      v = sar_symbols_to_child(
          s, b, sv3_add(g, s->vel[p], sv3_cross(g, s->w[p], sar_symbols_offset(s, b))));
    if (m->joint_class[b] == SAR_CLASS_PRISMATIC) v = sv3_add(g, v, along_z(g, s->v[i]));
    if (m->joint_class[b] == SAR_CLASS_GENERAL) v = sv3_add(g, v, s->joint[b].Sv.v);
    s->vel[b] = v;
  }
}

// From a body to the frame of a joint that stands on it; -1: as it is.
SymV3 sar_symbols_in_frame(const SarSymbols* s, int joint, SymV3 a, bool direction) {
  if (joint < 0) return a;
  const SymXform* X = &s->joint[joint].X_PF;
  return sm3_tmul_v(s->g, X->R, direction ? a : sv3_sub(s->g, a, X->p));
}

SymXform sar_symbols_pose(const SarSymbols* s, int body) {
  return body < 0 ? sx_of(s->g, x_identity()) : s->X_GB[body];
}

SymV3 sar_symbols_point_velocity(const SarSymbols* s, int body, SymV3 p_B) {
  if (body < 0) return sv3_zero(s->g);
  return sm3_mul_v(s->g, s->X_GB[body].R,
                   sv3_add(s->g, s->vel[body], sv3_cross(s->g, s->w[body], p_B)));
}

SymV3 sar_symbols_omega(const SarSymbols* s, int body) {
  return body < 0 ? sv3_zero(s->g) : sm3_mul_v(s->g, s->X_GB[body].R, s->w[body]);
}
