// Gap of two polytopes by separating axes (SAT): exact where they touch or overlap.
//
// The gap along n is  s(n) = min_b n.x - max_a n.x.  Overlapping polytopes have its largest value
// (the least depth) at a normal of a face, or at the cross product of two edges, one of each: the
// faces of the difference a - b. An edge pair makes such a face only if the arcs of the two edges
// on the sphere of normals cross (Gauss map; Gottschalk 1996 for boxes), which a few products tell.
// Flat cores (segment, triangle) have half circles for arcs, which those products cannot see; there
// every pair is tried with the full s(n).
// For polytopes apart s is the distance only if a face or two edges face each other, else a lower
// bound.
//
// Edge axes are as good as the edges are far from parallel: their rounding grows with 1/sin of the
// angle, and an edge pair must beat the faces by more than that.
#include "collide/sat.h"

#include "collide/hull.h"

static const double ROUNDING = 1e-14;
static const double PARALLEL = 1e-7;  // sin of the angle of edges that are taken as parallel

SarSat sar_sat_new(const Core* a, const Core* b, const Xform* X) {
  return (SarSat){.a = a,
                  .b = b,
                  .X = X,
                  .scale = a->extent + b->extent,
                  .flat = a->hull.nface < 4 || b->hull.nface < 4,
                  .best = {.normal = v3(0, 0, 1), .gap = -HUGE_VAL}};
}

// the triangle pushes to its front only
static bool allowed(const SarSat* s, V3 n) {
  return !s->a->one_sided || v3_dot(n, s->a->normal[0]) >= -1e-9;
}

void sar_sat_face_a(SarSat* s, int face, int* near) {
  const SarHull* h = &s->a->hull;
  V3 n = h->normal[face];
  V3 q = x_point(*s->X, sar_core_support_near(s->b, m3_tmul_v(s->X->R, v3_neg(n)), near));
  double gap = v3_dot(n, q) - h->offset[face];
  if (gap > s->best.gap)
    s->best = (Meeting){n, gap, v3_axpy(-0.5 * gap, n, q), feature_of_b(*near)};
}

void sar_sat_face_b(SarSat* s, int face, int* near) {
  const SarHull* h = &s->b->hull;
  V3 n = v3_neg(m3_mul_v(s->X->R, h->normal[face]));
  if (!allowed(s, n)) return;
  V3 q = sar_core_support_near(s->a, n, near);
  double gap = v3_dot(h->normal[face], x_point_inv(*s->X, q)) - h->offset[face];
  // faces of a keep a tie
  if (gap > s->best.gap + ROUNDING * s->scale)
    s->best = (Meeting){n, gap, v3_axpy(0.5 * gap, n, q), feature_of_a(*near)};
}

// A point of the other core bounds the gap along a normal: most faces need no more than that.
static void faces_of_a(SarSat* s) {
  const SarHull* h = &s->a->hull;
  int nface = s->a->one_sided ? 1 : h->nface, near = 0;
  V3 inside = x_point(*s->X, s->b->hull.centre);
  for (int f = 0; f < nface; f++)
    if (v3_dot(h->normal[f], inside) - h->offset[f] > s->best.gap) sar_sat_face_a(s, f, &near);
}

static void faces_of_b(SarSat* s) {
  const SarHull* h = &s->b->hull;
  V3 inside = x_point_inv(*s->X, s->a->hull.centre);
  int near = 0;
  for (int f = 0; f < h->nface; f++)
    if (v3_dot(h->normal[f], inside) - h->offset[f] > s->best.gap) sar_sat_face_b(s, f, &near);
}

