// Forward dynamics by articulated bodies: O(n), one pass inwards and one outwards.
//
// Source: Featherstone, Rigid Body Dynamics Algorithms (2008), table 7.1, in body frames (they keep
// two or three digits more than world frames far from the origin).
//
//   V   velocity of the body, in B (kinematics)     c   acceleration from v alone: V x S v + cJ
//   IA  articulated inertia, blocks A, H, M         pA  articulated bias force
//   U = IA S,  D = S'U + armature,  u = tau - S'pA
//   Ia = IA - U D^-1 U',  pa = pA + Ia c + U D^-1 u          handed to the parent
//   a' = X A_P + c,  qdd = D^-1 (u - U'a'),  A = a' + S qdd
//
// Ground needs nothing handed to it. What children hand up waits in body_load: the last child sets
// it, the others add, so that nothing need be cleared.
#include "dynamics/tree.h"

#include "dynamics/bias.h"
#include "linalg/chol.h"

typedef ArticulatedLoad Load;

// A joint is singular when its inertia is this small beside the inertia about the other axes, or a
// pivot beside its diagonal entry: what is left then is rounding.
static const double SINGULAR = 1e-15;
static const Load NO_CHILDREN;

static inline Force scaled(double s, Force F) {
  return (Force){v3_scale(s, F.n), v3_scale(s, F.f)};
}

// bias force of the body and its children
static inline Force bias_of(const SarModel* m, const SarData* d, int b, const Load* children,
                            bool with_forces) {
  Force p = force_add(bias_force(m->body_inertia[b], d->body_V[b]), children->p);
  return with_forces ? force_sub(p, d->body_F[b]) : p;
}

static inline const Load* children_of(const SarModel* m, const SarData* d, int b) {
  return m->body_subtree[b] == 1 ? &NO_CHILDREN : &d->body_load[b];
}

// any joint that leaves a full Ia
static void hand_full(const Xform* X, Articulated Ia, Force pA, Motion c, Force Uu, Load* out) {
  const Force pa = force_add(force_add(pA, articulated_mul(Ia, c)), Uu);
  *out = (Load){articulated_transform(*X, Ia), x_force(*X, pa)};
}

// The blocks are finished one after the other, M, H, A, each taken from the children's share to its
// place at the parent before the next is begun: few numbers are alive at a time, and most of them
// stay in registers.

// A one-axis joint: U is a column of IA, UD = U / D.
typedef struct Axis {
  Force U, UD;
  double u, v;
} Axis;

// S = [z; 0], no armature: row and column z of A and row z of H vanish from Ia
static inline void hand_revolute(const Load* restrict in, const Inertia* restrict I, Motion V,
                                 const Xform* restrict X, Axis axis, Force pA, Load* restrict out) {
  const V3 Un = axis.U.n, Uf = axis.U.f, n = axis.UD.n, f = axis.UD.f, h = I->h;
  // c = V x S v = [w x z; v x z] v
  const double cx = V.w.y * axis.v, cy = -V.w.x * axis.v;
  const double ex = V.v.y * axis.v, ey = -V.v.x * axis.v;
  Force pa = {v3_axpy(axis.u, n, pA.n), v3_axpy(axis.u, f, pA.f)};

  S3 M = in->I.M;
  M = (S3){M.xx + I->m - f.x * Uf.x, M.xy - f.x * Uf.y, M.xz - f.x * Uf.z,
           M.yy + I->m - f.y * Uf.y, M.yz - f.y * Uf.z, M.zz + I->m - f.z * Uf.z};
  pa.f = v3(pa.f.x + M.xx * ex + M.xy * ey, pa.f.y + M.xy * ex + M.yy * ey,
            pa.f.z + M.xz * ex + M.yz * ey);
  M = s3_rotate(X->R, M);
  out->I.M = M;

  const V3 hx = {in->I.H.xx - n.x * Uf.x, in->I.H.xy - h.z - n.x * Uf.y,
                 in->I.H.xz + h.y - n.x * Uf.z};
  const V3 hy = {in->I.H.yx + h.z - n.y * Uf.x, in->I.H.yy - n.y * Uf.y,
                 in->I.H.yz - h.x - n.y * Uf.z};
  pa.n.x = pa.n.x + hx.x * ex + hx.y * ey;
  pa.n.y = pa.n.y + hy.x * ex + hy.y * ey;
  pa.f = v3_axpy(cx, hx, v3_axpy(cy, hy, pa.f));
  const M3 turned = m3_rotate_rows_xy(X->R, hx, hy), H = h_shift(X->p, turned, M);
  out->I.H = H;

  const S3 A = in->I.A;
  const double xx = A.xx + I->I.xx - n.x * Un.x, xy = A.xy + I->I.xy - n.x * Un.y;
  const double yy = A.yy + I->I.yy - n.y * Un.y;
  pa.n.x = pa.n.x + xx * cx + xy * cy;
  pa.n.y = pa.n.y + xy * cx + yy * cy;
  out->I.A = a_shift(X->p, s3_rotate_xy(X->R, xx, xy, yy), turned, H);
  out->p = x_force(*X, pa);
}

