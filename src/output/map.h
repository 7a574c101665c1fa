// Maps: values over a grid of two quantities in colours, with lines of equal value (contour lines),
// drawn by gnuplot into a PNG or SVG file.
#pragma once
#include "sarrus/sarrus.h"

typedef struct SarMapPanel {
  const char* label;
  const double* z;  // nx ny, along y first; what is not finite stays blank
} SarMapPanel;

typedef struct SarMap {
  const char *title, *x_label, *y_label;
  int nx, ny;                 // at least 2
  const double *x, *y;        // increasing
  const SarMapPanel* panels;  // beside each other
  int count;
} SarMap;

SarStatus sar_map_write(const SarMap* map, const char* path, SarError* err);
