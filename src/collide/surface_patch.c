// Normals of a surface (normal cones, Voronoi regions), and ghosts of its internal edges.
//
// A triangle on its own can be touched at an edge from any direction. In a surface it cannot: at an
// edge, normals are between the normals f and g of the triangles on both sides, and only if the
// edge is convex; at a corner v, n must make no acute angle with any edge that leaves v (the normal
// cone of the surface there). On a flat floor this leaves f everywhere, and a ball rolls over the
// edges as over a plane.
#include "collide/surface_patch.h"

#include "collide/heights.h"

enum { FAN = 32 };  // triangles around a corner that are looked at

static const double FLAT = 1e-9;   // sine of the angle of an edge that counts as none
static const double ALONG = 1e-7;  // cosine between n and an edge that leaves its corner

SarPatch sar_patch_get(const SarSolid* s, int t) {
  SarPatch p = {.triangle = t};
  if (s->kind == SAR_SOLID_TRIANGLES) {
    const SarTriangles* m = &s->of.triangles;
    for (int i = 0; i < 3; i++) p.corner[i] = m->vertex[m->triangle[3 * t + i]];
  } else {
    const SarHeights* h = &s->of.heights;
    int cell = t / 2;
    sar_heights_triangle(h, cell % (h->nx - 1), cell / (h->nx - 1), t % 2, p.corner);
  }
  p.normal = v3_unit(v3_cross(v3_sub(p.corner[1], p.corner[0]), v3_sub(p.corner[2], p.corner[0])));
  return p;
}

// Triangle 0 of a cell has edges below, right, diagonal; triangle 1 diagonal, above, left.
static int heights_across(const SarHeights* h, int t, int i, int* side) {
  static const int dx[2][3] = {{0, 1, 0}, {0, 0, -1}}, dy[2][3] = {{-1, 0, 0}, {0, 1, 0}};
  static const int to[2][3] = {{1, 2, 0}, {2, 0, 1}};
  int cells = h->nx - 1, which = t % 2;
  int ix = t / 2 % cells + dx[which][i], iy = t / 2 / cells + dy[which][i];
  *side = to[which][i];
  if (ix < 0 || iy < 0 || ix >= cells || iy >= h->ny - 1) return -1;
  return 2 * (ix + cells * iy) + !which;
}

int sar_patch_across(const SarSolid* s, int t, int i, int* side) {
  if (s->kind != SAR_SOLID_TRIANGLES) return heights_across(&s->of.heights, t, i, side);
  const SarTriangles* m = &s->of.triangles;
  int other = m->neighbour[3 * t + i], to = m->triangle[3 * t + (i + 1) % 3];
  if (other < 0) return -1;
  // the neighbour runs along the edge the other way: from where this one ends
  for (*side = 0; *side < 2 && m->triangle[3 * other + *side] != to;) ++*side;
  return other;
}

static SarPatchRule judge_edge(const SarSolid* s, const SarPatch* p, int i, V3 n) {
  V3 e = v3_unit(v3_sub(p->corner[(i + 1) % 3], p->corner[i]));
  V3 out = v3_cross(e, p->normal);  // in the plane, away from the triangle
  double n_out = v3_dot(n, out), n_up = v3_dot(n, p->normal);
  if (n_out <= 0) return SAR_PATCH_FACE;
  int side, other = sar_patch_across(s, p->triangle, i, &side);
  if (other < 0) return SAR_PATCH_KEEP;
  V3 g = sar_patch_get(s, other).normal;
  double g_out = v3_dot(g, out), g_up = v3_dot(g, p->normal);
  if (g_out <= FLAT) return SAR_PATCH_FACE;
  // the angle of n, seen along the edge, against that of g
  return n_out * g_up - n_up * g_out > FLAT ? SAR_PATCH_OTHER : SAR_PATCH_KEEP;
}

bool sar_patch_is_level(const SarSolid* s, const SarPatch* p) {
  for (int i = 0; i < 3; i++) {
    int side, other = sar_patch_across(s, p->triangle, i, &side);
    if (other < 0) return false;
    // the neighbour's third corner is not below the plane
    SarPatch q = sar_patch_get(s, other);
    V3 d = v3_sub(q.corner[(side + 2) % 3], p->corner[i]);
    if (v3_dot(p->normal, d) < -FLAT * v3_norm(d)) return false;
  }
  return true;
}

// Turns about a corner: from the edge that leaves it in one triangle to the one that leaves it in
// the next.
static bool cone_has(const SarSolid* s, const SarPatch* p, int k, V3 n, bool* whole) {
  SarPatch at = *p;
  int leaving = k;
  *whole = false;
  for (int count = 0; count < FAN; count++) {
    V3 v = at.corner[leaving];
    V3 d = v3_sub(at.corner[(leaving + 1) % 3], v), e = v3_sub(at.corner[(leaving + 2) % 3], v);
    if (v3_dot(n, d) > ALONG * v3_norm(d) || v3_dot(n, e) > ALONG * v3_norm(e)) return false;
    // across the edge that comes in; the neighbour's edge there leaves
    int side, other = sar_patch_across(s, at.triangle, (leaving + 2) % 3, &side);
    if (other < 0) return true;
    *whole = other == p->triangle;
    if (*whole) return true;
    at = sar_patch_get(s, other);
    leaving = side;
  }
  return true;
}

static bool cone_has_backwards(const SarSolid* s, const SarPatch* p, int k, V3 n) {
  SarPatch at = *p;
  int leaving = k;
  for (int count = 0; count < FAN; count++) {
    int side, other = sar_patch_across(s, at.triangle, leaving, &side);
    if (other < 0) return true;
    at = sar_patch_get(s, other);
    leaving = (side + 1) % 3;
    V3 v = at.corner[leaving], d = v3_sub(at.corner[(leaving + 1) % 3], v);
    if (v3_dot(n, d) > ALONG * v3_norm(d)) return false;
  }
  return true;
}

static SarPatchRule judge_corner(const SarSolid* s, const SarPatch* p, int k, V3 n) {
  bool whole;
  if (cone_has(s, p, k, n, &whole) && (whole || cone_has_backwards(s, p, k, n)))
    return SAR_PATCH_KEEP;
  // not of the corner: of one of its edges, if n leans towards that
  for (int i = 0; i < 2; i++) {
    int edge = i == 0 ? k : (k + 2) % 3, end = i == 0 ? (k + 1) % 3 : (k + 2) % 3;
    V3 d = v3_sub(p->corner[end], p->corner[k]);
    if (v3_dot(n, d) <= ALONG * v3_norm(d)) continue;
    SarPatchRule rule = judge_edge(s, p, edge, n);
    if (rule != SAR_PATCH_FACE) return rule;
  }
  return SAR_PATCH_FACE;
}

SarPatchRule sar_patch_judge(const SarSolid* s, const SarPatch* p, V3 at, V3 n, double tolerance) {
  int on = 0, edge = -1, corner = -1;
  for (int i = 0; i < 3; i++) {
    V3 e = v3_sub(p->corner[(i + 1) % 3], p->corner[i]);
    // distance from the edge, inwards
    double d = v3_dot(v3_cross(p->normal, v3_unit(e)), v3_sub(at, p->corner[i]));
    if (d > tolerance) continue;
    // edges i and i + 1 meet at corner i + 1; edges 0 and 2 at corner 0
    if (edge >= 0) corner = edge == 0 && i == 2 ? 0 : i;
    edge = i;
    on++;
  }
  if (on == 0) return SAR_PATCH_FACE;
  return on == 1 ? judge_edge(s, p, edge, n) : judge_corner(s, p, corner, n);
}
