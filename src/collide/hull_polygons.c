// The triangles of a hull as a polyhedron with polygons for faces.
//
// Triangles whose corners are within a tolerance of the plane of a larger one beside them join it
// in one polygon. Corners where only two polygons meet are on a straight edge and drop out. What is
// left must be a closed polyhedron (V - E + F = 2) with every vertex behind every face.
#include "collide/hull_build.h"

#include <stdlib.h>
#include <string.h>

// ---- polygons ------------------------------------------------------------------------------

typedef struct Polygons {
  const SarHullFace* face;  // triangles; `dead` ones do not count
  int nface, nvertex;
  const V3* vertex;  // by the numbers that the triangles use
  int* group;        // of each triangle: its polygon
  int ngroup;
  int* adr;     // ngroup + 1: first corner in `corner`
  int* corner;  // vertices of the polygons
  int* degree;  // of each vertex: polygons that meet there
} Polygons;

typedef struct Sized {
  double area;
  int face;
} Sized;

static int compare_areas(const void* pa, const void* pb) {
  const Sized *a = pa, *b = pb;
  if (a->area != b->area) return a->area > b->area ? -1 : 1;
  return (a->face > b->face) - (a->face < b->face);
}

static V3 face_area(const Polygons* p, const SarHullFace* f) {
  V3 a = p->vertex[f->vertex[0]];
  return v3_cross(v3_sub(p->vertex[f->vertex[1]], a), v3_sub(p->vertex[f->vertex[2]], a));
}

static bool is_near_plane(const Polygons* p, const SarHullFace* f, V3 n, V3 at, double tolerance) {
  for (int i = 0; i < 3; i++)
    if (fabs(v3_dot(n, v3_sub(p->vertex[f->vertex[i]], at))) > tolerance) return false;
  return true;
}

// Everything connected to the triangle `seed` that is in its plane.
static void spread(Polygons* p, int seed, double tolerance, int* queue) {
  const SarHullFace* s = &p->face[seed];
  V3 n = v3_unit(face_area(p, s)), at = p->vertex[s->vertex[0]];
  int count = 0;
  queue[count++] = seed;
  p->group[seed] = p->ngroup;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 3; i++) {
      int g = p->face[queue[k]].across[i];
      if (p->group[g] >= 0 || !is_near_plane(p, &p->face[g], n, at, tolerance)) continue;
      p->group[g] = p->ngroup;
      queue[count++] = g;
    }
}

static bool make_groups(Polygons* p, double tolerance, SarArena* scratch) {
  Sized* by_area = SAR_ARENA_ARRAY(scratch, Sized, p->nface);
  int* queue = SAR_ARENA_ARRAY(scratch, int, p->nface);
  if (!by_area || !queue) return false;
  int n = 0;
  p->ngroup = 0;
  for (int f = 0; f < p->nface; f++) {
    p->group[f] = -1;
    if (!p->face[f].dead) by_area[n++] = (Sized){v3_norm(face_area(p, &p->face[f])), f};
  }
  // the largest first: the plane of a sliver is not to be trusted
  qsort(by_area, (size_t)n, sizeof *by_area, compare_areas);
  for (int k = 0; k < n; k++) {
    int f = by_area[k].face;
    if (p->group[f] >= 0) continue;
    if (!(by_area[k].area > 0)) return false;
    spread(p, f, tolerance, queue);
    p->ngroup++;
  }
  return true;
}

static bool is_rim(const Polygons* p, int f, int i) {
  return p->group[p->face[f].across[i]] != p->group[f];
}

// The corners of the polygon with the rim edge i of triangle f, from there on; returns how many
// there are.
static int trace(const Polygons* p, int f, int i, int* corner, int most) {
  int first = f, side = i, count = 0;
  do {
    if (count == most) return 0;
    int at = p->face[f].vertex[(i + 1) % 3];
    corner[count++] = p->face[f].vertex[i];
    // turn about the end of the edge, within the polygon, to the next edge of the rim
    for (i = (i + 1) % 3; !is_rim(p, f, i);) {
      f = p->face[f].across[i];
      for (i = 0; p->face[f].vertex[i] != at;) i++;
    }
  } while (f != first || i != side);
  return count;
}

