// From spots on cores to touches of solids (contact reduction): at most as many as there is room
// for, each with an id of its own.
#include "collide/pairs.h"

// Too many: the deepest, and the ones that reach farthest in directions fixed in a. What is picked
// depends little on rounding, which the order of depths in a flat contact does.
int sar_spots_spread(Spot* spot, int n, V3 normal, int most) {
  static const double TO[SAR_TOUCH_MOST][2] = {{0, 0},  {1, 0}, {-1, 0},  {0, 1},
                                               {0, -1}, {1, 1}, {-1, -1}, {1, -1}};
  V3 u = v3_perp(normal), v = v3_cross(normal, u);
  for (int k = 0; k < most; k++) {
    V3 to = v3_add(v3_scale(TO[k][0], u), v3_scale(TO[k][1], v));
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (k == 0 ? spot[i].gap < spot[best].gap
                 : v3_dot(to, spot[i].point) > v3_dot(to, spot[best].point))
        best = i;
    Spot t = spot[k];
    spot[k] = spot[best];
    spot[best] = t;
  }
  return most;
}

// Labels of large hulls may coincide; the next free id is as good as long as it is free again next
// time.
static unsigned unique(const SarTouch* out, int n, unsigned feature) {
  for (int i = 0; i < n; i++)
    if (out[i].feature == feature) {
      feature++;
      i = -1;
    }
  return feature;
}

int sar_manifold_touches(Spot* spot, int n, V3 normal, double radius_a, double radius_b,
                         const Xform* X_a, SarTouch* out, int most) {
  if (most > SAR_TOUCH_MOST) most = SAR_TOUCH_MOST;
  if (most <= 0) return 0;
  if (n > most) n = sar_spots_spread(spot, n, normal, most);
  V3 turned = m3_mul_v(X_a->R, normal);
  for (int i = 0; i < n; i++) {
    // surfaces are radius_a above one core and radius_b below the other
    V3 p = v3_axpy(0.5 * (radius_a - radius_b), normal, spot[i].point);
    out[i] = (SarTouch){x_point(*X_a, p), turned, spot[i].gap - radius_a - radius_b,
                        unique(out, i, spot[i].feature)};
  }
  return n;
}
