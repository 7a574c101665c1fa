// A picture file under way: PNG, SVG or PDF, as the ending of its name says.
#pragma once
#include "sarrus/sarrus.h"

// Can a file of this name be drawn? Otherwise a report; SAR_BAD_ARGUMENT: the ending names no
// format, SAR_NOT_OFFERED: the program was built without cairo.
SarStatus surface_check(const char* path, SarError* err);

#ifdef SARRUS_HAVE_CAIRO
#include <cairo.h>

typedef struct Surface {
  const char* path;
  cairo_surface_t* on;
  cairo_t* cr;  // to draw with
  bool pixels;  // PNG
} Surface;

bool surface_is_pixels(const char* path);
void surface_begin(Surface* s, const char* path, int width, int height);
// Something of no size, to measure letters on; ended by surface_drop.
void surface_measure(Surface* s);
void surface_drop(Surface* s);
// Writes the file. st: what became of the drawing, which is passed on. SAR_NO_FILE after a report.
SarStatus surface_end(Surface* s, SarStatus st, SarError* err);
#endif
