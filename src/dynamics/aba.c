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
// For one-axis joints S is a unit vector: U is a column of IA and D a number; without armature the
// row and column of the axis vanish from Ia, and with them a third of the transformation to the
// parent. Ground needs nothing handed to it. What children hand up waits in body_IA and body_pA: the
// last child sets it, the others add, so that nothing need be cleared.
#include "dynamics/tree.h"

#include "dynamics/bias.h"
#include "linalg/chol.h"

// A joint is singular when its inertia is this small beside the inertia about the other axes, or a
// pivot beside its diagonal entry: what is left then is rounding.
static const double SINGULAR = 1e-15;

static inline Force scaled(double s, Force F) {
  return (Force){v3_scale(s, F.n), v3_scale(s, F.f)};
}

// An articulated inertia and its bias force: a body's own with its children's, in B; or what a joint
// lets through, in the parent's frame.
typedef struct Load {
  Articulated I;
  Force p;
} Load;

// A one-axis joint.
typedef struct Axis {
  Force UD;       // U / D
  double u, qdd;  // qdd = u / D: the acceleration if the parent had none
  double armature;
} Axis;

// any joint that leaves a full Ia
static inline Load hand_full(Xform X, Articulated Ia, Force pA, Motion c, Force Uu) {
  Force pa = force_add(force_add(pA, articulated_mul(Ia, c)), Uu);
  return (Load){articulated_transform(X, Ia), x_force(X, pa)};
}

// S = [z; 0]: U = [A_z; H'_z]
static inline bool solve_revolute(Articulated IA, Force pA, double armature, double tau,
                                  Axis* out) {
  const S3 A = IA.A;
  const M3 H = IA.H;
  const double D = A.zz + armature, inv = 1 / D;
  const double u = tau - pA.n.z;
  *out = (Axis){{{inv * A.xz, inv * A.yz, inv * A.zz}, {inv * H.zx, inv * H.zy, inv * H.zz}},
                u,
                inv * u,
                armature};
  return D > SINGULAR * (A.xx + A.yy);
}

static inline Load hand_revolute(Xform X, Articulated IA, Force pA, Axis axis, Motion V, double v) {
  const S3 A = IA.A, M = IA.M;
  const M3 H = IA.H;
  const V3 n = axis.UD.n, f = axis.UD.f;
  const double cx = V.w.y * v, cy = -V.w.x * v, ex = V.v.y * v, ey = -V.v.x * v;  // c
  const double u = axis.u;
  Articulated Ia;
  Ia.A.xx = A.xx - n.x * A.xz, Ia.A.xy = A.xy - n.x * A.yz, Ia.A.yy = A.yy - n.y * A.yz;
  Ia.H.xx = H.xx - n.x * H.zx, Ia.H.xy = H.xy - n.x * H.zy, Ia.H.xz = H.xz - n.x * H.zz;
  Ia.H.yx = H.yx - n.y * H.zx, Ia.H.yy = H.yy - n.y * H.zy, Ia.H.yz = H.yz - n.y * H.zz;
  Ia.M.xx = M.xx - f.x * H.zx, Ia.M.xy = M.xy - f.x * H.zy, Ia.M.xz = M.xz - f.x * H.zz;
  Ia.M.yy = M.yy - f.y * H.zy, Ia.M.yz = M.yz - f.y * H.zz, Ia.M.zz = M.zz - f.z * H.zz;
  if (axis.armature != 0) {
    // what armature leaves of the axis: row z of Ia = (1 - A_zz / D) U'
    const double rest = 1 - n.z;
    Ia.A.xz = rest * A.xz, Ia.A.yz = rest * A.yz, Ia.A.zz = rest * A.zz;
    Ia.H.zx = rest * H.zx, Ia.H.zy = rest * H.zy, Ia.H.zz = rest * H.zz;
    Force Uu = {v3_scale(u, n), v3_scale(u, f)};
    return hand_full(X, Ia, pA, (Motion){{cx, cy, 0}, {ex, ey, 0}}, Uu);
  }
  Force pa = {
      {pA.n.x + u * n.x + (Ia.A.xx * cx + Ia.A.xy * cy + Ia.H.xx * ex + Ia.H.xy * ey),
       pA.n.y + u * n.y + (Ia.A.xy * cx + Ia.A.yy * cy + Ia.H.yx * ex + Ia.H.yy * ey), pA.n.z + u},
      {pA.f.x + u * f.x + (Ia.H.xx * cx + Ia.H.yx * cy + Ia.M.xx * ex + Ia.M.xy * ey),
       pA.f.y + u * f.y + (Ia.H.xy * cx + Ia.H.yy * cy + Ia.M.xy * ex + Ia.M.yy * ey),
       pA.f.z + u * f.z + (Ia.H.xz * cx + Ia.H.yz * cy + Ia.M.xz * ex + Ia.M.yz * ey)}};
  return (Load){articulated_transform_revolute(X, Ia), x_force(X, pa)};
}

