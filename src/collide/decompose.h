// Approximate convex decomposition: a closed mesh as convex parts that together hold all of it.
#pragma once
#include "collide/mesh.h"

enum { SAR_PARTS_MOST = 32 };
// Of the mesh's extent: how deep a hollow of a part may be, seen along the normal of its surface.
static const double SAR_PARTS_HOLLOW = 0.04;

typedef struct SarParts {
  int count;
  SarHull hull[SAR_PARTS_MOST];
  double hollow;  // the deepest that is left [m]
} SarParts;

// The parts, at most `most` of them (and SAR_PARTS_MOST), with arrays in the arena. The same mesh
// gives the same parts. Faults of hulls; the mesh must be closed (sar_mesh_check_closed).
SarMeshFault sar_decompose(const SarMesh* mesh, double hollow, int most, SarArena* arena,
                           SarParts* out);

// ---- decompose_piece.c: a part on the way
typedef struct SarFacet {
  V3 corner[3], normal;
} SarFacet;

typedef struct SarPiece {
  SarFacet* facet;
  int count;
  SarHull hull;
  double hollow;           // deepest, seen along the outward normals of the facets
  double volume;           // of the hull
  V3 at;                   // a point there
  V3 low, high;            // of the hull
  V3 cell_low, cell_high;  // the planes that it is between; inf: none
  bool final;              // no cut makes it better
} SarPiece;

// Facets of a mesh, which stay in the arena.
bool sar_piece_of_mesh(const SarMesh* mesh, SarArena* arena, SarPiece* out);
// What of a piece is below (side 0) or above (1) x[axis] = at, without its hull. False: no memory.
bool sar_piece_cut(const SarPiece* p, int axis, double at, int side, SarArena* arena,
                   SarPiece* out);
// Hull, its volume, and the deepest hollow. whole: the mesh that the piece is of, in which corners
// between three planes may be; Nullable: they are left out.
SarMeshFault sar_piece_measure(SarPiece* p, const SarMesh* whole, SarArena* arena);
