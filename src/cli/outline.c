// Edges of solids that touch: those of boxes and hulls, rims and sides of round ones, three circles of a sphere. Meshes with
// hundreds of triangles are left to the skeleton, and so is what belongs to the ground.
#include "cli/outline.h"

#include <math.h>

enum { ROUND = 24, SIDES = 4, BOX_EDGES = 12, MOST_EDGES = 200 };

static int edges_of(const SarSolid* s) {
  switch (s->kind) {
    case SAR_SOLID_BOX: return BOX_EDGES;
    case SAR_SOLID_SPHERE: return 3 * ROUND;
    case SAR_SOLID_CAPSULE:
    case SAR_SOLID_CYLINDER: return 2 * ROUND + SIDES;
    case SAR_SOLID_CONVEX: return s->of.hull.nedge <= MOST_EDGES ? s->of.hull.nedge : 0;
    default: return 0;
  }
}

static V3 axis(int k) { return v3(k == 0, k == 1, k == 2); }

static Line line_of(const Xform* X, V3 from, V3 to) {
  return (Line){x_point(*X, from), x_point(*X, to)};
}

// corners +-1 that differ along one axis
static int draw_box(const SarSolid* s, const Xform* X, Line* out) {
  int n = 0;
  for (int along = 0; along < 3; along++)
    for (int side = 0; side < 4; side++) {
      const double a = s->size[along], b = s->size[(along + 1) % 3], c = s->size[(along + 2) % 3];
      const V3 middle = v3_add(v3_scale(side & 1 ? b : -b, axis((along + 1) % 3)),
                               v3_scale(side & 2 ? c : -c, axis((along + 2) % 3)));
      const V3 reach = v3_scale(a, axis(along));
      out[n++] = line_of(X, v3_sub(middle, reach), v3_add(middle, reach));
    }
  return n;
}

static V3 on_circle(V3 centre, int normal, double radius, double angle) {
  const V3 u = axis((normal + 1) % 3), v = axis((normal + 2) % 3);
  return v3_axpy(radius * cos(angle), u, v3_axpy(radius * sin(angle), v, centre));
}

static int draw_circle(const Xform* X, V3 centre, int normal, double radius, Line* out) {
  for (int i = 0; i < ROUND; i++)
    out[i] = line_of(X, on_circle(centre, normal, radius, 2 * M_PI * i / ROUND),
                     on_circle(centre, normal, radius, 2 * M_PI * (i + 1) / ROUND));
  return ROUND;
}

static int draw_tube(const SarSolid* s, const Xform* X, Line* out) {
  const V3 top = v3(0, 0, s->size[1]), bottom = v3(0, 0, -s->size[1]);
  int n = draw_circle(X, top, 2, s->size[0], out);
  n += draw_circle(X, bottom, 2, s->size[0], out + n);
  for (int i = 0; i < SIDES; i++)
    out[n++] = line_of(X, on_circle(top, 2, s->size[0], 2 * M_PI * i / SIDES),
                       on_circle(bottom, 2, s->size[0], 2 * M_PI * i / SIDES));
  return n;
}

static int draw_hull(const SarHull* h, const Xform* X, Line* out) {
  for (int i = 0; i < h->nedge; i++)
    out[i] = line_of(X, h->vertex[h->edge[4 * i]], h->vertex[h->edge[4 * i + 1]]);
  return h->nedge;
}

static int draw_solid(const SarSolid* s, const Xform* X, Line* out) {
  if (edges_of(s) == 0) return 0;
  switch (s->kind) {
    case SAR_SOLID_BOX: return draw_box(s, X, out);
    case SAR_SOLID_CONVEX: return draw_hull(&s->of.hull, X, out);
    case SAR_SOLID_SPHERE: {
      int n = 0;
      for (int k = 0; k < 3; k++) n += draw_circle(X, v3_zero(), k, s->size[0], out + n);
      return n;
    }
    default: return draw_tube(s, X, out);
  }
}

int outline_count(const SarModel* m) {
  int n = 0;
  for (int i = 0; i < m->ncollider; i++)
    if (m->collider[i].body >= 0) n += edges_of(&m->collider[i].solid);
  return n;
}

int outline_draw(const SarModel* m, const SarData* d, Line* lines) {
  int n = 0;
  for (int i = 0; i < m->ncollider; i++) {
    const SarCollider* c = &m->collider[i];
    if (c->body < 0) continue;
    const Xform X = x_mul(d->body_X_GB[c->body], c->X_BS);
    n += draw_solid(&c->solid, &X, lines + n);
  }
  return n;
}
