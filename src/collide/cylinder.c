// Penetration depth where a cylinder is in another core: separating directions, kind by kind.
//
// The gap along n, s(n), has its largest value where a face of the difference of the cores is
// nearest to the origin. Such a face belongs to one of these, and each gives its n:
//
//   face, rim      the face's normal                     end, vertex    the axis
//   edge, side     axis x edge                         vertex, side   the radius through the vertex
//   edge, rim      around the edge, see below            rims of two cylinders: two freedoms,
//                  climbed from the best
//
// Seen along an edge e through x the rim is an ellipse, r wide and r |e_z| high, and n = c w + s
// y,  w = z x e / |z x e|, y = e x w. With  a = x.w,  b = |x.y| - (height of the rim),  k = 1 -
// e_z^2  the gap around the edge is
//
//   f = a c + b s - r rho,   rho = sqrt(1 - k s^2),     f' = - a s + b c + r k s c / rho
//
// For b >= 0 f' changes sign between n = w and n = y; for b < 0 it may, where the ellipse is flat
// enough. The side of another cylinder is an edge too, with its radius taken off.
//
// A bound that costs one point of the polytope comes before s(n) with all of them, and edges and
// vertices that are farther from the cylinder than the least depth so far are left out. Any n gives
// a translation that parts the solids, so a depth is never too small.
#include "collide/pairs.h"

enum { ROUNDS = 60, STARTS = 7 };

typedef struct Search {
  const Core *c, *other;  // cylinder, polytope or cylinder
  Xform X;                // of `other` in the cylinder's frame
  V3 allowed;             // zero, or n.allowed >= 0 is wanted
  V3 normal, point;       // best so far, from the cylinder
  double gap;
} Search;

static double reach(const Core* c, V3 n) {
  return c->size[0] * sqrt(n.x * n.x + n.y * n.y) + c->size[1] * fabs(n.z);
}

// Halfway between the surfaces: from the rim's point p; or, if the cylinder touches with its end or
// side, from the vertex q, or from where its line passes the edge x + t e.
static V3 touch_point(const Core* c, V3 n, double gap, V3 p, V3 q, V3 x, V3 e) {
  double rho2 = n.x * n.x + n.y * n.y;
  if (rho2 > 1e-18 && fabs(n.z) > 1e-9) return v3_axpy(0.5 * gap, n, p);
  double across = -n.y * e.x + n.x * e.y;  // z x n is square to the line
  if (rho2 < 1e-18 || fabs(across) < 1e-12) return v3_axpy(-0.5 * gap, n, q);
  double t = (n.y * x.x - n.x * x.y) / across, r = c->size[0];
  return v3_axpy(0.5 * gap, n, v3(r * n.x, r * n.y, x.z + t * e.z));
}

// s(n) if it is more than the best; x is a point of `other`, whose gap bounds it, e its edge
// through it or zero
static void offer(Search* s, V3 n, V3 x, V3 e) {
  if (!(v3_dot(n, x) - reach(s->c, n) > s->gap) || v3_dot(n, s->allowed) < -1e-9) return;
  V3 p, q;
  double gap = sar_gap_along(s->c, s->other, &s->X, n, &p, &q);
  if (!(gap > s->gap)) return;
  // an edge parallel to this one may be the nearest; then it is its turn
  bool edge = e.x != 0 || e.y != 0 || e.z != 0;
  double scale = s->c->extent + s->other->extent;
  if (edge && s->other->kind != CORE_CYLINDER && v3_dot(n, v3_sub(x, q)) > 1e-9 * scale) return;
  s->gap = gap;
  s->normal = n;
  s->point = touch_point(s->c, n, gap, p, q, x, e);
}

static void offer_both(Search* s, V3 n, V3 x, V3 e) {
  offer(s, n, x, e);
  offer(s, v3_neg(n), x, e);
}

// f' in the quarter c >= 0, s >= 0, and f''
static double slope(double a, double b, double r, double k, const double* n, double* second) {
  double c = n[0], s = n[1], rho2 = fmax(1 - k * s * s, 1e-300), rho = sqrt(rho2);
  double bend = r * k / rho;
  *second = -(a * c + b * s) + bend * (c * c - s * s + k * s * s * c * c / rho2);
  return -a * s + b * c + bend * s * c;
}

