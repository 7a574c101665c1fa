// A point on a line that is fixed in another body:  e1 . d = e2 . d = 0,  d from a point of the
// line.
#include "model/constraint_kind.h"

enum { POINT, LINE, AXIS, IN };

static void build(SarRowBuilder* r) {
  SarEnd point = sar_builder_end(r, POINT), line = sar_builder_end(r, LINE);
  V3 axis = sar_builder_direction(r, AXIS, IN, line.body), e1 = v3_perp(axis);
  sar_builder_begin(r, 0);
  sar_builder_term(r, SAR_TERM_ALONG, line, point, 1)->x = e1;
  sar_builder_begin(r, 0);
  sar_builder_term(r, SAR_TERM_ALONG, line, point, 1)->x = v3_cross(axis, e1);
}

const SarConstraintKind sar_constraint_on_line = {
    .name = "on_line",
    .doc = "keeps a point on a line fixed in another body",
    .targets = 2,
    .attr = {{"point", SAR_ATTR_POINT, NULL, "point that runs on the line", NULL},
             {"line", SAR_ATTR_POINT, NULL, "a point of the line, on the body that has it", NULL},
             {"axis", SAR_ATTR_DIRECTION, NULL, "its direction at the design position", NULL},
             {"in", SAR_ATTR_BODY, "ground", "body whose frame 'axis' is given in", NULL}},
    .nattr = 4,
    .example = "{on_line: [[a, [0, 0.1, 0]], [b, [0.2, 0, 0]]], axis: [1, 1, 0], in: b}",
    .build = build,
};
