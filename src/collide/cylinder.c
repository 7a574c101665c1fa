// Depth where a cylinder is in another core.
//
// The gap along n, s(n) = min_b n.x - max_a n.x, has its largest value where a face of the difference a - b is nearest to
// the origin. Candidates with closed forms: normals of faces, the cylinder's axis, its radius through a vertex, axis x
// edge. Where a rim leans on an edge or on another rim the face is curved; directions around the edge, in
// sixteenths of a turn, start the search there. The best candidate is then improved:
//
//   move b along n until it is clear of a; n <- direction of the distance from there; repeat while s(n) grows
//
// which has the least depth as its fixed point, and contracts as depth / radius of curvature: at once for flat faces.
// Any n gives a translation that parts the solids, so the result is never too small.
#include "collide/pairs.h"

enum { ROUNDS = 8 };

typedef struct Search {
  const Core *a, *b;
  const Xform* X;
  Meeting best;
} Search;

static Meeting along(const Search* s, V3 n) {
  int la, lb;
  V3 p = sar_core_support(s->a, n, &la);
  V3 q = x_point(*s->X, sar_core_support(s->b, m3_tmul_v(s->X->R, v3_neg(n)), &lb));
  double gap = v3_dot(n, v3_sub(q, p));
  return (Meeting){n, gap, v3_scale(0.5, v3_add(p, q)), feature_cross(la, lb)};
}

static void offer_one(Search* s, V3 n) {
  if (s->a->one_sided && v3_dot(n, s->a->normal[0]) < -1e-9) return;
  Meeting m = along(s, n);
  if (m.gap > s->best.gap) s->best = m;
}

static void offer(Search* s, V3 d) {
  double length = v3_norm(d);
  if (!(length > 1e-100)) return;
  offer_one(s, v3_scale(1 / length, d));
  offer_one(s, v3_scale(-1 / length, d));
}

// faces of one core, its vertices' and edges' directions with the axis of the cylinder at c
static void offer_polytope(Search* s, const Core* p, const Xform* X, V3 axis, V3 c) {
  const SarHull* h = &p->hull;
  for (int f = 0; f < h->nface; f++) offer(s, m3_mul_v(X->R, h->normal[f]));
  for (int i = 0; i < h->nvertex; i++) {
    V3 r = v3_sub(x_point(*X, h->vertex[i]), c);
    offer(s, v3_axpy(-v3_dot(r, axis), axis, r));
  }
  for (int i = 0; i < h->nedge; i++) {
    V3 e = m3_mul_v(X->R, v3_sub(h->vertex[h->edge[4 * i + 1]], h->vertex[h->edge[4 * i]]));
    double length = v3_norm(e);
    if (!(length > 0)) continue;
    e = v3_scale(1 / length, e);
    offer(s, v3_cross(axis, e));
    // around the edge: half a turn, both ways
    V3 u = v3_perp(e), v = v3_cross(e, u);
    static const double TURN[8][2] = {{1, 0},
                                      {0.92387953251128674, 0.38268343236508977},
                                      {0.70710678118654752, 0.70710678118654752},
                                      {0.38268343236508977, 0.92387953251128674},
                                      {0, 1},
                                      {-0.38268343236508977, 0.92387953251128674},
                                      {-0.70710678118654752, 0.70710678118654752},
                                      {-0.92387953251128674, 0.38268343236508977}};
    for (int k = 0; k < 8; k++) offer(s, v3_add(v3_scale(TURN[k][0], u), v3_scale(TURN[k][1], v)));
  }
}

static void offer_cylinders(Search* s, V3 axis_a, V3 axis_b, V3 p) {
  offer(s, axis_a);
  offer(s, axis_b);
  offer(s, v3_cross(axis_a, axis_b));
  offer(s, p);
  offer(s, v3_axpy(-v3_dot(p, axis_a), axis_a, p));
  offer(s, v3_axpy(-v3_dot(p, axis_b), axis_b, p));
  // rims: between the axes and across
  V3 c = v3_cross(axis_a, axis_b);
  offer(s, v3_cross(axis_a, c));
  offer(s, v3_cross(axis_b, c));
  offer(s, v3_add(axis_a, axis_b));
  offer(s, v3_sub(axis_a, axis_b));
}

// The last distance also tells where the solids touch: halfway between the points that are nearest once they are clear.
static void improve(Search* s) {
  double scale = s->a->extent + s->b->extent;
  for (int round = 0; round < ROUNDS; round++) {
    double clear = fmax(0, -s->best.gap) + 1e-3 * scale, before = s->best.gap;
    V3 n = s->best.normal;
    Xform moved = {s->X->R, v3_axpy(clear, n, s->X->p)};
    Meeting m;
    if (sar_meet_gjk(s->a, s->b, &moved, 2 * clear, &m) != MEET_APART) return;
    offer_one(s, m.normal);
    s->best.point = v3_axpy(-0.5 * clear, n, m.point);
    s->best.feature = m.feature;
    if (!(s->best.gap > before + 1e-13 * scale)) return;
  }
}

bool sar_meet_curved(const Core* a, const Core* b, const Xform* X, double limit, Meeting* m) {
  Search s = {.a = a, .b = b, .X = X, .best = {.normal = v3(0, 0, 1), .gap = -HUGE_VAL}};
  V3 axis_b = m3_col_z(X->R), axis_a = v3(0, 0, 1);
  Xform here = x_identity();
  if (a->kind == CORE_CYLINDER && b->kind == CORE_CYLINDER) {
    offer_cylinders(&s, axis_a, axis_b, X->p);
  } else if (a->kind == CORE_CYLINDER) {
    offer(&s, axis_a);
    offer_polytope(&s, b, X, axis_a, v3_zero());
  } else {
    offer(&s, axis_b);
    offer_polytope(&s, a, &here, axis_b, X->p);
  }
  improve(&s);
  *m = s.best;
  return m->gap <= limit && m->gap > -HUGE_VAL;
}
