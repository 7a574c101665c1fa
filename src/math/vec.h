// Vectors, 3x3 matrices and quaternions by value. All static inline: short names cannot clash at
// link time.
#pragma once
#include <math.h>
#include <stdbool.h>

typedef struct V3 {
  double x, y, z;
} V3;

typedef struct M3 {  // row by row
  double xx, xy, xz, yx, yy, yz, zx, zy, zz;
} M3;

typedef struct S3 {  // symmetric 3x3
  double xx, xy, xz, yy, yz, zz;
} S3;

typedef struct Quat {
  double w, x, y, z;
} Quat;

static inline V3 v3(double x, double y, double z) { return (V3){x, y, z}; }
static inline V3 v3_zero(void) { return (V3){0, 0, 0}; }
static inline bool v3_is_zero(V3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }
static inline V3 v3_load(const double* p) { return (V3){p[0], p[1], p[2]}; }
static inline void v3_store(double* p, V3 a) { p[0] = a.x, p[1] = a.y, p[2] = a.z; }
static inline V3 v3_add(V3 a, V3 b) { return (V3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline V3 v3_sub(V3 a, V3 b) { return (V3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline V3 v3_neg(V3 a) { return (V3){-a.x, -a.y, -a.z}; }
static inline V3 v3_scale(double s, V3 a) { return (V3){s * a.x, s * a.y, s * a.z}; }
static inline V3 v3_axpy(double s, V3 a, V3 b) {  // s a + b
  return (V3){s * a.x + b.x, s * a.y + b.y, s * a.z + b.z};
}
static inline double v3_dot(V3 a, V3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline V3 v3_cross(V3 a, V3 b) {
  return (V3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// a + b x c and a - b x c: two chained terms a component, each one fused instruction where there
// are such
static inline V3 v3_add_cross(V3 a, V3 b, V3 c) {
  return (V3){a.x + b.y * c.z - b.z * c.y, a.y + b.z * c.x - b.x * c.z,
              a.z + b.x * c.y - b.y * c.x};
}
static inline V3 v3_sub_cross(V3 a, V3 b, V3 c) {
  return (V3){a.x - b.y * c.z + b.z * c.y, a.y - b.z * c.x + b.x * c.z,
              a.z - b.x * c.y + b.y * c.x};
}
static inline double v3_norm(V3 a) { return sqrt(v3_dot(a, a)); }
static inline V3 v3_unit(V3 a) { return v3_scale(1 / v3_norm(a), a); }
// Any unit vector perpendicular to the unit vector a; depends on a alone.
static inline V3 v3_perp(V3 a) {
  double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
  V3 e = x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1);
  return v3_unit(v3_cross(a, e));
}

static inline M3 m3_identity(void) { return (M3){1, 0, 0, 0, 1, 0, 0, 0, 1}; }
static inline V3 m3_mul_v(M3 A, V3 b) {
  return (V3){A.xx * b.x + A.xy * b.y + A.xz * b.z, A.yx * b.x + A.yy * b.y + A.yz * b.z,
              A.zx * b.x + A.zy * b.y + A.zz * b.z};
}
static inline V3 m3_tmul_v(M3 A, V3 b) {  // A' b
  return (V3){A.xx * b.x + A.yx * b.y + A.zx * b.z, A.xy * b.x + A.yy * b.y + A.zy * b.z,
              A.xz * b.x + A.yz * b.y + A.zz * b.z};
}
static inline V3 m3_mul_add(M3 A, V3 b, V3 c) {  // A b + c
  return (V3){c.x + A.xx * b.x + A.xy * b.y + A.xz * b.z,
              c.y + A.yx * b.x + A.yy * b.y + A.yz * b.z,
              c.z + A.zx * b.x + A.zy * b.y + A.zz * b.z};
}
static inline V3 m3_col_x(M3 A) { return (V3){A.xx, A.yx, A.zx}; }
static inline V3 m3_col_y(M3 A) { return (V3){A.xy, A.yy, A.zy}; }
static inline V3 m3_col_z(M3 A) { return (V3){A.xz, A.yz, A.zz}; }
static inline M3 m3_from_cols(V3 x, V3 y, V3 z) {
  return (M3){x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}
static inline M3 m3_transpose(M3 A) {
  return (M3){A.xx, A.yx, A.zx, A.xy, A.yy, A.zy, A.xz, A.yz, A.zz};
}
static inline M3 m3_mul(M3 A, M3 B) {
  return m3_from_cols(m3_mul_v(A, m3_col_x(B)), m3_mul_v(A, m3_col_y(B)), m3_mul_v(A, m3_col_z(B)));
}
static inline M3 m3_tmul(M3 A, M3 B) {  // A' B
  return m3_from_cols(m3_tmul_v(A, m3_col_x(B)), m3_tmul_v(A, m3_col_y(B)),
                      m3_tmul_v(A, m3_col_z(B)));
}
static inline M3 m3_rot_x(double c, double s) { return (M3){1, 0, 0, 0, c, -s, 0, s, c}; }
static inline M3 m3_rot_y(double c, double s) { return (M3){c, 0, s, 0, 1, 0, -s, 0, c}; }
static inline M3 m3_rot_z(double c, double s) { return (M3){c, -s, 0, s, c, 0, 0, 0, 1}; }
// The frame whose z is the unit vector `axis`; x is any perpendicular direction, the same for the
// same axis.
static inline M3 m3_frame_z(V3 axis) {
  V3 x = v3_perp(axis);
  return m3_from_cols(x, v3_cross(axis, x), axis);
}

static inline S3 s3_zero(void) { return (S3){0, 0, 0, 0, 0, 0}; }
static inline S3 s3_add(S3 a, S3 b) {
  return (S3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
static inline S3 s3_scale(double s, S3 a) {
  return (S3){s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
}
static inline V3 s3_mul_v(S3 A, V3 b) {
  return (V3){A.xx * b.x + A.xy * b.y + A.xz * b.z, A.xy * b.x + A.yy * b.y + A.yz * b.z,
              A.xz * b.x + A.yz * b.y + A.zz * b.z};
}
static inline M3 s3_full(S3 A) {
  return (M3){A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz};
}
static inline S3 s3_rotate(M3 R, S3 A) {  // R A R'
  M3 B = m3_mul(R, s3_full(A));
  return (S3){B.xx * R.xx + B.xy * R.xy + B.xz * R.xz, B.xx * R.yx + B.xy * R.yy + B.xz * R.yz,
              B.xx * R.zx + B.xy * R.zy + B.xz * R.zz, B.yx * R.yx + B.yy * R.yy + B.yz * R.yz,
              B.yx * R.zx + B.yy * R.zy + B.yz * R.zz, B.zx * R.zx + B.zy * R.zy + B.zz * R.zz};
}
// |c|^2 1 - c c': the inertia of a unit mass at c, about the origin
static inline S3 s3_of_point(V3 c) {
  return (S3){c.y * c.y + c.z * c.z, -c.x * c.y, -c.x * c.z,
              c.x * c.x + c.z * c.z, -c.y * c.z, c.x * c.x + c.y * c.y};
}

static inline Quat quat_identity(void) { return (Quat){1, 0, 0, 0}; }
static inline Quat quat_load(const double* p) { return (Quat){p[0], p[1], p[2], p[3]}; }
static inline void quat_store(double* p, Quat q) { p[0] = q.w, p[1] = q.x, p[2] = q.y, p[3] = q.z; }
static inline Quat quat_conj(Quat q) { return (Quat){q.w, -q.x, -q.y, -q.z}; }
static inline Quat quat_mul(Quat a, Quat b) {
  return (Quat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline double quat_norm2(Quat q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }
static inline Quat quat_unit(Quat q) {
  double s = 1 / sqrt(quat_norm2(q));
  return (Quat){s * q.w, s * q.x, s * q.y, s * q.z};
}
// Rotation matrix of a quaternion of any nonzero length (it is divided by its norm).
static inline M3 quat_to_m3(Quat q) {
  double s = 2 / quat_norm2(q);
  double wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
  double xx = s * q.x * q.x, xy = s * q.x * q.y, xz = s * q.x * q.z;
  double yy = s * q.y * q.y, yz = s * q.y * q.z, zz = s * q.z * q.z;
  return (M3){1 - (yy + zz), xy - wz, xz + wy, xy + wz,      1 - (xx + zz),
              yz - wx,       xz - wy, yz + wx, 1 - (xx + yy)};
}
// Unit quaternion of a rotation matrix (Shepperd's choice of the largest component, so it is never
// ill-conditioned).
static inline Quat quat_from_m3(M3 R) {
  double tr = R.xx + R.yy + R.zz;
  Quat q;
  if (tr >= R.xx && tr >= R.yy && tr >= R.zz)
    q = (Quat){1 + tr, R.zy - R.yz, R.xz - R.zx, R.yx - R.xy};
  else if (R.xx >= R.yy && R.xx >= R.zz)
    q = (Quat){R.zy - R.yz, 1 + R.xx - R.yy - R.zz, R.xy + R.yx, R.xz + R.zx};
  else if (R.yy >= R.zz)
    q = (Quat){R.xz - R.zx, R.xy + R.yx, 1 + R.yy - R.xx - R.zz, R.yz + R.zy};
  else
    q = (Quat){R.yx - R.xy, R.xz + R.zx, R.yz + R.zy, 1 + R.zz - R.xx - R.yy};
  q = quat_unit(q);
  return q.w < 0 ? (Quat){-q.w, -q.x, -q.y, -q.z} : q;
}
