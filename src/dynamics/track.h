// Curves that points run on (SarTrack).
#pragma once
#include "math/spline.h"
#include "model/data.h"

typedef SarSplinePoint SarTrackPoint;

SarTrackPoint sar_track_calc(const SarModel* m, SarData* d, int track, double x);