// One loop for every group: a group with holes or touching itself has rim edges that are not in it.
static bool make_loops(Polygons* p, SarArena* scratch) {
  int* rim = SAR_ARENA_ARRAY(scratch, int, p->ngroup);
  p->adr = SAR_ARENA_ARRAY(scratch, int, p->ngroup + 1);
  p->corner = SAR_ARENA_ARRAY(scratch, int, 3 * (size_t)p->nface);
  p->degree = SAR_ARENA_ARRAY(scratch, int, p->nvertex);
  int* start = SAR_ARENA_ARRAY(scratch, int, p->ngroup);
  if (scratch->failed) return false;
  for (int f = 0; f < p->nface; f++)
    for (int i = 0; i < 3 && !p->face[f].dead; i++)
      if (is_rim(p, f, i)) rim[p->group[f]]++, start[p->group[f]] = 3 * f + i;
  for (int g = 0; g < p->ngroup; g++) {
    int n = rim[g] == 0 ? 0 : trace(p, start[g] / 3, start[g] % 3, &p->corner[p->adr[g]], rim[g]);
    if (n != rim[g] || n < 3) return false;
    p->adr[g + 1] = p->adr[g] + n;
    for (int k = p->adr[g]; k < p->adr[g + 1]; k++) p->degree[p->corner[k]]++;
  }
  return true;
}

// Corners on straight edges drop out.
static bool drop_straight(Polygons* p) {
  int to = 0;
  for (int g = 0, from = 0; g < p->ngroup; g++) {
    int begin = to, end = p->adr[g + 1];
    for (; from < end; from++)
      if (p->degree[p->corner[from]] > 2) p->corner[to++] = p->corner[from];
    p->adr[g + 1] = to;
    if (to - begin < 3) return false;
  }
  return true;
}

// ---- the polyhedron ------------------------------------------------------------------------

typedef struct Side {
  int low, high, polygon;
  bool forward;
} Side;

static int compare_sides(const void* pa, const void* pb) {
  const Side *a = pa, *b = pb;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->forward < b->forward) - (a->forward > b->forward);
}

static bool make_edges(SarHull* out, int* edge, SarArena* scratch) {
  int n = out->face_adr[out->nface];
  Side* side = SAR_ARENA_ARRAY(scratch, Side, n);
  if (!side || n % 2 != 0) return false;
  for (int f = 0; f < out->nface; f++)
    for (int k = out->face_adr[f]; k < out->face_adr[f + 1]; k++) {
      int next = k + 1 < out->face_adr[f + 1] ? k + 1 : out->face_adr[f];
      int a = out->face_vertex[k], b = out->face_vertex[next];
      side[k] = (Side){a < b ? a : b, a < b ? b : a, f, a < b};
    }
  qsort(side, (size_t)n, sizeof *side, compare_sides);
  for (int k = 0; k < n; k += 2) {
    const Side *s = &side[k], *t = &side[k + 1];
    if (s->low != t->low || s->high != t->high || !s->forward || t->forward) return false;
    int entry[4] = {s->low, s->high, s->polygon, t->polygon};
    memcpy(&edge[2 * k], entry, sizeof entry);
  }
  out->nedge = n / 2;
  out->edge = edge;
  return out->nvertex - out->nedge + out->nface == 2;
}

// Edges by their ends. Every vertex has some: three at least.
static bool make_rings(SarHull* out, SarArena* arena) {
  int* adr = SAR_ARENA_ARRAY(arena, int, (size_t)out->nvertex + 1);
  int* ring = SAR_ARENA_ARRAY(arena, int, 2 * (size_t)out->nedge);
  int* ring_edge = SAR_ARENA_ARRAY(arena, int, 2 * (size_t)out->nedge);
  if (arena->failed) return false;
  for (int k = 0; k < 2 * out->nedge; k++) adr[out->edge[4 * (k / 2) + k % 2] + 1]++;
  for (int i = 0; i < out->nvertex; i++) adr[i + 1] += adr[i];
  // adr[i] moves on to the end of its entries, and back again
  for (int k = 0; k < 2 * out->nedge; k++) {
    const int* e = &out->edge[4 * (k / 2)];
    const int at = adr[e[k % 2]]++;
    ring[at] = e[1 - k % 2];
    ring_edge[at] = k / 2;
  }
  for (int i = out->nvertex; i > 0; i--) adr[i] = adr[i - 1];
  adr[0] = 0;
  out->ring_adr = adr;
  out->ring = ring;
  out->ring_edge = ring_edge;
  return true;
}

// Breadth first from the first vertex.
static bool make_tour(SarHull* out, SarArena* arena, SarArena* scratch) {
  int* tour = SAR_ARENA_ARRAY(arena, int, out->nvertex);
  char* seen = SAR_ARENA_ARRAY(scratch, char, out->nvertex);
  if (!tour || !seen) return false;
  int n = 1;
  seen[0] = 1;
  for (int i = 0; i < n; i++)
    for (int k = out->ring_adr[tour[i]]; k < out->ring_adr[tour[i] + 1]; k++) {
      const int next = out->ring[k];
      if (!seen[next]) seen[next] = 1, tour[n++] = next;
    }
  out->tour = tour;
  return n == out->nvertex;
}

static void find_extremes(SarHull* out) {
  for (int i = 1; i < out->nvertex; i++)
    for (int k = 0; k < 6; k++) {
      double x[3], best[3];
      v3_store(x, out->vertex[i]);
      v3_store(best, out->vertex[out->extreme[k]]);
      if (k % 2 ? x[k / 2] > best[k / 2] : x[k / 2] < best[k / 2]) out->extreme[k] = i;
    }
}

