// Angles of rotation matrices, and which turn they are in. All static inline.
#pragma once
#include "math/vec.h"

// The angle about z that comes nearest to R (exact when R turns about z), between -pi and pi.
static inline double m3_angle_z(M3 R) { return atan2(R.yx - R.xy, R.xx + R.yy); }

// The angle, whole turns added, that is nearest to `near`.
static inline double angle_near(double angle, double near) {
  const double turn = 6.283185307179586;
  return angle + turn * round((near - angle) / turn);
}

// q and -q are the same rotation: the one on the side of `near`.
static inline Quat quat_near(Quat q, Quat near) {
  double side = q.w * near.w + q.x * near.x + q.y * near.y + q.z * near.z;
  return side < 0 ? (Quat){-q.w, -q.x, -q.y, -q.z} : q;
}
