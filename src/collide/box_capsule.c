// A box and a capsule: the nearest point of the capsule's axis to the box, in closed form.
//
// In the box's frame the axis is c + t d, and by how much its point is outside along axis i is
// e_i(t): x - h above h, x + h below -h, else 0. The squared distance sum e_i^2 is convex in t and
// its slope 2 sum d_i e_i is linear between the at most six t where the axis passes a face's plane:
// halving over those leaves one piece, and one division finds the zero. An axis that passes through
// the box has distance 0; then faces and edges give the depth.
#include "collide/pairs.h"

static const double TOO_NEAR = 1e-7;  // of the size: no direction in so short a way

static double excess(double x, double h) { return x > h ? x - h : x < -h ? x + h : 0; }

static V3 excess_at(const double* h, V3 c, V3 d, double t) {
  return v3(excess(c.x + t * d.x, h[0]), excess(c.y + t * d.y, h[1]), excess(c.z + t * d.z, h[2]));
}

static double nearest(const double* h, V3 c, V3 d, double half) {
  double low = -half, high = half;
  double slope_low = v3_dot(d, excess_at(h, c, d, low)),
         slope_high = v3_dot(d, excess_at(h, c, d, high));
  if (slope_low >= 0) return slope_high > 0 ? low : 0.5 * (low + high);
  if (slope_high <= 0) return high;
  const double ci[3] = {c.x, c.y, c.z}, di[3] = {d.x, d.y, d.z};
  for (int k = 0; k < 6; k++) {
    int i = k >> 1;
    double way = (k & 1 ? h[i] : -h[i]) - ci[i];
    if (!(fabs(way) < fabs(di[i]) * half)) continue;
    double t = way / di[i];
    if (!(t > low && t < high)) continue;
    double slope = v3_dot(d, excess_at(h, c, d, t));
    if (slope < 0)
      low = t, slope_low = slope;
    else
      high = t, slope_high = slope;
  }
  return low - slope_low * (high - low) / (slope_high - slope_low);
}

// What of the box is nearest: a vertex or an edge, by the axes along which the point is outside;
// else an end of the axis.
static unsigned feature_at(V3 e, double t, double half) {
  int out = (e.x != 0) | (e.y != 0) << 1 | (e.z != 0) << 2, corner = sar_box_vertex(e);
  if (t <= -half || t >= half) return feature_of_b(t > 0);
  if (out == 7) return feature_of_a(corner);
  if (out == 3 || out == 5 || out == 6)
    return feature_cross(edge_label(corner & out, corner | (7 & ~out)), edge_label(0, 1));
  return feature_of_b(0);
}

int sar_collide_box_capsule(const SarSolid* a, const SarSolid* b, const Xform* X, const Xform* X_a,
                            double margin, SarTouch* out, int most) {
  const double* h = a->size;
  double radius = b->size[0], half = b->size[1], limit = margin + radius;
  V3 d = m3_col_z(X->R);
  double t = nearest(h, X->p, d, half);
  V3 e = excess_at(h, X->p, d, t);
  double ee = v3_dot(e, e);
  if (ee > limit * limit) return 0;
  Core ca, cb;
  sar_core_box(&ca, h);
  sar_core_init(&cb, b);
  double distance = sqrt(ee), scale = ca.extent + half;
  if (!(distance > TOO_NEAR * scale)) return sar_collide_cores(a, b, X, X_a, margin, out, most);
  V3 p = v3_axpy(t, d, X->p);
  Meeting m = {v3_scale(1 / distance, e), distance, v3_axpy(-0.5, e, p), feature_at(e, t, half)};
  Spot spot[SPOT_MOST];
  bool reached;
  int n = sar_manifold(&ca, &cb, X, &m, limit, spot, &reached);
  return sar_manifold_touches(spot, n, m.normal, 0, radius, X_a, out, most);
}
