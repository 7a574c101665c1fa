// Gear pair:  q2 - ratio q1 - offset.  Wheels that mesh on the outside turn against each other: a
// negative ratio. Belts and chains do not: a positive one.
#include "elements/constraints/coupling.h"

static void build(SarRowBuilder* r) { build_coupling(r, SAR_ANGLE, SAR_ANGLE); }

const SarConstraintKind sar_constraint_gear = {
    .name = "gear",
    .doc = "couples the angles of two joints",
    .targets = 2,
    .attr = {{"first", SAR_ATTR_JOINT, NULL, "driving joint", NULL},
             {"second", SAR_ATTR_JOINT, NULL, "driven joint", NULL},
             {"ratio", SAR_ATTR_NUMBER, NULL, "turns of the second per turn of the first", NULL},
             {"offset", SAR_ATTR_NUMBER, "0", "angle of the second where that of the first is 0",
              NULL}},
    .nattr = 4,
    .example = "{gear: [turning, turning2], ratio: -1.5, offset: 0.2}",
    .build = build,
};
