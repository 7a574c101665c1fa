// Mass properties of solids and their plausibility.
#pragma once
#include "math/spatial.h"
#include "model/spec.h"

// A solid of unit density or mass, centred on its own frame, long axis z. Sizes as in SpecShape;
// rods have their length in size[1].
double sar_shape_volume(SpecShapeKind kind, const double size[3]);  // m^3; 0 for a rod
// Principal moments about the centre for unit mass [m^2].
V3 sar_shape_gyration(SpecShapeKind kind, const double size[3]);

// Eigenvalues of a symmetric matrix, rising (cyclic Jacobi).
void sar_principal_moments(S3 I, double moments[3]);

typedef enum SarInertiaFault {
  SAR_INERTIA_FINE,
  SAR_INERTIA_NEGATIVE,  // a principal moment is negative
  SAR_INERTIA_TRIANGLE   // the largest exceeds the sum of the other two: no body has that
} SarInertiaFault;
// Files hold rounded numbers: negative means below -1e-6 of the largest moment, and the triangle
// inequality may miss by 1e-3 of it.
SarInertiaFault sar_inertia_check(S3 I, double moments[3]);
