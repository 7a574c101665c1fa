// Natural coordinates from those of the tree, and back.
//
//   items  x = p + R r,  x' = v + w x R r,  x'' = a + alpha x R r + w x (w x R r)
//          vectors: R r alone
//   parts  p, e_k linear in x;  w = 1/2 sum e_k x e_k',  alpha = 1/2 sum e_k x e_k''
//          (e_k' x e_k' = 0)
//   joints q from the pose of B seen from F; v and a by projection of the relative motion on S, as
//   for
//          cut joints (dynamics/cut_joints.c)
#include "formulations/natural/natural.h"

#include "dynamics/tree.h"

// ---- from the tree ------------------------------------------------------------------------------

typedef struct Moving {  // a body in ground
  Xform X;
  V3 w, v, alpha, a;
} Moving;

// body_A holds spatial accelerations in B with -g added: a = R (A.v + w x v) + g
static Moving motion_of(const SarModel* m, const SarData* d, int b) {
  Moving s = {.X = d->body_X_GB[b]};
  const Motion V = d->body_V[b], A = d->body_A[b];
  s.w = m3_mul_v(s.X.R, V.w);
  s.v = m3_mul_v(s.X.R, V.v);
  s.alpha = m3_mul_v(s.X.R, A.w);
  s.a = v3_add(m3_mul_v(s.X.R, v3_add_cross(A.v, V.w, V.v)), m->gravity);
  return s;
}

void sar_natural_read(SarNatural* p, SarData* d, const double* acc, double* scratch, V3* x, V3* v,
                      V3* a) {
  const SarModel* m = p->m;
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_rnea(m, d, acc, scratch);
  for (int k = 0; k < p->nitem; k++) {
    const SarNatItem* i = &p->item[k];
    if (i->mode) {
      const int dof = m->joint_vadr[i->body];
      x[k] = v3(d->q[m->joint_qadr[i->body]], 0, 0);
      v[k] = v3(d->v[dof], 0, 0);
      a[k] = v3(acc[dof], 0, 0);
      continue;
    }
    const int b = p->part[i->part].body;
    const Moving s = motion_of(m, d, b);
    // the item in B, then its way from B's origin in ground axes
    const Xform X_CB = p->body_X_CB[b];
    const V3 local = i->w > 0 ? x_point_inv(X_CB, i->local) : m3_tmul_v(X_CB.R, i->local);
    const V3 r = m3_mul_v(s.X.R, local), turning = v3_cross(s.w, r);
    const V3 x_G = v3_axpy(i->w, s.X.p, r), v_G = v3_axpy(i->w, s.v, turning);
    const V3 a_G = v3_add_cross(v3_add_cross(v3_scale(i->w, s.a), s.alpha, r), s.w, turning);
    x[k] = m3_mul_v(p->R_NG, x_G);
    v[k] = m3_mul_v(p->R_NG, v_G);
    a[k] = m3_mul_v(p->R_NG, a_G);
    if (p->dim == 2) x[k].z = v[k].z = a[k].z = 0;
  }
}

// ---- to the tree --------------------------------------------------------------------------------

static void update_part(SarNatPart* s, const V3* x, const V3* v) {
  V3 rate[3];
  s->p = sar_nat_value(&s->y[0], x);
  s->v = sar_nat_rate(&s->y[0], v);
  for (int k = 0; k < 3; k++) {
    s->e[k] = sar_nat_value(&s->y[k + 1], x);
    rate[k] = sar_nat_rate(&s->y[k + 1], v);
  }
  s->e[0] = v3_unit(s->e[0]);
  s->e[1] = v3_unit(v3_axpy(-v3_dot(s->e[0], s->e[1]), s->e[0], s->e[1]));
  s->e[2] = v3_cross(s->e[0], s->e[1]);
  s->w = v3_zero();
  for (int k = 0; k < 3; k++) s->w = v3_add_cross(s->w, v3_scale(0.5, s->e[k]), rate[k]);
}

static void update_part_acceleration(SarNatPart* s, const V3* a) {
  s->a = sar_nat_rate(&s->y[0], a);
  s->alpha = v3_zero();
  for (int k = 0; k < 3; k++)
    s->alpha = v3_add_cross(s->alpha, v3_scale(0.5, s->e[k]), sar_nat_rate(&s->y[k + 1], a));
}

Xform sar_natural_pose(const SarNatural* p, int body) {
  if (body < 0) return (Xform){p->R_NG, v3_zero()};
  const SarNatPart* s = &p->part[p->body_part[body]];
  return x_mul((Xform){m3_from_cols(s->e[0], s->e[1], s->e[2]), s->p}, p->body_X_CB[body]);
}

