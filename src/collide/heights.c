// Height fields (terrain on a regular grid): cells of two triangles each.
#include "collide/heights.h"

#include <stddef.h>

bool sar_heights_build(int nx, int ny, double x0, double y0, double dx, double dy, const double* z,
                       SarHeights* out) {
  *out = (SarHeights){nx, ny, x0, y0, dx, dy, 0, 0, z};
  bool fine = nx >= 2 && ny >= 2 && (double)nx * ny <= SAR_MOST_HEIGHTS && isfinite(x0) &&
              isfinite(y0) && dx > 0 && dy > 0 && isfinite(x0 + nx * dx) && isfinite(y0 + ny * dy);
  if (!fine) return false;
  out->low = out->high = z[0];
  for (int iy = 0; iy < ny; iy++)
    for (int ix = 0; ix < nx; ix++) {
      double h = z[ix + (size_t)nx * (size_t)iy];
      if (!isfinite(h)) return false;
      out->low = fmin(out->low, h);
      out->high = fmax(out->high, h);
    }
  return true;
}

V3 sar_heights_point(const SarHeights* h, int ix, int iy) {
  return v3(h->x0 + ix * h->dx, h->y0 + iy * h->dy, h->z[ix + (size_t)h->nx * (size_t)iy]);
}

void sar_heights_triangle(const SarHeights* h, int ix, int iy, int which, V3 corner[3]) {
  V3 far = sar_heights_point(h, ix + 1, iy + 1);
  corner[0] = sar_heights_point(h, ix, iy);
  corner[1] = which == 0 ? sar_heights_point(h, ix + 1, iy) : far;
  corner[2] = which == 0 ? far : sar_heights_point(h, ix, iy + 1);
}

static int clamp(int i, int low, int high) { return i < low ? low : i > high ? high : i; }

bool sar_heights_at(const SarHeights* h, double x, double y, double* z, V3* normal) {
  double u = (x - h->x0) / h->dx, v = (y - h->y0) / h->dy;
  if (!(u >= 0 && v >= 0 && u <= h->nx - 1 && v <= h->ny - 1)) return false;
  int ix = clamp((int)u, 0, h->nx - 2), iy = clamp((int)v, 0, h->ny - 2);
  V3 c[3];
  sar_heights_triangle(h, ix, iy, v - iy > u - ix, c);
  V3 n = v3_unit(v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0])));
  // n . (p - c0) = 0
  *z = c[0].z - (n.x * (x - c[0].x) + n.y * (y - c[0].y)) / n.z;
  if (normal) *normal = n;
  return true;
}
