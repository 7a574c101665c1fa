// Tangent stiffness and damping of the applied forces, by the Jacobians of their points
// (tangents.h).
//
// An element's wrench W on body b against body a does the work W . (motion of b against a at p), so
// its generalised forces are Q_i = J_i . W, with J_i that motion for a unit velocity of coordinate
// i (the columns that constraints use too). With dW = -K dx, dx = sum J_j dq_j:
//
//   block_ij = J_i . (gain_K K + gain_C C) J_j
//
// A joint's forces follow its coordinates: v_i = s_i . (motion), with dual vectors s_i, which for
// cut joints are those of cut_joints.h. On the tree J is the inverse of s, so no Jacobian is needed
// there.
#include "dynamics/tangents.h"

#include "dynamics/applied.h"
#include "dynamics/knots.h"
#include "dynamics/pair.h"

enum { NV = SAR_JOINT_MAX_NV };

// ---- joints ---------------------------------------------------------------------------------

// Columns of v_file = P v, the joint's velocities as the file counts them: P[i] for unit v_i.
static void file_velocities(const SarModel* m, const SarData* d, int joint, double P[NV][NV]) {
  double q_file[SAR_JOINT_MAX_NQ];
  for (int i = 0; i < m->joint_nv[joint]; i++) {
    double unit[NV] = {0};
    unit[i] = 1;
    sar_joint_flip(m, joint, &d->q[m->joint_qadr[joint]], unit, q_file, P[i]);
  }
}

// A in the file's coordinates of a joint -> P' A P in the model's own, in place.
static void take_to_model(const SarModel* m, const SarData* d, int joint, double* A) {
  const int nv = m->joint_nv[joint];
  double P[NV][NV], AP[NV][NV] = {{0}};  // P[j], AP[j]: column j
  if (!sar_joint_is_flipped(m, joint)) return;
  file_velocities(m, d, joint, P);
  for (int j = 0; j < nv; j++)
    for (int k = 0; k < nv; k++)
      for (int l = 0; l < nv; l++) AP[j][k] += A[nv * k + l] * P[j][l];
  for (int i = 0; i < nv; i++)
    for (int j = 0; j < nv; j++) {
      A[nv * i + j] = 0;
      for (int k = 0; k < nv; k++) A[nv * i + j] += P[i][k] * AP[j][k];
    }
}

// What acts on the coordinates of a joint: forces of its own, friction that holds it, or an element
// by its number.
enum { OWN = -1, STICKING = -2 };

// K and C of what acts on the coordinates of a joint, in the model's own ones.
static void coordinate_tangent(const SarModel* m, SarData* d, int joint, int force, double* K,
                               double* C) {
  const int entries = m->joint_nv[joint] * m->joint_nv[joint];
  if (force == OWN) {
    sar_joint_tangent(m, d, joint, K, C);
  } else {
    for (int i = 0; i < entries; i++) K[i] = C[i] = 0;
    if (force == STICKING)
      sar_stick_tangent(m, d, joint, C);
    else
      m->force_kind[force]->joint_tangent(m, d, force, K, C);
  }
  take_to_model(m, d, joint, K);
  take_to_model(m, d, joint, C);
}

static void tree_joint_block(const SarModel* m, SarData* d, int joint, int force, double gain_K,
                             double gain_C, double* block) {
  double K[NV * NV], C[NV * NV];
  const int nv = m->joint_nv[joint];
  coordinate_tangent(m, d, joint, force, K, C);
  for (int i = 0; i < nv; i++)
    for (int j = 0; j <= i; j++) *block++ = gain_K * K[nv * i + j] + gain_C * C[nv * i + j];
}

