// Inertias in lanes: of articulated bodies, symmetric 6x6 as three 3x3 blocks of rows; of rigid
// composites, ten numbers.
//
//   [n]   [A  H] [w]
//   [f] = [H' M] [v]      A, M symmetric
#pragma once
#include "math/lanes.h"
#include "math/spatial.h"

typedef struct Articulated {
  L4x3 A, H, M;  // rows
} Articulated;

typedef struct LaneForce {
  L4 n, f;
} LaneForce;

typedef struct LaneMotion {
  L4 w, v;
} LaneMotion;

// With its bias force: what bodies hand to their parents.
typedef struct ArticulatedLoad {
  Articulated I;
  LaneForce p;
} ArticulatedLoad;

LANES_INLINE LaneMotion lane_motion(const Motion* m) {
  return (LaneMotion){l4_load(&m->w.x), l4_load(&m->v.x)};
}
LANES_INLINE LaneMotion lane_motion_of(Motion m) { return (LaneMotion){l4_of(m.w), l4_of(m.v)}; }
LANES_INLINE LaneMotion lane_motion_zero(void) { return (LaneMotion){l4_zero(), l4_zero()}; }
LANES_INLINE LaneForce lane_force(const Force* F) {
  return (LaneForce){l4_load(&F->n.x), l4_load(&F->f.x)};
}
// The fourth lane of w falls on v, which is written after it.
LANES_INLINE void lane_motion_store(Motion* to, LaneMotion m) {
  l4_store(&to->w.x, m.w);
  l4_store3(&to->v.x, m.v);
}
LANES_INLINE void lane_force_store(Force* to, LaneForce F) {
  l4_store(&to->n.x, F.n);
  l4_store3(&to->f.x, F.f);
}
LANES_INLINE LaneForce lane_force_load(const LaneForce* from) {
  return (LaneForce){from->n, from->f};
}
LANES_INLINE void lane_force_put(LaneForce* to, LaneForce F) { to->n = F.n, to->f = F.f; }
LANES_INLINE LaneForce lane_force_add(LaneForce a, LaneForce b) {
  return (LaneForce){l4_add(a.n, b.n), l4_add(a.f, b.f)};
}
LANES_INLINE LaneForce lane_force_axpy(double s, LaneForce a, LaneForce b) {  // b + s a
  return (LaneForce){l4_axpy(s, a.n, b.n), l4_axpy(s, a.f, b.f)};
}
LANES_INLINE LaneForce lane_force_scale(double s, LaneForce a) {
  return (LaneForce){l4_scale(s, a.n), l4_scale(s, a.f)};
}
LANES_INLINE LaneMotion lane_motion_add(LaneMotion a, LaneMotion b) {
  return (LaneMotion){l4_add(a.w, b.w), l4_add(a.v, b.v)};
}
LANES_INLINE LaneMotion lane_motion_sub(LaneMotion a, LaneMotion b) {
  return (LaneMotion){l4_sub(a.w, b.w), l4_sub(a.v, b.v)};
}
LANES_INLINE LaneMotion lane_crossm(LaneMotion a, LaneMotion b) {  // spatial a x b
  return (LaneMotion){l4_cross(a.w, b.w), l4_add_cross(l4_cross(a.w, b.v), a.v, b.w)};
}
LANES_INLINE LaneMotion lane_motion_axpy(double s, LaneMotion a, LaneMotion b) {  // b + s a
  return (LaneMotion){l4_axpy(s, a.w, b.w), l4_axpy(s, a.v, b.v)};
}
LANES_INLINE double lane_power(LaneMotion m, LaneForce F) {
  return l4_sum(l4_mul_add(m.v, F.f, l4_mul(m.w, F.n)));
}

// child -> parent: columns of R_PB;  n = R n + p x f,  f = R f
LANES_INLINE LaneForce lane_x_force(L4x3 columns, L4 p, LaneForce b) {
  const L4 f = l4x3_mul(columns, b.f);
  return (LaneForce){l4x3_mul_add(columns, b.n, l4_cross(p, f)), f};
}
// parent -> child: rows of R_PB;  w = R'w,  v = R'(v - p x w)
LANES_INLINE LaneMotion lane_x_motion_inv(L4x3 rows, L4 p, LaneMotion a) {
  return (LaneMotion){l4x3_mul(rows, a.w), l4x3_mul(rows, l4_sub_cross(a.v, p, a.w))};
}

