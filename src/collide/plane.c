// Contact manifolds of solids on a plane (half-space): the corners of the lower side, the ends of
// an axis, the points of a rim. Closed forms.
//
// Here a is the solid, b the plane, everything below z = 0 of its frame at X: the normal goes down.
#include "collide/pairs.h"

typedef struct Plane {
  V3 up, p;  // in the frame of a
} Plane;

static Plane plane_of(const Xform* X) { return (Plane){m3_col_z(X->R), X->p}; }
static double height(const Plane* f, V3 x) { return v3_dot(f->up, v3_sub(x, f->p)); }

static int add(const Plane* f, V3 x, unsigned feature, double limit, Spot* spot, int n) {
  double gap = height(f, x);
  if (gap <= limit) spot[n++] = (Spot){v3_axpy(-0.5 * gap, f->up, x), gap, feature};
  return n;
}

int sar_collide_sphere_plane(const SarSolid* a, const SarSolid* b, const Xform* X, const Xform* X_a,
                             double margin, SarTouch* out, int most) {
  (void)b;
  Plane f = plane_of(X);
  Spot spot[1];
  int n = add(&f, v3_zero(), feature_of_a(0), margin + a->size[0], spot, 0);
  return sar_manifold_touches(spot, n, v3_neg(f.up), a->size[0], 0, X_a, out, most);
}

int sar_collide_capsule_plane(const SarSolid* a, const SarSolid* b, const Xform* X,
                              const Xform* X_a, double margin, SarTouch* out, int most) {
  (void)b;
  Plane f = plane_of(X);
  Spot spot[2];
  int n = add(&f, v3(0, 0, -a->size[1]), feature_of_a(0), margin + a->size[0], spot, 0);
  if (a->size[1] > 0)
    n = add(&f, v3(0, 0, a->size[1]), feature_of_a(1), margin + a->size[0], spot, n);
  return sar_manifold_touches(spot, n, v3_neg(f.up), a->size[0], 0, X_a, out, most);
}

// Corners above the centre never carry anything: a plate thinner than the margin stands on four
// corners, not on eight.
int sar_collide_box_plane(const SarSolid* a, const SarSolid* b, const Xform* X, const Xform* X_a,
                          double margin, SarTouch* out, int most) {
  (void)b;
  Plane f = plane_of(X);
  const double* h = a->size;
  double centre = height(&f, v3_zero());
  double reach = h[0] * fabs(f.up.x) + h[1] * fabs(f.up.y) + h[2] * fabs(f.up.z);
  if (centre - reach > margin) return 0;
  Spot spot[8];
  int n = 0;
  for (int k = 0; k < 8; k++) {
    V3 x = {k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2]};
    if (v3_dot(f.up, x) <= 0) n = add(&f, x, feature_of_a(k), margin, spot, n);
  }
  return sar_manifold_touches(spot, n, v3_neg(f.up), 0, 0, X_a, out, most);
}

// Of many corners those are kept that reach farthest in eight directions along the plane, and the
// deepest.
int sar_collide_hull_plane(const SarSolid* a, const SarSolid* b, const Xform* X, const Xform* X_a,
                           double margin, SarTouch* out, int most) {
  (void)b;
  Plane f = plane_of(X);
  const SarHull* h = &a->of.hull;
  double centre = v3_dot(f.up, h->centre);
  Spot spot[SPOT_MOST];
  int n = 0;
  for (int i = 0; i < h->nvertex; i++) {
    if (v3_dot(f.up, h->vertex[i]) > centre) continue;
    n = add(&f, h->vertex[i], feature_of_a(i), margin, spot, n);
    if (n == SPOT_MOST) n = sar_spots_spread(spot, n, f.up, SAR_TOUCH_MOST);
  }
  return sar_manifold_touches(spot, n, v3_neg(f.up), 0, 0, X_a, out, most);
}

// Lying, a cylinder stands on the two ends of its lowest line. Upright it stands on four rim points
// that turn with it; as soon as it leans by more than LEVEL its lowest rim point comes in as well,
// so that it tips over its round rim and not over a square. Where it leans little that point may
// run along the rim much faster than the cylinder moves (a coin that comes to rest): rim points on
// both sides of it are seen too.
int sar_collide_cylinder_plane(const SarSolid* a, const SarSolid* b, const Xform* X,
                               const Xform* X_a, double margin, SarTouch* out, int most) {
  (void)b;
  static const double LEVEL = 1e-6, LITTLE = 0.1, BESIDE = 0.4;  // leans; angle along the rim
  Plane f = plane_of(X);
  double r = a->size[0], half = a->size[1], end = f.up.z > 0 ? -half : half;
  double across = sqrt(f.up.x * f.up.x + f.up.y * f.up.y);
  Spot spot[8];
  int n = 0, lower = f.up.z > 0 ? 16 : 17;
  V3 low = v3_zero();  // of the rims, from their centres
  if (across > LEVEL) {
    low = v3(-r * f.up.x / across, -r * f.up.y / across, 0);
    n = add(&f, v3(low.x, low.y, end), feature_of_a(lower), margin, spot, n);
    n = add(&f, v3(low.x, low.y, -end), feature_of_a(33 - lower), margin, spot, n);
  }
  if (fabs(f.up.z) > across)
    for (int k = 0; k < 4; k++) {
      V3 x = {k == 0 ? r : k == 2 ? -r : 0, k == 1 ? r : k == 3 ? -r : 0, end};
      // not twice in one place
      bool same = across > LEVEL && low.x * x.x + low.y * x.y > 0.99 * r * r;
      if (!same) n = add(&f, x, feature_of_a(4 * k + 32 * (lower - 16)), margin, spot, n);
    }
  for (int side = 0; side < 2 && across > LEVEL && across < LITTLE; side++) {
    const double c = cos(BESIDE), s = side ? sin(BESIDE) : -sin(BESIDE);
    const V3 x = {c * low.x - s * low.y, s * low.x + c * low.y, end};
    n = add(&f, x, feature_of_a(64 + side), margin, spot, n);
  }
  return sar_manifold_touches(spot, n, v3_neg(f.up), 0, 0, X_a, out, most);
}
