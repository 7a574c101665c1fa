// Lead screw whose nut is guided by a joint of its own:  q2 - pitch q1 - offset.  (A screw that
// guides its nut itself is the joint `screw`.)
#include "elements/constraints/coupling.h"

static void build(SarRowBuilder* r) { build_coupling(r, SAR_ANGLE, SAR_LENGTH); }

const SarConstraintKind sar_constraint_screw_coupling = {
    .name = "screw_coupling",
    .doc = "couples the angle of a spindle with the displacement of its nut",
    .targets = 2,
    .attr = {{"spindle", SAR_ATTR_JOINT, NULL, "joint that turns", NULL},
             {"nut", SAR_ATTR_JOINT, NULL, "joint that slides", NULL},
             {"pitch", SAR_ATTR_NUMBER, NULL, "advance per radian [m/rad]", NULL},
             {"offset", SAR_ATTR_NUMBER, "0", "displacement where the angle is 0 [m]", NULL}},
    .nattr = 4,
    .example = "{screw_coupling: [turning, sliding], pitch: 0.01}",
    .build = build,
};
