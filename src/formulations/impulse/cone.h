// Coulomb's cone |p_t| <= mu p_n: projection onto it, and the slope of that projection.
#pragma once
#include <math.h>

// p = the point of the cone nearest to z; components: normal, two tangents.
static inline void sar_cone_project(double mu, const double* z, double* p) {
  const double t = sqrt(z[1] * z[1] + z[2] * z[2]);
  if (t <= mu * z[0]) {
    p[0] = z[0], p[1] = z[1], p[2] = z[2];
    return;
  }
  const double n = (z[0] + mu * t) / (1 + mu * mu);
  if (!(n > 0)) {
    p[0] = p[1] = p[2] = 0;
    return;
  }
  const double scale = t > 0 ? mu * n / t : 0;
  p[0] = n, p[1] = scale * z[1], p[2] = scale * z[2];
}

// G = dp / dz where p is the projection of z, symmetric: 00 10 20 11 21 22.
static inline void sar_cone_slope(double mu, const double* z, double* G) {
  const double t = sqrt(z[1] * z[1] + z[2] * z[2]);
  for (int k = 0; k < 6; k++) G[k] = 0;
  if (t <= mu * z[0]) {
    G[0] = G[3] = G[5] = 1;
    return;
  }
  const double c = 1 / (1 + mu * mu), n = c * (z[0] + mu * t);
  if (!(n > 0)) return;
  const double a = t > 0 ? z[1] / t : 0, b = t > 0 ? z[2] / t : 0;
  const double along = c * mu * mu, across = t > 0 ? mu * n / t : 0;
  G[0] = c, G[1] = c * mu * a, G[2] = c * mu * b;
  G[3] = along * a * a + across * b * b;
  G[4] = (along - across) * a * b;
  G[5] = along * b * b + across * a * a;
}
