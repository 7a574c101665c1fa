// Layers of pixels from a film: the ground, each pose, the arrows of forces.
#pragma once
#include "cli/film.h"
#include "output/raster.h"

typedef struct Stage {
  const Film* film;
  SarCamera camera;
  bool planar;     // seen across the plane of the motion: joints are drawn on top
  SarPatch patch;  // of the ground
  bool forces;     // are drawn
  double longest;  // force of the longest arrow [N]; 0: there are none
} Stage;

// Bounds of all that moves, and the piece of ground below it.
void stage_set(Stage* s, const Film* film, const SarCamera* direction, bool planar);
// What is to be seen of all poses, in the view.
SarExtent stage_extent(const Stage* s);
// Each draws into the raster, whose left upper corner is the camera's pixel (0, 0).
void stage_ground(const Stage* s, SarRaster* r);
// Those parts of a pose that are pale, or those that are not.
void stage_pose(const Stage* s, SarRaster* r, int pose, bool pale);
void stage_arrows(const Stage* s, SarRaster* r, int pose);
