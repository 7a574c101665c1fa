// Coils, and tubes along a line of points.
#include "output/facets.h"

#include <math.h>

enum { SIDES = 10 };

#define TURN 6.28318530717958647692

// The helix  c(s) = from + s L n + r (cos(2 pi turns s') u + sin(..) v),  with straight ends on the
// axis and the radius growing and shrinking over the first and the last half winding.
void sar_coil(V3 from, V3 to, double radius, V3 point[SAR_COIL_POINTS]) {
  const double ends = 0.1, ramp = 0.5 / SAR_COIL_TURNS;
  const V3 d = v3_sub(to, from);
  const double length = v3_norm(d);
  const V3 n = length > 0 ? v3_scale(1 / length, d) : v3(0, 0, 1);
  const V3 u = v3_perp(n), v = v3_cross(n, u);
  for (int i = 0; i < SAR_COIL_POINTS; i++) {
    const double s = (double)i / (SAR_COIL_POINTS - 1);
    const double w = fmin(1, fmax(0, (s - ends) / (1 - 2 * ends)));  // along the windings
    const double grown = fmin(1, fmin(w, 1 - w) / ramp);
    const double r = radius * grown * grown * (3 - 2 * grown), turn = TURN * SAR_COIL_TURNS * w;
    point[i] = v3_axpy(s, d, from);
    point[i] = v3_axpy(r * cos(turn), u, v3_axpy(r * sin(turn), v, point[i]));
  }
}

// Frames along the line: each turned as little as possible against the one before (Bishop's frame).
void sar_facet_tube(SarFacetSink* s, const V3* point, int count, double radius) {
  V3 before[SIDES], normal_before[SIDES], u = {0};
  s->group++;
  for (int i = 0; i < count; i++) {
    const V3 d = v3_sub(point[i + 1 < count ? i + 1 : i], point[i > 0 ? i - 1 : 0]);
    const double length = v3_norm(d);
    if (!(length > 0)) continue;
    const V3 n = v3_scale(1 / length, d);
    const V3 across = v3_axpy(-v3_dot(u, n), n, u);
    u = v3_norm(across) > 1e-6 ? v3_unit(across) : v3_perp(n);
    const V3 v = v3_cross(n, u);
    V3 ring[SIDES], normal[SIDES];
    for (int k = 0; k < SIDES; k++) {
      const double turn = TURN * k / SIDES;
      normal[k] = v3_axpy(cos(turn), u, v3_scale(sin(turn), v));
      ring[k] = v3_axpy(radius, normal[k], point[i]);
    }
    for (int k = 0; i > 0 && k < SIDES; k++) {
      const int l = (k + 1) % SIDES;
      const SarFacet a = {{before[k], before[l], ring[l]},
                          {normal_before[k], normal_before[l], normal[l]},
                          s->group};
      const SarFacet b = {
          {before[k], ring[l], ring[k]}, {normal_before[k], normal[l], normal[k]}, s->group};
      s->take(s->context, &a);
      s->take(s->context, &b);
    }
    for (int k = 0; k < SIDES; k++) before[k] = ring[k], normal_before[k] = normal[k];
  }
}
