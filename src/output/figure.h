// Figures: panels of curves, drawn by gnuplot into a PNG or SVG file.
#pragma once
#include "sarrus/sarrus.h"

// y over x; a pair that is not finite breaks the line.
typedef struct SarCurve {
  const char* label;  // NULL: not in the key
  const double* x;    // n values, every x_stride-th
  const double* y;
  size_t n, x_stride, y_stride;
  unsigned color;  // 0xRRGGBB; SAR_CURVE_AUTO: the next of the palette
  double width;    // of the line; 0: the default
  int dash;        // 0 solid, 1.. patterns
  bool points;     // every point is marked too
} SarCurve;

#define SAR_CURVE_AUTO 0xff000000u

typedef struct SarPanel {
  const char* y_label;
  const SarCurve* curves;
  int count;
} SarPanel;

typedef struct SarFigure {
  const char* title;
  const char* x_label;
  const SarPanel* panels;  // one above the other, over the same x
  int count;
  int width, height;         // pixels; 0: chosen from the number of panels
  bool equal;                // the same scale for x and y (paths, pictures of mechanisms)
  bool bare;                 // no axes: the picture has no scale of its own
  bool log_x, log_y;         // logarithmic axes; what is not positive breaks the line
  const char* const* ticks;  // names at x = 0, 1, ... instead of numbers; NULL: numbers
  int tick_count;
} SarFigure;

// The ending of path chooses: .png or .svg. SAR_NOT_OFFERED with a message when gnuplot is not
// installed.
SarStatus sar_figure_write(const SarFigure* figure, const char* path, SarError* err);
