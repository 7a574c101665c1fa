// First variation of kinematics and forces (variation.h).
//
// Bodies, from the root outwards, in B; ' is the change along the direction, S' that of the joint
// axes:
//
//   V' = X V_P' + (X V_P) x S dq + S' v + S dv
//   A' = X A_P' + (X A_P) x S dq + S' a + cJ' + V' x S v + V x (S' v + S dv)
//
// because a joint that moves by S dq turns what comes from the parent the other way. Pose: the turn
// of the axes and the shift of the origin, in ground axes.
#include "dynamics/variation.h"

#include "base/block.h"
#include "dynamics/cut_joints.h"
#include "dynamics/element_states.h"
#include "dynamics/knots.h"
#include "dynamics/nodes.h"
#include "dynamics/rotors.h"
#include "elements/forces/varied.h"

#include <string.h>

enum { NV = SAR_JOINT_MAX_NV };

// ---- memory -------------------------------------------------------------------------------------

void sar_variation_init(const SarModel* m, SarVariation* x, SarBlock* b) {
  // a vector is loaded with what follows it: one more of each
#define X(type, name, n, doc) SAR_PIECE(b, x->name, m->n + 1);
  SAR_VARIATION_ARRAYS(X)
#undef X
}

void sar_variation_clear(const SarModel* m, SarVariation* x) {
  x->t = 0;
  memset(x->dq, 0, (size_t)m->nv * sizeof *x->dq);
  memset(x->dv, 0, (size_t)m->nv * sizeof *x->dv);
  memset(x->dz, 0, (size_t)m->nz * sizeof *x->dz);
  memset(x->input, 0, (size_t)m->ninput * sizeof *x->input);
}

// ---- bodies -------------------------------------------------------------------------------------

void sar_vary_axes(const SarModel* m, const SarData* d, int joint, const double* xi, Motion* dS) {
  const SarJointKind* kind = m->joint_kind[joint];
  for (int i = 0; i < kind->nv; i++) dS[i] = motion_zero();
  if (kind->slope)
    kind->slope(&m->joint_param[joint * SAR_JOINT_MAX_PARAM], &d->q[m->joint_qadr[joint]], NULL, xi,
                dS, NULL);
}

// What a joint itself contributes: S dq, S v, S' v + S dv, S' a + cJ'.
typedef struct JointChange {
  Motion moved, speed, faster, accelerated;
} JointChange;

static bool is_still(const double* x, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] != 0) return false;
  return true;
}

static Motion combine(int n, const double* x, const Motion* S, Motion sum) {
  for (int i = 0; i < n; i++) sum = motion_add(sum, motion_scale(x[i], S[i]));
  return sum;
}

// cJ = S'(v) v is quadratic in v: its change is S'(dv) v + S'(v) dv besides that by xi
static void vary_axes_and_bias(const SarModel* m, const SarData* d, const SarVariation* x, int b,
                               bool accelerations, JointChange* c) {
  const SarJointKind* kind = m->joint_kind[b];
  const int nv = kind->nv, i = m->joint_vadr[b];
  const double *param = &m->joint_param[b * SAR_JOINT_MAX_PARAM], *q = &d->q[m->joint_qadr[b]];
  Motion dS[NV], dcJ = motion_zero();
  kind->slope(param, q, &d->v[i], &x->dq[i], dS, &dcJ);
  c->faster = combine(nv, &d->v[i], dS, c->faster);
  if (!accelerations) return;
  c->accelerated = motion_add(combine(nv, &d->a[i], dS, c->accelerated), dcJ);
  kind->slope(param, q, NULL, &x->dv[i], dS, NULL);
  c->accelerated = combine(nv, &d->v[i], dS, c->accelerated);
  kind->slope(param, q, NULL, &d->v[i], dS, NULL);
  c->accelerated = combine(nv, &x->dv[i], dS, c->accelerated);
}

