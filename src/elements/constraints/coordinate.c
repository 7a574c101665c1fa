// Prescribed coordinate of a point:  e . p - f(t),  e fixed in ground.
#include "model/constraint_kind.h"

enum { POINT, AXIS, VALUE };

static void build(SarRows* r) {
  SarEnd origin = {-1, v3_zero()}, point = sar_rows_end(r, POINT);
  sar_rows_begin_motion(r, VALUE);
  sar_rows_term(r, SAR_TERM_ALONG, origin, point, 1)->x = sar_rows_vector(r, AXIS);
}

const SarConstraintKind sar_constraint_coordinate = {
    .name = "coordinate",
    .doc = "prescribes a ground coordinate of a point as a function of time",
    .targets = 1,
    .attr = {{"point", SAR_ATTR_POINT, NULL, "point that is moved", NULL},
             {"axis", SAR_ATTR_DIRECTION, NULL, "direction in ground: x, y, z or [x, y, z]", NULL},
             {"value", SAR_ATTR_MOTION, NULL, "coordinate along it, of t and states [m]", NULL}},
    .nattr = 3,
    .build = build,
};
