// Rotation angles by sequence: R = R_i(a1) R_j(a2) R_k(a3), each about an axis of the turned frame
// (intrinsic). Three different axes: Cardan or Tait-Bryan angles, a2 within -pi/2 .. pi/2; first
// and last alike: Euler angles, a2 within 0 .. pi. a1 and a3 are within -pi .. pi.
#pragma once
#include "math/vec.h"

enum { SAR_SEQUENCES = 12 };
extern const char sar_sequence[SAR_SEQUENCES][4];  // "xyz", "zyx", "zxz", ...

// Where a2 lines up the first axis with the last (gimbal lock) only a1 and a3 together are known:
// a3 = 0 then.
void sar_rotation_angles(M3 R, const char sequence[4], double angle[3]);