static JointChange vary_joint(const SarModel* m, const SarData* d, const SarVariation* x, int b,
                              bool accelerations) {
  const int nv = m->joint_nv[b], i = m->joint_vadr[b];
  JointChange c = {0};
  Motion S[NV];
  if (m->joint_class[b] == SAR_CLASS_NODE) {
    const SarModalNode* n = sar_own_node(m, b);
    const SarNodeChange change = sar_vary_node(m, d, n, x->dq, x->dv, accelerations);
    return (JointChange){change.moved, sar_node_motion(d, n, d->v), change.faster,
                         change.accelerated};
  }
  for (int k = 0; k < nv; k++) S[k] = sar_joint_axis(m, d, b, k);
  c.moved = combine(nv, &x->dq[i], S, c.moved);
  c.speed = combine(nv, &d->v[i], S, c.speed);
  c.faster = combine(nv, &x->dv[i], S, c.faster);
  if (m->joint_kind[b]->slope && !(is_still(&x->dq[i], nv) && is_still(&x->dv[i], nv)))
    vary_axes_and_bias(m, d, x, b, accelerations, &c);
  return c;
}

static Motion motion_sub(Motion a, Motion b) { return motion_add(a, motion_scale(-1, b)); }

static void vary_body(const SarModel* m, const SarData* d, SarVariation* x, int b,
                      bool accelerations) {
  const int p = m->body_parent[b];
  const Xform X_PB = d->body_X_PB[b], X_GB = d->body_X_GB[b];
  const JointChange c = vary_joint(m, d, x, b, accelerations);
  const Motion still = motion_zero(), V = d->body_V[b];
  const Motion X_P = p < 0 ? still : x->body_X[p];
  const V3 r = p < 0 ? X_GB.p : v3_sub(X_GB.p, d->body_X_GB[p].p);
  x->body_X[b] = (Motion){v3_add(X_P.w, m3_mul_v(X_GB.R, c.moved.w)),
                          v3_add_cross(v3_add(X_P.v, m3_mul_v(X_GB.R, c.moved.v)), X_P.w, r)};
  Motion dV = p < 0 ? still : x_motion_inv(X_PB, x->body_V[p]);
  dV = motion_add(dV, crossm(motion_sub(V, c.speed), c.moved));
  x->body_V[b] = dV = motion_add(dV, c.faster);
  if (!accelerations) return;
  const Motion A_G = {v3_zero(), v3_neg(m->gravity)};
  const Motion A_P = x_motion_inv(X_PB, p < 0 ? A_G : d->body_A[p]);
  Motion dA = p < 0 ? still : x_motion_inv(X_PB, x->body_A[p]);
  dA = motion_add(dA, crossm(A_P, c.moved));
  dA = motion_add(dA, c.accelerated);
  dA = motion_add(dA, crossm(dV, c.speed));
  x->body_A[b] = motion_add(dA, crossm(V, c.faster));
}

void sar_vary_bodies(const SarModel* m, const SarData* d, SarVariation* x, bool accelerations) {
  for (int b = 0; b < m->nbody; b++) vary_body(m, d, x, b, accelerations);
}

// ---- coordinates --------------------------------------------------------------------------------

// Of joints with a quaternion it comes last, and the last three local coordinates turn it: Q' = Q
// (0, xi)/2.
void sar_stored_rates(const SarJointKind* kind, const double* q, const double* xi, double* rate) {
  const int plain = kind->nq == kind->nv ? kind->nv : kind->nv - 3;
  for (int i = 0; i < plain; i++) rate[i] = xi[i];
  if (plain == kind->nv) return;
  const V3 half = v3_scale(0.5, v3_load(xi + plain));
  quat_store(rate + plain, quat_mul(quat_load(q + plain), (Quat){0, half.x, half.y, half.z}));
}

// Cut joints, letters as in cut_joints.c: B on the child, seen from the parent.
typedef struct VariedCut {
  VariedBody parent, child;
  M3 R_GB;
  D3 origin;    // of B
  D3 V_w, V_v;  // in B
  double xi[NV];
} VariedCut;

static VariedCut vary_cut(const SarModel* m, const SarData* d, const SarVariation* x, int k) {
  const SarCut* cut = &m->cut[k];
  const int j = sar_cut_joint(m, k);
  VariedCut c = {.parent = varied_body(d, x, cut->body[0]),
                 .child = varied_body(d, x, cut->body[1])};
  c.R_GB = m3_mul(c.child.R, d->cut_X_B[k].R);
  c.origin = varied_point(&c.child, d->cut_X_B[k].p);
  const V3 turn = m3_tmul_v(c.R_GB, v3_sub(c.child.turn, c.parent.turn));
  const V3 carried = v3_add_cross(c.parent.o.d, c.parent.turn, v3_sub(c.origin.x, c.parent.o.x));
  const V3 shift = m3_tmul_v(c.R_GB, v3_sub(c.origin.d, carried));
  for (int i = 0; i < m->joint_nv[j]; i++)
    c.xi[i] = v3_dot(sar_dual_axis(cut->kind, i, &d->dof_S[m->joint_vadr[j] + i]),
                     cut->kind->coordinate[i] == SAR_ANGLE ? turn : shift);
  c.V_w = d3_turn_back(c.R_GB, c.child.turn, d3_sub(c.child.w, c.parent.w));
  const D3 v = d3_sub(varied_velocity(&c.child, c.origin), varied_velocity(&c.parent, c.origin));
  c.V_v = d3_turn_back(c.R_GB, c.child.turn, v);
  return c;
}

