// Analytical first derivatives of the recursive Newton-Euler algorithm, O(n depth), in body frames.
//
// Sources: Carpentier and Mansard, Analytical derivatives of rigid body dynamics algorithms, RSS 2018;
// Singh, Russo and Wensing, Efficient analytical derivatives of rigid-body dynamics using spatial
// vector algebra, IEEE RA-L 7, 2022.
//
// A small displacement (or velocity) of coordinate j of body b changes velocity and acceleration of every body c of
// its subtree by
//
//   V_c' = P,   A_c' = PP + P x V_c                           P, PP constant over the subtree
//   q:  P = (X V_P) x S + S' v,   PP = A_b' + V_b x P         S': change of the joint's axes
//   v:  P = S,                    PP = A_b' + V_b x S
//
// and the force of the subtree, with composite inertia I and composite 2B = dI/dt + (h, p of the motion) x*, by
//
//   U = I PP + 2B P,     2B P = (D P.w + P.w x l, -2 p x P.w)
//
// dI/dt has the form of an inertia without mass: h' = p (linear momentum), I' = D; l is the angular momentum. So
// for i in the subtree of j (ancestor):   d tau_j = S_j . (U_i + S_i x* F_i),   d tau_i = F_i . PP_j + g_i . P_j.w
// with F_i = I S_i (which is also column i of M) and g_i = (2B)' S_i. F, g, U go inwards together, subtree by
// subtree, as in crba.c.
#include "dynamics/tree_derivatives.h"

#include "base/block.h"
#include "dynamics/variation.h"

enum { NV = SAR_JOINT_MAX_NV };

// ---- memory ---------------------------------------------------------------------------------------

static void lay_out(const SarModel* m, SarTreeDerivatives* w, SarBlock* b) {
  const size_t nv = (size_t)m->nv, panels = (size_t)sar_mass_panels(m);
  SAR_PIECE(b, w->P, nv);
  SAR_PIECE(b, w->PP, nv);
  SAR_PIECE(b, w->PPv, nv);
  SAR_PIECE(b, w->F, nv);
  SAR_PIECE(b, w->Uq, nv);
  SAR_PIECE(b, w->Uv, nv);
  SAR_PIECE(b, w->g, nv);
  SAR_PIECE(b, w->inertia, m->nbody);
  SAR_PIECE(b, w->rate, m->nbody);
  SAR_PIECE(b, w->momentum, m->nbody);
  SAR_PIECE(b, w->end, nv);
  SAR_PIECE(b, w->related, panels * nv);
  SAR_PIECE(b, w->related_num, panels);
  SAR_PIECE(b, w->every, nv);
}

static int end_of(const SarModel* m, int b) {
  const int after = b + m->body_subtree[b];
  return after < m->nbody ? m->joint_vadr[after] : m->nv;
}

void sar_tree_derivatives_init(const SarModel* m, SarTreeDerivatives* w, SarBlock* b) {
  lay_out(m, w, b);
  if (!b->memory) return;
  for (int i = 0; i < m->nv; i++) w->end[i] = end_of(m, m->dof_body[i]);
  sar_mass_panels_init(m, w);
}

// ---- outwards: P and PP -----------------------------------------------------------------------------

LANES_INLINE LaneMotion lane_crossm(LaneMotion a, LaneMotion b) {
  return (LaneMotion){l4_cross(a.w, b.w), l4_add_cross(l4_cross(a.w, b.v), a.v, b.w)};
}
LANES_INLINE L4 cross_z(L4 a) { return l4_mul(l4_yxz(a), l4(1, -1, 0)); }  // a x z
LANES_INLINE LaneMotion lane_of(Motion a) { return (LaneMotion){l4_of(a.w), l4_of(a.v)}; }