// halfway between the closest points of two lines that are not parallel; within: both are on their
// edges
static V3 between(const SarSatEdge* a, const SarSatEdge* b, V3 n, bool* within) {
  V3 r = v3_sub(b->p, a->p), across_b = v3_cross(b->d, n), across_a = v3_cross(a->d, n);
  double t = v3_dot(r, across_b) / v3_dot(a->d, across_b);
  double u = -v3_dot(r, across_a) / v3_dot(b->d, across_a);
  *within = t >= 0 && t <= 1 && u >= 0 && u <= 1;
  return v3_axpy(0.5 * v3_dot(n, r), n, v3_axpy(t, a->d, a->p));
}

static void offer(SarSat* s, const SarSatEdge* a, const SarSatEdge* b, V3 n, double gap,
                  double sine) {
  if (gap > s->best.gap + ROUNDING * s->scale / sine)
    s->best = (Meeting){n, gap, between(a, b, n, &s->crossing), feature_cross(a->label, b->label)};
}

// Arcs cross if each one's ends are on either side of the other's great circle, and on the same
// hemisphere: the normals of b count negated, as b looks at a.
static bool arcs_cross(const SarSatEdge* a, const SarSatEdge* b) {
  double cl = -v3_dot(b->left, a->d), cr = -v3_dot(b->right, a->d);
  double al = v3_dot(a->left, b->d), ar = v3_dot(a->right, b->d);
  return cl * cr < 0 && al * ar < 0 && cl * ar > 0;
}

static void edge_pair(SarSat* s, const SarSatEdge* a, const SarSatEdge* b) {
  V3 n = v3_cross(a->d, b->d);
  double length2 = v3_dot(n, n), a2 = v3_dot(a->d, a->d), b2 = v3_dot(b->d, b->d);
  if (!(length2 > PARALLEL * PARALLEL * a2 * b2)) return;
  double sine = sqrt(length2 / (a2 * b2));
  n = v3_scale(1 / sqrt(length2), n);
  if (!s->flat) {
    // outward for a: the side of both its faces
    if (v3_dot(n, v3_add(a->left, a->right)) < 0) n = v3_neg(n);
    offer(s, a, b, n, v3_dot(n, v3_sub(b->p, a->p)), sine);
    return;
  }
  for (int side = 0; side < 2; side++, n = v3_neg(n)) {
    if (!allowed(s, n)) continue;
    V3 p, q;
    double gap = sar_gap_along(s->a, s->b, s->X, n, &p, &q);
    // edges parallel to these may be the farthest ones; then it is their turn
    if (v3_dot(n, v3_sub(b->p, a->p)) <= gap + 1e-12 * s->scale) offer(s, a, b, n, gap, sine);
  }
}

void sar_sat_edges(SarSat* s, const SarSatEdge* a, const SarSatEdge* b) {
  if (s->flat || arcs_cross(a, b)) edge_pair(s, a, b);
}

SarSatEdge sar_sat_edge(const SarHull* h, int i) {
  const int* e = h->edge + 4 * i;
  SarSatEdge edge = {.p = h->vertex[e[0]], .label = edge_label(e[0], e[1])};
  edge.d = v3_sub(h->vertex[e[1]], edge.p);
  if (e[2] >= 0) edge.left = h->normal[e[2]], edge.right = h->normal[e[3]];
  return edge;
}

SarSatEdge sar_sat_edge_turned(const SarSatEdge* e, const Xform* X) {
  return (SarSatEdge){x_point(*X, e->p), m3_mul_v(X->R, e->d), m3_mul_v(X->R, e->left),
                      m3_mul_v(X->R, e->right), e->label};
}

// Edges whose axis is better than the depth so far touch each other after a shift by less than it:
// an edge that stays farther from the other core has no such partner. First along the normal so
// far, which costs a product for each end,
typedef struct Slab {
  V3 n_a, n_b;       // the normal, in both frames
  double low, high;  // least of n_a.x in a, most of n_b.x in b
  double reach;
} Slab;

