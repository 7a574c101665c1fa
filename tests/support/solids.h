// Solids for tests of the narrow phase, and their gap by a method of its own.
#pragma once
#include "collide/collide.h"
#include "support/random.h"

#include <stdlib.h>

// Uniform over all directions.
static inline V3 solid_direction(Rng* r) {
  double x = rng_normal(r), y = rng_normal(r), z = rng_normal(r);
  return v3_unit(v3(x, y, z));
}

enum { HULL_ROOM = 64 };
typedef struct TestHull {
  V3 vertex[HULL_ROOM], normal[HULL_ROOM];
  double offset[HULL_ROOM];
  int face_adr[HULL_ROOM + 1], face_vertex[8 * HULL_ROOM], edge[4 * 3 * HULL_ROOM];
} TestHull;

static inline SarSolid solid_sphere(double r) {
  return (SarSolid){.kind = SAR_SOLID_SPHERE, .size = {r}, .radius = r};
}
static inline SarSolid solid_box(double x, double y, double z) {
  return (SarSolid){.kind = SAR_SOLID_BOX, .size = {x, y, z}, .radius = v3_norm(v3(x, y, z))};
}
static inline SarSolid solid_capsule(double r, double half) {
  return (SarSolid){.kind = SAR_SOLID_CAPSULE, .size = {r, half}, .radius = r + half};
}
static inline SarSolid solid_cylinder(double r, double half) {
  return (SarSolid){.kind = SAR_SOLID_CYLINDER, .size = {r, half}, .radius = hypot(r, half)};
}
static inline SarSolid solid_plane(void) {
  return (SarSolid){.kind = SAR_SOLID_PLANE, .radius = HUGE_VAL};
}

// Normals, offsets and edges from vertices and faces.
static inline SarSolid solid_of_faces(TestHull* h, int nvertex, int nface) {
  SarSolid s = {.kind = SAR_SOLID_CONVEX};
  V3 centre = v3_zero();
  for (int i = 0; i < nvertex; i++) {
    centre = v3_axpy(1.0 / nvertex, h->vertex[i], centre);
    s.radius = fmax(s.radius, v3_norm(h->vertex[i]));
  }
  int nedge = 0;
  for (int f = 0; f < nface; f++) {
    const int* v = h->face_vertex + h->face_adr[f];
    int n = h->face_adr[f + 1] - h->face_adr[f];
    V3 p = h->vertex[v[0]];
    h->normal[f] = v3_unit(v3_cross(v3_sub(h->vertex[v[1]], p), v3_sub(h->vertex[v[n - 1]], p)));
    h->offset[f] = v3_dot(h->normal[f], p);
    for (int i = 0; i < n; i++) {
      int from = v[i], to = v[(i + 1) % n], e = 0;
      for (; e < nedge; e++)
        if (h->edge[4 * e] == to && h->edge[4 * e + 1] == from) break;
      if (e < nedge) {
        h->edge[4 * e + 3] = f;
      } else {
        h->edge[4 * e] = from, h->edge[4 * e + 1] = to, h->edge[4 * e + 2] = f;
        nedge++;
      }
    }
  }
  s.of.hull = (SarHull){.nvertex = nvertex,
                        .nedge = nedge,
                        .nface = nface,
                        .vertex = h->vertex,
                        .normal = h->normal,
                        .offset = h->offset,
                        .face_adr = h->face_adr,
                        .face_vertex = h->face_vertex,
                        .edge = h->edge,
                        .centre = centre};
  return s;
}

// A prism with n sides around z.
static inline SarSolid solid_prism(TestHull* h, int n, double r, double half) {
  int at = 0;
  for (int i = 0; i < n; i++) {
    double angle = 6.283185307179586 * (i + 0.5) / n;
    h->vertex[i] = v3(r * cos(angle), r * sin(angle), -half);
    h->vertex[n + i] = v3(r * cos(angle), r * sin(angle), half);
    h->face_adr[i] = at;
    int j = (i + 1) % n;
    h->face_vertex[at++] = i, h->face_vertex[at++] = j;
    h->face_vertex[at++] = n + j, h->face_vertex[at++] = n + i;
  }
  h->face_adr[n] = at;
  for (int i = 0; i < n; i++) h->face_vertex[at++] = n - 1 - i;
  h->face_adr[n + 1] = at;
  for (int i = 0; i < n; i++) h->face_vertex[at++] = n + i;
  h->face_adr[n + 2] = at;
  return solid_of_faces(h, 2 * n, n + 2);
}

