// Where the picture is taken from: parallel projection, so that lengths across the view are true
// and circles are round.
#pragma once
#include "math/vec.h"

#include <stdbool.h>

typedef struct SarCamera {
  V3 right, up, toward;  // unit, right-handed: toward = right x up, to whoever looks
  double scale;          // pixels a metre
  double x0, y0;         // pixels of the ground's origin, from the left and from the top
} SarCamera;

// A range of what is seen, in metres along right and up.
typedef struct SarExtent {
  double left, right, bottom, top;
} SarExtent;

// Pixels from the left and from the top, and metres towards the viewer.
static inline V3 sar_camera_project(const SarCamera* c, V3 p) {
  return v3(c->x0 + c->scale * v3_dot(p, c->right), c->y0 - c->scale * v3_dot(p, c->up),
            v3_dot(p, c->toward));
}

// Looks at the plane of two axes of the ground (0 x, 1 y, 2 z): the first to the right, the second
// up.
SarCamera sar_camera_plane(int right, int up);
// Looks at the origin from a place that is turned by `azimuth` about `up`, for z from -y towards x,
// and `elevation` above the plane across it [rad]. Another axis points up where gravity acts along
// -y, say.
SarCamera sar_camera_around_axis(double azimuth, double elevation, V3 up);

SarExtent sar_extent_none(void);
void sar_extent_add(SarExtent* e, const SarCamera* c, V3 p);
// Scale and place so that the extent fills the rectangle of pixels, centred.
void sar_camera_fit(SarCamera* c, SarExtent e, double left, double top, double width,
                    double height);

// The smallest of 1, 2, 5 times a power of ten that is not below x > 0.
double sar_round_number(double x);
