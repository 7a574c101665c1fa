// Where a mechanism is looked at from.
#pragma once
#include "cli/cli.h"
#include "model/model.h"
#include "output/camera.h"

typedef struct Viewpoint {
  SarCamera camera;           // direction only
  const char* axis_label[2];  // of a view along an axis of the ground; else NULL
  bool across;                // all motion is across the view
} Viewpoint;

// xy, xz, ...: what points right and up; iso; or azimuth and elevation in degrees, "35,20". False:
// none of these. NULL: the view that suits the model: across the plane in which it moves, else iso.
bool viewpoint_find(const SarModel* m, const char* text, Viewpoint* out);
