// Narrow phase of spheres and capsules (rounded points and segments): the distance of points and
// segments, less the radii. Closed forms.
//
//   gap = |q - p| - radius_a - radius_b,   n = (q - p) / |q - p|,  p, q nearest points of the cores
//
// Where the cores meet n is any direction square to both, and the gap is still exact: all of the
// radii.
#include "collide/pairs.h"

// One touch at n, the point halfway between the surfaces: p is the point on the core of a.
static int one_touch(V3 p, V3 n, double gap, double radius_a, unsigned feature, const Xform* X_a,
                     double margin, SarTouch* out, int most) {
  if (!(gap <= margin) || most < 1) return 0;
  *out = (SarTouch){x_point(*X_a, v3_axpy(radius_a + 0.5 * gap, n, p)), m3_mul_v(X_a->R, n), gap,
                    feature};
  return 1;
}

// Sphere b at q, with p the nearest point of the core of a.
static int round_touch(V3 p, V3 q, double radius_a, double radius_b, const Xform* X_a,
                       double margin, SarTouch* out, int most) {
  V3 r = v3_sub(q, p);
  double far = margin + radius_a + radius_b, rr = v3_dot(r, r);
  if (rr > far * far) return 0;
  double distance = sqrt(rr);
  // centres in one place: any direction is as good
  V3 n = distance > 0 ? v3_scale(1 / distance, r) : v3(0, 0, 1);
  return one_touch(p, n, distance - radius_a - radius_b, radius_a, feature_of_b(0), X_a, margin,
                   out, most);
}

int sar_collide_sphere_sphere(const SarSolid* a, const SarSolid* b, const Xform* X,
                              const Xform* X_a, double margin, SarTouch* out, int most) {
  return round_touch(v3_zero(), X->p, a->size[0], b->size[0], X_a, margin, out, most);
}

int sar_collide_sphere_capsule(const SarSolid* b, const SarSolid* a, const Xform* X,
                               const Xform* X_b, double margin, SarTouch* out, int most) {
  // nearest point of the axis to the sphere's centre, the origin
  V3 axis = m3_col_z(X->R);
  double half = a->size[1], t = fmax(-half, fmin(half, -v3_dot(axis, X->p)));
  V3 p = v3_axpy(t, axis, X->p);
  double distance = v3_norm(p);
  V3 n = distance > 0 ? v3_scale(1 / distance, p) : v3_perp(axis);
  return one_touch(v3_zero(), n, distance - b->size[0] - a->size[0], b->size[0], feature_of_a(0),
                   X_b, margin, out, most);
}

static double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

// The centre c in the box's frame; outside: the nearest point is c clamped; inside: the nearest
// face.
int sar_collide_sphere_box(const SarSolid* a, const SarSolid* b, const Xform* X, const Xform* X_a,
                           double margin, SarTouch* out, int most) {
  V3 c = x_point_inv(*X, v3_zero());
  const double* h = b->size;
  V3 q = {clamp(c.x, -h[0], h[0]), clamp(c.y, -h[1], h[1]), clamp(c.z, -h[2], h[2])};
  V3 r = v3_sub(q, c);
  double rr = v3_dot(r, r), radius = a->size[0], gap;
  V3 n;
  if (rr > 0) {
    if (rr > (margin + radius) * (margin + radius)) return 0;
    double distance = sqrt(rr);
    gap = distance - radius;
    n = v3_scale(1 / distance, r);
  } else {
    double depth[3] = {h[0] - fabs(c.x), h[1] - fabs(c.y), h[2] - fabs(c.z)};
    int axis = depth[0] <= depth[1] && depth[0] <= depth[2] ? 0 : depth[1] <= depth[2] ? 1 : 2;
    n = axis == 0   ? v3(c.x >= 0 ? -1 : 1, 0, 0)
        : axis == 1 ? v3(0, c.y >= 0 ? -1 : 1, 0)
                    : v3(0, 0, c.z >= 0 ? -1 : 1);
    gap = -depth[axis] - radius;
  }
  return one_touch(v3_zero(), m3_mul_v(X->R, n), gap, radius, feature_of_a(0), X_a, margin, out,
                   most);
}