LANES_INLINE void articulated_store(ArticulatedLoad* to, Articulated I, LaneForce p) {
  l4x3_store(&to->I.A, I.A);
  l4x3_store(&to->I.H, I.H);
  l4x3_store(&to->I.M, I.M);
  to->p.n = p.n;
  to->p.f = p.f;
}
LANES_INLINE void articulated_accumulate(ArticulatedLoad* to, Articulated I, LaneForce p) {
  l4x3_store(&to->I.A, l4x3_add(l4x3_load(&to->I.A), I.A));
  l4x3_store(&to->I.H, l4x3_add(l4x3_load(&to->I.H), I.H));
  l4x3_store(&to->I.M, l4x3_add(l4x3_load(&to->I.M), I.M));
  to->p.n = l4_add(to->p.n, p.n);
  to->p.f = l4_add(to->p.f, p.f);
}

// rows of I:  xx xy xz | xy yy yz | xz yz zz, of the six numbers that are stored
LANES_INLINE L4x3 inertia_rows(const Inertia* b) {
  const double* I = &b->I.xx;
  return (L4x3){l4_load(I), l4_023(l4_load(I + 1)), l4_023(l4_load(I + 2))};
}

// a rigid body joins:  A + I,  H + h~,  M + m 1
LANES_INLINE Articulated articulated_add_inertia(const Articulated* a, const Inertia* b) {
  const L4 h = l4_load(&b->h.x), m = l4_all(b->m);
  // h~ = 0 -z y | z 0 -x | -y x 0
  const L4x3 H = {l4_mul_add(l4_xzy(h), l4(0, -1, 1), a->H.x),
                  l4_mul_add(l4_zyx(h), l4(1, 0, -1), a->H.y),
                  l4_mul_add(l4_yxz(h), l4(-1, 1, 0), a->H.z)};
  const L4x3 M = {l4_mul_add(m, l4(1, 0, 0), a->M.x), l4_mul_add(m, l4(0, 1, 0), a->M.y),
                  l4_mul_add(m, l4(0, 0, 1), a->M.z)};
  return (Articulated){l4x3_add(l4x3_load(&a->A), inertia_rows(b)), H, M};
}

LANES_INLINE LaneForce articulated_mul(Articulated a, LaneMotion m) {
  return (LaneForce){l4x3_mul_add(l4x3_transpose(a.H), m.v, l4x3_mul(a.A, m.w)),
                     l4x3_mul_add(a.H, m.w, l4x3_mul(a.M, m.v))};
}

// rows - a b'
LANES_INLINE L4x3 l4x3_sub_outer(L4x3 rows, L4 a, L4 b) {
  return (L4x3){l4_axmy(l4_x(a), b, rows.x), l4_axmy(l4_y(a), b, rows.y),
                l4_axmy(l4_z(a), b, rows.z)};
}

// a - F G' for parallel F and G
LANES_INLINE Articulated articulated_sub_outer(Articulated a, LaneForce F, LaneForce G) {
  return (Articulated){l4x3_sub_outer(a.A, F.n, G.n), l4x3_sub_outer(a.H, F.n, G.f),
                       l4x3_sub_outer(a.M, F.f, G.f)};
}

// R S R' of a symmetric S:  T = R S by columns, then T R', whose columns are its rows. rows and
// columns: those of R.
LANES_INLINE L4x3 l4x3_rotate_symmetric(const M3* R, L4x3 columns, L4x3 S) {
  const L4x3 T = {l4x3_mul(columns, S.x), l4x3_mul(columns, S.y), l4x3_mul(columns, S.z)};
  return (L4x3){l4_axpy(R->xz, T.z, l4_axpy(R->xy, T.y, l4_scale(R->xx, T.x))),
                l4_axpy(R->yz, T.z, l4_axpy(R->yy, T.y, l4_scale(R->yx, T.x))),
                l4_axpy(R->zz, T.z, l4_axpy(R->zy, T.y, l4_scale(R->zx, T.x)))};
}

// R K, for the first two rows of K; the third is zero
LANES_INLINE L4x3 l4x3_rotate_two_rows(const M3* R, L4 a, L4 b) {
  return (L4x3){l4_axpy(R->xy, b, l4_scale(R->xx, a)), l4_axpy(R->yy, b, l4_scale(R->yx, a)),
                l4_axpy(R->zy, b, l4_scale(R->zx, a))};
}

