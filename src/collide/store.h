// Solids into the model's arrays.
#pragma once
#include "collide/solid.h"

// Entries that the arrays of solids take: SarModel's solid_point, solid_number, solid_index,
// solid_node.
typedef struct SarSolidSizes {
  int point, number, index, node;
} SarSolidSizes;
SarSolidSizes sar_solid_sizes(const SarSolid* s);

// Free room in those arrays.
typedef struct SarSolidRoom {
  V3* point;
  double* number;
  int* index;
  SarTreeNode* node;
} SarSolidRoom;
// The same solid with its arrays copied to where there is room; what is left moves on behind them.
SarSolid sar_solid_store(const SarSolid* s, SarSolidRoom* room);

// Solids of the kinds that have arrays, with the radius that contains them.
SarSolid sar_solid_of_hull(const SarHull* hull);
SarSolid sar_solid_of_triangles(const SarTriangles* triangles);
SarSolid sar_solid_of_heights(const SarHeights* heights);
