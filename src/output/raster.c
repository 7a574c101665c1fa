// The depth buffer (raster.h).
//
// Shading: ambient light and one lamp over the left shoulder of whoever looks, colour * (a + d
// max(0, n . l)), with a small highlight. Surfaces are seen from either side.
//
// Edges: a sample is on an edge where a neighbour shows another part or another group of the same
// part that is not nearer, or where the surface is broken: where depth along a line of three
// samples is bent by more than a surface could be.
#include "output/raster.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

enum { MOST_SAMPLES = 100000000 };

SarRaster* sar_raster_new(int width, int height, int over) {
  const double samples = (double)width * height * over * over;
  if (width < 1 || height < 1 || over < 1 || samples > MOST_SAMPLES) return NULL;
  const size_t n = (size_t)samples;
  SarRaster* r = sar_alloc(sizeof *r);
  float* block = sar_alloc(n * 4 * sizeof(float));
  if (!r || !block) {
    sar_free(r);
    sar_free(block);
    return NULL;
  }
  *r = (SarRaster){
      .width = width, .height = height, .over = over, .depth = block, .base = block + n};
  r->id = (uint32_t*)(void*)(block + 2 * n);
  r->color = (uint32_t*)(void*)(block + 3 * n);
  for (size_t i = 0; i < n; i++) r->base[i] = -INFINITY;
  sar_raster_clear(r);
  return r;
}

void sar_raster_free(SarRaster* r) {
  if (!r) return;
  sar_free(r->depth);
  sar_free(r);
}

static size_t samples_of(const SarRaster* r) {
  return (size_t)r->width * (size_t)r->over * (size_t)r->height * (size_t)r->over;
}

void sar_raster_clear(SarRaster* r) {
  const size_t n = samples_of(r);
  memcpy(r->depth, r->base, n * sizeof *r->depth);
  memset(r->id, 0, n * sizeof *r->id);
}

void sar_raster_forget(SarRaster* r) { memset(r->id, 0, samples_of(r) * sizeof *r->id); }

void sar_raster_keep_base(SarRaster* r) {
  memcpy(r->base, r->depth, samples_of(r) * sizeof *r->depth);
}

// ---- shading ------------------------------------------------------------------------------------

static uint32_t scaled(uint32_t color, double s, double shine) {
  uint32_t out = 0;
  for (int k = 16; k >= 0; k -= 8) {
    const double c = (double)(color >> k & 0xff) * s + 255 * shine;
    out |= (uint32_t)fmin(255, fmax(0, c + 0.5)) << k;
  }
  return out;
}

static uint32_t shade(const SarCamera* c, V3 n, const SarPaint* paint) {
  const double length = v3_norm(n);
  if (paint->flat || !(length > 0)) return paint->color;
  double x = v3_dot(n, c->right) / length, y = v3_dot(n, c->up) / length;
  double z = v3_dot(n, c->toward) / length;
  if (z < 0) x = -x, y = -y, z = -z;
  const double lamp = fmax(0, -0.38 * x + 0.62 * y + 0.69 * z);
  const double sky = 0.5 + 0.5 * y;
  const double mirrored = fmax(0, -0.21 * x + 0.34 * y + 0.92 * z);  // halfway to the viewer
  return scaled(paint->color, 0.47 + 0.14 * sky + 0.5 * lamp, 0.13 * pow(mirrored, 40));
}

// ---- triangles ----------------------------------------------------------------------------------

