// Height fields (terrain): heights on a regular grid.
#pragma once
#include "collide/solid.h"

#include <stdbool.h>

enum { SAR_MOST_HEIGHTS = 1 << 26 };

// Heights z[ix + nx iy] at x0 + ix dx, y0 + iy dy: a view of z. False unless nx, ny >= 2, not more
// than SAR_MOST_HEIGHTS in all, dx, dy > 0, all finite.
bool sar_heights_build(int nx, int ny, double x0, double y0, double dx, double dy, const double* z,
                       SarHeights* out);

V3 sar_heights_point(const SarHeights* h, int ix, int iy);
// The two triangles of a cell, counter-clockwise seen from above: which = 0 has the corner (ix + 1,
// iy), 1 has (ix, iy + 1).
void sar_heights_triangle(const SarHeights* h, int ix, int iy, int which, V3 corner[3]);

// Height and upward unit normal of the surface at x, y; false outside of the grid. normal Nullable.
bool sar_heights_at(const SarHeights* h, double x, double y, double* z, V3* normal);