static D3 varied_dual_axis(const SarJointKind* kind, int i, Motion S, Motion dS) {
  const D3 axis = kind->coordinate[i] == SAR_ANGLE ? d3(S.w, dS.w) : d3(S.v, dS.v);
  return kind->stretched ? d3_scale(dual_div(dual_of(1), d3_dot(axis, axis)), axis) : axis;
}

static void vary_cut_coordinates(const SarModel* m, const SarData* d, SarVariation* x, int k) {
  const int j = sar_cut_joint(m, k), vadr = m->joint_vadr[j], qadr = m->joint_qadr[j];
  const VariedCut c = vary_cut(m, d, x, k);
  Motion dS[NV];
  sar_stored_rates(m->cut[k].kind, &d->q[qadr], c.xi, &x->q[qadr]);
  sar_vary_axes(m, d, j, c.xi, dS);
  for (int i = 0; i < m->joint_nv[j]; i++) {
    const SarJointKind* kind = m->cut[k].kind;
    const D3 axis = varied_dual_axis(kind, i, d->dof_S[vadr + i], dS[i]);
    x->v[vadr + i] = d3_dot(axis, kind->coordinate[i] == SAR_ANGLE ? c.V_w : c.V_v).d;
  }
}

static void vary_cut_force(const SarModel* m, const SarData* d, SarVariation* x, int k) {
  const SarCut* cut = &m->cut[k];
  const int j = sar_cut_joint(m, k), vadr = m->joint_vadr[j];
  const VariedCut c = vary_cut(m, d, x, k);
  D3 n = d3_of(v3_zero()), f = n;
  Motion dS[NV];
  sar_vary_axes(m, d, j, c.xi, dS);
  for (int i = 0; i < m->joint_nv[j]; i++) {
    const D3 axis = varied_dual_axis(cut->kind, i, d->dof_S[vadr + i], dS[i]);
    const Dual tau = dual(d->tau[vadr + i], x->tau[vadr + i]);
    if (cut->kind->coordinate[i] == SAR_ANGLE)
      n = d3_axpy(tau, axis, n);
    else
      f = d3_axpy(tau, axis, f);
  }
  n = d3_turn(c.R_GB, c.child.turn, n);
  f = d3_turn(c.R_GB, c.child.turn, f);
  vary_force_at(x, cut->body[1], &c.child, c.origin, f);
  vary_torque(x, cut->body[1], &c.child, n);
  vary_force_at(x, cut->body[0], &c.parent, c.origin, d3_neg(f));
  vary_torque(x, cut->body[0], &c.parent, d3_neg(n));
}

void sar_vary_coordinates(const SarModel* m, const SarData* d, SarVariation* x) {
  for (int b = 0; b < m->nbody; b++) {
    const int q = m->joint_qadr[b], v = m->joint_vadr[b];
    sar_stored_rates(m->joint_kind[b], &d->q[q], &x->dq[v], &x->q[q]);
  }
  if (m->nv > 0) memcpy(x->v, x->dv, (size_t)m->nv * sizeof *x->v);
  for (int k = 0; k < m->ncut; k++)
    if (m->joint_nv[sar_cut_joint(m, k)] > 0) vary_cut_coordinates(m, d, x, k);
}

// ---- forces -------------------------------------------------------------------------------------

