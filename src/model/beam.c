// Stiffness of a beam element from that of its sections (beam.h).
#include "model/beam.h"

#include "linalg/spd.h"

#include <string.h>

const double sar_beam_gauss[SAR_BEAM_GAUSS][2] = {{-0.45308992296933200, 0.11846344252809454},
                                                  {-0.26923465505284155, 0.23931433524968323},
                                                  {0, 0.28444444444444444},
                                                  {0.26923465505284155, 0.23931433524968323},
                                                  {0.45308992296933200, 0.11846344252809454}};

static void force_of(int k, Force* W) {
  *W = force_zero();
  double* c[6] = {&W->n.x, &W->n.y, &W->n.z, &W->f.x, &W->f.y, &W->f.z};
  *c[k] = 1;
}

static void store6(double* out, V3 a, V3 b) {
  v3_store(out, a);
  v3_store(out + 3, b);
}

void sar_beam_add_flexibility(Motion d0, double sigma, double ds, const double C[36],
                              double F_mid[36]) {
  const Xform X = x_exp(motion_scale(sigma, d0));  // the section at sigma, seen from the middle
  double A[6][6];  // A[k]: the wrench there of unit wrench k in the middle
  for (int k = 0; k < 6; k++) {
    Force W;
    force_of(k, &W);
    W = x_force_inv(X, W);
    store6(A[k], W.n, W.f);
  }
  for (int k = 0; k < 6; k++) {
    double strain[6];
    for (int i = 0; i < 6; i++) {
      strain[i] = 0;
      for (int j = 0; j < 6; j++) strain[i] += C[6 * i + j] * A[k][j];
    }
    for (int l = 0; l < 6; l++)
      for (int i = 0; i < 6; i++) F_mid[6 * l + k] += ds * A[l][i] * strain[i];
  }
}

bool sar_inverse6(const double A[36], double out[36]) {
  double U[36], x[6];
  memcpy(U, A, sizeof U);
  if (!sar_spd_factor(6, U, 1e-14)) return false;
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < 6; i++) x[i] = i == k;
    sar_spd_solve(6, U, x);
    for (int i = 0; i < 6; i++) out[6 * i + k] = x[i];
  }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < i; j++)
      out[6 * i + j] = out[6 * j + i] = 0.5 * (out[6 * i + j] + out[6 * j + i]);
  return true;
}

bool sar_beam_stiffness(Motion d0, const double F_mid[36], double K[36]) {
  const Xform X = x_exp(d0), X_half = x_exp(motion_scale(0.5, d0));
  double S[6][6], F[36] = {0};  // S[k]: rate of d for unit twist k in the middle
  for (int k = 0; k < 6; k++) {
    const double e[6] = {k == 0, k == 1, k == 2, k == 3, k == 4, k == 5};
    const Motion V = x_motion(X_half, (Motion){v3_load(e), v3_load(e + 3)});
    const Motion rate = x_log_rate(d0.w, X.p, V.w, v3_add_cross(V.v, V.w, X.p));
    store6(S[k], rate.w, rate.v);
  }
  for (int k = 0; k < 6; k++)
    for (int l = 0; l < 6; l++)
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) F[6 * i + j] += S[k][i] * F_mid[6 * k + l] * S[l][j];
  return sar_inverse6(F, K);
}

bool sar_beam_uniform_stiffness(Motion d0, double length, const double section[36], double K[36]) {
  double C[36], F_mid[36] = {0};
  if (!sar_inverse6(section, C)) return false;
  for (int g = 0; g < SAR_BEAM_GAUSS; g++)
    sar_beam_add_flexibility(d0, sar_beam_gauss[g][0], length * sar_beam_gauss[g][1], C, F_mid);
  return sar_beam_stiffness(d0, F_mid, K);
}
