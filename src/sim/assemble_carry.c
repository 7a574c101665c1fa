// Bodies that have coordinates of their own (absolute or mixed) begin where relative coordinates
// put them: they are carried outwards by their joints in the spanning tree of relative coordinates,
// child C by parent P:
//
//   V_C = X_CB (X_BP V_P + S v0)       X_GC = X_GP X_PF X_FB(q + S^-1 (V_C - V_P)) X_BC
//
// or P by C where the tree runs against the file's direction. v0: of the joint in the file, 0 where
// it says nothing; the compiler does this at the position of the file, here it is the closed one,
// to which drives and loops may have moved bodies. The corrections x of positions (close.c) are
// speeds of bodies; as steps of their joints along the manifold they leave these closed, so that
// both kinds of coordinates go one way.
#include "dynamics/cut_joints.h"
#include "dynamics/projection.h"
#include "dynamics/tree.h"
#include "sim/assemble_work.h"

#include <math.h>
#include <string.h>

static const double* param_of(const SarModel* m, int j) {
  return &m->joint_param[j * SAR_JOINT_MAX_PARAM];
}

static SarJointCalc calc_at(const SarModel* m, const double* q, int j) {
  SarJointCalc calc;
  m->joint_kind[j]->calc(param_of(m, j), &q[m->joint_qadr[j]], NULL, &calc);
  return calc;
}

// of joint j by the speeds v of its coordinates, in its child frame
static Motion own_motion(const SarModel* m, const double* q, const double* v, int j) {
  const SarJointCalc calc = calc_at(m, q, j);
  Motion V = motion_zero();
  for (int i = 0; i < m->joint_nv[j]; i++)
    V = motion_add(V, motion_scale(v[m->joint_vadr[j] + i], calc.S[i]));
  return V;
}

static Motion carried_by_own(const Assembly* a, int b, const double* v) {
  const int parent = a->m->body_parent[b];
  const Motion V = own_motion(a->m, a->d->q, v, b);
  return parent < 0 ? V : motion_add(x_motion_inv(a->d->body_X_PB[b], a->V[parent]), V);
}

static Motion motion_of(const Assembly* a, int body) {
  return body < 0 ? motion_zero() : a->V[body];
}

static Xform pose_of(const Assembly* a, int body) {
  return body < 0 ? x_identity() : a->X_GB[body];
}

// ---- positions ----------------------------------------------------------------------------------

// Joint j a step further along its coordinates by the speeds v.
static void retract(const SarModel* m, SarData* d, int j, const double* v) {
  double from[SAR_JOINT_MAX_NQ], *q = &d->q[m->joint_qadr[j]];
  memcpy(from, q, (size_t)m->joint_nq[j] * sizeof *q);
  sar_joint_retract(m->joint_kind[j], param_of(m, j), from, v, q);
}

// The pose of body b, which the cut k carries.
static Xform pose_by_cut(const Assembly* a, int b, int k) {
  const SarCut* cut = &a->m->cut[k];
  const Xform X_FB = calc_at(a->m, a->d->q, sar_cut_joint(a->m, k)).X_FB;
  const Xform X_PB = x_mul(cut->X_BF[0], X_FB), *X_CB = &a->d->cut_X_B[k];
  if (cut->body[1] == b) return x_mul(x_mul(pose_of(a, cut->body[0]), X_PB), x_inv(*X_CB));
  return x_mul(x_mul(pose_of(a, cut->body[1]), *X_CB), x_inv(X_PB));
}

static void set_own_position(Assembly* a, int b) {
  const SarModel* m = a->m;
  double near[SAR_JOINT_MAX_NQ], *q = &a->d->q[m->joint_qadr[b]];
  memcpy(near, q, (size_t)m->joint_nq[b] * sizeof *q);
  const Xform X_FB = x_mul(x_inv(m->body_X_PF[b]), a->X_GB[b]);
  m->joint_kind[b]->coordinates(param_of(m, b), X_FB, near, q);
}

static void move_body(Assembly* a, int b) {
  const SarModel* m = a->m;
  const int cut = m->start_cut[b], parent = m->body_parent[b];
  if (cut >= 0) {
    a->X_GB[b] = pose_by_cut(a, b, cut);
    set_own_position(a, b);
    return;
  }
  retract(m, a->d, b, &a->x[m->joint_vadr[b]]);
  const Xform X_PB = x_mul(m->body_X_PF[b], calc_at(m, a->d->q, b).X_FB);
  a->X_GB[b] = x_mul(pose_of(a, parent), X_PB);
}