// S = [0; z], no armature: row and column z of M and column z of H vanish from Ia
static inline void hand_prismatic(const Load* restrict in, const Inertia* restrict I, Motion V,
                                  const Xform* restrict X, Axis axis, Force pA,
                                  Load* restrict out) {
  const V3 Un = axis.U.n, Uf = axis.U.f, n = axis.UD.n, f = axis.UD.f, h = I->h;
  const double ex = V.w.y * axis.v, ey = -V.w.x * axis.v;  // c = [0; w x z] v
  Force pa = {v3_axpy(axis.u, n, pA.n), v3_axpy(axis.u, f, pA.f)};

  S3 M = in->I.M;
  const double xx = M.xx + I->m - f.x * Uf.x, xy = M.xy - f.x * Uf.y, yy = M.yy + I->m - f.y * Uf.y;
  pa.f.x = pa.f.x + xx * ex + xy * ey;
  pa.f.y = pa.f.y + xy * ex + yy * ey;
  M = s3_rotate_xy(X->R, xx, xy, yy);
  out->I.M = M;

  const V3 hx = {in->I.H.xx - n.x * Uf.x, in->I.H.yx + h.z - n.y * Uf.x,
                 in->I.H.zx - h.y - n.z * Uf.x};
  const V3 hy = {in->I.H.xy - h.z - n.x * Uf.y, in->I.H.yy - n.y * Uf.y,
                 in->I.H.zy + h.x - n.z * Uf.y};
  pa.n = v3_axpy(ex, hx, v3_axpy(ey, hy, pa.n));
  const M3 turned = m3_rotate_columns_xy(X->R, hx, hy), H = h_shift(X->p, turned, M);
  out->I.H = H;

  S3 A = s3_add(in->I.A, I->I);
  A = (S3){A.xx - n.x * Un.x, A.xy - n.x * Un.y, A.xz - n.x * Un.z,
           A.yy - n.y * Un.y, A.yz - n.y * Un.z, A.zz - n.z * Un.z};
  out->I.A = a_shift(X->p, s3_rotate(X->R, A), turned, H);
  out->p = x_force(*X, pa);
}

// with armature nothing vanishes:  Ia = IA - U D^-1 U'
static void hand_with_armature(const SarModel* m, const SarData* d, int b, const Load* in,
                               Axis axis, double D, Force pA, Load* out) {
  const Articulated IA = articulated_add_inertia(in->I, m->body_inertia[b]);
  const Articulated Ia = articulated_sub_square(IA, scaled(1 / sqrt(D), axis.U));
  hand_full(&d->body_X_PB[b], Ia, pA, bias_motion(m, d, b), scaled(axis.u, axis.UD), out);
}

// The last child is the first to arrive: what it hands up is set, what the others do is added.
static inline bool is_last_child(const SarModel* m, int b, int p) {
  return b + m->body_subtree[b] == p + m->body_subtree[p];
}

static void add_load(Load* to, const Load* load) {
  to->I = articulated_add(to->I, load->I);
  to->p = force_add(to->p, load->p);
}

// One body on a one-axis joint in the inward pass; false when the joint is singular.
static inline bool pass_axis(const SarModel* m, SarData* d, int b, const bool revolute,
                             const bool with_forces) {
  const int p = m->body_parent[b], i = m->joint_vadr[b];
  const Load* in = children_of(m, d, b);
  const Inertia* I = &m->body_inertia[b];
  const Force pA = bias_of(m, d, b, in, with_forces);
  const V3 h = I->h;
  Axis axis = {.v = d->v[i]};
  double across;  // inertia about the other axes
  if (revolute) {
    axis.U.n = v3(in->I.A.xz + I->I.xz, in->I.A.yz + I->I.yz, in->I.A.zz + I->I.zz);
    axis.U.f = v3(in->I.H.zx - h.y, in->I.H.zy + h.x, in->I.H.zz);
    across = in->I.A.xx + I->I.xx + in->I.A.yy + I->I.yy;
  } else {
    axis.U.n = v3(in->I.H.xz + h.y, in->I.H.yz - h.x, in->I.H.zz);
    axis.U.f = v3(in->I.M.xz, in->I.M.yz, in->I.M.zz + I->m);
    across = in->I.M.xx + in->I.M.yy + I->m;
  }
  const double armature = m->dof_armature[i];
  const double D = (revolute ? axis.U.n.z : axis.U.f.z) + armature, inv = 1 / D;
  axis.u = d->tau[i] - (revolute ? pA.n.z : pA.f.z);
  axis.UD = scaled(inv, axis.U);
  d->dof_U[i] = axis.UD;
  d->dof_u[i] = inv * axis.u;
  if (p >= 0) {
    Load spare, *out = is_last_child(m, b, p) ? &d->body_load[p] : &spare;
    if (armature != 0)
      hand_with_armature(m, d, b, in, axis, D, pA, out);
    else if (revolute)
      hand_revolute(in, I, d->body_V[b], &d->body_X_PB[b], axis, pA, out);
    else
      hand_prismatic(in, I, d->body_V[b], &d->body_X_PB[b], axis, pA, out);
    if (out == &spare) add_load(&d->body_load[p], &spare);
  }
  return D > SINGULAR * across;
}

