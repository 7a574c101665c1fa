// Prescribed motion of a joint:  q - f(t),  one coordinate, in the direction of the file.
#include "model/constraint_kind.h"

#include <math.h>

enum { JOINT, VALUE, COMPONENT };

static void build(SarRowBuilder* r) {
  SarCoordinate ignored;
  double component = sar_builder_number(r, COMPONENT);
  int n = sar_builder_freedoms(r, JOINT, &ignored, 0);
  if (n == 0) {
    sar_builder_complain(r, JOINT, "choose another joint", "a fixed joint has nothing to move");
  } else if (component != floor(component) || component < 1 || component > n) {
    sar_builder_complain(r, COMPONENT, "coordinates count from 1",
                         "component is %g, but the joint has %d coordinate%s", component, n,
                         n > 1 ? "s" : "");
  } else {
    sar_builder_begin_motion(r, VALUE);
    sar_builder_coordinate(r, JOINT, (int)component - 1, 1);
  }
}

const SarConstraintKind sar_constraint_motion = {
    .name = "motion",
    .doc = "prescribes a coordinate of a joint as a function of time and states",
    .targets = 1,
    .attr = {{"joint", SAR_ATTR_JOINT, NULL, "joint that is moved", NULL},
             {"value", SAR_ATTR_MOTION, NULL, "its coordinate, of t and states [rad or m]", NULL},
             {"component", SAR_ATTR_NUMBER, "1", "which coordinate, from 1", NULL}},
    .nattr = 3,
    .example = "{motion: turning, value: \"0.3*sin(2*t) + t^2\"}",
    .build = build,
};
