// Rotation angles by sequence (sequence.h).
//
// With e = 1 where i, j, k (Euler: i, j and the third axis l) are in cyclic order, else -1:
//
//   i, j, k   a2 = asin(e R_ik)   a1 = atan2(-e R_jk, R_kk)   a3 = atan2(-e R_ij, R_ii)
//   i, j, i   a2 = acos(R_ii)     a1 = atan2(R_ji, -e R_li)   a3 = atan2(R_ij, e R_il)
//
// In gimbal lock, with a3 = 0: a1 = atan2(e R_kj, R_jj), Euler: atan2(e R_lj, R_jj).
// Source: Shuster, A survey of attitude representations, J. Astronautical Sciences 41 (1993).
#include "math/sequence.h"

#include "math/hypot.h"

#include <math.h>

const char sar_sequence[SAR_SEQUENCES][4] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                             "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};

// distance of R_ik from 1 that rounding makes of a right angle, its root
static const double LOCKED = 1e-9;

void sar_rotation_angles(M3 R, const char sequence[4], double angle[3]) {
  const double r[3][3] = {{R.xx, R.xy, R.xz}, {R.yx, R.yy, R.yz}, {R.zx, R.zy, R.zz}};
  const int i = sequence[0] - 'x', j = sequence[1] - 'x', k = sequence[2] - 'x';
  const int third = 3 - i - j;
  const double e = (i + 1) % 3 == j ? 1 : -1;
  if (i != k) {
    const double across = sar_hypot(r[i][i], r[i][j]);  // cos a2
    angle[1] = atan2(e * r[i][k], across);
    angle[0] = across > LOCKED ? atan2(-e * r[j][k], r[k][k]) : atan2(e * r[k][j], r[j][j]);
    angle[2] = across > LOCKED ? atan2(-e * r[i][j], r[i][i]) : 0;
  } else {
    const double across = sar_hypot(r[i][j], r[i][third]);  // sin a2
    angle[1] = atan2(across, r[i][i]);
    angle[0] = across > LOCKED ? atan2(r[j][i], -e * r[third][i]) : atan2(e * r[third][j], r[j][j]);
    angle[2] = across > LOCKED ? atan2(r[i][j], e * r[i][third]) : 0;
  }
}
