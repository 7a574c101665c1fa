// Curves that points run on (SarTrack).
#pragma once
#include "model/data.h"

typedef struct SarTrackPoint {
  double y, slope, bend;  // g, g', g''
} SarTrackPoint;

SarTrackPoint sar_track_calc(const SarModel* m, SarData* d, int track, double x);
