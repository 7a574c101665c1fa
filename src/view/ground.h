// Ground without end, or with too many points, as a grid to look at.
#pragma once
#include "base/arena.h"
#include "output/facets.h"

// Heights z[ix + nx iy] at x[ix], y[iy], both rising.
typedef struct SarViewGrid {
  int nx, ny;
  double *x, *y, *z;
} SarViewGrid;

// Of a part that is heights or a road; `patch` is what has to be seen of a road, in its axes x and
// y. Lines of the grid are where the surface has its kinks. False: no memory.
bool sar_view_grid(const SarScene* scene, const SarData* d, const SarPart* part,
                   const SarPatch* patch, SarArena* arena, SarViewGrid* out);
