// Convex hulls.
#pragma once
#include "collide/mesh.h"

enum { SAR_HULL_MOST = 4096 };  // vertices of a hull

// The hull of n points, with arrays in the arena. Points within 2e-9 of the extent are one;
// triangles in one plane within 1e-8 of the extent become one polygon (of points with finer details
// than that: 6e-5 at worst). FEW_POINTS, FLAT, NOT_FINITE, TOO_LARGE, NO_MEMORY otherwise.
SarMeshFault sar_hull_build(const V3* point, int n, SarArena* arena, SarHull* out);
// The same as closed triangles, for its mass.
SarMesh sar_hull_mesh(const SarHull* hull, SarArena* arena);
