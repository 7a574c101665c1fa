// Rotation vectors: exponential, logarithm and the rate that goes with them. All static inline.
//
// xi is a rotation vector, theta its length, w an angular velocity in the turned frame:
//   R(xi) = exp(xi~),   dR/dt = R w~,   d xi/dt = Jr(xi)^-1 w   (Jr: right Jacobian of exp)
#pragma once
#include "math/sincos.h"
#include "math/vec.h"

// The quaternion of the rotation by |xi| about xi: [cos(theta/2), sin(theta/2)/theta xi].
static inline Quat quat_exp(V3 xi) {
  double half = 0.5 * v3_norm(xi), sine, cosine;
  sar_sincos(half, &sine, &cosine);
  double s = half > 0 ? 0.5 * sine / half : 0.5;
  return (Quat){cosine, s * xi.x, s * xi.y, s * xi.z};
}

// The shortest rotation vector of a quaternion of any nonzero length, theta <= pi. q and -q are the
// same rotation, so the one with w >= 0 is taken.
static inline V3 quat_log(Quat q) {
  double sign = q.w < 0 ? -1 : 1, w = sign * q.w;
  V3 u = v3(sign * q.x, sign * q.y, sign * q.z);
  double n = v3_norm(u);
  return v3_scale(n > 0 ? 2 * atan2(n, w) / n : 2 / w, u);
}

// d xi/dt = w + xi x w / 2 + c xi x (xi x w),   c = (1 - theta/2 cot(theta/2)) / theta^2.
// The difference in c cancels for small theta: below 0.1 its series is exact to rounding.
static inline V3 rotvec_rate(V3 xi, V3 w) {
  double t2 = v3_dot(xi, xi), c;
  if (t2 < 0.01) {
    c = 1.0 / 12 + t2 * (1.0 / 720 + t2 * (1.0 / 30240 + t2 / 1209600));
  } else {
    double half = 0.5 * sqrt(t2), sine, cosine;
    sar_sincos(half, &sine, &cosine);
    c = (1 - half * cosine / sine) / t2;
  }
  V3 a = v3_cross(xi, w);
  return v3_add(w, v3_axpy(0.5, a, v3_scale(c, v3_cross(xi, a))));
}
