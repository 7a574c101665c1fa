// Pieces of a closed surface between planes: clipping, hulls, hollows (decompose.h).
//
// A piece is the surface between its cuts alone, without lids on them. The hull of a solid is that
// of its surface; where it was cut, lids lie within the hull of their rims, which are points of the
// surface, and of the points in which three planes meet inside of the solid. So hulls need no lids,
// but those corners, which the winding number of the whole surface about them tells.
//
// How concave a piece is, is measured on its surface: from a point outwards, along the normal
// there, it is so far to the hull (Mamou, Ghorbel 2009). Distances to the hull alone would take a
// thin cup for convex.
#include "collide/decompose.h"
#include "collide/hull.h"

enum { SAMPLES = 2000 };            // of a piece, at most
static const double INWARDS = 0.1;  // samples are so far from the corners, of the way to the middle
static const double ON_PLANE = 1e-7;  // of a piece's size: nearer to a plane is on it

static double component(V3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static void put_component(V3* v, int axis, double x) {
  if (axis == 0)
    v->x = x;
  else if (axis == 1)
    v->y = x;
  else
    v->z = x;
}

bool sar_piece_of_mesh(const SarMesh* mesh, SarArena* arena, SarPiece* out) {
  *out = (SarPiece){.facet = SAR_ARENA_ARRAY(arena, SarFacet, mesh->ntriangle),
                    .cell_low = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                    .cell_high = {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
  if (!out->facet) return false;
  for (int t = 0; t < mesh->ntriangle; t++) {
    SarFacet* f = &out->facet[out->count];
    for (int k = 0; k < 3; k++) f->corner[k] = mesh->vertex[mesh->triangle[3 * t + k]];
    const V3 n = v3_cross(v3_sub(f->corner[1], f->corner[0]), v3_sub(f->corner[2], f->corner[0]));
    const double area = v3_norm(n);
    if (!(area > 0)) continue;
    f->normal = v3_scale(1 / area, n);
    out->count++;
  }
  return true;
}

// ---- clipping -----------------------------------------------------------------------------------

// Which side of the plane x[axis] = at corners are on; nearer than `near` is on it.
typedef struct Plane {
  int axis;
  double at, near;
} Plane;

static double height(const Plane* p, V3 v) {
  const double d = component(v, p->axis) - p->at;
  return fabs(d) <= p->near ? 0 : d;
}

// A facet in the plane bounds what is behind it only.
static bool is_beside(const SarFacet* f, const Plane* p, int side) {
  for (int k = 0; k < 3; k++)
    if (height(p, f->corner[k]) != 0) return true;
  return component(f->normal, p->axis) > 0 ? side == 0 : side == 1;
}

// The polygon of a triangle's corners on one side of the plane; at most four.
static int clip(const SarFacet* f, const Plane* plane, int side, V3 out[4]) {
  const double sign = side ? 1 : -1;
  int n = 0;
  for (int i = 0; i < 3; i++) {
    const V3 p = f->corner[i], q = f->corner[(i + 1) % 3];
    const double a = sign * height(plane, p), b = sign * height(plane, q);
    if (a >= 0) out[n++] = p;
    if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
      V3 x = v3_axpy(a / (a - b), v3_sub(q, p), p);
      put_component(&x, plane->axis, plane->at);
      out[n++] = x;
    }
  }
  return n;
}

bool sar_piece_cut(const SarPiece* p, int axis, double at, int side, SarArena* arena,
                   SarPiece* out) {
  const Plane plane = {axis, at, ON_PLANE * v3_norm(v3_sub(p->high, p->low))};
  *out = (SarPiece){.facet = SAR_ARENA_ARRAY(arena, SarFacet, 2 * (size_t)p->count),
                    .cell_low = p->cell_low,
                    .cell_high = p->cell_high};
  if (!out->facet) return false;
  put_component(side ? &out->cell_low : &out->cell_high, axis, at);
  for (int i = 0; i < p->count; i++) {
    V3 v[4];
    const int n = is_beside(&p->facet[i], &plane, side) ? clip(&p->facet[i], &plane, side, v) : 0;
    for (int k = 2; k < n; k++)
      out->facet[out->count++] = (SarFacet){{v[0], v[k - 1], v[k]}, p->facet[i].normal};
  }
  return true;
}

// ---- hollows ------------------------------------------------------------------------------------

// From x, within the hull, along d: so far to its surface.
static double way_out(const SarHull* h, V3 x, V3 d) {
  double least = HUGE_VAL;
  for (int f = 0; f < h->nface; f++) {
    const double along = v3_dot(h->normal[f], d), room = h->offset[f] - v3_dot(h->normal[f], x);
    if (along > 1e-6 && room < least * along) least = room / along;
  }
  return fmax(least, 0);
}

// From x of a facet; cuts go through its corner k.
static void look(SarPiece* p, const SarFacet* f, V3 x, int k) {
  const double way = way_out(&p->hull, x, f->normal);
  if (!(way > p->hollow) || !isfinite(way)) return;
  p->hollow = way;
  p->at = f->corner[k];
}

static void find_hollow(SarPiece* p) {
  const int stride = 1 + 4 * p->count / SAMPLES;
  p->hollow = 0;
  for (int i = 0; i < p->count; i += stride) {
    const SarFacet* f = &p->facet[i];
    const V3 middle = v3_scale(1.0 / 3, v3_add(f->corner[0], v3_add(f->corner[1], f->corner[2])));
    look(p, f, middle, 0);
    for (int k = 0; k < 3; k++)
      look(p, f, v3_axpy(INWARDS, v3_sub(middle, f->corner[k]), f->corner[k]), k);
  }
}

// ---- corners of cells ---------------------------------------------------------------------------

// Solid angle of a triangle seen from the origin (Van Oosterom, Strackee 1983).
static double solid_angle(V3 a, V3 b, V3 c) {
  const double la = v3_norm(a), lb = v3_norm(b), lc = v3_norm(c);
  return 2 * atan2(v3_dot(a, v3_cross(b, c)),
                   la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb);
}

static bool is_inside(const SarMesh* m, V3 x) {
  double sum = 0;
  for (int t = 0; t < m->ntriangle; t++) {
    const int* v = &m->triangle[3 * t];
    sum += solid_angle(v3_sub(m->vertex[v[0]], x), v3_sub(m->vertex[v[1]], x),
                       v3_sub(m->vertex[v[2]], x));
  }
  return sum > 6.283185307179586;  // half of the whole sphere
}

// Those of the corners of its cell that are in the solid, looked at a little way into the cell.
static int corners_inside(const SarPiece* p, const SarMesh* whole, V3 out[8]) {
  const double step = 1e-5 * sar_mesh_extent(whole->vertex, whole->nvertex);
  int n = 0;
  for (int k = 0; k < 8; k++) {
    const V3 x = {k & 1 ? p->cell_high.x : p->cell_low.x, k & 2 ? p->cell_high.y : p->cell_low.y,
                  k & 4 ? p->cell_high.z : p->cell_low.z};
    const V3 in = v3(k & 1 ? -step : step, k & 2 ? -step : step, k & 4 ? -step : step);
    if (isfinite(x.x + x.y + x.z) && is_inside(whole, v3_add(x, in))) out[n++] = x;
  }
  return n;
}

SarMeshFault sar_piece_measure(SarPiece* p, const SarMesh* whole, SarArena* arena) {
  SarArena scratch;
  sar_arena_beside(&scratch, arena);
  V3* point = SAR_ARENA_ARRAY(&scratch, V3, 3 * (size_t)p->count + 8);
  SarMeshFault fault = {SAR_MESH_NO_MEMORY, -1, -1, -1, 0, 0};
  if (point) {
    for (int i = 0; i < p->count; i++)
      for (int k = 0; k < 3; k++) point[3 * i + k] = p->facet[i].corner[k];
    const int corners = whole ? corners_inside(p, whole, &point[3 * p->count]) : 0;
    fault = sar_hull_build(point, 3 * p->count + corners, arena, &p->hull);
  }
  if (fault.flaw == SAR_MESH_SOUND) {
    const SarMesh closed = sar_hull_mesh(&p->hull, &scratch);
    if (scratch.failed) fault.flaw = SAR_MESH_NO_MEMORY;
    p->volume = sar_mesh_inertia(&closed).m;
    p->low = p->high = p->hull.vertex[0];
    for (int i = 1; i < p->hull.nvertex; i++) {
      const V3 v = p->hull.vertex[i];
      p->low = v3(fmin(p->low.x, v.x), fmin(p->low.y, v.y), fmin(p->low.z, v.z));
      p->high = v3(fmax(p->high.x, v.x), fmax(p->high.y, v.y), fmax(p->high.z, v.z));
    }
    find_hollow(p);
  }
  sar_arena_free(&scratch);
  return fault;
}
