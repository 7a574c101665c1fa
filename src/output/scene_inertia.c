// The homogeneous box of a given inertia.
//
// About the mass centre, along principal axes, a box of mass m and edges a, b, c has
//   Ix = m (b^2 + c^2) / 12  and so on, hence  a^2 = 6 (Iy + Iz - Ix) / m
// Principal axes by Jacobi's rotations: each makes one pair of off-diagonal entries zero.
#include "output/scene.h"

#include <math.h>

enum { SWEEPS = 12 };

static void rotate(double A[3][3], double V[3][3], int p, int q) {
  if (A[p][q] == 0) return;
  const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; k++) {
    const double a = A[k][p], b = A[k][q];
    A[k][p] = c * a - s * b, A[k][q] = s * a + c * b;
  }
  for (int k = 0; k < 3; k++) {
    const double a = A[p][k], b = A[q][k];
    A[p][k] = c * a - s * b, A[q][k] = s * a + c * b;
  }
  for (int k = 0; k < 3; k++) {
    const double a = V[k][p], b = V[k][q];
    V[k][p] = c * a - s * b, V[k][q] = s * a + c * b;
  }
}

bool sar_inertia_box(Inertia inertia, Xform* X_BS, double half[3]) {
  if (!(inertia.m > 0)) return false;
  const V3 com = v3_scale(1 / inertia.m, inertia.h);
  const S3 I = s3_add(inertia.I, s3_scale(-inertia.m, s3_of_point(com)));
  double A[3][3] = {{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}};
  double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, longest = 0;
  for (int i = 0; i < SWEEPS; i++) rotate(A, V, 0, 1), rotate(A, V, 0, 2), rotate(A, V, 1, 2);
  for (int i = 0; i < 3; i++) {
    const double a2 = 6 * (A[(i + 1) % 3][(i + 1) % 3] + A[(i + 2) % 3][(i + 2) % 3] - A[i][i]);
    half[i] = 0.5 * sqrt(fmax(0, a2 / inertia.m));
    longest = fmax(longest, half[i]);
  }
  // a thin one is still to be seen
  for (int i = 0; i < 3; i++) half[i] = fmax(half[i], 0.04 * longest);
  const V3 x = v3(V[0][0], V[1][0], V[2][0]), y = v3(V[0][1], V[1][1], V[2][1]);
  *X_BS = (Xform){m3_from_cols(x, y, v3_cross(x, y)), com};
  return isfinite(longest) && longest > 1e-9;
}
