// Surfaces of triangles: box tree and neighbours.
#pragma once
#include "collide/mesh.h"

// The surface may be open. Triangles without area are left out; arrays are in the arena. EMPTY, INDEX, NOT_FINITE,
// NO_MEMORY otherwise. Where more than two triangles meet, or two that disagree about the outside, none are
// neighbours.
SarMeshFault sar_triangles_build(const SarMesh* mesh, SarArena* arena, SarTriangles* out);