// Twice the area of (a, b, p): positive on one side of the line.
static double side(V3 a, V3 b, double x, double y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

// A triangle in samples; barycentric coordinates are linear along a row: at + x along.
typedef struct Triangle {
  V3 p[3], n[3];
  double area;
} Triangle;

// The samples of a row whose centres are inside: where all three coordinates are not negative.
static void span_of(const Triangle* t, double y, int* first, int* last) {
  double low = *first, high = *last;
  for (int k = 0; k < 3; k++) {
    const V3 a = t->p[(k + 1) % 3], b = t->p[(k + 2) % 3];
    const double at = side(a, b, 0.5, y) / t->area, along = -(b.y - a.y) / t->area;
    if (along > 0)
      low = fmax(low, -at / along - 1e-9);
    else if (along < 0)
      high = fmin(high, -at / along + 1e-9);
    else if (at < 0)
      high = -1;
  }
  *first = low <= high ? (int)ceil(low) : 0;
  *last = low <= high ? (int)floor(high) : -1;
}

static bool is_smooth(const SarFacet* f) {
  return memcmp(&f->n[0], &f->n[1], sizeof(V3)) != 0 || memcmp(&f->n[0], &f->n[2], sizeof(V3)) != 0;
}

static void fill_row(SarRaster* r, const SarCamera* c, const Triangle* t, const SarFacet* f,
                     const SarPaint* paint, int y, int x0, int x1) {
  const float tie = (float)(0.4 * r->sample);  // of surfaces in one place the first one is seen
  const uint32_t id = sar_raster_id(paint->id, f->group);
  const bool smooth = is_smooth(f);
  const uint32_t color = smooth ? 0 : shade(c, f->n[0], paint);
  const size_t row = (size_t)y * (size_t)r->width * (size_t)r->over;
  for (int x = x0; x <= x1; x++) {
    const double u = side(t->p[1], t->p[2], x + 0.5, y + 0.5) / t->area;
    const double v = side(t->p[2], t->p[0], x + 0.5, y + 0.5) / t->area;
    const double w = 1 - u - v;
    const float z = (float)(u * t->p[0].z + v * t->p[1].z + w * t->p[2].z);
    const size_t i = row + (size_t)x;
    if (paint->only_on ? r->id[i] != paint->only_on : z <= r->depth[i] + tie) continue;
    r->color[i] =
        smooth ? shade(c, v3_axpy(u, t->n[0], v3_axpy(v, t->n[1], v3_scale(w, t->n[2]))), paint)
               : color;
    if (paint->only_on) continue;
    r->depth[i] = z;
    r->id[i] = id;
  }
}

void sar_raster_facet(SarRaster* r, const SarCamera* c, const SarFacet* f, const SarPaint* paint) {
  const int wide = r->width * r->over, high = r->height * r->over;
  Triangle t;
  double left = HUGE_VAL, right = -HUGE_VAL, top = HUGE_VAL, bottom = -HUGE_VAL;
  for (int k = 0; k < 3; k++) {
    V3 p = sar_camera_project(c, f->p[k]);
    p = v3(p.x * r->over, p.y * r->over, p.z + paint->raise);
    if (!isfinite(p.x + p.y + p.z)) return;
    t.p[k] = p;
    t.n[k] = v3_scale(1 / fmax(1e-300, v3_norm(f->n[k])), f->n[k]);
    left = fmin(left, p.x), right = fmax(right, p.x);
    top = fmin(top, p.y), bottom = fmax(bottom, p.y);
  }
  t.area = side(t.p[0], t.p[1], t.p[2].x, t.p[2].y);
  if (!isfinite(t.area) || t.area == 0) return;
  r->sample = 1 / (c->scale * r->over);
  const int y0 = (int)fmin(high, fmax(0, ceil(top - 0.5)));
  const int y1 = (int)fmax(-1, fmin(high - 1, floor(bottom - 0.5)));
  for (int y = y0; y <= y1; y++) {
    int x0 = (int)fmin(wide, fmax(0, ceil(left - 0.5)));
    int x1 = (int)fmax(-1, fmin(wide - 1, floor(right - 0.5)));
    span_of(&t, y + 0.5, &x0, &x1);
    fill_row(r, c, &t, f, paint, y, x0, x1);
  }
}

// ---- edges --------------------------------------------------------------------------------------

// A part in front of itself, as the windings of a coil are.
static bool is_broken(const SarRaster* r, int x, int y) {
  const int wide = r->width * r->over, high = r->height * r->over;
  const size_t here = (size_t)y * (size_t)wide + (size_t)x;
  if (x < 1 || y < 1 || x + 1 >= wide || y + 1 >= high) return false;
  for (int k = 0; k < 2; k++) {
    const size_t step = k == 0 ? 1 : (size_t)wide;
    const float a = r->depth[here - step], b = r->depth[here], c = r->depth[here + step];
    if (r->id[here - step] == r->id[here] && r->id[here + step] == r->id[here] &&
        (double)(2 * b - a - c) > 7 * r->sample)
      return true;
  }
  return false;
}

static bool on_edge(const SarRaster* r, int x, int y, int reach) {
  const int wide = r->width * r->over, high = r->height * r->over;
  const size_t here = (size_t)y * (size_t)wide + (size_t)x;
  const uint32_t id = r->id[here];
  if (is_broken(r, x, y)) return true;
  for (int dir = 0; dir < 8; dir++) {
    const int dx = (int[]){1, 1, 0, -1, -1, -1, 0, 1}[dir],
              dy = (int[]){0, 1, 1, 1, 0, -1, -1, -1}[dir];
    for (int k = 1; k <= reach; k++) {
      const int ax = x + k * dx, ay = y + k * dy;
      if (ax < 0 || ay < 0 || ax >= wide || ay >= high) break;
      const size_t there = (size_t)ay * (size_t)wide + (size_t)ax;
      const uint32_t other = r->id[there];
      if (other == id) continue;
      // a crease is drawn on both sides of it, half as wide; the rim of a part on the nearer one
      const bool crease = other >> 12 == id >> 12;
      if (crease ? 2 * k <= reach + 1 : other == 0 || r->depth[there] <= r->depth[here])
        return true;
    }
  }
  return false;
}

static uint32_t darker(uint32_t color, double edges) { return scaled(color, 1 - 0.72 * edges, 0); }

void sar_raster_resolve(const SarRaster* r, double edges, double edge_width, uint32_t* pixels) {
  const int wide = r->width * r->over, n = r->over * r->over;
  const int reach = (int)lround(edge_width * r->over);
  for (int y = 0; y < r->height; y++)
    for (int x = 0; x < r->width; x++) {
      uint32_t sum[4] = {0};
      for (int k = 0; k < n; k++) {
        const int sx = x * r->over + k % r->over, sy = y * r->over + k / r->over;
        const size_t i = (size_t)sy * (size_t)wide + (size_t)sx;
        if (r->id[i] == 0) continue;
        uint32_t c = r->color[i];
        if (edges > 0 && on_edge(r, sx, sy, reach)) c = darker(c, edges);
        sum[0]++;
        for (int j = 1; j < 4; j++) sum[j] += c >> (8 * (3 - j)) & 0xff;
      }
      uint32_t out = sum[0] * 255 / (uint32_t)n << 24;
      for (int j = 1; j < 4; j++) out |= sum[j] / (uint32_t)n << (8 * (3 - j));
      pixels[(size_t)y * (size_t)r->width + (size_t)x] = out;
    }
}
