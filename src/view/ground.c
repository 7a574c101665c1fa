// Ground as a grid (ground.h).
#include "view/ground.h"

#include "collide/heights.h"
#include "elements/road.h"

#include <math.h>

enum { MOST_X = 900, MOST_Y = 121, ROAD_X = 600, ROAD_Y = 24 };

static int grid_of(SarViewGrid* g, SarArena* arena, int most_x, int most_y) {
  g->x = SAR_ARENA_ARRAY(arena, double, most_x);
  g->y = SAR_ARENA_ARRAY(arena, double, most_y);
  g->z = SAR_ARENA_ARRAY(arena, double, (size_t)most_x*(size_t)most_y);
  return !arena->failed;
}

// Points of the grid itself, or every so many of them and the last.
static int thin(int n, int most, double from, double step, double* out) {
  const int every = 1 + (n - 2) / (most - 1);
  int count = 0;
  for (int i = 0; i < n - 1; i += every) out[count++] = from + step * i;
  out[count++] = from + step * (n - 1);
  return count;
}

static bool heights(const SarHeights* h, SarArena* arena, SarViewGrid* g) {
  enum { MOST = 300 };
  if (!grid_of(g, arena, MOST + 1, MOST + 1)) return false;
  g->nx = thin(h->nx, MOST, h->x0, h->dx, g->x);
  g->ny = thin(h->ny, MOST, h->y0, h->dy, g->y);
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++)
      if (!sar_heights_at(h, g->x[i], g->y[j], &g->z[i + g->nx * j], NULL)) g->z[i + g->nx * j] = 0;
  return true;
}

static int add_line(double* list, int n, int most, double value) {
  int i = n;
  if (n >= most || !isfinite(value)) return n;
  for (int k = 0; k < n; k++)
    if (list[k] == value) return n;
  for (; i > 0 && list[i - 1] > value; i--) list[i] = list[i - 1];
  list[i] = value;
  return n + 1;
}

// A step in height is a steep face, not a ramp of one cell: lines just before and just behind each
// kink.
static void lines_of_road(const SarModel* m, const SarRoad* r, const SarPatch* patch,
                          SarViewGrid* g) {
  const double length = patch->high.x - patch->low.x, near = 1e-6 * length;
  for (int i = 0; i <= ROAD_X; i++) g->x[i] = patch->low.x + length * i / ROAD_X;
  g->nx = ROAD_X + 1;
  for (int k = 0; k < r->stations; k++) {
    const double x = m->attr_data[r->station + k];
    if (!(x > patch->low.x && x < patch->high.x) || g->nx + 2 > MOST_X) continue;
    g->nx = add_line(g->x, g->nx, MOST_X, x - near);
    g->nx = add_line(g->x, g->nx, MOST_X, x + near);
  }
  for (int j = 0; j <= ROAD_Y; j++)
    g->y[j] = patch->low.y + (patch->high.y - patch->low.y) * j / ROAD_Y;
  g->ny = ROAD_Y + 1;
  for (int side = -1; side <= 1; side += 2)  // features on one side end at y = 0
    if (patch->low.y < -near && patch->high.y > near)
      g->ny = add_line(g->y, g->ny, MOST_Y, side * near);
}

bool sar_view_grid(const SarScene* scene, const SarData* d, const SarPart* part,
                   const SarPatch* patch, SarArena* arena, SarViewGrid* out) {
  const SarModel* m = scene->m;
  if (part->heights) return heights(part->heights, arena, out);
  if (!grid_of(out, arena, MOST_X, MOST_Y)) return false;
  lines_of_road(m, &m->road[part->road], patch, out);
  for (int j = 0; j < out->ny; j++)
    for (int i = 0; i < out->nx; i++)
      out->z[i + out->nx * j] = sar_road_at(m, d, part->road, out->x[i], out->y[j]).z;
  return true;
}
