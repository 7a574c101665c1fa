// Analytical first derivatives of the recursive Newton-Euler algorithm, O(n depth), in body frames.
//
// Sources: Carpentier and Mansard, Analytical derivatives of rigid body dynamics algorithms, RSS
// 2018; Singh, Russo and Wensing, Efficient analytical derivatives of rigid-body dynamics using
// spatial vector algebra, IEEE RA-L 7, 2022.
//
// A small displacement (or velocity) of coordinate j of body b changes velocity and acceleration of
// every body c of its subtree by
//
//   V_c' = P,   A_c' = PP + P x V_c                           P, PP constant over the subtree
//   q:  P = (X V_P) x S + S' v,   PP = A_b' + V_b x P         S': change of the joint's axes
//   v:  P = S,                    PP = A_b' + V_b x S
//
// and the force of the subtree, with composite inertia I and composite 2B = dI/dt + (h, p of the
// motion) x*, by
//
//   U = I PP + 2B P,     2B P = (D P.w + P.w x l, -2 p x P.w)
//
// dI/dt has the form of an inertia without mass: h' = p (linear momentum), I' = D; l is the angular
// momentum. So for i in the subtree of j (ancestor):  d tau_j = S_j . (U_i + S_i x* F_i),  d tau_i
// = F_i . PP_j + g_i . P_j.w with F_i = I S_i (which is also column i of M) and g_i = (2B)' S_i. F,
// g, U go inwards together, subtree by subtree, as in crba.c.
#include "dynamics/tree_derivatives.h"

#include "base/block.h"
#include "dynamics/variation.h"

enum { NV = SAR_JOINT_MAX_NV };

// ---- memory -------------------------------------------------------------------------------------

void sar_tree_derivatives_init(const SarModel* m, SarTreeDerivatives* w, SarBlock* b) {
  const size_t nv = (size_t)m->nv;
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
  sar_mass_columns_init(m, &w->columns, b);
}

static int end_of(const SarModel* m, int b) {
  const int after = b + m->body_subtree[b];
  return after < m->nbody ? m->joint_vadr[after] : m->nv;
}

// ---- inwards ------------------------------------------------------------------------------------

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

// One axis, z, along or about which everything but I PP is a column: F = I S, g = (2B)' S, U of q
// and v.
LANES_INLINE void own_forces_of_axis(int i, const Subtree* s, const bool turns,
                                     SarTreeDerivatives* w) {
  const L4 z = l4(0, 0, 1), p2 = l4_scale(2, s->rate.h);
  const LaneMotion P = w->P[i], PP = w->PP[i];
  const LaneForce half = composite_mul(s->I, P);  // PPv = 2 P
  LaneForce U = {l4_add(half.n, half.n), l4_add(half.f, half.f)};
  if (turns) {
    const L4 turned = l4_cross_z(s->l);  // l x z
    lane_force_put(&w->F[i], (LaneForce){s->I.I.z, l4_sub(l4_zero(), l4_cross_z(s->I.h))});
    w->g[i] = l4_add(s->rate.I.z, turned);
    U.n = l4_add(U.n, l4_sub(s->rate.I.z, turned));
    U.f = l4_sub(U.f, l4_cross_z(p2));
  } else {
    lane_force_put(&w->F[i], (LaneForce){l4_cross_z(s->I.h), l4_scale(s->I.m, z)});
    w->g[i] = l4_cross_z(p2);
  }
  lane_force_put(&w->Uv[i], U);
  lane_force_put(&w->Uq[i], lane_force_add(composite_mul(s->I, PP), rate_mul(s, P.w)));
}

