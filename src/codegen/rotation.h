// Rotations over symbols: quaternions of matrices, logarithms, rotation vectors (math/rotvec.h).
#pragma once
#include "codegen/spatial.h"

typedef struct SymQuat {
  SarNode w, x, y, z;
} SymQuat;

SymQuat squat_load(const SarNode* q);
SymQuat squat_of_m3(SarGraph* g, SymM3 R);  // w >= 0
SymQuat squat_mul(SarGraph* g, SymQuat a, SymQuat b);
SymQuat squat_conj(SarGraph* g, SymQuat q);
SymV3 squat_log(SarGraph* g, SymQuat q);  // the shortest rotation vector
// Angle `which` of a rotation by a sequence of axes, "zyx" (math/sequence.h).
SarNode srotation_angle(SarGraph* g, SymM3 R, const char sequence[4], int which);
// d xi/dt for the angular velocity w in the turned frame
SymV3 srotvec_rate(SarGraph* g, SymV3 xi, SymV3 w);
