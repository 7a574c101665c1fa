// Articulated-body inertias: symmetric 6x6 as three 3x3 blocks, 21 numbers.
//
//   [n]   [A  H] [w]
//   [f] = [H' M] [v]      A, M symmetric
//
// Everything is by value and written out, so that a compiler can keep the numbers in registers.
#pragma once
#include "math/spatial.h"

typedef struct Articulated {
  S3 A;
  M3 H;
  S3 M;
} Articulated;

// With its bias force: what bodies hand to their parents.
typedef struct ArticulatedLoad {
  Articulated I;
  Force p;
} ArticulatedLoad;

static inline M3 m3_add(M3 a, M3 b) {
  return (M3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yx + b.yx, a.yy + b.yy,
              a.yz + b.yz, a.zx + b.zx, a.zy + b.zy, a.zz + b.zz};
}

static inline Articulated articulated_add(Articulated a, Articulated b) {
  return (Articulated){s3_add(a.A, b.A), m3_add(a.H, b.H), s3_add(a.M, b.M)};
}

// a rigid body joins:  A + I,  H + h~,  M + m 1
static inline Articulated articulated_add_inertia(Articulated a, Inertia b) {
  const V3 h = b.h;
  M3 H = a.H;
  H.xy -= h.z, H.xz += h.y, H.yx += h.z, H.yz -= h.x, H.zx -= h.y, H.zy += h.x;
  S3 M = a.M;
  M.xx += b.m, M.yy += b.m, M.zz += b.m;
  return (Articulated){s3_add(a.A, b.I), H, M};
}

static inline Force articulated_mul(Articulated a, Motion m) {
  return (Force){m3_mul_add(a.H, m.v, s3_mul_v(a.A, m.w)),
                 v3_add(m3_tmul_v(a.H, m.w), s3_mul_v(a.M, m.v))};
}

// a - F F'
static inline Articulated articulated_sub_square(Articulated a, Force F) {
  const V3 n = F.n, f = F.f;
  return (Articulated){{a.A.xx - n.x * n.x, a.A.xy - n.x * n.y, a.A.xz - n.x * n.z,
                        a.A.yy - n.y * n.y, a.A.yz - n.y * n.z, a.A.zz - n.z * n.z},
                       {a.H.xx - n.x * f.x, a.H.xy - n.x * f.y, a.H.xz - n.x * f.z,
                        a.H.yx - n.y * f.x, a.H.yy - n.y * f.y, a.H.yz - n.y * f.z,
                        a.H.zx - n.z * f.x, a.H.zy - n.z * f.y, a.H.zz - n.z * f.z},
                       {a.M.xx - f.x * f.x, a.M.xy - f.x * f.y, a.M.xz - f.x * f.z,
                        a.M.yy - f.y * f.y, a.M.yz - f.y * f.z, a.M.zz - f.z * f.z}};
}

// Moving the origin by -p (axes kept):  M stays,  H* = H + p~ M,  A* = A + p~ H' - H* p~.
static inline M3 h_shift(V3 p, M3 H, S3 M) {
  return (M3){H.xx + p.y * M.xz - p.z * M.xy, H.xy + p.y * M.yz - p.z * M.yy,
              H.xz + p.y * M.zz - p.z * M.yz, H.yx + p.z * M.xx - p.x * M.xz,
              H.yy + p.z * M.xy - p.x * M.yz, H.yz + p.z * M.xz - p.x * M.zz,
              H.zx + p.x * M.xy - p.y * M.xx, H.zy + p.x * M.yy - p.y * M.xy,
              H.zz + p.x * M.yz - p.y * M.xz};
}

// by rows h_i of H and H_i of H*:  A*_ij = A_ij + (p x h_j)_i + (p x H_i)_j
static inline S3 a_shift(V3 p, S3 A, M3 h, M3 H) {
  return (S3){A.xx + p.y * (h.xz + H.xz) - p.z * (h.xy + H.xy),
              A.xy + p.y * h.yz - p.z * h.yy + p.z * H.xx - p.x * H.xz,
              A.xz + p.y * h.zz - p.z * h.zy + p.x * H.xy - p.y * H.xx,
              A.yy + p.z * (h.yx + H.yx) - p.x * (h.yz + H.yz),
              A.yz + p.z * h.zx - p.x * h.zz + p.x * H.yy - p.y * H.yx,
              A.zz + p.x * (h.zy + H.zy) - p.y * (h.zx + H.zx)};
}

// The same inertia seen from A: rotate the blocks, shift the origin.
static inline Articulated articulated_transform(Xform X_AB, Articulated a) {
  const M3 R = X_AB.R;
  const S3 M = s3_rotate(R, a.M);
  const M3 HR = m3_transpose(m3_mul(R, m3_transpose(a.H)));  // H R'
  const M3 h = m3_mul(R, HR), H = h_shift(X_AB.p, h, M);
  return (Articulated){a_shift(X_AB.p, s3_rotate(R, a.A), h, H), H, M};
}

// R A R' of a matrix whose z row and column are zero
static inline S3 s3_rotate_xy(M3 R, double xx, double xy, double yy) {
  const V3 x = m3_col_x(R), y = m3_col_y(R);
  const V3 a = v3_axpy(xx, x, v3_scale(xy, y)), b = v3_axpy(xy, x, v3_scale(yy, y));
  return (S3){a.x * x.x + b.x * y.x, a.x * x.y + b.x * y.y, a.x * x.z + b.x * y.z,
              a.y * x.y + b.y * y.y, a.y * x.z + b.y * y.z, a.z * x.z + b.z * y.z};
}

// R H R' of a matrix with rows hx, hy and zero
static inline M3 m3_rotate_rows_xy(M3 R, V3 hx, V3 hy) {
  const V3 x = m3_col_x(R), y = m3_col_y(R), a = m3_mul_v(R, hx), b = m3_mul_v(R, hy);
  return (M3){x.x * a.x + y.x * b.x, x.x * a.y + y.x * b.y, x.x * a.z + y.x * b.z,
              x.y * a.x + y.y * b.x, x.y * a.y + y.y * b.y, x.y * a.z + y.y * b.z,
              x.z * a.x + y.z * b.x, x.z * a.y + y.z * b.y, x.z * a.z + y.z * b.z};
}

// R H R' of a matrix with columns hx, hy and zero
static inline M3 m3_rotate_columns_xy(M3 R, V3 hx, V3 hy) {
  return m3_transpose(m3_rotate_rows_xy(R, hx, hy));
}