// In the half plane of the axis and the centre the cylinder is a rectangle.
int sar_collide_sphere_cylinder(const SarSolid* a, const SarSolid* b, const Xform* X,
                                const Xform* X_a, double margin, SarTouch* out, int most) {
  V3 c = x_point_inv(*X, v3_zero());
  double r = b->size[0], half = b->size[1], radius = a->size[0];
  double rho = sqrt(c.x * c.x + c.y * c.y);
  V3 side = rho > 0 ? v3(c.x / rho, c.y / rho, 0) : v3(1, 0, 0);
  // beyond both: the rim; else whichever is passed, or nearer to being passed
  double across = rho - r, along = fabs(c.z) - half, up = c.z >= 0 ? 1 : -1;
  double gap, to_side, to_end;  // from the cylinder to the centre
  if (across > 0 && along > 0) {
    double distance = sqrt(across * across + along * along);
    gap = distance, to_side = across / distance, to_end = along / distance;
  } else {
    gap = fmax(across, along);
    to_side = across >= along ? 1 : 0, to_end = 1 - to_side;
  }
  V3 n = v3_neg(v3_add(v3_scale(to_side, side), v3(0, 0, up * to_end)));
  return one_touch(v3_zero(), m3_mul_v(X->R, n), gap - radius, radius, feature_of_a(0), X_a, margin,
                   out, most);
}

// Nearest points of the segments p + s d, q + t e, s and t from 0 to 1: the lines' own unless
// clamped (Ericson 2005, 5.1.9).
static void nearest(V3 p, V3 d, V3 q, V3 e, double* s, double* t) {
  V3 r = v3_sub(p, q);
  double dd = v3_dot(d, d), ee = v3_dot(e, e), de = v3_dot(d, e), dr = v3_dot(d, r),
         er = v3_dot(e, r);
  double denominator = dd * ee - de * de;
  *s = denominator > 1e-14 * dd * ee ? clamp((de * er - dr * ee) / denominator, 0, 1) : 0.5;
  *t = ee > 0 ? (de * *s + er) / ee : 0;
  if (*t >= 0 && *t <= 1) return;
  *t = clamp(*t, 0, 1);
  *s = dd > 0 ? clamp((de * *t - dr) / dd, 0, 1) : 0;
}

int sar_collide_capsule_capsule(const SarSolid* a, const SarSolid* b, const Xform* X,
                                const Xform* X_a, double margin, SarTouch* out, int most) {
  double ra = a->size[0], rb = b->size[0], limit = margin + ra + rb;
  V3 up = m3_col_z(X->R);
  V3 p = v3(0, 0, -a->size[1]), d = v3(0, 0, 2 * a->size[1]);
  V3 q = v3_axpy(-b->size[1], up, X->p), e = v3_scale(2 * b->size[1], up);
  double s, t;
  nearest(p, d, q, e, &s, &t);
  V3 x = v3_axpy(s, d, p), y = v3_axpy(t, e, q), r = v3_sub(y, x);
  double rr = v3_dot(r, r), scale = a->size[1] + b->size[1];
  if (rr > limit * limit) return 0;
  Meeting m = {.gap = sqrt(rr), .point = v3_scale(0.5, v3_add(x, y))};
  bool end_a = s <= 0 || s >= 1, end_b = t <= 0 || t >= 1;
  m.feature = end_a   ? feature_of_a(s > 0.5)
              : end_b ? feature_of_b(t > 0.5)
                      : feature_cross(edge_label(0, 1), edge_label(0, 1));
  if (m.gap > 1e-12 * (scale + ra + rb)) {
    m.normal = v3_scale(1 / m.gap, r);
  } else {
    // axes that meet part soonest square to both
    V3 n = v3_cross(d, e);
    double length = v3_norm(n);
    m.normal = length > 1e-9 * scale * scale ? v3_scale(1 / length, n) : v3(1, 0, 0);
    if (v3_dot(m.normal, X->p) < 0) m.normal = v3_neg(m.normal);
    m.gap = 0;
  }
  Core ca, cb;
  sar_core_init(&ca, a);
  sar_core_init(&cb, b);
  Spot spot[SPOT_MOST];
  bool reached;
  int n = sar_manifold(&ca, &cb, X, &m, limit, spot, &reached);
  return sar_manifold_touches(spot, n, m.normal, ra, rb, X_a, out, most);
}