static inline void own_forces(const SarModel* m, const SarData* d, int b, const Subtree* s,
                              SarTreeDerivatives* w) {
  const int first = m->joint_vadr[b];
  switch (m->joint_class[b]) {
    case SAR_CLASS_FIXED: return;
    case SAR_CLASS_REVOLUTE: own_forces_of_axis(first, s, true, w); return;
    case SAR_CLASS_PRISMATIC: own_forces_of_axis(first, s, false, w); return;
    default: break;
  }
  for (int i = first; i < first + m->joint_nv[b]; i++) {
    const LaneMotion S = lane_motion(&d->dof_S[i]);
    lane_force_put(&w->F[i], composite_mul(s->I, S));
    w->g[i] = rate_mul_t(s, S);
    lane_force_put(&w->Uq[i],
                   lane_force_add(composite_mul(s->I, w->PP[i]), rate_mul(s, w->P[i].w)));
    lane_force_put(&w->Uv[i], lane_force_add(composite_mul(s->I, w->PPv[i]), rate_mul(s, S.w)));
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

// Up to three coordinates from j on, before `end`; the last one stands in for those that are not
// there.
LANES_INLINE Trio axes_from(const SarData* d, int j, int end) {
  const int last = end - 1;
  return trio_of(lane_motion(&d->dof_S[j]), lane_motion(&d->dof_S[j + 1 < last ? j + 1 : last]),
                 lane_motion(&d->dof_S[j + 2 < last ? j + 2 : last]));
}

// What the force of the joint does along axes that turn: S_i' . F for displacements of coordinate
// j.
static inline void add_turned_axes(const SarModel* m, const SarData* d, int b, int j,
                                   const Target* to) {
  const int first = m->joint_vadr[b], nv = m->joint_nv[b];
  const LaneForce F = lane_force_load(&d->body_force[b]);
  double unit[NV] = {0};
  Motion dS[NV];
  unit[j - first] = 1;
  sar_vary_axes(m, d, b, unit, dS);
  for (int i = 0; i < nv; i++)
    to->Tq[(size_t)(first + i) * to->nv + (size_t)j] += lane_power(lane_motion_of(dS[i]), F);
}

// Entries among the joint's own coordinates: S_i . U_j + S_i' . F; then what goes on inwards turns
// with the joint.
static inline void put_own_general(const SarModel* m, const SarData* d, int b,
                                   SarTreeDerivatives* w, const Target* to) {
  const int first = m->joint_vadr[b], end = first + m->joint_nv[b];
  for (int i = first; i < end; i += 3) {
    const Trio axes = axes_from(d, i, end);
    for (int j = first; j < end; j++) {
      double row[3][4];
      l4_store(row[0], trio_power(&axes, lane_force_load(&w->F[j])));
      l4_store(row[1], trio_power(&axes, lane_force_load(&w->Uq[j])));
      l4_store(row[2], trio_power(&axes, lane_force_load(&w->Uv[j])));
      for (int k = 0; k < 3 && i + k < end; k++) {
        const size_t at = (size_t)(i + k) * to->nv + (size_t)j;
        if (j <= i + k) put_mass(to, i + k, j, row[0][k]);
        to->Tq[at] = row[1][k];
        to->Tv[at] = row[2][k];
      }
    }
  }
  const LaneForce F = lane_force_load(&d->body_force[b]);
  for (int j = first; j < end; j++) {
    const LaneMotion S = lane_motion(&d->dof_S[j]);
    const LaneForce U = lane_force_load(&w->Uq[j]);
    const L4 n = l4_add_cross(l4_add_cross(U.n, S.w, F.n), S.v, F.f);
    if (m->joint_kind[b]->slope) add_turned_axes(m, d, b, j, to);
    to->mass[to->row[j]] += m->dof_armature[j];
    lane_force_put(&w->Uq[j], (LaneForce){n, l4_add_cross(U.f, S.w, F.f)});
  }
}

// The same for one axis, z: what the joint carries turns with it, z x F.
LANES_INLINE void put_own_axis(const SarModel* m, const SarData* d, int b, const bool turns,
                               SarTreeDerivatives* w, const Target* to) {
  const int j = m->joint_vadr[b];
  const size_t at = (size_t)j * (to->nv + 1);
  const LaneForce F = lane_force_load(&d->body_force[b]), U = lane_force_load(&w->Uq[j]);
  to->Tq[at] = l4_z(turns ? U.n : U.f);
  to->Tv[at] = l4_z(turns ? w->Uv[j].n : w->Uv[j].f);
  to->mass[to->row[j]] = l4_z(turns ? w->F[j].n : w->F[j].f) + m->dof_armature[j];
  if (turns)
    lane_force_put(&w->Uq[j],
                   (LaneForce){l4_sub(U.n, l4_cross_z(F.n)), l4_sub(U.f, l4_cross_z(F.f))});
  else
    lane_force_put(&w->Uq[j], (LaneForce){l4_sub(U.n, l4_cross_z(F.f)), U.f});
}

static inline void put_own(const SarModel* m, const SarData* d, int b, SarTreeDerivatives* w,
                           const Target* to) {
  switch (m->joint_class[b]) {
    case SAR_CLASS_FIXED: break;
    case SAR_CLASS_REVOLUTE: put_own_axis(m, d, b, true, w, to); break;
    case SAR_CLASS_PRISMATIC: put_own_axis(m, d, b, false, w, to); break;
    default: put_own_general(m, d, b, w, to);
  }
}

// F, Uq, Uv, g of coordinate i, from body b to its parent.
LANES_INLINE void carry(L4x3 R, L4 p, int i, SarTreeDerivatives* w) {
  lane_force_put(&w->F[i], lane_x_force(R, p, lane_force_load(&w->F[i])));
  lane_force_put(&w->Uq[i], lane_x_force(R, p, lane_force_load(&w->Uq[i])));
  lane_force_put(&w->Uv[i], lane_x_force(R, p, lane_force_load(&w->Uv[i])));
  w->g[i] = l4x3_mul(R, w->g[i]);
}

// One axis: entries of its coordinate with those of the subtree beyond, which are carried inwards
// on the way; a body without a parent has nowhere to.
LANES_INLINE void pass_axis(const SarModel* m, const SarData* d, int b, int end, const bool turns,
                            SarTreeDerivatives* w, const Target* to) {
  const int j = m->joint_vadr[b];
  const bool carries = m->body_parent[b] >= 0;
  const LaneMotion P = w->P[j], PP = w->PP[j];
  const L4x3 R = l4x3_load(&d->body_columns[b]);
  const L4 p = l4_load(&d->body_X_PB[b].p.x);
  double *Tq = &to->Tq[(size_t)j * to->nv], *Tv = &to->Tv[(size_t)j * to->nv];
  if (carries) carry(R, p, j, w);
  for (int i = j + 1; i < end; i++) {
    const LaneForce F = lane_force_load(&w->F[i]);
    const L4 g = w->g[i];
    const size_t at = (size_t)i * to->nv + (size_t)j;
    put_mass(to, i, j, l4_z(turns ? F.n : F.f));
    Tq[i] = l4_z(turns ? w->Uq[i].n : w->Uq[i].f);
    Tv[i] = l4_z(turns ? w->Uv[i].n : w->Uv[i].f);
    to->Tq[at] = l4_sum(l4_mul_add(g, P.w, l4_mul_add(F.n, PP.w, l4_mul(F.f, PP.v))));
    to->Tv[at] = 2 * lane_power(P, F) + (turns ? l4_z(g) : 0);
    if (carries) carry(R, p, i, w);
  }
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
    const size_t at = (size_t)i * to->nv + (size_t)j;
    double row[5][4];
    l4_store(row[0], M), l4_store(row[1], Uq), l4_store(row[2], Uv);
    if (num == 3) {
      l4_store3(&to->Tq[at], q), l4_store3(&to->Tv[at], v);
    } else {
      l4_store(row[3], q), l4_store(row[4], v);
      for (int k = 0; k < num; k++) to->Tq[at + (size_t)k] = row[3][k];
      for (int k = 0; k < num; k++) to->Tv[at + (size_t)k] = row[4][k];
    }
    for (int k = 0; k < num; k++) {
      const size_t c = (size_t)(j + k);
      put_mass(to, i, j + k, row[0][k]);
      to->Tq[c * to->nv + (size_t)i] = row[1][k];
      to->Tv[c * to->nv + (size_t)i] = row[2][k];
    }
  }
}

static inline void pass_general(const SarModel* m, const SarData* d, int b, int end,
                                SarTreeDerivatives* w, const Target* to) {
  const int first = m->joint_vadr[b], from = first + m->joint_nv[b];
  const L4x3 R = l4x3_load(&d->body_columns[b]);
  const L4 p = l4_load(&d->body_X_PB[b].p.x);
  for (int j = first; j < from; j += 3)
    put_three(d, w, j, from - j < 3 ? from - j : 3, from, end, to);
  for (int i = first; m->body_parent[b] >= 0 && i < end; i++) carry(R, p, i, w);
}

static inline void pass_inwards(const SarModel* m, const SarData* d, int b, SarTreeDerivatives* w,
                                const Target* to) {
  const int end = end_of(m, b);
  switch (m->joint_class[b]) {
    case SAR_CLASS_REVOLUTE: pass_axis(m, d, b, end, true, w, to); break;
    case SAR_CLASS_PRISMATIC: pass_axis(m, d, b, end, false, w, to); break;
    default: pass_general(m, d, b, end, w, to);
  }
}

void sar_rnea_derivatives(const SarModel* m, const SarData* d, const double* a,
                          SarTreeDerivatives* w, double* mass, double* Tq, double* Tv) {
  const size_t nv = (size_t)m->nv;
  const Target to = {mass, Tq, Tv, d->mass_row, nv};
  sar_zero(nv * nv, Tq);
  sar_zero(nv * nv, Tv);
  sar_tree_directions(m, d, a, w);
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b];
    const Subtree s = subtree_of(m, d, w, b);
    own_forces(m, d, b, &s, w);
    put_own(m, d, b, w, &to);
    pass_inwards(m, d, b, w, &to);
    if (p >= 0) hand_up(m, d, w, b, p, &s);
  }
}