// Motion and spatial acceleration of a body, at the ground point `at`, axes of N.
static Motion body_motion(const SarNatural* p, int body, V3 at) {
  if (body < 0) return motion_zero();
  const SarNatPart* s = &p->part[p->body_part[body]];
  return (Motion){s->w, v3_add_cross(s->v, s->w, v3_sub(at, s->p))};
}

// a of the point at `at`, less w x its velocity: what adds up like a velocity (Featherstone
// 2008, 2.11)
static Motion body_acceleration(const SarNatural* p, int body, V3 at) {
  if (body < 0) return motion_zero();
  const SarNatPart* s = &p->part[p->body_part[body]];
  const V3 r = v3_sub(at, s->p), turning = v3_cross(s->w, r);
  const V3 a = v3_add_cross(v3_add_cross(s->a, s->alpha, r), s->w, turning);
  return (Motion){s->alpha, v3_sub_cross(a, s->w, v3_add(s->v, turning))};
}

// components of a motion of B against F, in axes of B, along the joint's coordinates
static void project(const SarJointKind* kind, const Motion* S, Motion V, double* out) {
  for (int i = 0; i < kind->nv; i++)
    out[i] = v3_dot(sar_dual_axis(kind, i, &S[i]), kind->coordinate[i] == SAR_ANGLE ? V.w : V.v);
}

static Motion seen_from(M3 R, Motion of, Motion from) {
  return (Motion){m3_tmul_v(R, v3_sub(of.w, from.w)), m3_tmul_v(R, v3_sub(of.v, from.v))};
}

void sar_natural_write(SarNatural* p, SarData* d, const double* near, const V3* x, const V3* v) {
  const SarModel* m = p->m;
  for (int k = 0; k < p->npart; k++) update_part(&p->part[k], x, v);
  for (int b = 0; b < m->nbody; b++) {
    const SarJointKind* kind = m->joint_kind[b];
    if (kind->nv == 0) continue;
    if (m->joint_class[b] == SAR_CLASS_MODE) {
      const int item = p->mode_item[m->joint_vadr[b]];
      d->q[m->joint_qadr[b]] = x[item].x;
      d->v[m->joint_vadr[b]] = v[item].x;
      continue;
    }
    const int parent = m->body_parent[b], qadr = m->joint_qadr[b];
    const double* param = &m->joint_param[b * SAR_JOINT_MAX_PARAM];
    const Xform X_NB = sar_natural_pose(p, b);
    const Xform X_NF = x_mul(sar_natural_pose(p, parent), m->body_X_PF[b]);
    kind->coordinates(param, x_mul(x_inv(X_NF), X_NB), &near[qadr], &d->q[qadr]);
    SarJointCalc calc;
    kind->calc(param, &d->q[qadr], NULL, &calc);
    const Motion V = seen_from(X_NB.R, body_motion(p, b, X_NB.p), body_motion(p, parent, X_NB.p));
    project(kind, calc.S, V, &d->v[m->joint_vadr[b]]);
  }
}

void sar_natural_write_accelerations(SarNatural* p, SarData* d, const V3* a, double* acc) {
  const SarModel* m = p->m;
  for (int k = 0; k < p->npart; k++) update_part_acceleration(&p->part[k], a);
  for (int b = 0; b < m->nbody; b++) {
    const SarJointKind* kind = m->joint_kind[b];
    if (kind->nv == 0) continue;
    const int parent = m->body_parent[b], vadr = m->joint_vadr[b];
    if (m->joint_class[b] == SAR_CLASS_MODE) {
      acc[vadr] = a[p->mode_item[vadr]].x;
      continue;
    }
    const Xform X_NB = sar_natural_pose(p, b);
    SarJointCalc calc;
    kind->calc(&m->joint_param[b * SAR_JOINT_MAX_PARAM], &d->q[m->joint_qadr[b]], &d->v[vadr],
               &calc);
    Motion V = motion_zero();
    for (int i = 0; i < kind->nv; i++) V = motion_add(V, motion_scale(d->v[vadr + i], calc.S[i]));
    // A_B - A_P = S a + V_B x S v + cJ
    const Motion V_B = seen_from(X_NB.R, body_motion(p, b, X_NB.p), motion_zero());
    const Motion A =
        seen_from(X_NB.R, body_acceleration(p, b, X_NB.p), body_acceleration(p, parent, X_NB.p));
    const Motion bias = motion_add(crossm(V_B, V), calc.cJ);
    project(kind, calc.S, motion_add(A, motion_scale(-1, bias)), &acc[vadr]);
  }
}
