// Forward dynamics by articulated bodies (ABA): O(n), one pass inwards and one outwards.
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
// For one-axis joints S is a unit vector, U a column of IA and D a number. Ground needs nothing
// handed to it. What children hand up waits in body_load: the last child sets it, the others add,
// so that nothing need be cleared.
#include "dynamics/tree.h"

#include "dynamics/aba_modes.h"
#include "dynamics/bias.h"
#include "dynamics/rotors.h"
#include "linalg/chol.h"

typedef ArticulatedLoad Load;

// A joint is singular when its inertia is this small beside the inertia about the other axes, or a
// pivot beside its diagonal entry: what is left then is rounding.
static const double SINGULAR = 1e-15;

static const Load NO_CHILDREN;

LANES_INLINE const Load* children_of(const SarModel* m, const SarData* d, int b) {
  return m->body_subtree[b] == 1 ? &NO_CHILDREN : &d->body_load[b];
}

// pA: the body's own share and its children's
LANES_INLINE LaneForce bias_of(const SarModel* m, const SarData* d, int b, const Load* children,
                               const bool with_forces) {
  LaneForce p = lane_force_load(&children->p);
  if (with_forces) {
    const LaneForce F = lane_force(&d->body_F[b]);
    p = (LaneForce){l4_sub(p.n, F.n), l4_sub(p.f, F.f)};
  }
  return add_bias_force(p, &m->body_inertia[b], lane_motion(&d->body_V[b]));
}

// The last child is the first to arrive: what it hands up is set, what the others do is added.
LANES_INLINE void hand_up(const SarModel* m, SarData* d, int b, int p, Articulated I,
                          LaneForce force) {
  if (b + m->body_subtree[b] == p + m->body_subtree[p])
    articulated_store(&d->body_load[p], I, force);
  else
    articulated_accumulate(&d->body_load[p], I, force);
}

// any joint; Uu = U D^-1 u
static inline void hand_full(const SarModel* m, SarData* d, int b, int p, Articulated Ia,
                             LaneForce pA, LaneMotion c, LaneForce Uu) {
  const Xform* X = &d->body_X_PB[b];
  const L4x3 columns = l4x3_load(&d->body_columns[b]);
  const LaneForce pa = lane_force_add(lane_force_add(pA, articulated_mul(Ia, c)), Uu);
  hand_up(m, d, b, p, articulated_transform(X, columns, Ia),
          lane_x_force(columns, l4_load(&X->p.x), pa));
}

// A revolute joint without armature: row and column z of A and row z of H vanish from Ia, and with
// them a third of the transformation.
LANES_INLINE void hand_revolute(const SarModel* m, SarData* d, int b, int p, Articulated IA,
                                LaneForce pA, LaneForce UD, double u, double v) {
  const Xform* X = &d->body_X_PB[b];
  const Motion* V = &d->body_V[b];
  const L4x3 columns = l4x3_load(&d->body_columns[b]);
  const LaneForce U = {IA.A.z, IA.H.z};
  const L4x3 M = l4x3_sub_outer(IA.M, UD.f, U.f);
  const L4 Hx = l4_axmy(l4_x(UD.n), U.f, IA.H.x), Hy = l4_axmy(l4_y(UD.n), U.f, IA.H.y);
  const L4 Ax = l4_axmy(l4_x(UD.n), U.n, IA.A.x), Ay = l4_axmy(l4_y(UD.n), U.n, IA.A.y);

  // pa = pA + U D^-1 u + Ia c,  c = [w x z; v x z] v
  const double cx = V->w.y * v, cy = -V->w.x * v, ex = V->v.y * v, ey = -V->v.x * v;
  const L4 e = l4(ex, ey, 0);
  LaneForce pa = lane_force_axpy(u, UD, pA);
  pa.n = l4_axpy(cx, Ax, l4_axpy(cy, Ay, pa.n));
  pa.n = l4_add(pa.n, l4_sum_pairs(l4_mul(Hx, e), l4_mul(Hy, e)));
  pa.f = l4_axpy(cx, Hx, l4_axpy(cy, Hy, pa.f));
  pa.f = l4_axpy(ex, M.x, l4_axpy(ey, M.y, pa.f));

  const L4 AxR = l4_axpy(l4_y(Ax), columns.y, l4_scale(l4_x(Ax), columns.x));
  const L4 AyR = l4_axpy(l4_y(Ay), columns.y, l4_scale(l4_x(Ay), columns.x));
  const Articulated turned = {
      l4x3_rotate_two_rows(&X->R, AxR, AyR),
      l4x3_rotate_two_rows(&X->R, l4x3_mul(columns, Hx), l4x3_mul(columns, Hy)),
      l4x3_rotate_symmetric(&X->R, columns, M)};
  const L4 p_PB = l4_load(&X->p.x);
  hand_up(m, d, b, p, articulated_shift(p_PB, turned), lane_x_force(columns, p_PB, pa));
}