// The speeds of the joints of that tree, where x are those of the model's coordinates.
static void find_rates(Assembly* a) {
  const SarModel* m = a->m;
  SarData* d = a->d;
  sar_update_positions(m, d);
  sar_update_world(m, d);
  sar_update_cut_positions(m, d);
  memcpy(a->rate, a->x, (size_t)m->nv * sizeof *a->rate);
  for (int i = 0; i < m->nbody; i++) {
    const int b = m->start_body[i];
    a->V[b] = carried_by_own(a, b, a->x);
  }
  for (int i = 0; i < m->nbody; i++) {
    const int k = m->start_cut[i];
    if (k < 0) continue;
    const int* body = m->cut[k].body;
    sar_cut_rates(m, d, k, motion_of(a, body[0]), motion_of(a, body[1]),
                  &a->rate[m->joint_vadr[sar_cut_joint(m, k)]]);
  }
}

static double longest_of(const Assembly* a, int j, const double* v) {
  const SarModel* m = a->m;
  double longest = 0;
  for (int i = 0; i < m->joint_nv[j]; i++) {
    const double size = fabs(v[m->joint_vadr[j] + i]);
    longest =
        fmax(longest, m->joint_kind[j]->coordinate[i] == SAR_ANGLE ? size : size / a->p.length);
  }
  return longest;
}

double sar_assembly_longest(Assembly* a) {
  const SarModel* m = a->m;
  double longest = 0;
  if (a->carries) find_rates(a);
  for (int b = 0; b < m->nbody; b++) {
    const int cut = a->carries ? m->start_cut[b] : -1;
    longest = fmax(
        longest, cut < 0 ? longest_of(a, b, a->x) : longest_of(a, sar_cut_joint(m, cut), a->rate));
  }
  return longest;
}

void sar_assembly_move(Assembly* a) {
  const SarModel* m = a->m;
  if (!a->carries) {
    sar_projection_move(m, a->x, a->d->q);
    return;
  }
  find_rates(a);
  for (int b = 0; b < m->nbody; b++)
    if (m->start_cut[b] >= 0) {
      const int j = sar_cut_joint(m, m->start_cut[b]);
      retract(m, a->d, j, &a->rate[m->joint_vadr[j]]);
    }
  for (int i = 0; i < m->nbody; i++) move_body(a, m->start_body[i]);
}

// ---- speeds -------------------------------------------------------------------------------------

// Body b is an end of the cut k, the other one has its motion.
static Motion carried_by_cut(const Assembly* a, int b, int k) {
  const SarModel* m = a->m;
  const int* body = m->cut[k].body;
  const Xform X_PB = a->d->cut_X_PB[k], X_CB = a->d->cut_X_B[k];
  const Motion V = own_motion(m, a->d->q, m->v0, sar_cut_joint(m, k));
  if (body[1] == b) return x_motion(X_CB, motion_add(x_motion_inv(X_PB, motion_of(a, body[0])), V));
  const Motion V_B = x_motion_inv(X_CB, motion_of(a, body[1]));
  return x_motion(X_PB, motion_add(V_B, motion_scale(-1, V)));
}

// Own joints hang on ground, and the axes of their kinds are orthonormal.
static void set_own_speeds(Assembly* a, int b) {
  const SarModel* m = a->m;
  const SarJointCalc calc = calc_at(m, a->d->q, b);
  const Motion V = a->V[b];
  for (int i = 0; i < m->joint_nv[b]; i++)
    a->d->v[m->joint_vadr[b] + i] = v3_dot(calc.S[i].w, V.w) + v3_dot(calc.S[i].v, V.v);
}

void sar_assembly_carry_speeds(Assembly* a) {
  const SarModel* m = a->m;
  SarData* d = a->d;
  memcpy(d->v, m->v0, (size_t)m->nv_all * sizeof *d->v);
  if (!a->carries || memcmp(d->q, m->q0, (size_t)m->nq * sizeof *d->q) == 0) return;
  sar_update_positions(m, d);
  sar_update_world(m, d);
  sar_update_cut_positions(m, d);
  for (int i = 0; i < m->nbody; i++) {
    const int b = m->start_body[i], cut = m->start_cut[b];
    a->V[b] = cut < 0 ? carried_by_own(a, b, m->v0) : carried_by_cut(a, b, cut);
    if (cut >= 0) set_own_speeds(a, b);
  }
}