static void unit_2(double c, double s, double* out) {
  double length = sqrt(c * c + s * s);
  out[0] = c / length, out[1] = s / length;
}

// The maximum of f in the quarter; false: it is at n = w, or there is none.
static bool around_rim(double a, double b, double r, double k, double* n) {
  // cos and sin of 80, 70, ... 20 degrees
  static const double START[STARTS][2] = {{0.17364817766693041, 0.98480775301220802},
                                          {0.34202014332566882, 0.93969262078590832},
                                          {0.5, 0.86602540378443865},
                                          {0.64278760968653936, 0.76604444311897801},
                                          {0.76604444311897801, 0.64278760968653936},
                                          {0.86602540378443865, 0.5},
                                          {0.93969262078590832, 0.34202014332566882}};
  double low[2] = {1, 0}, high[2] = {0, 1}, second;  // f' >= 0 at low, f' <= 0 at high
  if (b < 0) {
    int i = 0;
    while (i < STARTS && slope(a, b, r, k, START[i], &second) < 0) i++;
    if (i == STARTS) return false;
    low[0] = START[i][0], low[1] = START[i][1];
  }
  unit_2(low[0] + high[0], low[1] + high[1], n);
  for (int i = 0; i < ROUNDS; i++) {
    double first = slope(a, b, r, k, n, &second);
    double* end = first >= 0 ? low : high;
    end[0] = n[0], end[1] = n[1];
    // Newton where it stays between the ends, else halves
    double step = second < 0 ? -first / second : 0, next[2];
    unit_2(n[0] - step * n[1], n[1] + step * n[0], next);
    bool between = second < 0 && low[0] * next[1] >= low[1] * next[0] &&
                   next[0] * high[1] >= next[1] * high[0];
    if (!between) unit_2(low[0] + high[0], low[1] + high[1], next);
    n[0] = next[0], n[1] = next[1];
    if (between && fabs(step) < 1e-9) break;  // quadratic: exact after this step
  }
  return true;
}

// An edge with direction e (unit) through x, or the side of a cylinder around it.
static void edge_ways(Search* s, V3 x, V3 e) {
  double k = e.x * e.x + e.y * e.y, r = s->c->size[0];
  if (!(k > 1e-20)) return;  // parallel to the axis: a vertex does the same
  V3 w = v3_scale(1 / sqrt(k), v3(-e.y, e.x, 0)), y = v3_cross(e, w);
  double a = v3_dot(x, w), b = v3_dot(x, y), half = s->c->size[1] * sqrt(k), n[2];
  offer_both(s, w, x, e);
  if (fabs(e.z) < 1e-6) return;  // seen along the edge the rim is a line: as the end
  for (int side = -1; side <= 1; side += 2) {
    // no direction around the edge has more than the distance of its point from the ellipse's inner
    // circle
    double up = side * b - half;
    if (sqrt(a * a + up * up) - r * sqrt(fmax(0, 1 - k)) <= s->gap) continue;
    if (!around_rim(fabs(a), up, r, k, n)) continue;
    V3 d = v3_add(v3_scale(a < 0 ? -n[0] : n[0], w), v3_scale(side * n[1], y));
    offer(s, d, x, e);
  }
}

// Both ends of an edge farther off than the depth: it cannot be touched by less than that.
static bool beyond(const Search* s, V3 p, V3 q) {
  double depth = fabs(s->gap), top = s->c->size[1] + depth, side = s->c->size[0] + depth;
  if ((p.z > top && q.z > top) || (p.z < -top && q.z < -top)) return true;
  double x = p.x + q.x, y = p.y + q.y, length = sqrt(x * x + y * y);
  return p.x * x + p.y * y > side * length && q.x * x + q.y * y > side * length;
}

