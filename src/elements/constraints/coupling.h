// Two joints of one coordinate each, the second following the first:  q2 - ratio q1 - offset.
#pragma once
#include "model/constraint_kind.h"

enum { COUPLING_FIRST, COUPLING_SECOND, COUPLING_RATIO, COUPLING_OFFSET };

static inline bool coupling_fits(SarRows* r, int joint, SarCoordinate expected) {
  SarCoordinate kind = expected;
  bool one = sar_rows_freedoms(r, joint, &kind, 0) == 1;
  if (one && kind == expected) return true;
  sar_rows_complain(r, joint, "", "the %s joint must have one coordinate, %s",
                    joint == COUPLING_FIRST ? "first" : "second",
                    expected == SAR_ANGLE ? "an angle" : "a displacement");
  return false;
}

static inline void build_coupling(SarRows* r, SarCoordinate first, SarCoordinate second) {
  bool fits = coupling_fits(r, COUPLING_FIRST, first);
  if (!coupling_fits(r, COUPLING_SECOND, second) || !fits) return;
  if (sar_rows_attr(r, COUPLING_FIRST)->index == sar_rows_attr(r, COUPLING_SECOND)->index) {
    sar_rows_complain(r, COUPLING_SECOND, "name two joints", "couples a joint with itself");
    return;
  }
  sar_rows_begin(r, sar_rows_number(r, COUPLING_OFFSET));
  sar_rows_coordinate(r, COUPLING_SECOND, 0, 1);
  sar_rows_coordinate(r, COUPLING_FIRST, 0, -sar_rows_number(r, COUPLING_RATIO));
}
