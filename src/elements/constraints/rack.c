// Rack and pinion:  q2 - radius q1 - offset.
#include "elements/constraints/coupling.h"

static void build(SarRowBuilder* r) { build_coupling(r, SAR_ANGLE, SAR_LENGTH); }

const SarConstraintKind sar_constraint_rack = {
    .name = "rack",
    .doc = "couples the angle of a pinion with the displacement of a rack",
    .targets = 2,
    .attr = {{"pinion", SAR_ATTR_JOINT, NULL, "joint that turns", NULL},
             {"rack", SAR_ATTR_JOINT, NULL, "joint that slides", NULL},
             {"radius", SAR_ATTR_NUMBER, NULL, "[m/rad]; negative: the rack runs the other way",
              NULL},
             {"offset", SAR_ATTR_NUMBER, "0", "displacement where the angle is 0 [m]", NULL}},
    .nattr = 4,
    .example = "{rack: [turning, sliding], radius: 0.2}",
    .build = build,
};
