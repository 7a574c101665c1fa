// Cores of solids (a solid is the Minkowski sum of its core and a ball): boxes, segments, points
// and triangles as hulls, with tables that are the same for all of them.
//
// A sphere is a point and a capsule a segment, both grown by a radius: their cores are exact
// polytopes, and the radius is taken off at the end. Hulls are looked at where they are; a box's
// numbers are made from its three half lengths.
#include "collide/pairs.h"
#include "math/hypot.h"

// vertex k of a box is at the signs of the bits of k: 1 for x, 2 for y, 4 for z; faces -x +x -y +y
// -z +z
static const int BOX_FACE_ADR[7] = {0, 4, 8, 12, 16, 20, 24};
static const int BOX_FACE_VERTEX[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                        2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const int BOX_EDGE[48] = {0, 1, 2, 4, 2, 3, 4, 3, 4, 5, 5, 2, 6, 7, 3, 5,   // along x
                                 0, 2, 4, 0, 1, 3, 1, 4, 4, 6, 0, 5, 5, 7, 5, 1,   // along y
                                 0, 4, 0, 2, 1, 5, 2, 1, 2, 6, 3, 0, 3, 7, 1, 3};  // along z
static const int BOX_RING_ADR[9] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
static const int BOX_RING[24] = {1, 2, 4, 0, 3, 5, 3, 0, 6, 2, 1, 7,
                                 5, 6, 0, 4, 7, 1, 7, 4, 2, 6, 5, 3};
static const int BOX_RING_EDGE[24] = {0, 4, 8, 0, 5, 9, 1, 4, 10, 1, 5, 11,
                                      2, 6, 8, 2, 7, 9, 3, 6, 10, 3, 7, 11};
// front, back
static const int TRIANGLE_FACE_ADR[3] = {0, 3, 6};
static const int TRIANGLE_FACE_VERTEX[6] = {0, 1, 2, 0, 2, 1};
static const int TRIANGLE_EDGE[12] = {0, 1, 0, 1, 1, 2, 0, 1, 2, 0, 0, 1};
static const int SEGMENT_EDGE[4] = {0, 1, -1, -1};

// what the axes of faces and edges need; features and distances do without
static void box_hull(Core* c) {
  for (int k = 0; k < 8; k++) c->vertex[k] = sar_box_corner(c->size, k);
  for (int f = 0; f < 6; f++) {
    double sign = f & 1 ? 1 : -1;
    c->normal[f] = v3(f / 2 == 0 ? sign : 0, f / 2 == 1 ? sign : 0, f / 2 == 2 ? sign : 0);
    c->offset[f] = c->size[f / 2];
  }
  c->hull = (SarHull){.nvertex = 8,
                      .nedge = 12,
                      .nface = 6,
                      .vertex = c->vertex,
                      .normal = c->normal,
                      .offset = c->offset,
                      .face_adr = BOX_FACE_ADR,
                      .face_vertex = BOX_FACE_VERTEX,
                      .edge = BOX_EDGE,
                      .ring_adr = BOX_RING_ADR,
                      .ring = BOX_RING,
                      .ring_edge = BOX_RING_EDGE};
}

void sar_core_box(Core* c, const double* half) {
  c->kind = CORE_BOX;
  c->radius = 0;
  c->one_sided = false;
  for (int i = 0; i < 3; i++) c->size[i] = half[i];
  c->extent = v3_norm(v3_load(half));
}

// a point, or a segment along z
static void core_segment(Core* c, double half) {
  c->extent = half;
  c->vertex[0] = v3(0, 0, -half);
  c->vertex[1] = v3(0, 0, half);
  c->hull = (SarHull){.nvertex = half > 0 ? 2 : 1,
                      .nedge = half > 0 ? 1 : 0,
                      .vertex = c->vertex,
                      .edge = SEGMENT_EDGE};
}

// distance of the farthest vertex from the origin: what tolerances are relative to
static double hull_extent(const SarHull* h) {
  double most = 0;
  for (int i = 0; i < h->nvertex; i++) most = fmax(most, v3_dot(h->vertex[i], h->vertex[i]));
  return sqrt(most);
}

void sar_core_init(Core* c, const SarSolid* s) {
  c->kind = CORE_HULL;
  c->radius = 0;
  c->one_sided = false;
  switch (s->kind) {
    case SAR_SOLID_BOX:
      sar_core_box(c, s->size);
      box_hull(c);
      break;
    case SAR_SOLID_CONVEX:
      c->hull = s->of.hull;
      c->extent = s->radius;
      break;
    case SAR_SOLID_CYLINDER:
      c->kind = CORE_CYLINDER;
      c->size[0] = s->size[0];
      c->size[1] = s->size[1];
      c->extent = sar_hypot(s->size[0], s->size[1]);
      break;
    case SAR_SOLID_CAPSULE:
      core_segment(c, s->size[1]);
      c->radius = s->size[0];
      break;
    default:
      core_segment(c, 0);
      c->radius = s->size[0];
      break;
  }
}

// The frame has the axes of ground and its origin at the first corner.
void sar_core_triangle(Core* c, const V3 corner[3]) {
  c->kind = CORE_HULL;
  c->radius = 0;
  c->one_sided = true;
  c->vertex[0] = v3_zero();
  c->vertex[1] = v3_sub(corner[1], corner[0]);
  c->vertex[2] = v3_sub(corner[2], corner[0]);
  // without area there is no normal: any will do, the edges are still there
  V3 n = v3_cross(c->vertex[1], c->vertex[2]);
  double area = v3_norm(n);
  c->normal[0] = area > 0 ? v3_scale(1 / area, n) : v3(0, 0, 1);
  c->normal[1] = v3_neg(c->normal[0]);
  c->offset[0] = c->offset[1] = 0;
  c->hull = (SarHull){.nvertex = 3,
                      .nedge = 3,
                      .nface = 2,
                      .vertex = c->vertex,
                      .normal = c->normal,
                      .offset = c->offset,
                      .face_adr = TRIANGLE_FACE_ADR,
                      .face_vertex = TRIANGLE_FACE_VERTEX,
                      .edge = TRIANGLE_EDGE};
  c->extent = hull_extent(&c->hull);
}

// rim points that are support points: 16 on the lower end, 17 on the upper one
static V3 cylinder_support(const Core* c, V3 d, int* label) {
  double across = sqrt(d.x * d.x + d.y * d.y), r = across > 0 ? c->size[0] / across : 0;
  *label = d.z > 0 ? 17 : 16;
  return v3(r * d.x, r * d.y, d.z > 0 ? c->size[1] : -c->size[1]);
}

// Hill climbing: on a convex polyhedron a vertex that none of its neighbours surpasses is the
// farthest of all. Every step gains, so it ends.
int sar_hull_climb(const SarHull* h, V3 d, int at) {
  double most = v3_dot(h->vertex[at], d);
  for (int from = -1; from != at;) {
    from = at;
    for (int k = h->ring_adr[from]; k < h->ring_adr[from + 1]; k++) {
      double along = v3_dot(h->vertex[h->ring[k]], d);
      if (along > most) most = along, at = h->ring[k];
    }
  }
  return at;
}

int sar_hull_extreme(const SarHull* h, V3 d) {
  double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
  int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  bool up = (axis == 0 ? d.x : axis == 1 ? d.y : d.z) > 0;
  return h->extreme[2 * axis + up];
}

// Ties go to the first: the same vertex every time.
static int look_at_all(const SarHull* h, V3 d) {
  int best = 0;
  double most = v3_dot(h->vertex[0], d);
  for (int i = 1; i < h->nvertex; i++) {
    double along = v3_dot(h->vertex[i], d);
    if (along > most) most = along, best = i;
  }
  return best;
}

V3 sar_core_support(const Core* c, V3 d, int* label) {
  if (c->kind == CORE_CYLINDER) return cylinder_support(c, d, label);
  if (c->kind == CORE_BOX) {
    *label = sar_box_vertex(d);
    return sar_box_corner(c->size, *label);
  }
  const SarHull* h = &c->hull;
  if (sar_hull_climbed(h)) {
    *label = sar_hull_climb(h, d, sar_hull_extreme(h, d));
  } else {
    *label = look_at_all(h, d);
  }
  return h->vertex[*label];
}

V3 sar_core_support_near(const Core* c, V3 d, int* label) {
  const SarHull* h = &c->hull;
  if (c->kind != CORE_HULL || !sar_hull_climbed(h)) return sar_core_support(c, d, label);
  *label = sar_hull_climb(h, d, *label);
  return h->vertex[*label];
}
