// Curves that points run on (SarTrack): y = g(x), for point-on-curve constraints (cams).
#pragma once
#include "base/spline.h"
#include "model/data.h"

typedef SarSplinePoint SarTrackPoint;

SarTrackPoint sar_track_calc(const SarModel* m, SarData* d, int track, double x);
