// Spatial (6-dimensional) vectors, transforms and rigid-body inertias (Featherstone 2008), by
// value.
#pragma once
#include "math/vec.h"

typedef struct Motion {  // velocity or acceleration: angular w, linear v at the frame's origin
  V3 w, v;
} Motion;

typedef struct Force {  // moment n about the frame's origin, force f
  V3 n, f;
} Force;

typedef struct Xform {  // X_AB: x_A = R x_B + p
  M3 R;
  V3 p;
} Xform;

typedef struct Inertia {  // rigid body, about the frame's origin: mass m, h = m c, I
  double m;
  V3 h;
  S3 I;
} Inertia;

static inline Motion motion_zero(void) { return (Motion){v3_zero(), v3_zero()}; }
static inline Force force_zero(void) { return (Force){v3_zero(), v3_zero()}; }
static inline Motion motion_add(Motion a, Motion b) {
  return (Motion){v3_add(a.w, b.w), v3_add(a.v, b.v)};
}
static inline Motion motion_scale(double s, Motion a) {
  return (Motion){v3_scale(s, a.w), v3_scale(s, a.v)};
}
static inline Force force_add(Force a, Force b) {
  return (Force){v3_add(a.n, b.n), v3_add(a.f, b.f)};
}
static inline Force force_sub(Force a, Force b) {
  return (Force){v3_sub(a.n, b.n), v3_sub(a.f, b.f)};
}
static inline Force force_neg(Force a) { return (Force){v3_neg(a.n), v3_neg(a.f)}; }
static inline double power_of(Motion V, Force F) { return v3_dot(V.w, F.n) + v3_dot(V.v, F.f); }

// V x M and V x* F (Featherstone's crm and crf)
static inline Motion crossm(Motion a, Motion b) {
  return (Motion){v3_cross(a.w, b.w), v3_add_cross(v3_cross(a.w, b.v), a.v, b.w)};
}
static inline Force crossf(Motion a, Force b) {
  return (Force){v3_add_cross(v3_cross(a.w, b.n), a.v, b.f), v3_cross(a.w, b.f)};
}

static inline Xform x_identity(void) { return (Xform){m3_identity(), v3_zero()}; }
static inline V3 x_point(Xform X_AB, V3 p_B) { return m3_mul_add(X_AB.R, p_B, X_AB.p); }
static inline V3 x_point_inv(Xform X_AB, V3 p_A) { return m3_tmul_v(X_AB.R, v3_sub(p_A, X_AB.p)); }
static inline Xform x_mul(Xform X_AB, Xform X_BC) {  // X_AC
  return (Xform){m3_mul(X_AB.R, X_BC.R), x_point(X_AB, X_BC.p)};
}
static inline Xform x_inv(Xform X_AB) {
  M3 R = m3_transpose(X_AB.R);
  return (Xform){R, v3_neg(m3_mul_v(R, X_AB.p))};
}
// motion seen in A, from components in B, and back
static inline Motion x_motion(Xform X_AB, Motion b) {
  V3 w = m3_mul_v(X_AB.R, b.w);
  return (Motion){w, m3_mul_add(X_AB.R, b.v, v3_cross(X_AB.p, w))};
}
static inline Motion x_motion_inv(Xform X_AB, Motion a) {
  return (Motion){m3_tmul_v(X_AB.R, a.w), m3_tmul_v(X_AB.R, v3_sub_cross(a.v, X_AB.p, a.w))};
}
static inline Force x_force(Xform X_AB, Force b) {
  V3 f = m3_mul_v(X_AB.R, b.f);
  return (Force){m3_mul_add(X_AB.R, b.n, v3_cross(X_AB.p, f)), f};
}
static inline Force x_force_inv(Xform X_AB, Force a) {
  return (Force){m3_tmul_v(X_AB.R, v3_sub_cross(a.n, X_AB.p, a.f)), m3_tmul_v(X_AB.R, a.f)};
}

static inline Inertia inertia_zero(void) { return (Inertia){0, v3_zero(), s3_zero()}; }
static inline Inertia inertia_add(Inertia a, Inertia b) {
  return (Inertia){a.m + b.m, v3_add(a.h, b.h), s3_add(a.I, b.I)};
}
// mass m, mass centre c, inertia Ic about it with axes parallel to the frame
static inline Inertia inertia_of(double m, V3 c, S3 Ic) {
  return (Inertia){m, v3_scale(m, c), s3_add(Ic, s3_scale(m, s3_of_point(c)))};
}
static inline Force inertia_mul(Inertia B, Motion a) {  // [I h x; -h x m] a
  return (Force){v3_add_cross(s3_mul_v(B.I, a.w), B.h, a.v),
                 v3_sub_cross(v3_scale(B.m, a.v), B.h, a.w)};
}
// the same body seen from A: rotate, then shift the origin by -p
static inline Inertia inertia_transform(Xform X_AB, Inertia b) {
  V3 h = m3_mul_v(X_AB.R, b.h), p = X_AB.p;
  S3 I = s3_rotate(X_AB.R, b.I);
  // I_A = R I R' - (p~ h~ + h~ p~) - m p~ p~, with -a~ b~ = (a.b) 1 - b a'
  double hp = 2 * v3_dot(h, p) + b.m * v3_dot(p, p);
  S3 shift = {
      hp - 2 * h.x * p.x - b.m * p.x * p.x,       -(h.x * p.y + h.y * p.x) - b.m * p.x * p.y,
      -(h.x * p.z + h.z * p.x) - b.m * p.x * p.z, hp - 2 * h.y * p.y - b.m * p.y * p.y,
      -(h.y * p.z + h.z * p.y) - b.m * p.y * p.z, hp - 2 * h.z * p.z - b.m * p.z * p.z};
  return (Inertia){b.m, v3_axpy(b.m, p, h), s3_add(I, shift)};
}