// The hull of n random points on an ellipsoid: every triangle that has all points on one side is a
// face.
static inline SarSolid solid_random_hull(TestHull* h, Rng* r, int n) {
  V3 axes = rng_v3(r, 0.3, 1);
  for (int i = 0; i < n; i++) {
    V3 p = solid_direction(r);
    h->vertex[i] = v3(axes.x * p.x, axes.y * p.y, axes.z * p.z);
  }
  int nface = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        if (i > j || i > k || i == j || j == k || i == k) continue;
        V3 p = h->vertex[i];
        V3 m = v3_cross(v3_sub(h->vertex[j], p), v3_sub(h->vertex[k], p));
        bool face = true;
        for (int l = 0; l < n; l++)
          face = face && (l == i || l == j || l == k || v3_dot(m, v3_sub(h->vertex[l], p)) < 0);
        if (!face) continue;
        h->face_adr[nface] = 3 * nface;
        h->face_vertex[3 * nface] = i, h->face_vertex[3 * nface + 1] = j;
        h->face_vertex[3 * nface + 2] = k;
        nface++;
      }
  h->face_adr[nface] = 3 * nface;
  return solid_of_faces(h, n, nface);
}

// Some solid of a kind, of size about 1.
static inline SarSolid solid_random(TestHull* h, Rng* r, SarSolidKind kind) {
  double x = rng_uniform(r, 0.2, 1), y = rng_uniform(r, 0.2, 1), z = rng_uniform(r, 0.2, 1);
  switch (kind) {
    case SAR_SOLID_SPHERE: return solid_sphere(x);
    case SAR_SOLID_BOX: return solid_box(x, y, z);
    case SAR_SOLID_CAPSULE: return solid_capsule(x, y);
    case SAR_SOLID_CYLINDER: return solid_cylinder(x, y);
    case SAR_SOLID_CONVEX:
      if (rng_int(r, 2)) return solid_prism(h, 3 + rng_int(r, 6), x, y);
      return solid_random_hull(h, r, 5 + rng_int(r, 10));
    default: return solid_plane();
  }
}

// How far the solid at X reaches in direction n.
static inline double solid_reach(const SarSolid* s, const Xform* X, V3 n) {
  V3 d = m3_tmul_v(X->R, n);
  double reach = v3_dot(n, X->p), across = sqrt(d.x * d.x + d.y * d.y);
  switch (s->kind) {
    case SAR_SOLID_SPHERE: return reach + s->size[0];
    case SAR_SOLID_BOX:
      return reach + fabs(d.x) * s->size[0] + fabs(d.y) * s->size[1] + fabs(d.z) * s->size[2];
    case SAR_SOLID_CAPSULE: return reach + s->size[0] + s->size[1] * fabs(d.z);
    case SAR_SOLID_CYLINDER: return reach + s->size[0] * across + s->size[1] * fabs(d.z);
    case SAR_SOLID_CONVEX: {
      double most = -HUGE_VAL;
      for (int i = 0; i < s->of.hull.nvertex; i++)
        most = fmax(most, v3_dot(d, s->of.hull.vertex[i]));
      return reach + most;
    }
    default: return d.z > 1 - 1e-12 ? reach : HUGE_VAL;
  }
}

// s(n): the gap between a and b along n, negative if they overlap seen that way
static inline double solid_gap(const SarSolid* a, const Xform* X_a, const SarSolid* b,
                               const Xform* X_b, V3 n) {
  return -solid_reach(b, X_b, v3_neg(n)) - solid_reach(a, X_a, n);
}

// The largest s(n): from many directions, the best of them climbed from with shrinking steps.
static inline double solid_gap_search(const SarSolid* a, const Xform* X_a, const SarSolid* b,
                                      const Xform* X_b, Rng* r, int tries, V3* normal) {
  enum { BEST = 6 };
  V3 top[BEST];
  double value[BEST];
  for (int i = 0; i < BEST; i++) value[i] = -HUGE_VAL;
  for (int t = 0; t < tries; t++) {
    V3 n = solid_direction(r);
    double s = solid_gap(a, X_a, b, X_b, n);
    bool near = false;  // one start for each hill
    for (int i = 0; i < BEST; i++)
      if (value[i] > -HUGE_VAL && v3_dot(top[i], n) > 0.9) {
        if (s > value[i]) value[i] = s, top[i] = n;
        near = true;
        break;
      }
    if (near) continue;
    int least = 0;
    for (int i = 1; i < BEST; i++)
      if (value[i] < value[least]) least = i;
    if (s > value[least]) value[least] = s, top[least] = n;
  }
  double best = -HUGE_VAL;
  for (int i = 0; i < BEST; i++) {
    if (value[i] == -HUGE_VAL) continue;
    for (double step = 0.2; step > 1e-9; step *= 0.7)
      for (int k = 0; k < 12; k++) {
        V3 by = solid_direction(r);
        V3 n = v3_unit(v3_axpy(step, by, top[i]));
        double s = solid_gap(a, X_a, b, X_b, n);
        if (s > value[i]) value[i] = s, top[i] = n;
      }
    if (value[i] > best) best = value[i], *normal = top[i];
  }
  return best;
}