// S = [z; 0]: U = [A_z; H'_z]
static inline bool pass_revolute(const SarModel* m, SarData* d, int b, const bool with_forces) {
  const int p = m->body_parent[b], i = m->joint_vadr[b];
  const Load* children = children_of(m, d, b);
  const Articulated IA = articulated_add_inertia(&children->I, &m->body_inertia[b]);
  const LaneForce pA = bias_of(m, d, b, children, with_forces);
  const double armature = m->dof_armature[i], D = l4_z(IA.A.z) + armature, inv = 1 / D;
  const double u = d->tau[i] - l4_z(pA.n);
  const LaneForce UD = {l4_scale(inv, IA.A.z), l4_scale(inv, IA.H.z)};
  lane_force_put(&d->dof_U[i], UD);
  d->dof_u[i] = inv * u;
  if (p >= 0 && armature == 0) {
    hand_revolute(m, d, b, p, IA, pA, UD, u, d->v[i]);
  } else if (p >= 0) {
    const LaneForce U = {IA.A.z, IA.H.z};
    const LaneMotion c = bias_revolute(lane_motion(&d->body_V[b]), d->v[i]);
    hand_full(m, d, b, p, articulated_sub_outer(IA, UD, U), pA, c, lane_force_scale(u, UD));
  }
  return D > SINGULAR * (l4_x(IA.A.x) + l4_y(IA.A.y));
}

// S = [0; z]: U = [H_z; M_z]
static bool pass_prismatic(const SarModel* m, SarData* d, int b, const bool with_forces) {
  const int p = m->body_parent[b], i = m->joint_vadr[b];
  const Load* children = children_of(m, d, b);
  const Articulated IA = articulated_add_inertia(&children->I, &m->body_inertia[b]);
  const LaneForce pA = bias_of(m, d, b, children, with_forces);
  const LaneForce U = {l4(l4_z(IA.H.x), l4_z(IA.H.y), l4_z(IA.H.z)), IA.M.z};
  const double D = l4_z(U.f) + m->dof_armature[i], inv = 1 / D, u = d->tau[i] - l4_z(pA.f);
  const LaneForce UD = lane_force_scale(inv, U);
  lane_force_put(&d->dof_U[i], UD);
  d->dof_u[i] = inv * u;
  if (p >= 0) {
    const LaneMotion c = bias_prismatic(lane_motion(&d->body_V[b]), d->v[i]);
    hand_full(m, d, b, p, articulated_sub_outer(IA, UD, U), pA, c, lane_force_scale(u, UD));
  }
  return D > SINGULAR * (l4_x(IA.M.x) + l4_y(IA.M.y));
}

// A rotor of the joint (rotors.h), nv = 1: U + g in place of U but for D, and bias couples. With
// its carrier the parent, whose acceleration is a' - c there, u + g . c in place of u.
typedef struct Spin {
  LaneForce g;      // in B
  double u;         // added to u
  LaneForce own;    // bias couple on the body,
  LaneForce other;  // and on its parent
} Spin;

static const Spin NO_SPIN;

static Spin spin_of(const SarModel* m, const SarData* d, int b) {
  const SarRotor* r = &m->rotor[m->body_rotor[b] - 1];
  const double v = d->v[m->joint_vadr[b]];
  const V3 g = sar_rotor_in_body(d, r), w = d->body_V[b].w;
  const V3 w_P = v3_axpy(-v, d->dof_S[m->joint_vadr[b]].w, w);
  const LaneForce none = {l4_zero(), l4_zero()};
  const LaneForce couple = {l4_of(v3_scale(v, v3_cross(r->on_body ? w : w_P, g))), l4_zero()};
  Spin s = {{l4_of(g), l4_zero()}, 0, r->on_body ? couple : none, r->on_body ? none : couple};
  if (!r->on_body) s.u = lane_power(bias_general(m, d, b), s.g);
  return s;
}

