// Copies of the arrays of solids.
#include "collide/store.h"

#include <string.h>

static SarSolidSizes hull_sizes(const SarHull* h) {
  return (SarSolidSizes){.point = h->nvertex + h->nface,
                         .number = h->nface,
                         .index = h->nface + 1 + h->face_adr[h->nface] + 4 * h->nedge +
                                  (h->ring_adr ? 2 * h->nvertex + 1 + 4 * h->nedge : 0)};
}

SarSolidSizes sar_solid_sizes(const SarSolid* s) {
  const SarTriangles* t = &s->of.triangles;
  switch (s->kind) {
    case SAR_SOLID_CONVEX: return hull_sizes(&s->of.hull);
    case SAR_SOLID_TRIANGLES:
      return (SarSolidSizes){.point = t->nvertex, .index = 6 * t->ntriangle, .node = t->nnode};
    case SAR_SOLID_HEIGHTS: return (SarSolidSizes){.number = s->of.heights.nx * s->of.heights.ny};
    default: return (SarSolidSizes){0};
  }
}

static const V3* store_points(SarSolidRoom* room, const V3* from, int n) {
  V3* to = room->point;
  memcpy(to, from, (size_t)n * sizeof *to);
  room->point += n;
  return to;
}

static const double* store_numbers(SarSolidRoom* room, const double* from, int n) {
  double* to = room->number;
  memcpy(to, from, (size_t)n * sizeof *to);
  room->number += n;
  return to;
}

static const int* store_indices(SarSolidRoom* room, const int* from, int n) {
  int* to = room->index;
  memcpy(to, from, (size_t)n * sizeof *to);
  room->index += n;
  return to;
}

SarSolid sar_solid_store(const SarSolid* s, SarSolidRoom* room) {
  SarSolid out = *s;
  SarHull* h = &out.of.hull;
  SarTriangles* t = &out.of.triangles;
  switch (s->kind) {
    case SAR_SOLID_CONVEX:
      h->vertex = store_points(room, h->vertex, h->nvertex);
      h->normal = store_points(room, h->normal, h->nface);
      h->offset = store_numbers(room, h->offset, h->nface);
      h->face_vertex = store_indices(room, h->face_vertex, h->face_adr[h->nface]);
      h->face_adr = store_indices(room, h->face_adr, h->nface + 1);
      h->edge = store_indices(room, h->edge, 4 * h->nedge);
      if (!h->ring_adr) break;
      h->ring_adr = store_indices(room, h->ring_adr, h->nvertex + 1);
      h->ring = store_indices(room, h->ring, 2 * h->nedge);
      h->ring_edge = store_indices(room, h->ring_edge, 2 * h->nedge);
      h->tour = store_indices(room, h->tour, h->nvertex);
      break;
    case SAR_SOLID_TRIANGLES:
      t->vertex = store_points(room, t->vertex, t->nvertex);
      t->triangle = store_indices(room, t->triangle, 3 * t->ntriangle);
      t->neighbour = store_indices(room, t->neighbour, 3 * t->ntriangle);
      t->node = memcpy(room->node, t->node, (size_t)t->nnode * sizeof *t->node);
      room->node += t->nnode;
      break;
    case SAR_SOLID_HEIGHTS:
      out.of.heights.z = store_numbers(room, s->of.heights.z, s->of.heights.nx * s->of.heights.ny);
      break;
    default: break;
  }
  return out;
}

static double reach(const V3* point, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, v3_dot(point[i], point[i]));
  return sqrt(most);
}

SarSolid sar_solid_of_hull(const SarHull* hull) {
  SarSolid s = {.kind = SAR_SOLID_CONVEX, .radius = reach(hull->vertex, hull->nvertex)};
  s.of.hull = *hull;
  return s;
}

SarSolid sar_solid_of_triangles(const SarTriangles* triangles) {
  SarSolid s = {.kind = SAR_SOLID_TRIANGLES,
                .radius = reach(triangles->vertex, triangles->nvertex)};
  s.of.triangles = *triangles;
  return s;
}

SarSolid sar_solid_of_heights(const SarHeights* heights) {
  SarSolid s = {.kind = SAR_SOLID_HEIGHTS, .radius = HUGE_VAL};
  s.of.heights = *heights;
  return s;
}
