// The air forces on one section of a strip (blade element theory).
//
// Axes of the section: 1 towards the leading edge, 2 up (towards the suction side), 3 = 1 x 2 along
// the span. v is the velocity of the section against the air. All per unit of span:
//
//   alpha = atan2(-v2, v1),  w = sqrt(v1^2 + v2^2),  S = rho c w / 2
//   F1 = -S (cl v2 + cd v1),  F2 = S (cl v1 - cd v2),  M3 = S c w cm
//     lift across the flow, drag along it
//
// `cross` flow: the coefficients are taken at the Mach number of the flow across the span, w/a, and
// the flow along the span does nothing (independence principle). `corrected` has the corrections
// for yawed flow of the reference rotors:
//
//   cos g = |v1| / sqrt(v1^2 + v3^2), not below 1/2;   Mach = |v| sqrt(cos g) / a, not above 0.99
//   F3 = -S cd(alpha = 0) v3;   cl / cos g in reverse flow, where alpha cl < 0
#pragma once
#include "elements/aero/airfoil.h"

typedef enum SarYaw { SAR_YAW_CROSS, SAR_YAW_CORRECTED } SarYaw;

typedef struct SarSection {
  int airfoil;
  SarYaw yaw;
  double chord;
  double lift;  // share of the lift that is left: tip loss
} SarSection;

// F[0..2] and F[3] = M3, with the slopes by v1, v2, v3 and by the speed of sound. slopes false: not
// computed.
typedef struct SarSectionLoad {
  double F[4], F_v[4][3], F_sound[4];
} SarSectionLoad;

void sar_section_load(const SarModel* m, const SarSection* s, const double v[3], double density,
                      double sound, bool slopes, SarSectionLoad* out);