static void polytope_ways(Search* s) {
  const SarHull* h = &s->other->hull;
  const V3 up = v3(0, 0, 1), none = v3_zero();
  offer_both(s, up, x_point(s->X, h->vertex[0]), none);
  for (int f = 0; f < h->nface; f++) {
    V3 x = x_point(s->X, h->vertex[h->face_vertex[h->face_adr[f]]]);
    offer(s, v3_neg(m3_mul_v(s->X.R, h->normal[f])), x, none);
  }
  for (int i = 0; i < h->nvertex; i++) {
    V3 x = x_point(s->X, h->vertex[i]);
    double rho = sqrt(x.x * x.x + x.y * x.y);
    if (rho > 0) offer_both(s, v3(x.x / rho, x.y / rho, 0), x, none);
  }
  for (int i = 0; i < h->nedge; i++) {
    V3 p = x_point(s->X, h->vertex[h->edge[4 * i]]),
       q = x_point(s->X, h->vertex[h->edge[4 * i + 1]]);
    V3 e = v3_sub(q, p);
    double length = v3_norm(e);
    if (length > 0 && !beyond(s, p, q)) edge_ways(s, p, v3_scale(1 / length, e));
  }
}

static void cylinder_ways(Search* s) {
  V3 a = v3(0, 0, 1), b = m3_col_z(s->X.R), p = s->X.p;
  V3 across = v3_axpy(-v3_dot(p, b), b, p);  // from the axis of b to a
  double length = v3_norm(across);
  offer_both(s, a, p, v3_zero());
  offer_both(s, b, p, v3_zero());
  if (length > 0) offer(s, v3_scale(1 / length, across), p, v3_zero());
  edge_ways(s, p, b);
}

static void search(Search* s, const Core* c, const Core* other, Xform X) {
  *s = (Search){.c = c, .other = other, .X = X, .gap = -HUGE_VAL, .normal = v3(0, 0, 1)};
  // a triangle pushes to its front: from the cylinder's side that is the other way
  if (other->one_sided) s->allowed = v3_neg(m3_mul_v(X.R, other->normal[0]));
  if (other->kind == CORE_CYLINDER)
    cylinder_ways(s);
  else
    polytope_ways(s);
}

// Two rims: climbed from the best direction so far, and from the best of some between the axes and
// the centres' line.
static void rim_ways(const Core* a, const Core* b, const Xform* X, Meeting* m) {
  V3 centre = X->p, u = v3(0, 0, centre.z < 0 ? -1 : 1), v = m3_col_z(X->R), none = v3_zero();
  double distance = v3_norm(centre), best = -HUGE_VAL;
  if (v3_dot(v, centre) < 0) v = v3_neg(v);
  if (distance > 0) centre = v3_scale(1 / distance, centre);
  const V3 way[] = {v3_add(u, v), v3_add(u, centre), v3_add(v, centre)};
  Meeting from[2] = {*m, *m};
  for (int i = 0; i < 3; i++) {
    double length = v3_norm(way[i]);
    if (!(length > 1e-6)) continue;
    V3 n = v3_scale(1 / length, way[i]), p, q;
    double gap = sar_gap_along(a, b, X, n, &p, &q);
    if (gap > best) best = gap, from[1].normal = n;
  }
  for (int i = 0; i < 2; i++) {
    sar_meet_improve(a, b, X, &none, 0, &from[i]);
    if (from[i].gap > m->gap) *m = from[i];
  }
}

bool sar_meet_curved(const Core* a, const Core* b, const Xform* X, double limit, Meeting* m) {
  bool both = a->kind == CORE_CYLINDER && b->kind == CORE_CYLINDER, swap = a->kind != CORE_CYLINDER;
  Search s, t;
  search(&s, swap ? b : a, swap ? a : b, swap ? x_inv(*X) : *X);
  if (both) {
    search(&t, b, a, x_inv(*X));
    if (t.gap > s.gap) s = t, swap = true;
  }
  if (!(s.gap > -HUGE_VAL)) return false;
  m->normal = swap ? v3_neg(m3_mul_v(X->R, s.normal)) : s.normal;
  m->point = swap ? x_point(*X, s.point) : s.point;
  m->gap = s.gap;
  m->feature = feature_cross(1, 1);
  if (both) rim_ways(a, b, X, m);
  return m->gap <= limit;
}
