// Ideal rolling of a disc or a ball on a plane or a road: the gap stays closed (holonomic) and the
// point of contact does not slip (two nonholonomic rows), see dynamics/rolling.c.
#include "elements/constraints/rolling.h"

enum { CENTRE, SURFACE, RADIUS, AXIS, NORMAL, ROAD, IN };

static void build(SarRowBuilder* r) {
  const RollingAttributes at = {CENTRE, SURFACE, RADIUS, AXIS, NORMAL, ROAD, IN};
  build_roller(r, &at, true);
}

const SarConstraintKind sar_constraint_rolling = {
    .name = "rolling",
    .doc = "lets a wheel or a ball roll without slip on a plane or a road",
    .ref = "Neimark and Fufaev 1972",
    .targets = 2,
    .attr = {{"centre", SAR_ATTR_POINT, NULL, "centre of the wheel or ball", NULL},
             {"surface", SAR_ATTR_POINT, NULL, "a point of the plane, on the body that has it",
              NULL},
             {"radius", SAR_ATTR_NUMBER, NULL, "[m]", NULL},
             {"axis", SAR_ATTR_DIRECTION, "", "of a wheel at the design position; without: a ball",
              NULL},
             {"normal", SAR_ATTR_DIRECTION, "0 0 1",
              "of the plane at the design position, in ground axes", NULL},
             {"road", SAR_ATTR_ROAD, "", "name of a road or height field, instead of the plane",
              NULL},
             {"in", SAR_ATTR_BODY, "ground", "body whose frame 'axis' is given in", NULL}},
    .nattr = 7,
    .example =
        "{rolling: [[a, [0, 0.1, 0]], [b, [0.2, 0, 0]]], radius: 0.3, axis: [1, 1, 0], in: a}",
    .row_force = {"normal", "forward", "side"},        // [N]
    .row_speed = {NULL, "slip_forward", "slip_side"},  // [m/s]
    .build = build,
};
