// The separating axis of faces and edges nearest to a direction.
//
// Iterations (GJK, EPA) end with a direction that is right to rounding over a difference of nearly
// equal numbers. The faces and edges that make it are then known: they meet at the vertices
// farthest along it. Among the axes of those (sat.h) the best one is taken, with the same numbers
// as if all axes had been tried.
#include "collide/sat.h"

enum { EDGES = 12 };              // of a core that are square to the direction
static const double NEAR = 1e-4;  // of a face's normal or an edge's: angle from the direction [rad]

// Faces around the vertex `at` whose normals are near d (in the core's frame), each once: a face
// is the left one of one of the two edges that it has there.
static int faces_near(const SarHull* h, int at, V3 d, int* face) {
  int n = 0;
  for (int k = h->ring_adr[at]; k < h->ring_adr[at + 1] && n < EDGES; k++) {
    const int* e = h->edge + 4 * h->ring_edge[k];
    const int f = e[0] == at ? e[2] : e[3];
    const V3 off = v3_sub(h->normal[f], d);
    if (v3_dot(off, off) <= NEAR * NEAR) face[n++] = f;
  }
  return n;
}

static int edges_near(const SarHull* h, int at, V3 d, SarSatEdge* edge) {
  int n = 0;
  for (int k = h->ring_adr[at]; k < h->ring_adr[at + 1] && n < EDGES; k++) {
    const V3 way = v3_sub(h->vertex[h->ring[k]], h->vertex[at]);
    const double along = v3_dot(way, d);
    if (along * along > NEAR * NEAR * v3_dot(way, way)) continue;
    edge[n++] = sar_sat_edge(h, h->ring_edge[k]);
  }
  return n;
}

bool sar_meet_snap(const Core* a, const Core* b, const Xform* X, V3 n, int near_a, int near_b,
                   Meeting* m) {
  const V3 back = m3_tmul_v(X->R, v3_neg(n));
  int va = near_a, vb = near_b, face[EDGES];
  sar_core_support_near(a, n, &va);
  sar_core_support_near(b, back, &vb);
  SarSat s = sar_sat_new(a, b, X);
  int num = faces_near(&a->hull, va, n, face);
  for (int i = 0, at = vb; i < num; i++) sar_sat_face_a(&s, face[i], &at);
  num = faces_near(&b->hull, vb, back, face);
  for (int i = 0, at = va; i < num; i++) sar_sat_face_b(&s, face[i], &at);
  SarSatEdge ea[EDGES], eb[EDGES];
  const int na = edges_near(&a->hull, va, n, ea), nb = edges_near(&b->hull, vb, back, eb);
  for (int j = 0; j < nb; j++) {
    const SarSatEdge e = sar_sat_edge_turned(&eb[j], X);
    for (int i = 0; i < na; i++) sar_sat_edges(&s, &ea[i], &e);
  }
  if (!(s.best.gap > -HUGE_VAL)) return false;
  *m = s.best;
  return true;
}
