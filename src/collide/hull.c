// Convex hulls of points as polyhedra with polygons for faces.
//
// Points are put on a grid of 2^29 steps over their extent, where the hull of triangles is exact
// (hull_build.c). Triangles within FLATNESS steps of one plane become one polygon
// (hull_polygons.c). Where details are as small as the steps the result may not hold all points:
// then all is done again with the points moved to a grid with steps 32 times as large.
#include "collide/hull.h"

#include "collide/hull_build.h"

#include <stdlib.h>
#include <string.h>

static const double FLATNESS = 6;                  // steps of the grid
enum { FINEST = 29, COARSEST = 14, COARSER = 5 };  // bits of the grid
enum { MOST_STEPS = 64 * SAR_HULL_MOST };  // points made vertices on the way: a bound on the work

// ---- points --------------------------------------------------------------------------------

typedef struct Snapped {
  SarGridPoint at;
  int point;
} Snapped;

static int compare_points(const void* pa, const void* pb) {
  const Snapped *a = pa, *b = pb;
  if (a->at.x != b->at.x) return a->at.x < b->at.x ? -1 : 1;
  if (a->at.y != b->at.y) return a->at.y < b->at.y ? -1 : 1;
  if (a->at.z != b->at.z) return a->at.z < b->at.z ? -1 : 1;
  return (a->point > b->point) - (a->point < b->point);
}

static V3 low_corner(const V3* point, int n) {
  V3 low = point[0];
  for (int i = 1; i < n; i++)
    low = v3(fmin(low.x, point[i].x), fmin(low.y, point[i].y), fmin(low.z, point[i].z));
  return low;
}

// On the grid, sorted, each once; returns how many are left.
static int snap(const V3* point, int n, V3 low, double step, Snapped* out) {
  double s = 1 / step;
  for (int i = 0; i < n; i++) {
    V3 d = v3_sub(point[i], low);
    out[i].at = (SarGridPoint){llround(d.x * s), llround(d.y * s), llround(d.z * s)};
    out[i].point = i;
  }
  qsort(out, (size_t)n, sizeof *out, compare_points);
  int left = 0;
  for (int i = 0; i < n; i++) {
    const SarGridPoint *p = &out[i].at, *q = left ? &out[left - 1].at : NULL;
    if (!q || p->x != q->x || p->y != q->y || p->z != q->z) out[left++] = out[i];
  }
  return left;
}

// On a grid of so many bits; `error`: NULL, or how far points may be outside, and then are.
// NOT_CONVEX: the grid is too fine.
static SarMeshFlaw build(const V3* point, int n, int bits, double* error, SarArena* arena,
                         SarArena* scratch, SarHull* out) {
  double step = ldexp(sar_mesh_extent(point, n), -bits);
  V3 low = low_corner(point, n);
  Snapped* snapped = SAR_ARENA_ARRAY(scratch, Snapped, n);
  SarGridPoint* grid = SAR_ARENA_ARRAY(scratch, SarGridPoint, n);
  V3* vertex = SAR_ARENA_ARRAY(scratch, V3, n);
  if (scratch->failed) return SAR_MESH_NO_MEMORY;
  int m = snap(point, n, low, step, snapped);
  if (m < 4) return SAR_MESH_FEW_POINTS;
  for (int i = 0; i < m; i++) {
    grid[i] = snapped[i].at;
    V3 g = v3((double)grid[i].x, (double)grid[i].y, (double)grid[i].z);
    vertex[i] = bits == FINEST ? point[snapped[i].point] : v3_axpy(step, g, low);
  }
  SarHullFaces faces;
  double steps = error ? *error / step : 0;
  const SarHullResult made =
      error ? sar_hull_faces_within(grid, m, SAR_HULL_MOST, &steps, scratch, &faces)
            : sar_hull_faces(grid, m, MOST_STEPS, scratch, &faces);
  if (error) *error = steps * step;
  switch (made) {
    case SAR_HULL_DONE: break;
    case SAR_HULL_FLAT: return SAR_MESH_FLAT;
    case SAR_HULL_LARGE: return SAR_MESH_TOO_LARGE;
    case SAR_HULL_NO_MEMORY: return SAR_MESH_NO_MEMORY;
  }
  return sar_hull_polygons(&faces, vertex, m, FLATNESS * step, arena, scratch, out);
}

// From the finest grid on to coarser ones.
static SarMeshFlaw build_on_some_grid(const V3* point, int n, double* error, SarArena* arena,
                                      SarHull* out) {
  SarMeshFlaw flaw = SAR_MESH_NOT_CONVEX;
  const double wanted = error ? *error : 0;
  for (int bits = FINEST; bits >= COARSEST && flaw == SAR_MESH_NOT_CONVEX; bits -= COARSER) {
    SarArena scratch;
    sar_arena_beside(&scratch, arena);
    if (error) *error = wanted;
    flaw = build(point, n, bits, error, arena, &scratch, out);
    sar_arena_free(&scratch);
    // points that are different on a finer grid only
    if (bits < FINEST && flaw == SAR_MESH_FEW_POINTS) flaw = SAR_MESH_FLAT;
  }
  return flaw == SAR_MESH_NOT_CONVEX ? SAR_MESH_FLAT : flaw;
}

SarMeshFault sar_hull_build(const V3* point, int n, SarArena* arena, SarHull* out) {
  SarMeshFault fault = {SAR_MESH_SOUND, -1, -1, -1, 0, 0};
  *out = (SarHull){0};
  for (int i = 0; i < n; i++)
    if (!isfinite(point[i].x) || !isfinite(point[i].y) || !isfinite(point[i].z))
      return (SarMeshFault){SAR_MESH_NOT_FINITE, -1, i, -1, 1, 0};
  double extent = sar_mesh_extent(point, n);
  // areas and volumes of what is smaller or larger than these would not be numbers
  if (n < 4 || !(extent > 1e-60 && extent < 1e60)) {
    fault.flaw = SAR_MESH_FEW_POINTS;
    return fault;
  }
  fault.flaw = build_on_some_grid(point, n, NULL, arena, out);
  if (fault.flaw == SAR_MESH_TOO_LARGE) {
    fault.distance = SAR_HULL_COARSE * extent;
    fault.flaw = build_on_some_grid(point, n, &fault.distance, arena, out);
  }
  if (fault.flaw != SAR_MESH_SOUND) *out = (SarHull){0};
  return fault;
}

SarMesh sar_hull_mesh(const SarHull* h, SarArena* arena) {
  int n = h->face_adr[h->nface] - 2 * h->nface, t = 0;
  SarMesh mesh = {h->nvertex, n, SAR_ARENA_ARRAY(arena, V3, h->nvertex),
                  SAR_ARENA_ARRAY(arena, int, 3 * (size_t)n)};
  if (arena->failed) return (SarMesh){0};
  memcpy(mesh.vertex, h->vertex, (size_t)h->nvertex * sizeof(V3));
  for (int f = 0; f < h->nface; f++)
    for (int k = h->face_adr[f] + 1; k + 1 < h->face_adr[f + 1]; k++) {
      int corner[3] = {h->face_vertex[h->face_adr[f]], h->face_vertex[k], h->face_vertex[k + 1]};
      memcpy(&mesh.triangle[3 * t++], corner, sizeof corner);
    }
  return mesh;
}
