// The least a formulation can be: accelerations of an open tree, by articulated bodies.
//
// A formulation as one file and one line, see tools/check-plugins.
#include "dynamics/tree.h"
#include "model/sim.h"

static SarStatus accel(SarSim* s) {
  sar_update_kinematics(s->m, s->d);
  sar_update_forces(s->m, s->d);
  return sar_aba(s->m, s->d);
}

const SarFormulation sar_formulation_plain = {
    .name = "plain",
    .doc = "accelerations of open trees",
    .ref = "",
    .why = "the model is an open tree",
    .shape = SAR_SHAPE_ACCEL,
    .accel = accel,
};
