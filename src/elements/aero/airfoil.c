// Coefficients of airfoils (airfoil.h): tables bilinear in angle and Mach number, constant beyond their ends; or, with
// a = alpha - zero_lift,
//
//   cl = slope sin a cos a,   cd = drag + separated sin^2 a,   cm = moment
//
// which has the lift slope of a thin airfoil at small angles, and is smooth at all of them.
#include "elements/aero/airfoil.h"

#include "model/air.h"

static const double DEGREES = 57.29577951308232;

// Where x lies between x[i] and x[i + 1]: its share of the way; 0 or 1 beyond the ends, where the slope is zero.
typedef struct Place {
  int i;
  double share, per;  // per: d share / d x
} Place;

static Place place_of(const double* x, int i, double at) {
  const double per = 1 / (x[i + 1] - x[i]), share = (at - x[i]) * per;
  if (share <= 0) return (Place){i, 0, share < 0 ? 0 : per};
  if (share >= 1) return (Place){i, 1, share > 1 ? 0 : per};
  return (Place){i, share, per};
}

static SarCoefficient look_up(const double* t, int angles, int machs, double degrees, double mach) {
  const double *M = t + angles, *value = M + machs, *first = value + angles * machs;
  int degree = (int)(degrees + 180);
  if (!(degree > 0)) degree = 0;  // NaN too: it comes out as NaN
  if (degree > 360) degree = 360;
  int i = (int)first[degree];
  while (i + 2 < angles && t[i + 1] < degrees) i++;
  const Place a = place_of(t, i, degrees);
  const double* row = value + i * machs;
  if (machs == 1) {
    const double rise = row[1] - row[0];
    return (SarCoefficient){row[0] + a.share * rise, a.per * rise * DEGREES, 0};
  }
  int k = 0;
  while (k + 2 < machs && M[k + 1] < mach) k++;
  const Place b = place_of(M, k, mach);
  const double *low = row + k, *high = low + machs;
  const double at0 = low[0] + b.share * (low[1] - low[0]);
  const double at1 = high[0] + b.share * (high[1] - high[0]);
  const double by0 = low[1] - low[0], by1 = high[1] - high[0];
  return (SarCoefficient){at0 + a.share * (at1 - at0), a.per * (at1 - at0) * DEGREES,
                          b.per * (by0 + a.share * (by1 - by0))};
}

static SarPolar smooth(const double* n, double alpha) {
  const double a = alpha - n[SAR_AIRFOIL_ZERO], s = sin(a), c = cos(a);
  return (SarPolar){{n[SAR_AIRFOIL_SLOPE] * s * c, n[SAR_AIRFOIL_SLOPE] * (c * c - s * s), 0},
                    {n[SAR_AIRFOIL_DRAG] + n[SAR_AIRFOIL_SEPARATED] * s * s,
                     n[SAR_AIRFOIL_SEPARATED] * 2 * s * c, 0},
                    {n[SAR_AIRFOIL_MOMENT], 0, 0}};
}

static const double PLATE[SAR_AIRFOIL_NUMBERS] = {6.283185307179586, 0, 0, 2, 0};

static SarCoefficient table_at(const SarModel* m, const SarAirfoil* a, int k, double alpha,
                               double mach) {
  return look_up(&m->attr_data[a->table[k]], a->angles[k], a->machs[k], alpha * DEGREES, mach);
}

SarPolar sar_airfoil_at(const SarModel* m, int airfoil, double alpha, double mach) {
  if (airfoil < 0) return smooth(PLATE, alpha);
  const SarAirfoil* a = &m->airfoil[airfoil];
  if (a->numbers >= 0) return smooth(&m->attr_data[a->numbers], alpha);
  return (SarPolar){table_at(m, a, SAR_C81_LIFT, alpha, mach),
                    table_at(m, a, SAR_C81_DRAG, alpha, mach),
                    table_at(m, a, SAR_C81_MOMENT, alpha, mach)};
}

SarCoefficient sar_airfoil_friction(const SarModel* m, int airfoil, double mach) {
  if (airfoil < 0) return (SarCoefficient){0};
  const SarAirfoil* a = &m->airfoil[airfoil];
  if (a->numbers >= 0) return (SarCoefficient){m->attr_data[a->numbers + SAR_AIRFOIL_DRAG], 0, 0};
  return table_at(m, a, SAR_C81_DRAG, 0, mach);
}
