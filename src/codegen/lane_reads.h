// Where loops over families (families.h) read lanes that are no operations: coordinates of twins
// stand in arrays at equal distances, their sines and cosines side by side (angles.h).
#pragma once
#include "codegen/angles.h"
#include "codegen/families.h"

// The C text of a gathered tuple as one value of a loop whose vectors are named so ("m_v4"); NULL:
// there is none, or no memory.
const char* sar_lane_read(const SarEmit* e, const SarTuple* t, int lanes, const char* vector,
                          SarAngles* angles);
