// Principal axes of inertia: I = R diag(moment) R', by cyclic Jacobi, to rounding. MuJoCo finds its
// own for full matrices, to 1e-8 only; a diagonal one it takes as it is.
#include "convert/links.h"

#include <math.h>

bool sar_is_diagonal(S3 I) { return I.xy == 0 && I.xz == 0 && I.yz == 0; }

M3 sar_principal_axes(S3 S, double moment[3]) {
  double A[3][3] = {{S.xx, S.xy, S.xz}, {S.xy, S.yy, S.yz}, {S.xz, S.yz, S.zz}};
  double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 30; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (A[p][q] == 0) continue;
        const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1));
        const double k = 1 / hypot(t, 1), s = t * k;
        for (int i = 0; i < 3; i++) {
          const double x = A[i][p], y = A[i][q];
          A[i][p] = k * x - s * y, A[i][q] = s * x + k * y;
        }
        for (int i = 0; i < 3; i++) {
          const double x = A[p][i], y = A[q][i], u = V[i][p], v = V[i][q];
          A[p][i] = k * x - s * y, A[q][i] = s * x + k * y;
          V[i][p] = k * u - s * v, V[i][q] = s * u + k * v;
        }
      }
  for (int i = 0; i < 3; i++) moment[i] = fmax(A[i][i], 0);
  const V3 x = v3(V[0][0], V[1][0], V[2][0]), y = v3(V[0][1], V[1][1], V[2][1]);
  return m3_from_cols(x, y, v3_cross(x, y));
}
