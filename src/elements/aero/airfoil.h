// Lift, drag and moment coefficients of an airfoil, with their slopes.
#pragma once
#include "model/model.h"

typedef struct SarCoefficient {
  double c, c_alpha, c_mach;  // value, slopes by angle [1/rad] and Mach number
} SarCoefficient;

typedef struct SarPolar {
  SarCoefficient lift, drag, moment;
  SarCoefficient friction;  // drag at zero angle, for flow along the span
} SarPolar;

// airfoil -1: a flat plate. alpha in -pi..pi.
SarPolar sar_airfoil_at(const SarModel* m, int airfoil, double alpha, double mach);
