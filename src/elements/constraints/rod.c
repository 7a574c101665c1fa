// Rod without mass between two points:  |p2 - p1| - length.  The length may vary in time: a
// cylinder that is driven.
#include "model/constraint_kind.h"

enum { FIRST, SECOND, LENGTH };

static void build(SarRowBuilder* r) {
  SarEnd first = sar_builder_end(r, FIRST), second = sar_builder_end(r, SECOND);
  double length = v3_norm(v3_sub(sar_builder_place(r, second), sar_builder_place(r, first)));
  bool given = sar_builder_attr(r, LENGTH)->given;
  if (given && sar_builder_attr(r, LENGTH)->index < 0) length = sar_builder_number(r, LENGTH);
  if (given && length <= 0)
    sar_builder_complain(r, LENGTH, "", "length must be positive, but is %g", length);
  else if (length <= 0)
    sar_builder_complain(r, -1, "join them by a spherical joint",
                         "the points coincide at the design position: a rod needs a length");
  if (given)
    sar_builder_begin_motion(r, LENGTH);
  else
    sar_builder_begin(r, length);
  sar_builder_term(r, SAR_TERM_DISTANCE, first, second, 1);
}

const SarConstraintKind sar_constraint_rod = {
    .name = "rod",
    .doc = "keeps two points at a distance, which may be a function of time",
    .targets = 2,
    .attr = {{"first", SAR_ATTR_POINT, NULL, "one end", NULL},
             {"second", SAR_ATTR_POINT, NULL, "other end", NULL},
             {"length", SAR_ATTR_MOTION, "", "[m], of t and states; default: as designed", NULL}},
    .nattr = 3,
    .example = "{rod: [[a, [0.3, 0, 0.1]], [b, [0, 0.4, 0]]], length: 1 + 0.1*sin(3*t)}",
    .build = build,
};