// Joint frame B on the child, in ground, and the bodies of the joint.
static Xform joint_frame(const SarModel* m, const SarData* d, int joint, int body[2]) {
  if (joint < m->nbody) {
    body[0] = m->body_parent[joint], body[1] = joint;
    return d->body_X_GB[joint];
  }
  const SarCut* cut = &m->cut[joint - m->nbody];
  body[0] = cut->body[0], body[1] = cut->body[1];
  return x_mul(*pair_pose(d, cut->body[1]), d->cut_X_B[joint - m->nbody]);
}

// s_i: v_i = s_i . (motion of the child against the parent at the origin of B), ground axes. The
// axes of the angles are orthogonal, those of the lengths too (cut_joints.c).
static void dual_axes(const SarModel* m, const SarData* d, int joint, M3 R_GB, double s[NV][6]) {
  const V3 z = v3(0, 0, 1);
  for (int i = 0; i < m->joint_nv[joint]; i++) {
    const bool angle = m->joint_kind[joint]->coordinate[i] == SAR_ANGLE;
    const bool general = joint >= m->nbody || m->joint_class[joint] == SAR_CLASS_GENERAL;
    const Motion* S = &d->dof_S[m->joint_vadr[joint] + i];
    const V3 axis = m3_mul_v(R_GB, general ? sar_dual_axis(m->joint_kind[joint], i, S) : z);
    v3_store(&s[i][0], angle ? axis : v3_zero());
    v3_store(&s[i][3], angle ? v3_zero() : axis);
  }
}

// K = sum s_k K_kl s_l'
static void on_bodies(const SarModel* m, SarData* d, int joint, int force, SarBodyTangent* out) {
  double K[NV * NV], C[NV * NV], s[NV][6];
  const int nv = m->joint_nv[joint];
  *out = (SarBodyTangent){0};
  const Xform X_GB = joint_frame(m, d, joint, out->body);
  out->p = X_GB.p;
  coordinate_tangent(m, d, joint, force, K, C);
  dual_axes(m, d, joint, X_GB.R, s);
  for (int k = 0; k < nv; k++)
    for (int l = 0; l < nv; l++)
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
          out->K[6 * i + j] += s[k][i] * K[nv * k + l] * s[l][j];
          out->C[6 * i + j] += s[k][i] * C[nv * k + l] * s[l][j];
        }
}

bool sar_joint_body_tangent(const SarModel* m, SarData* d, int joint, SarBodyTangent* out) {
  if (!m->joint_passive[joint] || !sar_joint_is_on(m, d, joint)) return false;
  on_bodies(m, d, joint, OWN, out);
  return true;
}

bool sar_joint_stick_tangent(const SarModel* m, SarData* d, int joint, SarBodyTangent* out) {
  if (!sar_joint_sticks(m, d, joint)) return false;
  on_bodies(m, d, joint, STICKING, out);
  return true;
}

// ---- force elements -------------------------------------------------------------------------

// Those of the forces come first and rise, at most one each: block k belongs to force k or a later
// one.
static const SarTangentBlock* block_of(const SarModel* m, int force) {
  for (int k = force < m->ntangent ? force : m->ntangent - 1; k >= 0; k--) {
    const SarTangentBlock* t = &m->tangent[k];
    if (t->source >= SAR_TANGENT_JOINT || t->index > force) continue;
    return t->index == force ? t : NULL;
  }
  return NULL;
}

// A force on the coordinates of a cut joint that is off acts on nothing.
static bool is_on(const SarModel* m, const SarData* d, const SarTangentBlock* t) {
  if (t->source == SAR_TANGENT_JOINT) return sar_joint_is_on(m, d, t->index);
  return d->force_on[t->index] && (!m->force_kind[t->index]->joint_tangent ||
                                   sar_joint_is_on(m, d, sar_force_attr(m, t->index, 0)->index));
}

static void force_tangent(const SarModel* m, SarData* d, const SarTangentBlock* t,
                          SarBodyTangent* out) {
  const SarForceKind* kind = m->force_kind[t->index];
  if (kind->joint_tangent) {
    on_bodies(m, d, sar_force_attr(m, t->index, 0)->index, t->index, out);
    return;
  }
  *out = (SarBodyTangent){.body = {t->body[0], t->body[1]}};
  kind->tangent(m, d, t->index, out);
}