static Slab slab_of(const SarSat* s) {
  V3 p, q, n = s->best.normal;
  double reach = fabs(s->best.gap) + 1e-6 * s->scale;
  sar_gap_along(s->a, s->b, s->X, n, &p, &q);
  return (Slab){n, m3_tmul_v(s->X->R, n), v3_dot(n, q) - reach,
                v3_dot(n, v3_sub(p, s->X->p)) + reach, reach};
}

// then along the normals of the other's faces. `last` is the face that told so of the edge before,
// and likely does again.
static bool beyond(const SarHull* h, V3 from, V3 to, double reach, int* last) {
  for (int k = 0, f = *last; k < h->nface; k++, f = f + 1 < h->nface ? f + 1 : 0) {
    double far = h->offset[f] + reach;
    if (v3_dot(h->normal[f], from) > far && v3_dot(h->normal[f], to) > far) {
      *last = f;
      return true;
    }
  }
  return false;
}

enum { CHUNK = 32 };                      // edges of b at a time, in the frame of a
enum { MOST_EDGES = 3 * SAR_HULL_MOST };  // of triangles; polygons have fewer

// Which edges of a are too far for any of b: asked once, with the first chunk.
typedef struct Far {
  bool asked;
  unsigned char bit[MOST_EDGES / 8];
} Far;

static bool is_far(const SarSat* s, int i, const Slab* slab, Far* far, int* last) {
  const SarHull* h = &s->a->hull;
  if (far->asked) return far->bit[i / 8] >> (i % 8) & 1;
  const V3 p = h->vertex[h->edge[4 * i]], q = h->vertex[h->edge[4 * i + 1]];
  const bool yes =
      (v3_dot(slab->n_a, p) < slab->low && v3_dot(slab->n_a, q) < slab->low) ||
      beyond(&s->b->hull, x_point_inv(*s->X, p), x_point_inv(*s->X, q), slab->reach, last);
  if (i % 8 == 0) far->bit[i / 8] = 0;
  if (yes) far->bit[i / 8] = (unsigned char)(far->bit[i / 8] | 1U << (i % 8));
  return yes;
}

static void pairs_with(SarSat* s, const SarSatEdge* chunk, int n, const Slab* slab, Far* far) {
  const SarHull* h = &s->a->hull;
  int last = 0;
  for (int i = 0; i < h->nedge; i++) {
    if (is_far(s, i, slab, far, &last)) continue;
    const SarSatEdge a = sar_sat_edge(h, i);
    for (int k = 0; k < n; k++) sar_sat_edges(s, &a, &chunk[k]);
  }
  far->asked = true;
}

bool sar_meet_faces(const Core* a, const Core* b, const Xform* X, double limit, Meeting* m) {
  SarSat s = sar_sat_new(a, b, X);
  faces_of_a(&s);
  if (s.best.gap <= limit) faces_of_b(&s);
  *m = s.best;
  return s.best.gap <= limit;
}

bool sar_meet_edges(const Core* a, const Core* b, const Xform* X, Meeting* m) {
  SarSat s = sar_sat_new(a, b, X);
  s.best = *m;
  const SarHull* h = &b->hull;
  Slab slab = slab_of(&s);
  SarSatEdge chunk[CHUNK];
  Far far;
  int n = 0, last = 0;
  far.asked = false;
  for (int j = 0; j < h->nedge; j++) {
    V3 p = h->vertex[h->edge[4 * j]], q = h->vertex[h->edge[4 * j + 1]];
    if (v3_dot(slab.n_b, p) > slab.high && v3_dot(slab.n_b, q) > slab.high) continue;
    if (beyond(&a->hull, x_point(*X, p), x_point(*X, q), slab.reach, &last)) continue;
    const SarSatEdge local = sar_sat_edge(h, j);
    chunk[n++] = sar_sat_edge_turned(&local, X);
    if (n < CHUNK) continue;
    pairs_with(&s, chunk, n, &slab, &far);
    n = 0;
  }
  if (n > 0) pairs_with(&s, chunk, n, &slab, &far);
  *m = s.best;
  return s.crossing;
}
