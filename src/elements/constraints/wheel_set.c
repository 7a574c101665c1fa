// Two wheels on one axle that roll without slip: as two of `rolling`, but with one row across,
// which holds for both. The wheels may turn alone or together, on one body or on two.
#include "elements/constraints/rolling.h"

enum { LEFT, RIGHT, SURFACE, RADIUS, AXIS, NORMAL, ROAD, IN };

static void build(SarRowBuilder* r) {
  RollingAttributes at = {LEFT, SURFACE, RADIUS, AXIS, NORMAL, ROAD, IN};
  build_roller(r, &at, true);
  at.centre = RIGHT;
  build_roller(r, &at, false);
}

const SarConstraintKind sar_constraint_wheel_set = {
    .name = "wheel_set",
    .doc = "lets two wheels on one axle roll without slip on a plane or a road",
    .ref = "Neimark and Fufaev 1972",
    .targets = 2,
    .attr = {{"left", SAR_ATTR_POINT, NULL, "centre of one wheel", NULL},
             {"right", SAR_ATTR_POINT, NULL, "centre of the other", NULL},
             {"surface", SAR_ATTR_POINT, "ground", "a point of the plane, on the body that has it",
              NULL},
             {"radius", SAR_ATTR_NUMBER, NULL, "[m]", NULL},
             {"axis", SAR_ATTR_DIRECTION, NULL, "of the axle at the design position", NULL},
             {"normal", SAR_ATTR_DIRECTION, "0 0 1",
              "of the plane at the design position, in ground axes", NULL},
             {"road", SAR_ATTR_ROAD, "", "name of a road of the ground, instead of the plane",
              NULL},
             {"in", SAR_ATTR_BODY, "ground", "body whose frame 'axis' is given in", NULL}},
    .nattr = 8,
    .example =
        "{wheel_set: [[a, [0, 0.2, 0]], [b, [0, -0.3, 0]]], radius: 0.3, axis: [0.5, 1, 0], "
        "normal: [0.1, 0, 1]}",
    .row_force = {"left_normal", "left_forward", "side", "right_normal", "right_forward"},  // [N]
    .row_speed = {NULL, "left_slip", "slip_side", NULL, "right_slip"},                      // [m/s]
    .build = build,
};
