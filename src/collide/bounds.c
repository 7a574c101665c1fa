// Axis-aligned bounding boxes (AABB) around solids, along the axes of ground.
//
// All but the triangles' are as small as can be: the broad phase passes on every pair whose boxes
// overlap, and each one costs a call of the narrow phase.
#include "collide/collide.h"

#include "collide/pairs.h"

static SarBounds around(V3 centre, V3 half) {
  return (SarBounds){v3_sub(centre, half), v3_add(centre, half)};
}

static V3 grown(V3 a, double by) { return v3(a.x + by, a.y + by, a.z + by); }

// |R| h: how far a box with half lengths h reaches along the axes of ground
static V3 box_reach(const M3* R, V3 h) {
  return v3(fabs(R->xx) * h.x + fabs(R->xy) * h.y + fabs(R->xz) * h.z,
            fabs(R->yx) * h.x + fabs(R->yy) * h.y + fabs(R->yz) * h.z,
            fabs(R->zx) * h.x + fabs(R->zy) * h.y + fabs(R->zz) * h.z);
}

// A disc square to u reaches r sqrt(1 - u_k^2) along axis k.
static V3 cylinder_reach(V3 u, double r, double half) {
  return v3(half * fabs(u.x) + r * sqrt(fmax(0, 1 - u.x * u.x)),
            half * fabs(u.y) + r * sqrt(fmax(0, 1 - u.y * u.y)),
            half * fabs(u.z) + r * sqrt(fmax(0, 1 - u.z * u.z)));
}

// Everything below a plane has an end along an axis of ground only if the plane is square to it.
static SarBounds below(V3 up, V3 p) {
  const double inf = HUGE_VAL;
  return (SarBounds){v3(up.x == -1 ? p.x : -inf, up.y == -1 ? p.y : -inf, up.z == -1 ? p.z : -inf),
                     v3(up.x == 1 ? p.x : inf, up.y == 1 ? p.y : inf, up.z == 1 ? p.z : inf)};
}

// vertex by vertex; without vertices: the origin
static SarBounds points(const V3* vertex, int n, const Xform* X) {
  SarBounds b = {X->p, X->p};
  for (int i = 0; i < n; i++) {
    V3 x = x_point(*X, vertex[i]);
    if (i == 0) b.low = b.high = x;
    b.low = v3(fmin(b.low.x, x.x), fmin(b.low.y, x.y), fmin(b.low.z, x.z));
    b.high = v3(fmax(b.high.x, x.x), fmax(b.high.y, x.y), fmax(b.high.z, x.z));
  }
  return b;
}

// The farthest vertices along the axes of ground, by walks.
static SarBounds hull_bounds(const SarHull* h, const Xform* X) {
  const M3* R = &X->R;
  const V3 axis[3] = {v3(R->xx, R->xy, R->xz), v3(R->yx, R->yy, R->yz), v3(R->zx, R->zy, R->zz)};
  double low[3], high[3];
  for (int k = 0; k < 3; k++) {
    const V3 up = axis[k], down = v3_neg(up);
    high[k] = v3_dot(up, h->vertex[sar_hull_climb(h, up, sar_hull_extreme(h, up))]);
    low[k] = v3_dot(up, h->vertex[sar_hull_climb(h, down, sar_hull_extreme(h, down))]);
  }
  return (SarBounds){v3_add(v3_load(low), X->p), v3_add(v3_load(high), X->p)};
}

// a box of another frame, from corner to corner
static SarBounds box_between(V3 low, V3 high, const Xform* X) {
  V3 half = v3_scale(0.5, v3_sub(high, low)), centre = v3_scale(0.5, v3_add(low, high));
  return around(x_point(*X, centre), box_reach(&X->R, half));
}

// Below the highest point of the field, and unbounded towards its depth: as far as its side walls
// allow.
static SarBounds heights_bounds(const SarHeights* f, const Xform* X) {
  V3 low = v3(f->x0, f->y0, f->high);
  V3 high = v3(f->x0 + f->dx * (f->nx - 1), f->y0 + f->dy * (f->ny - 1), f->high);
  SarBounds top = box_between(low, high, X);
  V3 up = m3_col_z(X->R);
  if (up.x > 0) top.low.x = -HUGE_VAL;
  if (up.y > 0) top.low.y = -HUGE_VAL;
  if (up.z > 0) top.low.z = -HUGE_VAL;
  if (up.x < 0) top.high.x = HUGE_VAL;
  if (up.y < 0) top.high.y = HUGE_VAL;
  if (up.z < 0) top.high.z = HUGE_VAL;
  return top;
}

static SarBounds tight_bounds(const SarSolid* s, const Xform* X) {
  const double* size = s->size;
  V3 axis = m3_col_z(X->R);
  switch (s->kind) {
    case SAR_SOLID_SPHERE: return around(X->p, v3(size[0], size[0], size[0]));
    case SAR_SOLID_BOX: return around(X->p, box_reach(&X->R, v3_load(size)));
    case SAR_SOLID_CAPSULE:
      return around(X->p, grown(box_reach(&X->R, v3(0, 0, size[1])), size[0]));
    case SAR_SOLID_CYLINDER: return around(X->p, cylinder_reach(axis, size[0], size[1]));
    case SAR_SOLID_CONVEX:
      if (sar_hull_climbed(&s->of.hull)) return hull_bounds(&s->of.hull, X);
      return points(s->of.hull.vertex, s->of.hull.nvertex, X);
    case SAR_SOLID_TRIANGLES: {
      const SarTriangles* t = &s->of.triangles;
      if (t->nnode > 0) return box_between(t->node[0].low, t->node[0].high, X);
      return points(t->vertex, t->nvertex, X);
    }
    case SAR_SOLID_HEIGHTS: return heights_bounds(&s->of.heights, X);
    default: return below(axis, X->p);
  }
}

SarBounds sar_solid_bounds(const SarSolid* s, const Xform* X, double margin) {
  SarBounds b = tight_bounds(s, X);
  return (SarBounds){grown(b.low, -margin), grown(b.high, margin)};
}