// One axis: S x S = 0 leaves P = V x S, PP = A x S + V x P, and PPv = 2 P.
LANES_INLINE void directions_of_axis(const SarData* d, int b, int i, const bool turns,
                                     SarTreeDerivatives* w) {
  const LaneMotion V = lane_motion(&d->body_V[b]), A = lane_motion(&d->body_A[b]);
  LaneMotion P = {turns ? cross_z(V.w) : l4_zero(), cross_z(turns ? V.v : V.w)};
  LaneMotion PP = {turns ? cross_z(A.w) : l4_zero(), cross_z(turns ? A.v : A.w)};
  w->P[i] = P;
  w->PP[i] = lane_motion_add(PP, lane_crossm(V, P));
}

static void directions_of_joint(const SarModel* m, const SarData* d, const double* a, int b,
                                SarTreeDerivatives* w) {
  const SarJointKind* kind = m->joint_kind[b];
  const int i0 = m->joint_vadr[b], nv = kind->nv;
  const double *param = &m->joint_param[b * SAR_JOINT_MAX_PARAM], *q = &d->q[m->joint_qadr[b]];
  const double* v = &d->v[i0];
  const Motion V = d->body_V[b];
  Motion Sv = motion_zero(), A_P = d->body_A[b], along[NV];
  for (int k = 0; k < nv; k++) Sv = motion_add(Sv, motion_scale(v[k], d->dof_S[i0 + k]));
  for (int k = 0; k < nv; k++) A_P = motion_add(A_P, motion_scale(-a[i0 + k], d->dof_S[i0 + k]));
  A_P = motion_add(A_P, motion_scale(-1, motion_add(crossm(V, Sv), d->body_cJ[b])));
  const Motion V_P = motion_add(V, motion_scale(-1, Sv));
  if (kind->slope) kind->slope(param, q, NULL, v, along, NULL);
  for (int k = 0; k < nv; k++) {
    const Motion S = d->dof_S[i0 + k];
    double unit[NV] = {0};
    Motion dS[NV], dcJ = motion_zero(), turned = dcJ, pushed = dcJ, bias = dcJ;
    unit[k] = 1;
    if (kind->slope) {
      kind->slope(param, q, v, unit, dS, &dcJ);
      for (int l = 0; l < nv; l++) {
        turned = motion_add(turned, motion_scale(v[l], dS[l]));
        pushed = motion_add(pushed, motion_scale(a[i0 + l], dS[l]));
      }
      bias = motion_add(turned, along[k]);  // of cJ = S'(v) v, by v_k
    }
    const Motion P = motion_add(crossm(V_P, S), turned);
    Motion PP = motion_add(crossm(A_P, S), motion_add(pushed, dcJ));
    PP = motion_add(PP, motion_add(crossm(P, Sv), crossm(V, motion_add(turned, P))));
    const Motion PPv = motion_add(motion_add(crossm(S, Sv), bias), motion_scale(2, crossm(V, S)));
    w->P[i0 + k] = lane_of(P);
    w->PP[i0 + k] = lane_of(PP);
    w->PPv[i0 + k] = lane_of(PPv);
  }
}

static void directions(const SarModel* m, const SarData* d, const double* a,
                       SarTreeDerivatives* w) {
  for (int b = 0; b < m->nbody; b++) {
    const int i = m->joint_vadr[b];
    switch (m->joint_class[b]) {
      case SAR_CLASS_FIXED: break;
      case SAR_CLASS_REVOLUTE: directions_of_axis(d, b, i, true, w); break;
      case SAR_CLASS_PRISMATIC: directions_of_axis(d, b, i, false, w); break;
      default: directions_of_joint(m, d, a, b, w);
    }
  }
}

// ---- inwards ----------------------------------------------------------------------------------------

// Composite inertia, its rate, and angular momentum.
typedef struct Subtree {
  Composite I, rate;
  L4 l;
} Subtree;

