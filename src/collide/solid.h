// Collision shapes: solids that touch, as plain geometry: no bodies, no masses. Lengths in metres,
// in its own frame.
//
// Views only: the numbers belong to whoever made the solid (the model's block).
#pragma once
#include "math/spatial.h"

typedef enum SarSolidKind {
  SAR_SOLID_SPHERE,     // size: radius
  SAR_SOLID_BOX,        // size: half lengths along x, y, z
  SAR_SOLID_CAPSULE,    // size: radius, half length of the axis (along z)
  SAR_SOLID_CYLINDER,   // size: radius, half length (along z)
  SAR_SOLID_PLANE,      // everything below z = 0
  SAR_SOLID_CONVEX,     // hull
  SAR_SOLID_TRIANGLES,  // surface of triangles, solid on their inner side
  SAR_SOLID_HEIGHTS,    // everything below z = f(x, y) on a grid
  SAR_SOLID_KINDS
} SarSolidKind;

// A convex polyhedron. Faces are polygons, counter-clockwise seen from outside.
typedef struct SarHull {
  int nvertex, nedge, nface;
  const V3* vertex;
  const V3* normal;        // nface: outward unit normals
  const double* offset;    // nface: the solid is where normal . x <= offset
  const int* face_adr;     // nface + 1: first entry in face_vertex
  const int* face_vertex;  // vertices of each face
  const int* edge;  // nedge x 4: from, to, face on the left of it (seen from outside), on the right
  V3 centre;        // a point inside
  // Neighbours, for walks from vertex to vertex; NULL: there are none, all vertices are looked at.
  const int* ring_adr;   // nvertex + 1: first entry in ring and ring_edge
  const int* ring;       // 2 nedge: vertices that share an edge with each vertex
  const int* ring_edge;  // 2 nedge: those edges
  const int* tour;       // nvertex: all vertices, each near the one before
  int extreme[6];        // vertices farthest along -x +x -y +y -z +z: where walks start
} SarHull;

// A box tree over triangles: children of a node are at `first` and `first + 1`; a leaf has count >
// 0 triangles from `first` on.
typedef struct SarTreeNode {
  V3 low, high;
  int first, count;
} SarTreeNode;

typedef struct SarTriangles {
  int nvertex, ntriangle, nnode;
  const V3* vertex;
  const int*
      triangle;  // ntriangle x 3, counter-clockwise seen from outside, in the order of the leaves
  const int*
      neighbour;  // ntriangle x 3: triangle across the edge from corner i to the next, -1: none
  const SarTreeNode* node;
} SarTriangles;

// Heights z[ix + nx iy] at x0 + ix dx, y0 + iy dy; each cell is two triangles, split from its
// lowest corner (ix, iy) to (ix + 1, iy + 1).
typedef struct SarHeights {
  int nx, ny;
  double x0, y0, dx, dy;
  double low, high;  // of z
  const double* z;
} SarHeights;

typedef struct SarSolid {
  SarSolidKind kind;
  double size[3];
  double radius;  // of the sphere about the shape's origin that contains it; inf: none
  union {
    SarHull hull;
    SarTriangles triangles;
    SarHeights heights;
  } of;
} SarSolid;
