// Surfaces of triangles (meshes): bounding volume hierarchy and neighbours.
#pragma once
#include "collide/mesh.h"

enum { SAR_TREE_DEPTH = 100 };  // no leaf of a box tree is deeper

// The surface may be open. Triangles without area are left out; the vertices are the mesh's, the
// other arrays are in the arena. EMPTY, INDEX, NOT_FINITE, NO_MEMORY otherwise. Where more than two
// triangles meet, or two that disagree about the outside, none are neighbours.
SarMeshFault sar_triangles_build(const SarMesh* mesh, SarArena* arena, SarTriangles* out);

// False: thinner than 1e-12 of the extent.
bool sar_triangle_has_area(V3 a, V3 b, V3 c, double extent);