// S = [0; z]: U = [H_z; M_z]
static inline bool solve_prismatic(Articulated IA, Force pA, double armature, double tau,
                                   Axis* out) {
  const S3 M = IA.M;
  const M3 H = IA.H;
  const double D = M.zz + armature, inv = 1 / D;
  const double u = tau - pA.f.z;
  *out = (Axis){{{inv * H.xz, inv * H.yz, inv * H.zz}, {inv * M.xz, inv * M.yz, inv * M.zz}},
                u,
                inv * u,
                armature};
  return D > SINGULAR * (M.xx + M.yy);
}

static inline Load hand_prismatic(Xform X, Articulated IA, Force pA, Axis axis, Motion V,
                                  double v) {
  const S3 A = IA.A, M = IA.M;
  const M3 H = IA.H;
  const V3 n = axis.UD.n, f = axis.UD.f;
  const double ex = V.w.y * v, ey = -V.w.x * v;  // c = [0; w x z v]
  const double u = axis.u;
  Articulated Ia;
  Ia.A.xx = A.xx - n.x * H.xz, Ia.A.xy = A.xy - n.x * H.yz, Ia.A.xz = A.xz - n.x * H.zz;
  Ia.A.yy = A.yy - n.y * H.yz, Ia.A.yz = A.yz - n.y * H.zz, Ia.A.zz = A.zz - n.z * H.zz;
  Ia.H.xx = H.xx - n.x * M.xz, Ia.H.xy = H.xy - n.x * M.yz, Ia.H.yx = H.yx - n.y * M.xz;
  Ia.H.yy = H.yy - n.y * M.yz, Ia.H.zx = H.zx - n.z * M.xz, Ia.H.zy = H.zy - n.z * M.yz;
  Ia.M.xx = M.xx - f.x * M.xz, Ia.M.xy = M.xy - f.x * M.yz, Ia.M.yy = M.yy - f.y * M.yz;
  if (axis.armature != 0) {
    const double rest = 1 - f.z;
    Ia.H.xz = rest * H.xz, Ia.H.yz = rest * H.yz, Ia.H.zz = rest * H.zz;
    Ia.M.xz = rest * M.xz, Ia.M.yz = rest * M.yz, Ia.M.zz = rest * M.zz;
    Force Uu = {v3_scale(u, n), v3_scale(u, f)};
    return hand_full(X, Ia, pA, (Motion){{0, 0, 0}, {ex, ey, 0}}, Uu);
  }
  Force pa = {{pA.n.x + u * n.x + (Ia.H.xx * ex + Ia.H.xy * ey),
               pA.n.y + u * n.y + (Ia.H.yx * ex + Ia.H.yy * ey),
               pA.n.z + u * n.z + (Ia.H.zx * ex + Ia.H.zy * ey)},
              {pA.f.x + u * f.x + (Ia.M.xx * ex + Ia.M.xy * ey),
               pA.f.y + u * f.y + (Ia.M.xy * ex + Ia.M.yy * ey), pA.f.z + u}};
  return (Load){articulated_transform_prismatic(X, Ia), x_force(X, pa)};
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

// The body's own inertia and bias, and what its children handed up.
static inline Load load_of(const SarModel* m, const SarData* d, int b, bool with_forces) {
  const Inertia I = m->body_inertia[b];
  Load load = {.p = bias_force(I, d->body_V[b])};
  if (with_forces) load.p = force_sub(load.p, d->body_F[b]);
  if (m->body_subtree[b] == 1) {
    load.I = articulated_of(I);
  } else {
    load.I = articulated_add_inertia(d->body_IA[b], I);
    load.p = force_add(load.p, d->body_pA[b]);
  }
  return load;
}

// The last child is the first to arrive: it sets, the others add.
static inline void hand_up(const SarModel* m, SarData* d, int b, int p, Load load) {
  if (b + m->body_subtree[b] == p + m->body_subtree[p]) {
    d->body_IA[p] = load.I;
    d->body_pA[p] = load.p;
  } else {
    d->body_IA[p] = articulated_add(d->body_IA[p], load.I);
    d->body_pA[p] = force_add(d->body_pA[p], load.p);
  }
}

// S of nv columns (none: a fixed joint), D = L L':  W = U L^-T and y = L^-1 u stay for the outward pass.
//   Ia = IA - W W',  pa = pA + Ia c + W y
static bool pass_general(const SarModel* m, SarData* d, int b, bool with_forces) {
  const int p = m->body_parent[b], i0 = m->joint_vadr[b], nv = m->joint_nv[b];
  const Load load = load_of(m, d, b, with_forces);
  const Motion* S = &d->dof_S[i0];
  Force* W = &d->dof_U[i0];
  double *L = &d->dof_L[i0 * SAR_JOINT_MAX_NV], *y = &d->dof_u[i0];

  for (int i = 0; i < nv; i++) {
    W[i] = articulated_mul(load.I, S[i]);
    for (int j = 0; j <= i; j++) L[i * CHOL_ROW + j] = power_of(S[j], W[i]);
    L[i * CHOL_ROW + i] += m->dof_armature[i0 + i];
    y[i] = d->tau[i0 + i] - power_of(S[i], load.p);
  }
  const bool regular = chol_factor(nv, L, SINGULAR);
  chol_solve_lower(nv, L, y);
  for (int i = 0; i < nv; i++) {
    Force w = W[i];
    for (int k = 0; k < i; k++) w = force_sub(w, scaled(L[i * CHOL_ROW + k], W[k]));
    W[i] = scaled(L[i * CHOL_ROW + i], w);
  }
  if (p < 0) return regular;

  Articulated Ia = load.I;
  Force Wy = force_zero();
  for (int i = 0; i < nv; i++) {
    Ia = articulated_sub_square(Ia, W[i]);
    Wy = force_add(Wy, scaled(y[i], W[i]));
  }
  hand_up(m, d, b, p, hand_full(d->body_X_PB[b], Ia, load.p, bias_motion(m, d, b), Wy));
  return regular;
}

// One body of the inward pass; false when its joint is singular.
static inline bool pass_revolute(const SarModel* m, SarData* d, int b, const bool with_forces) {
  const int p = m->body_parent[b], i = m->joint_vadr[b];
  const Load load = load_of(m, d, b, with_forces);
  Axis axis;
  const bool regular = solve_revolute(load.I, load.p, m->dof_armature[i], d->tau[i], &axis);
  d->dof_U[i] = axis.UD;
  d->dof_u[i] = axis.qdd;
  if (p >= 0)
    hand_up(m, d, b, p,
            hand_revolute(d->body_X_PB[b], load.I, load.p, axis, d->body_V[b], d->v[i]));
  return regular;
}

static inline bool pass_prismatic(const SarModel* m, SarData* d, int b, const bool with_forces) {
  const int p = m->body_parent[b], i = m->joint_vadr[b];
  const Load load = load_of(m, d, b, with_forces);
  Axis axis;
  const bool regular = solve_prismatic(load.I, load.p, m->dof_armature[i], d->tau[i], &axis);
  d->dof_U[i] = axis.UD;
  d->dof_u[i] = axis.qdd;
  if (p >= 0)
    hand_up(m, d, b, p,
            hand_prismatic(d->body_X_PB[b], load.I, load.p, axis, d->body_V[b], d->v[i]));
  return regular;
}

static inline bool inwards(const SarModel* m, SarData* d, const bool with_forces) {
  bool regular = true;
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int class_of = m->joint_class[b];
    if (class_of == SAR_CLASS_REVOLUTE)
      regular &= pass_revolute(m, d, b, with_forces);
    else if (class_of == SAR_CLASS_PRISMATIC)
      regular &= pass_prismatic(m, d, b, with_forces);
    else
      regular &= pass_general(m, d, b, with_forces);
  }
  return regular;
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
  bool regular = m->nforce > 0 ? inwards(m, d, true) : inwards(m, d, false);
  if (!regular) {
    bool finite = all_finite(d->q, m->nq) && all_finite(d->v, m->nv) && all_finite(d->tau, m->nv);
    return finite ? SAR_SINGULAR : SAR_NOT_FINITE;
  }
  outwards(m, d);
  return SAR_OK;
}
