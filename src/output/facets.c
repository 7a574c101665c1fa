// Surfaces of simple solids as triangles (facets.h).
#include "output/facets.h"

#include <math.h>

enum { ROUND = 40, RINGS = 20 };

#define TURN 6.28318530717958647692

static void hand_over(SarFacetSink* s, V3 a, V3 b, V3 c, V3 na, V3 nb, V3 nc) {
  const SarFacet f = {{a, b, c}, {na, nb, nc}, s->group};
  s->take(s->context, &f);
}

static void quad(SarFacetSink* s, const V3 p[4], const V3 n[4]) {
  hand_over(s, p[0], p[1], p[2], n[0], n[1], n[2]);
  hand_over(s, p[0], p[2], p[3], n[0], n[2], n[3]);
}

void sar_facet_triangle(SarFacetSink* s, V3 a, V3 b, V3 c) {
  const V3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
  hand_over(s, a, b, c, n, n, n);
}

void sar_facet_box(SarFacetSink* s, Xform X, const double half[3]) {
  for (int axis = 0; axis < 3; axis++)
    for (int side = -1; side <= 1; side += 2) {
      V3 p[4], n[4];
      for (int i = 0; i < 4; i++) {
        double c[3];
        c[axis] = side * half[axis];
        c[(axis + 1) % 3] = (i == 1 || i == 2 ? 1 : -1) * half[(axis + 1) % 3];
        c[(axis + 2) % 3] = (i >= 2 ? 1 : -1) * half[(axis + 2) % 3];
        p[i] = x_point(X, v3_load(c));
        n[i] = m3_mul_v(X.R, v3(side * (axis == 0), side * (axis == 1), side * (axis == 2)));
      }
      s->group++;
      quad(s, p, n);
    }
}

// A band around z: from radius r0 at z0 to r1 at z1, with the normals' parts across and along the
// axis.
typedef struct Rim {
  double r, z, across, along;
} Rim;

static void band(SarFacetSink* s, Xform X, Rim a, Rim b) {
  for (int i = 0; i < ROUND; i++) {
    V3 p[4], n[4];
    for (int k = 0; k < 4; k++) {
      const double turn = TURN * (i + (k == 1 || k == 2)) / ROUND, c = cos(turn), sn = sin(turn);
      const Rim* rim = k < 2 ? &a : &b;
      p[k] = x_point(X, v3(rim->r * c, rim->r * sn, rim->z));
      n[k] = m3_mul_v(X.R, v3(rim->across * c, rim->across * sn, rim->along));
    }
    quad(s, p, n);
  }
}

void sar_facet_cylinder(SarFacetSink* s, Xform X, double radius, double half, double bore) {
  s->group++;
  band(s, X, (Rim){radius, -half, 1, 0}, (Rim){radius, half, 1, 0});
  for (int side = -1; side <= 1; side += 2) {
    s->group++;
    band(s, X, (Rim){bore, side * half, 0, side}, (Rim){radius, side * half, 0, side});
  }
  if (!(bore > 0)) return;
  s->group++;
  band(s, X, (Rim){bore, -half, -1, 0}, (Rim){bore, half, -1, 0});
}

// From one pole to the other; `half` lengthens the equator.
static Rim on_ball(double radius, double half, int i) {
  const double up = TURN / 4 * (2.0 * i / RINGS - 1), c = cos(up), sn = sin(up);
  return (Rim){radius * c, radius * sn + (i <= RINGS / 2 ? -half : half), c, sn};
}

void sar_facet_capsule(SarFacetSink* s, Xform X, double radius, double half) {
  s->group++;
  for (int i = 0; i < RINGS; i++) {
    if (i == RINGS / 2) band(s, X, (Rim){radius, -half, 1, 0}, (Rim){radius, half, 1, 0});
    Rim from = on_ball(radius, half, i);
    if (i == RINGS / 2) from = (Rim){radius, half, 1, 0};
    band(s, X, from, on_ball(radius, half, i + 1));
  }
}

void sar_facet_ellipsoid(SarFacetSink* s, Xform X, const double half[3]) {
  s->group++;
  for (int i = 0; i < RINGS; i++)
    for (int j = 0; j < ROUND; j++) {
      V3 p[4], n[4];
      for (int k = 0; k < 4; k++) {
        const Rim r = on_ball(1, 0, i + (k >= 2));
        const double turn = TURN * (j + (k == 1 || k == 2)) / ROUND;
        const V3 u = v3(r.r * cos(turn), r.r * sin(turn), r.z);
        p[k] = x_point(X, v3(half[0] * u.x, half[1] * u.y, half[2] * u.z));
        n[k] = m3_mul_v(X.R, v3(u.x / half[0], u.y / half[1], u.z / half[2]));
      }
      quad(s, p, n);
    }
}

static Xform along(V3 from, V3 to, double* length) {
  const V3 d = v3_sub(to, from);
  *length = v3_norm(d);
  return (Xform){*length > 0 ? m3_frame_z(v3_scale(1 / *length, d)) : m3_identity(),
                 v3_scale(0.5, v3_add(from, to))};
}

void sar_facet_rod(SarFacetSink* s, V3 from, V3 to, double radius, bool round) {
  double length;
  const Xform X = along(from, to, &length);
  if (round)
    sar_facet_capsule(s, X, radius, 0.5 * length);
  else
    sar_facet_cylinder(s, X, radius, 0.5 * length, 0);
}

void sar_facet_cone(SarFacetSink* s, V3 base, V3 tip, double radius) {
  double length;
  const Xform X = along(base, tip, &length);
  const double slope = length > 0 ? radius / length : 0;
  s->group++;
  band(s, X, (Rim){radius, -0.5 * length, 1, slope}, (Rim){0, 0.5 * length, 1, slope});
  s->group++;
  band(s, X, (Rim){0, -0.5 * length, 0, -1}, (Rim){radius, -0.5 * length, 0, -1});
}
