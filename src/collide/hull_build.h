// How hulls are made: triangles over points on a grid of integers, then polygons.
#pragma once
#include "collide/hull.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct SarGridPoint {
  int64_t x, y, z;  // 0 .. 2^29
} SarGridPoint;

// A triangle of the hull, counter-clockwise seen from outside.
typedef struct SarHullFace {
  int vertex[3];
  int across[3];  // face across the edge from vertex i to the next
  bool dead;
  int outside;  // points in front of it, a list by `next` of the builder; -1: none
  int mark;     // of the walk that has seen it
  double far;   // height of the farthest of them, in steps of the grid
} SarHullFace;

typedef struct SarHullFaces {
  SAR_LIST(SarHullFace) list;
} SarHullFaces;

typedef enum SarHullResult {
  SAR_HULL_DONE,
  SAR_HULL_FLAT,
  SAR_HULL_LARGE,
  SAR_HULL_NO_MEMORY
} SarHullResult;

// All points are different. At most `most` points are made vertices on the way.
SarHullResult sar_hull_faces(const SarGridPoint* point, int n, int most, SarArena* scratch,
                             SarHullFaces* out);

// The same of at most `vertices` points: always the one farthest outside, until none is farther
// than *error (in steps of the grid). *error is then how far the farthest is that was left out.
SarHullResult sar_hull_faces_within(const SarGridPoint* point, int n, int vertices, double* error,
                                    SarArena* scratch, SarHullFaces* out);

// The hull as polygons, with arrays in `arena`; the faces' vertices are at `vertex`. NOT_CONVEX:
// with this tolerance they do not make a polyhedron that holds all vertices within it.
SarMeshFlaw sar_hull_polygons(const SarHullFaces* faces, const V3* vertex, int nvertex,
                              double tolerance, SarArena* arena, SarArena* scratch, SarHull* out);
