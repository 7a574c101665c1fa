// Triangles of surfaces, whether listed or made from heights, and what their normals may be.
#pragma once
#include "collide/solid.h"

#include <stdbool.h>

// A triangle of a surface, in the surface's frame.
typedef struct SarPatch {
  int triangle;
  V3 corner[3];
  V3 normal;
} SarPatch;

SarPatch sar_patch_get(const SarSolid* surface, int triangle);
// The triangle across the edge from corner i to the next, -1: none; side: which of its edges that
// is.
int sar_patch_across(const SarSolid* surface, int triangle, int i, int* side);

typedef enum SarPatchRule {
  SAR_PATCH_KEEP,  // the normal is one that the surface has there
  SAR_PATCH_FACE,  // it is not: the triangle's own is
  SAR_PATCH_OTHER  // what touches there is another triangle
} SarPatchRule;

// May a contact at point p of the triangle have the unit normal n? tolerance [m]: nearer to an edge
// is on the edge.
SarPatchRule sar_patch_judge(const SarSolid* surface, const SarPatch* patch, V3 p, V3 n,
                             double tolerance);
// True if none of its edges can be touched from the side: its neighbours are level with it or rise.
bool sar_patch_is_level(const SarSolid* surface, const SarPatch* patch);
