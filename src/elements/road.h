// Height of a road over the ground plane, with its slopes.
//
//   z(x, y) = sum of features + table(x) + height(x, y, t) + field(x, y)
//   ramp      h s                      s = (x - from) / (to - from), held at 0 before and 1 beyond
//   smooth    h s^2 (3 - 2 s)
//   bump      h (1 - cos(2 pi s)) / 2
//
// A feature may be on one side only: left is y > 0.
#pragma once
#include "math/dual.h"
#include "model/data.h"

typedef struct SarRoadPoint {
  double z, zx, zy, zt;
  double zxx, zxy, zyy;  // by sar_road_bend only
  double side;           // changes its sign at every kink of features and tables; 1: there are none
} SarRoadPoint;

// road -1: flat at z = 0. Cost: O(features).
SarRoadPoint sar_road_at(const SarModel* m, const SarData* d, int road, double x, double y);
// The same with the second derivatives.
SarRoadPoint sar_road_bend(const SarModel* m, const SarData* d, int road, double x, double y);

// The same with what each changes by along a direction: x, y and, where it is an expression,
// whatever moves it.
typedef struct SarVariedRoad {
  Dual z, zx, zy, zt, zxx, zxy, zyy;
} SarVariedRoad;
SarVariedRoad sar_road_vary(const SarModel* m, SarData* d, SarVariation* v, int road, Dual x,
                            Dual y);
