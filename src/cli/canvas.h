// A picture of a film: shaded parts, paths, forces, axes or a scale, names; as PNG, SVG or PDF.
#pragma once
#include "cli/film.h"
#include "output/camera.h"

typedef struct CanvasOptions {
  const char* title;
  SarCamera camera;           // direction only; place and scale are found
  const char* axis_label[2];  // of what points right and up; NULL: no axis of the ground
  bool across;                // seen across the plane in which all motion is
  int width, height;          // pixels; 0: chosen
  bool forces;                // of contacts and elements, as arrows at the last pose
} CanvasOptions;

// What became of it.
typedef struct CanvasReport {
  int width, height;
  SarCamera camera;
} CanvasReport;

// The ending of path chooses the format.
SarStatus canvas_write(const Film* film, const CanvasOptions* o, const char* path,
                       CanvasReport* report, SarError* err);
