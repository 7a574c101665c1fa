// A point on a plane that is fixed in another body:  n . d = 0,  d from a point of the plane.
#include "model/constraint_kind.h"

enum { POINT, PLANE, AXIS, IN };

static void build(SarRowBuilder* r) {
  SarEnd point = sar_builder_end(r, POINT), plane = sar_builder_end(r, PLANE);
  sar_builder_begin(r, 0);
  sar_builder_term(r, SAR_TERM_ALONG, plane, point, 1)->x =
      sar_builder_direction(r, AXIS, IN, plane.body);
}

const SarConstraintKind sar_constraint_on_plane = {
    .name = "on_plane",
    .doc = "keeps a point on a plane fixed in another body",
    .targets = 2,
    .attr = {{"point", SAR_ATTR_POINT, NULL, "point that stays on the plane", NULL},
             {"plane", SAR_ATTR_POINT, NULL, "a point of the plane, on the body that has it", NULL},
             {"axis", SAR_ATTR_DIRECTION, NULL, "its normal at the design position", NULL},
             {"in", SAR_ATTR_BODY, "ground", "body whose frame 'axis' is given in", NULL}},
    .nattr = 4,
    .example = "{on_plane: [[a, [0, 0.1, 0]], [b, [0.2, 0, 0]]], axis: [1, 1, 0]}",
    .build = build,
};