// S of nv columns (none: a fixed joint), D = L L':  W = U L^-T and y = L^-1 u stay for the outward
// pass.
//   Ia = IA - W W',  pa = pA + Ia c + W y
static bool pass_general(const SarModel* m, SarData* d, int b, bool with_forces) {
  const int p = m->body_parent[b], i0 = m->joint_vadr[b], nv = m->joint_nv[b];
  const Load* children = children_of(m, d, b);
  Articulated Ia = articulated_add_inertia(&children->I, &m->body_inertia[b]);
  LaneForce pA = bias_of(m, d, b, children, with_forces);
  const Spin spin = m->body_rotor[b] ? spin_of(m, d, b) : NO_SPIN;
  const Motion* S = &d->dof_S[i0];
  LaneForce* W = &d->dof_U[i0];
  double *L = &d->dof_L[i0 * SAR_JOINT_MAX_NV], *y = &d->dof_u[i0];

  if (m->body_rotor[b]) pA = lane_force_add(pA, spin.own);
  for (int i = 0; i < nv; i++) {
    const LaneMotion Si = lane_motion(&S[i]);
    W[i] = articulated_mul(Ia, Si);
    for (int j = 0; j <= i; j++) L[i * CHOL_ROW + j] = lane_power(lane_motion(&S[j]), W[i]);
    L[i * CHOL_ROW + i] += m->dof_armature[i0 + i];
    y[i] = d->tau[i0 + i] - lane_power(Si, pA);
  }
  if (m->body_rotor[b]) {
    W[0] = lane_force_add(W[0], spin.g);
    y[0] += spin.u;
    pA = lane_force_add(pA, spin.other);
  }
  if (!chol_factor(nv, L, SINGULAR)) return false;
  chol_solve_lower(nv, L, y);
  for (int i = 0; i < nv; i++) {
    LaneForce w = W[i];
    for (int k = 0; k < i; k++) w = lane_force_axpy(-L[i * CHOL_ROW + k], W[k], w);
    W[i] = lane_force_scale(L[i * CHOL_ROW + i], w);
  }
  if (p < 0) return true;

  LaneForce Wy = {l4_zero(), l4_zero()};
  for (int i = 0; i < nv; i++) {
    Ia = articulated_sub_outer(Ia, W[i], W[i]);
    Wy = lane_force_axpy(y[i], W[i], Wy);
  }
  hand_full(m, d, b, p, Ia, pA, bias_general(m, d, b), Wy);
  return true;
}

// ---- modal bodies -------------------------------------------------------------------------------

// A node has no coordinate to be eliminated: what it adds to the modes waits in dof_U, dof_u and
// modal_L.
static bool pass_node(const SarModel* m, SarData* d, int b, bool with_forces) {
  const int p = m->body_parent[b];
  const Load* children = children_of(m, d, b);
  const Articulated IA = articulated_add_inertia(&children->I, &m->body_inertia[b]);
  const LaneForce pA = bias_of(m, d, b, children, with_forces);
  const LaneForce pa = lane_force_add(pA, articulated_mul(IA, bias_general(m, d, b)));
  const L4x3 columns = l4x3_load(&d->body_columns[b]);
  const Xform* X = &d->body_X_PB[b];
  sar_aba_add_node(m, d, b, IA, pa);
  hand_up(m, d, b, p, articulated_transform(X, columns, IA),
          lane_x_force(columns, l4_load(&X->p.x), pa));
  return true;
}

// The last mode is the first to be met: there all of them are eliminated together. The others only
// pass on.
static bool pass_mode(const SarModel* m, SarData* d, int b, bool with_forces) {
  const int p = m->body_parent[b];
  const SarModal* g = &m->modal[sar_modal_of(m, b)];
  const Load* children = children_of(m, d, b);
  const LaneMotion none = {l4_zero(), l4_zero()};
  Articulated Ia = articulated_add_inertia(&children->I, &m->body_inertia[b]);
  LaneForce Wy = {l4_zero(), l4_zero()};
  if (b == g->last) {
    if (!sar_aba_factor_modes(m, d, g, SINGULAR)) return false;
    for (int i = g->dof; i < g->dof + g->num; i++) {
      const LaneForce W = lane_force_load(&d->dof_U[i]);
      Ia = articulated_sub_outer(Ia, W, W);
      Wy = lane_force_axpy(d->dof_u[i], W, Wy);
    }
  }
  hand_full(m, d, b, p, Ia, bias_of(m, d, b, children, with_forces), none, Wy);
  return true;
}

