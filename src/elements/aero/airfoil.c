// Coefficients of airfoils (airfoil.h): tables bilinear in angle and Mach number, constant beyond
// their ends; or, with a = alpha - zero_lift,
//
//   cl = slope sin a cos a,   cd = drag + separated sin^2 a,   cm = moment
//
// which has the lift slope of a thin airfoil at small angles, and is smooth at all of them.
#include "elements/aero/airfoil.h"

#include "model/air.h"

static const double DEGREES = 57.29577951308232;

// Where x lies between x[i] and x[i + 1]: its share of the way; 0 or 1 beyond the ends, where the
// slope is zero.
typedef struct Place {
  int i;
  double share, per;  // per: d share / d x
} Place;

static inline Place place_of(const double* x, const double* per, int i, double at) {
  const double share = (at - x[i]) * per[i];
  if (share < 0) return (Place){i, 0, 0};
  if (share > 1) return (Place){i, 1, 0};
  return (Place){i, share, per[i]};
}

static inline Place angle_place(const SarAirfoilTable* t, int angles, double degrees) {
  int degree = (int)(degrees + 180);
  if (!(degree > 0)) degree = 0;  // NaN too: it comes out as NaN
  if (degree > 360) degree = 360;
  int i = (int)t->first[degree];
  while (i + 2 < angles && t->angle[i + 1] < degrees) i++;
  return place_of(t->angle, t->per_angle, i, degrees);
}

// near: where to begin
static inline Place mach_place(const SarAirfoilTable* t, int machs, double mach, int near) {
  if (machs == 1) return (Place){0, 0, 0};
  int k = near + 2 < machs ? near : machs - 2;
  while (k > 0 && t->mach[k] > mach) k--;
  while (k + 2 < machs && t->mach[k + 1] < mach) k++;
  return place_of(t->mach, t->per_mach, k, mach);
}

static inline SarCoefficient look_up(const SarAirfoilTable* t, int machs, Place a, Place b) {
  const double *low = t->value + a.i * machs + b.i, *high = low + machs;
  const int next = machs > 1;
  const double by0 = low[next] - low[0], by1 = high[next] - high[0];
  const double at0 = low[0] + b.share * by0, at1 = high[0] + b.share * by1;
  return (SarCoefficient){at0 + a.share * (at1 - at0), a.per * (at1 - at0) * DEGREES,
                          b.per * (by0 + a.share * (by1 - by0))};
}

static SarPolar smooth(const double* n, double alpha) {
  const double a = alpha - n[SAR_AIRFOIL_ZERO], s = sin(a), c = cos(a);
  return (SarPolar){{n[SAR_AIRFOIL_SLOPE] * s * c, n[SAR_AIRFOIL_SLOPE] * (c * c - s * s), 0},
                    {n[SAR_AIRFOIL_DRAG] + n[SAR_AIRFOIL_SEPARATED] * s * s,
                     n[SAR_AIRFOIL_SEPARATED] * 2 * s * c, 0},
                    {n[SAR_AIRFOIL_MOMENT], 0, 0},
                    {n[SAR_AIRFOIL_DRAG], 0, 0}};
}

static const double PLATE[SAR_AIRFOIL_NUMBERS] = {6.283185307179586, 0, 0, 2, 0};

SarPolar sar_airfoil_at(const SarModel* m, int airfoil, double alpha, double mach) {
  if (airfoil < 0) return smooth(PLATE, alpha);
  const SarAirfoil* a = &m->airfoil[airfoil];
  if (a->numbers >= 0) return smooth(&m->attr_data[a->numbers], alpha);
  const double degrees = alpha * DEGREES;
  SarPolar p;
  SarCoefficient* const to[SAR_C81_TABLES] = {&p.lift, &p.drag, &p.moment};
  int near = 0;
  for (int k = 0; k < SAR_C81_TABLES; k++) {
    const int machs = a->machs[k];
    const SarAirfoilTable t = sar_airfoil_table(&m->attr_data[a->table[k]], a->angles[k], machs);
    const Place at = angle_place(&t, a->angles[k], degrees), b = mach_place(&t, machs, mach, near);
    near = b.i;
    *to[k] = look_up(&t, machs, at, b);
    if (k != SAR_C81_DRAG) continue;
    const double by = t.zero[b.i + (machs > 1)] - t.zero[b.i];
    p.friction = (SarCoefficient){t.zero[b.i] + b.share * by, 0, b.per * by};
  }
  return p;
}
