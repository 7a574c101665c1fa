// Articulated-body inertias: symmetric 6x6 as three 3x3 blocks, 21 numbers.
//
//   [n]   [A  H] [w]
//   [f] = [H' M] [v]      A, M symmetric
//
// Everything is by value and written out, so that a compiler keeps the numbers in registers.
#pragma once
#include "math/spatial.h"

typedef struct Articulated {
  S3 A;
  M3 H;
  S3 M;
} Articulated;

static inline Articulated articulated_of(Inertia b) {
  V3 h = b.h;
  return (Articulated){b.I, {0, -h.z, h.y, h.z, 0, -h.x, -h.y, h.x, 0}, {b.m, 0, 0, b.m, 0, b.m}};
}

// children's share plus the body's own inertia
static inline Articulated articulated_add_inertia(Articulated a, Inertia b) {
  V3 h = b.h;
  M3 H = a.H;
  H.xy -= h.z, H.xz += h.y, H.yx += h.z, H.yz -= h.x, H.zx -= h.y, H.zy += h.x;
  S3 M = a.M;
  M.xx += b.m, M.yy += b.m, M.zz += b.m;
  return (Articulated){s3_add(a.A, b.I), H, M};
}

static inline M3 m3_add(M3 a, M3 b) {
  return (M3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yx + b.yx, a.yy + b.yy,
              a.yz + b.yz, a.zx + b.zx, a.zy + b.zy, a.zz + b.zz};
}

static inline Articulated articulated_add(Articulated a, Articulated b) {
  return (Articulated){s3_add(a.A, b.A), m3_add(a.H, b.H), s3_add(a.M, b.M)};
}

static inline Force articulated_mul(Articulated a, Motion m) {
  return (Force){v3_add(s3_mul_v(a.A, m.w), m3_mul_v(a.H, m.v)),
                 v3_add(m3_tmul_v(a.H, m.w), s3_mul_v(a.M, m.v))};
}

// a - F F'
static inline Articulated articulated_sub_square(Articulated a, Force F) {
  V3 n = F.n, f = F.f;
  return (Articulated){{a.A.xx - n.x * n.x, a.A.xy - n.x * n.y, a.A.xz - n.x * n.z,
                        a.A.yy - n.y * n.y, a.A.yz - n.y * n.z, a.A.zz - n.z * n.z},
                       {a.H.xx - n.x * f.x, a.H.xy - n.x * f.y, a.H.xz - n.x * f.z,
                        a.H.yx - n.y * f.x, a.H.yy - n.y * f.y, a.H.yz - n.y * f.z,
                        a.H.zx - n.z * f.x, a.H.zy - n.z * f.y, a.H.zz - n.z * f.z},
                       {a.M.xx - f.x * f.x, a.M.xy - f.x * f.y, a.M.xz - f.x * f.z,
                        a.M.yy - f.y * f.y, a.M.yz - f.y * f.z, a.M.zz - f.z * f.z}};
}

// The origin moved by -p (axes kept):  M as it was,  H* = H + p~ M,  A* = A + p~ H' - H* p~.
// By rows r_i of H and r*_i of H*:  A*_ij = A_ij + (p x r_j)_i + (p x r*_i)_j.
static inline Articulated articulated_shift(V3 p, Articulated a) {
  S3 A = a.A, M = a.M;
  M3 h = a.H, H;
  H.xx = h.xx + (p.y * M.xz - p.z * M.xy);
  H.xy = h.xy + (p.y * M.yz - p.z * M.yy);
  H.xz = h.xz + (p.y * M.zz - p.z * M.yz);
  H.yx = h.yx + (p.z * M.xx - p.x * M.xz);
  H.yy = h.yy + (p.z * M.xy - p.x * M.yz);
  H.yz = h.yz + (p.z * M.xz - p.x * M.zz);
  H.zx = h.zx + (p.x * M.xy - p.y * M.xx);
  H.zy = h.zy + (p.x * M.yy - p.y * M.xy);
  H.zz = h.zz + (p.x * M.yz - p.y * M.xz);
  A.xx += (p.y * h.xz - p.z * h.xy) + (p.y * H.xz - p.z * H.xy);
  A.xy += (p.y * h.yz - p.z * h.yy) + (p.z * H.xx - p.x * H.xz);
  A.xz += (p.y * h.zz - p.z * h.zy) + (p.x * H.xy - p.y * H.xx);
  A.yy += (p.z * h.yx - p.x * h.yz) + (p.z * H.yx - p.x * H.yz);
  A.yz += (p.z * h.zx - p.x * h.zz) + (p.x * H.yy - p.y * H.yx);
  A.zz += (p.x * h.zy - p.y * h.zx) + (p.x * H.zy - p.y * H.zx);
  return (Articulated){A, H, M};
}