// rows of p~ M, for rows of M
LANES_INLINE L4x3 l4x3_tilde_mul(L4 p, L4x3 M) {
  const double x = l4_x(p), y = l4_y(p), z = l4_z(p);
  return (L4x3){l4_axmy(z, M.y, l4_scale(y, M.z)), l4_axmy(x, M.z, l4_scale(z, M.x)),
                l4_axmy(y, M.x, l4_scale(x, M.y))};
}

// Moving the origin by -p (axes kept):  M stays,  H* = H + K,  A* = A + Q + Q',
//   K = p~ M,  Q = -(H + K/2) p~:  rows p x (h_i + k_i / 2)
LANES_INLINE Articulated articulated_shift(L4 p, Articulated a) {
  const L4x3 K = l4x3_tilde_mul(p, a.M);
  const L4x3 Q = {l4_cross(p, l4_axpy(0.5, K.x, a.H.x)), l4_cross(p, l4_axpy(0.5, K.y, a.H.y)),
                  l4_cross(p, l4_axpy(0.5, K.z, a.H.z))};
  return (Articulated){l4x3_add(l4x3_add(a.A, Q), l4x3_transpose(Q)), l4x3_add(a.H, K), a.M};
}

// The same inertia seen from the parent: rotate the blocks, shift the origin.
LANES_INLINE Articulated articulated_transform(const Xform* X, L4x3 columns, Articulated a) {
  // rows of H R' are R h_i
  const L4x3 HR = {l4x3_mul(columns, a.H.x), l4x3_mul(columns, a.H.y), l4x3_mul(columns, a.H.z)};
  const M3* R = &X->R;
  const L4x3 H = {l4_axpy(R->xz, HR.z, l4_axpy(R->xy, HR.y, l4_scale(R->xx, HR.x))),
                  l4_axpy(R->yz, HR.z, l4_axpy(R->yy, HR.y, l4_scale(R->yx, HR.x))),
                  l4_axpy(R->zz, HR.z, l4_axpy(R->zy, HR.y, l4_scale(R->zx, HR.x)))};
  return articulated_shift(l4_load(&X->p.x),
                           (Articulated){l4x3_rotate_symmetric(R, columns, a.A), H,
                                         l4x3_rotate_symmetric(R, columns, a.M)});
}

// Several bodies frozen to one: mass m, h = m c, rows of I about the origin.
typedef struct Composite {
  L4x3 I;
  L4 h;
  double m;
} Composite;

LANES_INLINE Composite composite_load(const Composite* from) {
  return (Composite){l4x3_load(&from->I), from->h, from->m};
}
LANES_INLINE void composite_store(Composite* to, Composite c) {
  l4x3_store(&to->I, c.I);
  to->h = c.h;
  to->m = c.m;
}
LANES_INLINE Composite composite_add(Composite a, Composite b) {
  return (Composite){l4x3_add(a.I, b.I), l4_add(a.h, b.h), a.m + b.m};
}
LANES_INLINE LaneForce composite_mul(Composite c, LaneMotion m) {
  return (LaneForce){l4_add_cross(l4x3_mul(c.I, m.w), c.h, m.v),
                     l4_sub_cross(l4_scale(c.m, m.v), c.h, m.w)};
}
// The same seen from the parent. With g = R h + m p / 2:  h* = R h + m p,
//   I* = R I R' + 2 (g.p) 1 - p g' - g p'
LANES_INLINE Composite composite_transform(const Xform* X, L4x3 columns, Composite c) {
  const L4 p = l4_load(&X->p.x), h = l4x3_mul(columns, c.h), g = l4_axpy(0.5 * c.m, p, h);
  const double twice = 2 * l4_sum(l4_mul(g, p));
  L4x3 I = l4x3_rotate_symmetric(&X->R, columns, c.I);
  I = (L4x3){l4_axpy(twice, l4(1, 0, 0), I.x), l4_axpy(twice, l4(0, 1, 0), I.y),
             l4_axpy(twice, l4(0, 0, 1), I.z)};
  return (Composite){l4x3_sub_outer(l4x3_sub_outer(I, p, g), g, p), l4_axpy(c.m, p, h), c.m};
}