bool sar_force_body_tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const SarTangentBlock* t = block_of(m, force);
  if (!t || t->source == SAR_TANGENT_COUPLED || !is_on(m, d, t)) return false;
  force_tangent(m, d, t, out);
  return true;
}

bool sar_force_coupled_tangent(const SarModel* m, SarData* d, int force, int joint[2],
                               SarCoupledTangent* out) {
  const SarForceKind* kind = m->force_kind[force];
  joint[0] = sar_force_attr(m, force, 0)->index;
  joint[1] = sar_force_attr(m, force, kind->coupled)->index;
  *out = (SarCoupledTangent){0};
  if (!d->force_on[force]) return false;
  kind->coupled_tangent(m, d, force, out);
  return out->k != 0 || out->c != 0;
}

// ---- blocks ---------------------------------------------------------------------------------

// J' A J, lower triangle, for the 3 x 3 part of A = gain_K K + gain_C C from row and column `at`
// on: of rotations (0) or of the motion of the point p (3). u: the parts of J that it multiplies.
static inline S3 part_of(const SarBodyTangent* b, double gain_K, double gain_C, int at) {
  const double *K = &b->K[7 * at], *C = &b->C[7 * at];
  const double half_K = 0.5 * gain_K, half_C = 0.5 * gain_C;  // the symmetric part counts
  return (S3){gain_K * K[0] + gain_C * C[0],
              half_K * (K[1] + K[6]) + half_C * (C[1] + C[6]),
              half_K * (K[2] + K[12]) + half_C * (C[2] + C[12]),
              gain_K * K[7] + gain_C * C[7],
              half_K * (K[8] + K[13]) + half_C * (C[8] + C[13]),
              gain_K * K[14] + gain_C * C[14]};
}

static void project_turns(S3 A, const Motion* J, int num, double* block) {
  for (int i = 0; i < num; i++) {
    const V3 n = s3_mul_v(A, J[i].w);
    for (int j = 0; j <= i; j++) *block++ = v3_dot(J[j].w, n);
  }
}

static void project_point(S3 A, const Motion* J, int num, double* block) {
  for (int i = 0; i < num; i++) {
    const V3 f = s3_mul_v(A, J[i].v);
    for (int j = 0; j <= i; j++) *block++ = v3_dot(J[j].v, f);
  }
}

static void project_all(const SarBodyTangent* b, double gain_K, double gain_C, const Motion* J,
                        int num, double* block) {
  double A[36];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      A[6 * i + j] = 0.5 * (gain_K * (b->K[6 * i + j] + b->K[6 * j + i]) +
                            gain_C * (b->C[6 * i + j] + b->C[6 * j + i]));
  for (int i = 0; i < num; i++) {
    const double x[6] = {J[i].w.x, J[i].w.y, J[i].w.z, J[i].v.x, J[i].v.y, J[i].v.z};
    double y[6] = {0};
    for (int r = 0; r < 6; r++)
      for (int c = 0; c < 6; c++) y[r] += A[6 * r + c] * x[c];
    const Force F = {v3_load(y), v3_load(y + 3)};
    for (int j = 0; j <= i; j++) *block++ = power_of(J[j], F);
  }
}

// In a positive semidefinite matrix a zero on the diagonal has a zero row.
static bool is_zero(const SarBodyTangent* b, int at) {
  for (int i = at; i < at + 3; i++)
    if (b->K[7 * i] != 0 || b->C[7 * i] != 0) return false;
  return true;
}

// Most elements resist either the motion of a point or rotations: half of J does not count then.
static void project(const SarBodyTangent* b, double gain_K, double gain_C, const Motion* J, int num,
                    double* block) {
  if (is_zero(b, 0))
    project_point(part_of(b, gain_K, gain_C, 3), J, num, block);
  else if (is_zero(b, 3))
    project_turns(part_of(b, gain_K, gain_C, 0), J, num, block);
  else
    project_all(b, gain_K, gain_C, J, num, block);
}

