// Two joints of one coordinate each, the second following the first:  q2 - ratio q1 - offset.
#pragma once
#include "model/constraint_kind.h"

enum { COUPLING_FIRST, COUPLING_SECOND, COUPLING_RATIO, COUPLING_OFFSET };

static inline bool coupling_fits(SarRowBuilder* r, int joint, SarCoordinate expected) {
  SarCoordinate kind = expected;
  bool one = sar_builder_freedoms(r, joint, &kind, 0) == 1;
  if (one && kind == expected) return true;
  sar_builder_complain(r, joint, "", "the %s joint must have one coordinate, %s",
                       joint == COUPLING_FIRST ? "first" : "second",
                       expected == SAR_ANGLE ? "an angle" : "a displacement");
  return false;
}

static inline void build_coupling(SarRowBuilder* r, SarCoordinate first, SarCoordinate second) {
  bool fits = coupling_fits(r, COUPLING_FIRST, first);
  if (!coupling_fits(r, COUPLING_SECOND, second) || !fits) return;
  if (sar_builder_attr(r, COUPLING_FIRST)->index == sar_builder_attr(r, COUPLING_SECOND)->index) {
    sar_builder_complain(r, COUPLING_SECOND, "name two joints", "couples a joint with itself");
    return;
  }
  sar_builder_begin(r, sar_builder_number(r, COUPLING_OFFSET));
  sar_builder_coordinate(r, COUPLING_SECOND, 0, 1);
  sar_builder_coordinate(r, COUPLING_FIRST, 0, -sar_builder_number(r, COUPLING_RATIO));
}
