// What the files that draw a canvas share. Only where there is cairo.
#pragma once
#include "cli/canvas.h"
#include "cli/stage.h"

#include <cairo.h>

typedef struct Canvas {
  const Film* film;
  const CanvasOptions* o;
  Stage stage;
  cairo_t* cr;
  int width, height;
  double left, top, wide, high;  // of the field in which the mechanism is
  double key;                    // height of the lines of names below
  int dense;                     // pixels of layers for one of the canvas
} Canvas;

enum { CANVAS_SMALL = 13, CANVAS_LARGE = 16 };  // letters

// Colour 0xRRGGBB of what is drawn next, and of the path of trace i.
void canvas_color(cairo_t* cr, unsigned c, double alpha);
unsigned canvas_path_color(int i);
void canvas_font(cairo_t* cr, double size, bool bold);
// At x, y: 0 from there to the right, 0.5 centred, 1 to the left of it.
void canvas_text(cairo_t* cr, double x, double y, double align, const char* text);

// Is the view along an axis of the ground, with axes around the field?
bool canvas_has_axes(const Canvas* c);
// Names of paths and forces in lines from `top` on. Returns their height; draws if asked to.
double canvas_key(Canvas* c, double top, bool draw);
void canvas_grid(Canvas* c);
// Around the field: numbered axes, or the directions of the ground's axes and a length.
void canvas_frame(Canvas* c);