static void pair_block(const SarModel* m, SarData* d, const SarTangentBlock* t,
                       const SarBodyTangent* b, double gain_K, double gain_C, double* block) {
  const int* dof = &m->tangent_dof[t->adr];
  const double sign = t->a_first ? -1 : 1;
  Motion* J = &d->tangent_J[t->adr];
  const int first = t->body[t->a_first ? 0 : 1], second = t->body[t->a_first ? 1 : 0];
  pair_columns(m, d, dof, t->num_first, sign, b->p, first, second, J);
  pair_columns(m, d, dof + t->num_first, t->num - t->num_first, -sign, b->p, second, first,
               J + t->num_first);
  project(b, gain_K, gain_C, J, t->num, block);
}

// A joint of one axis: weight c c', c_i = s . J_i how fast it moves for a unit velocity of
// coordinate i.
static void axis_block(const SarModel* m, SarData* d, const SarTangentBlock* t, double gain_K,
                       double gain_C, double* block) {
  double K, C, s[NV][6], c[2 * PAIR_FREE];
  int body[2];
  const Xform X_GB = joint_frame(m, d, t->index, body);
  coordinate_tangent(m, d, t->index, OWN, &K, &C);
  dual_axes(m, d, t->index, X_GB.R, s);
  const double weight = gain_K * K + gain_C * C, sign = t->a_first ? -1 : 1;
  const Force W = {v3_load(s[0]), v3_load(s[0] + 3)};
  const bool turns = m->joint_kind[t->index]->coordinate[0] == SAR_ANGLE;
  const int* dof = &m->tangent_dof[t->adr];
  if (t->num_first > 0) pair_own_entries(m, d, dof[0], sign, X_GB.p, W, turns, c);
  if (t->num > t->num_first)
    pair_own_entries(m, d, dof[t->num_first], -sign, X_GB.p, W, turns, c + t->num_first);
  for (int i = 0; i < t->num; i++) {
    const double w = weight * c[i];
    for (int j = 0; j <= i; j++) *block++ = w * c[j];
  }
}

// Is block t of a cut joint of one axis between bodies with coordinates of their own?
static bool is_axis(const SarModel* m, const SarTangentBlock* t) {
  const int* dof = &m->tangent_dof[t->adr];
  return t->source == SAR_TANGENT_JOINT && t->index >= m->nbody && m->joint_nv[t->index] == 1 &&
         pair_is_own(m, dof, t->num_first) &&
         pair_is_own(m, dof + t->num_first, t->num - t->num_first);
}

// (gain_K k + gain_C c) g g', the coordinates rising
static void coupled_block(const SarModel* m, SarData* d, int force, double gain_K, double gain_C,
                          double* block) {
  SarCoupledTangent c;
  int joint[2];
  sar_force_coupled_tangent(m, d, force, joint, &c);
  const double gain = gain_K * c.k + gain_C * c.c;
  const int first = joint[0] < joint[1] ? 0 : 1;
  block[0] = gain * c.g[first] * c.g[first];
  block[1] = gain * c.g[0] * c.g[1];
  block[2] = gain * c.g[1 - first] * c.g[1 - first];
}