// The same inertia seen from A: rotate the blocks, shift the origin.
static inline Articulated articulated_transform(Xform X_AB, Articulated a) {
  M3 R = X_AB.R;
  M3 HR = m3_transpose(m3_mul(R, m3_transpose(a.H)));  // H R'
  Articulated turned = {s3_rotate(R, a.A), m3_mul(R, HR), s3_rotate(R, a.M)};
  return articulated_shift(X_AB.p, turned);
}

// R A R' of a matrix whose z row and column are zero
static inline S3 s3_rotate_xy(M3 R, double xx, double xy, double yy) {
  V3 x = m3_col_x(R), y = m3_col_y(R);
  V3 a = v3_axpy(xx, x, v3_scale(xy, y)), b = v3_axpy(xy, x, v3_scale(yy, y));
  return (S3){a.x * x.x + b.x * y.x, a.x * x.y + b.x * y.y, a.x * x.z + b.x * y.z,
              a.y * x.y + b.y * y.y, a.y * x.z + b.y * y.z, a.z * x.z + b.z * y.z};
}

// The same for an inertia that feels no rotation about z (after a revolute joint): z row and column
// of A, z row of H are zero and are not read.
static inline Articulated articulated_transform_revolute(Xform X_AB, Articulated a) {
  M3 R = X_AB.R;
  V3 x = m3_col_x(R), y = m3_col_y(R);
  // rows of H R', then R (H R')
  V3 hx = m3_mul_v(R, v3(a.H.xx, a.H.xy, a.H.xz)), hy = m3_mul_v(R, v3(a.H.yx, a.H.yy, a.H.yz));
  M3 H = {x.x * hx.x + y.x * hy.x, x.x * hx.y + y.x * hy.y, x.x * hx.z + y.x * hy.z,
          x.y * hx.x + y.y * hy.x, x.y * hx.y + y.y * hy.y, x.y * hx.z + y.y * hy.z,
          x.z * hx.x + y.z * hy.x, x.z * hx.y + y.z * hy.y, x.z * hx.z + y.z * hy.z};
  Articulated turned = {s3_rotate_xy(R, a.A.xx, a.A.xy, a.A.yy), H, s3_rotate(R, a.M)};
  return articulated_shift(X_AB.p, turned);
}

// The same for one that feels no translation along z (after a prismatic joint): z column of H, z row
// and column of M are zero and are not read.
static inline Articulated articulated_transform_prismatic(Xform X_AB, Articulated a) {
  M3 R = X_AB.R;
  V3 x = m3_col_x(R), y = m3_col_y(R);
  // columns of R H, then (R H) R'
  V3 hx = m3_mul_v(R, v3(a.H.xx, a.H.yx, a.H.zx)), hy = m3_mul_v(R, v3(a.H.xy, a.H.yy, a.H.zy));
  M3 H = {hx.x * x.x + hy.x * y.x, hx.x * x.y + hy.x * y.y, hx.x * x.z + hy.x * y.z,
          hx.y * x.x + hy.y * y.x, hx.y * x.y + hy.y * y.y, hx.y * x.z + hy.y * y.z,
          hx.z * x.x + hy.z * y.x, hx.z * x.y + hy.z * y.y, hx.z * x.z + hy.z * y.z};
  Articulated turned = {s3_rotate(R, a.A), H, s3_rotate_xy(R, a.M.xx, a.M.xy, a.M.yy)};
  return articulated_shift(X_AB.p, turned);
}
