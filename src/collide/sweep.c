// Penetration depth of polytopes by all their axes, in proportion to how many there are: a walk
// over the overlay of both Gauss maps.
//
// Where face normals and edge pairs are as many as those of a fine ball inside another there is no
// way around looking at them, but each is found from its neighbour. The arc of an edge of a goes
// from the normal l of one of its faces to that of the other, r. Along  n(t) = l + t (r - l)  the
// gap of the edge, g(t) = min_b n(t).(x - p), is concave and made of straight pieces, one for each
// vertex of b that is met; it breaks where the arc crosses that of an edge of b. Tangents at both
// ends bound it from above, and since |n(t)| <= 1 the gap itself where it is negative: few arcs
// need to be walked.
#include "collide/sat.h"

// The largest value that g may have between t = 0 and 1, from its values and slopes at both ends.
static double bound(double g0, double slope0, double g1, double slope1) {
  // concave: no slope is larger than the first or smaller than the last
  if (slope1 >= 0) return g1;
  const double t = (g1 - g0 - slope1) / (slope0 - slope1);
  return g0 + slope0 * fmin(fmax(t, 0), 1);
}

// Vertex after vertex of b along the arc; slopes only fall, so no vertex is met twice.
static void walk(SarSat* s, const SarSatEdge* e, V3 left, V3 way, int at) {
  const SarHull* h = &s->b->hull;
  for (int step = 0; step < h->nvertex; step++) {
    int next = -1, edge = -1;
    double first = 1;
    for (int k = h->ring_adr[at]; k < h->ring_adr[at + 1]; k++) {
      const V3 to = v3_sub(h->vertex[h->ring[k]], h->vertex[at]);
      const double slope = v3_dot(way, to);
      if (!(slope < 0)) continue;
      const double t = fmax(-v3_dot(left, to) / slope, 0);
      if (t < first) first = t, next = h->ring[k], edge = h->ring_edge[k];
    }
    if (next < 0) return;
    const SarSatEdge local = sar_sat_edge(h, edge), turned = sar_sat_edge_turned(&local, s->X);
    sar_sat_edges(s, e, &turned);
    at = next;
  }
}

static void arc(SarSat* s, int i, int* at) {
  const SarHull* other = &s->b->hull;
  const SarSatEdge e = sar_sat_edge(&s->a->hull, i);
  // in the frame of b
  const V3 p = x_point_inv(*s->X, e.p), left = m3_tmul_v(s->X->R, e.left),
           right = m3_tmul_v(s->X->R, e.right), way = v3_sub(right, left);
  sar_core_support_near(s->b, v3_neg(left), at);
  const V3 d0 = v3_sub(other->vertex[*at], p);
  const double g0 = v3_dot(left, d0), slope0 = v3_dot(way, d0);
  // the best is no less than the gap of the face, and from there it only falls
  if (slope0 <= 0 || (g0 + slope0 <= 0 && g0 + slope0 <= s->best.gap)) return;
  int end = *at;
  sar_core_support_near(s->b, v3_neg(right), &end);
  const V3 d1 = v3_sub(other->vertex[end], p);
  const double most = bound(g0, slope0, v3_dot(right, d1), v3_dot(way, d1));
  if (end != *at && (most > 0 || most > s->best.gap)) walk(s, &e, left, way, *at);
}

// Vertex by vertex, so that each edge or face is near the one before: each counts at its first
// vertex.
static void arcs(SarSat* s) {
  const SarHull* h = &s->a->hull;
  for (int i = 0, at = 0; i < h->nvertex; i++) {
    const int v = h->tour ? h->tour[i] : i;
    for (int k = h->ring_adr[v]; k < h->ring_adr[v + 1]; k++)
      if (h->edge[4 * h->ring_edge[k]] == v) arc(s, h->ring_edge[k], &at);
  }
}

typedef void OfferFace(SarSat* s, int face, int* near);

// `inside` is a point of the other core, in the frame of h: it bounds the gap.
static void faces(SarSat* s, const SarHull* h, V3 inside, OfferFace* offer) {
  for (int i = 0, at = 0; i < h->nvertex; i++) {
    const int v = h->tour ? h->tour[i] : i;
    for (int k = h->ring_adr[v]; k < h->ring_adr[v + 1]; k++) {
      const int* e = h->edge + 4 * h->ring_edge[k];
      const int f = e[0] == v ? e[2] : e[3];
      if (h->face_vertex[h->face_adr[f]] != v) continue;
      if (v3_dot(h->normal[f], inside) - h->offset[f] > s->best.gap) offer(s, f, &at);
    }
  }
}

void sar_meet_sweep(const Core* a, const Core* b, const Xform* X, Meeting* m) {
  SarSat s = sar_sat_new(a, b, X);
  faces(&s, &a->hull, x_point(*X, b->hull.centre), sar_sat_face_a);
  faces(&s, &b->hull, x_point_inv(*X, a->hull.centre), sar_sat_face_b);
  arcs(&s);
  *m = s.best;
}