static void vary_slots(const SarModel* m, SarData* d, SarVariation* x) {
  x->slot[0] = x->t;
  for (int i = 0; i < m->ninput; i++) x->slot[m->slot_input + i] = x->input[i];
  for (int i = 0; i < m->nz; i++) x->slot[m->z_slot[i]] = x->dz[i];
  for (int i = 0; i < m->nmeasure; i++)
    x->slot[m->measure[i].slot] = sar_vary_measure(m, d, x, &m->measure[i]);
  for (int i = 0; i < m->nexpr; i++)
    if (m->expr[i].slot >= 0) x->slot[m->expr[i].slot] = varied_program(m, d, x, &m->expr[i]).d;
  for (int i = 0; i < m->ndrive; i++)
    x->slot[m->drive[i].slot] = varied_program(m, d, x, &m->drive[i]).d;
  for (int i = 0; i < m->nz; i++)
    if (m->z_rate_slot[i] >= 0)
      x->z_rate[i] = x->slot[m->z_rate_slot[i]];  // else: of a knot or element
}

static D3 vary_field_at(const SarModel* m, SarData* d, SarVariation* x, D3 p) {
  const SarGravityField* f = &m->field;
  if (f->kind == SAR_GRAVITY_POINT) {
    const D3 r = d3_sub(p, d3_of(f->centre));
    const Dual square = d3_dot(r, r);
    return d3_scale(dual_div(dual_of(-f->mu), dual_mul(square, dual_sqrt(square))), r);
  }
  const bool potential = f->kind == SAR_GRAVITY_POTENTIAL;  // its laws: U, then the gradient
  const SarExprEntry* law = &m->expr[f->law + (potential ? 1 : 0)];
  varied_local(m, d, x, 0, d3_x(p));
  varied_local(m, d, x, 1, d3_y(p));
  varied_local(m, d, x, 2, d3_z(p));
  const D3 g = d3_from(varied_program(m, d, x, &law[0]), varied_program(m, d, x, &law[1]),
                       varied_program(m, d, x, &law[2]));
  return potential ? d3_neg(g) : g;
}

static void vary_field(const SarModel* m, SarData* d, SarVariation* x) {
  for (int i = 0; i < m->nbody; i++) {
    const Inertia* I = &m->body_inertia[i];
    if (!(I->m > 0)) continue;
    const VariedBody b = varied_body(d, x, i);
    const D3 p = varied_point(&b, v3_scale(1 / I->m, I->h));
    vary_force_at(x, i, &b, p, d3_scale(dual_of(I->m), vary_field_at(m, d, x, p)));
  }
}

// Rotors in moving bodies (rotors.h): couple g a + w x g v on the carrier, g . A on the coordinate,
// as forces on the other side of the equations.
static void vary_rotors(const SarModel* m, const SarData* d, SarVariation* x) {
  for (int k = 0; k < m->nrotor; k++) {
    const SarRotor* r = &m->rotor[k];
    const int c = sar_rotor_carrier(m, r), i = m->joint_vadr[r->joint];
    const D3 w = d3(d->body_V[c].w, x->body_V[c].w);
    const D3 couple = d3_cross(w, d3_scale(dual(d->v[i], x->dv[i]), d3_of(r->g)));
    x->body_F[c].n = v3_sub(x->body_F[c].n, couple.d);
    x->tau[i] -= v3_dot(r->g, x->body_A[c].w);
  }
}

void sar_vary_forces(const SarModel* m, SarData* d, SarVariation* x) {
  if (m->nbody_all > 0) memset(x->body_F, 0, (size_t)m->nbody_all * sizeof *x->body_F);
  if (m->nv_all > 0) memset(x->tau, 0, (size_t)m->nv_all * sizeof *x->tau);
  memset(x->force_output, 0, (size_t)m->nforce_output * sizeof *x->force_output);
  memset(x->force_cache, 0, (size_t)m->nforce_cache * sizeof *x->force_cache);
  sar_clear_own_rates(m, x->z_rate);
  if (m->nslot > 0) vary_slots(m, d, x);
  if (m->nknot > 0) sar_vary_knots(m, d, x);
  if (m->has_passive) sar_vary_joint_forces(m, d, x);
  for (int k = 0; k < m->nforce; k++) {
    const int i = m->ncache_force > 0 ? m->force_order[k] : k;
    if (d->force_on[i]) m->force_kind[i]->vary(m, d, x, i);
  }
  if (m->field.kind != SAR_GRAVITY_UNIFORM) vary_field(m, d, x);
  if (m->nrotor > 0) vary_rotors(m, d, x);
  for (int k = 0; k < m->ncut; k++) {
    const int j = sar_cut_joint(m, k);
    if (m->joint_nv[j] > 0 && sar_joint_is_on(m, d, j) && sar_cuts_act(m, d))
      vary_cut_force(m, d, x, k);
  }
}
