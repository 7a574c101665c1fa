// Shaded triangles with hidden surfaces removed by a depth buffer (z-buffer), edges drawn,
// anti-aliased by oversampling.
//
//   sar_raster_new(width, height, oversampling, &r)
//   sar_raster_clear(r)
//   sar_raster_facet(r, camera, facet, look)       any number, in any order
//   sar_raster_resolve(r, pixels)                  edges, then the mean of each pixel's samples
//
// Pixels come as 32 bits, alpha in the upper byte, colours multiplied by alpha (as cairo's ARGB32).
#pragma once
#include "output/camera.h"
#include "output/facets.h"

#include <stdint.h>

typedef struct SarRaster {
  int width, height;  // pixels
  int over;           // samples along each side of a pixel
  double sample;      // metres from one sample to the next
  float* depth;       // towards the viewer; -inf: nothing here
  uint32_t* id;       // whose surface, and which of its groups; 0: nothing here
  uint32_t* color;    // 0x00RRGGBB
  float* base;        // depth of what lies behind everything (ground); -inf: nothing
} SarRaster;

// How a surface is painted.
typedef struct SarPaint {
  uint32_t color;  // 0xRRGGBB
  uint32_t id;     // of the part, not 0; groups below 4096 are told apart
  double raise;    // metres by which it is drawn nearer than it is
  bool flat;       // one colour, no shading
  uint32_t
      only_on;  // not 0: colours what shows this id (sar_raster_id), whatever its depth: a shadow
} SarPaint;

// What samples of a group of a part hold.
static inline uint32_t sar_raster_id(uint32_t part, int group) {
  return part << 12 | ((uint32_t)group & 0xfff);
}

// NULL: no memory, or too large.
SarRaster* sar_raster_new(int width, int height, int over);
void sar_raster_free(SarRaster* r);  // NULL is fine
void sar_raster_clear(SarRaster* r);
// What is there now is not drawn again, but goes on hiding what is behind it, until it is cleared.
void sar_raster_forget(SarRaster* r);
// What is there now becomes what lies behind: later surfaces are hidden by it, but it is not drawn
// again.
void sar_raster_keep_base(SarRaster* r);
void sar_raster_facet(SarRaster* r, const SarCamera* c, const SarFacet* f, const SarPaint* paint);
// width x height pixels. edges: the darkness of edges, 0 to 1; their width in pixels.
void sar_raster_resolve(const SarRaster* r, double edges, double edge_width, uint32_t* pixels);