// dI/dt of a rigid body: p = m v - h x w = dh/dt,  D = w~ I - I w~ - v~ h~ - h~ v~
LANES_INLINE Subtree own_inertia(const SarModel* m, const SarData* d, int b) {
  const Inertia* own = &m->body_inertia[b];
  const LaneMotion V = lane_motion(&d->body_V[b]);
  const Composite I = {inertia_rows(own), l4_load(&own->h.x), own->m};
  const LaneForce momentum = composite_mul(I, V);
  const L4x3 Q = l4x3_tilde_mul(V.w, I.I);
  const double twice = 2 * l4_sum(l4_mul(V.v, I.h));
  L4x3 D = l4x3_add(Q, l4x3_transpose(Q));
  D = l4x3_sub_outer(l4x3_sub_outer(D, I.h, V.v), V.v, I.h);
  D = (L4x3){l4_axpy(twice, l4(1, 0, 0), D.x), l4_axpy(twice, l4(0, 1, 0), D.y),
             l4_axpy(twice, l4(0, 0, 1), D.z)};
  return (Subtree){I, {D, momentum.f, 0}, momentum.n};
}

LANES_INLINE Subtree subtree_of(const SarModel* m, const SarData* d, const SarTreeDerivatives* w,
                                int b) {
  Subtree s = own_inertia(m, d, b);
  if (m->body_subtree[b] == 1) return s;
  s.I = composite_add(s.I, composite_load(&w->inertia[b]));
  s.rate = composite_add(s.rate, composite_load(&w->rate[b]));
  s.l = l4_add(s.l, w->momentum[b]);
  return s;
}

// The last child is the first to arrive, as in crba.c.
LANES_INLINE void hand_up(const SarModel* m, const SarData* d, SarTreeDerivatives* w, int b, int p,
                          const Subtree* s) {
  const Xform* X = &d->body_X_PB[b];
  const L4x3 columns = l4x3_load(&d->body_columns[b]);
  Composite I = composite_transform(X, columns, s->I);
  Composite rate = composite_transform(X, columns, s->rate);
  L4 l = l4_add_cross(l4x3_mul(columns, s->l), l4_load(&X->p.x), rate.h);
  if (b + m->body_subtree[b] < p + m->body_subtree[p]) {
    I = composite_add(I, composite_load(&w->inertia[p]));
    rate = composite_add(rate, composite_load(&w->rate[p]));
    l = l4_add(l, w->momentum[p]);
  }
  composite_store(&w->inertia[p], I);
  composite_store(&w->rate[p], rate);
  w->momentum[p] = l;
}

// 2B P
LANES_INLINE LaneForce rate_mul(const Subtree* s, L4 turn) {
  return (LaneForce){l4_add_cross(l4x3_mul(s->rate.I, turn), turn, s->l),
                     l4_scale(-2, l4_cross(s->rate.h, turn))};
}
// (2B)' S
LANES_INLINE L4 rate_mul_t(const Subtree* s, LaneMotion S) {
  const L4 of_turn = l4_add_cross(l4x3_mul(s->rate.I, S.w), s->l, S.w);
  return l4_add_cross(of_turn, l4_scale(2, s->rate.h), S.v);
}

LANES_INLINE LaneMotion axis_of(const SarModel* m, const SarData* d, int b, int i) {
  switch (m->joint_class[b]) {
    case SAR_CLASS_REVOLUTE: return (LaneMotion){l4(0, 0, 1), l4_zero()};
    case SAR_CLASS_PRISMATIC: return (LaneMotion){l4_zero(), l4(0, 0, 1)};
    default: return lane_motion(&d->dof_S[i]);
  }
}

static inline LaneMotion second_of_v(const SarModel* m, const SarTreeDerivatives* w, int b, int i) {
  if (m->joint_class[b] == SAR_CLASS_GENERAL) return w->PPv[i];
  return (LaneMotion){l4_scale(2, w->P[i].w), l4_scale(2, w->P[i].v)};
}

static inline void own_forces(const SarModel* m, const SarData* d, int b, const Subtree* s,
                              SarTreeDerivatives* w) {
  for (int i = m->joint_vadr[b]; i < m->joint_vadr[b] + m->joint_nv[b]; i++) {
    const LaneMotion S = axis_of(m, d, b, i), PPv = second_of_v(m, w, b, i);
    lane_force_put(&w->F[i], composite_mul(s->I, S));
    w->g[i] = rate_mul_t(s, S);
    lane_force_put(&w->Uq[i],
                   lane_force_add(composite_mul(s->I, w->PP[i]), rate_mul(s, w->P[i].w)));
    lane_force_put(&w->Uv[i], lane_force_add(composite_mul(s->I, PPv), rate_mul(s, S.w)));
  }
}