// Newell's normal: the sum of cross products around the polygon.
static bool make_planes(const SarHull* h, V3* normal, double* offset) {
  for (int f = 0; f < h->nface; f++) {
    V3 sum = v3_zero(), first = h->vertex[h->face_vertex[h->face_adr[f]]];
    int end = h->face_adr[f + 1];
    for (int k = h->face_adr[f] + 1; k + 1 < end; k++)
      sum = v3_add_cross(sum, v3_sub(h->vertex[h->face_vertex[k]], first),
                         v3_sub(h->vertex[h->face_vertex[k + 1]], first));
    if (!(v3_norm(sum) > 0)) return false;
    normal[f] = v3_unit(sum);
    offset[f] = -HUGE_VAL;
    for (int k = h->face_adr[f]; k < end; k++)
      offset[f] = fmax(offset[f], v3_dot(normal[f], h->vertex[h->face_vertex[k]]));
  }
  return true;
}

// Only the vertices in use, in the order of the points.
static bool finish(const Polygons* p, SarArena* arena, SarArena* scratch, SarHull* out) {
  int* number = SAR_ARENA_ARRAY(scratch, int, p->nvertex);
  int corners = p->adr[p->ngroup], n = 0;
  if (!number) return false;
  for (int k = 0; k < corners; k++) number[p->corner[k]] = 1;
  for (int i = 0; i < p->nvertex; i++) number[i] = number[i] ? n++ : -1;
  V3* vertex = SAR_ARENA_ARRAY(arena, V3, n);
  V3* normal = SAR_ARENA_ARRAY(arena, V3, p->ngroup);
  double* offset = SAR_ARENA_ARRAY(arena, double, p->ngroup);
  int* adr = SAR_ARENA_ARRAY(arena, int, p->ngroup + 1);
  int* corner = SAR_ARENA_ARRAY(arena, int, corners);
  int* edge = SAR_ARENA_ARRAY(arena, int, 2 * (size_t)corners);
  if (arena->failed) return false;
  V3 sum = v3_zero();
  for (int i = 0; i < p->nvertex; i++)
    if (number[i] >= 0) vertex[number[i]] = p->vertex[i], sum = v3_add(sum, p->vertex[i]);
  for (int g = 0; g <= p->ngroup; g++) adr[g] = p->adr[g];
  for (int k = 0; k < corners; k++) corner[k] = number[p->corner[k]];
  *out = (SarHull){.nvertex = n,
                   .nface = p->ngroup,
                   .vertex = vertex,
                   .normal = normal,
                   .offset = offset,
                   .face_adr = adr,
                   .face_vertex = corner,
                   .centre = v3_scale(1.0 / n, sum)};
  find_extremes(out);
  return make_planes(out, normal, offset) && make_edges(out, edge, scratch) &&
         make_rings(out, arena) && make_tour(out, arena, scratch);
}

// All corners of the triangles, also those that dropped out, are behind all faces.
static bool holds_all(const SarHull* h, const Polygons* p, double tolerance, SarArena* scratch) {
  char* seen = SAR_ARENA_ARRAY(scratch, char, p->nvertex);
  if (!seen) return false;
  for (int k = 0; k < 3 * p->nface; k++) {
    int v = p->face[k / 3].vertex[k % 3];
    if (p->face[k / 3].dead || seen[v]) continue;
    seen[v] = 1;
    for (int f = 0; f < h->nface; f++)
      if (v3_dot(h->normal[f], p->vertex[v]) > h->offset[f] + tolerance) return false;
  }
  return true;
}

SarMeshFlaw sar_hull_polygons(const SarHullFaces* faces, const V3* vertex, int nvertex,
                              double tolerance, SarArena* arena, SarArena* scratch, SarHull* out) {
  Polygons p = {.face = faces->list.items,
                .nface = faces->list.count,
                .nvertex = nvertex,
                .vertex = vertex,
                .group = SAR_ARENA_ARRAY(scratch, int, faces->list.count)};
  bool made = p.group && make_groups(&p, tolerance, scratch) && make_loops(&p, scratch) &&
              drop_straight(&p) && finish(&p, arena, scratch, out);
  if (scratch->failed || arena->failed) return SAR_MESH_NO_MEMORY;
  if (!made) return SAR_MESH_NOT_CONVEX;
  if (out->nvertex > SAR_HULL_MOST) return SAR_MESH_TOO_LARGE;
  bool holds = holds_all(out, &p, tolerance, scratch);
  if (scratch->failed) return SAR_MESH_NO_MEMORY;
  return holds ? SAR_MESH_SOUND : SAR_MESH_NOT_CONVEX;
}
