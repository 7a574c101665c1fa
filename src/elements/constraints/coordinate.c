// Prescribed coordinate of a point:  e . p - f(t),  e fixed in ground.
#include "model/constraint_kind.h"

enum { POINT, AXIS, VALUE };

static void build(SarRowBuilder* r) {
  SarEnd origin = {-1, v3_zero()}, point = sar_builder_end(r, POINT);
  sar_builder_begin_motion(r, VALUE);
  sar_builder_term(r, SAR_TERM_ALONG, origin, point, 1)->x = sar_builder_vector(r, AXIS);
}

const SarConstraintKind sar_constraint_coordinate = {
    .name = "coordinate",
    .doc = "prescribes a ground coordinate of a point as a function of time",
    .targets = 1,
    .attr = {{"point", SAR_ATTR_POINT, NULL, "point that is moved", NULL},
             {"axis", SAR_ATTR_DIRECTION, NULL, "direction in ground: x, y, z or [x, y, z]", NULL},
             {"value", SAR_ATTR_MOTION, NULL, "coordinate along it, of t and states [m]", NULL}},
    .nattr = 3,
    .example = "{coordinate: [a, [0.1, 0.2, 0.3]], axis: [1, 2, 2], value: cos(t)}",
    .build = build,
};