// Where results go.
typedef struct Target {
  double *mass, *Tq, *Tv;
  const size_t* row;
  size_t nv;
} Target;

LANES_INLINE void put_mass(const Target* to, int i, int j, double value) {
  to->mass[to->row[i + 1] - (to->row[j + 1] - to->row[j])] = value;
}

// Entries among the joint's own coordinates: S_i . U_j + S_i' . F.
static inline void put_own(const SarModel* m, const SarData* d, int b, SarTreeDerivatives* w,
                           const Target* to) {
  const int first = m->joint_vadr[b], nv = m->joint_nv[b];
  const SarJointKind* kind = m->joint_kind[b];
  const LaneForce F = lane_force_load(&d->body_force[b]);
  for (int j = first; j < first + nv; j++) {
    Motion dS[NV];
    if (kind->slope) {
      double unit[NV] = {0};
      unit[j - first] = 1;
      sar_vary_axes(m, d, b, unit, dS);
    }
    for (int i = first; i < first + nv; i++) {
      const LaneMotion S = axis_of(m, d, b, i);
      const size_t at = (size_t)i * to->nv + (size_t)j;
      to->Tq[at] = lane_power(S, lane_force_load(&w->Uq[j]));
      to->Tv[at] = lane_power(S, lane_force_load(&w->Uv[j]));
      if (kind->slope) to->Tq[at] += lane_power(lane_of(dS[i - first]), F);
      if (j <= i) put_mass(to, i, j, lane_power(S, lane_force_load(&w->F[j])));
    }
    to->mass[to->row[j]] += m->dof_armature[j];
  }
  // what goes on inwards turns with the joint
  for (int j = first; j < first + nv; j++) {
    const LaneMotion S = axis_of(m, d, b, j);
    const LaneForce U = lane_force_load(&w->Uq[j]);
    const L4 n = l4_add_cross(l4_add_cross(U.n, S.w, F.n), S.v, F.f);
    lane_force_put(&w->Uq[j], (LaneForce){n, l4_add_cross(U.f, S.w, F.f)});
  }
}

// Entries of coordinate j with those of the subtree beyond its own joint, one axis.
LANES_INLINE void put_axis(const SarTreeDerivatives* w, int j, int from, int end, const bool turns,
                           const Target* to) {
  const LaneMotion P = w->P[j], PP = w->PP[j];
  double *Tq = &to->Tq[(size_t)j * to->nv], *Tv = &to->Tv[(size_t)j * to->nv];
  for (int i = from; i < end; i++) {
    const LaneForce F = lane_force_load(&w->F[i]);
    const L4 g = w->g[i];
    const size_t at = (size_t)i * to->nv + (size_t)j;
    put_mass(to, i, j, l4_z(turns ? F.n : F.f));
    Tq[i] = l4_z(turns ? w->Uq[i].n : w->Uq[i].f);
    Tv[i] = l4_z(turns ? w->Uv[i].n : w->Uv[i].f);
    to->Tq[at] = l4_sum(l4_mul_add(g, P.w, l4_mul_add(F.n, PP.w, l4_mul(F.f, PP.v))));
    to->Tv[at] = 2 * lane_power(P, F) + (turns ? l4_z(g) : 0);
  }
}

// Three motions, by components: the three products with a force at once.
typedef struct Trio {
  L4x3 w, v;
} Trio;

LANES_INLINE Trio trio_of(const LaneMotion a, const LaneMotion b, const LaneMotion c) {
  return (Trio){l4x3_transpose((L4x3){a.w, b.w, c.w}), l4x3_transpose((L4x3){a.v, b.v, c.v})};
}
LANES_INLINE L4 trio_power(const Trio* t, LaneForce F) {
  return l4x3_mul_add(t->w, F.n, l4x3_mul(t->v, F.f));
}

