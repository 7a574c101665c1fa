// Roll, pitch and yaw, as URDF and SDF have them: R = Rz(yaw) Ry(pitch) Rx(roll).
#pragma once
#include "math/vec.h"

#include <math.h>

static inline M3 m3_from_rpy(const double r[3]) {
  M3 Rx = m3_rot_x(cos(r[0]), sin(r[0])), Ry = m3_rot_y(cos(r[1]), sin(r[1]));
  return m3_mul(m3_rot_z(cos(r[2]), sin(r[2])), m3_mul(Ry, Rx));
}

// The angles of a rotation, pitch within -pi/2 to pi/2; where it is at an end, roll is 0.
static inline void m3_to_rpy(M3 R, double r[3]) {
  const double c = hypot(R.xx, R.yx);
  r[1] = atan2(-R.zx, c);
  r[0] = c > 1e-12 ? atan2(R.zy, R.zz) : 0;
  r[2] = c > 1e-12 ? atan2(R.yx, R.xx) : atan2(-R.xy, R.yy);
}