// sum over the forces of r_i . (gain_K K + gain_C C) r_j, with r_j how far the ends of a force go
// apart for a unit velocity of coordinate j where the knots between give way.
static void network_block(const SarModel* m, SarData* d, const SarTangentBlock* t, double gain_K,
                          double gain_C, double* block) {
  const SarNetwork* n = &m->network[t->index];
  V3* r = d->network_motion;
  sar_update_network(m, d, t->index);
  for (int k = n->adr; k < n->adr + n->num; k++) {
    const SarNetworkForce* f = &m->network_force[k];
    const int* place = &m->network_place[f->adr];
    for (int i = 0; i < f->num; i++) {
      Motion J;
      pair_columns(m, d, &m->network_dof[n->dof_adr + place[i]], 1, 1, d->network_work[k].p,
                   f->body, -1, &J);
      d->network_J[f->adr + i] = J.v;
    }
  }
  for (int j = 0; j < t->num; j++) {
    for (int k = n->adr; k < n->adr + n->num; k++) {
      const SarNetworkForce* f = &m->network_force[k];
      d->network_work[k].u = v3_zero();
      for (int i = 0; i < f->num; i++)
        if (m->network_place[f->adr + i] == j) d->network_work[k].u = d->network_J[f->adr + i];
    }
    sar_network_motion(m, d, t->index, r + j * n->num);
  }
  for (int i = 0; i < t->num; i++)
    for (int j = 0; j <= i; j++)
      *block++ =
          sar_network_product(m, d, t->index, gain_K, gain_C, r + i * n->num, r + j * n->num);
}

// The joint of the tree on whose coordinates alone a force element acts; -1: it is another one. No
// pose in ground is needed for it, which models of joint forces alone do not keep up to date.
static int joint_acted_on(const SarModel* m, const SarTangentBlock* t) {
  if (t->source != SAR_TANGENT_FORCE || !m->force_kind[t->index]->joint_tangent) return -1;
  const int joint = sar_force_attr(m, t->index, 0)->index;
  return joint < m->nbody && t->num == m->joint_nv[joint] ? joint : -1;
}

void sar_tangent_block(const SarModel* m, SarData* d, int k, double gain_K, double gain_C,
                       double* block) {
  const SarTangentBlock* t = &m->tangent[k];
  SarBodyTangent b;
  if (t->source == SAR_TANGENT_COUPLED) {
    coupled_block(m, d, t->index, gain_K, gain_C, block);
    return;
  }
  if (t->source == SAR_TANGENT_NETWORK) {
    network_block(m, d, t, gain_K, gain_C, block);
    return;
  }
  if (t->source == SAR_TANGENT_JOINT && t->index < m->nbody) {
    tree_joint_block(m, d, t->index, OWN, gain_K, gain_C, block);
    return;
  }
  if (!is_on(m, d, t)) {
    for (int i = 0; i < t->num * (t->num + 1) / 2; i++) block[i] = 0;
    return;
  }
  const int joint = joint_acted_on(m, t);
  if (joint >= 0) {
    tree_joint_block(m, d, joint, t->index, gain_K, gain_C, block);
    return;
  }
  if (is_axis(m, t)) {
    axis_block(m, d, t, gain_K, gain_C, block);
    return;
  }
  if (t->source == SAR_TANGENT_JOINT)
    on_bodies(m, d, t->index, OWN, &b);
  else
    force_tangent(m, d, t, &b);
  pair_block(m, d, t, &b, gain_K, gain_C, block);
}

// ---- friction that holds ----------------------------------------------------------------------

bool sar_joint_sticks(const SarModel* m, const SarData* d, int joint) {
  for (int i = m->joint_vadr[joint]; i < m->joint_vadr[joint] + m->joint_nv[joint]; i++)
    if (d->dof_stick[i] != 0) return sar_joint_is_on(m, d, joint);
  return false;
}

bool sar_stick_block(const SarModel* m, SarData* d, int k, double gain, double* block) {
  const SarTangentBlock* t = &m->tangent[k];
  SarBodyTangent b;
  if (t->source != SAR_TANGENT_JOINT || !sar_joint_sticks(m, d, t->index)) return false;
  if (t->index < m->nbody) {
    tree_joint_block(m, d, t->index, STICKING, 0, gain, block);
    return true;
  }
  on_bodies(m, d, t->index, STICKING, &b);
  pair_block(m, d, t, &b, 0, gain, block);
  return true;
}