// S of nv columns (none: a fixed joint), D = L L':  W = U L^-T and y = L^-1 u stay for the outward pass.
//   Ia = IA - W W',  pa = pA + Ia c + W y
static bool pass_general(const SarModel* m, SarData* d, int b, bool with_forces) {
  const int p = m->body_parent[b], i0 = m->joint_vadr[b], nv = m->joint_nv[b];
  const Load* in = children_of(m, d, b);
  const Force pA = bias_of(m, d, b, in, with_forces);
  Articulated Ia = articulated_add_inertia(in->I, m->body_inertia[b]);
  const Motion* S = &d->dof_S[i0];
  Force* W = &d->dof_U[i0];
  double *L = &d->dof_L[i0 * SAR_JOINT_MAX_NV], *y = &d->dof_u[i0];

  for (int i = 0; i < nv; i++) {
    W[i] = articulated_mul(Ia, S[i]);
    for (int j = 0; j <= i; j++) L[i * CHOL_ROW + j] = power_of(S[j], W[i]);
    L[i * CHOL_ROW + i] += m->dof_armature[i0 + i];
    y[i] = d->tau[i0 + i] - power_of(S[i], pA);
  }
  if (!chol_factor(nv, L, SINGULAR)) return false;
  chol_solve_lower(nv, L, y);
  for (int i = 0; i < nv; i++) {
    Force w = W[i];
    for (int k = 0; k < i; k++) w = force_sub(w, scaled(L[i * CHOL_ROW + k], W[k]));
    W[i] = scaled(L[i * CHOL_ROW + i], w);
  }
  if (p < 0) return true;

  Force Wy = force_zero();
  for (int i = 0; i < nv; i++) {
    Ia = articulated_sub_square(Ia, W[i]);
    Wy = force_add(Wy, scaled(y[i], W[i]));
  }
  Load spare, *out = is_last_child(m, b, p) ? &d->body_load[p] : &spare;
  hand_full(&d->body_X_PB[b], Ia, pA, bias_motion(m, d, b), Wy, out);
  if (out == &spare) add_load(&d->body_load[p], &spare);
  return true;
}

static inline bool inwards(const SarModel* m, SarData* d, const bool with_forces) {
  for (int b = m->nbody - 1; b >= 0; b--) {
    bool regular;
    switch (m->joint_class[b]) {
      case SAR_CLASS_REVOLUTE: regular = pass_axis(m, d, b, true, with_forces); break;
      case SAR_CLASS_PRISMATIC: regular = pass_axis(m, d, b, false, with_forces); break;
      default: regular = pass_general(m, d, b, with_forces);
    }
    if (!regular) return false;
  }
  return true;
}

// a_q = L^-T (y - W'a'),  A = a' + S a_q
static Motion solve_general(const SarModel* m, SarData* d, int b, Motion a) {
  const int i0 = m->joint_vadr[b], nv = m->joint_nv[b];
  double* qdd = &d->a[i0];
  for (int i = 0; i < nv; i++) qdd[i] = d->dof_u[i0 + i] - power_of(a, d->dof_U[i0 + i]);
  chol_solve_upper(nv, &d->dof_L[i0 * SAR_JOINT_MAX_NV], qdd);
  for (int i = 0; i < nv; i++) a = motion_add(a, motion_scale(qdd[i], d->dof_S[i0 + i]));
  return a;
}

static inline void outwards(const SarModel* m, SarData* d) {
  const Motion A_G = {v3_zero(), v3_neg(m->gravity)};
  Motion* A = d->body_A;
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b], i = m->joint_vadr[b];
    const Motion* A_P = p < 0 ? &A_G : &A[p];
    Motion a = motion_add(x_motion_inv(d->body_X_PB[b], *A_P), bias_motion(m, d, b));
    switch (m->joint_class[b]) {
      case SAR_CLASS_FIXED: break;
      case SAR_CLASS_REVOLUTE:
        d->a[i] = d->dof_u[i] - power_of(a, d->dof_U[i]);
        a.w.z += d->a[i];
        break;
      case SAR_CLASS_PRISMATIC:
        d->a[i] = d->dof_u[i] - power_of(a, d->dof_U[i]);
        a.v.z += d->a[i];
        break;
      default: a = solve_general(m, d, b, a);
    }
    A[b] = a;
  }
}

static bool all_finite(const double* x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

SarStatus sar_aba(const SarModel* m, SarData* d) {
  bool regular = has_body_forces(m) ? inwards(m, d, true) : inwards(m, d, false);
  if (!regular) {
    bool finite = all_finite(d->q, m->nq) && all_finite(d->v, m->nv) && all_finite(d->tau, m->nv);
    return finite ? SAR_SINGULAR : SAR_NOT_FINITE;
  }
  outwards(m, d);
  return SAR_OK;
}
