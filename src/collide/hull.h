// Convex hulls.
#pragma once
#include "collide/mesh.h"

enum { SAR_HULL_MOST = 4096 };               // vertices of a hull
static const double SAR_HULL_COARSE = 1e-4;  // of the extent: how simplified hulls may differ

// The hull of n points, with arrays in the arena. Points within 2e-9 of the extent are one;
// triangles in one plane within 1e-8 of the extent become one polygon (of points with finer details
// than that: 6e-5 at worst). Where the hull has too many vertices it is that of some of the points,
// those farthest out first: the others stand above it by about the fault's `distance` (then not 0),
// which is SAR_HULL_COARSE of the extent if SAR_HULL_MOST vertices allow. FEW_POINTS, FLAT,
// NOT_FINITE, TOO_LARGE, NO_MEMORY otherwise.
SarMeshFault sar_hull_build(const V3* point, int n, SarArena* arena, SarHull* out);
// The same as closed triangles, for its mass.
SarMesh sar_hull_mesh(const SarHull* hull, SarArena* arena);