// Out of line: the loop over joints of one axis is as it would be without.
__attribute__((noinline)) static bool pass_other(const SarModel* m, SarData* d, int b,
                                                 bool with_forces) {
  switch (m->joint_class[b]) {
    case SAR_CLASS_NODE: return pass_node(m, d, b, with_forces);
    case SAR_CLASS_MODE: return pass_mode(m, d, b, with_forces);
    default: return pass_general(m, d, b, with_forces);
  }
}

static inline bool inwards(const SarModel* m, SarData* d, const bool with_forces) {
  if (m->nmodal > 0) sar_aba_begin_modes(m, d);
  for (int b = m->nbody - 1; b >= 0; b--) {
    bool regular;
    switch (m->joint_class[b]) {
      case SAR_CLASS_REVOLUTE: regular = pass_revolute(m, d, b, with_forces); break;
      case SAR_CLASS_PRISMATIC: regular = pass_prismatic(m, d, b, with_forces); break;
      default: regular = pass_other(m, d, b, with_forces);
    }
    if (!regular) return false;
  }
  return true;
}

// a_q = L^-T (y - W'a'),  A = a' + S a_q
static LaneMotion solve_general(const SarModel* m, SarData* d, int b, LaneMotion a) {
  const int i0 = m->joint_vadr[b], nv = m->joint_nv[b];
  a = lane_motion_add(a, bias_general(m, d, b));
  double* qdd = &d->a[i0];
  for (int i = 0; i < nv; i++)
    qdd[i] = d->dof_u[i0 + i] - lane_power(a, lane_force_load(&d->dof_U[i0 + i]));
  chol_solve_upper(nv, &d->dof_L[i0 * SAR_JOINT_MAX_NV], qdd);
  for (int i = 0; i < nv; i++) {
    a = lane_motion_axpy(qdd[i], lane_motion(&d->dof_S[i0 + i]), a);
  }
  return a;
}

__attribute__((noinline)) static LaneMotion solve_other(const SarModel* m, SarData* d, int b,
                                                        LaneMotion A) {
  switch (m->joint_class[b]) {
    case SAR_CLASS_MODE: sar_aba_solve_modes(m, d, b, A); return A;
    case SAR_CLASS_NODE:
      A = lane_motion_add(A, bias_general(m, d, b));
      return lane_motion_add(A, lane_motion_of(sar_node_motion(d, sar_own_node(m, b), d->a)));
    default: return solve_general(m, d, b, A);
  }
}

static inline void outwards(const SarModel* m, SarData* d) {
  const LaneMotion A_G = {l4_zero(), l4_of(v3_neg(m->gravity))};
  LaneMotion A = A_G;  // of body b - 1: the parent, more often than not
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b], i = m->joint_vadr[b];
    const Xform* X = &d->body_X_PB[b];
    const LaneMotion V = lane_motion(&d->body_V[b]);
    if (p < 0)
      A = A_G;
    else if (p != b - 1)
      A = lane_motion(&d->body_A[p]);
    A = lane_x_motion_inv(l4x3_load_rows(&X->R), l4_load(&X->p.x), A);
    switch (m->joint_class[b]) {
      case SAR_CLASS_REVOLUTE:
        A = lane_motion_add(A, bias_revolute(V, d->v[i]));
        d->a[i] = d->dof_u[i] - lane_power(A, lane_force_load(&d->dof_U[i]));
        A.w = l4_axpy(d->a[i], l4(0, 0, 1), A.w);
        break;
      case SAR_CLASS_PRISMATIC:
        A = lane_motion_add(A, bias_prismatic(V, d->v[i]));
        d->a[i] = d->dof_u[i] - lane_power(A, lane_force_load(&d->dof_U[i]));
        A.v = l4_axpy(d->a[i], l4(0, 0, 1), A.v);
        break;
      default: A = solve_other(m, d, b, A);
    }
    lane_motion_store(&d->body_A[b], A);
  }
}

static bool all_finite(const double* x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

SarStatus sar_aba(const SarModel* m, SarData* d) {
  const bool regular = has_body_forces(m) ? inwards(m, d, true) : inwards(m, d, false);
  if (!regular) {
    bool finite = all_finite(d->q, m->nq) && all_finite(d->v, m->nv) && all_finite(d->tau, m->nv);
    return finite ? SAR_SINGULAR : SAR_NOT_FINITE;
  }
  outwards(m, d);
  return SAR_OK;
}
