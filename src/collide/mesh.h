// Meshes of triangles before they become solids: are they sound, and what do they weigh?
#pragma once
#include "base/arena.h"
#include "collide/solid.h"

#include <stdbool.h>

// Triangles counter-clockwise seen from outside: three indices of vertices each.
typedef struct SarMesh {
  int nvertex, ntriangle;
  V3* vertex;
  int* triangle;
} SarMesh;

typedef enum SarMeshFlaw {
  SAR_MESH_SOUND,
  SAR_MESH_NOT_FINITE,  // a vertex is NaN or infinite
  SAR_MESH_INDEX,       // a triangle names a vertex that there is not
  SAR_MESH_EMPTY,       // no triangle has an area
  SAR_MESH_FEW_POINTS,  // of a hull: fewer than four
  SAR_MESH_FLAT,        // of a hull: all points in a plane
  SAR_MESH_OPEN,        // an edge has a triangle on one side only
  SAR_MESH_BRANCHED,    // more than two triangles meet at an edge
  SAR_MESH_TWISTED,     // neighbours disagree about which side is outside
  SAR_MESH_INSIDE_OUT,  // closed, and all triangles face inwards
  SAR_MESH_NOT_CONVEX,  // a vertex stands out in front of a triangle
  SAR_MESH_TOO_LARGE,   // of a hull: more vertices than SAR_HULL_MOST
  SAR_MESH_NO_MEMORY
} SarMeshFlaw;

// What is wrong, and where. Of OPEN, BRANCHED and TWISTED the edge from vertex a to b; of
// NOT_CONVEX vertex a in front of the triangle by `distance`; of NOT_FINITE vertex a.
typedef struct SarMeshFault {
  SarMeshFlaw flaw;
  int triangle, a, b;  // -1: none
  int count;           // how many of the kind there are
  double distance;     // [m]
} SarMeshFault;

// "is not closed", "is not convex", ...: follows a name.
const char* sar_mesh_flaw_text(SarMeshFlaw flaw);

// Largest extent of the box around the points; tolerances are relative to it.
double sar_mesh_extent(const V3* point, int n);

// Closed: every edge belongs to two triangles, which run along it in opposite directions, and the
// outside is outside. Takes memory for a while, counted as that of the arena is.
SarMeshFault sar_mesh_check_closed(const SarMesh* mesh, const SarArena* beside);
// Every vertex is behind the plane of every triangle, within 1e-6 of the extent (files in single
// precision keep that). Costs nvertex x ntriangle.
SarMeshFault sar_mesh_check_convex(const SarMesh* mesh);

// Turns every triangle round.
void sar_mesh_flip(SarMesh* mesh);
// x -> s x for each axis; a mirror image is turned round, so that the outside stays outside.
void sar_mesh_scale(SarMesh* mesh, V3 s);

// Volume, first and second moments of what a closed mesh holds, at density 1: m is the volume
// [m^3], h the volume times its centre, I about the mesh's origin. Times the density it is the
// body's inertia.
Inertia sar_mesh_inertia(const SarMesh* mesh);

// One side of an edge: a triangle runs from corner `side` to the next.
typedef struct SarMeshEdge {
  int low, high;  // vertices
  int triangle, side;
  bool forward;  // it runs from low to high
} SarMeshEdge;
// All 3 ntriangle of them, those of the same edge behind one another; NULL: no memory.
SarMeshEdge* sar_mesh_edges(const int* triangle, int ntriangle, SarArena* arena);
