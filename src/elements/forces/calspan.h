// Side force and aligning moment of a tyre: the Calspan model, and a linear one.
//
// Calspan, as in the IAVSD road-vehicle benchmark (Frik, Leister and Schwartz 1993): with the load
// F, the slip angle alpha and the camber angle gamma,
//
//   f   = (B1 F + B3 + B4 F^2) SN                                  friction
//   N   = (A1 F (F - A2) - A0 A2) / A2     (F > A2: -A0)           cornering stiffness, negative
//   G   = A3 (A4 - F) F / (-A4 N)          (F > A2: F = A2)        slip angle that camber is worth
//   s   = N (alpha + G gamma) / (f F)
//   S   = s - s |s| / 3 + s^3 / 27         (|s| > 3: sign s)       dS/ds = (1 - |s|/3)^2
//   Fy  = f F S
//   Mz  = (K1 F + K2 |Fy|) Fy
//
// S is twice differentiable at |s| = 3. Where F passes A2 the slopes by F jump.
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct SideForce {
  double Fy, Mz;                    // side force [N], moment about the normal of the road [N m]
  double Mx;                        // moment about the direction of travel [N m]
  double Fy_F, Fy_alpha, Fy_gamma;  // slopes of Fy
  double Mz_F, Mz_alpha, Mz_gamma;  // slopes of Mz
} SideForce;

enum { CALSPAN_A0, CALSPAN_A1, CALSPAN_A2, CALSPAN_A3, CALSPAN_A4, CALSPAN_B1, CALSPAN_B3 };
enum { CALSPAN_B4 = CALSPAN_B3 + 1, CALSPAN_SN, CALSPAN_K1, CALSPAN_K2 };
#define CALSPAN_NAMES "A0 A1 A2 A3 A4 B1 B3 B4 SN K1 K2"

static inline SideForce calspan_force(const double* c, double F, double alpha, double gamma) {
  const double A0 = c[CALSPAN_A0], A1 = c[CALSPAN_A1], A2 = c[CALSPAN_A2], A3 = c[CALSPAN_A3];
  const double A4 = c[CALSPAN_A4], SN = c[CALSPAN_SN], K1 = c[CALSPAN_K1], K2 = c[CALSPAN_K2];
  SideForce p = {0};
  if (!(F > 0)) return p;
  const double f = (c[CALSPAN_B1] * F + c[CALSPAN_B3] + c[CALSPAN_B4] * F * F) * SN;
  const double f_F = (c[CALSPAN_B1] + 2 * c[CALSPAN_B4] * F) * SN;
  const bool high = F > A2;
  const double N = high ? -A0 : A1 * F * (F - A2) / A2 - A0;
  const double N_F = high ? 0 : A1 * (2 * F - A2) / A2;
  // N G = -A3 (A4 - F) F / A4, so that Fy needs no division by N
  const double L = high ? A2 : F;
  const double NG = -A3 * (A4 - L) * L / A4, NG_F = high ? 0 : -A3 * (A4 - 2 * F) / A4;
  const double top = f * F, top_F = f + f_F * F, slip = N * alpha + NG * gamma;
  const double s = slip / top, limited = fmin(fabs(s), 3);
  const double S = copysign(limited - limited * limited / 3 + limited * limited * limited / 27, s);
  const double S_s = (1 - limited / 3) * (1 - limited / 3);
  p.Fy = top * S;
  p.Fy_alpha = N * S_s;
  p.Fy_gamma = NG * S_s;
  p.Fy_F = top_F * (S - S_s * s) + S_s * (N_F * alpha + NG_F * gamma);
  const double Mz_Fy = K1 * F + 2 * K2 * fabs(p.Fy);
  p.Mz = (K1 * F + K2 * fabs(p.Fy)) * p.Fy;
  p.Mz_F = K1 * p.Fy + Mz_Fy * p.Fy_F;
  p.Mz_alpha = Mz_Fy * p.Fy_alpha;
  p.Mz_gamma = Mz_Fy * p.Fy_gamma;
  return p;
}

// Fy = -cornering alpha - camber gamma,  Mz = aligning alpha - trail Fy,  Mx = overturning gamma:
// the side force acts at a point that lies `trail` behind. It does not depend on the load.
enum { LINEAR_CORNERING, LINEAR_CAMBER, LINEAR_TRAIL, LINEAR_ALIGNING, LINEAR_OVERTURNING };
#define LINEAR_NAMES "cornering camber? trail? aligning? overturning?"

static inline SideForce linear_force(const double* c, double alpha, double gamma) {
  const double Fy = -c[LINEAR_CORNERING] * alpha - c[LINEAR_CAMBER] * gamma;
  const double trail = c[LINEAR_TRAIL];
  return (SideForce){.Fy = Fy,
                     .Mz = c[LINEAR_ALIGNING] * alpha - trail * Fy,
                     .Mx = c[LINEAR_OVERTURNING] * gamma,
                     .Fy_alpha = -c[LINEAR_CORNERING],
                     .Fy_gamma = -c[LINEAR_CAMBER],
                     .Mz_alpha = c[LINEAR_ALIGNING] + trail * c[LINEAR_CORNERING],
                     .Mz_gamma = trail * c[LINEAR_CAMBER]};
}
