// The air at a place: as the section `air` says, or the International Standard Atmosphere (ISO
// 2533), with the geopotential altitude h = r z/(r + z), r = 6356766 m:
//
//   T = 288.15 K - 6.5 K/km h,   rho = 1.225 (T/288.15)^4.2559              up to 11 km,
//   T = 216.65 K,                rho = 0.36392 exp(-(h - 11000)/6341.6)     above,
//   a = sqrt(1.4 287.053 T)
#pragma once
#include "elements/forces/varied.h"
#include "model/air.h"

typedef struct SarAirHere {
  Dual density, sound;
} SarAirHere;

static inline SarAirHere sar_air_standard(Dual z) {
  static const double r = 6356766;
  const Dual h = {r * z.x / (r + z.x), z.d * r * r / ((r + z.x) * (r + z.x))};
  const bool low = h.x < 11000;
  const double T = low ? 288.15 - 0.0065 * h.x : 216.65, T_h = low ? -0.0065 : 0;
  const double sound = sqrt(1.4 * 287.053 * T);
  const double density =
      low ? 1.225 * pow(T / 288.15, 4.25588) : 0.36392 * exp(-(h.x - 11000) / 6341.6);
  const double density_h = low ? 4.25588 * density * T_h / T : -density / 6341.6;
  return (SarAirHere){{density, density_h * h.d}, {sound, 0.5 * sound * T_h / T * h.d}};
}

// x: Nullable, then without changes. z: height of the place above z = 0.
static inline SarAirHere sar_air_at(const SarModel* m, const SarData* d, const SarVariation* x,
                                    Dual z) {
  if (m->nair == 0)
    return (SarAirHere){dual_of(SAR_AIR_USUAL_DENSITY), dual_of(SAR_AIR_USUAL_SOUND)};
  const SarAttrValue* a = m->air;
  if (a[SAR_AIR_ALTITUDE].given) {
    const double altitude = m->attr_data[a[SAR_AIR_ALTITUDE].adr];
    return sar_air_standard(dual(altitude + z.x, x ? z.d : 0));
  }
  SarAirHere air = {dual_of(SAR_AIR_USUAL_DENSITY), dual_of(SAR_AIR_USUAL_SOUND)};
  if (a[SAR_AIR_DENSITY].given) {
    air.density.x = attr_scalar(m, d, &a[SAR_AIR_DENSITY]);
    if (x) air.density = varied_scalar(m, d, x, &a[SAR_AIR_DENSITY]);
  }
  if (a[SAR_AIR_SOUND].given) {
    air.sound.x = attr_scalar(m, d, &a[SAR_AIR_SOUND]);
    if (x) air.sound = varied_scalar(m, d, x, &a[SAR_AIR_SOUND]);
  }
  return air;
}

static inline D3 sar_wind(const SarModel* m, const SarData* d, const SarVariation* x) {
  if (m->nair == 0 || !m->air[SAR_AIR_WIND].given) return d3_of(v3_zero());
  return x ? varied_vector(m, d, x, &m->air[SAR_AIR_WIND])
           : d3_of(attr_vector(m, d, &m->air[SAR_AIR_WIND]));
}