// The same for up to three coordinates of a joint with several, from j on.
static inline void put_three(const SarData* d, const SarTreeDerivatives* w, int j, int num,
                             int from, int end, const Target* to) {
  LaneMotion S[3], P[3], PP[3], PPv[3];
  for (int k = 0; k < 3; k++) {
    const int i = k < num ? j + k : j;
    S[k] = lane_motion(&d->dof_S[i]), P[k] = w->P[i], PP[k] = w->PP[i], PPv[k] = w->PPv[i];
  }
  const Trio axes = trio_of(S[0], S[1], S[2]), second = trio_of(PP[0], PP[1], PP[2]);
  const Trio by_v = trio_of(PPv[0], PPv[1], PPv[2]);
  const L4x3 turn = l4x3_transpose((L4x3){P[0].w, P[1].w, P[2].w});
  for (int i = from; i < end; i++) {
    const LaneForce F = lane_force_load(&w->F[i]);
    const L4 g = w->g[i], M = trio_power(&axes, F);
    const L4 Uq = trio_power(&axes, lane_force_load(&w->Uq[i]));
    const L4 Uv = trio_power(&axes, lane_force_load(&w->Uv[i]));
    const L4 q = l4x3_mul_add(turn, g, trio_power(&second, F));
    const L4 v = l4x3_mul_add(axes.w, g, trio_power(&by_v, F));
    double row[5][4];
    l4_store(row[0], M), l4_store(row[1], Uq), l4_store(row[2], Uv);
    l4_store(row[3], q), l4_store(row[4], v);
    const size_t at = (size_t)i * to->nv;
    for (int k = 0; k < num; k++) {
      const size_t c = (size_t)(j + k);
      put_mass(to, i, j + k, row[0][k]);
      to->Tq[c * to->nv + (size_t)i] = row[1][k];
      to->Tv[c * to->nv + (size_t)i] = row[2][k];
      to->Tq[at + c] = row[3][k];
      to->Tv[at + c] = row[4][k];
    }
  }
}

static inline void put_subtree(const SarModel* m, const SarData* d, int b, int end,
                               const SarTreeDerivatives* w, const Target* to) {
  const int first = m->joint_vadr[b], from = first + m->joint_nv[b];
  switch (m->joint_class[b]) {
    case SAR_CLASS_FIXED: break;
    case SAR_CLASS_REVOLUTE: put_axis(w, first, from, end, true, to); break;
    case SAR_CLASS_PRISMATIC: put_axis(w, first, from, end, false, to); break;
    default:
      for (int j = first; j < from; j += 3)
        put_three(d, w, j, from - j < 3 ? from - j : 3, from, end, to);
  }
}

static inline void carry_inwards(const SarData* d, int b, int from, int end,
                                 SarTreeDerivatives* w) {
  const L4x3 R = l4x3_load(&d->body_columns[b]);
  const L4 p = l4_load(&d->body_X_PB[b].p.x);
  for (int i = from; i < end; i++) {
    lane_force_put(&w->F[i], lane_x_force(R, p, lane_force_load(&w->F[i])));
    lane_force_put(&w->Uq[i], lane_x_force(R, p, lane_force_load(&w->Uq[i])));
    lane_force_put(&w->Uv[i], lane_x_force(R, p, lane_force_load(&w->Uv[i])));
    w->g[i] = l4x3_mul(R, w->g[i]);
  }
}

void sar_rnea_derivatives(const SarModel* m, const SarData* d, const double* a,
                          SarTreeDerivatives* w, double* mass, double* Tq, double* Tv) {
  const size_t nv = (size_t)m->nv;
  const Target to = {mass, Tq, Tv, d->mass_row, nv};
  sar_zero(nv * nv, Tq);
  sar_zero(nv * nv, Tv);
  directions(m, d, a, w);
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b], first = m->joint_vadr[b], end = end_of(m, b);
    const Subtree s = subtree_of(m, d, w, b);
    own_forces(m, d, b, &s, w);
    put_own(m, d, b, w, &to);
    put_subtree(m, d, b, end, w, &to);
    if (p < 0) continue;
    hand_up(m, d, w, b, p, &s);
    carry_inwards(d, b, first, end, w);
  }
}
